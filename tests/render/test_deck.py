"""The deck plan: the right colours at the right places, in stills, animations and burn maps."""

import numpy as np
import pytest
from PIL import Image

from firesim.render import board, snapshot
from firesim.render.animate import Studio, animate
from firesim.render.burnmap import burn_map
from firesim.render.snapshot import Canvas, figure_of
from firesim.render.view import flights, view
from firesim.rules.base import Arrow, Door, Piece
from firesim.rules.ship import look
from tests.render.decks import deck, scene
from tests.render.test_animate import composed
from tests.render.towns import rgb

PORT, STARBOARD, AFT, FORWARD = 3, 1, 2, 0
ORANGE, BLUE = rgb(look.SWATCHES[look.BURNING].colour), rgb(look.DOORS[look.OPENED].colour)


def still(prepared, shown, path, **more):
    snapshot.snapshot(prepared, shown, path, title="A ship", **more)
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def spot(prepared, cell, place=None, entries=0):
    """x and y in a still, in pixels from its top left corner."""
    seen = view(prepared)
    canvas = Canvas(seen, None, entries, board.DPI)
    x, y = canvas.middles[cell] + seen.offset(place) * canvas.per_hex
    return x + canvas.sheet.map_left, y + canvas.sheet.map_top


def frame_of(prepared, shown, size=None):
    """The map's part of a frame, as colours, and where places are in it."""
    studio = Studio(view(prepared), shown, "A ship", size)
    sheet = studio.sheet
    made = studio.palette[studio.frame(shown)]
    part = made[sheet.map_top : sheet.map_top + sheet.map_height, sheet.map_left : sheet.map_left + sheet.map_width]
    return (
        part,
        lambda cell, place=None: studio._middles[cell] + studio.view.offset(place) * studio._plan.pixels_per_hex,
    )


def near(image, at, reach):
    x, y = (int(v) for v in at)
    part = image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    return {tuple(pixel) for pixel in part.reshape(-1, 3).tolist()}


def said(figure):
    return {text.get_text() for axes in figure.axes for text in axes.texts}


@pytest.mark.parametrize(
    ("rows", "cols", "side"), [(1, 1, 1), (1, 1, 5), (3, 3, 5), (8, 5, 3), (50, 50, 5), (4, 4, 60)]
)
def test_a_burning_module_has_the_colour_of_fire(tmp_path, rows, cols, side):
    prepared, cell = deck(rows, cols, side), rows * cols // 2
    shown = scene(prepared, burning=[cell])
    assert ORANGE in near(still(prepared, shown, tmp_path / "a.png"), spot(prepared, cell, (0, side - 1)), 4)
    part, at = frame_of(prepared, shown)
    assert ORANGE in near(part, at(cell, (0, side - 1)), 4)
    if cell:
        assert ORANGE not in near(part, at(0), 3)


def test_pieces_stand_in_their_squares(tmp_path):
    kinds, places = len(look.PIECES), [(0, 0), (3, 4), (2, -1)]
    prepared = deck(len(places), kinds)
    aboard = [
        Piece(row * kinds + code, place, code, "K", "Kest") for row, place in enumerate(places) for code in range(kinds)
    ]
    shown = scene(prepared, pieces=aboard)
    image, (part, at) = still(prepared, shown, tmp_path / "a.png"), frame_of(prepared, shown)
    for piece in aboard:
        for drawn, (x, y) in (
            (image, spot(prepared, piece.cell, piece.place, entries=kinds + 1)),
            (part, at(piece.cell, piece.place)),
        ):
            pixels = drawn[int(y) - 7 : int(y) + 8, int(x) - 7 : int(x) + 8].reshape(-1, 3)
            assert (pixels == rgb(look.PIECES[piece.code].colour)).all(axis=1).mean() > 0.3, piece
            assert len(np.unique(pixels, axis=0)) > 2, "a letter is written on it"


@pytest.mark.parametrize("heading", [FORWARD, STARBOARD, AFT, PORT])
def test_an_open_door_is_in_the_wall_of_its_side(tmp_path, heading):
    prepared = deck(3, 3, space=[0, 1, 2, 3, 5, 6, 7, 8])
    shown = scene(prepared, doors=[Door(4, heading, look.OPENED)])
    image = still(prepared, shown, tmp_path / "a.png")
    part, at = frame_of(prepared, shown)
    for side, place in enumerate([(-0.5, 2), (2, 4.5), (4.5, 2), (2, -0.5)]):
        assert (BLUE in near(image, spot(prepared, 4, place), 2)) == (side == heading)
        assert (BLUE in near(part, at(4, place), 2)) == (side == heading)


def test_a_door_without_a_side_is_in_its_module(tmp_path):
    prepared = deck(3, 3)
    shown = scene(prepared, doors=[Door(4, None, look.OPENED)])
    part, at = frame_of(prepared, shown)
    top, bottom = at(4)[1], at(4)[1] + 95
    rows, _ = np.nonzero((part == BLUE).all(axis=2))
    assert rows.size
    assert top < rows.min() < rows.max() < bottom


