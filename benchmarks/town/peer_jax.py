"""The same town in JAX: one turn of one map as vector arithmetic on whole arrays, vmapped over fires, looped by XLA.

The rules are those named in `peer_numpy`. All dice of a hex's turn are cut from one word of JAX's generator (6^4 of
2^32: even to within 10^-6). Batches of fires run on as many threads as there are processors.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.town.peer_numpy import COLLAPSE_AT
from benchmarks.town.scenes import ARMOUR, ST

BATCH = 8
"""Replicates burnt together: the fastest of 8 to 128 on the machine of the README's table."""

UNLIT, BURNING, TRIED, GONE = (jnp.int8(code) for code in range(4))
"""What a hex is; tried: it burns, and its collapse die has been rolled."""

NAMES = ("steps", "consumed", "consumed_early", "collapsed", "flare_ups")
NO_END = 2**31 - 1


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    first = jnp.tile(alight(size, [(size // 2) * size + size // 2]), (BATCH, 1, 1))
    keys = jax.random.split(jax.random.key(seed), -(-fires // BATCH))
    burn_batch(keys[0], first, 1, 1)  # compiled before the threads start
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        parts = threads.map(lambda key: jax.device_get(burn_batch(key, first, early, NO_END)), keys)
    return {name: np.concatenate(part)[:fires] for name, part in zip(NAMES, zip(*parts, strict=True), strict=True)}


class Town:
    """A town whose first arrays are made once; fires leave them as they are."""

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.key = size, jax.random.key(seed)

    def stand_again(self) -> None:
        """Nothing to do: JAX's arrays are never written to."""

    def burn(self, cells: Sequence[int], early: int, turns: int | None = None) -> dict[str, int]:
        """Burn from the cells alight to the end, or for so many turns; the fire's outcomes."""
        self.key, key = jax.random.split(self.key)
        found = jax.device_get(burn_batch(key, alight(self.size, cells)[None], early, turns or NO_END))
        return {name: int(each[0]) for name, each in zip(NAMES, found, strict=True)}


def alight(size: int, cells: Sequence[int]) -> jax.Array:
    """A map of houses (size, size), all unlit but for these cells."""
    return jnp.full(size * size, UNLIT).at[jnp.asarray(cells)].set(BURNING).reshape(size, size)


@jax.jit
def burn_batch(key: jax.Array, first: jax.Array, early: int, turns: int) -> tuple[jax.Array, ...]:
    """Burn maps (fires, rows, columns) side by side until nothing burns in any, or for so many turns."""
    fires = len(first)
    hexes = first, jnp.full(first.shape, jnp.int8(ST)), jnp.full(first.shape, jnp.int8(ARMOUR)), jnp.zeros_like(first)
    zeros = jnp.zeros(fires, jnp.int32)

    def go_on(town):
        return burning(town[0][0]).any() & (town[3] < turns)

    def step(town):
        hexes, steps, consumed_early, turn, key = town
        steps += burning(hexes[0]).any(axis=(1, 2))
        key, mine = jax.random.split(key)
        hexes = jax.vmap(play_turn)(jax.random.split(mine, fires), *hexes)
        turn += 1
        consumed_early = jax.lax.cond(turn == early, lambda: count(hexes[0] == GONE), lambda: consumed_early)
        return hexes, steps, consumed_early, turn, key

    hexes, steps, consumed_early, turn, _ = jax.lax.while_loop(go_on, step, (hexes, zeros, zeros, 0, key))
    state, _, _, marks = hexes
    consumed = count(state == GONE)
    return steps, consumed, jnp.where(turn < early, consumed, consumed_early), count(marks >> 4), count(marks & 15)


def burning(state: jax.Array) -> jax.Array:
    """Which hexes burn."""
    return (state == BURNING) | (state == TRIED)


def count(figures: jax.Array) -> jax.Array:
    """The sum over each map."""
    return figures.sum(axis=(1, 2), dtype=jnp.int32)


def four_dice(key: jax.Array, shape: tuple[int, ...]) -> list[jax.Array]:
    """Four six-sided dice for every hex."""
    rest = (jax.random.bits(key, shape, jnp.uint32) % 1296).astype(jnp.uint16)
    dice = []
    for _ in range(4):
        dice.append((rest % 6).astype(jnp.int8) + jnp.int8(1))
        rest //= 6
    return dice


def play_turn(key, state, st, armour, marks):
    """One turn of one map (rows, columns). marks: flare-ups in the lower four bits, a collapse above them."""
    own, heading, face, fall = four_dice(key, state.shape)

    # collapse, own attack
    on = burning(state)
    due = (state == BURNING) & (st <= COLLAPSE_AT)
    state = jnp.where(due, TRIED, state)
    net = jnp.where(on, own - armour, 0)
    marks += (net >= 5).astype(jnp.int8) + jnp.where(due & (fall >= 4), jnp.int8(16), jnp.int8(0))
    st, armour = damaged(st, armour, net)
    state = jnp.where(on & (st <= 0), GONE, state)

    # jumps: direction and face of every hex that burns, looked at from the six hexes around it
    sent = jnp.where(on & (st > 0), 8 * heading + face, 0)
    unlit = state == UNLIT
    for direction, coming in enumerate(arrivals(sent), start=1):
        net = jnp.where(unlit & (coming >> 3 == direction), (coming & 7) - armour, 0)
        st, armour = damaged(st, armour, net)
    lit = unlit & (st < ST)
    state = jnp.where(lit, jnp.where(st <= 0, GONE, BURNING), state)
    return state, st, armour, marks


def damaged(st: jax.Array, armour: jax.Array, net: jax.Array) -> tuple[jax.Array, jax.Array]:
    """ST and armour after attacks of this net damage, where it is above 0."""
    hit = net > 0
    return jnp.where(hit, st - net, st), jnp.where(hit & (armour > 0), armour - 1, armour)


def arrivals(sent: jax.Array) -> list[jax.Array]:
    """For each of the six directions what the hex that lies there as seen backwards has sent; odd rows lie right."""
    rows, columns = sent.shape
    odd = (jnp.arange(rows) % 2 == 1)[:, None]
    framed = jnp.pad(sent, 1)

    def at(row_step, column_step):
        return framed[1 + row_step : 1 + row_step + rows, 1 + column_step : 1 + column_step + columns]

    def slanting(row_step, to_the_right):
        return jnp.where(odd, at(row_step, to_the_right), at(row_step, to_the_right - 1))

    return [at(0, -1), slanting(1, 0), slanting(1, 1), at(0, 1), slanting(-1, 1), slanting(-1, 0)]
