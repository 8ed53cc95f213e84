"""All coders at a glance: who can be trusted how far, and on what this rests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...arrays import Floats
from ...diagnosis.finding import Finding, found_by, ranked
from ...errors import RequestError, unknown
from ...results import Result
from ..each import Each
from ..posterior import Posterior
from ..uncertainty import Answers
from .chance import BeyondChance, no_agreement
from .coder import Coder
from .leaving_out import LeavingOut, decisive_coder
from .schools import Schools
from .told import coder_findings, few_annotations, positions
from .verdicts import VERDICTS, Judging, Verdict

__all__ = ["Coders", "CodersOfQuestions"]


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

    def use_of(self, coder: str) -> list[dict[str, Any]]:
        """How often a coder gives each label, and how often it is true of the coder's items.

        The ratio is NaN for a label that is true of less than one item, as far as is known.
        """
        c, post = self._at(coder), self.posterior
        n = self.expected.counts[c]
        given, true = n.sum(0)[: len(post.categories)], n.sum(1)
        total = max(float(n.sum()), 1e-300)
        return [
            {
                "question": self.question,
                "coder": coder,
                "label": label,
                "given": g / total,
                "true": t / total,
                "ratio": g / t if t >= 1 else float("nan"),
            }
            for label, g, t in zip(post.categories, given.tolist(), true.tolist(), strict=True)
        ]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of this table must know; a school of its own stands first."""
        rest = [decisive_coder(self.leaving_out)]
        if self.positions:
            rest = [positions(self.posterior)]
        elif self.beyond_chance.none:
            rest.append(no_agreement(self.beyond_chance))
        else:
            rest += [*coder_findings(self.question, self.each), few_annotations(self)]
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
