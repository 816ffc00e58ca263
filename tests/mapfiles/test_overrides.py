"""The CSV of what the user knows better than the defaults."""

import pytest

from firesim.core.problems import InputError
from firesim.mapfiles.overrides import read_overrides

NUMBERS = {"Oakwell 1": 1, "Oakwell 2": 2, "building 3": 3}


@pytest.fixture
def csv(tmp_path):
    def save(text):
        path = tmp_path / "o.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return save


def problems_of(path):
    with pytest.raises(InputError) as error:
        read_overrides(path, NUMBERS)
    return [str(problem).replace(str(path.parent) + "/", "") for problem in error.value.problems]


def test_buildings_are_named_by_number_or_name(csv):
    text = (
        "index,name,material,roof,floors,st\n1,,Stone,slate,3,40\n,Oakwell 2,,thatch,,\n# a comment\n\n3,building 3\n"
    )
    assert read_overrides(csv(text), NUMBERS) == {
        1: {"material": "stone", "roof": "slate", "floors": 3, "st": 40},
        2: {"roof": "thatch"},
        3: {},
    }


def test_a_spreadsheets_semicolons_and_byte_order_mark_are_read(csv):
    assert read_overrides(csv("\ufeffname;floors\r\nOakwell 1;2\r\n"), NUMBERS) == {1: {"floors": 2}}


def test_every_problem_of_the_file_is_told(csv):
    text = (
        "name,material,roof,floors,st\nOakwell 9,stone,,,\nOakwell 1,wodden,tin,0,1.5\n,stone\n"
        "Oakwell 1,,,,\nOakwell 2,,,,,9\n"
    )
    materials = "light, wooden, wattle and daub, unknown3, earthen, adobe, brick or stone"
    assert problems_of(csv(text)) == [
        "o.csv:2:1: there is no building 'Oakwell 9': expected a name of the imported map; did you mean 'Oakwell 2'?",
        f"o.csv:3:2: unknown material 'wodden': expected {materials}; did you mean 'wooden'?",
        "o.csv:3:3: unknown roof 'tin': expected thatch, cloth, wood shingles, clay tile or slate",
        "o.csv:3:4: floors '0': expected a whole number from 1 to 100",
        "o.csv:3:5: st '1.5': expected a whole number from 1 to 1,000,000",
        "o.csv:4:1: the line names no building: expected an index or a name",
        "o.csv:5:1: building 1 stands twice: expected each building once",
        "o.csv:6:6: 6 fields: expected 5, as in the first line",
    ]


def test_a_wrong_first_line_is_told_once(csv):
    columns = "index, name, material, roof, floors or st"
    assert problems_of(csv("indx,Material,floors,floors\n1,stone,2,2\n2,,,\n")) == [
        f"o.csv:1:1: unknown column 'indx': expected {columns}; did you mean 'index'?",
        "o.csv:1:4: column 'floors' stands twice: expected each column once",
        "o.csv:1:1: no column says which building: expected a column 'index' or 'name'",
    ]


def test_numbers_beyond_the_map_and_names_of_another_building(csv):
    assert problems_of(csv("index,name\n0,\n4,\n1,Oakwell 2\nx,\n")) == [
        "o.csv:2:1: there is no building 0: expected a number from 1 to 3",
        "o.csv:3:1: there is no building 4: expected a number from 1 to 3",
        "o.csv:4:2: 'Oakwell 2' is not building 1: expected index and name of one building",
        "o.csv:5:1: there is no building x: expected a number from 1 to 3",
    ]


def test_files_that_are_no_csv(csv, tmp_path):
    assert problems_of(csv("")) == ["o.csv: the file is empty: expected a map file"]
    assert problems_of(tmp_path / "n.csv") == ["n.csv: there is no such file: expected a map file"]
    many = "name\n" + "nobody\n" * 1000
    assert len(problems_of(csv(many))) == 20
