"""A good scenario with something changed, and changes of any kind: what the checks of every system are tried on."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.core.problems import Problem


class Good:
    """A good scenario, from which others are made; the scenario itself stays as it is."""

    def __init__(self, document):
        self.document = document

    def but(self, *path, value=None, **keys):
        """The scenario with one thing changed: a value set at a path, or keys added there."""
        document = copy.deepcopy(self.document)
        at = document
        for key in path[:-1] if not keys else path:
            at = at.setdefault(key, {}) if isinstance(at, dict) else at[key]
        if keys:
            at.update(keys)
        else:
            at[path[-1]] = value
        return document

    def adding(self, name, *items):
        """The scenario with items added to one of its lists."""
        document = copy.deepcopy(self.document)
        document[name] += items
        return document

    def event(self, **keys):
        """The scenario with one more event."""
        return self.adding("event", {"step": 1, **keys})

    def rows(self, *lines):
        """The scenario with other rows of its map."""
        return self.but("map", "rows", value=list(lines))

    def legend(self, symbol, **entry):
        """The scenario with one symbol of its map's legend described otherwise."""
        return self.but("map", "legend", symbol, value=entry)

    def changed(self, changes):
        """The scenario with values set at paths, as far as those are there."""
        document = copy.deepcopy(self.document)
        for path, value in changes:
            at = document
            for key in path[:-1]:
                at = at[key] if holds(at, key) else None
            if isinstance(at, dict) or holds(at, path[-1]):
                at[path[-1]] = value
        return document


def holds(at, key):
    """Whether a table has a key, or a list a place."""
    return key in at if isinstance(at, dict) else isinstance(at, list) and isinstance(key, int) and key < len(at)


def anything(names, words):
    """Values of every kind, of the words of a system and beside them; `names`: keys of its tables."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 9),
        st.just(2**70),
        st.floats(),
        st.text(max_size=3),
        st.sampled_from(words),
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(names) | st.integers(0, 2), inner, max_size=4)
        ),
        max_leaves=12,
    )


def check_of_anything_never_raises(check, names, values):
    """Whatever stands in a document that is no scenario, the check tells it."""

    @settings(max_examples=200, deadline=None)
    @given(st.dictionaries(st.sampled_from(names) | st.integers(0, 2), values, max_size=6) | values)
    def try_one(document):
        read, problems = check(document)
        assert read is None
        assert problems
        assert all(isinstance(p, Problem) and str(p) for p in problems)

    try_one()


def check_of_a_change_never_raises(check, good, paths, values, examples, passed=lambda document, read: None):
    """Whatever is changed in a good document, the check tells it, or lets it pass: then `passed` is tried on it."""

    @settings(max_examples=examples, deadline=None)
    @given(st.lists(st.tuples(st.sampled_from(paths), values), min_size=1, max_size=2))
    def try_one(changes):
        document = good.changed(changes)
        read, problems = check(document)
        assert (read is None) == bool(problems)
        assert all(str(p) for p in problems)
        if read is not None:
            passed(document, read)

    try_one()
