"""Scenario files: reading them, and bringing problems to their lines."""

import os

import pytest

from firesim.core.maps import symbols
from firesim.core.problems import InputError, Problem
from firesim.mapfiles import toml
from firesim.mapfiles.toml import locate, read, read_mapping


def write(folder, text, name="town.toml"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(path, **words):
    with pytest.raises(InputError) as error:
        read(path, **words)
    (problem,) = error.value.problems
    return str(problem)


def test_a_file_becomes_a_document(tmp_path):
    document = read(write(tmp_path, "\ufeffsystem = 'town'\r\ntitle = 'é'\r\nsteps = 3\r\n"))
    assert document.data == {"system": "town", "title": "é", "steps": 3}
    assert document.file == str(tmp_path / "town.toml")
    assert document.position(("steps",)) == (3, 1)


def test_problems_get_their_lines_in_the_order_of_the_file(tmp_path):
    document = read(write(tmp_path, "a = 1\n[b]\nc = 2\n"))
    placed = locate([Problem("second", where=("b", "c")), Problem("first", where=("a",))], document)
    assert [str(p) for p in placed] == [f"{document.file}:1:1: first", f"{document.file}:3:1: second"]


def test_a_value_set_by_a_key_has_no_line_and_the_others_keep_theirs(tmp_path):
    document = read(write(tmp_path, "a = 1\n[b]\nc = 2\n[[i]]\ns = 1\n")).with_changes({"b.c": 3, "i.0.s": 2})
    assert document.data == {"a": 1, "b": {"c": 3}, "i": [{"s": 2}]}
    problems = [Problem("x", where=w) for w in (("a",), ("b", "c"), ("i", 0, "s"), ("b",))]
    placed = [str(p) for p in locate(problems, document)]
    assert sorted(placed) == sorted([f"{document.file}:1:1: x", "b.c: x", "i[0].s: x", f"{document.file}:2:2: x"])


def test_problems_of_rows_stand_at_the_symbol(tmp_path):
    document = read(write(tmp_path, '[map]\nrows = [\n  \'h .\',\n  \'. x\', """. y""",\n]\n'))
    _, problems = symbols(document.data["map"]["rows"], {"h": 1})
    one, other = locate(problems, document)
    assert (one.line, one.column, one.excerpt) == (4, 6, "  . x\n    ^")
    assert (other.line, other.column) == (4, 10)


def test_a_missing_file_has_its_nearest_name(tmp_path):
    write(tmp_path, "")
    assert refused(tmp_path / "twon.toml").endswith("twon.toml: there is no such file; did you mean 'town.toml'?")
    assert f"there is no folder '{tmp_path / 'nowhere'}' either" in refused(tmp_path / "nowhere" / "a.toml")


def test_a_folder_a_pipe_and_a_device_are_refused(tmp_path):
    assert refused(tmp_path) == f"{tmp_path}: this is a folder: expected a file"
    os.mkfifo(tmp_path / "pipe")
    assert "this is a device or a pipe: expected an ordinary file" in refused(tmp_path / "pipe")
    assert "this is a device or a pipe" in refused("/dev/zero")


def test_strange_names_are_refused(tmp_path):
    assert "this file cannot be read" in refused("a\0b")
    assert "this file cannot be read" in refused(tmp_path / ("x" * 5000))
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert "this file cannot be read" in refused(tmp_path / "round")


def test_what_is_no_text_is_refused(tmp_path):
    assert "town.toml:2:5: this text is not UTF-8 (byte 0xe9): expected UTF-8" in refused(
        write(tmp_path, b"a = 1\nb =\xc3\xa9\xe9\n")
    )
    assert "town.toml:1:5: this text is not UTF-8" in refused(write(tmp_path, b"\xef\xbb\xbfa = \xe9\n"))
    assert "this is a binary file: expected a text file in TOML" in refused(write(tmp_path, b"a = 1\0"))
    assert "this text is UTF-16: expected UTF-8" in refused(write(tmp_path, "a = 1".encode("utf-16")))


def test_too_large_a_file_is_refused(tmp_path, monkeypatch):
    assert toml.BYTES_MOST == 50_000_000
    monkeypatch.setattr(toml, "BYTES_MOST", 3_000_000)
    assert read(write(tmp_path, "#" * 3_000_000)).data == {}
    assert "this file holds 4 MB: expected at most 3 MB" in refused(write(tmp_path, "#" * 4_000_000))


def test_what_is_not_toml_has_line_column_and_caret(tmp_path):
    said = refused(write(tmp_path, "a = 1\nb = yes\n"))
    assert said.endswith("town.toml:2:5: this is not TOML: Invalid value; texts stand in quotes\n  b = yes\n      ^")
    assert "town.toml:2:" in refused(write(tmp_path, "a = 1\na = 2\n"))
    assert "the key or table stands twice" in refused(write(tmp_path, "a = 1\na = 2\n"))
    said = refused(write(tmp_path, "a = [1,\n\n"))
    assert said.endswith("left open: a bracket or a quote\n  a = [1,\n         ^")
    assert ":1:8: this is not TOML" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "[" * 100_000, ":1:69: the document nests too deeply: expected at most 64 levels"),
        ("a = " + "[" * 65 + "]" * 65, "nests too deeply"),
        ("a = " + "{b = " * 65 + "1" + "}" * 65, "nests too deeply"),
        (".".join("a" * 100_000) + " = 1", ":1:1: the document nests too deeply"),
        ("[" + ".".join("a" * 60) + "]\n" + ".".join("b" * 60) + " = 1", "nests too deeply"),
        ("a = 1\nb = " + "9" * 5000, ":2:5: a number of 5000 digits: expected whole numbers up to 9223372036854775807"),
        ("a = 1\nb = " + "9" * 30, ":2:1: b is a number too large to hold: expected a whole number of 64 bits"),
        ("a = 0x" + "f" * 5000, ":1:1: a is a number too large to hold"),
    ],
)
def test_texts_made_to_exhaust_the_reader_are_refused(tmp_path, text, message):
    assert message in refused(write(tmp_path, text))


