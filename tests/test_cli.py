"""The command line as a user meets it: every command and output at work, every example as typed."""

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

import firesim
from firesim.cli import app
from firesim.mapfiles.toml import is_study
from firesim.rules.town import bands
from firesim.studies import study

ROOT = Path(__file__).resolve().parent.parent
HOUSE, STREET, RIVERSIDE = (ROOT / "maps" / f"{name}.toml" for name in ("house", "street", "riverside"))
LOOKALIKES = ROOT / "tests" / "mapfiles" / "lookalikes"

WORKED = """system = "town"
map = { rows = ["h"], legend = { h = { armour = 3 } } }
ignite = [{ cell = [0, 0] }]
"""


class Told(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


def told(*arguments: object, stdin: str = "") -> Told:
    """What `firesim ARGUMENTS` does; an exception that a user would see as a traceback is raised here."""
    result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.stderr, result.stderr
    return Told(result.exit_code, result.stdout, result.stderr)


def done(*arguments: object, stdin: str = "") -> Told:
    """The same, where all must go well."""
    end = told(*arguments, stdin=stdin)
    assert end.code == 0, end
    return end


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def checkout(desk: Path) -> Path:
    """A folder that looks like the repository's root, in which files may be written."""
    (desk / "maps").symlink_to(ROOT / "maps")
    (desk / "tests").symlink_to(ROOT / "tests")
    return desk


# --- run --------------------------------------------------------------------------------------------------------------


def test_a_run_prints_its_title_key_story_and_figures(desk):
    end = done("run", HOUSE, "--seed", 7)
    first, story, figures = end.out.splitlines()
    assert first == "A lone house (town, seed 7, replicate 0)"
    assert story.startswith("1 of 1 building hex caught fire")
    outcome = firesim.run(HOUSE, seed=7).outcome
    assert figures == "  ".join(f"{name} {value}" for name, value in outcome.items())
    assert list(desk.iterdir()) == []


def test_without_a_seed_a_fresh_one_is_printed_and_gives_the_same_fire_again():
    one, other = done("run", HOUSE).out, done("run", HOUSE).out
    seeds = [re.search(r"seed (\d+), replicate 0", out)[1] for out in (one, other)]
    assert seeds[0] != seeds[1]
    assert done("run", HOUSE, "--seed", seeds[0]).out == one


def test_json_is_one_document_and_the_log_goes_to_files(desk):
    end = done("run", HOUSE, "--seed", 7, "--replicate", 3, "--json", "--log", "log.txt")
    record = json.loads(end.out)
    assert record["written"] == ["log.txt"]
    assert (record["seed"], record["replicate"], record["system"]) == (7, 3, "town")
    fires = firesim.study(HOUSE, 4, seed=7)
    assert record["outcome"] == {name: fires.outcomes[name][3] for name in record["outcome"]}
    assert record["faces"] == firesim.run(HOUSE, seed=7, replicate=3).faces


def test_the_log_is_sentences_or_records_or_comes_first_on_standard_output(desk):
    on_screen = done("run", HOUSE, "--seed", 7, "--log", "-").out
    done("run", HOUSE, "--seed", 7, "--log", "log.txt")
    done("run", HOUSE, "--seed", 7, "--log", "log.JSONL")
    sentences = Path("log.txt").read_text()
    assert on_screen == sentences + done("run", HOUSE, "--seed", 7).out
    records = [json.loads(line) for line in Path("log.JSONL").read_text().splitlines()]
    assert "".join(f"Turn {r['step']}: {r['text']}\n" for r in records) == sentences


def test_pictures_are_written_and_named(desk):
    end = done("run", HOUSE, "--seed", 7, "--png", "end.png", "--gif", "fire.gif", "--steps", 4)
    assert end.err.splitlines()[-2:] == ["wrote end.png", "wrote fire.gif"]
    assert Image.open("end.png").format == "PNG"
    assert Image.open("fire.gif").n_frames == 5
    assert sorted(p.name for p in desk.iterdir()) == ["end.png", "fire.gif"]


def test_a_saved_run_has_all_that_is_needed_to_play_it_again(desk):
    done("run", STREET, "--seed", 15, "--replicate", 2, "--set", "weather.moisture=damp", "--steps", 9, "--out", "a/b")
    assert sorted(p.name for p in Path("a/b").iterdir()) == ["end.png", "fire.gif", "log.jsonl", "log.txt", "run.json"]
    saved = json.loads(Path("a/b/run.json").read_text())
    by_key = firesim.run(
        saved["scenario"], seed=saved["seed"], replicate=saved["replicate"], steps=saved["steps_asked"]
    )
    by_faces = firesim.run(saved["scenario"], dice=saved["faces"], steps=saved["steps_asked"])
    assert saved["scenario"]["weather"]["moisture"] == "damp"
    assert by_key.outcome == by_faces.outcome == saved["outcome"]
    log = "".join(f"Turn {e.step}: {e.text}\n" for e in by_key.events)
    assert log == Path("a/b/log.txt").read_text()


def test_steps_and_settings_change_the_fire():
    assert "steps 3  " in done("run", STREET, "--seed", 15, "--steps", 3).out
    assert done("run", STREET, "--seed", 15, "--steps", 0).out.splitlines()[1] == "Nothing caught fire in 0 turns."
    changed = done(
        *("run", STREET, "--seed", 15, "--set", "weather.wind=NE", "--set", "map.legend.h.st=2"),
        *("--set", "tables.material.brick=5", "--set", "title=x = y"),
    )
    assert changed.out.startswith("x = y (town")
    assert changed.out.splitlines()[-1] == "departs from the book: material.brick 5 (book: 6)"


# --- dice of the table ------------------------------------------------------------------------------------------------


def test_faces_may_be_written_out_or_stand_in_a_file(desk):
    Path("town.toml").write_text(WORKED)
    Path("faces").write_text("\ufeff3, 4 1 # until the house catches\n3 4 3\n2 1 5\n", encoding="utf-8")
    written = done("run", "town.toml", "--dice", "3 4 1 3 4 3 2 1 5").out
    assert "9 faces given" in written
    assert "steps 8  burning 0  lit 1  consumed 1" in written
    assert done("run", "town.toml", "--dice", "faces").out == written


def test_more_faces_than_a_file_name_has_letters_are_still_faces():
    faces = firesim.run(RIVERSIDE, seed=17).faces
    assert len(faces) > 300
    out = done("run", RIVERSIDE, "--dice", " ".join(map(str, faces))).out
    assert out.splitlines()[1:] == done("run", RIVERSIDE, "--seed", 17).out.splitlines()[1:]


def test_a_person_plays_the_worked_example_and_mistypes(desk):
    Path("town.toml").write_text(WORKED)
    end = done("run", "town.toml", "--dice", "ask", stdin="3\n4\nx\n7\n\n²\n 1 \n3\n4 3, 2\n1 9\n5\n")
    assert end.out == done("run", "town.toml", "--dice", "3 4 1 3 4 3 2 1 5").out
    for typed in ("x", "7", "", "²", "9"):
        assert f"'{typed}': a d6 shows a whole number from 1 to 6\n" in end.err
    prompts = re.findall(r"Turn \d+: d6 for [^:]+: ", end.err)
    assert prompts[0] == "Turn 1: d6 for the fire attack that is to set the house (0, 0) alight: "
    assert len(prompts) == 11  # one for each line typed


def test_when_the_person_leaves_the_faces_so_far_are_told_and_serve_to_go_on(desk):
    Path("town.toml").write_text(WORKED)
    end = told("run", "town.toml", "--dice", "ask", "--json", stdin="3\n4\n1\n3\n")
    assert (end.code, end.out) == (130, "")
    assert end.err.splitlines()[-3:] == [
        "the faces so far: 3 4 1 3",
        "to go on from here, give the same command and type them in one line",
        "interrupted",
    ]
    again = done("run", "town.toml", "--dice", "ask", stdin="3 4 1 3\n4\n3\n2\n1\n5\n")
    assert again.out == done("run", "town.toml", "--dice", "3 4 1 3 4 3 2 1 5").out
    assert told("run", "town.toml", "--dice", "ask").err.endswith(": \ninterrupted\n")


# --- check, import, demo, warm ----------------------------------------------------------------------------------------


def test_check_tells_of_each_file(desk):
    Path("town.toml").write_text(WORKED)
    assert done("check", HOUSE, "town.toml").out == f"{HOUSE}: no problems\ntown.toml: no problems\n"


@pytest.mark.parametrize("source", sorted(LOOKALIKES.glob("*.json")), ids=lambda path: path.stem)
def test_an_imported_map_burns(desk, source):
    end = done("import", source, "--buildings", "known.csv")
    name = f"{source.stem}.toml"
    assert end.err.splitlines()[-1] == f"wrote {name}; burn it with: firesim run {name}"
    assert end.out.startswith(f"{source.name}: Watabou ")
    assert done("check", name).out == f"{name}: no problems\n"
    assert "caught fire" in done("run", name, "--seed", 1).out
    assert Path("known.csv").read_text().splitlines()[0] == "index,name,material,roof,floors,st"


def test_an_import_takes_what_is_known_and_replaces_only_when_told(desk):
    source = LOOKALIKES / "village.json"
    done("import", source, "--out", "a.toml", "--buildings", "a.csv")
    known = re.sub(r"(?m)^1,.*$", "1,building 1,stone,slate,3,33", Path("a.csv").read_text())
    Path("a.csv").write_text(known)
    done("import", source, "--out", "b.toml", "--overrides", "a.csv", "--gap", 1, "--seed", 4)
    town = firesim.load("b.toml")
    assert {"building": "building 1", "material": "stone", "roof": "slate", "floors": 3, "st": 33}.items() <= next(
        entry.items() for entry in town.document["map"]["legend"].values() if entry.get("building") == "building 1"
    )
    before = Path("a.toml").read_text()
    refused = told("import", source, "--out", "a.toml", "--buildings", "a.csv", "--overrides", "a.csv")
    assert refused == Told(
        2,
        "",
        "a.toml: the file exists already: expected a new name; replace it with --force\n"
        "a.csv: the file exists already: expected a new name; replace it with --force\n",
    )
    assert (Path("a.toml").read_text(), Path("a.csv").read_text()) == (before, known)
    end = done("import", source, "--out", "a.toml", "--overrides", "a.csv", "--force", "--json")
    assert json.loads(end.out)["written"] == "a.toml"
    assert Path("a.toml").read_text() != before


def test_a_strict_import_writes_nothing_that_it_had_to_guess(desk):
    end = told("import", LOOKALIKES / "hood.json", "--strict")
    assert (end.code, end.out, list(desk.iterdir())) == (2, "", [])
    assert "guessed: material of buildings (15): expected nothing guessed (strict)" in end.err


def test_the_demo_writes_its_pictures(desk):
    end = done("demo", "--fires", 20, "--out", "tmp")
    names = ["riverside-burn-map.png", "riverside.gif", "riverside.png", "riverside.txt"]
    assert sorted(p.name for p in Path("tmp").iterdir()) == names
    assert "Its twins: 20 fires" in end.out
    assert all(str(Path("tmp") / name) in end.out for name in names)
    summary = firesim.study(RIVERSIDE, 20, seed=17).summary()
    assert str(summary) in end.out


def test_warm_compiles_all(monkeypatch):
    asked = []
    share = bands.burn_band
    monkeypatch.setattr(study, "processors", lambda: 2)
    monkeypatch.setattr(bands, "burn_band", lambda *given: asked.append(given) or share(*given))
    assert done("warm").out == "all kernels are compiled\n"
    assert asked  # by threads that burn one fire together


def test_version_and_help():
    assert done("--version").out == f"firesim {firesim.__version__}\n"
    assert "Begin with: firesim demo" in done("--help").out
    assert done("-h").out == done("--help").out


# --- every example as typed -------------------------------------------------------------------------------------------

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_the_help_works_as_typed(checkout, command):
    help_ = " ".join(done(command, "--help").out.split())
    (example,) = re.findall(r"Example: firesim (.+)$", help_)
    done(*shlex.split(example))


def readme_commands() -> list[str]:
    """Lines of the README's indented blocks that call `firesim`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"(?m)^(?:    |\$ )(firesim .+)$", text)


def test_every_command_of_the_readme_works_in_its_order(checkout):
    commands = readme_commands()
    assert commands, "no command was found in the README: nothing was checked"
    (checkout / "town.json").write_bytes((LOOKALIKES / "village.json").read_bytes())
    for command in commands:
        done(*shlex.split(command, comments=True)[1:])


def test_every_scenario_and_study_of_the_readme_is_one_without_problems(desk):
    blocks = re.findall(r"(?ms)^```toml\n(.+?)^```", (ROOT / "README.md").read_text(encoding="utf-8"))
    for map_file in ("riverside.toml", "street.toml"):
        shutil.copy(ROOT / "maps" / map_file, desk)
    scenarios = [block for block in blocks if not is_study(tomllib.loads(block))]
    assert len(blocks) == len(scenarios) + 1, "and one study"
    assert {re.search(r'system = "(\w+)"', scenario)[1] for scenario in scenarios} == {"town", "ship"}
    for number, block in enumerate(blocks):
        Path(f"{number}.toml").write_text(block, encoding="utf-8")
        done("check", f"{number}.toml")


def test_a_title_in_any_script_is_drawn_without_a_warning(desk, recwarn):
    title = "火の町 — 🔥 اللهب $x^2$ {0} %s"
    end = done("run", HOUSE, "--seed", 7, "--set", f"title={title}", "--png", "a.png", "--gif", "a.gif", "--steps", 2)
    assert end.out.startswith(title)
    assert [str(w.message) for w in recwarn if "Glyph" in str(w.message)] == []
    assert np.asarray(Image.open("a.png")).std() > 0
