"""`firesim play` at a terminal: typed dice, slips, events, undo, Ctrl-C and Ctrl-D, and the game goes on next week."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from PIL import Image
from typer.testing import CliRunner

import firesim
from firesim.cli import app
from firesim.table.proof import state_digest

ROOT = Path(__file__).resolve().parent.parent
WORKED = """system = "town"
title = "A lone house"
map = { rows = ["h . .", " . . ."], legend = { h = { armour = 3, roof = "thatch", floors = 1, st = 10 } } }
ignite = [{ cell = [0, 0] }]
"""
FACES = (3, 4, 1, 3, 4, 3, 2, 1, 5)
TWO = """system = "town"
title = "Two houses"
map = { rows = ["h h"], legend = { h = { armour = 0, st = 30, floors = 1 } } }
options = { one_hex = false }
ignite = [{ cell = [0, 0], alight = true }, { cell = [0, 1], alight = true }]
"""


class Terminal:
    """`firesim play ARGUMENTS` at a terminal of 80 columns."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": paths}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "firesim", "play", *arguments],
            cwd=str(folder),
            env=environment,
            encoding="utf-8",
            timeout=100,  # kernels may have to be compiled
            dimensions=(40, 80),
        )

    def sees(self, *words: str) -> None:
        """All these words come, one after another."""
        for each in words:
            self.child.expect_exact(each)

    def types(self, line: str) -> None:
        """A line and Enter."""
        self.child.sendline(line)

    def ends(self, code: int) -> str:
        """The program ends with this exit code; what it said at the end."""
        self.child.expect(pexpect.EOF)
        said = str(self.child.before)
        self.child.close()
        assert self.child.exitstatus == code, said
        assert "Traceback" not in said
        return said


def straight(document: Any, *steps: tuple[int, ...], seed: int = 1) -> Any:
    """The same game without a slip or an interruption."""
    game = firesim.game(document, seed=seed)
    for faces in steps:
        game.step(faces=faces)
    return game


