"""The rules of settling once more, annotation by annotation, in plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

from accordant.data.annotations import Annotations
from accordant.diagnosis.projection import Lever

Places = dict[tuple[int, int], dict[int, Any]]


def by_hand(data: Annotations, lever: Lever) -> Places:
    """Place (item, question) to coder to the value after settling; a set as a frozenset."""
    places = values_of(data)
    order = {c: k for k, c in enumerate(data.scheme.categories)}
    often = Counter(v for own in places.values() for v in own.values())

    def best(values: list[Any]) -> Any:
        n = Counter(values)
        return min(n, key=lambda v: (-n[v], -often[v], _rank(v, order)))

    settle = {"pair": _pair, "category": _category, "coder": _coder, "group": _all, "items": _all}
    for place in _chosen(data, lever, places):
        settle[lever.kind](data, lever, places[place], best, often, order)
    return places


def values_of(data: Annotations) -> Places:
    sets = data.scheme.max_labels != 1
    found: Places = {}
    rows = data.answered
    for i, q, c, v in zip(rows.item, rows.question, rows.coder, rows.value):
        value = data.values[v]
        if sets:
            value = frozenset(value if isinstance(value, tuple) else (value,))
        found.setdefault((int(i), int(q)), {})[int(c)] = value
    return found


def _rank(value: Any, order: dict[Any, int]) -> Any:
    return sorted(order[x] for x in value) if isinstance(value, frozenset) else order[value]


def _chosen(data: Annotations, lever: Lever, places: Places) -> list[tuple[int, int]]:
    if lever.kind == "group":
        column, value = lever.of
        return [p for p in places if data.metadata[column][p[0]] == value]
    if lever.kind == "items":
        wanted = {divmod(position, len(data.questions)) for position in lever.of}
        return [p for p in places if p in wanted]
    return list(places)


def _pair(data, lever, own, best, often, order) -> None:
    a, b = lever.of
    values = list(own.values())
    if isinstance(values[0], frozenset):
        if any(a in v and b not in v for v in values) and any(
            b in v and a not in v for v in values
        ):
            _label(own, a)
            _label(own, b)
        return
    if a in values and b in values:
        winner = best([v for v in values if v in (a, b)])
        for coder, v in own.items():
            own[coder] = winner if v in (a, b) else v


def _category(data, lever, own, best, often, order) -> None:
    (c,) = lever.of
    values = list(own.values())
    if isinstance(values[0], frozenset):
        _label(own, c)
        return
    n = values.count(c)
    if not 0 < n < len(values):
        return
    rest = [v for v in values if v != c]
    for coder, v in own.items():
        if 2 * n >= len(values):
            own[coder] = c
        elif v == c:
            own[coder] = best(rest)


def _label(own, label) -> None:
    n = sum(label in v for v in own.values())
    for coder, v in own.items():
        own[coder] = v | {label} if n and 2 * n >= len(own) else v - {label}


def _coder(data, lever, own, best, often, order) -> None:
    me = data.coders.index(lever.of[0])
    others = [v for coder, v in own.items() if coder != me]
    if me not in own or not others:
        return
    n = Counter(others)
    if n[own[me]] < max(n.values()):
        own[me] = best(others)


def _all(data, lever, own, best, often, order) -> None:
    winner = best(list(own.values()))
    for coder in own:
        own[coder] = winner
