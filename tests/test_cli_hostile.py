"""The command line in careless or hostile hands: exit 2, kind words, no traceback, nothing left behind."""

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import pytest

import firesim
from firesim.core import files
from firesim.render import film
from tests.test_cli import told

ROOT = Path(__file__).resolve().parent.parent
HOUSE, STREET = ROOT / "maps" / "house.toml", ROOT / "maps" / "street.toml"
VILLAGE = ROOT / "tests" / "mapfiles" / "lookalikes" / "village.json"

TOWN = """system = "town"
title = "Two houses and a mill"

[map]
rows = [
  "h . h",
  " m m .",
]

[map.legend]
h = { material = "wooden", st = 10 }
m = { building = "mill", material = "brick", roof = "slate" }

[weather]
wind = "E"

[[ignite]]
cell = [0, 0]
"""


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    found = folder.rglob("*")
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"" for p in found if not p.is_symlink()}


def refused(*arguments: object, stdin: str = "") -> str:
    """The problems told of `firesim ARGUMENTS`, which must end with 2, print no result and leave no file behind."""
    before = content(Path())
    end = told(*arguments, stdin=stdin)
    assert (end.code, end.out) == (2, ""), end
    assert content(Path()) == before
    return end.err


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def town(old: str = "", new: str = "", name: str = "town.toml") -> str:
    """Write the scenario above with one thing changed."""
    assert old in TOWN
    Path(name).write_text(TOWN.replace(old, new) if old else TOWN + new, encoding="utf-8")
    return name


# --- what may be wrong with a file ------------------------------------------------------------------------------------

WRONG_FILES = {
    "no TOML": (
        ("cell = [0, 0]", "cell = [0, 0"),
        "town.toml:18:13: this is not TOML: Unclosed array; something is left open: a bracket or a quote\n"
        "  cell = [0, 0\n              ^\n",
    ),
    "unknown key": (
        ('wind = "E"', 'winds = "E"'),
        "town.toml:15:1: unknown key 'winds': expected moisture or wind; did you mean 'wind'?\n",
    ),
    "ragged row": (
        ('" m m ."', '" m m"'),
        "town.toml:7:9: row 1 of the map has 2 symbols: expected 3, as most rows have\n   m m\n       ^\n",
    ),
    "unknown symbol": (
        ('" m m ."', '" m M x"'),
        "town.toml:7:7: the legend has no symbol 'M', at (1, 1): expected h, m or .; did you mean 'm'?\n"
        "   m M x\n     ^\n"
        "town.toml:7:9: the legend has no symbol 'x', at (1, 2): expected h, m or .; describe 'x' in [map.legend]\n"
        "   m M x\n       ^\n",
    ),
    "open ground": (
        ("cell = [0, 0]", "cell = [0, 1]"),
        "town.toml:18:1: cell (0, 1) is open ground ('.'): expected a hex of a building\n",
    ),
    "material": (
        ('"wooden"', '"woden"'),
        "town.toml:11:7: there is no material 'woden': expected light, wooden, wattle and daub, unknown3, earthen, "
        "adobe, brick or stone; did you mean 'wooden'?\n",
    ),
    "roof": (
        ('"slate"', '"slat"'),
        "town.toml:12:46: there is no roof 'slat': expected thatch, cloth, wood shingles, clay tile or slate; "
        "did you mean 'slate'?\n",
    ),
    "heading": (
        ('wind = "E"', 'wind = "SEE"'),
        "town.toml:15:1: there is no wind 'SEE': expected none, die, E, NE, NW, W, SW or SE; did you mean 'SE'?\n",
    ),
    "option": (
        ("", "[options]\nroof_mod = 'layer'\n"),
        "town.toml:20:1: unknown key 'roof_mod': expected mode, collapse, collapse_strict, collapse_effect, flare_by, "
        "spark_unit, spark_all, spark_reach, roof_mode, gap3, inferno_radius, inferno_count or ... (9 more); "
        "did you mean 'roof_mode'?\n",
    ),
    "reading": (
        ("", "[options]\nroof_mode = 'layers'\n"),
        "town.toml:20:1: roof_mode is 'layers': expected layer, layer_burns or replaces; did you mean 'layer'?\n",
    ),
    "table": (
        ("", "[tables.materials]\nbrick = 5\n"),
        "town.toml:19:9: there is no table 'materials': expected material, roof, ",
    ),
    "table key": (
        ("", "[tables.material]\nbrik = 5\n"),
        "town.toml:20:1: table 'material' has no 'brik': expected light, wooden, wattle and daub, unknown3, earthen, "
        "adobe, brick or stone; did you mean 'brick'?\n",
    ),
    "ST 0": (("st = 10", "st = 0"), "town.toml:11:28: st is 0: expected a whole number from 1 to 1000000\n"),
    "ST below 0": (("st = 10", "st = -3"), "town.toml:11:28: st is -3: expected a whole number from 1 to 1000000\n"),
    "huge ST": (
        ("st = 10", "st = 1_000_000_000_000"),
        "town.toml:11:28: st is 1000000000000: expected a whole number from 1 to 1000000\n",
    ),
    "no number": (
        ("st = 10", "st = nan"),
        "town.toml:11:28: st is nan (not a number to reckon with): expected a whole number from 1 to 1000000\n",
    ),
    "apart": (
        ("[weather]", "[map.gaps]\nbetween = [{ cells = [[0, 0], [0, 2]], gap = 1 }]\n[weather]"),
        "town.toml:15:14: (0, 0) and (0, 2) do not touch on this pointy map: expected two cells that touch\n",
    ),
    "outside": (
        ('[map]\nrows = [\n  "h . h",\n  " m m .",\n]\n\n[map.legend]\n', 'map = "../land.toml"\n[x]\n'),
        "town.toml:4:1: map = '../land.toml' leads out of the scenario's folder: expected a file in the scenario's "
        "folder or below it; copy the map there, or give it on the command line\n",
    ),
    "no system": (
        ('"town"', '"twon"'),
        "town.toml:1:1: unknown system 'twon': expected \"town\" or \"ship\"; did you mean 'town'?\n",
    ),
}


