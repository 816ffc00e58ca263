"""Charts of a study: what they show, with one case and with many, and never half a file."""

import os

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from firesim.core.problems import InputError
from firesim.render import study_pictures
from firesim.render.case_colours import COLOURS
from firesim.render.study_pictures import distributions, numeric, percent, standing, survival, sweep
from tests.render.towns import rgb

LONG = [
    f"tables.material.wattle and daub and stone {n}, map.legend.T.roof slate, moisture very wet {n}" for n in range(12)
]


@pytest.fixture
def drawn(monkeypatch):
    """Every figure as it is written."""
    figures = []
    plain = study_pictures._write

    def keep(figure, path):
        figures.append(figure)
        plain(figure, path)

    monkeypatch.setattr(study_pictures, "_write", keep)
    return figures


def words(figure: Figure) -> str:
    """All text of a figure, drawn."""
    figure.canvas.draw()
    texts = [figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    return "\n".join(text.get_text() for group in texts for text in group if text.get_text())


def nothing_is_cut_off(figure: Figure) -> None:
    """All that is drawn lies on the page."""
    figure.canvas.draw()
    box = figure.get_tightbbox(figure.canvas.get_renderer())
    wide, tall = figure.get_size_inches()
    assert box.x0 >= -0.02
    assert box.y0 >= -0.02
    assert box.x1 <= wide + 0.02
    assert box.y1 <= tall + 0.02


def has_colour(path, colour):
    with Image.open(path) as image:
        return (np.asarray(image.convert("RGB")) == rgb(colour)).all(axis=2).any()


# ----------------------------------------------------------------------------------------------------- distributions
def test_a_distribution_has_a_bar_for_each_value(tmp_path, drawn):
    values = np.repeat([0, 3, 4], [5, 10, 25])
    distributions([values], tmp_path / "a.png", title="Lost", label="buildings", intervals=[(2.9, 3.6)])
    (panel,) = drawn[0].axes
    tall = {
        round(bar.get_x() + bar.get_width() / 2, 6): bar.get_height() for bar in panel.patches if bar.get_height() < 1
    }
    assert {at: share for at, share in tall.items() if share} == pytest.approx({0: 0.125, 3: 0.25, 4: 0.625})
    assert "mean 3.25 (95 %: 2.9 to 3.6)" in words(drawn[0])
    assert has_colour(tmp_path / "a.png", COLOURS[0])


def test_wide_values_share_bins_of_a_round_width():
    for high in (50, 89, 90, 500, 123_456):
        edges, beyond = study_pictures._bins(np.arange(0.0, high + 1))
        width = edges[1] - edges[0]
        assert len(edges) - 1 <= study_pictures.BINS_MOST
        assert str(int(width)).strip("0") in ("1", "2", "5")
        assert edges[0] <= 0
        assert edges[-1] > high
        assert beyond == np.inf


def test_a_few_far_values_are_counted_not_drawn(tmp_path, drawn):
    values = np.append(np.arange(5000) % 20, [4000, 5000])
    distributions([values], tmp_path / "a.png", title="Lost", label="buildings")
    assert drawn[0].axes[0].get_xlim()[1] < 30
    assert "2 fires beyond" in words(drawn[0])
    assert "up to 5,000" in words(drawn[0])


def test_times_leave_out_what_never_happened(tmp_path, drawn):
    distributions([np.array([-1, -1, 4, 6])], tmp_path / "a.png", title="Lit", label="turns", time=True)
    assert "mean 5" in words(drawn[0])
    assert "never in 2 of 4 fires" in words(drawn[0])
    assert max(bar.get_height() for bar in drawn[0].axes[0].patches) == 0.25


@pytest.mark.parametrize("cases", [2, 12])
def test_cases_have_panels_over_one_axis(tmp_path, drawn, cases):
    rng = np.random.default_rng(1)
    values = [rng.poisson(5 + case, 200) for case in range(cases)]
    distributions(values, tmp_path / "a.png", title="Many cases " * 12, label="hexes", names=LONG[:cases])
    assert len(drawn[0].axes) == cases
    assert len({panel.get_xlim() for panel in drawn[0].axes}) == 1
    nothing_is_cut_off(drawn[0])


def test_of_forty_cases_twelve_are_drawn_and_it_is_said(tmp_path, drawn):
    values = [np.arange(10) + case for case in range(40)]
    distributions(values, tmp_path / "a.png", title="Many", label="hexes", names=[f"case {n}" for n in range(40)])
    assert len(drawn[0].axes) == 12
    assert "12 of 40 cases" in words(drawn[0])
    assert "case 39" in words(drawn[0])


@pytest.mark.parametrize("values", [np.empty(0), np.zeros(9), np.full(3, 10**9), np.full(4, -1)])
def test_odd_values_are_drawn_all_the_same(tmp_path, values):
    distributions([values], tmp_path / "a.png", title="", label="", time=True)
    assert (tmp_path / "a.png").stat().st_size > 1000


# ------------------------------------------------------------------------------------------------------------- sweeps
def test_numbers_make_a_line_with_its_band_in_order(tmp_path, drawn):
    means = np.array([3.0, 1.0, 2.0])
    sweep([30, 10, 20], means, means - 0.5, means + 1, tmp_path / "a.png", title="S", key="armour", label="lit")
    (axes,) = drawn[0].axes
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [10, 20, 30]
    assert line.get_ydata().tolist() == [1, 2, 3]
    band = axes.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((0.5, 4))
    assert axes.get_xlabel() == "armour"


def test_words_make_rows_with_their_intervals(tmp_path, drawn):
    means = np.array([[3.0, 1.0], [2.0, np.nan]])
    sweep(
        ["none", "E"],
        means,
        means - 1,
        means + 1,
        tmp_path / "a.png",
        title="S",
        key="wind",
        label="lit",
        series=["a", "b"],
    )
    (axes,) = drawn[0].axes
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["none", "E"]
    first = axes.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in first] == [[2, 4], [0, 2]]
    assert first[0][0, 1] < first[1][0, 1]
    assert "b" in words(drawn[0])


