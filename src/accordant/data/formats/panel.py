"""Large long files of a panel of coders: the engine puts the labels into an (I, C) grid.

A million items by five coders become a grid of a few megabytes inside DuckDB, without five
million rows of Python or NumPy. Anything unusual (a repeated annotation, a row without an item,
many coders) is left to the general reader, which gives the same result and the better message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..annotations import NO_VALUE, Annotations, Reading
from ..assemble import told
from ..names import role_of
from ..options import Options
from ..table import plain
from ..values import Interpreted, interpret

__all__ = ["Relation", "filled", "quoted", "read_panel"]

WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
_MOST_CODERS = 64
_MOST_LABELS = 250
_ROLES = ("item", "coder", "label")


@dataclass(frozen=True)
class Relation:
    """Something to select from: SQL with its parameters, names and types of its columns.

    ``headers`` are the names that a user sees; ``row`` is the column that numbers the rows.
    """

    sql: str
    values: Sequence[Any]
    names: Sequence[str]
    kinds: Sequence[str]
    headers: Sequence[str]
    row: str


class _UnusualError(Exception):
    """The general reader must have a look."""


def quoted(name: str) -> str:
    """An identifier for SQL."""
    return '"' + name.replace('"', '""') + '"'


def filled(sql: str) -> str:
    """SQL: whether a text holds more than white space. Looks closer only at odd first letters."""
    return f"({sql} between '!' and '~' or trim({sql}, '{_SPACES}') <> '')"


def spaced(sql: str) -> str:
    """SQL: whether a text has outer white space, which is what `str.strip` takes away."""
    inner = f"{sql} <> trim({sql}, '{_SPACES}')"
    plain = f"{sql} between '!' and '~' and right({sql}, 1) between '!' and '~'"
    return f"case when {plain} then false else {inner} end"


def read_panel(con: Any, relation: Relation, options: Options, file: str) -> Annotations | None:
    """Annotations of a long file in grid layout, or None if the file is not a plain panel."""
    roles = _roles(relation, options)
    if roles is None:
        return None
    try:
        return _read(con, relation, roles, options, file)
    except (_UnusualError, InputError):
        return None


def _roles(relation: Relation, options: Options) -> dict[str, int] | None:
    """Role to the position of its column, if there are an item, a coder, a label and no more."""
    if (
        len(relation.headers) != len(_ROLES)
        or options.layout not in (None, "long")
        or options.blank not in (None, "missing", "not_assigned")
        or options.question
        or len(options.coder) > 1
        or len(options.label) > 1
        or not options.alone
    ):
        return None
    given: dict[str | None, str] = {options.item: "item"}
    for role, names in (("coder", options.coder), ("label", options.label)):
        given.update((name, role) for name in names)
    if not set(given) - {None} <= set(relation.headers):
        return None
    found = {given.get(h) or role_of(h): k for k, h in enumerate(relation.headers)}
    return {r: found[r] for r in _ROLES} if set(found) == set(_ROLES) else None


def _read(
    con: Any, relation: Relation, roles: dict[str, int], options: Options, file: str
) -> Annotations:
    name = {r: quoted(relation.names[k]) for r, k in roles.items()}
    kind = {r: relation.kinds[k] for r, k in roles.items()}
    if not all(k in WHOLE or k == "VARCHAR" for k in kind.values()):
        raise _UnusualError
    pairs = con.execute(
        f"select {name['coder']}, {name['label']}, count(*), min({relation.row}) "
        f"from {relation.sql} group by all",
        relation.values,
    ).fetchall()
    pairs.sort(key=lambda p: int(p[3]))  # coders in the order in which they first occur
    coders = _distinct([p[0] for p in pairs], _MOST_CODERS)
    if kind["coder"] in WHOLE:
        coders.sort()
    given = [p for p in pairs if not _blank(p[1])]
    if any(isinstance(p[1], str) and p[1].isspace() for p in pairs):
        raise _UnusualError
    words = sorted({p[1] for p in given}, key=lambda w: (str(type(w)), w))
    if not words or len(words) > _MOST_LABELS:
        raise _UnusualError
    times = np.zeros((1, len(words)), np.int64)
    for _, label, n, _ in given:
        times[0, words.index(label)] += n
    labels = _interpreted(words, times, options)
    if (labels.empty != NO_VALUE).any():
        raise _UnusualError  # the empty set is an answer with a status of its own
    total = sum(p[2] for p in pairs)
    if len(coders) > 8:
        few = f"select approx_count_distinct({name['item']}) from {relation.sql}"
        if con.execute(few, relation.values).fetchone()[0] * len(coders) > 4 * total:
            raise _UnusualError
    got = _pivot(con, relation, name, kind, coders, words)
    grid = _grid(got, len(coders), labels, int(times.sum()))
    items = got["item"]
    if isinstance(items, np.ma.MaskedArray):
        raise _UnusualError
    order = _order(got["item"] if kind["item"] in WHOLE else got["at"])
    if not (order[1:] > order[:-1]).all():
        items, grid = items[order], grid[order]
    reading = Reading(file, "long", {r: relation.headers[k] for r, k in roles.items()})
    return Annotations(
        items=items,
        coders=tuple(map(plain, coders)),
        questions=("",),
        schemes=labels.schemes,
        values=labels.values,
        layout=grid,
        reading=told(reading, total - _n_given(times, labels), options, (), labels.notes),
    )


def _order(ids: NDArray[Any]) -> NDArray[np.integer[Any]]:
    """Positions of distinct whole numbers in rising order; without a sort if they lie close."""
    low, high = int(ids.min()), int(ids.max())
    if high - low >= 8 * len(ids):
        return np.argsort(ids)
    place = np.full(high - low + 1, -1)
    place[ids - low] = np.arange(len(ids))
    return np.asarray(place[place >= 0])


def _blank(word: Any) -> bool:
    return word is None or (isinstance(word, str) and not word.strip())


def _distinct(coders: list[Any], most: int) -> list[Any]:
    found = list(dict.fromkeys(coders))
    if any(map(_blank, found)) or not 2 <= len(found) <= most:
        raise _UnusualError
    if len({plain(c) for c in found}) < len(found):
        raise _UnusualError
    return found


def _interpreted(words: list[Any], times: NDArray[np.int64], options: Options) -> Interpreted:
    def first(_: int, __: int) -> dict[str, Any]:
        raise _UnusualError

    numbers = all(type(w) is int for w in words)
    cells = np.array(words) if numbers else tuple(plain(w) for w in words)
    return interpret(cells, times, ("",), options, first)


def _n_given(times: NDArray[np.int64], labels: Interpreted) -> int:
    return int(times[0, labels.lookup[0, :-1] != NO_VALUE].sum())


def _pivot(
    con: Any,
    relation: Relation,
    name: dict[str, str],
    kind: dict[str, str],
    coders: list[Any],
    words: list[Any],
) -> dict[str, Any]:
    """Items with a column of positions in ``words`` for each coder, ``len(words)`` for none."""
    con.execute("drop type if exists panel_label")
    con.execute("drop table if exists panel_words")
    con.execute("create temp table panel_words (k integer, w varchar)")
    con.executemany(
        "insert into panel_words values (?, ?)", [[k, str(w)] for k, w in enumerate(words)]
    )
    con.execute("create temp type panel_label as enum (select w from panel_words order by k)")
    if kind["label"] in WHOLE and words[-1] - words[0] < _MOST_LABELS:
        code = f"({name['label']} - {int(words[0])})"
        position = {w - words[0]: k for k, w in enumerate(words)}
    else:
        text = f"{name['label']}::varchar"
        code = f"enum_code(nullif({text}, '')::panel_label)"
        position = {k: k for k in range(len(words))}
    cells = ", ".join(
        f"coalesce(max({code}) filter (where {name['coder']} = ?), 255)::utinyint as c{k}"
        for k in range(len(coders))
    )
    at = "0" if kind["item"] in WHOLE else f"min({relation.row})"
    odd = "false" if kind["item"] in WHOLE else f"item = '' or {spaced('item')}"
    got = con.execute(
        f"select *, {odd} as odd from (select {name['item']} as item, "
        f"{at} as at, {cells} from {relation.sql} group by {name['item']})",
        [*coders, *relation.values],
    ).fetchnumpy()
    if np.asarray(got["odd"]).any():
        raise _UnusualError
    back = np.full(256, len(words), np.int64)
    back[list(position)] = list(position.values())
    got["back"] = back
    return dict(got)


def _grid(
    got: dict[str, Any], n_coders: int, labels: Interpreted, given: int
) -> NDArray[np.integer[Any]]:
    """(I, C) values; a repeated annotation would leave fewer cells than rows."""
    lookup = labels.lookup[0][got["back"]]
    grid = np.empty((len(got["item"]), n_coders), lookup.dtype)
    n = 0
    for k in range(n_coders):
        cells = np.asarray(got[f"c{k}"])
        n += int(np.count_nonzero(cells != 255))
        grid[:, k] = lookup[cells]
    if n != given or grid.size > 4 * given:
        raise _UnusualError
    return grid