@pytest.mark.parametrize(("change", "message"), WRONG_FILES.values(), ids=WRONG_FILES)
@pytest.mark.parametrize("command", ["check", "run"])
def test_a_wrong_file_is_told_by_line_and_column(command, change, message):
    end = refused(command, town(*change), *(["--log", "log.txt", "--png", "a.png"] if command == "run" else []))
    assert end.startswith(message), end
    assert message.endswith(", ") or end == message, end


def test_all_problems_of_a_file_are_told_at_once_in_its_order():
    name = town('wind = "E"', 'wind = "up"\nrain = 1')
    Path(name).write_text(Path(name).read_text().replace('" m m ."', '" m x ."').replace("st = 10", "st = '3'"))
    lines = refused("run", name).splitlines()
    assert [line.split(": ")[0] for line in lines if line.startswith("town")] == [
        *("town.toml:7:7", "town.toml:11:28", "town.toml:15:1", "town.toml:16:1")
    ]
    assert "st is '3': expected a whole number from 1 to 1000000; write it without quotes" in lines[3]


def test_a_flood_of_problems_is_cut_and_counted():
    town(new="[[ignite]]\ncell = [9, 9]\n" * 70)
    lines = refused("check", "town.toml").splitlines()
    assert len(lines) == 51
    assert lines[-1] == "... and 20 more"


def test_check_goes_through_good_and_bad_files_alike(desk):
    town()
    town("st = 10", "st = 0", "bad.toml")
    Path("folder").mkdir()
    end = told("check", "bad.toml", "town.toml", "folder", VILLAGE, "twon.toml")
    assert (end.code, end.out) == (2, "town.toml: no problems\n")
    assert end.err.splitlines() == [
        "bad.toml:11:28: st is 0: expected a whole number from 1 to 1000000",
        "folder: this is a folder: expected a file",
        f"{VILLAGE}:1:1: this is JSON: expected a scenario in TOML; a map made with another tool becomes a scenario "
        "by: firesim import FILE",
        "twon.toml: there is no such file; did you mean 'town.toml'?",
    ]


