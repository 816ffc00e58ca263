"""A game at the table in a terminal: the commands of `firesim play`, real dice, and what is told after each step."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firesim.cli_dice import RealDice, StopRolling, ask_line
from firesim.cli_table_help import BESIDE, COMMANDS, help_text
from firesim.cli_terminal import frames_bar, say, say_problems, tell

LOOK_MOST = 24
"""Places and people that one look tells."""

GONE_MOST = 8
"""Things taken back that are told one by one."""


class Table:
    """The game under way in a terminal: it reads commands, does them, keeps the save and the pictures up to date."""

    def __init__(self, game: Any, save: Path, dice: str, png: Path | None, players: Path | None) -> None:
        self.game, self.save_at, self.dice = game, save, dice
        self.pictures: dict[str, Path | None] = {"picture": png, "players": players}
        self.map_after = False
        self.person = RealDice()
        self.step_word = game.system.step_word
        game.changed = self.keep

    # ------------------------------------------------------------------------------------------------------- the loop
    def play(self) -> None:
        """Read and do commands until the person leaves. Ctrl-C and Ctrl-D raise; the save is up to date always."""
        self.keep()
        self.draw()
        tell(self.standing())
        say("Enter plays the next " + self.step_word.lower() + "; help says what else can be done")
        while (line := self.command()) is not None and self.do(line):
            pass

    def command(self) -> str | None:
        """The next command; None at the end of a script of commands. Ctrl-D at a terminal raises EOFError."""
        try:
            return ask_line(f"{self.step_word.lower()} {self.game.steps + 1}> ").strip()
        except EOFError:
            if sys.stdin.isatty():
                raise
            say("")
            return None

    def do(self, line: str) -> bool:
        """Do one command; False when it was to leave. Problems are told, and nothing has changed then."""
        from firesim.core.problems import InputError

        line = line.replace("\t", " ")
        word, _, rest = line.partition(" ")
        name = word.lower()
        try:
            if name in ("quit", "exit", "q"):
                return False
            if self.dice == "real" and name.replace(",", "").isdigit():
                self.person.type_ahead(line.replace(",", " ").split())
                self.one_step()
            elif not name or name in COMMANDS:
                command: Callable[[str], None] = getattr(self, f"do_{name or 'step'}")
                command(rest.strip())
            else:
                self.do_event(name, line)
        except InputError as error:
            say_problems(error.problems)
        return True

    def keep(self) -> None:
        """Write the save; a disk that is full is told, and the game goes on."""
        from firesim.core.problems import InputError
        from firesim.table import saves

        try:
            saves.write(self.game, self.save_at, self.dice)
        except InputError as error:
            say_problems(error.problems)

    # ------------------------------------------------------------------------------------------------------- commands
    def do_step(self, words: str) -> None:
        """The next steps."""
        from firesim.core.problems import InputError, Problem

        count = self.number(words, 1)
        if not count:
            raise InputError(Problem("step 0 plays nothing", "how many to play, from 1"))
        for _ in range(count):
            if self.game.over and self.game.steps:
                self.game.step()  # says why there is none
            if not self.one_step():
                return

    def one_step(self) -> bool:
        """One step; whether it was finished."""
        from firesim.table.rolling import TakeBack

        ask = self.person if self.dice == "real" else None
        if ask and self.game.under_way:
            say(f"  going on with the faces {' '.join(map(str, self.game.under_way))}")
        try:
            self.game.step(ask=ask, tell=self.tell_records)
        except TakeBack:
            say(f"  nothing of this {self.step_word.lower()} is left to take back; undo takes back the one before")
            return False
        except StopRolling:
            say(f"  the {self.step_word.lower()} is not finished; Enter goes on with it")
            return False
        finally:
            self.person.forget_typed()
        self.after()
        return True

    def do_back(self, _: str) -> None:
        """Take back the last face of the step just played, and go on rolling it."""
        self.game.reopen()
        self.one_step()

    def do_event(self, name: str, line: str) -> None:
        """An event or a deed, by the words of the system; what is missing is asked for once."""
        from firesim.core.problems import InputError, Problem, listed, nearest
        from firesim.table.places import places_named
        from firesim.table.words import event_of, keys_of

        kinds = self.game.kinds
        if name not in kinds:
            hint = nearest(name, [*COMMANDS, *kinds])
            raise InputError(Problem(f"'{name[:40]}' is no command", listed([*COMMANDS, *kinds], 40), hint))
        more = line[len(name) :].strip()
        if not more:
            beside = f"; {BESIDE[name]}" if name in BESIDE else ""
            keys = ", ".join(keys_of(self.game.system, name))
            more = ask_line(f"  {name} what? ({keys}; empty: leave it{beside}): ").strip()
        if not more:
            return
        names = self.game.system.named(self.game.prepared)
        self.game.apply(event_of(self.game.system, f"{name} {more}", names, places_named(self.game.prepared)))
        say(f"  {self.announced()}")
        self.draw()

    def announced(self) -> str:
        """What was done last, an event or a deed, and from when it holds."""
        from firesim.table.inputs import Applied, Stepped, faces_told

        given, step = self.game.inputs[-1], self.step_word.lower()
        told = self.game.told(given)
        assert not isinstance(given, Stepped)
        if given.given_up:
            one = len(given.given_up) == 1
            void = "is given up; undo brings it back" if one else "are given up; undo brings them back"
            told += f"; {faces_told(given.given_up)} of {step} {self.game.steps + 1} {void}"
        if isinstance(given, Applied):
            return f"from {step} {given.event['step']} on; {told}"
        return f"from {step} {self.game.steps + 1} on; the GM: {told}"

    def do_undo(self, words: str) -> None:
        """Take back the last things done, or go back to a step."""
        from firesim.core.problems import InputError, Problem
        from firesim.table.inputs import faces_told

        back_to = words.removeprefix("to").strip() if words.startswith("to") else None
        if back_to == "":
            raise InputError(Problem("undo to which step?", "undo to 4", "undo alone takes back the last thing done"))
        if back_to is not None:
            gone = self.game.undo(to=self.number(back_to, 0))
        else:
            gone = self.game.undo(self.number(words, 1))
        more = [f"{len(gone) - GONE_MOST} more"] if len(gone) > GONE_MOST else []
        say(f"  taken back: {'; '.join([*gone[:GONE_MOST], *more]) or 'nothing'}")
        if faces := self.game.under_way:
            step = f"{self.step_word.lower()} {self.game.steps + 1}"
            say(f"  {faces_told(faces)} of {step} stand{'s' * (len(faces) == 1)} again; Enter goes on with it")
        tell(self.standing())
        self.draw()

    def do_dice(self, words: str) -> None:
        """Real dice or keyed ones."""
        from firesim.core.problems import InputError, Problem

        if words not in ("real", "keyed", ""):
            raise InputError(Problem(f"dice '{words[:40]}'", "dice real, or dice keyed"))
        self.dice = words or self.dice
        self.keep()
        say(f"  the dice are {self.dice}")

    def do_look(self, words: str) -> None:
        """How a cell, a building or a person fares; without a word, all people and all that burns."""
        from firesim.core.problems import InputError, Problem
        from firesim.table.places import numbers_of

        ready = self.game.prepared
        if words:
            numbers = numbers_of(ready, words)
        else:
            everybody = [n for each in ready.system.named(ready).values() for n in each if n >= len(ready.first.cells)]
            numbers = sorted({*everybody, *ready.system.alight(ready, self.game.state)})
            if not numbers:
                raise InputError(Problem("nothing burns, and nobody is there", "a place, as look 4 12, or a name"))
        tell("\n".join(self.how_it_fares(number) for number in numbers[:LOOK_MOST]))
        if len(numbers) > LOOK_MOST:
            say(f"  and {len(numbers) - LOOK_MOST} more")

    def how_it_fares(self, number: int) -> str:
        """A cell, a person or a thing with its figures and the times of what happened to it, in a line."""
        ready, state = self.game.prepared, self.game.state
        name = ready.system.cell_name(ready, number)
        told = f"{name[:1].upper()}{name[1:]}: {ready.system.fares(ready, state, number)}"
        if number >= len(state.cells):
            return told
        times = zip(ready.system.records, state.cells.at[number].tolist(), strict=True)
        return told + "".join(
            f"; {when.replace('_at', '')} in {self.step_word.lower()} {step}" for when, step in times if step >= 0
        )

    def do_why(self, words: str) -> None:
        """Why something burnt."""
        parts = words.strip("[]()").replace(",", " ").split()
        is_cell = len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts)
        tell(self.game.why(self.cell(words) if is_cell or not words else words).text)

    def do_story(self, words: str) -> None:
        """What happened in a step, or in all."""
        from firesim.core.problems import InputError, Problem

        step = None if words == "all" else self.number(words, self.game.steps)
        told = self.game.story(step)
        if step is not None and step > self.game.steps and not told:
            name, played = self.step_word.lower(), self.game.steps
            expected = f"a {name} from 1 to {played}" if played else f"a {name} that was; none has been played so far"
            raise InputError(Problem(f"{name} {step} is not played yet", expected))
        tell("".join(f"{self.step_word} {step}: {text}\n" for step, text in told) or "nothing happened\n", end="")

    def do_map(self, words: str) -> None:
        """The map in letters and colours."""
        from firesim.cli_map import print_map

        if words in ("on", "off"):
            self.map_after = words == "on"
        if words != "off":
            alight = self.game.system.alight(self.game.prepared, self.game.state)
            print_map(self.game.prepared, self.scene(False), [c for c in alight if c < self.cells])

    @property
    def cells(self) -> int:
        """Cells of the map."""
        return int(self.game.prepared.shape[-1] * self.game.prepared.shape[-2])

    def do_state(self, _: str) -> None:
        """The figures as they stand."""
        tell(self.standing())
        tell("  ".join(f"{name} {value}" for name, value in self.game.outcome.items()))

    def do_picture(self, words: str, kind: str = "picture") -> None:
        """Write a picture now and after each step."""
        from firesim.core.files import writable

        if words:
            self.pictures[kind] = writable(Path(words), (".png",))
        self.draw()
        say("\n".join(f"  {k}: {p or 'none'}" for k, p in self.pictures.items()))

    def do_players(self, words: str) -> None:
        """Write the picture that players may see."""
        self.do_picture(words, "players")

    def do_tree(self, words: str) -> None:
        """Who lit whom and when, as a picture."""
        from firesim.outputs import write_spread

        say(f"  wrote {write_spread(self.game, self.file(words, '.png'))}")

    def do_film(self, words: str) -> None:
        """The game so far as an animation."""
        from firesim.outputs import write_animation

        name, fps, size = film_words(words)
        path = self.file(name, ".gif", ".mp4")
        with frames_bar(self.game.steps + 1, True) as drawn:
            write_animation(self.game, path, drawn, fps, size)
        say(f"  wrote {path}")

    def do_sheets(self, words: str) -> None:
        """The game so far on printable pages."""
        from firesim.outputs import write_sheets

        name = words.removesuffix(" players").removeprefix("players ").strip()
        say(f"  wrote {write_sheets(self.game, self.file(name, '.pdf'), name != words)[0]}")

    def do_save(self, words: str) -> None:
        """Keep the game in another file from now on; never over a file that is there."""
        from firesim.core.problems import InputError, Problem
        from firesim.table import saves

        if words:
            chosen = Path(words)
            if chosen.exists() and not (self.save_at.exists() and chosen.samefile(self.save_at)):
                raise InputError(Problem("there is a file already", "the name of a new one", file=words[:200]))
            saves.write(self.game, chosen, self.dice)
            self.save_at = chosen
        say(f"  the game is kept in {self.save_at}, after everything that is done")

    def do_help(self, _: str) -> None:
        """What can be done."""
        tell(help_text(self.game))

    # -------------------------------------------------------------------------------------------------------- helpers
    def file(self, words: str, *suffixes: str) -> Path:
        """The file to write that was named."""
        from firesim.core.files import writable
        from firesim.core.problems import InputError, Problem

        if not words:
            raise InputError(Problem("the file has no name", f"a name ending in {suffixes[0]}"))
        return writable(Path(words), suffixes)

    def after(self) -> None:
        """What follows a step: how it stands, the pictures, the map."""
        tell(self.standing())
        self.draw()
        if self.map_after:
            self.do_map("")

    def standing(self) -> str:
        """How the fire stands, in a line."""
        end = "; the fire is over" if self.game.over and self.game.steps else ""
        return str(self.scene(False).caption) + end

    def scene(self, for_players: bool) -> Any:
        """The picture of the present."""
        game = self.game
        make = game.system.players_scene if for_players else game.system.scene
        return make(game.prepared, game.state, game.events_of(game.steps), game.steps)

    def draw(self) -> None:
        """Write the pictures that are wanted."""
        from firesim.outputs import any_script, title_of
        from firesim.render.snapshot import snapshot

        for kind, path in self.pictures.items():
            if path:
                with any_script():
                    scene = self.scene(kind == "players")
                    snapshot(self.game.prepared, scene, path, title=title_of(self.game))

    def tell_records(self, records: Any) -> None:
        """What happened, a sentence a line."""
        for record in records:
            tell(f"  {record.text[:1].upper()}{record.text[1:]}")

    def number(self, words: str, default: int) -> int:
        """A whole number as typed, or the default for nothing."""
        from firesim.core.problems import InputError, Problem

        if not words:
            return default
        if not (words.isascii() and words.isdigit() and len(words) < 7):
            raise InputError(Problem(f"'{words[:40]}'", "a whole number"))
        return int(words)

    def cell(self, words: str) -> tuple[int, int]:
        """A row and a column as typed."""
        from firesim.core.problems import InputError, Problem

        parts = words.strip("[]()").replace(",", " ").split()
        if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts):
            raise InputError(Problem(f"'{words[:40]}' is no cell", "a row and a column, as 4 12"))
        return int(parts[0]), int(parts[1])


def film_words(words: str) -> tuple[str, float | None, int | None]:
    """A film's name, frames per second and size, as typed: `fire.gif fps=8 size=900`. Raises InputError."""
    from firesim.core.problems import InputError, Problem

    name, how = words.split(), {"fps": "", "size": ""}
    while name and name[-1].partition("=")[0] in how:
        key, equals, value = name.pop().partition("=")
        try:
            (float if key == "fps" else int)(value)
        except ValueError:
            raise InputError(Problem(f"'{key}{equals}{value[:40]}'", f"a number, as {key}=8")) from None
        how[key] = value
    return " ".join(name), float(how["fps"]) if how["fps"] else None, int(how["size"]) if how["size"] else None
