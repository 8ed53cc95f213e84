"""Own weights from a file: a table with a row and a column for each category."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import InputError, RequestError
from ..scheme import Label

__all__ = ["weights_from", "weights_of"]

SUFFIXES = (".csv", ".tsv", ".txt")


def weights_of(given: Any) -> Any:
    """The weights that were given; those in a file if it is the name of one."""
    named = isinstance(given, Path) or (isinstance(given, str) and given.lower().endswith(SUFFIXES))
    return weights_from(Path(given)) if named else given


def weights_from(path: Path) -> Callable[[Label, Label], float]:
    """The agreement of two categories, as the file has it: rows are the first coder's label.

    The first row and the first column name the categories, 1 is full agreement.
    """
    table = _read(path)

    def agreement(a: Label, b: Label) -> float:
        for label in (a, b):
            if isinstance(label, tuple):
                raise RequestError(
                    f"{path}: weights of categories cannot compare sets of labels; choose weights "
                    "of sets by name, such as jaccard"
                )
            if str(label) not in table:
                raise RequestError(
                    f"{path}: category {label!r} has no weights; the file has {', '.join(table)}"
                )
        return table[str(a)][str(b)]

    return agreement


def _read(path: Path) -> dict[str, dict[str, float]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the weights cannot be read: {error}", file=str(path)) from None
    delimiter = next((d for d in "\t;," if d in text), ",")
    rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if any(row)]
    if len(rows) < 2:
        raise InputError("a table of weights needs a row for each category", file=str(path))
    names = [name.strip() for name in rows[0][1:]]
    table = {row[0].strip(): _numbers(path, k, row[1:], names) for k, row in enumerate(rows[1:], 2)}
    if list(table) != names:
        raise InputError(
            f"rows and columns must name the same categories in the same order; columns: "
            f"{', '.join(names)}; rows: {', '.join(table)}",
            file=str(path),
        )
    return table


def _numbers(path: Path, row: int, cells: list[str], names: list[str]) -> dict[str, float]:
    if len(cells) != len(names):
        raise InputError(
            f"{len(cells)} weights for {len(names)} categories", file=str(path), row=row
        )
    numbers = {}
    for name, cell in zip(names, cells, strict=True):
        try:
            numbers[name] = float(cell)
        except ValueError:
            raise InputError(
                f"{cell!r} is not a number", file=str(path), row=row, column=name
            ) from None
    return numbers