def test_a_map_outside_the_folder_is_not_read(desk):
    (desk / "in").mkdir()
    (desk / "land.toml").write_text('rows = ["secret"]\n')
    Path("in/town.toml").write_text('system = "town"\nmap = "../land.toml"\n')
    assert "secret" not in refused("run", "in/town.toml")


# --- dice -------------------------------------------------------------------------------------------------------------

WORKED = 'system = "town"\nmap = { rows = ["h"], legend = { h = { armour = 3 } } }\nignite = [{ cell = [0, 0] }]\n'

WRONG_DICE = {
    "3 4": "dice: too few faces: 2 given, and one more is wanted for Turn 3: d6 for the fire attack in the house "
    "(0, 0): expected every die of the fire in order; give more faces, or stop earlier with --steps\n",
    "": "dice: too few faces: 0 given, and one more is wanted for Turn 1: d6 for the fire attack that is to set ",
    "3 4 1 3 4 3 2 1 5 6": "dice: 1 face left over: the fire is over after 9: expected 9 faces; leave the rest out\n",
    "3 4 1 3 4 3 2 1 5 6 6 6": "dice: 3 faces left over: the fire is over after 9: expected 9 faces; ",
    "3 7": "dice: face 2 is 7, which a d6 does not show: expected a face from 1 to 6; it was wanted in Turn 2: d6 for ",
    "0": "dice: face 1 is 0, which a d6 does not show",
    "3 four 1": "--dice:1:3: 'four' is not a face: expected whole numbers separated by blanks\n",
    "-3": "--dice:1:1: '-3' is not a face",
    "² 3": "--dice:1:1: '²' is not a face",
    "9999999999": "--dice:1:1: '9999999999' is not a face",
    "none.txt": '--dice none.txt: there is no such file: expected faces as "3 4 1", a file of them, or ask\n',
    "folder": "folder: this is a folder: expected a file of faces\n",
    "/dev/zero": "/dev/zero: this is a device or a pipe: expected an ordinary file of faces\n",
    "letters": "letters:2:3: 'x' is not a face: expected whole numbers separated by blanks\n",
    "latin": "latin: the faces cannot be read (not UTF-8): expected a text file\n",
    "x" * 300: "the faces cannot be read (File name too long): expected a text file\n",
}


@pytest.mark.parametrize(("dice", "message"), WRONG_DICE.items(), ids=[name[:12] or "none" for name in WRONG_DICE])
def test_wrong_dice_are_told(dice, message):
    Path("town.toml").write_text(WORKED)
    Path("folder").mkdir()
    Path("letters").write_text("3 4\n1 x\n")
    Path("latin").write_bytes(b"3 \xe9")
    err = refused("run", "town.toml", "--dice", dice, "--log", "log.txt")
    err = err.split("20 to 60 seconds\n")[-1]
    assert message in err
    assert err.count("\n") == 1


# --- options ----------------------------------------------------------------------------------------------------------

