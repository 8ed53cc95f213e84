"""Which project a command is about, who acts, and what is said when it is done or blocked."""

from __future__ import annotations

import gc
import os
import shlex
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ...errors import RequestError, StoreError, unknown
from ...numbers import joined
from ..console import COLOUR, progress, tell, width
from ..help import ACTING, Option
from .definitions import spelled

if TYPE_CHECKING:
    from ...resolution.acts import Acts
    from ...resolution.command import Refused, Unmet
    from ...resolution.event import Event
    from ...resolution.preview import Preview
    from ...resolution.project import Project
    from ...resolution.state import State
    from ...views.project_subject import Subject


PROJECT, PERSON = "ACCORDANT_PROJECT", "ACCORDANT_AS"
SUFFIX = ".accordant"


@cache
def acting_options() -> tuple[Option, ...]:
    """The options --project, --as and --preview."""
    made = Option(
        ["acting_in", "-p", "--project"],
        metavar="FILE|URL",
        envvar=PROJECT,
        help="The project: a file, or postgresql://user@host/database?project=name. Default: "
        f"{PROJECT}, else the only *{SUFFIX} file of this folder; of what begins a project, a "
        "file named after the title.",
    )
    who = Option(
        ["acting_as", "--as"],
        metavar="NAME",
        envvar=PERSON,
        help=f"Who you are. Default: {PERSON}, else the only person of the project.",
    )
    look = Option(
        ["acting_looks", "--preview"],
        is_flag=True,
        help="Of what changes something: only say what it would bring about; nothing is written.",
    )
    made.section = who.section = look.section = ACTING
    return made, who, look


@dataclass
class Opened:
    """An open project and the person who looks at it or acts."""

    project: Project
    name: str
    given: str | None
    # The person as named on the command line, in the environment, or because there is only one.
    looks: bool = False
    # Whether it is only said what acts would bring about.
    typed: str | None = None
    # The project as it was named on the command line or in the environment.
    headed: bool = False
    # Whether the heading of a preview stands above what is printed.

    @property
    def state(self) -> State:
        """Where the project stands."""
        return self.project.state

    @property
    def by(self) -> str:
        """Who acts."""
        if self.given is None:
            raise RequestError(
                f"who are you? say --as NAME, or set {PERSON}; the people of this "
                f"project are {joined(self.state.people)}"
            )
        return self.given

    @property
    def viewer(self) -> str:
        """Who looks; empty for the public, which sees what anybody may see."""
        if self.given is not None and self.given not in self.state.people:
            raise unknown("person", self.given, self.state.people, "those who take part are")
        return self.given or ""

    def again(self, words: str) -> str:
        """A next step of the same person: -p and --as stand there if they have to be typed."""
        alone = next(iter(self.state.people)) if len(self.state.people) == 1 else None
        for option, given, known in (
            ("-p", self.typed, (os.environ.get(PROJECT),)),
            ("--as", self.given, (os.environ.get(PERSON), alone)),
        ):
            words += f" {option} {shlex.quote(given)}" if given and given not in known else ""
        return f"accordant project {words}"

    @contextmanager
    def subject(self) -> Iterator[Subject]:
        """The project as views take it, while the log can be read."""
        from ...views.project_subject import Subject

        with progress("comparing texts", quiet=False) as watch:
            yield Subject(self.state, Log(self.project), self.viewer, {}, self.name, watch)

    def do(self, function: Callable[..., Any], **given: Any) -> list[Event]:
        """Run a step of the procedure and say what happened, or what would."""
        if self.looks:
            self.foretell(function, given)
            return []
        try:
            events = self.project.do(function, self.by, **given)
        except StoreError:  # a conflict with somebody else, a full disk
            if texts := list(_texts(given)):
                tell(["what you wrote, to give it again:", *texts])
            raise
        self.tell(events)
        return list(events)

    def together(self, acts: Acts) -> list[Event]:
        """Carry out several acts, all or none; for the caller to tell, or say what would happen."""
        if not self.looks:
            return list(self.project.together(acts))
        self._foretold(self.project.preview_together(acts, self.by))
        return []

    def foretell(self, function: Callable[..., Any], given: Mapping[str, Any]) -> None:
        """Print what a step would bring about."""
        self._foretold(self.project.preview(function, self.by, **given))

    def _foretold(self, found: Preview) -> None:
        from ...views.project_status import preview_lines

        lines = [*preview_lines(found)] or ["nothing new"]
        if not self.headed:
            click.echo("Preview, nothing is written:")
        self.headed = True
        for line in lines:
            click.echo(_filled(f"· {line}"))

    def tell(self, events: Sequence[Event], *, following: bool = True) -> None:
        """Print what happened, and what is asked because of it."""
        from ...views.project_status import sentences

        for sentence in sentences(events):
            click.echo(textwrap.fill(f"✓ {sentence}", width(), subsequent_indent="  "))
        if following:
            self.ask(events)

    def ask(self, events: Sequence[Event]) -> None:
        """Print which questions somebody is asked because of what happened."""
        from ...views.project_status import asked_now

        for action in asked_now(events, self.state):
            click.echo(_filled(f"Next: {action.why}: {spelled(action)}", ""))


