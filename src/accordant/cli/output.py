"""Where the answer goes, and in which format: the same rows everywhere."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from ..views.blocks import Table


BY_SUFFIX = {".json": "json", ".csv": "csv", ".md": "md", ".tex": "latex", ".txt": "table"}
DATA = (".tsv", ".xlsx", ".parquet", ".jsonl")
"""Files of rows: the suffix is enough."""
PAGE = 100  # characters in a line of a text file


def check_new(path: Path, *, force: bool, hint: str = "") -> None:
    """Refuse to replace a file that may hold somebody's annotations.

    Raises
    ------
    RequestError
        If it exists and was not to be replaced by ``force``.
    """
    from ..errors import RequestError

    if path.exists() and not force:
        raise RequestError(
            f"{str(path)!r} exists and may hold annotations; give another name{hint}, or --force "
            "to replace it"
        )


def written(path: Path) -> None:
    """Say where something was written."""
    click.echo(f"written to {path}", err=True)


@dataclass(frozen=True)
class Output:
    """The options --format and --output."""

    format: str | None = None
    output: Path | None = None

    @property
    def kind(self) -> str:
        """The format: as asked, else as the name of the file says, else a table."""
        suffix = self.output.suffix.lower() if self.output else ""
        return self.format or BY_SUFFIX.get(suffix, "table")

    @property
    def of_rows(self) -> bool:
        """Whether the file is one that data are written in, by its name."""
        suffix = self.output.suffix.lower() if self.output else ""
        return self.format is None and suffix in DATA

    def __post_init__(self) -> None:
        if self.output is None:
            return
        from ..data.atomic_file import check_target
        from ..errors import RequestError

        suffix = self.output.suffix.lower()
        if self.format is None and suffix and suffix not in (*BY_SUFFIX, *DATA):
            raise RequestError(
                f"cannot tell the format of {str(self.output)!r}: its name must end in one of "
                f"{', '.join([*BY_SUFFIX, *DATA])}, or say --format. Pages to share (.html, .pdf) "
                "are written by `accordant report`"
            )
        check_target(self.output)

    def show(
        self,
        rows: Sequence[dict[str, Any]],
        table: Callable[[], Table],
        pretty: Callable[[Console], None],
    ) -> None:
        """Print or write one answer.

        Parameters
        ----------
        rows : sequence of dict
            What JSON and CSV hold, unrounded.
        table : callable
            The columns that a reader should see, for Markdown and LaTeX.
        pretty : callable
            Prints the answer on a console, for people.
        """
        if self.of_rows and self.output is not None:
            from ..models.question_results import write_rows

            write_rows(rows, self.output)
            written(self.output)
        elif self.kind == "table":
            self.print(pretty)
        else:
            self.deliver(_as_text(self.kind, rows, table))

    def print(self, pretty: Callable[[Console], None]) -> None:
        """On a terminal with colours; else plain text without white space at the ends of lines."""
        from .console import console

        if self.output is None and sys.stdout.isatty():
            pretty(console())
            return
        page = io.StringIO()
        pretty(console(page, PAGE if self.output else None))
        self.deliver("\n".join(line.rstrip() for line in page.getvalue().splitlines()))

    def deliver(self, text: str) -> None:
        """Print the text, or write it into the file and say so."""
        if self.output is None:
            click.echo(text, nl=not text.endswith("\n"))
            return
        from ..data.atomic_file import write

        write(self.output, text if text.endswith("\n") else text + "\n")
        written(self.output)


def _as_text(kind: str, rows: Sequence[dict[str, Any]], table: Callable[[], Table]) -> str:
    if kind == "json":
        return as_json(rows)
    if kind == "csv":
        from ..results import csv_of

        return csv_of(rows)
    if kind == "md":
        from ..render.markdown import markdown_table

        return markdown_table(table())
    from ..render.latex import latex_table

    return latex_table(table())


def as_json(rows: Any) -> str:
    """JSON; undefined numbers are null."""
    import json

    from ..results import plain

    return json.dumps(plain(rows), ensure_ascii=False, indent=2)
