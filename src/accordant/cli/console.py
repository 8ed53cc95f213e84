"""What goes to the terminal beside the answer: notes, progress, and how wide it is."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


PATIENCE = 0.7  # seconds before we show that something is going on
WIDEST = 120
COLOUR = False if os.environ.get("NO_COLOR") else None  # None: as the stream can show
MARGIN = 2  # characters before a line of an answer


def width() -> int:
    """Characters in a line; 80 where nobody looks."""
    import shutil  # slow to import

    return min(shutil.get_terminal_size((80, 24)).columns, WIDEST)


def console(file: IO[str] | None = None, columns: int | None = None) -> Console:
    """A console for tables: plain text unless it writes to a terminal."""
    from rich.console import Console

    return Console(
        file=file or sys.stdout,
        width=columns or width(),
        highlight=False,
        markup=False,
        emoji=False,
    )


def tell(lines: Iterable[str]) -> None:
    """Notes on stderr, dim, wrapped."""
    from ..actions import Action, Notice

    for line in lines:
        typed = Notice.spelled(line, Action.shell)
        wrapped = textwrap.fill(typed, width(), subsequent_indent="  ", break_on_hyphens=False)
        click.echo(click.style(wrapped, dim=True), err=True, color=COLOUR)


def watched(quiet: bool) -> bool:
    """Whether somebody looks at progress."""
    return not quiet and sys.stderr.isatty()


@contextmanager
def waiting(words: str, *, quiet: bool) -> Iterator[None]:
    """A spinner on stderr while something takes longer than a moment."""
    if not watched(quiet):
        yield
        return
    shown: list[Any] = []

    def show() -> None:
        shown.append(console(sys.stderr).status(f"{words} …", spinner="dots"))
        shown[0].start()

    timer = threading.Timer(PATIENCE, show)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in shown:
            status.stop()


@contextmanager
def progress(words: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A function (done, total) that draws a bar on stderr if the work takes a while; else None."""
    if not watched(quiet):
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        console=console(sys.stderr),
        transient=True,
    )
    task = bar.add_task(words)
    start = time.monotonic()

    def report(done: int, total: int) -> None:
        if not bar.live.is_started and time.monotonic() - start > PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        bar.stop()
