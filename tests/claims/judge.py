"""A judge of what `diagnose` says: each fact of a finding against the table and what was planted.

It knows the annotations and the plant, and nothing of the mechanism that is judged: counts are
made anew here, one annotation after the other, from the definitions in docs/reference/patterns.md.

*The others' label* of an annotation is the label that more of the other coders of the item gave
than any other; where two lead, there is none and the annotation does not count. In sets it is
judged label by label: whether more than half of the others gave it, unless it was just half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from claims.worlds import World

__all__ = ["Fact", "Table", "judged_facts", "renamed", "same_told"]


@dataclass(frozen=True)
class Fact:
    """One thing that a finding says: whether it is true, what was said and what is the case."""

    code: str
    what: str
    ok: bool
    told: Any = None
    true: Any = None


class Table:
    """Annotations as they can be counted by hand: (I, C) labels, None where there is none."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x
        self.items, self.coders = range(x.shape[0]), range(x.shape[1])
        self.decided: dict[Any, list[tuple[int, int, bool, bool]]] = {}

    @classmethod
    def of(cls, world: World, *, clean: bool = False) -> Table:
        """The annotations of a world; ``clean`` without what was planted."""
        draft = world.draft
        x = draft.clean if clean and draft.clean is not None else draft.x
        there = np.ones(x.shape, bool) if draft.present is None else draft.present
        found = np.empty(x.shape, object)
        for i, c in zip(*np.nonzero(there), strict=True):
            code = int(x[i, c])
            if draft.sets:
                found[i, c] = frozenset(f"v{k}" for k in range(draft.k) if code >> k & 1)
                found[i, c] |= {"other"}
            else:
                found[i, c] = code if draft.ordinal else f"v{code}"
        return cls(found)

    @property
    def labels(self) -> list[Any]:
        """The labels of sets."""
        return sorted({label for x in self.x.ravel() if x is not None for label in x})

    def most_hold(self, i: int, c: int, label: Any) -> bool | None:
        """Whether most other coders' sets hold a label; None where just half do, or nobody else."""
        others = [label in self.x[i, d] for d in self.coders if d != c and self.x[i, d] is not None]
        n, of = 2 * sum(others), len(others)
        return None if n == of else n > of

    def decisions(self, label: Any) -> list[tuple[int, int, bool, bool]]:
        """(item, coder, holds it, whether most others do) of every annotation, of one label."""
        if label not in self.decided:
            given = [(i, c) for i in self.items for c in self.coders if self.x[i, c] is not None]
            each = ((i, c, label in self.x[i, c], self.most_hold(i, c, label)) for i, c in given)
            self.decided[label] = [
                (i, c, own, most) for i, c, own, most in each if most is not None
            ]
        return self.decided[label]

    def others(self, i: int, c: int) -> Any:
        """The label that most other coders gave, None where two lead or nobody else did."""
        n: dict[Any, int] = {}
        for d in self.coders:
            if d != c and self.x[i, d] is not None:
                n[self.x[i, d]] = n.get(self.x[i, d], 0) + 1
        best = sorted(n.items(), key=lambda pair: -pair[1])[:2]
        if not best or (len(best) > 1 and best[0][1] == best[1][1]):
            return None
        return best[0][0]

    def beside(self) -> Iterator[tuple[int, int, Any, Any]]:
        """(item, coder, label, others' label) of every annotation that has others' label."""
        for i in self.items:
            for c in self.coders:
                if self.x[i, c] is not None and (most := self.others(i, c)) is not None:
                    yield i, c, self.x[i, c], most

    def unanimous(self, i: int) -> bool:
        """Whether all coders of an item gave one label."""
        return len({x for x in self.x[i] if x is not None}) < 2

    def pairs(self, i: int) -> Iterator[tuple[Any, Any]]:
        """The labels of every two coders of an item."""
        yield from combinations([x for x in self.x[i] if x is not None], 2)

    def alpha(self) -> float:
        """Krippendorff's alpha, by coincidences; differences squared where labels are numbers."""
        seen = sorted({x for x in self.x.ravel() if x is not None}, key=str)
        at = {label: k for k, label in enumerate(seen)}
        found = np.zeros((len(seen), len(seen)))
        for i in self.items:
            own = [at[x] for x in self.x[i] if x is not None]
            for a, b in combinations(own, 2):
                found[a, b] += 1 / (len(own) - 1)
                found[b, a] += 1 / (len(own) - 1)
        n = found.sum(0)
        if all(isinstance(x, int) for x in seen):
            order = np.argsort(np.array(seen))
            found, n = found[np.ix_(order, order)], n[order]
            cum = np.cumsum(n) - n / 2
            away = (cum[:, None] - cum) ** 2  # ordinal metric
        elif all(isinstance(x, frozenset) for x in seen):
            away = np.array([[_masi(x, y) for y in seen] for x in seen])
        else:
            away = 1.0 - np.eye(len(seen))
        by_chance = (np.outer(n, n) * away).sum() / (n.sum() - 1)
        return float(1 - (found * away).sum() / by_chance)


def _masi(x: frozenset[Any], y: frozenset[Any]) -> float:
    """Passonneau's distance of two sets (2006)."""
    both = len(x & y)
    kind = 1 if x == y else 2 / 3 if both in (len(x), len(y)) else 1 / 3 if both else 0
    return 1 - kind * both / len(x | y) if x | y else 0.0


# ------------------------------------------------------------------ counts, by the code of a finding

Count = tuple[int, int]
OTHERS = ("others_n", "others_of")
COUNTS: dict[str, Callable[[Table, Mapping[str, Any]], dict[str, Any]]] = {}


def counted(code: str) -> Callable[[Any], Any]:
    """Register how the counts of a kind of finding are made."""

    def register(function: Any) -> Any:
        COUNTS[code] = function
        return function

    return register


def _who(name: Any) -> int:
    return int(str(name)[1:])


def _own_and_others(
    table: Table, coder: int, of: Callable[[Any, Any], bool], n: Callable[[Any, Any], bool]
) -> dict[str, int]:
    """Counts of a coder, and of all others: annotations that fit ``of``, and of these ``n``."""
    found = {"n": 0, "of": 0, "others_n": 0, "others_of": 0}
    for _, c, label, most in table.beside():
        if of(label, most):
            own = "" if c == coder else "others_"
            found[f"{own}of"] += 1
            found[f"{own}n"] += n(label, most)
    return found