def test_the_worked_example_with_slips_undo_save_and_resume_ends_as_the_uninterrupted_run(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(WORKED)
    table = Terminal(tmp_path, "house.toml", "--dice", "real", "--seed", "1", "--save", "tonight.toml")
    table.sees("A lone house (town, seed 1), kept in tonight.toml", "Turn 0", "turn 1> ")
    table.types("")
    table.sees("Turn 1: d6 for the fire attack that is to set the house (0, 0) alight: ")
    table.types("9")
    table.sees("'9': a d6 shows a whole number from 1 to 6", "alight: ")
    table.types("three")
    table.sees("'three'", "alight: ")
    table.types("3")
    table.sees("3 - 3 = 0, ST stays 10 [TN-17, TN-19]", "turn 2> ")
    table.types("6")  # a slip: it showed 4
    table.sees("6 - 3 = 3, ST 10 -> 7", "begins to burn", "turn 3> ")
    table.types("back")
    table.sees("alight: ")
    table.types("4")
    table.sees("ST 10 -> 9", "begins to burn", "turn 3> ")
    table.types("wet 0 0")
    table.sees("from turn 3 on; the house (0, 0) is wetted", "turn 3> ")
    table.types("1")
    table.sees("is wetted", "turn 4> ")
    table.types("undo 2")
    table.sees("taken back: turn 3 with the face 1; the house (0, 0) is wetted", "Turn 2: 1 burning", "turn 3> ")
    table.types("demolish 7 7")
    table.sees("cell (7, 7) lies off the map", "turn 3> ")
    table.types("dance")
    table.sees("'dance' is no command", "turn 3> ")
    table.types("1 5")
    table.sees("not needed: 5", "turn 4> ")
    table.types("dice keyed")
    table.sees("the dice are keyed", "turn 4> ")
    table.types("step 2")
    table.sees("Turn 5: 1 burning", "turn 6> ")
    table.types("undo to 3")
    table.sees("Turn 3: 1 burning", "turn 4> ")
    table.types("dice real")
    table.sees("turn 4> ")
    table.types("why 0 0")
    table.sees("Turn 2: the house (0, 0) caught fire: fire is set to the house (0, 0): 4 - 3 = 1", "turn 4> ")
    table.types("save other.toml")
    table.sees("kept in other.toml", "turn 4> ")
    table.types("quit")
    assert "go on with: firesim play other.toml" in table.ends(0)

    table = Terminal(tmp_path, "other.toml")
    table.sees("A lone house (town, seed 1), kept in other.toml", "Turn 3: 1 burning", "turn 4> ")
    for turn, face in ((5, "3"), (6, "4"), (7, "3")):
        table.types(face)
        table.sees(f"turn {turn}> ")
    table.types("2")
    table.sees("Turn 7: d6 for the fire attack in the house (0, 0): ")
    table.types("1")
    table.sees("turn 8> ")
    table.types("5")
    table.sees("the fire is over", "turn 9> ")
    table.types("")
    table.sees("the fire is over: nothing burns", "turn 9> ")
    table.types("quit")
    assert "go on with" in table.ends(0)
    game = firesim.game(tmp_path / "other.toml")
    run = firesim.run(tmp_path / "house.toml", dice=list(FACES))
    assert (game.outcome, game.events, game.faces) == (run.outcome, run.events, run.faces)
    steps = [i.faces for i in game.inputs]
    assert state_digest(game) == state_digest(straight(tmp_path / "house.toml", *steps))


@pytest.mark.parametrize("key", ["c", "d"])
def test_leaving_in_the_middle_of_a_step_loses_no_face(tmp_path: Path, key: str) -> None:
    (tmp_path / "two.toml").write_text(TWO)
    table = Terminal(tmp_path, "two.toml", "--dice", "real", "--seed", "1")
    table.sees("turn 1> ")
    table.types("")
    table.sees("(0, 0): ")
    table.types("2")
    table.sees("(0, 1): ")
    table.child.sendcontrol(key)
    said = table.ends(130)
    assert "nothing is lost; go on with: firesim play two.game.toml" in said
    assert "interrupted" in said
    assert firesim.game(tmp_path / "two.game.toml").under_way == [2]

    table = Terminal(tmp_path, "two.toml", "--resume")
    table.sees("kept in two.game.toml", "turn 1> ")
    table.types("")
    table.sees("going on with the faces 2", "(0, 1): ")
    table.types("back")
    table.sees("(0, 0): ")
    table.types("1 5")
    table.sees("Turn 1: 2 burning", "turn 2> ")
    table.child.sendcontrol(key)
    table.ends(130)
    game = firesim.game(tmp_path / "two.game.toml")
    assert (game.steps, game.under_way) == (1, [])
    assert state_digest(game) == state_digest(straight(tmp_path / "two.toml", (1, 5)))


# -------------------------------------------------------------------------------------------------- scripts of commands
def played(folder: Path, *arguments: str, lines: str = "") -> tuple[int, str, str]:
    """What `firesim play ARGUMENTS` says to a script of commands."""
    old = Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(app, ["play", *arguments], input=lines)
    finally:
        os.chdir(old)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def two(tmp_path: Path) -> Path:
    (tmp_path / "two.toml").write_text(TWO)
    return tmp_path


def test_every_command_of_the_help_is_there_and_does_something(two: Path) -> None:
    looks = "help\nstep 2\nlook 0 1\nwhy 0 1\nstory\nstory all\nstory 1\nmap\nmap on\nmap off\nstate\nsave\n"
    files = "players p.png\npicture q.png\ntree t.png\ntree\nfilm f.gif\nsheets s.pdf\nsheets p.pdf players\n"
    lines = looks + files + "undo\nquit\n"
    code, out, err = played(two, "two.toml", "--seed", "3", "--png", "gm.png", lines=lines)
    assert code == 0
    assert "unknown" not in err
    for words in (
        "Enter",
        "Turn 2: 2 burning",
        "(0, 1): ST ",
        "lit in turn 0",
        "burnt from the start",
        "steps 2",
        "& & ",
    ):
        assert words in out, words
    assert out.count("Turn 1: ") > 3
    for name in ("gm.png", "p.png", "q.png", "t.png"):
        assert Image.open(two / name).size > (200, 100), name
    assert getattr(Image.open(two / "f.gif"), "n_frames", 1) == 3
    assert all((two / name).read_bytes()[:5] == b"%PDF-" for name in ("s.pdf", "p.pdf"))
    assert firesim.game(two / "two.game.toml").steps == 1


def test_what_an_event_lacks_is_asked_for(two: Path) -> None:
    code, _, err = played(two, "two.toml", "--seed", "3", lines="demolish\n0 0\nwind\n\nwind\nwind=E\nwet 0 0 damp\n")
    assert code == 0
    assert "demolish what? (cell, cells, building; empty: leave it)" in err
    assert err.count("wind what? (wind; empty: leave it)") == 2
    events = firesim.game(two / "two.game.toml").document["event"]
    assert [{k: v for k, v in e.items() if k != "step"} for e in events] == [
        {"kind": "demolish", "cell": [0, 0]},
        {"kind": "wind", "wind": "E"},
        {"kind": "wet", "cell": [0, 0], "moisture": "damp"},
    ]


def test_wet_without_a_place_asks_for_one_and_the_answer_says_what_it_does(two: Path) -> None:
    lines = "wet\n\nwet\n0 1\nwet damp\nwind e\nwind none step=4\nundo 2\n"
    code, _, err = played(two, "two.toml", "--seed", "3", lines=lines)
    assert code == 0
    assert (
        err.count("wet what? (cell, cells, building, moisture; empty: leave it; for the whole weather: moisture") == 2
    )
    for told in (
        "from turn 1 on; the shack (0, 1) is wetted\n",
        "from turn 1 on; the weather turns damp, for every hex without a moisture of its own\n",
        "from turn 1 on; the wind blows towards E\n",
        "from turn 4 on; the wind falls\n",
        "taken back: the wind falls; the wind blows towards E\n",
    ):
        assert told in err, told
    events = firesim.game(two / "two.game.toml").document["event"]
    assert [e.get("cell") for e in events] == [[0, 1], None]


def test_look_tells_how_a_cell_a_building_or_a_person_fares(tmp_path: Path) -> None:
    mill = TWO.replace("h = { armour", 'h = { building = "Old Mill", armour')
    (tmp_path / "mill.toml").write_text(mill)
    lines = "6 1 rest\nlook old mill\nlook 0 0\nlook Old Mil\nwhy old mill\n"
    code, out, err = played(tmp_path, "mill.toml", "--seed", "3", "--dice", "real", lines=lines)
    assert code == 0
    assert out.count("Old Mill (0, 0): ST 22 of 30, armour 0, burning") == 2
    assert out.count("Old Mill (0, 1): ST 27 of 30, armour 0, burning") == 1
    assert "'Old Mil' is no cell: expected a row and a column, as 4 12, or Old Mill; did you mean 'Old Mill'" in err
    assert "Old Mill (0, 0) burnt from the start" in out

    (tmp_path / "ship.toml").write_text(SHIP)
    lines = "hurt Io 2\nheal io 1\nlook io\nlook 1 0\norder kest extinguish module\nlook\nlook helm\n"
    code, out, err = played(tmp_path, "ship.toml", "--seed", "3", lines=lines)
    assert (code, "expected" in err) == (0, False)
    assert "the GM: Io is healed by 1" in err
    assert "Io: damage 1 of 5, in the hold (1, 0); no order\n" in out
    assert "The hold (1, 0): not burning; in it Io (damage 1 of 5)\n" in out
    assert "Kest: damage 0 of 8, in the helm (0, 0); ordered: extinguish module\n" in out
    assert out.count("The helm (0, 0): burning; in it Kest (damage 0 of 8); lit in phase 0\n") == 2


SHIP = """system = "ship"
map = { rows = ["A B", "C ."], legend = { A = { module = "helm" }, B = { module = "cargo" }, C = { module = "hold" } } }
ignite = [{ cell = [0, 0] }]
crew = [{ name = "Kest", cell = [0, 0], health = 8, engineering = 3 }, { name = "Io", cell = [1, 0], health = 5 }]
"""


def test_the_crew_of_a_ship_is_ordered_moved_and_hurt(tmp_path: Path) -> None:
    (tmp_path / "ship.toml").write_text(SHIP)
    deeds = 'order Kest "extinguish module"\nhurt Io 2\nmove Io 0 1\nhurt Nobody 1\norder Io dance\n'
    code, out, err = played(tmp_path, "ship.toml", "--seed", "3", lines=deeds + "step\nstory\nhurt\nIo 1\n")
    assert code == 0
    assert "Kest rolls" in out
    assert "there is nobody called 'Nobody': expected Kest or Io" in err
    assert "hurt what? (crew, amount; empty: leave it)" in err
    assert "from phase 1 on; the GM: Kest is ordered: extinguish module" in err
    assert "Phase 1: the GM: Io is hurt by 2\nPhase 1: the GM: Io is moved to the cargo (0, 1)\nPhase 1: " in out
    game = firesim.game(tmp_path / "ship.game.toml")
    assert (game.state.crew.damage[1] >= 3, game.state.crew.cell[1], len(game.inputs)) == (True, 1, 5)


def test_a_ship_is_played_with_orders_typed_dice_an_undo_and_on_another_day(tmp_path: Path) -> None:
    (tmp_path / "ship.toml").write_text(SHIP)
    table = Terminal(tmp_path, "ship.toml", "--dice", "real", "--seed", "1", "--save", "crew.toml")
    table.sees("(ship, seed 1), kept in crew.toml", "phase 1> ")
    table.types('order Kest "extinguish module"')
    table.sees("from phase 1 on; the GM: Kest is ordered: extinguish module", "phase 1> ")
    table.types("")
    table.sees("Kest", ": ")
    table.types("99")
    table.sees("'99': a d", ": ")
    table.types("1 1 rest")
    table.sees("Kest rolls 2 + 3 against 8", "phase 2> ")
    table.types("hurt Io 9")
    table.sees("the GM: Io is hurt by 9", "phase 2> ")
    table.types("undo")
    table.sees("Phase 1: ", "phase 2> ")
    table.types("hurt Io 2")
    table.sees("the GM: Io is hurt by 2", "phase 2> ")
    table.types("quit")
    assert "go on with: firesim play crew.toml" in table.ends(0)

    table = Terminal(tmp_path, "crew.toml")
    table.sees("kept in crew.toml", "Phase 1: ", "phase 2> ")
    table.types("story all")
    table.sees("Phase 1: the GM: Kest is ordered: extinguish module", "Phase 2: the GM: Io is hurt by 2", "phase 2> ")
    table.types("dice keyed")
    table.sees("the dice are keyed", "phase 2> ")
    table.types("step")
    table.sees("Phase 2: ", "phase 3> ")
    table.types("quit")
    table.ends(0)
    straight_on = firesim.game(tmp_path / "ship.toml", seed=1)
    straight_on.apply({"kind": "order", "crew": "Kest", "order": "extinguish module"})
    straight_on.step(faces=[1, 1])
    straight_on.apply({"kind": "hurt", "crew": "Io", "amount": 2})
    straight_on.step()
    assert state_digest(firesim.game(tmp_path / "crew.toml")) == state_digest(straight_on)


@pytest.mark.parametrize("scenario", [TWO, SHIP])
def test_the_help_names_every_event_within_80_columns(tmp_path: Path, scenario: str) -> None:
    (tmp_path / "game.toml").write_text(scenario)
    _, out, _ = played(tmp_path, "game.toml", "--seed", "3", lines="help\n")
    assert max(map(len, out.split("\n"))) <= 80
    game = firesim.game(tmp_path / "game.game.toml")
    for kind in game.kinds:
        assert re.search(rf"^{kind} +{', '.join(game.system.takes(kind))}$", out, re.MULTILINE), kind


def test_a_game_kept_already_is_not_written_over(two: Path) -> None:
    assert played(two, "two.toml", lines="step\n")[0] == 0
    before = (two / "two.game.toml").read_bytes()
    code, _, err = played(two, "two.toml", lines="step\n")
    assert (code, (two / "two.game.toml").read_bytes()) == (2, before)
    assert "go on with it by --resume" in err
    assert played(two, "two.toml", "--resume", lines="step\n")[0] == 0
    assert firesim.game(two / "two.game.toml").steps == 2


def test_a_film_has_its_speed_and_size(two: Path) -> None:
    lines = "step 2\nfilm a b.gif fps=10 size=300\nfilm c.gif fps=0\nfilm d.gif size=9999\nfilm e.gif size=x\n"
    code, _, err = played(two, "two.toml", "--seed", "3", lines=lines)
    assert code == 0
    with Image.open(two / "a b.gif") as image:
        assert (getattr(image, "n_frames", 1), image.info["duration"]) == (3, 100)
        assert image.size[0] < 700
    for words in ("0 frames per second: expected from 0.1 to 50", "9,999 pixels: expected from 50", "'size=x'"):
        assert words in err, words
    assert sorted(path.name for path in two.glob("*.gif")) == ["a b.gif"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two.toml", "--resume"], "there is no game to go on with"),
        (["two.toml", "--dice", "wooden"], "--dice wooden: expected real or keyed"),
        (["two.toml", "--png", "a.gif"], "ends in '.gif'"),
        (["two.toml", "--png", "a.png", "--players", "a.png"], "the same file"),
        (["two.toml", "--save", "gone/a.toml"], "there is no folder"),
        (["gone.toml"], "there is no such file"),
    ],
)
def test_wrong_options_are_told_kindly(two: Path, arguments: list[str], message: str) -> None:
    code, _, err = played(two, *arguments)
    assert code == 2
    assert message in err
    assert not (two / "two.game.toml").exists()