@dataclass(frozen=True)
class Log:
    """The log, read anew whenever somebody goes through it."""

    project: Project

    def __iter__(self) -> Iterator[Any]:
        return iter(self.project.records())


def _texts(given: Mapping[str, Any]) -> Iterator[str]:
    """What a person wrote among what a step was given, in several words."""
    for value in given.values():
        inside = vars(value) if hasattr(value, "__dict__") else value
        if isinstance(inside, str) and " " in inside:
            yield inside
        elif hasattr(value, "__struct_fields__"):
            yield from _texts({name: getattr(value, name) for name in value.__struct_fields__})


@dataclass(frozen=True)
class Acting:
    """The options --project, --as and --preview."""

    project: str | None = None
    person: str | None = None
    looks: bool = False

    def where(self) -> str:
        """The file or URL: as said, else the only project of this folder."""
        if self.project:
            return self.project
        found = sorted(str(path) for path in Path().glob(f"*{SUFFIX}"))
        if len(found) == 1:
            tell([f"project: {found[0]}"])
            return found[0]
        if not found:
            raise RequestError(
                f"there is no project in this folder: name one with -p FILE or "
                f"{PROJECT}, or begin one: accordant project new TITLE"
            )
        raise RequestError(
            f"this folder holds {len(found)} projects, {joined(found)}: say which "
            f"with -p FILE or {PROJECT}"
        )

    @property
    def researcher(self) -> str:
        """Who begins a project."""
        if not self.person:
            raise RequestError(f"who are you? say --as NAME, or set {PERSON}")
        return self.person

    @contextmanager
    def opened(self, *, reads: bool = False, where: str | None = None) -> Iterator[Opened]:
        """The project; ``reads`` where nothing will be written."""
        from ...resolution.command import Refused
        from ...resolution.project import Project

        where = where or self.where()
        with Project.open(where, read_only=reads or self.looks) as project:
            gc.freeze()  # the state stays to the end: no need to go through it again and again
            people = list(project.state.people)
            alone = people[0] if len(people) == 1 else None
            try:
                person = self.person or alone
                yield Opened(project, Path(where).name, person, self.looks, self.project)
            except Refused as refused:
                raise Refusal(refused) from refused


# ------------------------------------------------------------------ what is blocked


class Refusal(click.ClickException):
    """The procedure does not allow a step now."""

    exit_code = 1

    def __init__(self, refused: Refused) -> None:
        super().__init__(str(refused))
        self.refused = refused

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it on stderr."""
        head = click.style("Blocked: ", fg="red", bold=True)
        click.echo(f"{head}{self.refused.what}.", err=True, color=COLOUR)
        for line in lines_of(self.refused.unmet):
            click.echo(line, err=True)


def lines_of(unmet: Sequence[Unmet]) -> Iterator[str]:
    """What is missing, one mark each, with what to do and what to type below it."""
    for one in unmet:
        adds = any(name not in one.says for name in one.awaited)
        yield _filled(f"· {one.says}" + (f" (awaited: {joined(one.awaited)})" if adds else ""))
        typed = " or ".join(map(spelled, one.do))
        if typed:
            yield _filled(f"→ {typed}", "    ")


def _filled(line: str, indent: str = "  ") -> str:
    return textwrap.fill(
        line,
        width(),
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )
