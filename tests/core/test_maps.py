"""Rows of symbols, and carets under what is wrong."""

import pytest

from firesim.core import maps
from firesim.core.maps import caret_lines, cell_name, symbols, width_of


def test_symbols_are_parted_by_blanks_and_leading_blanks_are_decoration():
    tokens, problems = symbols(["h .  s1", "  . .\th "], {"h": 1, "s1": 2})
    assert tokens == [["h", ".", "s1"], [".", ".", "h"]]
    assert problems == []


def test_a_short_row_is_printed_with_a_caret_at_its_end():
    _, (problem,) = symbols(["h . .", " . .", "h h h"], {"h": 1})
    assert problem.where == ("map", "rows", 1)
    assert (
        str(problem) == "map.rows[1]: row 1 of the map has 2 symbols: expected 3, as most rows have\n   . .\n       ^"
    )


def test_a_long_row_has_carets_under_what_is_too_much():
    _, (problem,) = symbols(["h .", ". h h h", "h h"], {"h": 1})
    assert problem.excerpt == "  . h h h\n      ^ ^"
    assert problem.column == 5


def test_an_empty_row_is_ragged():
    _, (problem,) = symbols(["h .", "", "h h"], {"h": 1})
    assert problem.what == "row 1 of the map has 0 symbols"


def test_an_unknown_symbol_has_carets_wherever_it_stands_and_its_nearest():
    _, (problem,) = symbols([". .  .", "H . H"], {"h": 1, "s": 2})
    assert problem.where == ("map", "rows", 1)
    assert problem.excerpt == "  H . H\n  ^   ^"
    assert "the legend has no symbol 'H', at (1, 0): expected h, s or .; did you mean 'h'?" in str(problem)


def test_an_unknown_symbol_like_no_other_is_to_be_described():
    _, (problem,) = symbols(["x"], {"h": 1})
    assert problem.hint == "describe 'x' in [map.legend]"


def test_carets_stand_under_whole_symbols_only():
    _, (problem,) = symbols(["hh h"], {"hh": 1})
    assert problem.excerpt == "  hh h\n     ^"


def test_without_a_legend_symbols_are_not_looked_up():
    assert symbols(["x y"])[1] == []


def test_a_full_stop_is_open_ground_without_a_legend_entry():
    assert symbols([". ."], {})[1] == []


@pytest.mark.parametrize("rows", [[], [""], ["  ", ""]])
def test_an_empty_map_is_one_problem(rows):
    _, (problem,) = symbols(rows, {})
    assert str(problem) == "map.rows: the map is empty: expected at least one row with a symbol in it"


def test_many_problems_are_counted_past_twenty():
    _, problems = symbols(["x y"] * 30, {"h": 1})
    assert len(problems) == 21
    assert problems[-1].what == "40 more problems of the map's rows are not listed"


def test_problems_come_in_the_order_of_the_rows():
    _, problems = symbols(["x .", ". . .", "y ."], {})
    assert [p.where[-1] for p in problems] == [0, 1, 2]


def test_a_map_over_the_limit_is_not_read(monkeypatch):
    monkeypatch.setattr(maps, "CELLS_MOST", 6)
    assert symbols([". . ."] * 2)[1] == []
    tokens, (problem,) = symbols([". . . ."] * 2)
    assert tokens == []
    assert str(problem) == "map.rows: the map has 8 cells: expected at most 6; cut it in parts"
    assert symbols([" " * 50 + "."])[1] == []


def test_the_limit_is_four_million():
    assert maps.CELLS_MOST == 20_000_000


def test_long_lines_are_cut_round_the_caret():
    text, carets = caret_lines("." * 500 + "X" + "." * 500, [500]).split("\n")
    assert len(text) < 120
    assert text[carets.index("^")] == "X"


def test_the_width_is_that_of_most_rows():
    assert width_of([["a"], ["a", "b"], ["a", "b"]]) == 2
    assert width_of([]) == 0


def test_a_cell_has_its_row_first():
    assert cell_name(4, 12) == "(4, 12)"
