"""Files of SPSS (.sav, .zsav) and Stata (.dta), with the labels of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeAlias

from ...errors import InputError
from ..table import Column, Table, as_words, encode, plain
from .own_process import apart

__all__ = ["read_statistics"]


def read_statistics(path: Path) -> Table:
    """A data file of SPSS or Stata as a table; missing values that the user defined are blank.

    Where all values of a variable have labels, its cells are these labels, in the order of the
    values; a variable that is measured as ordinal brings that order and the scale.
    """
    if find_spec("pyreadstat") is None:
        raise InputError(
            "files of SPSS and Stata need the package pyreadstat: install accordant[statistics], "
            "or save the file as CSV",
            file=path.name,
        )
    content = path.read_bytes()
    stata = path.suffix.lower() == ".dta" or content.startswith(b"<stata_dta>")
    try:
        cells, labels, measures, said = apart(__name__, "of_stata" if stata else "of_spss", content)
    except ValueError as error:
        raise InputError(
            f"the file of SPSS or Stata cannot be read, it may be damaged ({error})",
            file=path.name,
        ) from None
    columns = [
        _labelled(encode(n, c), labels.get(n) or {}, measures.get(n) == "ordinal")
        for n, c in cells.items()
    ]
    if not columns or not len(columns[0]):
        raise InputError("the file holds no rows: nothing to read", file=path.name)
    shown = ", ".join(f"{n} ({said[n]})" for n in list(cells) if said.get(n))
    notes = (f"variables: {shown}",) if shown else ()
    return Table(path.name, tuple(columns), lambda k: k + 1, notes=notes)


_Parts: TypeAlias = tuple[dict[str, Any], dict[str, Any], dict[str, str], dict[str, Any]]


def of_spss(content: bytes) -> _Parts:
    """Cells by variable; labels of values, level of measurement and label of each variable."""
    import pyreadstat

    return _parts(pyreadstat.read_sav, content)


def of_stata(content: bytes) -> _Parts:
    """The same of Stata."""
    import pyreadstat

    return _parts(pyreadstat.read_dta, content)


def _parts(reader: Callable[..., Any], content: bytes) -> _Parts:
    with NamedTemporaryFile() as kept:
        kept.write(content)
        kept.flush()
        cells, meta = reader(kept.name, output_format="dict")
    if None in cells:  # of a damaged file
        raise ValueError("a variable has no name")
    return (
        cells,
        meta.variable_value_labels or {},
        meta.variable_measure or {},
        meta.column_names_to_labels or {},
    )


def _labelled(column: Column, labels: Mapping[Any, str], ordinal: bool) -> Column:
    """A column with the labels of its values, if all have one."""
    names = {plain(value): str(label).strip() for value, label in labels.items()}
    words = [plain(w) for w in as_words(column.words)]
    if not names or not set(words) <= set(names) or len(set(names.values())) < len(names):
        return column
    order = tuple(names[plain(v)] for v in _sorted(labels))
    return Column(
        column.name, column.codes, tuple(names[w] for w in words), order if ordinal else ()
    )


def _sorted(labels: Mapping[Any, str]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError:  # numbers and texts
        return list(labels)
