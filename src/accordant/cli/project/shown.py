"""Rows of a project as a table, or as JSON, CSV, Markdown, like those of other commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ...numbers import count_of
from ..output import Output

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_rows"]

MOST = 200  # rows of a printed table: laying out thousands takes seconds, and who reads them?

Heads = Sequence[str | tuple[str, ...]]
"""Keys of columns; or key and heading; or key, heading and kind."""


def show_rows(
    output: Output,
    title: str,
    heads: Heads,
    rows: Iterable[Mapping[str, Any]],
    notes: Sequence[str] = (),
    pretty: Callable[[Console], None] | None = None,
    going: Sequence[str] = (),
    rest: str = "-f csv has all",
    empty: str = "nothing yet",
) -> None:
    """Print or write rows; a table that is longer than the terminal is shown page by page.

    Columns in which nothing stands are not shown to people.

    ``going`` are keys of columns that go where there is no room for all, the first ones first.
    Of very many rows a printed table has the first; ``rest`` says how to see the others, and
    ``empty`` is said where there is no row.
    """
    from dataclasses import replace

    from ...views.document import Column, Table
    from ..fitting import print_fitting

    each = tuple(dict(row) for row in rows)
    columns = [(head, head) if isinstance(head, str) else head for head in heads]
    kept = [c for c in columns if not each or any(row[c[0]] not in ("", None) for row in each)]
    table = Table(title, tuple(Column(*c) for c in kept), each, tuple(notes))  # type: ignore[arg-type]

    def at_a_terminal(console: Console) -> None:
        long = output.output is None and sys.stdout.isatty() and len(each) > console.height
        with console.pager() if long else nullcontext():
            _show(console)

    def _show(console: Console) -> None:
        if pretty is not None:
            pretty(console)
        elif each:
            more = len(each) - MOST
            told = [f"and {count_of(more, 'more row')}: {rest}"] if more > 0 else []
            short = replace(table, rows=each[:MOST], notes=(*table.notes, *told))
            print_fitting(console, short, [(key,) for key in going], words=24)
        else:
            from ..tables import print_sentences

            print_sentences(console, [empty])

    output.show(list(each), lambda: table, at_a_terminal)