def test_a_broken_save_is_told_kindly(two: Path) -> None:
    played(two, "two.toml", lines="step 3\n")
    save = two / "two.game.toml"
    save.write_text(save.read_text()[:-12])
    code, _, err = played(two, "two.game.toml")
    assert code == 2
    assert "cut short" in err


def test_resume_opens_a_game_of_this_scenario_alone_and_lets_no_option_fall(two: Path) -> None:
    (two / "other.toml").write_text(WORKED)
    assert played(two, "two.toml", "--seed", "1", "--save", "kept.toml", lines="step\n")[0] == 0
    before = (two / "kept.toml").read_bytes()
    code, out, err = played(two, "other.toml", "--resume", "--save", "kept.toml", lines="step\n")
    assert (code, out, (two / "kept.toml").read_bytes()) == (2, "", before)
    assert "kept.toml: the game kept there is of another scenario, Two houses: expected a game of other.toml" in err
    for option in (["--seed", "3"], ["--replicate", "4"], ["--set", "weather.wind=W"]):
        for arguments in (["two.toml", "--resume", "--save", "kept.toml"], ["kept.toml"]):
            code, _, err = played(two, *arguments, *option, lines="step\n")
            assert (code, (two / "kept.toml").read_bytes()) == (2, before), (arguments, option)
            assert "a save has its own seed and scenario" in err
    (two / "copy.toml").write_text("# the same, elsewhere\n" + TWO)
    assert played(two, "copy.toml", "--resume", "--save", "kept.toml", lines="step\n")[0] == 0
    assert firesim.game(two / "kept.toml").steps == 2


