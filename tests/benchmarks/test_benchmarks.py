"""The benchmarks compare like with like: every peer burns the fires that our kernel burns."""

import json

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import DisagreementError, Settings, Timings, check_same_means, side_by_side
from benchmarks.pictures.scenes import STEPS, burning_freighter
from benchmarks.ship import peer_numpy as ship_numpy
from benchmarks.ship import peers as ship_peers
from benchmarks.ship.scenes import freighter, ring
from benchmarks.studies import pairing
from benchmarks.town import peers
from benchmarks.town.peer_numpy import neighbours
from firesim import api
from firesim.grid.hexes import hex_links

SIZE, FIRES, EARLY = 12, 400, 30


@pytest.fixture(scope="module")
def ours():
    return peers.our_outcomes(SIZE, FIRES, EARLY)


@pytest.mark.parametrize("name", sorted(peers.PEERS))
def test_a_peer_has_our_means(ours, name):
    theirs = peers.PEERS[name].burn(SIZE, FIRES, 1, EARLY)
    assert {len(figures) for figures in theirs.values()} == {FIRES}
    check_same_means(name, ours, theirs)


@pytest.mark.parametrize("name", sorted(peers.PEERS))
def test_a_peer_with_tougher_walls_is_found_out(ours, name, monkeypatch):
    peer = peers.PEERS[name]
    if name == "numba":  # compiled code holds the number it was compiled with: plain Python here
        monkeypatch.setattr(peer, "burn_one", peer.burn_one.py_func)
        monkeypatch.setattr(peer, "burn_all", peer.burn_all.py_func)
    monkeypatch.setattr(peer, "ARMOUR", 3)
    with pytest.raises(DisagreementError, match="steps"):
        check_same_means(name, ours, peer.burn(SIZE, 20, 1, EARLY))


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


def test_without_agreement_no_ratio_is_printed(tmp_path, monkeypatch, capsys):
    def disagree(*_):
        raise DisagreementError("steps: 1 and 2")

    monkeypatch.setattr(peers, "check", disagree)
    assert main(["town", "peers", "--fires", "2", "--rounds", "2", "--out", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "no ratio" in printed.err
    assert "times" not in printed.out
    assert json.loads(next(tmp_path.glob("*.json")).read_text())["rows"] == []


def test_pairing_is_measured_for_shipped_maps():
    rows = pairing.measure(Settings(fires=20, rounds=2))
    maps = {row.what.partition(",")[0] for row in rows}
    assert {"riverside", "street", "house"} <= maps
    assert all(row.value > 0.5 and "pairs; difference" in row.note for row in rows)
    (inn,) = [row for row in rows if row.what == "street, the inn of ST 31 against 30: steps"]
    assert inn.value > 2


def test_the_freighter_under_fire_has_a_hundred_frames():
    assert api.run(burning_freighter(), seed=15).outcome["steps"] == STEPS