def test_what_only_looks_deep_passes(tmp_path):
    text = (
        f'a = "{"[" * 99}"  # {"[" * 99}\nb = """\n{"{" * 99}"""\n'
        + "c = [[1]]\n"
        + "".join(f"d{i} = []\n" for i in range(99))
    )
    assert read(write(tmp_path, text)).data["c"] == [[1]]


# --- the map in a file of its own ---

MAP = '[legend]\nh = { st = "x" }\n'


def with_map(folder, text, scenario='system = "town"\nmap = "land.toml"\n'):
    write(folder, text, "land.toml")
    return write(folder, scenario)


@pytest.mark.parametrize(("head", "line"), [("", 2), ("[map]\n", 3)])
def test_a_map_file_is_read_and_its_problems_carry_its_name(tmp_path, head, line):
    text = head + MAP.replace("[legend]", "[map.legend]") if head else MAP
    document = read(with_map(tmp_path, text))
    assert document.data == {"system": "town", "map": {"legend": {"h": {"st": "x"}}}}
    problem = Problem("bad", where=("map", "legend", "h", "st"))
    inner, outer = locate([problem, Problem("x", where=("map",))], document)[::-1]
    assert str(inner) == f"{tmp_path / 'land.toml'}:{line}:7: bad"
    assert str(outer) == f"{document.file}:2:1: x"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "../out.toml",
            ":1:1: map = '../out.toml' leads out of the scenario's folder: expected a file in the scenario's folder",
        ),
        ("/etc/passwd", ":1:1: map = '/etc/passwd' is an absolute path"),
        ("link.toml", "map = 'link.toml' leads out of the scenario's folder"),
        ("", ":1:1: map names no file"),
        ("lond.toml", "lond.toml': there is no such file; did you mean 'land.toml'?"),
        ("folder", "folder': this is a folder: expected a file"),
    ],
)
def test_a_map_file_elsewhere_is_refused(tmp_path, name, message):
    here = tmp_path / "here"
    (here / "folder").mkdir(parents=True)
    write(tmp_path, MAP, "out.toml")
    write(here, MAP, "land.toml")
    (here / "link.toml").symlink_to(tmp_path / "out.toml")
    said = refused(write(here, f"map = '{name}'\n"))
    assert "town.toml:1:1: " in said
    assert message in said


def test_a_map_file_may_lie_anywhere_when_a_person_gives_it(tmp_path):
    (tmp_path / "here").mkdir()
    out = write(tmp_path, MAP, "out.toml")
    scenario = write(tmp_path / "here", "map = '../out.toml'\n")
    assert "legend" in read(scenario, root=tmp_path).data["map"]
    assert "legend" in read(write(tmp_path / "here", "map = 'none.toml'\n"), map_file=out).data["map"]
    assert "a.toml: there is no such file" in refused(scenario, map_file=tmp_path / "a.toml")


def test_a_path_with_dots_that_stays_below_passes(tmp_path):
    (tmp_path / "sub").mkdir()
    assert read(with_map(tmp_path, MAP, "map = 'sub/../land.toml'\n")).data["map"]["legend"]


def test_what_a_map_file_may_not_say(tmp_path):
    said = refused(with_map(tmp_path, "\nmap = 'other.toml'\n"))
    assert "land.toml:2:1: a map file names another map" in said
    assert "land.toml:1:1: a map file holds the map alone, not 'steps'" in refused(
        with_map(tmp_path, "steps = 3\n[map]\n")
    )
    said = refused(with_map(tmp_path, "system = 'ship'\n[map]\n"))
    assert "land.toml:1:1: this map is made for another system, 'ship': expected 'town'" in said
    assert read(with_map(tmp_path, "system = 'town'\nrows = []\n")).data["map"] == {"rows": []}


def test_a_map_file_that_is_not_toml_carries_its_own_lines(tmp_path):
    assert "land.toml:2:5: this is not TOML" in refused(with_map(tmp_path, "a = 1\nb = x\n"))


# --- dicts ---


def test_a_dict_has_no_positions_but_paths(tmp_path, monkeypatch):
    document = read_mapping({"system": "town", "map": {"rows": ("h",)}})
    assert document.data["map"]["rows"] == ["h"]
    (problem,) = locate([Problem("bad", where=("map", "rows", 0), column=1)], document)
    assert str(problem) == "map.rows[0]: bad"
    write(tmp_path, MAP, "land.toml")
    monkeypatch.chdir(tmp_path)
    document = read_mapping({"map": "land.toml"})
    (problem,) = locate([Problem("bad", where=("map", "legend", "h"))], document)
    assert str(problem) == "land.toml:2:1: bad"
    with pytest.raises(InputError, match=r"map: map = '\.\./x' leads out"):
        read_mapping({"map": "../x"})


def test_a_document_without_its_text_names_file_and_keys():
    (problem,) = locate([Problem("bad", where=("map", "rows", 0))], toml.Document({}, "town.toml"))
    assert str(problem) == "town.toml: map.rows[0]: bad"


def test_a_dict_no_scenario_can_hold_is_refused():
    with pytest.raises(InputError, match="the key 3 is not a text"):
        read_mapping({3: 4})
