"""Rows of any table that we can read, as texts by the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from ...errors import InputError

__all__ = ["Rows", "read_rows"]


class Rows:
    """Columns of texts; an empty cell is an empty text.

    Parameters
    ----------
    file : str
    columns : dict of str to list of str
        Lower-case name of the column → its cells.
    numbers : list of int
        The row of each in the file.
    """

    def __init__(self, file: str, columns: dict[str, list[str]], numbers: list[int]) -> None:
        self.file, self.columns, self.numbers = file, columns, numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def column(self, names: Sequence[str], *, needed: str = "") -> list[str]:
        """The cells of the first column that has one of the names.

        Raises
        ------
        InputError
            If there is none, and ``needed`` says what it holds.
        """
        for name in names:
            if name.casefold() in self.columns:
                return self.columns[name.casefold()]
        if not needed:
            return []
        close = get_close_matches(names[0], self.columns, 1)
        hint = f"; is it {close[0]!r}?" if close else ""
        raise InputError(
            f"no column is called {names[0]!r} ({needed}): the columns are "
            f"{', '.join(self.columns)}{hint}",
            file=self.file,
        )

    def others(self, known: Sequence[str]) -> Mapping[str, list[str]]:
        """The columns with other names."""
        return {name: cells for name, cells in self.columns.items() if name not in known}

    def wrong(self, k: int, message: str, column: str | None = None) -> InputError:
        """An error in the row at position ``k``."""
        return InputError(message, file=self.file, row=self.numbers[k], column=column)


def read_rows(path: Path, sheet: str | None = None, *, named_by: str = "--sheet") -> Rows:
    """Read a CSV, TSV, XLSX, Parquet or JSON lines file; ``named_by`` says which sheet.

    Raises
    ------
    InputError
        If it cannot be read, has no header, or two columns of one name.
    """
    from ...data.formats.files import tables_of
    from ...data.options import Options

    if (single := _one_column(path)) is not None:
        return single
    # a header and a column of labels are named, so that nothing is guessed
    found = tables_of(path, Options(header=True, label=("label",), sheet=sheet))
    if not isinstance(found, Sequence):
        raise InputError("the file is no table with a header", file=str(path))
    if len(found) != 1:
        raise InputError(
            f"the file has {len(found)} sheets: name one with {named_by}", file=str(path)
        )
    table = found[0]
    columns: dict[str, list[str]] = {}
    for column in table.columns:
        name = column.name.strip().casefold()
        if name in columns:
            raise InputError(f"two columns are called {column.name!r}", file=str(path))
        words = [*column.text, ""]  # the code of a blank is −1
        columns[name] = [words[code] for code in column.codes.tolist()]
    numbers = [table.row(k) or k + 1 for k in range(len(table))]
    return Rows(str(path), columns, numbers)


SEPARATORS = b",;|\t"


def _one_column(path: Path) -> Rows | None:
    """A text file with a single column, such as a list of items."""
    if path.suffix.lower() not in (".csv", ".txt", ".tsv") or not path.is_file():
        return None
    with path.open("rb") as stream:
        if any(sign in stream.readline() for sign in SEPARATORS):
            return None
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("the file is not written in UTF-8", file=str(path)) from None
    kept = [(k, line.strip().strip('"')) for k, line in enumerate(lines, 1) if line.strip()]
    if not kept:
        raise InputError("the file is empty: nothing to read", file=str(path))
    (_, name), *cells = kept
    return Rows(str(path), {name.casefold(): [c for _, c in cells]}, [k for k, _ in cells])