def test_resume_goes_on_with_a_game_begun_with_other_words_and_says_so(two: Path) -> None:
    assert played(two, "two.toml", "--set", "weather.wind=W", lines="step\n")[0] == 0
    code, out, _ = played(two, "two.toml", "--resume", lines="step\n")
    assert code == 0
    assert "the game was begun with other words of this scenario" in out
    game = firesim.game(two / "two.game.toml")
    assert (game.steps, game.document["weather"]) == (2, {"wind": "W"})


def test_save_names_no_file_that_is_there(two: Path) -> None:
    assert played(two, "two.toml", "--save", "kept.toml", lines="step\n")[0] == 0
    assert played(two, "two.toml", "--save", "more.toml", lines="step\n")[0] == 0
    for arguments, told in (
        (["two.toml", "--save", "two.toml"], "two.toml: there is a file already: expected the name of a new one"),
        (["kept.toml", "--save", "two.toml"], "two.toml: there is a file already: expected the name of a new one"),
        (["kept.toml", "--save", "more.toml"], "a game is kept there already: expected a new name; name another"),
    ):
        before = [(two / name).read_bytes() for name in ("two.toml", "kept.toml", "more.toml")]
        code, _, err = played(two, *arguments, lines="step\n")
        assert code == 2
        assert told in err.replace("\n", " ")
        assert [(two / name).read_bytes() for name in ("two.toml", "kept.toml", "more.toml")] == before
    assert played(two, "kept.toml", "--save", "kept.toml", lines="step\n")[0] == 0