@pytest.mark.parametrize("values", [list(range(12)), LONG])
def test_twelve_series_of_long_names_are_on_the_page(tmp_path, drawn, values):
    means = np.add.outer(np.arange(12.0), np.arange(12.0))
    sweep(
        values,
        means,
        means - 1,
        means + 1,
        tmp_path / "a.png",
        title="Sweep " * 40,
        key="key",
        label="lit",
        series=LONG,
    )
    assert words(drawn[0]).count("…") >= 12
    nothing_is_cut_off(drawn[0])


def test_what_counts_as_numbers():
    assert numeric([1, 2.5])
    assert numeric([np.int64(1), np.float64(2)])
    assert not numeric([True, False])
    assert not numeric(["1", 2])
    assert not numeric([3, 3])


# ----------------------------------------------------------------------------------------------------------- survival
def test_standing_is_what_has_not_gone():
    shares = standing(np.array([[0, 5, 20], [0, 0, 0]]), np.array([10, 0]), np.array([4, 4]))
    assert shares[0].tolist() == [1, 0.875, 0.5]
    assert np.isnan(shares[1]).all()


def test_the_axis_ends_where_nothing_changes_any_more(tmp_path, drawn):
    shares = np.ones(5000)
    shares[1:40] = np.linspace(1, 0.7, 39)
    shares[40:] = 0.7
    survival(shares, tmp_path / "a.png", title="Stands", step_word="turn")
    (axes,) = drawn[0].axes
    assert 38 <= axes.get_xlim()[1] <= 45
    assert axes.get_xlabel() == "turn"
    (line,) = axes.lines
    assert line.get_ydata()[:2].tolist() == [1, 1]
    assert line.get_drawstyle() == "steps-post"


def test_the_legend_has_the_order_of_the_ends(tmp_path, drawn):
    shares = 1 - np.outer([0.2, 0.9, 0.5], np.linspace(0, 1, 30))
    survival(shares, tmp_path / "a.png", title="Stands", step_word="turn", names=["much", "little", "half"])
    drawn[0].canvas.draw()
    (legend,) = drawn[0].legends
    assert [text.get_text() for text in legend.get_texts()] == ["much", "half", "little"]


@pytest.mark.parametrize("shares", [np.ones((1, 1)), np.ones((12, 50)), np.zeros((1, 9)), np.full((2, 4), np.nan)])
def test_flat_curves_are_drawn(tmp_path, drawn, shares):
    survival(shares, tmp_path / "a.png", title="Flat", step_word="turn", names=LONG)
    low, high = drawn[0].axes[0].get_ylim()
    assert low == 0 or np.isfinite(low)
    assert high >= 1
    nothing_is_cut_off(drawn[0])


# -------------------------------------------------------------------------------------------------------------- files
@pytest.mark.parametrize(
    "draw",
    [
        lambda path: distributions([np.arange(3)], path, title="a", label="b"),
        lambda path: sweep([1, 2], np.ones(2), np.ones(2), np.ones(2), path, title="a", key="k", label="b"),
        lambda path: survival(np.ones(3), path, title="a", step_word="turn"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path, draw):
    for name in ("a.jpg", "no/such/a.png"):
        with pytest.raises(InputError):
            draw(tmp_path / name)
    draw(tmp_path / "a.png")
    draw(tmp_path / "a.png")
    assert os.listdir(tmp_path) == ["a.png"]


def test_dollars_are_no_formulas(tmp_path, drawn):
    distributions([np.arange(3)], tmp_path / "a.png", title="$1 and $2", label="$x", names=["$a$"])
    assert r"\$1 and \$2" in words(drawn[0])


@pytest.mark.parametrize(("share", "text"), [(0, "0 %"), (0.005, "0.5 %"), (1, "100 %"), (1 / 3, "33.3333 %")])
def test_percents(share, text):
    assert percent(share) == text
