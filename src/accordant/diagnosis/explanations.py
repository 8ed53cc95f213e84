"""Why coders disagree: explanations one after the other, each net of those before, and findings.

The explanation with the best score is told, explained and the null fitted again, until none is
beyond what the null would show. One culprit has one explanation: what else is found about a coder
becomes a part of it. Findings add facts, what resolving them would gain, and items to read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..inference.item_patterns import Patterns
from ..inference.null import UNEQUAL, Explained, Null, fit_null
from ..measure.shares import held_labels
from ..measure.weights import Weights
from ..messages import MessageKind, catalogued, listed, quoted
from ..numbers import joined, percent, tied
from ..scheme import number
from .coder_groups import Division, clearest, divided
from .deviations import Changes, Deviations, Edit, gain_of
from .explanation import KINDS, NOMINAL, Explanation
from .explanation_kinds import would_be_seen
from .finding import Contrast, Finding, FindingTable, told
from .groups import columns_of
from .others_label import Beside
from .set_explanations import OF_ALL, BesideSets  # it defines kinds, as what it imports does

WORTH = 0.02  # points of alpha: what moves less than the second digit is only a note
TRIFLE = 0.05  # of all deviations: less is not where to begin
MOST_CELLS = 20_000_000  # coders x values x values
ORDERED = frozenset({"ordinal", "interval", "ratio", "bipolar"})
MOST_ITEMS = 25
MOST_NAMED = 8  # coders of a group in a sentence
MOST_PAIRS = 3  # of labels in a sentence
_OTHERS = ("others_n", "others_of")


@dataclass(frozen=True, eq=False)
class Causes:
    """Why the coders of some annotations of one question disagree.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The same annotations, counted.
    weights : Weights
        Those of alpha.

    Examples
    --------
    >>> from accordant import diagnose
    >>> right = ["a", "b", "c"] * 40
    >>> diagnose([right, right, ["a", "b", "b"] * 40]).pooled.causes.found[0].title
    '“coder 3” gives “b” too often'
    """

    data: Annotations
    counts: Counts
    weights: Weights

    @cached_property
    def values(self) -> tuple[tuple[Any, ...], NDArray[np.bool_], Ints]:
        """Labels, (K, L) which value holds which, and (K,) positions of the values in order."""
        counts, categories = self.counts, self.data.scheme.categories
        if counts.of_sets:
            labels, members = held_labels(counts, categories)
            return labels, members, np.arange(counts.n_values)
        position: dict[Any, int] = {label: k for k, label in enumerate(categories)}
        every = range(counts.n_values)
        by = sorted(every, key=lambda k: position.get(counts.values[k], len(position)))
        return tuple(counts.values[k] for k in by), np.eye(len(by), dtype=bool), np.array(by)

    @property
    def ordinal(self) -> bool:
        """Whether the values are in order."""
        return self.data.scheme.scale in ORDERED and not self.counts.of_sets

    @property
    def numbers(self) -> bool:
        """Whether single labels are numbers that stand in order, though no scale is declared."""
        found = [number(x) for x in self.values[0]]
        known = [x for x in found if x is not None]
        return not self.counts.of_sets and known == sorted(known) and len(known) == len(found) > 2

    @cached_property
    def groups(self) -> dict[str, tuple[Ints, tuple[str, ...]]]:
        """(I,) groups of items and their names, by column."""
        every = np.arange(len(self.data.items))
        found = columns_of(self.data, every)
        return {column: _in_order(code, names) for column, code, names in found}

    @cached_property
    def patterns(self) -> Patterns:
        """The annotations; coders by name and values as categories, so that rows have no order."""
        coders, values = self.counts.coders, self.values[2]
        by = np.array([coders.index(name) for name in self.coders], int)
        return Patterns.of(self.counts).in_order(np.argsort(by), np.argsort(values))

    @cached_property
    def coders(self) -> tuple[str, ...]:
        """The coders by name, '2' before '10'."""
        return tuple(sorted(self.counts.coders, key=_by_name))

    @cached_property
    def beside(self) -> Beside:
        """What a reader can count."""
        kind = BesideSets if self.counts.of_sets else Beside
        return kind(self.patterns, self.values[1])

    @cached_property
    def explained(self) -> Explanations | None:
        """What was found; None where nothing can be: too many values, or nothing to compare."""
        k = self.counts.n_values
        if k < 2 or self.counts.n_coders * k**2 > MOST_CELLS or self.counts.n_questions > 1:
            return None
        return explain(
            self.patterns,
            self.values[1],
            ordinal=self.ordinal,
            numbers=self.numbers,
            groups={name: code.astype(np.int64) for name, (code, _) in self.groups.items()},
        )

    @property
    def at(self) -> Deviations:
        """The table before anything was explained."""
        if self.explained is None:
            raise ValueError("nothing is explained")
        return self.explained.first

    @cached_property
    def found(self) -> tuple[Finding, ...]:
        """A finding for each explanation."""
        if self.explained is None:
            return ()
        every, groups = self.explained.found, self.explained.groups
        pairs = [x for x in every if x.kind == "coder_groups"]
        if groups is None or len(pairs) == 1:
            return tuple(self.finding(one) for one in every)
        others = (x for x in every if x.kind != "coder_groups")  # parts of the same division
        return (*(self.finding(one) for one in others), self._divided(groups))

    def _divided(self, one: Division) -> Finding:
        shares = self.patterns.shares
        gain = one.rise / (1 - float((shares**2).sum()))
        facts = {
            "coders": tuple(self.coders[c] for c in one.coders),
            "others": tuple(self.coders[c] for c in one.others),
            **dict.fromkeys(("coder", "other", "first", "second", "direction")),
            **dict.fromkeys(("labels", "pairs", "place"), ()),
            **{name: getattr(one, name) for name in ("within", "between", "share", "p_value")},
            "gain": gain,
        }
        names = {k: listed(facts[k], most=MOST_NAMED) for k in ("coders", "others")}
        line = Contrast("between the groups", one.n_between, one.between, one.within)
        items = self._ranked(clearest(self.patterns, one))
        return told(
            "coder_division",
            facts,
            names,
            question=self.data.questions[0] or None,
            severity="note" if one.share < TRIFLE or gain < WORTH else "warning",
            stake=gain,
            remedy="guideline",
            seen=FindingTable((line,), "what", "pairs", "agreement", "within the groups", items),
        )

    def finding(self, one: Explanation) -> Finding:
        """One explanation with everything that is known of it."""
        facts, gain = self.facts_of(one), self.gain_of(one)
        small = gain < WORTH or one.share < TRIFLE or one.place == ("ordinary",)
        found = told(
            one.kind,
            {**facts, "gain": gain},
            self._words(one),
            question=self.data.questions[0] or None,
            severity="note" if small else "warning",
            stake=gain,
            remedy=KINDS[one.kind].remedy,
            seen=self._evidence(one),
            do=self._do(one),
        )
        return replace(found, sentence=f"{found.sentence}{self._parts(one)}")

    def facts_of(self, one: Explanation) -> dict[str, Any]:
        """What a finding says, as values: counts are those of the table."""
        one = self._as_given(one)
        names = [self.label(k) for k in one.labels]
        coders = [self.coders[c] for c in one.coders]
        two = len(coders) == 2 and one.kind in ("one_sided", "shifted", "set_size")
        pairs = one.pairs if one.kind in ("pair", "chain") else ()
        place: tuple[Any, ...] = () if one.kind == "coder_gives" else one.place
        if one.kind == "item_group":
            name, group = one.place
            place = name, self.groups[name][1][group]
        if one.instead:
            names += map(self.label, one.instead)
        return {
            "coder": coders[0] if len(coders) == 1 or two else None,
            "other": coders[1] if two else None,
            "coders": tuple(coders),
            "others": tuple(
                c for k, c in enumerate(self.coders) if one.coders and k not in one.coders
            ),
            "first": names[0] if names else None,
            "second": names[1] if len(names) > 1 else None,
            "labels": tuple(map(self.label, one.labels)),
            "pairs": tuple((self.label(a), self.label(b)) for a, b in pairs),
            "place": place,
            "direction": one.direction,
            **self._counted(one),
            "share": one.share,
            "p_value": min(1.0, NOMINAL / len(KINDS) * math.exp(-one.score)),
        }

    def _as_given(self, one: Explanation) -> Explanation:
        """Groups of coders with the label first that they give more often than the others."""
        if one.kind != "coder_groups":
            return one
        a, b = one.labels
        mine = self.beside.on_both(np.array(one.coders), a, b)
        return one if mine.more else replace(one, labels=(b, a))

    def _counted(self, one: Explanation) -> dict[str, int]:
        """Of how many annotations, pairs or items it is true, and of how many it could be."""
        counts = KINDS[one.kind].counted(self.beside, one, self._items_at(one))
        return dict(zip(("n", "of", "others_n", "others_of"), counts, strict=False))

    def label(self, k: int) -> Any:
        """A label by its position."""
        return self.values[0][k]

    def _words(self, one: Explanation) -> dict[str, str]:
        """The facts as they stand in sentences."""
        facts = self.facts_of(one)
        pairs = (" and ".join(map(quoted, pair)) for pair in facts["pairs"])
        group = facts["place"] if one.kind == "item_group" else ("", "")
        rates = ((facts.get(n, 0), facts.get(of, 0)) for n, of in (("n", "of"), _OTHERS))
        rate, usual = (percent(n / max(of, 1)) for n, of in rates)
        another, seldom = "another label", facts["direction"] == "less"
        named = seldom or facts["second"] is not None
        return {
            "coder": quoted(facts["coder"]),
            "other": quoted(facts["other"]),
            "beside": quoted(facts["other"]) if facts["other"] else "the other coders",
            "coders": listed(facts["coders"], most=MOST_NAMED),
            "others": listed(facts["others"], most=MOST_NAMED),
            "often": "seldom" if seldom else "often",
            "asked": quoted(facts["first" if seldom else "second"]) if named else another,
            "answer": another if seldom else quoted(facts["first"]),
            "first": quoted(facts["first"]),
            "second": quoted(facts["second"]),
            "labels": joined(map(quoted, facts["labels"])),
            "pairs": joined(pairs, most=MOST_PAIRS),
            "by": f" by {quoted(facts['coder'])}" if one.coders else "",
            "of_whom": f" of {quoted(facts['coder'])}" if one.coders else "",
            "for_others": f"for the other {'coders' if one.coders else 'labels'}",
            "adds": "added" if one.place == ("up",) else "left out",
            "where": f"with {group[0]} = {quoted(group[1])}",
            "part": percent(one.share, 0),
            "rate": rate,
            "usual": usual,
        }

    def _parts(self, one: Explanation) -> str:
        """What else was found about the same coder, with the number of annotations."""
        parts = (told(x.kind, self.facts_of(x), self._words(x)) for x in one.parts)
        each = "; ".join(f"{x.title} ({x.facts['n']:,})" for x in parts)
        return f" Also found: {each}." if each else ""

    # -------------------------------------------------------------- weight

    def gain_of(self, one: Explanation) -> float:
        """By how much alpha would rise if what is beyond the null were resolved."""
        return self.risen(self.edit_of(one))

    def edit_of(self, one: Explanation) -> Edit:
        """What is resolved of an explanation: what is beyond the null."""
        null, part = self.at.null, one.excess / max(one.observed, 1e-9)
        last = self.explained.last.null if self.explained is not None else null
        own = [
            x for x in last.explained if one.cells is not None and not (x.cells & ~one.cells).any()
        ]
        if one.kind in OF_ALL and not one.coders:
            null = last
        elif own and one.kind in ("pair", "chain", "coder_groups"):  # the last null knows best
            null, part = last, max(0.0, 1 - 1 / max(x.factor for x in own))
        return self.edit(
            null, np.where(self._cells(one), part, 0.0), one.labels, self._items_at(one)
        )

    def edit(
        self, null: Null, parts: Floats, labels: tuple[int, ...], items: Bools | None = None
    ) -> Edit:
        """What is resolved about some labels: of sets these alone, and no other labels."""
        beside = self.beside
        onto = beside.flipped(labels) if isinstance(beside, BesideSets) else None
        return Edit.of(null, parts, onto, items=items)

    def risen(self, edit: Edit) -> float:
        """By how much alpha would rise."""
        by = self.values[2]
        return gain_of(edit, np.asarray(self.weights.matrix[np.ix_(by, by)]))

    def _cells(self, one: Explanation) -> NDArray[np.bool_]:
        """(C, K, K) the deviations it is about."""
        return np.ones(self.at.observed.shape, bool) if one.cells is None else one.cells

    def _items_at(self, one: Explanation) -> NDArray[np.bool_] | None:
        """(I,) the items of a group."""
        if one.kind != "item_group":
            return None
        return np.asarray(self.groups[one.place[0]][0] == one.place[1])

    def _do(self, one: Explanation) -> tuple[Action, ...]:
        """The next call: an ordinal scale for a chain of numbers."""
        in_order = list(one.labels) in (sorted(one.labels), sorted(one.labels, reverse=True))
        if one.kind != "chain" or not in_order or not self.numbers or self.ordinal:
            return ()
        question = self.data.questions[0]
        scale: Any = {question: "ordinal"} if question else "ordinal"
        return (Action("report", {"scale": scale}, "ordinal scale"),)

    # -------------------------------------------------------------- evidence

    def items_of(self, one: Explanation, most: int = MOST_ITEMS) -> tuple[int, ...]:
        """Positions of the items that show it, those that most probably do in front."""
        null, beside = self.at.null, self.beside
        rows, cells = beside.rows, self._cells(one)
        shown = (null.latent[rows.row] * cells[rows.coder, :, rows.value]).sum(1)
        # The last digits of floats differ between processors, and must not order items.
        by_pattern = tied(rows.sums((shown * self.shows(one))[:, None])[:, 0])
        by_pattern[(rows.given > 0).sum(1) < 2] = 0  # where all agree there is nothing to read
        return self._ranked(by_pattern, self._items_at(one), most)

    def _ranked(
        self, by_pattern: Floats, there: Bools | None = None, most: int = MOST_ITEMS
    ) -> tuple[int, ...]:
        """Positions of items with the highest values (P,), by name where these are equal."""
        x = np.append(tied(by_pattern), 0)[self.patterns.pattern]
        x = x if there is None else np.where(there, x, 0)
        enough = np.sort(x)[-min(most, len(x))] if len(x) else 0.0
        found = np.flatnonzero((x > 0.1) & (x >= enough)).tolist()
        names = self.data.items
        return tuple(sorted(found, key=lambda k: (-x[k], _by_name(names[k])))[:most])

    def shows(self, one: Explanation) -> NDArray[np.bool_]:
        """(E,) which annotations are what the finding tells of."""
        beside, value = self.beside, self.beside.rows.value
        mine = np.isin(beside.rows.coder, one.coders)
        if isinstance(beside, BesideSets):
            return beside.shows(one)
        if one.kind == "item_group":
            return np.ones(len(value), bool)
        if one.kind == "coder_groups":
            a, b = self._as_given(one).labels
            return np.asarray(np.where(mine, value == a, value == b) & beside.both(a, b))
        if len(one.coders) != 1:
            return np.ones(len(value), bool)
        told = self._cells(one)[beside.rows.coder, np.maximum(beside.most, 0), value]
        return np.asarray(beside.differs & mine & told)

    def _evidence(self, one: Explanation) -> FindingTable:
        """The share that the sentence tells, beside that of the others where it tells one."""
        n, of, others_n, others_of = (
            self.facts_of(one).get(key, 0) for key in ("n", "of", "others_n", "others_of")
        )
        others = others_n / others_of if others_of else math.nan
        line = Contrast("found", of, n / of if of else math.nan, others)
        items = self.items_of(one)
        return FindingTable((line,), "what", "of", "share of these", "the others", items=items)


def _in_order(code: Ints, names: tuple[str, ...]) -> tuple[Ints, tuple[str, ...]]:
    """Groups numbered by name, so that rows do not decide."""
    order = sorted(range(len(names)), key=lambda k: _by_name(names[k]))
    place = np.argsort(order)
    return np.where(code < 0, code, place[code]), tuple(names[k] for k in order)


def _by_name(name: Any) -> tuple[tuple[int, int, str], ...]:
    """A key that orders names as people do."""
    parts = re.split(r"([0-9]+)", str(name))
    return tuple((0, int(x), "") if x.isdigit() else (1, 0, x) for x in parts if x)


catalogued(
    MessageKind(
        "coder_division",
        "warning",
        "Two groups of coders read items differently",
        "One group is {coders}, the other {others}: within them {within:%} of pairs of annotations "
        "of an item are equal, between them {between:%} ({p_value:p}).",
        sources=("kairam2016",),
        advice="Ask both groups for their reasons before any vote: a majority only shows which "
        "group is larger. Keep both readings if both are sound; else decide in the guideline.",
    )
)

# ------------------------------------------------------------------ no cause


FEW_DISPUTED = 10  # disputed items: fewer spread like anything
TENTATIVE = 0.667  # below, the disagreement itself is a warning (Krippendorff 2004)

catalogued(
    MessageKind(
        "no_pattern",
        "note",
        "No pattern",
        "The {n_items:disputed item} show no pattern: labels, coders and items differ no more "
        "than random errors make them differ{seen}.",
        lambda facts: (Action("diagnose", {"show": "items"}, "the items to read"),),
        ("artstein2008", "krippendorff2004"),
        "If agreement is low, look for a general problem: whether coders see enough to do the "
        "task, know the guideline, and pay attention.",
    )
)


def no_pattern(
    causes: Causes, alpha: float, n_disputed: int, named: Sequence[str]
) -> Iterator[Finding]:
    """Disagreements that spread as random errors spread; a warning where agreement is low.

    Not where anything that is told of the same annotations names a coder, labels or items:
    findings, caveats, levels (``named``). And never without what would have been seen.
    """
    explained = causes.explained
    if explained is None or n_disputed < FEW_DISPUTED or named:
        return
    facts = would_be_seen(explained.last)
    words = (
        f"{text} {percent(facts[key], 0)} of the {of}"
        for key, text, of in (
            ("coder", "a coder who errs in", "annotations"),
            ("pair", "a confusion of two frequent labels behind", "disagreement"),
        )
        if key in facts
    )
    if not facts:  # nothing would have been seen, however many items
        return
    low = alpha < TENTATIVE
    yield told(
        "no_pattern",
        {"n_items": n_disputed, "would_be_seen": facts},
        {"seen": f"; {' or '.join(words)} would most probably have been seen"},
        question=causes.data.questions[0] or None,
        severity="warning" if low else "note",
        stake=0.0,
        remedy="task" if low else None,
    )


# ------------------------------------------------------------------ the search


MOST = 25  # explanations
LEAST = 0.01  # of all deviations: less is not told
HALF = 0.5  # of an explanation must be in what takes its place, or is new
MANY, CLEAR = 10, 10.0  # coders who are told together, and nats from which they are
LINKS = frozenset({"pair", "chain"})
ENDS = 2  # of a chain
MANNERS = frozenset({"coder_gives", "swapped", "shifted", "set_size", *OF_ALL})
"""Kinds that say what a coder does who deviates too often."""


@dataclass(frozen=True, eq=False)
class Explanations:
    """What was found, and the last null, which no explanation exceeds.

    Parameters
    ----------
    found : tuple of Explanation
        In the order in which they were found: the clearest first.
    first, last : Deviations
        Before anything was told, and after.
    groups : Division or None
        Coders who read items otherwise than the others, whatever the labels.
    """

    found: tuple[Explanation, ...]
    first: Deviations
    last: Deviations
    groups: Division | None


@dataclass(eq=False)
class _Search:
    """What has been told, and what is left."""

    patterns: Patterns
    members: Bools
    ordinal: bool
    numbers: bool
    groups: Mapping[str, NDArray[np.int64]]
    changes: Changes
    difficulty: Floats
    explained: list[Explained] = field(default_factory=list)
    found: list[Explanation] = field(default_factory=list)
    null: Null | None = None
    grouped: tuple[int, ...] = ()
    unequal: float = UNEQUAL

    def loosened(self) -> bool:
        """Whether labels of sets may now differ as much as they like, which they might not before.

        Only once no labels are seen to be exchanged: else both seem to be left out.
        """
        first = self.unequal == UNEQUAL and not self.changes.plain
        self.unequal, self.null = math.inf, None if first else self.null
        return first

    def fitted(self) -> Deviations:
        """The table with what was told explained."""
        self.null = fit_null(
            self.patterns,
            self.members,
            ordinal=self.ordinal,
            explained=self.explained,
            start=self.null,
            unequal=self.unequal,
        )
        return Deviations(self.null, self.changes, self.ordinal, self.groups, self.difficulty)

    def candidates(self, at: Deviations) -> list[Explanation]:
        """What is beyond the bound, not told and worth telling; the clearest first."""
        known = {x.key for y in self.found for x in (y, *y.parts)}
        confused = [set(x.labels) for x in self.found if x.kind in LINKS]
        found: list[Explanation] = []
        for name, kind in KINDS.items():
            new = (x for x in kind.find(at) if x.key not in known and x.share >= LEAST)
            if name in OF_ALL:  # a label is left out or added, but not both
                told = {x.labels for x in self.found if x.kind in OF_ALL and not x.coders}
                new = (x for x in new if x.coders or x.labels not in told)
            if name == "coder_groups" and not self.changes.plain:  # all confuse them in one item
                new = (x for x in new if not any(set(x.labels) <= pair for pair in confused))
            if name == "coder":  # who agree with each other do not guess
                new = (x for x in new if x.coders[0] not in self.grouped)
            found += (x for x in new if self._new(x, at))
        return sorted(_rivals(found, at), key=lambda x: -tied(x.score))

    def _new(self, one: Explanation, at: Deviations) -> bool:
        """Whether an explanation of a coder is not about deviations of the coder told already."""
        if len(one.coders) != 1 or one.cells is None:
            return True
        left = one.cells.copy()
        for before in self.found:
            for x in (before, *before.parts):
                if x.coders == one.coders and x.cells is not None:
                    left &= ~x.cells
        return bool(at.observed[left].sum() >= HALF * at.observed[one.cells].sum())

    def described(self, one: Explanation, at: Deviations) -> Explanation:
        """What a coder does who deviates too often, if it is clear of this coder alone."""
        if one.kind == "coder":
            kinds, least = MANNERS, HALF
        elif one.kind == "coder_gives" and self.ordinal:
            kinds, least = frozenset({"shifted"}), 1.0
        else:
            return one
        near = replace(at, focus=one.coders[0], kinds=len(kinds))
        known = {x.key for y in self.found for x in (y, *y.parts)}
        most = least * (one.observed - one.expected)
        found = (
            x
            for name in sorted(kinds)
            for x in KINDS[name].find(near)
            if x.observed - x.expected >= most and x.key not in known
        )
        return max(found, key=lambda x: tied(x.score), default=one)

    def tell(self, one: Explanation) -> None:
        """Add an explanation, and leave its deviations out of what follows."""
        same = [
            i for i, x in enumerate(self.found) if len(one.coders) == 1 and x.coders == one.coders
        ]
        if same:
            first = self.found[same[0]]
            self.found[same[0]] = replace(first, parts=(*first.parts, one))
        elif not self._joined(one):
            self.found.append(self._named(one))
        in_order = one.kind == "chain" and _neighbours(one.labels)
        if in_order and self.numbers and not self.ordinal:
            self.ordinal, self.null, self.explained = True, None, []
        elif self._dropped(one):
            self.patterns = self.patterns.without(self.patterns.coder == one.coders[0])
        elif one.kind == "item_group":
            self._harder(one)
        elif one.cells is not None and one.kind != "coder":
            factor = one.observed / max(one.expected, 1e-9)
            self.explained.append(Explained(one.cells, factor))

    def _joined(self, one: Explanation) -> bool:
        """Whether a confusion shares a label with others that were told: then they are one."""
        same = [
            x
            for x in self.found
            if {x.kind, one.kind} <= LINKS and not set(x.labels).isdisjoint(one.labels)
        ]
        if not same:
            return False
        whole = same[0]
        for other in (*same[1:], one):
            whole = self._with(whole, other)
        self.found = [whole if x is same[0] else x for x in self.found if x not in same[1:]]
        return True

    def _with(self, first: Explanation, one: Explanation) -> Explanation:
        """Two confusions as one; what confuses no further labels is explained by the first."""
        known = {frozenset(pair) for pair in first.pairs}
        links = tuple(pair for pair in one.pairs if frozenset(pair) not in known)
        if not links or first.cells is None or one.cells is None or self.null is None:
            return first
        there = self.null.deviations
        new = there[one.cells & ~first.cells].sum() / max(there[one.cells].sum(), 1e-9)
        return self._named(
            replace(
                first,
                cells=first.cells | one.cells,
                links=(*first.pairs, *links),
                observed=first.observed + new * one.observed,
                expected=first.expected + new * one.expected,
                of=first.of + one.of,
                share=first.share + new * one.share,
            )
        )

    def _named(self, one: Explanation) -> Explanation:
        """Linked pairs of labels as a chain, unless an order is known in which they are none."""
        if one.kind not in LINKS or len(one.pairs) == 1:
            return one
        path = _path(one.pairs) if self.changes.plain else ()
        known = self.ordinal or self.numbers
        if path and (_neighbours(path) or not known):
            return replace(one, kind="chain", labels=path, links=())
        labels = tuple(dict.fromkeys(label for pair in one.pairs for label in pair))
        return replace(one, kind="pair", labels=labels, links=one.pairs)

    def _dropped(self, one: Explanation) -> bool:
        """Whether the others are judged without the coder of an explanation.

        In sets what a coder does with one label changes many sets, each in its own measure.
        """
        if len(one.coders) != 1 or one.place == ("ordinary",):
            return False
        return one.kind in ("coder", "shifted", "swapped", *OF_ALL)

    def _harder(self, one: Explanation) -> None:
        """Items of a group by the odds, since shares of all deviations are compared."""
        name, group = one.place
        more = one.observed / max(one.expected, 1e-9)
        left = max(one.of - one.expected, 1e-9) / max(one.of - one.observed, 1.0)
        self.difficulty[self.groups[name] == group] *= more * left


def _path(pairs: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The labels of pairs that form one chain, from the end with the lower label; else none."""
    near: dict[int, list[int]] = {}
    for a, b in pairs:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    ends = sorted(label for label, others in near.items() if len(others) == 1)
    if len(ends) != ENDS or max(map(len, near.values())) > ENDS:
        return ()
    path = [ends[0]]
    while further := [label for label in near[path[-1]] if label not in path]:
        path += further
    return tuple(path) if len(path) == len(near) else ()


