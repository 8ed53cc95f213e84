"""Where made annotations go: a new file, in a format and a layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from ...data.saving import check_target
from ..group import OUTPUT
from ..options import bundle, option
from ..output import check_new

if TYPE_CHECKING:
    from ...data.annotations import Annotations

__all__ = ["SUFFIXES", "Target", "into"]

F = TypeVar("F", bound=Callable[..., Any])
SUFFIXES = (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl")


@dataclass(frozen=True)
class Target:
    """A file that does not exist yet, unless it may be replaced."""

    output: Path
    layout: Literal["long", "wide"] = "long"
    force: bool = False

    def check(self) -> None:
        """Refuse a file that cannot be written, before anything is made."""
        check_target(self.output, SUFFIXES)
        check_new(self.output, force=self.force)

    def write(self, made: Annotations) -> bool:
        """Write the annotations; whether the file cannot say all of their scheme."""
        from ...data.write import write

        lost = write(made, self.output, self.layout)
        click.echo(f"written to {self.output}", err=True)
        return bool(lost)


into_options = (
    option(
        OUTPUT, "--layout", type=click.Choice(("long", "wide")), default="long",
        show_default=True, help="One row per annotation, or a column per coder.",
    ),
    option(
        OUTPUT, "-o", "--output", metavar="FILE", required=True,
        type=click.Path(path_type=Path, dir_okay=False),
        help=f"Where to write; the name says the format: {', '.join(SUFFIXES)}.",
    ),
    option(OUTPUT, "--force", is_flag=True, help="Replace FILE if it exists."),
)  # fmt: skip


def into(function: F) -> F:
    """Where to write, as ``target``."""
    return bundle("target", Target, into_options)(function)
