"""What a ship shows: colours told apart, and modules, people, items, doors and arrows as the state and the log say."""

from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from firesim import api
from firesim.core.fields import copied
from firesim.events.records import Record
from firesim.outputs import last_scene, save
from firesim.outputs import scenes as scenes_of
from firesim.render import palette
from firesim.render.marks import shapes
from firesim.render.outlines import is_known, outline
from firesim.rules.ship import look
from firesim.rules.ship import state as s
from tests.render.test_colours import MACHADO, apart

MODULES = look.SWATCHES[look.MODULE :]


@pytest.mark.parametrize("sight", MACHADO)
@pytest.mark.parametrize("swatches", [look.SWATCHES, look.PIECES, look.DOORS])
def test_no_two_swatches_look_alike(sight, swatches):
    away = apart([swatch.colour for swatch in swatches], sight)
    assert away[np.triu_indices(len(away), 1)].min() >= 14.5


@pytest.mark.parametrize("swatches", [look.SWATCHES, look.PIECES, look.DOORS])
def test_a_grey_print_tells_swatches_by_marks_and_outlines(swatches):
    greys = [palette.rgb(swatch.colour) @ np.array([0.299, 0.587, 0.114]) for swatch in swatches]
    for one, other in combinations(range(len(swatches)), 2):
        if (swatches[one].hatch, swatches[one].shape) == (swatches[other].hatch, swatches[other].shape):
            assert abs(greys[one] - greys[other]) >= 35, (swatches[one].label, swatches[other].label)


def test_every_mark_and_outline_named_is_drawn():
    for swatch in look.SWATCHES:
        assert bool(shapes(swatch.hatch)) == bool(swatch.hatch)
    drawn = [swatch.shape for swatch in (*look.PIECES, *look.DOORS)]
    assert all(is_known(shape) for shape in drawn)
    assert len({b"".join(part.points.tobytes() for part in outline(shape)) for shape in drawn}) == len(drawn)
    for shape in drawn:
        assert any(part.fill == "face" for part in outline(shape))


def test_a_module_shows_its_fire_before_its_damage():
    def label(exists=1, burning=0, broken=0, lit_at=-1):
        code = look.codes(*(np.array([value]) for value in (exists, burning, broken, lit_at)))
        assert code.dtype == np.uint8
        return look.SWATCHES[code[0]].label

    assert label() == "module"
    assert label(exists=0, burning=1) == ""
    assert label(burning=1, lit_at=3) == "burning"
    assert label(broken=1) == "broken"
    assert label(broken=1, lit_at=3) == "broken"
    assert label(burning=1, broken=1, lit_at=3) == "broken, burning"
    assert label(lit_at=3) == "burnt, out"


def test_a_person_shows_his_state():
    def label(*state):
        return look.PIECES[look.person_code(*state)].label

    assert label(False, False, False) == "person"
    assert label(True, False, False) == "person, burning"
    assert label(True, True, False) == "out of action, burning"
    assert label(False, True, False) == "person, out of action"
    assert label(False, False, True) == "person, outside"
    assert label(False, True, True) == "person, out of action"


def test_letters_tell_people_apart():
    assert look.letters([]) == []
    assert look.letters(["kest", " mara "]) == ["K", "M"]
    assert look.letters(["Marine 1", "Marine 12", "Mo", "M", " "]) == ["M1", "M12", "Mo", "M", "?"]


MAP = {
    "rows": [". H .", "C L S", ". E ."],
    "legend": {
        "H": {"module": "helm"},
        "C": {"module": "cargo", "external_door": True},
        "L": {"module": "life support", "external_door": True},
        "S": {"module": ""},
        "E": {"module": "engine", "external_door": True, "broken": True},
    },
}


def prepared(**more):
    document = {"system": "ship", "map": MAP, "ignite": [{"cell": [1, 1]}], "seed": 1} | more
    return api.prepared(api.load(document))


def crew(name, cell, **more):
    return {"name": name, "cell": cell, "health": 5} | more


