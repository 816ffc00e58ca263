"""The walk over acts: every state a fire can be in, and the chances of what comes next.

A node is a state between two acts, as its bytes that matter; an edge is what the dice of an act make of it. From each
node the kernel's own `act` is played with every face its dice can show; acts without dice are passed through. All of
it is compiled and works on batches of states; nothing here knows a rule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from firesim.dice.keyed import fire_key
from firesim.dice.tape import GIVEN, KEYED, MISFIT, SHORT, SIDES, USED
from firesim.jit import jit
from firesim.rules.base import PHASE, POSITION, STEP, TOUCHED
from firesim.rules.kernels import act, forget, outcome, over

Array = np.ndarray[Any, Any]

DONE, GRAPH_FULL, TAPE_FULL, TOO_MANY_LEAVES = range(4)
NODES, EDGES, OPEN, QUEUED, LATER = range(5)
"""Places in `Graph.counts`: nodes found, edges made; how many of `now` are expanded, lengths of `now` and `later`."""

NO_KEY = (np.uint64(0), np.uint64(0))
MIX = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)
LEAVES_MOST = 300_000
"""Sequences of faces of one act beyond which a chain is given up: seven d6 have 279,936."""


class Graph(NamedTuple):
    """Nodes and edges found so far. Arrays grow by copying, see `larger`.

    rows (nodes, words) uint64: each node's bytes that matter. table: open hash table of node numbers + 1. first, last
    (nodes): the node's edges in child and chance; equal where it is not expanded. gain, square (edges): chance times
    what the outcome gains on the edge, and its square; empty where gains are not kept. rank: the cursor, 0 between
    steps. ended: nothing burns, nothing is pending. now: nodes to expand in this step, in the order found; later:
    those of the next step.
    """

    rows: Array
    table: Array
    first: Array
    last: Array
    child: Array
    chance: Array
    gain: Array
    square: Array
    rank: Array
    ended: Array
    now: Array
    later: Array
    counts: Array


class Desk(NamedTuple):
    """Where states are laid to be worked on.

    state: views into `buffer`. kept: places in it of the bytes that make states different; row, as bytes row_bytes:
    those bytes of one node. neutral: the buffer of the first state. columns: room for outcomes. place: the outcome
    column looked at. before: its value in the first state. settled_step: see `tidy`.
    """

    state: Any
    buffer: Array
    kept: Array
    neutral: Array
    row: Array
    row_bytes: Array
    columns: Array
    place: int
    before: int
    settled_step: int


def empty_graph(words: int, nodes: int, edges: int, gains: bool = False) -> Graph:
    """A graph with room for so many nodes and edges."""
    size = 1 << int(np.ceil(np.log2(2 * nodes)))
    return Graph(
        rows=np.zeros((nodes, words), np.uint64),
        table=np.zeros(size, np.int64),
        first=np.zeros(nodes, np.int64),
        last=np.zeros(nodes, np.int64),
        child=np.zeros(edges, np.int32),
        chance=np.zeros(edges),
        gain=np.zeros(edges if gains else 0),
        square=np.zeros(edges if gains else 0),
        rank=np.zeros(nodes, np.int64),
        ended=np.zeros(nodes, np.uint8),
        now=np.zeros(nodes, np.int32),
        later=np.zeros(nodes, np.int32),
        counts=np.zeros(5, np.int64),
    )


def larger(graph: Graph) -> Graph:
    """The same graph with twice the room."""
    wider = empty_graph(graph.rows.shape[1], 2 * len(graph.rows), 2 * len(graph.child), len(graph.gain) > 0)
    for name in Graph._fields:
        if name == "table":
            continue
        old = getattr(graph, name)
        getattr(wider, name)[: len(old)] = old
    rehash(wider)
    return wider


@jit
def hash_of(row):
    """A 64-bit hash of a row of words."""
    mixed = np.uint64(row.shape[0])
    for i in range(row.shape[0]):
        mixed = (mixed ^ row[i]) * MIX
        mixed ^= mixed >> SHIFT
    return mixed


@jit
def rehash(graph):
    """Fill the empty hash table with the nodes there are."""
    mask = np.uint64(graph.table.shape[0] - 1)
    for node in range(graph.counts[NODES]):
        place = hash_of(graph.rows[node]) & mask
        while graph.table[place]:
            place = (place + np.uint64(1)) & mask
        graph.table[place] = node + 1


@jit
def node_of(graph, row, rank, ended):
    """The number of the node with these bytes; a new one if there was none."""
    mask = np.uint64(graph.table.shape[0] - 1)
    place = hash_of(row) & mask
    while graph.table[place]:
        node = graph.table[place] - 1
        same = True
        for i in range(row.shape[0]):
            if graph.rows[node, i] != row[i]:
                same = False
                break
        if same:
            return node
        place = (place + np.uint64(1)) & mask
    node = graph.counts[NODES]
    graph.counts[NODES] += 1
    graph.table[place] = node + 1
    for i in range(row.shape[0]):
        graph.rows[node, i] = row[i]
    graph.rank[node] = rank
    graph.ended[node] = ended
    if rank == 0:
        graph.later[graph.counts[LATER]] = node
        graph.counts[LATER] += 1
    else:
        graph.now[graph.counts[QUEUED]] = node
        graph.counts[QUEUED] += 1
    return node


@jit
def tidy(params, state, settled_step):
    """Make states with equal futures equal: the turn's number once nothing is scheduled, unused ends of lists."""
    state.counts[TOUCHED] = 0
    if state.clock[PHASE] == 0 and state.clock[POSITION] == 0:
        state.clock[STEP] = min(state.clock[STEP], settled_step)
        forget(params, state)
    for row in range(state.lists.shape[0]):
        for i in range(state.counts[row], state.lists.shape[1]):
            state.lists[row, i] = 0