def _neighbours(labels: tuple[int, ...]) -> bool:
    """Whether labels follow each other in the order of all labels."""
    return tuple(sorted(labels)) in (labels, labels[::-1]) and (
        max(labels) - min(labels) == len(labels) - 1
    )


def explain(
    patterns: Patterns,
    members: Bools,
    *,
    ordinal: bool = False,
    numbers: bool = False,
    groups: Mapping[str, NDArray[np.int64]] | None = None,
) -> Explanations:
    """Explanations of disagreement.

    Parameters
    ----------
    patterns : Patterns
        The annotations.
    members : ndarray of bool
        (K, L) which value holds which label; for single labels the identity.
    ordinal : bool
        Whether the values are in order.
    numbers : bool
        Whether they are numbers in order: once neighbours are seen to be confused along several of
        them, they are taken for a scale.
    groups : mapping of str to ndarray of int, optional
        Groups of items (I,), -1 for none, by the name of what they have in common.

    Returns
    -------
    Explanations

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> latent = random.integers(0, 4, (300, 1))
    >>> slips = random.random((300, 3)) < 0.1
    >>> grid = np.where(slips, (latent + random.integers(1, 4, (300, 3))) % 4, latent)
    >>> explain(Patterns.of_grid(grid, 4), np.eye(4, dtype=bool)).found
    ()
    >>> slips = (random.random((300, 3)) < 0.3) & (latent == 1)
    >>> changed = Patterns.of_grid(np.where(slips, 2, grid), 4)
    >>> [(x.kind, x.labels) for x in explain(changed, np.eye(4, dtype=bool)).found]
    [('pair', (1, 2))]
    """
    n = len(patterns.pattern)
    search = _Search(
        patterns, members, ordinal, numbers, groups or {}, Changes.of(members), np.ones(n)
    )
    at = first = search.fitted()
    plain, compared = search.changes.plain, first.null.patterns
    parted = divided(compared, first.null, ordinal=ordinal) if plain else None
    search.grouped = () if parted is None else parted.coders
    for _ in range(MOST):
        candidates = search.candidates(at)
        if not candidates and not search.loosened():
            break
        for one in _next(candidates, patterns.n_coders) if candidates else ():
            clear = search.described(one, at)
            search.tell(replace(clear, share=clear.share * at.n / first.n))  # of all deviations
        at = search.fitted()
    return Explanations(tuple(search.found), first, at, parted)


