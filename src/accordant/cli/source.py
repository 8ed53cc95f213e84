"""The files a user named, read as the user said, with what was recognised on stderr."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from ..api.annotations import read
from ..docstrings import parsed
from ..errors import ReadingWarning
from ..kinds import AtLeast, Metavar
from .parameters import Option, argument, hints_of, option
from .terminal import tell, waiting

if TYPE_CHECKING:
    from ..data.annotations import Annotations

__all__ = ["READING", "Source", "source_options"]

READING = "How to read the file"
Files = Annotated[Path, Metavar("FILE..."), AtLeast(1)]


class Source(NamedTuple):
    """Files, and options of `read` for them."""

    files: tuple[Path, ...]
    options: Mapping[str, Any]
    quiet: bool = False

    @classmethod
    def of(cls, typed: Mapping[str, Any]) -> Source:
        """What was typed after the options of `source_options`."""
        names = inspect.signature(read).parameters
        given = {n: x for n, x in typed.items() if n in names and x not in (None, ())}
        return cls(tuple(typed["files"]), given, bool(typed.get("quiet")))

    def read(self) -> Annotations:
        """The annotations; how they were understood is told on stderr."""
        whole = self.files[0] if len(self.files) == 1 else list(self.files)
        name = self.files[0].name if len(self.files) == 1 else f"{len(self.files)} files"
        with waiting(f"reading {name}", quiet=self.quiet), warnings.catch_warnings():
            warnings.simplefilter("ignore", ReadingWarning)  # told below, with its options
            found = read(whole, **self.options)
        from ..actions import Action, Notice

        told = found.reading
        doubts = [Notice.behind("warning: ", w) for w in told.warnings]
        tell(doubts if self.quiet else told.lines(Action.shell))
        if told.warnings and not self.quiet:
            tell([f"  {name} → {role}: {', '.join(cells)}" for name, role, cells in told.preview])
        return found


def source_options() -> Iterator[click.Parameter]:
    """The files and how they are read, for a command that is no public call."""
    yield argument("files", Files, many=True, required=True)
    texts, hints = parsed(read.__doc__).parameters, hints_of(read)
    for p in [*inspect.signature(read).parameters.values()][1:]:
        made = option(p.name, hints[p.name], p.default, texts.get(p.name, ""), READING)
        if made is not None:
            yield made
    quiet = option("quiet", bool, False, "Print neither how the file was understood nor progress.")
    if isinstance(quiet, Option):
        yield quiet
