"""What coders are called: as the user says, and never by the address of a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..actions import Action, Notice
from ..errors import RequestError, unknown
from .annotations import Annotations, Reading

__all__ = ["renamed"]

_ADDRESS = re.compile(r"([^@\s]+)@[^@\s]+\.[^@\s]+")
_SHORT = Notice(
    "coders are shown by what stands before the @ of their e-mail addresses",
    Action("", {"rename": ...}, "for other names"),
)


def renamed(data: Annotations, rename: Mapping[str, str]) -> Annotations:
    """The annotations with other names for some coders, and without e-mail addresses.

    Parameters
    ----------
    data : Annotations
    rename : mapping of str to str
        From a name, as it is or as it would be shown, to another one. Addresses that are not
        among them are shortened to what stands before the @, with a number where two collide.

    Raises
    ------
    RequestError
        If there is no such coder, or if two coders would have one name.

    Examples
    --------
    >>> from accordant.data.read import read
    >>> data = read([("t1", "ann@b.org", 1), ("t1", "ann@c.org", 2), ("t1", "Bob", 1)])
    >>> data.coders, renamed(data, {"Bob": "Cy", "ann 2": "Di"}).coders
    (('ann 1', 'ann 2', 'Bob'), ('ann 1', 'Di', 'Cy'))
    """
    names = tuple(dict.fromkeys(data.persons or data.coders))
    short = _shortened(names)
    shown = {name: short.get(name, name) for name in names} | _chosen(names, short, rename)
    if all(old == new for old, new in shown.items()):
        return data
    if len(set(shown.values())) < len(names):
        twice = next(n for n in shown.values() if [*shown.values()].count(n) > 1)
        both = " and ".join(repr(old) for old, new in shown.items() if new == twice)
        raise RequestError(f"{both} would both be called {twice!r}", parameter="rename")
    persons = data.persons or data.coders
    coders = tuple(shown[p] + c.removeprefix(p) for c, p in zip(data.coders, persons, strict=True))
    of = dict(zip(data.coders, coders, strict=True)) | shown
    told = any(shown[name] == new for name, new in short.items())
    return replace(
        data,
        coders=coders,
        persons=None if data.persons is None else tuple(shown[p] for p in data.persons),
        metadata={_of_coder(key, of): cells for key, cells in data.metadata.items()},
        spans=None
        if data.spans is None
        else replace(data.spans, coders=tuple(of.get(c, c) for c in data.spans.coders)),
        reading=_without_addresses(data.reading, {n: shown[n] for n in short}, told=told),
    )


def _shortened(names: Iterable[str]) -> dict[str, str]:
    """Every address and what stands before its @, with a number where that is no name for one."""
    found = {n: m[1] for n in names if (m := _ADDRESS.fullmatch(n))}
    taken = [*found.values(), *(n for n in names if n not in found)]
    short = dict[str, str]()
    for start in dict.fromkeys(found.values()):
        same = sorted(n for n, one in found.items() if one == start)
        free = (n for k in range(1, len(taken) + 2) if (n := f"{start} {k}") not in taken)
        short |= {n: start if taken.count(start) == 1 else next(free) for n in same}
    return short


def _chosen(
    names: Iterable[str], short: Mapping[str, str], rename: Mapping[str, str]
) -> dict[str, str]:
    """What the user calls coders, by their names in the data."""
    names_of = {short.get(name, name): name for name in names} | {n: n for n in names}
    for old in rename:
        if old not in names_of:
            raise unknown("coder", old, names_of, parameter="rename")
    return {names_of[old]: str(new) for old, new in rename.items()}


def _of_coder(key: str, names: Mapping[str, str]) -> str:
    """The key of metadata of a coder, such as 'ann: created_at', under the new name."""
    coder, colon, what = key.partition(": ")
    return names[coder] + colon + what if colon and coder in names else key


def _without_addresses(reading: Reading, shown: Mapping[str, str], *, told: bool) -> Reading:
    """The reading with addresses replaced by names, and a note if we chose the names."""

    def named(text: str) -> str:
        for address in sorted(shown, key=len, reverse=True):
            if address in text:
                do = text.do if isinstance(text, Notice) else ()
                text = Notice(text.replace(address, shown[address]), *do)
        return text

    return replace(
        reading,
        columns={role: named(name) for role, name in reading.columns.items()},
        left_out=tuple((named(what), n) for what, n in reading.left_out),
        notes=(*map(named, reading.notes), *([_SHORT] if told else [])),
        warnings=tuple(map(named, reading.warnings)),
    )