@counted("coder")
def _coder(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    return _own_and_others(table, _who(f["coder"]), lambda x, m: True, lambda x, m: x != m)


@counted("coder_gives")
def _coder_gives(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    a, less = f["first"], f.get("direction") == "less"
    if less:
        return _own_and_others(table, _who(f["coder"]), lambda x, m: m == a, lambda x, m: x != a)
    if (b := f["second"]) is not None:  # in place of one label alone
        return _own_and_others(table, _who(f["coder"]), lambda x, m: m == b, lambda x, m: x == a)
    return _own_and_others(table, _who(f["coder"]), lambda x, m: m != a, lambda x, m: x == a)


@counted("swapped")
def _swapped(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    two = {f["first"], f["second"]}
    return _own_and_others(
        table, _who(f["coder"]), lambda x, m: m in two, lambda x, m: x != m and x in two
    )


@counted("shifted")
def _shifted(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    up = f.get("direction") == "higher"
    if f.get("other") is not None:
        a, b = _who(f["coder"]), _who(f["other"])
        both = [(table.x[i, a], table.x[i, b]) for i in table.items]
        both = [(x, y) for x, y in both if x is not None and y is not None and x != y]
        return {"n": sum((x > y) is up for x, y in both), "of": len(both)}
    return _own_and_others(table, _who(f["coder"]), lambda x, m: x != m, lambda x, m: (x > m) is up)


@counted("one_sided")
def _one_sided(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    a, b = _who(f["coder"]), _who(f["other"])
    pairs = [(table.x[i, a], table.x[i, b]) for i in table.items]
    one, two = f["first"], f["second"]
    return {
        "n": sum(p == (one, two) for p in pairs),
        "of": sum(p in ((one, two), (two, one)) for p in pairs),
    }


def _linked(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    linked = {frozenset(pair) for pair in f["pairs"]}
    differ = [{x, y} for i in table.items for x, y in table.pairs(i) if x != y]
    return {"n": sum(frozenset(p) in linked for p in differ), "of": len(differ)}


COUNTS |= {"pair": _linked, "chain": _linked}


@counted("one_way")
def _one_way(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    one, two = f["first"], f["second"]
    both = [(x, m) for _, _, x, m in table.beside()]
    return {"n": sum(p == (two, one) for p in both), "reverse": sum(p == (one, two) for p in both)}


@counted("default_label")
def _default(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    differ = [x for _, _, x, m in table.beside() if x != m]
    return {"n": sum(x == f["first"] for x in differ), "of": len(differ)}


@counted("coder_groups")
def _groups(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    one, two = f["first"], f["second"]
    mine, rest = ({_who(c) for c in f[key]} for key in ("coders", "others"))
    if one is None:
        within, between = [], []
        for i in table.items:
            there = [c for c in table.coders if table.x[i, c] is not None]
            for c, d in combinations(there, 2):
                if {c, d} <= mine or {c, d} <= rest:
                    within.append(table.x[i, c] == table.x[i, d])
                elif {c, d} & mine and {c, d} & rest:
                    between.append(table.x[i, c] == table.x[i, d])
        return {"within": float(np.mean(within)), "between": float(np.mean(between))}
    found = {"n": 0, "of": 0, "others_n": 0, "others_of": 0}
    for i in table.items:
        if {one, two} <= {x for x in table.x[i] if x is not None}:
            for who, own in ((mine, ""), (rest, "others_")):
                labels = [table.x[i, c] for c in who if table.x[i, c] is not None]
                found[f"{own}of"] += len(labels)
                found[f"{own}n"] += labels.count(one)
    return found


# ------------------------------------------------------------------ the same of sets, by label


OF_SETS: dict[str, Callable[[Table, Mapping[str, Any]], dict[str, Any]]] = {}


def _tally(found: list[tuple[bool, bool]]) -> dict[str, int]:
    """Of (whether it is about those who are told of, whether it is the case)."""
    return {
        f"{own}{key}": sum(hit or key == "of" for mine, hit in found if mine == (not own))
        for own in ("", "others_")
        for key in ("n", "of")
    }


def _label_kind(table: Table, f: Mapping[str, Any], *, omitted: bool) -> dict[str, Any]:
    """Of a coder beside the others; of all coders this label beside all the others."""
    if f["coder"] is None:
        return _tally(
            [
                (label == f["first"], held != most)
                for label in table.labels
                for _, _, held, most in table.decisions(label)
                if most == omitted
            ]
        )
    me = _who(f["coder"])
    each = table.decisions(f["first"])
    return _tally([(c == me, held != most) for _, c, held, most in each if most == omitted])


def _set_coder(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    """Annotations that differ in any label from what most others decided."""
    differs: dict[tuple[int, int], bool] = {}
    for label in table.labels:
        for i, c, held, most in table.decisions(label):
            differs[i, c] = differs.get((i, c), False) or held != most
    return _tally([(c == _who(f["coder"]), hit) for (_, c), hit in differs.items()])


def _set_size(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    """Of the labels in which a coder differs from most others, those that the coder gave."""
    more = f["direction"] == "more"
    return _tally(
        [
            (c == _who(f["coder"]), held == more)
            for label in table.labels
            for _, c, held, most in table.decisions(label)
            if held != most
        ]
    )


def _only(x: Any, two: tuple[Any, Any]) -> Any:
    """Which one of two labels a set holds; None for both or neither."""
    return next((a for a, b in (two, two[::-1]) if x is not None and a in x and b not in x), None)


def _set_pair(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    """Pairs of annotations of which one holds the one label, and the other the other instead."""
    differ = [(x, y) for i in table.items for x, y in table.pairs(i) if x != y]
    linked = [
        any({_only(x, pair), _only(y, pair)} == set(pair) for pair in f["pairs"]) for x, y in differ
    ]
    return {"n": sum(linked), "of": len(differ)}


def _set_swapped(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    """Where most others hold one of two labels, whether the coder holds the other one instead."""
    one, two = f["first"], f["second"]
    found = []
    for i, c, held, most in table.decisions(one):
        other = table.most_hold(i, c, two)
        if other is not None and other != most:
            found.append((c == _who(f["coder"]), held != most and (two in table.x[i, c]) == most))
    return _tally(found)


def _set_groups(table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    """On items with sets that hold only the one and only the other of two labels."""
    two, mine = (f["first"], f["second"]), {_who(c) for c in f["coders"]}
    found = []
    for i in table.items:
        given = {c: only for c in table.coders if (only := _only(table.x[i, c], two))}
        if set(given.values()) == set(two):
            found += [(c in mine, only == two[0]) for c, only in given.items()]
    return _tally(found)


OF_SETS |= {
    "label_omitted": lambda table, f: _label_kind(table, f, omitted=True),
    "label_added": lambda table, f: _label_kind(table, f, omitted=False),
    "coder": _set_coder,
    "set_size": _set_size,
    "pair": _set_pair,
    "swapped": _set_swapped,
    "coder_groups": _set_groups,
}


def _shown(table: Table, f: Any, i: int) -> bool:
    """Whether an item holds what a finding about a label, or two, of sets tells of."""
    facts = f.facts
    if f.code in ("label_omitted", "label_added"):
        who = table.coders if facts["coder"] is None else [_who(facts["coder"])]
        omitted = f.code == "label_omitted"
        return any(
            table.x[i, c] is not None
            and (facts["first"] not in table.x[i, c]) == omitted
            and table.most_hold(i, c, facts["first"]) == omitted
            for c in who
        )
    if f.code == "pair":
        return any(
            set(pair) <= {_only(x, pair) for x in table.x[i] if x is not None}
            for pair in facts["pairs"]
        )
    return not table.unanimous(i)


# ------------------------------------------------------------------ groups of items


def _of_group(world: World, table: Table, f: Mapping[str, Any]) -> dict[str, Any]:
    _, value = f["place"]
    found = {"n": 0, "of": 0, "others_n": 0, "others_of": 0}
    for i in table.items:
        own = "" if str(world.draft.groups[i]) == str(value) else "others_"  # type: ignore[index]
        for x, y in table.pairs(i):
            found[f"{own}of"] += 1
            found[f"{own}n"] += x != y
    return found


# ------------------------------------------------------------------ the verdict


def judged_facts(world: World, findings: list[Any]) -> Iterator[Fact]:
    """Every fact of every finding that explains disagreement."""
    told = [f for f in findings if "gain" in f.facts]
    table = Table.of(world)
    for f in told:
        yield from _counts(world, table, f)
        yield from _direction(f)
        yield from _items(table, f, of_sets=world.draft.sets)
    if told and any(f.code == "no_pattern" for f in findings):
        yield Fact("no_pattern", "stands beside a finding", False)
    if len(world.causes) == 1 and told:
        yield from _of_the_plant(world, table, told)


def _counts(world: World, table: Table, f: Any) -> Iterator[Fact]:
    counts = OF_SETS if world.draft.sets else COUNTS
    if f.code == "item_group":
        true = _of_group(world, table, f.facts)
    elif f.code in counts:
        true = counts[f.code](table, f.facts)
    else:
        yield Fact(f.code, "kind", False, f.code, "a kind with a definition")
        return
    for key, x in true.items():
        said = f.facts.get(key)
        yield Fact(f.code, key, said is not None and abs(said - x) < 1e-9, said, x)


def _direction(f: Any) -> Iterator[Fact]:
    """The share that is told is larger than the one beside it."""
    n, of, less, others = (f.facts.get(k) for k in ("n", "of", "others_n", "others_of"))
    if n is not None and of and others:
        yield Fact(f.code, "direction", n / of > less / others, n / of, less / others)
    if f.code == "one_way":
        yield Fact(f.code, "direction", n > f.facts.get("reverse", n), n, f.facts.get("reverse"))


def _items(table: Table, f: Any, *, of_sets: bool) -> Iterator[Fact]:
    names = () if f.seen is None else f.seen.names
    yield Fact(f.code, "items", len(names) > 0, len(names))
    alike = [i for i in names if table.unanimous(int(i))]
    yield Fact(f.code, "items are disputed", not alike, alike)
    if of_sets:
        bad = [i for i in names if not _shown(table, f, int(i))]
        yield Fact(f.code, "items hold the deviation", not bad, bad)
    elif f.facts.get("coder") is not None and f.facts.get("other") is None:
        c = _who(f.facts["coder"])
        bad = [i for i in names if table.x[int(i), c] in (None, table.others(int(i), c))]
        yield Fact(f.code, "the coder differs on the items", not bad, bad)


def _of_the_plant(world: World, table: Table, told: list[Any]) -> Iterator[Fact]:
    """What was planted: the items that show it, and what resolving it would gain."""
    from claims.worlds import right

    (cause,) = world.causes
    f = next((f for f in told if right(f, cause)), None)
    if f is None:
        return
    draft = world.draft
    there = np.ones(draft.x.shape, bool) if draft.present is None else draft.present
    hit = ((draft.x != draft.clean) & there).any(1)
    names = [] if f.seen is None else [int(i) for i in f.seen.names]
    share = float(np.mean([hit[i] for i in names])) if names else 0.0
    yield Fact(f.code, "items show the plant", share >= 0.9, share)
    gain = Table.of(world, clean=True).alpha() - table.alpha()
    if gain >= 0.01:
        said = f.facts["gain"] / gain
        yield Fact(f.code, "gain", 0.8 <= said <= 1.2, f.facts["gain"], gain)


def same_told(one: list[Any], other: list[Any]) -> bool:
    """Whether two lists of findings say the same, to the digit."""

    def plain(f: Any) -> tuple[Any, ...]:
        facts = {
            k: tuple(sorted(map(str, v))) if isinstance(v, tuple) and k != "place" else v
            for k, v in f.facts.items()
        }
        items = () if f.seen is None else tuple(sorted(map(str, f.seen.names)))
        return f.code, f.severity, f.sentence, tuple(sorted(facts.items(), key=str)), items

    return [plain(f) for f in one] == [plain(f) for f in other]


def renamed(found: list[Any], coders: Mapping[str, str], labels: Mapping[str, str]) -> list[Any]:
    """What findings say, with other names for coders and labels, and in an order of no meaning.

    Which of two groups, and which of two labels, is told first says nothing.
    """

    def name(x: Any) -> str:
        return coders.get(str(x), labels.get(str(x), str(x)))

    def names(x: Any) -> frozenset[str]:
        return frozenset(map(name, x))

    def plain(f: Any) -> tuple[Any, ...]:
        facts = f.facts
        groups = frozenset({names(facts.get("coders", ())), names(facts.get("others", ()))})
        pairs = frozenset(names(pair) for pair in facts.get("pairs", ()))
        counts = frozenset((facts.get(n), facts.get(of)) for n, of in (("n", "of"), OTHERS))
        if f.code == "coder_groups":  # of the label that is told first
            counts = frozenset((facts["of"], facts["others_of"]))
        figures = tuple(round(facts.get(key, 0), 9) for key in ("share", "gain", "p_value"))
        which = names(facts.get("labels", ())), facts.get("direction"), facts.get("place")
        items = () if f.seen is None else tuple(sorted(map(str, f.seen.names)))
        return f.code, f.severity, groups, pairs, counts, figures, which, items

    return [plain(f) for f in found]