def test_an_event_names_the_faces_it_makes_void_and_undo_brings_them_back(two: Path) -> None:
    lines = "\n2\nstop\nwind W\nundo\n5\nquit\n"
    code, _, err = played(two, "two.toml", "--seed", "3", "--dice", "real", lines=lines)
    assert code == 0
    assert "the wind blows towards W; the face 2 of turn 1 is given up; undo brings it back\n" in err
    assert "the face 2 of turn 1 stands again; Enter goes on with it\n" in err
    assert firesim.game(two / "two.game.toml").faces == [2, 5]


def test_modules_are_places_by_name_and_wrong_deeds_are_told(tmp_path: Path) -> None:
    (tmp_path / "ship.toml").write_text(SHIP.replace('"cargo"', '"fore cargo hold"'))
    lines = "move Io Fore Cargo Hold\norder Kest move fore cargo hold\ndouse fore cargo hold\nhurt Io lots\norder Io\n"
    code, _, err = played(tmp_path, "ship.toml", "--seed", "3", lines=lines + "order Io grapple Io\n")
    assert code == 0
    for told in (
        "Io is moved to the fore cargo hold (0, 1)\n",
        "Kest is ordered: move, by way of the fore cargo hold (0, 1)\n",
        "'lots' is no amount: expected a whole number",
        "'order' lacks the order: expected none, extinguish module",
        "Io cannot take hold of Io: expected the name of another person",
    ):
        assert told in err, told
    assert firesim.game(tmp_path / "ship.game.toml").document["event"][0]["cell"] == [0, 1]