WRONG_OPTIONS = {
    "--set weather.winds=E": "cannot set 'weather.winds': there is no 'winds' in 'weather': expected moisture or wind; "
    "did you mean 'wind'?\n",
    "--set weather.wind=up": "weather.wind: there is no wind 'up': expected none, die, E, NE, NW, W, SW or SE\n",
    "--set map.legend.g.st=3": "cannot set 'map.legend.g.st': there is no 'g' in 'map.legend': expected h or m\n",
    "--set steps=x": "steps: steps is 'x': expected a whole number from 0 to 100000\n",
    "--set map=other.toml": "other.toml: there is no such file",
    "--set map=3": "map: map is 3: expected a table\n",
    "--set ignite[3].step=2": "cannot set 'ignite[3].step': 'ignite' has 1 item: expected [0] to [0]; "
    "counting begins at 0\n",
    "--set st --set =3 --set a..b=1": "'st' sets nothing: expected key=value; as weather.moisture=damp\n"
    "'=3' sets nothing: expected key=value; as weather.moisture=damp\n"
    "'a..b' is not a key: expected names with dots, as weather.wind or ignite[0].step\n",
    "--seed -1": "seed -1: expected a whole number from 0 below 2**63\n",
    "--seed 9223372036854775808": "seed 9223372036854775808: expected a whole number from 0 below 2**63\n",
    "--replicate -1": "replicate -1: expected a whole number from 0 below 2**63\n",
    "--steps -5": "steps -5: expected a whole number from 0 to 100,000\n",
    "--steps 1000000": "steps 1000000: expected a whole number from 0 to 100,000\n",
    "--json --log -": "--json and --log - both want standard output: expected one of them; write the log to a file\n",
    "--png none/a.png": "none/a.png: there is no folder 'none': expected an existing folder; "
    "make it first: mkdir -p 'none'\n",
    "--png a.jpg --gif a.png --mp4 a.avi --log a.doc": "a.doc: the file name ends in '.doc': expected a name ending in "
    ".txt, .log or .jsonl\n"
    "a.jpg: the file name ends in '.jpg': expected a name ending in .png\n"
    "a.png: the file name ends in '.png': expected a name ending in .gif\n"
    "a.avi: the file name ends in '.avi': expected a name ending in .mp4\n",
    "--log log": "log: the file name has no suffix: expected a name ending in .txt, .log or .jsonl\n",
    "--png full.png": "full.png: this is a folder: expected the name of a file to write\n",
    "--png town.toml/a.png": "town.toml/a.png: 'town.toml' is a file, not a folder: expected an existing folder\n",
    "--out full": "full: the folder is not empty: expected a new or empty folder; name another, or empty it first\n",
    "--out town.toml": "town.toml: this is a file: expected a folder\n",
    "--out town.toml/a/b": "town.toml/a/b: 'town.toml' is a file, not a folder: expected a folder\n",
    f"--png {'x' * 300}.png": "x.png: cannot write the file: file name too long: expected a place that can be",
    f"--out {'x' * 300}": "x: the folder cannot be made (File name too long): expected a place to write\n",
}


@pytest.mark.parametrize(("options", "message"), WRONG_OPTIONS.items(), ids=[name[:40] for name in WRONG_OPTIONS])
def test_wrong_options_are_told_before_anything_burns(options, message):
    town()
    Path("full.png").mkdir()
    Path("full").mkdir()
    Path("full/old.txt").write_text("old")
    err = refused("run", "town.toml", *options.split(" "))
    assert err.endswith(message) if message.endswith("\n") else message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", str(HOUSE), "--seed", "1e3"], "Invalid value for '--seed'"),
        (["run", str(HOUSE), "--steps", "9" * 5000], "Invalid value for '--steps'"),
        (["run", str(HOUSE), "--frob"], "No such option: --frob"),
        (["frob"], "No such command 'frob'"),
        (["run"], "Missing argument 'SCENARIO'"),
        (["demo", "--fires", "0"], "Invalid value for '--fires'"),
        (["demo", "--out", str(HOUSE)], f"{HOUSE}: the folder cannot be made"),
        (["import", str(VILLAGE), "--cover", "nan"], "cover: nan: expected a share above 0 and up to 1"),
        (["import", str(VILLAGE), "--gap", "-1", "--seed", "-1"], "gap: -1: expected melee hexes, 0 to 10,000"),
        (
            ["import", str(VILLAGE), "--out", "v.json"],
            "v.json: the file name ends in '.json': expected a name ending in",
        ),
        (["import", str(VILLAGE), "--buildings", "x/b.csv"], "x/b.csv: there is no folder 'x'"),
        (["import", str(VILLAGE), "--overrides", "b.csv"], "b.csv: there is no such file"),
        (["import", str(HOUSE)], "house.toml:1:1: this is not JSON"),
        (["import", "/dev/zero"], "/dev/zero: this is no ordinary file: expected a map file"),
        (["import", "."], ".: this is a folder: expected a map file"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else None,
)
def test_wrong_commands_end_with_2(arguments, message):
    assert message in refused(*arguments)