def _next(candidates: list[Explanation], n_coders: int) -> list[Explanation]:
    """The best one; of many coders also what is clear about others of them."""
    best = _narrowest(candidates[0], candidates)
    if len(best.coders) != 1 or n_coders < MANY:
        return [best]
    each = {best.coders: best}
    for one in candidates:
        if len(one.coders) == 1 and one.score > CLEAR:
            each.setdefault(one.coders, _narrowest(one, candidates))
    return list(each.values())


def _narrowest(best: Explanation, candidates: list[Explanation]) -> Explanation:
    """Where a coder is the best, what says more about the coder's annotations, if anything does.

    Of one who guesses, some label is given too often as well, but that is not all.
    """
    if best.kind != "coder":
        return best
    same = (x for x in candidates if x.coders == best.coders and x.kind != "coder")
    return next((x for x in same if not x.labels or x.share >= HALF * best.share), best)


def _rivals(found: list[Explanation], at: Deviations) -> Iterator[Explanation]:
    """The same without a pair that divides coders, or in sets without the groups that it divides.

    And without labels that are hard by themselves, as long as they may be confused with others.
    """
    confused = {label for x in found if x.kind == "pair" for label in x.labels}
    found = [x for x in found if x.coders or x.kind not in OF_ALL or x.labels[0] not in confused]
    kinds = ("coder_groups", "pair") if at.changes.plain else ("pair", "coder_groups")
    kept = {frozenset(x.labels) for x in found if x.kind == kinds[0]}
    return (x for x in found if x.kind != kinds[1] or frozenset(x.labels) not in kept)
