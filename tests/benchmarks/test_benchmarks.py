"""The benchmarks compare like with like: every peer burns the fires that our kernel burns."""

import importlib.util
import json

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import DisagreementError, Report, Row, Settings, Timings, check_same_means, side_by_side
from benchmarks.pictures.scenes import STEPS, burning_freighter
from benchmarks.ship import peer_numpy as ship_numpy
from benchmarks.ship import peers as ship_peers
from benchmarks.ship.scenes import freighter, ring
from benchmarks.studies import pairing
from benchmarks.town import big, growth, peers
from benchmarks.town.peer_numpy import neighbours
from firesim import api
from firesim.grid.hexes import hex_links

SIZE, FIRES, EARLY = 12, 400, 30


@pytest.fixture(scope="module")
def ours():
    return peers.our_outcomes(SIZE, FIRES, EARLY)


def peer_named(name):
    """The peer, or a skip where its library is missing."""
    peer = peers.PEERS[name]
    if peer.library and importlib.util.find_spec(peer.library) is None:
        pytest.skip(f"{peer.library} is not installed (extra bench)")
    return peer


@pytest.mark.parametrize("name", sorted(peers.PEERS))
def test_a_peer_has_our_means(ours, name):
    theirs = peer_named(name).burn(SIZE, FIRES, 1, EARLY)
    assert {len(figures) for figures in theirs.values()} == {FIRES}
    check_same_means(name, ours, theirs)


@pytest.mark.parametrize("name", [name for name, peer in sorted(peers.PEERS.items()) if not peer.library])
def test_a_peer_with_tougher_walls_is_found_out(ours, name, monkeypatch):
    program = peers.PEERS[name].program
    for function, compiled in list(vars(program).items()):  # which holds the numbers it was compiled with
        if hasattr(compiled, "py_func"):
            monkeypatch.setattr(program, function, compiled.py_func)
    monkeypatch.setattr(program, "ARMOUR", 3)
    with pytest.raises(DisagreementError, match="steps"):
        check_same_means(name, ours, program.burn(SIZE, 20, 1, EARLY))


@pytest.mark.parametrize("name", sorted(big.RIVALS))
def test_a_rival_on_a_big_town_has_our_means_at_its_last_turn(name, monkeypatch):
    if name in big.OPTIONAL:
        peer_named(name)
    monkeypatch.setattr(big, "SIZE", 20)
    scene = big.Scene("some alight", 14, [0, 31, 105, 210, 399], 200)
    rival = big.Rival(peers.PEERS[name].program.Town(20, 5), scene)
    ours = big.several(big.Ours(big.Worker(big.ready_of(scene), big.SEED)).burn, scene.fires)
    theirs = big.several(rival.burn_another, scene.fires)
    assert set(theirs["steps"]) == {14}
    assert np.mean(theirs["consumed"]) > 1
    check_same_means(name, ours, theirs)


def test_what_is_not_installed_is_told_and_not_measured(monkeypatch, capsys):
    absent = peers.Peer("list", "a rival", library="no_such_library")
    monkeypatch.setattr(peers, "PEERS", {"absent": absent, "list": peers.PEERS["list"]})
    monkeypatch.setattr(peers, "SIZE", SIZE)
    rows = list(peers.measure(Settings(fires=40, rounds=2)))
    told = capsys.readouterr().out.splitlines()
    assert told == ["not measured: a rival: no_such_library is not installed (pip install 'firesim[bench]')"]
    assert [row.what for row in rows if row.unit == "times"] == ["plain Python, a list of burning hexes over firesim"]


@pytest.mark.parametrize("ready", [freighter, lambda: ring(8)], ids=["freighter", "ring"])
def test_the_ships_peer_has_our_means(ready):
    ship_peers.check(ready(), 4000)


@pytest.mark.parametrize("rule", ["splashes", "occupants", "door", "hull_check", "put_out_person"])
def test_a_ships_peer_that_leaves_out_a_rule_is_found_out(rule, monkeypatch):
    monkeypatch.setattr(ship_numpy.Fleet, rule, lambda fleet, *_: None)
    with pytest.raises(DisagreementError):
        ship_peers.check(freighter(), 20_000)