def test_an_mp4_without_ffmpeg_is_refused_before_anything_burns(monkeypatch):
    monkeypatch.setattr(film.shutil, "which", lambda _: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert refused("run", HOUSE, "--mp4", "a.mp4", "--log", "log.txt") == (
        "an MP4 needs the program ffmpeg, which is not installed: expected ffmpeg on the PATH; "
        "install it with: pip install 'firesim[video]', or write a .gif\n"
    )


# --- disks ------------------------------------------------------------------------------------------------------------

OUTPUTS = ["--log log.txt", "--log log.jsonl", "--png a.png", "--gif a.gif", "--out new"]


def run_with(output: str) -> str:
    """The words of a refused run; the folder of `--out` may be there, empty."""
    Path("new").mkdir()
    return refused("run", HOUSE, "--seed", "7", "--steps", "9", *output.split())


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: the system itself refuses to write more, to root too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_file_that_the_system_refuses_to_write_leaves_nothing(output):
    firesim.run(HOUSE, seed=7)  # compiled before the disk is full
    with files_at_most(100):
        assert "cannot write the file: file too large: expected a place that can be written to\n" in run_with(output)


@pytest.mark.parametrize("output", OUTPUTS[:-1])
def test_a_full_disk_leaves_nothing(output, monkeypatch):
    name = Path(output.split()[1])
    monkeypatch.setattr(files.secrets, "token_hex", lambda _: "0")
    Path(f".{name.stem}-0{name.suffix}").symlink_to("/dev/full")
    name.write_text("old")
    err = run_with(output)
    assert err.endswith(
        f"{name}: cannot write the file: no space left on device: expected a place that can be written to\n"
    )
    assert not Path(f".{name.stem}-0{name.suffix}").is_symlink()
    assert name.read_text() == "old"


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EDQUOT])
def test_a_file_that_cannot_get_its_name_leaves_nothing(output, code, monkeypatch):
    def replace(source: Path, target: Path) -> None:
        raise OSError(code, os.strerror(code), str(source), None, str(target))

    monkeypatch.setattr(files.os, "replace", replace)
    assert f"cannot write the file: {os.strerror(code).lower()}" in run_with(output)


def test_an_import_onto_a_full_disk_leaves_nothing():
    with files_at_most(100):
        err = refused("import", VILLAGE, "--out", "v.toml")
    assert err == "v.toml: the file cannot be written (File too large): expected a folder one may write to\n"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc here")
def test_a_folder_that_takes_no_files_is_told():
    assert "/proc/a.png: cannot write the file: " in refused("run", HOUSE, "--png", "/proc/a.png")
    assert "/proc/a: the folder cannot be made (" in refused("run", HOUSE, "--out", "/proc/a")
    assert "/proc/a.toml: the file cannot be written (" in refused("import", VILLAGE, "--out", "/proc/a.toml")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_told(desk):
    (desk / "closed").mkdir(mode=0o500)
    assert "closed/a.png: cannot write the file: permission denied" in refused("run", HOUSE, "--png", "closed/a.png")


# --- huge maps --------------------------------------------------------------------------------------------------------

