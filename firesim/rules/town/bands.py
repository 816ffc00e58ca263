"""A large fire by several threads: bands of rows, each a stream of its own, and the seam where they meet.

A band is a state that shares the map with the others and has lists, counts and tallies of its own. What a turn does in
one band reaches no further than the seam: the rows between two bands, so many that no two bands have a neighbour in
common, and all hexes of a building that would lie in more than one part. The seam burns in the state itself. `owner`
says of each cell by number in which of them it lies. The parts of a turn (`burn_band`, `land_jumps`, `end_band`) may
go on in all bands at once; the seam's end comes after theirs, and sparks, which fly anywhere, are thrown from the seam.
Dice are keyed and the rest is taken as a stream takes it, so the bits are those of one thread.
"""

from __future__ import annotations

from firesim.grid.lists import sort_by
from firesim.jit import jit
from firesim.rules.base import STEP, TOUCHED
from firesim.rules.town import state as s
from firesim.rules.town.stream import (
    WAYS,
    begin,
    burn,
    burn_out,
    consume_all,
    end,
    find_jumps,
    go_external,
    make_jumps,
    throw_sparks,
)
from firesim.rules.town.stream_layout import FOUND


# ------------------------------------------------------------------------------------------------- whether it is of use
@jit
def can_share(params, state, least):
    """Between turns: whether so many hexes burn, and the next turn brings nothing but their fire.

    Not before the first, in which the stream is made.
    """
    return state.clock[STEP] > 0 and state.counts[s.BURNING] >= least and not due(params, state)


@jit
def due(params, state):
    """Whether an event or an ignition comes in the next turn: what may happen anywhere, one thread does."""
    turn, event = state.clock[STEP] + 1, state.counts[s.NEXT_EVENT]
    if event < params.events.shape[0] and params.events[event].step <= turn:
        return True
    for i in range(state.counts[s.OPEN_IGNITION], params.ignitions.shape[0]):
        if not state.ignited[i] and params.ignitions[i].step <= turn:
            return True
    return False


# ---------------------------------------------------------------------------------------------------- to bands and back
@jit
def divide(state, band, owner, number):
    """A band takes over what burns in it; it begins with the turn, weather and ignitions of the whole."""
    for i in range(state.clock.shape[0]):
        band.clock[i] = state.clock[i]
    for i in range(state.weather.shape[0]):
        band.weather[i] = state.weather[i]
    band.counts[s.NEXT_EVENT], band.counts[s.OPEN_IGNITION] = state.counts[s.NEXT_EVENT], state.counts[s.OPEN_IGNITION]
    kept = 0
    for place in range(state.counts[s.BURNING]):
        if owner[state.lists[s.BURNING, place]] == number:
            copy_hex(band, band.counts[s.BURNING], state, place)
            band.counts[s.BURNING] += 1
        else:
            copy_hex(state, kept, state, place)
            kept += 1
    state.counts[s.BURNING] = kept


@jit
def copy_hex(target, to, source, place):
    """A burning hex at a place of one stream, to a place of another."""
    target.lists[s.BURNING, to] = source.lists[s.BURNING, place]
    for row in range(source.stream.shape[0]):
        target.stream[row, to] = source.stream[row, place]


@jit
def gather(state, band):
    """All that a band has goes back to the whole; the band is done with."""
    for place in range(band.counts[s.BURNING]):
        copy_hex(state, state.counts[s.BURNING] + place, band, place)
    for list_ in (s.FUELLED, s.RESTING):
        for i in range(band.counts[list_]):
            state.lists[list_, state.counts[list_] + i] = band.lists[list_, i]
    for list_ in (s.BURNING, s.FUELLED, s.RESTING):
        state.counts[list_] += band.counts[list_]
    for i in range(band.counts[TOUCHED]):
        state.touched_list[state.counts[TOUCHED] + i] = band.touched_list[i]
    state.counts[TOUCHED] += band.counts[TOUCHED]
    for i in range(state.tally.shape[0]):
        state.tally[i] += band.tally[i]


# ------------------------------------------------------------------------------------------------------ parts of a turn
@jit
def burn_band(params, state, key, owner, rims, number, sent):
    """A band's turn up to its jumps [TN-59, A1-16].

    Returns how many hexes are at ST 0, how many jumps stay in the band, and how many leave it.
    Hexes at ST 0 are consumed later, in `end_band`: until then nothing but an ignition could tell the difference.
    sent: (hexes) int32, where jumps that leave are listed; only hexes of `rims` have a neighbour elsewhere.
    """
    turn = state.clock[STEP] + 1
    begin(params, state, key, turn)
    burn(params, state)
    ending = burn_out(params, state)
    found, kept, left = state.work[FOUND], 0, 0
    for i in range(find_jumps(params, state)):
        jump = found[i]
        if not rims[jump // WAYS] or owner[params.links.to[jump // WAYS, jump % WAYS]] == number:
            found[kept] = jump
            kept += 1
        else:
            sent[left] = jump
            left += 1
    return ending, kept, left


@jit
def take_jumps(params, state, owner, number, count, sent, left):
    """The jumps out of another band that go into this one join the `count` of its own. Returns how many it has now."""
    found = state.work[FOUND]
    for i in range(left):
        if owner[params.links.to[sent[i] // WAYS, sent[i] % WAYS]] == number:
            found[count] = sent[i]
            count += 1
    return count


@jit
def land_jumps(params, state, key, count):
    """The jumps at hexes of this band [TN-28..TN-31]."""
    make_jumps(params, state, key, state.clock[STEP] + 1, count)


@jit
def bring_flares(state, band, own):
    """A band's flare-ups join those of the seam, of which `own` are its own, behind all that burns there."""
    for i in range(band.counts[s.FLARES]):
        place = band.lists[s.FLARES, i]
        behind = state.counts[s.BURNING] + state.counts[s.FLARES] - own
        state.lists[s.BURNING, behind] = band.lists[s.BURNING, place]
        state.words[s.FLARE_HEADING, behind] = band.words[s.FLARE_HEADING, place]
        state.lists[s.FLARES, state.counts[s.FLARES]] = behind
        state.counts[s.FLARES] += 1
    band.counts[s.FLARES] = 0


@jit
def throw_all_sparks(params, state, key):
    """The sparks of all flare-ups that were brought to the seam, by cell [TN-33, TN-60]."""
    sort_by(state.lists[s.BURNING], state.lists[s.FLARES], state.counts[s.FLARES])
    throw_sparks(params, state, key, state.clock[STEP] + 1)


@jit
def hand_out(state, band, owner, number):
    """What sparks lit or destroyed goes to the band in which it lies; accelerants and roofs the seam may look after."""
    for list_ in (s.FRESH, s.ASHES):
        kept = 0
        for i in range(state.counts[list_]):
            cell = state.lists[list_, i]
            if owner[cell] == number:
                band.lists[list_, band.counts[list_]] = cell
                band.counts[list_] += 1
            else:
                state.lists[list_, kept] = cell
                kept += 1
        state.counts[list_] = kept


@jit
def end_band(params, state, key, ending):
    """A band's turn from the sparks on [TN-59, A1-16]."""
    turn = state.clock[STEP] + 1
    consume_all(params, state, key, turn)
    go_external(params, state, turn)
    end(params, state, turn, ending)
