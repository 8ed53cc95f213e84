"""Which project a command is about, and who acts."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import RequestError, StoreError, unknown
from ...numbers import joined
from ..group import ACTING
from ..options import bundle, option
from ..terminal import tell
from .typed import prompted

if TYPE_CHECKING:
    from ...resolution.events.event import Event
    from ...resolution.project import Project
    from ...resolution.state import State

__all__ = ["PERSON", "PROJECT", "SUFFIX", "Acting", "Opened", "acting"]

F = TypeVar("F", bound=Callable[..., Any])
PROJECT, PERSON = "ACCORDANT_PROJECT", "ACCORDANT_AS"
SUFFIX = ".accordant"
TYPED = ("text", "reason", "wording", "comment", "construals", "same", "meant", "knowledge")
"""What a person wrote: printed again where it could not be kept."""


@dataclass
class Opened:
    """An open project and the person who looks at it or acts."""

    project: Project
    name: str
    given: str | None
    """The person as named on the command line, in the environment, or because there is only one."""

    @property
    def state(self) -> State:
        """Where the project stands."""
        return self.project.state

    @property
    def by(self) -> str:
        """Who acts.

        Raises
        ------
        RequestError
            If nobody was named and there are several people.
        """
        if self.given is None:
            raise RequestError(
                f"who are you? say --as NAME, or set {PERSON}; the people of this project are "
                f"{joined(self.state.people)}"
            )
        return self.given

    @property
    def viewer(self) -> str:
        """Who looks; empty for the public, which sees what anybody may see.

        Raises
        ------
        RequestError
            If somebody was named who does not take part.
        """
        if self.given is None:
            return ""
        if self.given not in self.state.people:
            raise unknown("person", self.given, self.state.people, "those who take part are")
        return self.given

    def do(self, function: Callable[..., Any], **given: Any) -> list[Event]:
        """Run a command of the project and say what happened."""
        from ...resolution.refusal import Refused
        from .happened import print_happened
        from .refusing import Refusal

        try:
            events = self.project.do(function, self.by, **given)
        except Refused as refused:
            raise Refusal(refused, prompted()) from refused
        except StoreError:  # a conflict with somebody else, a full disk
            if texts := _texts(given):
                tell(["what you wrote, to give it again:", *texts])
            raise
        print_happened(events, self.state)
        return list(events)


def _texts(given: Mapping[str, Any]) -> list[str]:
    """Long texts among what a command was given."""
    found = dict(given)
    if "evidence" in found:
        found |= {key: getattr(found["evidence"], key) for key in TYPED
                  if hasattr(found["evidence"], key)}  # fmt: skip
    texts: list[str] = []
    for name in TYPED:
        value = found.get(name)
        inside = value.values() if isinstance(value, Mapping) else [value]
        texts += [text for text in inside if isinstance(text, str) and text.strip()]
    return list(dict.fromkeys(texts))


@dataclass(frozen=True)
class Acting:
    """The options --project and --as."""

    project: str | None = None
    person: str | None = None

    def where(self) -> str:
        """The file or URL: as said, else the only project of this folder.

        Raises
        ------
        RequestError
            If there is none, or several.
        """
        if self.project:
            return self.project
        found = sorted(str(path) for path in Path().glob(f"*{SUFFIX}"))
        if len(found) == 1:
            tell([f"project: {found[0]}"])
            return found[0]
        if not found:
            raise RequestError(
                f"there is no project in this folder: name one with -p FILE or {PROJECT}, or "
                "begin one with `accordant project new TITLE`"
            )
        raise RequestError(
            f"this folder holds {len(found)} projects, {joined(found)}: say which with -p FILE or "
            f"{PROJECT}"
        )

    @contextmanager
    def opened(self, *, reads: bool = False, where: str | None = None) -> Iterator[Opened]:
        """The project; ``reads`` where nothing will be written."""
        from ...resolution.project import Project

        where = where or self.where()
        with Project.open(where, read_only=reads) as project:
            # A command is short, and the state stays to its end: the collector of garbage need
            # not go through it again and again.
            gc.freeze()
            people = list(project.state.people)
            alone = people[0] if len(people) == 1 else None
            yield Opened(project, Path(where).name, self.person or alone)


acting_options = (
    option(
        ACTING, "-p", "--project", metavar="FILE|URL", envvar=PROJECT,
        help=f"The project: a file, or postgresql://user@host/database?project=name. Default: "
        f"{PROJECT}, else the only *{SUFFIX} file of this folder.",
    ),
    option(
        ACTING, "--as", "person", metavar="NAME", envvar=PERSON,
        help=f"Who you are. Default: {PERSON}, else the only person of the project.",
    ),
)  # fmt: skip


def acting(function: F) -> F:
    """Which project and who, as ``acting``."""
    return bundle("acting", Acting, acting_options)(function)
