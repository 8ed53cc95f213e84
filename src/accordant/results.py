"""What an analysis returns: rows, data frame, JSON, text and HTML, all made of the same facts."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from .actions import Called
from .errors import RequestError
from .fields import FIELDS

Form: TypeAlias = Literal["text", "html", "markdown", "latex", "json"]


class _OnTop:
    """A function that the top of the package has, since rooms on the left do not know those on the
    right; it is looked up when it is called, so that the top loads nothing.
    """  # noqa: D205

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any) -> Any:
        return getattr(sys.modules[str(__package__)], self.name)(*args)


class Result:
    """What an analysis returns; a view tells it, and every format shows that view.

    A subclass names the fields of its records, and rows follow; one that holds more than one table
    defines `to_rows`. Without a view of its own it is shown as a table of its rows.
    """

    called: ClassVar[Called] = Called()
    """The call that made it, for next steps to repeat what was said; `checked` notes it."""
    told_as: ClassVar[str] = ""
    """The kind of result for which views are defined."""
    row_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of its ``records``, from which the rows follow."""
    shown_as: ClassVar[Callable[[Any, Form], str]] = _OnTop("_shown_as")
    """How a result is told in a format."""
    saved_as: ClassVar[Callable[[Any, Path, bool], Path]] = _OnTop("_saved_as")
    """How a document is written into a file."""

    @property
    def told_parts(self) -> Sequence[Any]:
        """Each question, and all together; what has only one is its own part."""
        return (self,)

    @property
    def unprinted(self) -> Collection[str]:
        """Views that print leaves out of this result though they lie on top."""
        return ()

    def to_rows(self) -> list[dict[str, Any]]:
        """Flat rows with the same keys, unrounded."""
        records: Sequence[Any] = getattr(self, "records", ())
        return rows_of(self.row_fields, records)

    def to_frame(self) -> Any:
        """The rows as a pandas data frame.

        Raises
        ------
        RequestError
            If pandas is not installed.
        """
        return frame_of(self.to_rows())

    def nested(self) -> Any:
        """The rows with everything behind them, as JSON holds them."""
        return self.to_rows()

    def to_json(self, *, indent: int | None = None) -> str:
        """The rows with everything behind them as JSON; NaN becomes null."""
        return json.dumps(plain(self.nested()), ensure_ascii=False, indent=indent)

    def to_markdown(self) -> str:
        """What `print` shows, as GitHub Markdown."""
        return Result.shown_as(self, "markdown")

    def to_latex(self) -> str:
        """What `print` shows, as LaTeX with booktabs."""
        return Result.shown_as(self, "latex")

    def __str__(self) -> str:
        return Result.shown_as(self, "text")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return Result.shown_as(self, "html")


@dataclass(frozen=True)
class Record(Result):
    """A result that is one row: its fields, but for those ``hidden``, and what follows from them.

    Or ``row_of``, the names of what stands in it, with blanks between. A value with an interval has
    columns of its own (its ``to_row``).

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Share(Record):
    ...     derived = ("share",)
    ...     n: int
    ...     of: int
    ...
    ...     @property
    ...     def share(self) -> float:
    ...         return self.n / self.of
    >>> Share(1, 4).to_rows()
    [{'n': 1, 'of': 4, 'share': 0.25}]
    """

    hidden: ClassVar[tuple[str, ...]] = ()
    derived: ClassVar[tuple[str, ...]] = ()
    row_of: ClassVar[str] = ""

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        own = (f.name for f in fields(self) if f.name not in self.hidden)
        row: dict[str, Any] = {}
        for name in (*(self.row_of.split() or own), *self.derived):
            x = getattr(self, name)
            row |= x.to_row(name) if hasattr(x, "to_row") else {name: x}
        return [row]


def frame_of(rows: Any) -> Any:
    """Rows, or columns by their names, as a pandas data frame.

    Raises
    ------
    RequestError
        If pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise RequestError(
            "to_frame() needs pandas: pip install pandas, or use to_rows()"
        ) from None
    return pd.DataFrame(rows)


def csv_of(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Rows as CSV with a header; undefined numbers are empty cells, mappings are left out.

    Examples
    --------
    >>> csv_of([{"item": "=1+1", "n": -1}])
    "item,n\n'=1+1,-1\n"
    """
    flat = [{k: x for k, x in plain(row).items() if not isinstance(x, dict)} for row in rows]
    page, keys = io.StringIO(), dict.fromkeys(key for row in flat for key in row)
    writer = csv.DictWriter(page, list(keys), lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: _cell(x) for k, x in row.items()} for row in flat)
    return page.getvalue()


def _cell(x: Any) -> Any:
    text = "; ".join(map(str, x)) if isinstance(x, list) else x
    return guarded(text) if isinstance(text, str) else text


# OWASP, *CSV Injection*: cells that begin with = + - @, a tab or a carriage return.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def guarded(text: str) -> str:
    """A text as a spreadsheet shows it and never computes it; numbers are as they were.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-5"), guarded("'=a"), guarded("a-b")
    ("'=1+1", '-5', "''=a", 'a-b')
    """
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def rows_of(fields: Sequence[str], records: Sequence[Any]) -> list[dict[str, Any]]:
    """A row for each record, with the keys of the fields; a field with ends gives two."""
    keys = [key for name in fields for key in FIELDS[name].keys]
    return [{key: getattr(record, key) for key in keys} for record in records]


def plain(x: Any) -> Any:
    """The same thing in types that JSON knows: NaN and infinity become null."""
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    if isinstance(x, Mapping):
        return {str(k): plain(v) for k, v in x.items()}
    if isinstance(x, str) or x is None or isinstance(x, bool | int):
        return x
    if isinstance(x, Sequence | Iterator):
        return [plain(v) for v in x]
    if hasattr(x, "tolist"):
        return plain(x.tolist())
    return str(x)