def test_a_tab_is_a_blank_and_what_was_not_played_is_said(two: Path) -> None:
    lines = "story 1\nstep 2\nlook\t0 1\nstory\t99\nstory 2\nstep 0\nwind\tW\nquit\n"
    code, out, err = played(two, "two.toml", "--seed", "3", lines=lines)
    assert code == 0
    assert "(0, 1): ST " in out
    assert "turn 1 is not played yet: expected a turn that was; none has been played so far" in err
    assert "turn 99 is not played yet: expected a turn from 1 to 2" in err
    assert "step 0 plays nothing: expected how many to play, from 1" in err
    assert "the wind blows towards W" in err
    assert firesim.game(two / "two.game.toml").steps == 2


def test_what_the_readme_types_at_the_table_can_be_typed_there(tmp_path: Path) -> None:
    section = (ROOT / "README.md").read_text("utf-8").split("## At the table\n")[1].split("\nFor a table without")[0]
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", section)]
    typed = re.compile(r"(wet|wind|demolish|ignite|order|move|hurt|heal|look|why|undo|dice|map|film)( .*)?")
    lines = [span for span in spans if typed.fullmatch(span)]
    for name, steps, mine in (
        ("street", 6, [line for line in lines if "Marta" not in line]),
        ("freighter", 1, [line for line in lines if "Marta" in line]),
    ):
        assert len(mine) >= 5, mine
        script = "".join(f"{line}\n" for line in [f"step {steps}", *mine, "quit"])
        code, out, err = played(tmp_path, str(ROOT / "maps" / f"{name}.toml"), "--seed", "15", lines=script)
        assert code == 0
        assert [line for line in err.splitlines() if "expected" in line or "did you mean" in line] == [], name
        assert ("caught fire" in out) == (name == "street"), "what burnt is asked for"
