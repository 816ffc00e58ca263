"""What `firesim play` says to `help`: its commands, and each kind of event or deed with the keys it takes."""

from __future__ import annotations

import textwrap
from typing import Any

HELP = """Enter            the next {step} (also: step, or step 5)
dice real        the table rolls; each prompt says who rolls what and why, and
                 takes a face, several faces, back (take the last one back, also
                 after the {step}), rest (firesim rolls the rest of it) or stop
                 (leave it; faces typed are kept)
dice keyed       firesim rolls
{events}
undo             take back the last {step} or event (undo 3: the last three;
                 undo to 4: go back to the end of {step} 4)
look 4 12        what stands at row 4, column 12 (both from 0), and how it fares
                 (look NAME: a building, a person; look: all people, all fires)
why 4 12         why did this burn? who lit whom, by which roll (also: why NAME)
story            what was done and happened in this {step} (story 3, story all)
map              the map; map on: after each {step}
state            the figures as they stand
picture FILE     write the picture (.png) now and after each {step}
players FILE     the same, as players may see it
tree FILE        write who lit whom and when (.png)
film FILE        write the game so far (.gif, .mp4); film FILE fps=8 size=900:
                 frames per second; pixels on the longer side of the map
sheets FILE      write printable pages (.pdf); sheets FILE players: for players
save             where the game is kept; save FILE: keep it there from now on
quit             leave; nothing is lost"""

COMMANDS = (
    *("step", "back", "dice", "undo", "look", "why", "story", "map", "state", "picture", "players"),
    *("tree", "film", "sheets", "save", "help", "quit"),
)

BESIDE = {"wet": "for the whole weather: moisture wet"}
"""What is said of a kind beside its keys: what else a person may have meant."""

MARGIN = " " * 17


def help_text(game: Any) -> str:
    """The help of a game, within 80 columns."""
    step = game.system.step_word.lower()
    return HELP.format(step=step, events=events_help(game, step))


def events_help(game: Any, step: str) -> str:
    """Every kind with its keys, and how they are typed."""
    from firesim.table.words import keys_of

    lines = []
    for kind in game.kinds:
        keys = keys_of(game.system, kind)
        head = f"{kind:<{len(MARGIN)}}"
        lines += textwrap.wrap(f"{head}{', '.join(keys)}", 79, subsequent_indent=MARGIN, drop_whitespace=False)
    keys = keys_of(game.system, game.kinds[0])
    more = (
        f"from the next {step} on, as: {example(game)}; the keys that each takes stand beside it, not all are needed; "
        f"a word may want its key: {keys[0]}=..."
        + "".join(f"; {kind} wants a place ({more})" for kind, more in BESIDE.items() if kind in game.kinds)
    )
    return "\n".join([*lines, *textwrap.wrap(more, 79, initial_indent=MARGIN, subsequent_indent=MARGIN)])


def example(game: Any) -> str:
    """A line as it may be typed."""
    return "hurt NAME 3" if "hurt" in game.kinds else "wet 4 12"
