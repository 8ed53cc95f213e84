"""All coders at a glance: who can be trusted how far, and on what this rests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...arrays import Floats
from ...diagnosis.finding import (
    Catalogue,
    Contrast,
    Evidence,
    Finding,
    Told,
    found_by,
    ranked,
    rule,
)
from ...diagnosis.words import quoted
from ...errors import RequestError, unknown
from ...numbers import count_of, decimal, joined
from ...results import Record, Result
from ...scheme import Value
from ..posterior import Posterior
from ..question_results import Each
from ..trust.verdicts import positions
from ..uncertainty import Answers
from .leave_one_out import LeavingOut, decisive_coder
from .schools import Schools
from .verdicts import VERDICTS, BeyondChance, Judging, Verdict, no_agreement

__all__ = ["Coder", "Coders", "CodersOfQuestions", "few_annotations", "positions", "told_once"]


@dataclass(frozen=True, repr=False)
class Coder(Record):
    """The reliability of a coder, with intervals.

    Parameters
    ----------
    question : str or None
    coder : str
    n_annotations, n_abstained : int
        Labels given, and how often the coder was asked and gave none.
    verdict : str
        A key of `VERDICTS`.
    competence, low, high : float
        Probability of being right under the model, and its interval.
    level : float
    method : str
        How the interval was made.
    skill, skill_low, skill_high : float
        Kappa of the coder with the truth: 0 is chance, below 0 the labels tell what is not true.
    spammer_score : float
        0 for a coder whose labels do not depend on the truth, 1 for one who tells all categories
        apart (Raykar & Yu 2012).
    bits : float
        What one annotation tells about the truth.
    agreement : float
        Mean share of the others who gave the same label; NaN without common items.
    beyond_chance_low, beyond_chance_high : float
        Interval of that share less what chance makes it (see `BeyondChance`).
    n_control : int
    accuracy, accuracy_low, accuracy_high : float
        On control items; NaN without any.
    overused : label or None
        The label that is given too often, if any certainly is.
    overuse, overuse_low, overuse_high : float
        How many times as often as it is true of the coder's items.
    against : Judging
        What the verdict is held against.
    """

    told_as: ClassVar[str] = "coder"
    __repr__ = Result.__repr__
    hidden: ClassVar[tuple[str, ...]] = ("against",)

    question: str | None
    coder: str
    verdict: Verdict
    n_annotations: int
    n_abstained: int
    competence: float
    low: float
    high: float
    level: float
    method: str
    skill: float
    skill_low: float
    skill_high: float
    spammer_score: float
    bits: float
    agreement: float
    beyond_chance_low: float
    beyond_chance_high: float
    n_control: int
    accuracy: float
    accuracy_low: float
    accuracy_high: float
    overused: Value | None
    overuse: float
    overuse_low: float
    overuse_high: float
    against: Judging

    @property
    def words(self) -> str:
        """The verdict in a few words."""
        return VERDICTS[self.verdict]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [super().to_rows()[0] | {"verdict": self.words}]


def told_once(of_labels: Iterable[Finding], of_coders: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings of labels and of coders, without what is told of a coder by another figure.

    A fit by itself warns of coders below chance (`coder_below_chance`). Beside verdicts, which know
    more, that would be a second figure; and who belongs to a school is no such coder.

    Parameters
    ----------
    of_labels : iterable of Finding
        Those of a posterior.
    of_coders : sequence of Finding
        Those of its coders.
    """
    codes = {f.code for f in of_coders} & {"positions"}
    told = {
        name
        for f in of_coders
        for name in (
            f.evidence["coders"]
            if f.code in OF_VERDICTS
            else (x for names in f.evidence["schools"] for x in names)
            if f.code == "minority_school"
            else ()
        )
    }
    first = [
        f
        for f in of_labels
        if f.code not in codes
        and not (f.code == "coder_below_chance" and told & {*f.evidence["coders"]})
    ]
    return (*first, *of_coders)