HEAD = 'system = "town"\n[map.legend]\nh = { st = 5 }\n[map]\n'
MEASURED = """
import re
from pathlib import Path
from firesim.cli import main
try:
    main()
finally:
    status = Path("/proc/self/status")
    print(int(re.search(r"VmHWM:\\s*(\\d+)", status.read_text())[1]) / 1024 if status.exists() else 0)
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            HEAD + 'rows = ["' + "h " * 20_500_000 + '"]',
            "huge.toml:5:1: the map has 20,500,000 cells: expected at most 20,000",
        ),
        (
            HEAD + "rows = [" + '"h",' * 2_100_000 + "]",
            ": the file holds too many keys and values: expected at most 2,000,000",
        ),
        (
            HEAD + "rows = ['h']\n" + "[[ignite]]\ncell = [9, 9]\n" * 300_000,
            ": the file holds too many keys and values",
        ),
        (None, "huge.toml: this file holds 2,000 MB: expected at most 50 MB"),
    ],
    ids=["cells", "rows", "ignitions", "bytes"],
)
def test_a_huge_file_is_refused_fast_and_in_little_memory(text, message):
    if text is None:
        with open("huge.toml", "wb") as file:
            file.truncate(2_000_000_000)  # a hole: a map of 10^9 cells that takes no room
    else:
        Path("huge.toml").write_text(text)
    started = perf_counter()
    end = subprocess.run(
        [sys.executable, "-c", MEASURED, "check", "huge.toml"],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert message in end.stderr
    assert end.returncode == 2
    assert float(end.stdout) < 400
    assert perf_counter() - started < 20


def test_a_map_of_enormous_extent_is_not_imported():
    ring = [[0, 0], [0, 9], [9, 9], [9, 0]]
    far = [[x + 300_000, y + 300_000] for x, y in ring]
    layer = {"type": "MultiPolygon", "id": "buildings", "coordinates": [[ring], [far]]}
    values = {"type": "Feature", "id": "values", "generator": "mfcg", "roadWidth": 8}
    Path("far.json").write_text(json.dumps({"type": "FeatureCollection", "features": [values, layer]}))
    started = perf_counter()
    err = refused("import", "far.json")
    assert "hexes: expected at most 4,000,000 hexes; export a smaller part, or check the unit of length" in err
    assert perf_counter() - started < 5


# --- what a terminal may be made to do --------------------------------------------------------------------------------

ESCAPES = "\\u001b[31m\\u0007\\u009b2J\\u202e"


def test_escape_sequences_in_titles_and_names_are_refused_and_never_printed_raw():
    text = TOWN.replace("Two houses", ESCAPES).replace('"mill"', f'"{ESCAPES}"')
    Path("town.toml").write_text(text + f'"{ESCAPES}" = 1\n[[event]]\nstep = 1\nkind = "{ESCAPES}"\n')
    err = refused("check", "town.toml")
    assert err.isascii()
    assert err.replace("\n", "").isprintable()
    assert err.splitlines()[:2] == [
        "town.toml:2:1: title holds the control character \\x1b: expected plain text on one line",
        "town.toml:12:7: building holds the control character \\x1b: expected plain text on one line",
    ]
    assert "unknown key '\\x1b[31m\\x07\\x9b2J\\u202e'" in err


def test_escape_sequences_of_file_names_and_imported_maps_are_spelled_out():
    document = json.loads(VILLAGE.read_text())
    for feature in document["features"]:
        if feature.get("id") == "values":
            feature["version"] = "\x1b[2J"
    document["features"].append({"id": "\x1b[2J", "type": "GeometryCollection", "geometries": []})
    name = "a\x1b[31m.json"
    Path(name).write_text(json.dumps(document))
    end = told("import", name, "--out", "a\x1b[1m.toml")
    assert end.code == 0
    assert "\x1b" not in end.out + end.err
    assert end.out.startswith("a\\x1b[31m.json: Watabou village\n")
    end = told("run", "a\x1b[1m.toml", "--seed", "1", "--set", "title=''", "--png", "a.png", "--log", "-")
    assert end.code == 0
    assert "\x1b" not in end.out + end.err


def test_long_titles_and_names_are_refused():
    text = TOWN.replace("Two houses", "x" * 1_000_000).replace('"mill"', '"' + "y" * 101 + '"')
    Path("town.toml").write_text(text)
    assert refused("run", "town.toml") == (
        "town.toml:2:1: title has 1,000,011 characters: expected at most 200\n"
        "town.toml:12:7: building has 101 characters: expected at most 100\n"
    )
    Path("town.toml").write_text(
        TOWN.replace("Two houses and a mill", "x" * 200).replace('"mill"', '"' + "y" * 100 + '"')
    )
    assert told("run", "town.toml", "--seed", "1", "--png", "a.png", "--gif", "a.gif", "--steps", "2").code == 0


def test_braces_and_format_specifiers_in_names_stay_as_they_are():
    name = "{0} {who} %s %(x)d {{ $x^$ \\\\frac{"
    text = TOWN.replace('"mill"', f'"{name}"').replace("Two houses and a mill", name)
    Path("town.toml").write_text(
        text + '[[ignite]]\ncell = [1, 0]\nalight = true\n[[watch]]\nname = "w"\nbuilding = "' + name + '"\n'
    )
    plain = name.replace("\\\\", "\\")
    end = told("run", "town.toml", "--seed", "1", "--log", "-", "--png", "a.png", "--gif", "a.gif")
    assert end.code == 0
    assert f"Turn 1: {plain} (1, 0) burns" in end.out
    assert f"{plain} (town, seed 1, replicate 0)" in end.out
    assert f"d6 for the fire attack in {plain} (1, 0): expected" in refused("run", "town.toml", "--dice", "")
    assert f"d6 for the fire attack in {plain} (1, 0): " in told("run", "town.toml", "--dice", "ask").err


# --- pipes, names, alphabets ------------------------------------------------------------------------------------------


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A shell's line, `firesim` meaning this package."""
    line = f"set -o pipefail; firesim() {{ '{sys.executable}' -m firesim \"$@\"; }}; {command}"
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(["bash", "-c", line], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def test_a_reader_who_leaves_is_no_error_and_files_are_written_all_the_same():
    end = shell(f"firesim run '{STREET}' --seed 15 --log - --png a.png | head -1")
    assert end.stdout.startswith(b"Turn 1: ")
    assert end.stderr.endswith(b"wrote a.png\n")
    assert end.returncode == 0
    end = shell(f"firesim check '{HOUSE}' none.toml 2>&1 | head -c 1; exit ${{PIPESTATUS[0]}}")
    assert (end.returncode, end.stderr) == (2, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_standard_output_on_a_full_disk_is_told():
    end = shell(f"firesim check '{HOUSE}' > /dev/full")
    assert (
        end.stderr
        == b"the output cannot be written: no space left on device: expected a place that can be written to\n"
    )
    assert end.returncode == 2


def test_json_on_a_pipe_is_one_document_and_nothing_else():
    end = shell(f"firesim run '{HOUSE}' --seed 7 --json --log log.txt | cat")
    assert end.returncode == 0
    assert end.stdout.count(b"\n") == 1
    assert json.loads(end.stdout)["written"] == ["log.txt"]


@pytest.mark.parametrize("alphabet", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
def test_names_that_the_terminal_cannot_show_are_spelled_out(alphabet, desk):
    name = os.fsencode(desk) + b"/caf\xe9.toml"
    with open(name, "w", encoding="utf-8") as file:
        file.write(TOWN.replace("Two houses and a mill", "火").replace("mill", "mühle"))
    end = shell(
        "firesim check caf*; firesim run caf* --seed 1 --log - --out new; firesim run caf* --set title=", **alphabet
    )
    assert b"Traceback" not in end.stderr
    assert b"caf\\udce9.toml: no problems\n" in end.stdout
    assert b"\n\\u706b (town, seed 1" in end.stdout or "\n火 (town, seed 1".encode() in end.stdout
    assert (desk / "new" / "run.json").is_file()
    assert end.stderr.endswith(b"'title=' sets nothing: expected key=value; as weather.moisture=damp\n")
    assert end.returncode == 2