def event(kind, cell, other, step=1, amount=0):
    return Record(step, kind, cell, other, 0, 0, 0, amount, 0, 0, "")


def scene(ready, state=None, events=(), step=1):
    return ready.system.scene(ready, ready.first if state is None else state, events, step)


def test_modules_are_named_and_stand_where_the_map_has_them():
    ready = prepared()
    assert (ready.grid, ready.side) == ("modules", 5)
    assert ready.buildings.tolist() == [0, 2, 0, 4, 5, 6, 0, 8, 0, 0]
    assert ready.labels == {2: "helm", 4: "cargo", 5: "life support", 8: "engine"}
    codes = scene(ready).codes
    assert codes.reshape(3, 3).tolist() == [[0, 1, 0], [1, look.BURNING, 1], [0, look.BROKEN, 0]]


def test_people_and_items_stand_in_their_squares():
    ready = prepared(
        crew=[crew("Kest", [2, 1], square=[4, 0]), crew("Kay", [1, 1], on_fire=True), crew("Bo", [1, 0])],
        item=[{"kind": "barrel", "cell": [1, 0], "square": [0, 1]}, {"kind": "cargo", "cell": [1, 0]}],
    )
    state = copied(ready.first)
    state.crew.damage[2], state.crew.cell[2], state.items.damaged[1] = 5, 5, 1
    shown = [(piece.cell, piece.place, piece.code, piece.letter, piece.name) for piece in scene(ready, state).pieces]
    assert shown == [
        (3, (0, 1), look.ITEM, "B", ""),
        (3, (2, 2), look.DAMAGED, "C", ""),
        (7, (4, 0), look.WELL, "Ke", "Kest"),
        (4, (2, 2), look.PERSON_BURNING, "Ka", "Kay"),
        (5, (2, 2), look.DOWN, "B", "Bo"),
    ]


@pytest.mark.parametrize("side", [1, 5])
def test_who_is_outside_is_drawn_before_the_door(side):
    ready = prepared(
        options={"side": side},
        crew=[
            crew("A", [1, 0], spacewalking=True),
            crew("B", [2, 1], spacewalking=True),
            crew("C", [1, 1], spacewalking=True),
        ],
    )
    middle = (side - 1) / 2
    port, aft, within = (piece.place for piece in scene(ready).pieces)
    beyond = middle - 0.62 * side
    assert port == pytest.approx((middle, beyond))
    assert aft == pytest.approx((middle, beyond)), "port is the first side towards space"
    assert within == (side - 1, 0), "space does not touch it"
    assert {piece.code for piece in scene(ready).pieces} == {look.OUTSIDE}


def test_doors_are_on_sides_towards_space_and_open_for_their_phase():
    ready = prepared()
    events = [
        event("door open", 3, 10),
        event("door open", 7, 10),
        event("door held", 7, 10),
        event("door open", 4, 10, step=2),
    ]
    assert [(door.cell, door.heading, door.code) for door in scene(ready, events=events).doors] == [
        (3, 3, look.OPENED),
        (4, None, look.SHUT),
        (7, 3, look.HELD),
    ]
    assert {door.code for door in scene(ready, events=events, step=3).doors} == {look.SHUT}


@pytest.mark.parametrize(("heading", "target"), [(0, 1), (1, 5), (2, 7), (3, 3)])
def test_an_arrow_of_a_spread_passes_the_wall(heading, target):
    (arrow,) = scene(prepared(), events=[event("spreads", 4, target, amount=heading)]).arrows
    assert (arrow.origin, arrow.target, arrow.hit) == (4, target, True)
    axis, sign = (0, 1)[heading % 2], (-1, 1, 1, -1)[heading]
    assert sign * (arrow.begin[axis] - 2) == pytest.approx(1.5)
    assert sign * (arrow.end[axis] - 2) == pytest.approx(-1.5)
    assert arrow.begin[1 - axis] == arrow.end[1 - axis]


