"""Files of SPSS (.sav, .zsav) and Stata (.dta), with the labels of their values."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from ..table import Column, Table, as_words, encode, plain

# In a process of its own, since a damaged file may end the one that reads it.
_APART = """
import pickle, sys, pyreadstat
cells, meta = getattr(pyreadstat, sys.argv[1])(sys.argv[2], output_format="dict")
said = meta.variable_value_labels, meta.variable_measure, meta.column_names_to_labels
pickle.dump((cells, *(x or {} for x in said)), sys.stdout.buffer)
"""


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
    with path.open("rb") as f:
        stata = path.suffix.lower() == ".dta" or f.read(11) == b"<stata_dta>"
    kind = "read_dta" if stata else "read_sav"
    call = [sys.executable, "-P", "-c", _APART, kind, str(path)]
    done = subprocess.run(call, capture_output=True, check=False)
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise _damaged(path, told or "its reader broke off")
    cells, labels, measures, said = pickle.loads(done.stdout)
    if None in cells:
        raise _damaged(path, "a variable has no name")
    columns = [
        _labelled(encode(n, c), labels.get(n) or {}, measures.get(n) == "ordinal")
        for n, c in cells.items()
    ]
    if not columns or not len(columns[0]):
        raise InputError("the file holds no rows: nothing to read", file=path.name)
    shown = ", ".join(f"{n} ({said[n]})" for n in list(cells) if said.get(n))
    notes = (f"variables: {shown}",) if shown else ()
    return Table(path.name, tuple(columns), lambda k: k + 1, notes=notes)


def _damaged(path: Path, why: object) -> InputError:
    return InputError(
        f"the file of SPSS or Stata cannot be read, it may be damaged ({why})", file=path.name
    )


def _labelled(column: Column, labels: Mapping[Any, str], ordinal: bool) -> Column:
    """A column with the labels of its values, if all have one; whole numbers without a point."""
    if column.numeric and all(float(w).is_integer() for w in column.words):
        column = replace(column, words=np.array(column.words, np.int64))
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