def test_the_peers_map_has_our_neighbours():
    assert np.array_equal(np.sort(neighbours(SIZE).T), np.sort(hex_links(SIZE, SIZE).to[:-1]))


def test_equal_figures_agree_and_a_constant_off_by_one_does_not():
    check_same_means("peer", {"n": [4, 4]}, {"n": [4, 4]})
    with pytest.raises(DisagreementError, match="peer"):
        check_same_means("peer", {"n": [4, 4]}, {"n": [5, 5]})


def test_contestants_take_turns_and_a_ratio_is_the_median_of_the_rounds():
    order = []
    timings = side_by_side({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 2)
    assert order == ["a", "b", "a", "b", "b", "a"]
    assert {name: len(seconds) for name, seconds in timings.seconds.items()} == {"a": 2, "b": 2}
    row = Timings({"a": [2.0, 6.0, 8.0], "b": [1.0, 2.0, 2.0]}).ratio("x", "a over b", "a", "b")
    assert (row.value, row.low, row.high) == (3.0, 2.0, 4.0)
    row = Timings({"a": [2.0, 6.0, 8.0], "b": [1.0, 2.0, 2.0]}).ratio("x", "a over b", "a", "b", counts=(1, 10))
    assert (row.value, row.low, row.high) == (30.0, 20.0, 40.0)


def test_what_a_contestant_does_beforehand_is_done_each_time_and_takes_no_time():
    order = []
    ticks = iter(range(100))
    timings = side_by_side(
        {"a": lambda: order.append("burn")}, 2, lambda: next(ticks), {"a": lambda: order.append("ready")}
    )
    assert order == ["ready", "burn"] * 3
    assert timings.seconds["a"] == [1, 1]


def test_without_agreement_no_ratio_is_printed(tmp_path, monkeypatch, capsys):
    def disagree(*_):
        raise DisagreementError("steps: 1 and 2")

    monkeypatch.setattr(peers, "check", disagree)
    assert main(["town", "peers", "--fires", "2", "--rounds", "2", "--out", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "no ratio" in printed.err
    assert "times" not in printed.out
    assert json.loads(next(tmp_path.glob("*.json")).read_text())["rows"] == []


def test_rows_are_printed_as_they_come(capsys):
    def rows():
        yield Row("x", "the first", 1, "s")
        assert "the first" in capsys.readouterr().out
        yield Row("x", "the second", 2, "s")

    report = Report("town", Settings())
    report.add(rows())
    assert [row.what for row in report.rows] == ["the first", "the second"]


def test_the_list_names_every_group_and_benchmark(capsys):
    assert main(["--list"]) == 0
    printed = capsys.readouterr().out
    assert "town: The town: our kernel against peers and against itself." in printed
    for name in ("peers", "big", "growth", "cold_start", "coverage"):
        assert f"\n  {name} " in printed
    assert "None" not in printed


def test_growth_has_a_row_for_every_map_town_study_block_and_thread(monkeypatch):
    monkeypatch.setattr(growth, "SIZES", (16, 32))
    monkeypatch.setattr(growth, "TOWNS", (4, 8))
    monkeypatch.setattr(growth, "REPLICATES", (10, 100))
    rows = list(growth.measure(Settings(fires=40, rounds=2)))
    whats = [row.what for row in rows]
    assert "a fire of 25 houses on 32 x 32 over 16 x 16" in whats
    assert {"a hex of 4 x 4 houses burnt", "a study of 100 fires of the lone house"} <= set(whats)
    assert {f"a fire in blocks of {b}, {t}" for b in (1, 8, 64, 512) for t in ("1 thread", "2 threads")} <= set(whats)
    assert all(row.value > 0 for row in rows)


def test_pairing_is_measured_for_shipped_maps():
    rows = pairing.measure(Settings(fires=20, rounds=2))
    maps = {row.what.partition(",")[0] for row in rows}
    assert {"riverside", "street", "house"} <= maps
    assert all(row.value > 0.5 and "pairs; difference" in row.note for row in rows)
    (inn,) = [row for row in rows if row.what == "street, the inn of ST 31 against 30: steps"]
    assert inn.value > 2


def test_the_freighter_under_fire_has_a_hundred_frames():
    assert api.run(burning_freighter(), seed=15).outcome["steps"] == STEPS