def _of_verdict(verdict: Verdict, coders: Sequence[Coder], title: str) -> Told | None:
    """The coders of a verdict, those with most annotations first; ``who`` says it of each."""
    found = [c for c in coders if c.verdict == verdict]
    if not found:
        return None
    found.sort(key=lambda c: (-c.n_annotations, c.coder))
    n = sum(c.n_annotations for c in found)
    share = n / sum(c.n_annotations for c in coders)
    each = (
        f"{quoted(c.coder)} (skill {decimal(c.skill)}, {count_of(c.n_annotations, 'annotation')})"
        for c in found
    )
    facts = {
        "coder": found[0].coder if len(found) == 1 else None,
        "coders": tuple(c.coder for c in found),
        "n": n,
        "share": share,
        "skill": tuple(c.skill for c in found),
    }
    words = {"who": len(found), "of": len(coders), "each": joined(each, most=5)}
    lines = tuple(Contrast(c.coder, c.n_annotations, c.competence, c.agreement) for c in found)
    seen = Evidence(lines, "coder", "annotations", "right", "agreement with the others")
    return Told(facts, words, remedy="coder", seen=seen, title=title)


OF_VERDICTS = Catalogue()
"""Rules about coders with a verdict that a reader must know."""


@OF_VERDICTS.rule("warning", "raykar2012")
def adversarial_coder(coders: Sequence[Coder]) -> Told | None:
    """Coders below chance.

    {who:,} of {of:coder} ({share:%} of the annotations): below chance: their labels are wrong more
    often than random ones. {each}.

    Ask whether labels were exchanged (a key, a column, a reversed scale). A model with confusion
    matrices inverts such labels and learns from them; a vote does not.
    """
    return _of_verdict("adversarial", coders, "Coders below chance")


@OF_VERDICTS.rule("warning", "raykar2012")
def random_coder(coders: Sequence[Coder]) -> Told | None:
    """Coders at chance level.

    {who:,} of {of:coder} ({share:%} of the annotations): at or near chance level; their labels
    hardly depend on the items. {each}.

    Discuss some of the items with the coder before you leave anybody out. A model with confusion
    matrices gives such labels no weight; a vote counts them in full.
    """
    return _of_verdict("random", coders, "Coders at chance level")


@OF_VERDICTS.rule("warning", "raykar2012")
def constant_coder(coders: Sequence[Coder]) -> Told | None:
    """Coders with a single label.

    {who:,} of {of:coder} ({share:%} of the annotations): the same label for every item, where
    others use several. {each}.

    Ask how the task was understood, and whether a default value was kept.
    """
    return _of_verdict("constant", coders, "Coders with a single label")


@OF_VERDICTS.rule("note", "raykar2012")
def sloppy_coder(coders: Sequence[Coder]) -> Told | None:
    """Coders with low accuracy.

    {who:,} of {of:coder} ({share:%} of the annotations): above chance, but clearly below the
    typical coder. {each}.

    Train on the items where they differ from the others; their labels still help a model that
    weighs coders.
    """
    return _of_verdict("sloppy", coders, "Coders with low accuracy")


@rule("note")
def few_annotations(coders: Sequence[Coder]) -> Told | None:
    """Coders without a verdict.

    For {n:,} of {of:coder} the annotations do not determine a verdict (median {each:annotation} per
    coder): {coders:listed}.

    Have them annotate more items that others annotate too, or control items; do not judge them
    until then.
    """
    few = [c for c in coders if c.verdict == "few"]
    if not few:
        return None
    words = {"of": len(coders), "each": int(np.median([c.n_annotations for c in few]))}
    facts = {"coders": tuple(c.coder for c in few), "n": len(few)}
    return Told(facts, words, remedy="task", title="Coders without a verdict")