@jit
def rank_of(state):
    """The cursor as one number, growing within a step; 0 between steps."""
    return state.clock[PHASE] * np.int64(1 << 32) + state.clock[POSITION]


@jit
def find_node(params, desk, graph):
    """The node of the state as it stands."""
    state = desk.state
    tidy(params, state, desk.settled_step)
    rank = rank_of(state)
    ended = rank == 0 and over(params, state)
    for i in range(desk.kept.shape[0]):
        desk.row_bytes[i] = desk.buffer[desk.kept[i]]
    return node_of(graph, desk.row, rank, ended)


@jit
def load(graph, node, desk):
    """Make the packed state that of a node."""
    for i in range(desk.neutral.shape[0]):
        desk.buffer[i] = desk.neutral[i]
    for i in range(desk.row.shape[0]):
        desk.row[i] = graph.rows[node, i]
    for i in range(desk.kept.shape[0]):
        desk.buffer[desk.kept[i]] = desk.row_bytes[i]


@jit
def value_of(params, desk):
    """The outcome looked at, of the state as it stands."""
    outcome(params, desk.state, desk.columns)
    return desk.columns[desk.place]


@jit
def play_to_node(params, state, key, tape, log):
    """Acts up to the first that rolled, or to the step's end. False when the tape has too few faces."""
    while True:
        log.counts[0] = 0  # nobody reads it: with a log it is the same machine code as a run's
        act(params, state, key, tape, log)
        if tape.counts[SHORT]:
            return False
        if tape.counts[USED] or rank_of(state) == 0:
            return True


@jit
def add_edge(graph, parent_first, child, chance, gain):
    """One more outcome of the node whose edges begin at `parent_first`; equal children are merged."""
    edge = parent_first
    while edge < graph.counts[EDGES] and graph.child[edge] != child:
        edge += 1
    if edge == graph.counts[EDGES]:
        graph.child[edge] = child
        graph.chance[edge] = 0.0
        if graph.gain.shape[0]:
            graph.gain[edge] = graph.square[edge] = 0.0
        graph.counts[EDGES] += 1
    graph.chance[edge] += chance
    if graph.gain.shape[0]:
        graph.gain[edge] += chance * gain
        graph.square[edge] += chance * gain * gain


@jit
def expand(params, desk, graph, tape, log, until):
    """Expand what is queued for this step until nothing is left, `until` nodes are expanded, or room is wanted."""
    while graph.counts[OPEN] < min(graph.counts[QUEUED], until):
        node = graph.now[graph.counts[OPEN]]
        first = graph.counts[EDGES]
        if not graph.ended[node]:
            why = expand_node(params, desk, graph, tape, log, node)
            if why != DONE:
                graph.counts[EDGES] = first
                return why
        graph.first[node], graph.last[node] = first, graph.counts[EDGES]
        graph.counts[OPEN] += 1
    return DONE


@jit
def next_layer(graph):
    """What was found for the next step becomes what is expanded now."""
    for i in range(graph.counts[LATER]):
        graph.now[i] = graph.later[i]
    graph.counts[QUEUED] = graph.counts[LATER]
    graph.counts[OPEN] = graph.counts[LATER] = 0


