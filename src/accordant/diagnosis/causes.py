"""Explanations as findings: their facts, what resolving them would gain, and items to read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..counts.counts import Counts
from ..counts.tables import positions_of
from ..data.annotations import Annotations
from ..inference.item_patterns import Patterns
from ..measure.shares import held_labels
from ..measure.weights import Weights
from ..numbers import count_of, decimal, joined, p_text, percent, tied
from ..scheme import Label, number
from .cause_evidence import NO_LABEL, by_coder, by_group, changes, over_time
from .coders import Coders
from .deviations import Deviations
from .drift import Order, order_like, order_of
from .explain import Explanations, explain, span
from .explanation import KINDS, NOMINAL, Explanation
from .finding import Contrast, Evidence, Finding, Severity
from .gain import gain_of
from .groups import columns_of
from .words import listed, quoted

__all__ = ["Causes", "causes"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

WORTH = 0.02  # points of alpha: what moves less than the second digit is only a note
MOST_CELLS = 20_000_000  # coders x values x values
ORDERED = frozenset({"ordinal", "interval", "ratio", "bipolar"})
CHANGES = frozenset({"coder_trend", "coder_stretch", "coder_change"})
"""Of a coder in the course of the data."""
MOST_CHANGES = 2  # told one by one where the order is not known: more may be the order of the file
MOST_ITEMS = 25
MOST_NAMED = 8  # coders of a group in a sentence
MOST_PAIRS = 3  # of labels in a sentence


@dataclass(frozen=True, eq=False)
class Causes:
    """Why the coders of some annotations disagree.

    Parameters
    ----------
    data : Annotations
    counts : Counts
    weights : Weights
        Those of alpha.
    ordinal : bool
    order : str or None
        The column that says in which order items were annotated.
    order_of_labels : tuple of Label
        In the order of the scheme.
    beside : Coders
        Each coder beside the others: what alpha would be without one of them.
    """

    data: Annotations
    counts: Counts
    weights: Weights
    ordinal: bool
    order: str | None
    order_of_labels: tuple[Label, ...]
    beside: Coders

    @cached_property
    def values(self) -> tuple[tuple[Any, ...], NDArray[np.bool_], Ints]:
        """Labels, (K, L) which value holds which, and (K,) positions of the values in order."""
        if not self.counts.of_sets:
            position: dict[Any, int] = {label: k for k, label in enumerate(self.order_of_labels)}
            by = sorted(
                range(self.counts.n_values),
                key=lambda k: position.get(self.counts.values[k], len(position)),
            )
            names = tuple(self.counts.values[k] for k in by)
            return names, np.eye(len(names), dtype=bool), np.array(by)
        labels, members = held_labels(self.counts, self.order_of_labels)
        return labels, members, np.arange(self.counts.n_values)

    @property
    def numbers(self) -> bool:
        """Whether single labels are numbers that stand in order, though no scale is declared."""
        found = [number(x) for x in self.values[0]]
        known = [x for x in found if x is not None]
        return not self.counts.of_sets and known == sorted(known) and len(known) == len(found) > 2

    @property
    def label_counts(self) -> Floats:
        """(L,) annotations that hold each label."""
        _, members, by = self.values
        return np.asarray(self.counts.pool[by] @ members)

    @cached_property
    def timeline(self) -> Order:
        """In which order items were annotated."""
        return order_of(self.data, self.order, np.arange(len(self.data.items)))

    @cached_property
    def groups(self) -> dict[str, tuple[Ints, tuple[str, ...]]]:
        """(I,) groups of items and their names, by column."""
        every = np.arange(len(self.data.items))
        return {name: (code, names) for name, code, names in columns_of(self.data, every)}

    @cached_property
    def explained(self) -> Explanations | None:
        """What was found; None where nothing can be: too many values, or nothing to compare."""
        k = self.counts.n_values
        if k < 2 or self.counts.n_coders * k**2 > MOST_CELLS or self.counts.n_questions > 1:
            return None
        rows = Patterns.of(self.counts)
        by = self.values[2]
        place = np.empty(len(by), int)
        place[by] = np.arange(len(by))
        return explain(
            rows.renamed(place),
            self.values[1],
            ordinal=self.ordinal,
            numbers=self.numbers,
            groups={name: code.astype(np.int64) for name, (code, _) in self.groups.items()},
            times=self.timeline.place if self.timeline.known else None,
        )

    @property
    def at(self) -> Deviations:
        """The table before anything was explained."""
        if self.explained is None:
            raise ValueError("nothing is explained")
        return self.explained.first

    @cached_property
    def found(self) -> tuple[Finding, ...]:
        """A finding for each explanation; many changes along unordered data are one."""
        explained = () if self.explained is None else self.explained.found
        changes = [one for one in explained if one.kind in CHANGES and not one.parts]
        if self.timeline.known or len(changes) <= MOST_CHANGES:
            return tuple(self.finding(one) for one in explained)
        each = [one for one in explained if one not in changes]
        return (*map(self.finding, each), self.changes_of_many(changes))

    @property
    def coders(self) -> frozenset[str]:
        """Coders who have a finding of their own."""
        one = frozenset(str(x.facts["coder"]) for x in self.found if x.facts["coder"] is not None)
        return one.union(*(x.facts["coders"] for x in self.found if x.code == "coder_trend"))

    def finding(self, one: Explanation) -> Finding:
        """One explanation with everything that is known of it."""
        kind, facts, gain = KINDS[one.kind], self.facts_of(one), self.gain_of(one)
        told = {key: self._said(x) for key, x in facts.items()} | self._told(one)
        text = kind.text.format(**told)
        if one.parts:
            text += f" {self._parts(one)}"
        if facts["alpha_without"] >= self.beside.alpha + WORTH:
            text += self._without(str(facts["coder"]), facts["alpha_without"])
        return Finding(
            one.kind,
            self._severity(one, gain),
            text,
            kind.advice.format(**told),
            {**facts, "gain": gain},
            kind.sources,
            self.data.questions[0] or None,
            gain,
            kind.remedy,
            Evidence(*self._evidence(one), items=self.items_of(one)),
            title=_begun(kind.title.format(**told)),
            do=self._do(one),
        )

    def _without(self, coder: str, alpha: float) -> str:
        """What alpha would be without a coder, unless no digit tells the difference."""
        without, now = decimal(alpha), decimal(self.beside.alpha)
        if without == now:
            return ""
        return f" Among the other coders alone, α is {without}; with {quoted(coder)}, it is {now}."

    def changes_of_many(self, changes: list[Explanation]) -> Finding:
        """Coders who change along data whose order is not known, in one note."""
        first = self.finding(changes[0])
        every = [self.facts_of(one) for one in changes]
        coders = tuple(dict.fromkeys(name for facts in every for name in facts["coders"]))
        n, expected = (sum(getattr(x, key) for x in changes) for key in ("observed", "expected"))
        gain = sum(map(self.gain_of, changes))
        text = (
            f"{listed(coders)} differ from the others more in some parts of the data than in "
            f"others: in {n:,.0f} annotations; evenly spread, {expected:,.0f} would be expected. "
            "The data do not say in which order items were annotated: coders may have changed, or "
            "the items may be sorted."
        )
        facts = {
            "coder": None,
            "other": None,
            "coders": coders,
            "first": None,
            "second": None,
            "labels": (),
            "pairs": (),
            "place": (),
            "n": round(n),
            "expected": expected,
            "of": sum(facts["of"] for facts in every),
            "share": sum(facts["share"] for facts in every),
            "p_value": min(facts["p_value"] for facts in every),
            "alpha_without": math.nan,
            "gain": gain,
        }
        return Finding(
            "coder_trend",
            "note",
            text,
            "Say which column holds the time of annotation. If the file is in that order, find out "
            "what changed for these coders.",
            facts,
            question=first.question,
            stake=gain,
            remedy="coder",
            seen=first.seen,
            title=f"{len(coders)} coders agree less in some parts of the data",
            do=first.do,
        )

    # -------------------------------------------------------------- facts

    def facts_of(self, one: Explanation) -> dict[str, Any]:
        """What a finding says, as values."""
        names = [self.label(k) for k in one.labels]
        coders = [self.counts.coders[c] for c in one.coders]
        return {
            "coder": coders[0] if len(one.coders) == 1 or _of_two(one) else None,
            "other": coders[1] if _of_two(one) else None,
            "coders": tuple(coders),
            "first": names[0] if names else None,
            "second": names[1] if len(names) > 1 else None,
            "labels": tuple(names),
            "pairs": self.pairs(one),
            "place": one.place,
            "n": round(one.observed),
            "expected": one.expected,
            "of": round(one.of),
            "share": one.share,
            "p_value": self.p_value(one),
            "alpha_without": self.alpha_without(one),
        }

    def pairs(self, one: Explanation) -> tuple[tuple[Any, Any], ...]:
        """The pairs of labels that are confused; none of other kinds."""
        if one.kind not in ("pair", "chain"):
            return ()
        return tuple((self.label(a), self.label(b)) for a, b in one.pairs)

    def alpha_without(self, one: Explanation) -> float:
        """Alpha without the coder it is about; NaN if it is not about one, or not known."""
        name = self.counts.coders[one.coders[0]] if len(one.coders) == 1 else None
        if name not in self.beside.coders:
            return math.nan
        return float(self.beside.alpha_without[self.beside.coders.index(name)])

    @staticmethod
    def p_value(one: Explanation) -> float:
        """Corrected for the number of candidates of its kind."""
        return min(1.0, NOMINAL / len(KINDS) * math.exp(-one.score))

    def label(self, k: int) -> Any:
        """A label by its position; the empty tuple for none."""
        return self.values[0][k] if k < len(self.values[0]) else ()

    def _said(self, x: Any) -> Any:
        """A fact in a sentence."""
        if isinstance(x, tuple):
            return listed(x)
        return x if isinstance(x, int | float) else quoted(x)

    def _told(self, one: Explanation) -> dict[str, Any]:
        """What templates need beyond the facts."""
        coders, others = (
            [c for k, c in enumerate(self.counts.coders) if (k in one.coders) is own]
            for own in (True, False)
        )
        names = [_named(self.label(k)) for k in one.labels]
        every = self.pairs(one)
        link = " and " if len(every) == 1 else " with "
        pairs = (link.join(map(_named, pair)) for pair in every)
        where = self._where(one)
        return {
            **dict(zip(("first", "second"), names, strict=False)),
            "labels": joined(names),
            "pairs": joined(pairs, most=MOST_PAIRS),
            "coders": listed(coders, most=MOST_NAMED),
            "others": listed(others, most=MOST_NAMED),
            "part": percent(one.share, 0),
            "n": f"{one.observed:,.0f}",
            "of": f"{one.of:,.0f}",
            "expected": f"about {one.expected:,.0f}" if one.expected >= 1 else "fewer than one",
            "rate": percent(one.observed / max(one.of, 1e-9)),
            "ordinary": f"{percent(one.expected / max(one.of, 1e-9))} or less",
            "p": p_text(self.p_value(one)),
            "direction": one.direction,
            "towards": "nearer to the middle" if one.place[:1] == ("in",) else "nearer to the ends",
            "where": where,
            "where_begun": _begun(where),
            "along": f"in the order of {quoted(self.timeline.name)}"
            if self.timeline.known
            else "along the data",
            "order": ""
            if self.timeline.known
            else " The data do not say in which order items were annotated: if they stand in that "
            "order, this is a change over time; if they are sorted, it is about these items.",
        }

    def _where(self, one: Explanation) -> str:
        """A place in a sentence."""
        if one.kind == "item_group":
            name, group = one.place
            return f"with {name} = {quoted(self.groups[name][1][group])}"
        if one.kind in ("trend", "coder_trend"):
            return f"the {'second' if one.place[0] == 'rises' else 'first'} half"
        if one.kind not in ("stretch", "coder_stretch", "coder_change"):
            return ""
        low, high = one.place
        names = self.bins
        if low == "from":
            return f"from {names[high]} on"
        if low == "until":
            return f"up to {names[high - 1]}"
        if high - low == 1:
            return f"in {names[low]}"
        return f"from {names[low]} to {names[high - 1]}"

    @cached_property
    def bins(self) -> tuple[str, ...]:
        """What the parts of the data are called: batches, or eighths."""
        n = self.at.timeline.n_bins
        if len(self.timeline.batches) == n:
            return tuple(map(quoted, self.timeline.batches))
        return tuple(f"part {k} of {n} of the data" for k in range(1, n + 1))

    def _parts(self, one: Explanation) -> str:
        """What else was found about the same coder."""
        told = []
        for part in one.parts:
            words = {key: self._said(x) for key, x in self.facts_of(part).items()}
            words |= self._told(part)
            n = count_of(round(part.observed), "annotation")
            told.append(f"{KINDS[part.kind].title.format(**words)} ({n})")
        return f"Also found for this coder: {'; '.join(told)}."

    # -------------------------------------------------------------- weight

    def gain_of(self, one: Explanation) -> float:
        """By how much alpha would rise, roughly."""
        null = self.at.null
        part = 1 - one.expected / max(one.observed, 1e-9)
        cells, items = one.cells, None
        if cells is None:
            cells = np.zeros(self.at.observed.shape, bool)
            cells[list(one.coders) or slice(None)] = True
        if one.place and one.kind not in (
            "coder",
            "shifted",
            "narrow",
            "higher",
            "set_size",
            "set_size_of_two",
        ):
            items = self.items_at(one)
        return gain_of(null, cells, part, self.ordered_weights, items)

    def items_at(self, one: Explanation) -> NDArray[np.bool_]:
        """(I,) the items of the place of an explanation."""
        if one.kind == "item_group":
            return np.asarray(self.groups[one.place[0]][0] == one.place[1])
        return span(self.at.timeline, one)

    @cached_property
    def ordered_weights(self) -> Floats:
        """(K, K) agreement of values, in the order in which they are explained."""
        by = self.values[2]
        return np.asarray(self.weights.matrix[np.ix_(by, by)])

    def _severity(self, one: Explanation, gain: float) -> Severity:
        """A warning, or a note on what moves little, is ordinary, or may be the order of a file."""
        in_file = one.kind in ("trend", "stretch") and not self.timeline.known
        ordinary = one.place[:1] == ("ordinary",)
        return "note" if gain < WORTH or in_file or ordinary else "warning"

    def _do(self, one: Explanation) -> tuple[Action, ...]:
        """The next call: the order, where the data may hold it; an ordinal scale for a chain."""
        in_order = list(one.labels) in (sorted(one.labels), sorted(one.labels, reverse=True))
        if one.kind == "chain" and in_order and self.numbers and not self.ordinal:
            question = self.data.questions[0]
            scale: Any = {question: "ordinal"} if question else "ordinal"
            return (Action("report", {"scale": scale}, "ordinal scale"),)
        if one.kind in ("trend", "stretch", "coder_trend", "coder_stretch", "coder_change"):
            if self.timeline.known:
                return ()
            of_coders = tuple(f"{c}: " for c in self.data.coders)
            names = [n for n in self.data.metadata if not n.startswith(of_coders)]
            name: Any = next((n for n in names if order_like(n)), ...)
            return (Action("diagnose", {"order": name}, "if it is the time of annotation"),)
        return ()

    # -------------------------------------------------------------- evidence

    def items_of(self, one: Explanation, most: int = MOST_ITEMS) -> tuple[int, ...]:
        """Positions of the items that show it, the clearest first."""
        null = self.at.null
        rows = null.patterns
        cells = one.cells
        if cells is None:
            cells = np.zeros(self.at.observed.shape, bool)
            cells[list(one.coders) or slice(None)] = True
        shown = (null.latent[rows.row] * cells[rows.coder, :, rows.value]).sum(1)
        # The last digits of floats differ between processors, and must not order items.
        by_pattern = tied(rows.sums(shown[:, None])[:, 0])
        if not one.place or (one.cells is not None and one.kind != "coder_change"):
            order = np.argsort(-by_pattern, kind="stable")
            order = order[by_pattern[order] > 0.1]
            return tuple(positions_of(self.counts, order, most).tolist())
        found = np.flatnonzero(self.items_at(one) & (np.append(by_pattern, 0)[rows.pattern] > 0.1))
        x = np.append(by_pattern, 0)[rows.pattern[found]]
        return tuple(found[np.argsort(-x, kind="stable")][:most].tolist())

    def _evidence(self, one: Explanation) -> tuple[tuple[Contrast, ...], str, str, str, str]:
        """Lines of what was seen beside what is expected, and what their columns are called."""
        at = self.at
        if one.kind in ("stretch", "trend", "coder_stretch", "coder_trend", "coder_change"):
            lines = over_time(at, one.coders, self.bins)
            return (*lines, "annotations", "differ", "expected")
        if one.kind == "item_group":
            lines = by_group(at, one.place[0], *self.groups[one.place[0]])
            return (*lines, "items", "differences per item", "expected")
        if one.kind == "coder":
            lines = by_coder(at, self.counts.coders)
            return (*lines, "annotations", "differ from the others", "of all coders")
        lines = changes(at, one, self.label)
        return (*lines, "annotations", "share of the differences", "expected")


def causes(
    data: Annotations,
    counts: Counts,
    weights: Weights,
    beside: Coders,
    *,
    order: str | None = None,
) -> Causes:
    """Why coders disagree.

    Parameters
    ----------
    data : Annotations
        Of one question.
    counts : Counts
        The same annotations, counted.
    weights : Weights
        Those of alpha.
    beside : Coders
        Each coder beside the others.
    order : str, optional
        The column that says in which order items were annotated.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> right = ["a", "b", "c"] * 40
    >>> diagnose(read([right, right, ["a", "b", "b"] * 40])).pooled.causes.found[0].title
    '“coder 3” gives “b” where others give “c”'
    """
    scheme = data.scheme
    return Causes(
        data,
        counts,
        weights,
        scheme.scale in ORDERED and not counts.of_sets,
        order,
        scheme.categories,
        beside,
    )


def _of_two(one: Explanation) -> bool:
    """Whether it is about one coder beside another."""
    return one.kind in ("one_sided", "higher", "unequal", "set_size_of_two")


def _named(label: Any) -> str:
    """A label in a sentence, or that there is none."""
    return NO_LABEL if label == () else quoted(label)


def _begun(text: str) -> str:
    """A text with a capital."""
    return text[:1].upper() + text[1:]