def test_arrows_lead_from_place_to_place_and_stay_on_the_sheet(tmp_path):
    prepared = deck(1, 2)
    arrow = Arrow(0, 0, True, (2, 2), (2, 4))
    plain, _ = frame_of(prepared, scene(prepared))
    drawn, at = frame_of(prepared, scene(prepared, arrows=[arrow]))
    rows, cols = np.nonzero((plain != drawn).any(axis=2))
    assert abs(cols.min() - at(0, (2, 2))[0]) < 6
    assert abs(cols.max() - at(0, (2, 4))[0]) < 6
    assert np.abs(rows - at(0, (2, 2))[1]).max() < 12
    far = scene(prepared, arrows=[Arrow(0, 0, False, (2, 2), (2, -99))])
    image, plain = still(prepared, far, tmp_path / "a.png"), still(prepared, scene(prepared), tmp_path / "b.png")
    left = spot(prepared, 0, (2, -1.75))[0] - 2
    height = int(spot(prepared, 0)[1])
    rows, cols = np.nonzero((image[height - 30 : height + 30] != plain[height - 30 : height + 30]).any(axis=2))
    assert left <= cols.min()


def test_arrows_within_a_module_are_told_apart():
    prepared = deck(1, 2)
    flown = [Arrow(0, 0, False, (0, 0), (0, 1)), Arrow(0, 0, True, (0, 0), (1, 0)), Arrow(0, 0, True, (0, 0), (0, 0))]
    assert flights(scene(prepared, arrows=[*flown, flown[0]]), 2) == flown[:2]


def test_the_sheet_of_a_still_names_what_occurs():
    prepared = deck(2, 2, labels={0: "engine", 3: "the $5 bay"})
    shown = scene(
        prepared,
        burning=[1],
        pieces=[Piece(0, (2, 2), look.WELL, "K", "Kest"), Piece(1, (1, 1), look.DAMAGED, "B")],
        doors=[Door(0, PORT, look.HELD)],
        arrows=[Arrow(1, 0, True, (2, 0), (2, 4))],
    )
    words = said(figure_of(prepared, shown, title="A ship"))
    places = {"A ship", "engine", r"the \$5 bay", "Kest", "forward", "aft", "port", "starboard"}
    assert {*places, "2 squares"} <= words
    assert {"module", "burning", "person", "item, damaged", "door, held open", look.TERMS.hit} <= words
    assert not words & {"no wind", "wind", "broken", "item", "person, burning", "door, opened", look.TERMS.miss}


@pytest.mark.parametrize(
    ("shape", "side", "words"),
    [((1, 1), 1, "1 square (1 module)"), ((30, 30), 1, "2 squares (2 modules)"), ((1, 1), 5, "2 squares"),
     ((1, 1), 100, "50 squares"), ((50, 50), 5, "25 squares (5 modules)")],
)  # fmt: skip
def test_the_scale_counts_squares(shape, side, words):
    prepared = deck(*shape, side)
    assert words in said(figure_of(prepared, scene(prepared), title="A ship"))


def test_an_animation_names_what_people_items_and_doors_may_become():
    prepared = deck(2, 2)

    def aboard(**more):
        shown = scene(prepared, **more)
        return [swatch.label for swatch in Studio(view(prepared), shown, "A ship", None)._aboard]

    people = [swatch.label for swatch in look.PIECES[look.WELL :]]
    assert aboard() == []
    assert aboard(pieces=[Piece(0, (0, 0), look.PERSON_BURNING)]) == people
    assert aboard(pieces=[Piece(0, (0, 0), look.ITEM)]) == ["item", "item, damaged"]
    assert aboard(doors=[Door(0, 0, look.SHUT)]) == [swatch.label for swatch in look.DOORS]


@pytest.mark.parametrize(("shape", "side", "size"), [((2, 3), 5, None), ((3, 3), 1, 100), ((30, 30), 5, 400)])
def test_composed_frames_equal_frames_drawn_directly(tmp_path, shape, side, size):
    prepared = deck(*shape, side, space=[0], labels={1: "life support", 2: "engine"})
    scenes = [
        scene(
            prepared,
            burning=range(1, 1 + step),
            caption=f"Phase {step}",
            pieces=[Piece(1 + step % 3, (0, 0), look.WELL + step % 2, "K", "Kest"), Piece(4, (0, 0), step % 2)],
            doors=[Door(1, FORWARD, step % 3)],
            arrows=[Arrow(1, 2, step % 2 == 0, (0, side), (0, 0))],
        )
        for step in range(5)
    ]
    assert animate(prepared, iter(scenes), tmp_path / "a.gif", title="A ship", size=size) == 5
    frames, _ = composed(tmp_path / "a.gif")
    for number, each in enumerate(scenes):
        studio = Studio(view(prepared), scenes[0], "A ship", size)
        assert (frames[number] == studio.palette[studio.frame(each)]).all(), number