@jit
def expand_node(params, desk, graph, tape, log, node):
    """All outcomes of one node: every sequence of faces, each as the dice ask for it."""
    first, leaves = graph.counts[EDGES], 0
    tape.counts[GIVEN] = 0
    while True:
        if graph.rows.shape[0] - graph.counts[NODES] < 2 or graph.child.shape[0] - graph.counts[EDGES] < 2:
            return GRAPH_FULL
        tape.counts[USED] = tape.counts[SHORT] = tape.counts[MISFIT] = 0
        load(graph, node, desk)
        if not play_to_node(params, desk.state, NO_KEY, tape, log):
            if tape.counts[GIVEN] + 1 >= tape.faces.shape[0]:
                return TAPE_FULL
            tape.faces[tape.counts[GIVEN]] = 1
            tape.counts[GIVEN] += 1
            continue
        chance = 1.0
        for die in range(tape.counts[USED]):
            chance /= tape.asked[die, SIDES]
        gain = value_of(params, desk) - desk.before if graph.gain.shape[0] else np.int64(0)
        add_edge(graph, first, find_node(params, desk, graph), chance, gain)
        leaves += 1
        if leaves > LEAVES_MOST:
            return TOO_MANY_LEAVES
        if not next_faces(tape):
            return DONE


@jit
def next_faces(tape):
    """Count the faces given up by one, like an odometer of the dice that were asked for; False after the last."""
    given = tape.counts[GIVEN]
    while given > 0:
        if tape.faces[given - 1] < tape.asked[given - 1, SIDES]:
            tape.faces[given - 1] += 1
            tape.counts[GIVEN] = given
            return True
        given -= 1
    tape.counts[GIVEN] = 0
    return False


@jit
def sample(params, desk, graph, tape, log, visits, seed, fires, steps_most):
    """Play fires by keyed dice from node 0 and count the visits to every node; for the forecast of a chain's size."""
    tape.counts[GIVEN] = 0
    rolled = 0
    for fire in range(fires):
        load(graph, 0, desk)
        steps = 0
        while steps < steps_most:
            if graph.rows.shape[0] - graph.counts[NODES] < 2:
                return fire
            tape.counts[USED] = tape.counts[SHORT] = 0
            tape.counts[KEYED] = 1
            rolled += 1
            play_to_node(params, desk.state, fire_key(seed, rolled), tape, log)
            node = find_node(params, desk, graph)
            visits[node] += 1
            if graph.ended[node]:
                break
            steps += graph.rank[node] == 0
    return fires


@jit
def one_step(order, graph, mass, after):
    """Move the probability `mass` (nodes) of one step's start to its end, `after`; nodes in order of their rank.

    What lies on a node that was not gone on from stays there.
    """
    for i in range(order.shape[0]):
        node = order[i]
        here = mass[node]
        if here == 0.0:
            continue
        mass[node] = 0.0
        if graph.first[node] == graph.last[node]:
            after[node] += here
        for edge in range(graph.first[node], graph.last[node]):
            child = graph.child[edge]
            if graph.rank[child] == 0:
                after[child] += here * graph.chance[edge]
            else:
                mass[child] += here * graph.chance[edge]


@jit
def gains_of_step(order, graph, mass, gain, square, after):
    """As `one_step`, with what the outcome gains on the way: its mean and square, each times the mass.

    after (3, nodes): mass, gain and square at the step's end.
    """
    for i in range(order.shape[0]):
        node = order[i]
        here, gained, squared = mass[node], gain[node], square[node]
        if here == 0.0:
            continue
        mass[node] = gain[node] = square[node] = 0.0
        for edge in range(graph.first[node], graph.last[node]):
            child, chance, more = graph.child[edge], graph.chance[edge], graph.gain[edge]
            new_gain = gained * chance + here * more
            new_square = squared * chance + 2.0 * gained * more + here * graph.square[edge]
            if graph.rank[child] == 0:
                after[0, child] += here * chance
                after[1, child] += new_gain
                after[2, child] += new_square
            else:
                mass[child] += here * chance
                gain[child] += new_gain
                square[child] += new_square


@jit
def read_values(params, desk, graph, values):
    """The outcome of every node between steps into `values` (nodes,) int64."""
    for node in range(values.shape[0]):
        if graph.rank[node] == 0:
            load(graph, node, desk)
            values[node] = value_of(params, desk)