@dataclass(frozen=True, eq=False, repr=False)
class Coders(Result):
    """The coders of one question; made by `coders`.

    Parameters
    ----------
    posterior : Posterior
        What the model found.
    each : tuple of Coder
        By name.
    schools : Schools
        Groups of coders with a reading of their own, or why there are none.
    leaving_out : LeavingOut
        What changes without each coder.
    expected : Answers
        The counts that confusion matrices and intervals rest on.
    level : float
    against : Judging
        What coders are held against.
    beyond_chance : BeyondChance
        How far labels agree with those of the other coders.
    """

    posterior: Posterior
    each: tuple[Coder, ...]
    schools: Schools
    leaving_out: LeavingOut
    expected: Answers
    level: float
    against: Judging
    beyond_chance: BeyondChance
    told_as: ClassVar[str] = "coders"

    def __iter__(self) -> Iterator[Coder]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, coder: str) -> Coder:
        return self.each[self._at(coder)]

    def _at(self, coder: str) -> int:
        if coder not in self.posterior.coders:
            raise unknown("coder", coder, self.posterior.coders)
        return self.posterior.coders.index(coder)

    @property
    def question(self) -> str | None:
        """The question."""
        return self.posterior.question

    @property
    def positions(self) -> bool:
        """Whether coders are positions, not persons, so that nothing is said of any of them."""
        return self.posterior.data.anonymous

    def of_verdict(self, verdict: Verdict) -> tuple[str, ...]:
        """The names of the coders with a verdict, such as ``'random'``.

        Raises
        ------
        RequestError
            If there is no such verdict.
        """
        if verdict not in VERDICTS:
            raise RequestError(f"no verdict {verdict!r}: choose from {', '.join(VERDICTS)}")
        return tuple(c.coder for c in self.each if c.verdict == verdict)

    def confusion_of(self, coder: str) -> list[dict[str, Any]]:
        """What a coder answers to what: one row for each true category and answer.

        ``probability`` is the model's if it has confusion matrices, else the share of the expected
        counts, drawn to that of all coders; ``n`` is the expected number of such annotations.

        Raises
        ------
        RequestError
            If there is no such coder.
        """
        c, post = self._at(coder), self.posterior
        own = post.confusion
        shares = (self.expected.confusion if own is None else own)[c]
        low, high = self._ends
        answers = [*post.categories, *["(abstained)"] * post.votes.informative]
        return [
            {
                "question": self.question,
                "coder": coder,
                "true": true,
                "answer": answer,
                "probability": float(shares[k, o]),
                "low": float(min(low[c, k, o], shares[k, o])),
                "high": float(max(high[c, k, o], shares[k, o])),
                "n": float(self.expected.counts[c, k, o]),
            }
            for k, true in enumerate(post.categories)
            for o, answer in enumerate(answers)
        ]

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        if self.posterior.withheld:
            nothing = np.full(self.expected.counts.shape, np.nan)
            return nothing, nothing
        ends = self.expected.confusion_interval(self.level)
        return ends.low, ends.high

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of this table must know; a school of its own stands first."""
        rest = [decisive_coder(self.leaving_out)]
        if self.positions:
            rest = [positions(self.posterior)]
        elif self.beyond_chance.none:
            rest.append(no_agreement(self.beyond_chance))
        else:
            rest += [*(said(self.each) for said in OF_VERDICTS.values()), few_annotations(self)]
        school = self.schools.finding
        told = ranked(replace(f, question=self.question) for f in found_by(*rest))
        return told if school is None else (school, *told)

    @property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the table."""
        return f"{self.posterior.signature} | coders: level {self.level:g}"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        left = {x.coder: x.share for x in self.leaving_out.each}
        school = dict(zip(self.posterior.coders, self.schools.of.tolist(), strict=True))
        return [
            c.to_rows()[0]
            | {
                "school": school[c.coder] + 1 if school[c.coder] >= 0 else None,
                "labels_changing": left.get(c.coder, float("nan")),
            }
            for c in self.each
        ]


@dataclass(frozen=True, eq=False, repr=False)
class CodersOfQuestions(Each[Coders]):
    """The coders of each of several questions, or of each label of a set."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all questions."""
        return tuple(f for one in self.each for f in one.findings)