def test_an_arrow_into_space_ends_beyond_the_hull():
    ready = prepared()
    (arrow,) = scene(ready, events=[event("spreads", 3, 9, amount=3), event("spreads", 3, 9, step=2)]).arrows
    assert (arrow.origin, arrow.target, arrow.hit) == (3, 3, False)
    assert arrow.end[1] < -0.5


@pytest.mark.parametrize(("heading", "to"), [(0, (-1, 0)), (1, (0, 1)), (2, (1, 0)), (3, (0, -1))])
@pytest.mark.parametrize("struck", ["splash hits", "item holds", "item damaged", None])
def test_an_arrow_of_a_splash_leads_to_the_next_square(heading, to, struck):
    ready = prepared(crew=[crew("Kest", [1, 1], square=[0, 3], on_fire=True)])
    me = len(ready.params.cells)
    events = [event("splash", me, me, amount=heading), event("item holds", me + 5, 4)]
    events += [event(struck, me + 1, me)] if struck else []
    (arrow,) = scene(ready, events=events).arrows
    assert (arrow.origin, arrow.target, arrow.hit) == (4, 4, struck is not None)
    assert np.round(np.subtract(arrow.end, (0, 3))).tolist() == list(to)
    assert np.round(np.subtract(arrow.begin, (0, 3))).tolist() == [0, 0]


def test_the_caption_tells_phase_hull_and_fires():
    ready = prepared(crew=[crew("Kest", [1, 1], on_fire=True), crew("Bo", [1, 0])])
    assert scene(ready, step=0).caption == "Phase 0: hull damage 0; 1 module burning, 1 broken, 1 of 2 people on fire"
    state = copied(ready.first)
    state.tally[s.HULL_DAMAGE], state.tally[s.SHIP_LOST] = 7, 1
    state.crew.burning[:], state.crew.damage[1], state.cells.burning[5] = 0, 9, 1
    assert scene(ready, state, step=3).caption == (
        "Phase 3: hull damage 7; 2 modules burning, 1 broken, 1 out of action; the ship is lost"
    )
    assert scene(prepared(), step=0).caption == "Phase 0: hull damage 0; 1 module burning, 1 broken"


def test_a_runs_pictures_agree_with_its_log():
    people = [crew(f"P{n}", [1, 1], health=30, on_fire=n % 2 == 0, square=[n % 5, n // 5]) for n in range(9)]
    run = api.run(
        api.load({"system": "ship", "map": MAP, "ignite": [{"cell": [1, 1]}, {"cell": [1, 0]}], "crew": people}),
        seed=3,
        steps=12,
    )
    ready, count = run.prepared, 0
    for step, shown in enumerate(scenes_of(run)):
        events = [e for e in run.events if e.step == step]
        spreads = [e for e in events if e.event in ("spreads", "splash")]
        count += len(spreads)
        assert len(shown.arrows) == len(spreads)
        assert shown.caption.startswith(f"Phase {step}: ")
        for arrow in shown.arrows:
            assert ready.params.cells.exists[arrow.origin]
            assert ready.params.cells.exists[arrow.target]
    assert count > 20
    assert (last_scene(run).codes == shown.codes).all()


def test_a_pod_without_a_crew_leaves_its_pictures(tmp_path):
    pod = {"rows": ["P"], "legend": {"P": {"module": "the pod of the admiral of the whole fleet " * 2}}}
    document = {"system": "ship", "title": "A long $title " * 12, "map": pod, "options": {"side": 1}}
    run = api.run(document | {"ignite": [{"cell": [0, 0]}]}, seed=4)
    names = [path.name for path in save(run, tmp_path / "pod")]
    assert names == ["run.json", "log.txt", "log.jsonl", "end.png", "fire.gif"]
    with Image.open(tmp_path / "pod" / "end.png") as still, Image.open(tmp_path / "pod" / "fire.gif") as film:
        assert film.n_frames == run.outcome["steps"] + 1
        assert still.width > 400
        assert film.width > 400