def test_names_are_on_frames_too():
    shown = scene(deck(1, 1))
    plain, _ = frame_of(deck(1, 1), shown)
    named, at = frame_of(deck(1, 1, labels={0: "engine"}), shown)
    rows = np.nonzero((plain != named).any(axis=2))[0]
    assert rows.size > 60
    assert rows.max() < at(0)[1]


def test_names_of_people_are_on_frames_below_them():
    prepared = deck(1, 1)
    plain, _ = frame_of(prepared, scene(prepared, pieces=[Piece(0, (2, 2), look.WELL, "K")]))
    named, at = frame_of(prepared, scene(prepared, pieces=[Piece(0, (2, 2), look.WELL, "K", "Kest")]))
    rows, cols = np.nonzero((plain != named).any(axis=2))
    assert rows.size > 30
    assert at(0)[1] + 10 < rows.min() < rows.max() < at(0)[1] + 36
    assert abs((cols.min() + cols.max()) / 2 - at(0)[0]) < 4


def test_space_is_bare_and_the_hull_is_thicker_than_walls_within():
    prepared = deck(3, 4, space=[0, 1, 2, 3, 4, 7, 8, 9, 10, 11])
    part, at = frame_of(prepared, scene(prepared))
    assert near(part, at(0), 40) == {(255, 255, 255)}
    dark = part[int(at(5)[1]) - 50].max(axis=1) < 100
    runs = np.diff(np.flatnonzero(np.diff(np.r_[False, dark, False].astype(int))))[::2]
    assert len(runs) == 3
    assert runs[0] > runs[1] < runs[2]


@pytest.mark.parametrize("shape", [(2, 2), (50, 50)])
def test_a_burn_map_shows_values_on_modules_alone(tmp_path, shape):
    from matplotlib import colormaps

    prepared = deck(*shape, space=[0], labels={1: "engine"})
    values = np.ones(shape)
    values.ravel()[1:3] = 0.5, 0.0
    burn_map(prepared, values, tmp_path / "a.png", title="Where it burns")
    half = tuple(np.round(255 * np.array(colormaps["inferno_r"](0.5)[:3])).astype(int).tolist())
    with Image.open(tmp_path / "a.png") as image:
        drawn = np.asarray(image.convert("RGB"))
    assert half in near(drawn, spot(prepared, 1), 1)
    assert near(drawn, spot(prepared, 2), 1) == {rgb("#a9adb3")}
    assert near(drawn, spot(prepared, 0), 1) == {(255, 255, 255)}


def test_a_burn_map_names_modules_and_what_never_burnt(tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    shown = []
    monkeypatch.setattr(Figure, "savefig", lambda self, path, **_: shown.append(self) or path.write_bytes(b""))
    burn_map(deck(1, 2, labels={0: "engine"}), np.array([1.0, 0.0]), tmp_path / "a.png", title="Where it burns")
    assert {"engine", "module, never burnt", "2 squares"} <= said(shown[0])


@pytest.mark.parametrize("shape", [(1, 1), (1, 60), (60, 1), (300, 300), (1700, 3)])
def test_pictures_are_neither_tiny_nor_huge(tmp_path, shape):
    prepared = deck(*shape)
    image = still(prepared, scene(prepared, pieces=[Piece(0, (2, 2), look.WELL, "K", "Kest")]), tmp_path / "a.png")
    assert 300 <= image.shape[1] <= 1600
    assert 200 <= image.shape[0] <= 1600
    part, _ = frame_of(prepared, scene(prepared, doors=[Door(0, 0, 0)]))
    assert max(part.shape) <= 1300


def test_the_same_scene_gives_the_same_bytes(tmp_path):
    prepared = deck(2, 2, labels={0: "engine"})
    shown = scene(prepared, burning=[1], pieces=[Piece(0, (2, 2), look.WELL, "K", "Kest")], doors=[Door(0, 0, 0)])
    assert (still(prepared, shown, tmp_path / "a.png") == still(prepared, shown, tmp_path / "b.png")).all()
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_names_in_any_letters_are_drawn(tmp_path):
    prepared = deck(1, 2, labels={0: r"$$\frac", 1: "_^{"})
    people = [Piece(0, (2, n), look.WELL, "$" * n, "$" * n + r"x\alpha") for n in range(1, 4)]
    shown = scene(prepared, pieces=people)
    plain = scene(prepared, pieces=[Piece(0, (2, n), look.WELL) for n in range(1, 4)])
    assert (still(prepared, shown, tmp_path / "a.png") != still(prepared, plain, tmp_path / "b.png")).any()
    assert (frame_of(prepared, shown)[0] != frame_of(prepared, plain)[0]).any()
