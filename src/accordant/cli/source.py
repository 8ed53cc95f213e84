"""The files a user named, read as the user said, with what was recognised on stderr."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .lists import listed
from .terminal import tell, waiting

if TYPE_CHECKING:
    from ..data.annotations import Annotations

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """The options of `accordant.read` as the command line gives them."""

    files: tuple[Path, ...]
    item: str | None = None
    coder: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    question: str | None = None
    text: str | None = None
    categories: tuple[str, ...] = ()
    scale: tuple[str, ...] = ()
    layout: str | None = None
    coders_in: str | None = None
    blank: str | None = None
    missing: tuple[str, ...] = ()
    duplicates: str = "error"
    separator: str | None = None
    max_labels: int | None = None
    ranked: bool = False
    label_weight: str | None = None
    empty: tuple[str, ...] = ()
    sheet: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    encoding: str | None = None
    items: str = "annotated"
    only_question: tuple[str, ...] = ()
    only_coder: tuple[str, ...] = ()
    quiet: bool = False

    @property
    def name(self) -> str:
        """What the data are called in a sentence."""
        return self.files[0].name if len(self.files) == 1 else f"{len(self.files)} files"

    @property
    def typed(self) -> str:
        """The files as they can be typed again."""
        return " ".join(shlex.quote(str(path)) for path in self.files)

    def read(self) -> Annotations:
        """The annotations; how they were understood is printed to stderr."""
        from ..data.read import read
        from ..messages import Action, Notice

        with waiting(f"reading {self.name}", quiet=self.quiet):
            whole = self.files[0] if len(self.files) == 1 else list(self.files)
            data = self._filtered(read(whole, **self.keywords()))
        reading = data.reading
        doubts = [Notice.behind("warning: ", w) for w in reading.warnings]
        tell(doubts if self.quiet else reading.lines(Action.shell))
        return data

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.read`."""
        return {
            "item": self.item,
            "coder": self.coder or None,
            "label": self.label or None,
            "question": self.question,
            "text": self.text,
            "categories": by_question(self.categories, "--categories", listed),
            "scale": by_question(self.scale, "--scale", str.strip),
            "layout": self.layout,
            "coders_in": self.coders_in,
            "blank": self.blank,
            "missing": self.missing or None,
            "duplicates": self.duplicates,
            "separator": SEPARATORS.get(self.separator or "", self.separator),
            "max_labels": self.max_labels,
            "ranked": self.ranked,
            "label_weight": self.label_weight,
            "empty": self.empty or None,
            "sheet": self.sheet,
            "header": self.header,
            "delimiter": DELIMITERS.get(self.delimiter or "", self.delimiter),
            "encoding": self.encoding,
        }

    def _filtered(self, data: Annotations) -> Annotations:
        if self.only_question:
            data = data.of_questions(self.only_question)
        if self.only_coder:
            data = data.of_coders(self.only_coder)
        return (
            data if self.items == "annotated" else data.of_shared(complete=self.items == "complete")
        )


DELIMITERS = {"\\t": "\t", "tab": "\t", "comma": ",", "semicolon": ";", "space": " "}
"""Characters that are awkward to type in a shell."""

SEPARATORS = DELIMITERS | {"\\n": "\n", "newline": "\n", "pipe": "|"}
"""The same for what stands between labels."""


def by_question(given: Iterable[str], option: str, parse: Any) -> Any:
    """One value for all questions, or a value for each: 'q1=a,b'.

    Examples
    --------
    >>> by_question(["a,b"], "--categories", listed)
    ['a', 'b']
    >>> by_question(["q1=a,b", "q2=c,d"], "--categories", listed)
    {'q1': ['a', 'b'], 'q2': ['c', 'd']}
    """
    values = list(given)
    if not values:
        return None
    if len(values) == 1 and not _named(values[0]):
        return parse(values[0])
    if not all(map(_named, values)):
        raise click.UsageError(f"give {option} once, or as QUESTION=… for each question")
    pairs = (value.partition("=") for value in values)
    return {name.strip(): parse(rest) for name, _, rest in pairs}


def _named(value: str) -> bool:
    """Whether a value is given to one question; '=' within quotes belongs to a label."""
    return "=" in value.partition('"')[0]
