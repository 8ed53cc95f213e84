"""What goes to the terminal beside the answer: notes, progress, and how wide it is."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import IO, TYPE_CHECKING, Any

import click

from ..data.options import Options
from ..messages import Action, Notice
from .lists import as_listed

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["COLOUR", "MARGIN", "console", "progress", "spoken", "tell", "waiting", "width"]

PATIENCE = 0.7  # seconds before we show that something is going on
WIDEST = 120
COLOUR = False if os.environ.get("NO_COLOR") else None  # None: as the stream can show
MARGIN = 2  # characters before a line of an answer

_OPTIONS = [field.name for field in fields(Options)] + [
    "weights",
    "interval",
    "agreement",
    "shares",
    "by",
    "over",
    "rank",
    "search",
    "rounding",
    "minimum_share",
    "hierarchy",
    *("gold", "truth", "model", "models", "abstentions", "restarts", "max_iterations", "sets"),
    *("decide", "tau", "level", "rng", "n_resamples", "of", "smoothing", "ties", "floor", "unit"),
    *("humans", "epsilon", "alignment", "q", "min_items", "few", "coefficient", "folds"),
    *("per_item", "accuracy", "ambiguous", "misleading", "disputed", "difficulty", "uneven"),
]
_OF_MODELS = (
    *("prior", "strength", "diagonal", "off", "prevalence", "one_vote_per_coder", "draws"),
    *("warm_up", "chains", "subtypes", "sharing", "order"),
)
"""Options of single models, which are given with --set."""
_RENAMED = {"rng": "seed", "n_resamples": "resamples", "humans": "human"}
_CALLS = {
    "diagnose()": "accordant diagnose", "fit()": "accordant fit",
    "See beside_each": "See --show beside-humans",
    "(`side_by_side()`)": "(--show readings)",
    "; leave_out= says how many": "",
    "ac.fit(data).keep(share=0.9)": "accordant fit --keep-share 0.9",
    "ac.coders(data).schools.posterior_of(2) fits": "accordant fit with its coders as "
    "--only-coder fits",
    "ac.coders(data).confusion_of(name)": "accordant fit --of CODER",
    "ac.coders(data)": "accordant fit --show leaving-out",
    "ac.which_model(data)": "accordant fit --which",
    "ac.soft_labels(data)": "accordant soft",
    "ac.score_predictions": "accordant soft --predictions",
    "ac.ambiguity(data)": "accordant soft --ambiguity",
    "ac.fit": "accordant fit",
    "fit=True": "--fit all", "fit=False": "--fit none",
}  # fmt: skip
"""What is called in Python, as it is typed; the longer ones first."""
_PATTERNS = (
    (re.compile(r"\((?:`posterior_of\(\d+\)`(?:, | and )?)+\)"), "(--only-coder)"),
    (re.compile(r"\bac\.coders\(data, leave_out=\d+\)"), "accordant fit --show leaving-out"),
    (re.compile(r"\b(coders|checks)\(\)"), r"accordant fit --show \1"),
    (re.compile(r"""\bfit=(["'])(.+?)\1"""), r"--fit \2"),
)
"""The same where what is called has parts of its own."""
_LISTED = ("categories",)  # one option, its values between commas
_FLAGS = ("ranked", "header")
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""  # as `repr` writes it
_ITEM = rf"(?:{_TEXT}|[-\w.]+)"
_KEYWORD = re.compile(
    rf"(?<![-\w])({'|'.join([*_OPTIONS, *_OF_MODELS])})=("
    rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]|\[(?:\.\.\.|…)\]"  # a list
    rf"|(?:{_TEXT})(?:, (?:{_TEXT})(?!=))*(?: or (?:{_TEXT}))?"  # a value, or some to choose from
    r"|\{[^{}]+\}"  # one for each question
    r"|True|False|\d+)?"
)


def width() -> int:
    """Characters in a line; 80 where nobody looks."""
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
        soft_wrap=False,
    )


def spoken(message: str) -> str:
    """A message of the library with its keywords as options of the command line.

    Examples
    --------
    >>> spoken("say duplicates='first' or give categories=[...] in order")
    'say --duplicates first or give --categories a,b,c in order'
    >>> print(spoken("say coder=['Ann', 'Bob'] or ranked=True or separator=';'"))
    say --coder Ann --coder Bob or --ranked or --separator ';'
    """

    def option(found: re.Match[str]) -> str:
        return _spoken(found[1], found[2] or "")

    message = Notice.spelled(message, Action.shell)
    message = message.replace("paired=False", "--unpaired").replace("paired=True", "--paired")
    message = re.sub(r"\bof_questions?\b(\(\))?", "--only-question", message)
    for call, typed in _CALLS.items():
        message = message.replace(call, typed)
    for pattern, typed in _PATTERNS:
        message = pattern.sub(typed, message)
    return _KEYWORD.sub(option, message)


def _spoken(name: str, value: str) -> str:
    """One keyword with its value as an option: a flag, a list, a word that a shell keeps whole."""
    if name in _OF_MODELS:
        return f"--set {name}={_word(value) or '…'}"
    option = f"--{_RENAMED.get(name, name).replace('_', '-')}"
    if name in _FLAGS:
        return f"--no-{name}" if value == "False" else option
    if value in ("[...]", "[…]"):
        return f"{option} a,b,c"
    if value.startswith("{"):
        return option if "…" in value else _by_question(option, ast.literal_eval(value))
    if value.startswith("["):
        words = [_word(w) for w in re.findall(_ITEM, value)]
        if name not in _LISTED:
            return " ".join(f"{option} {shlex.quote(w)}" for w in words)
        return f"{option} {shlex.quote(as_listed(words))}"
    words = [shlex.quote(_word(w)) for w in re.findall(_TEXT, value)]
    if not words:
        return f"{option} {value}".rstrip()
    start = ", ".join(words[:-1]) if " or " in value else ", ".join(words)
    return f"{option} {start} or {words[-1]}" if " or " in value else f"{option} {start}"


def _by_question(option: str, given: dict[str, Any]) -> str:
    """An option for each question: --scale q1=ordinal --scale q2=ratio."""
    words = {q: v if isinstance(v, str) else as_listed(map(str, v)) for q, v in given.items()}
    return " ".join(f"{option} {shlex.quote(f'{q}={v}')}" for q, v in words.items())


def _word(shown: str) -> str:
    """What `repr` showed; a line break stays as it is typed."""
    if not shown.startswith(("'", '"')):
        return shown
    return str(ast.literal_eval(shown)).replace("\n", "\\n").replace("\t", "\\t")


def tell(lines: Iterable[str]) -> None:
    """Notes on stderr, dim, wrapped."""
    for line in lines:
        wrapped = textwrap.fill(
            spoken(line), width(), subsequent_indent="  ", break_on_hyphens=False
        )
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
