"""A fitted model as the command line holds it: its questions, and what is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, cast

from ..data.annotations import Annotations
from ..diagnosis.finding import Finding
from ..models.coders.call import coders
from ..models.coders.coders import Coders, CodersOfQuestions
from ..models.coders.told import told_once
from ..models.posterior import Posterior
from ..models.posteriors import Posteriors
from ..models.sets.set_posterior import SetPosterior
from ..models.trust.coder_scores import CoderScores
from ..models.trust.coverage import kept
from ..numbers import count_of
from .fit_options import Fitting

__all__ = ["Fitted", "One", "Progress"]

One: TypeAlias = Posterior | SetPosterior
Progress: TypeAlias = Callable[[int, int], None] | None


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a model found for each question, and what was asked of it.

    Parameters
    ----------
    data : Annotations
    each : tuple of Posterior or SetPosterior
        One for each question.
    asked : Fitting
    progress : callable or None
        Called with (done, total) during long work.
    """

    data: Annotations
    each: tuple[One, ...]
    asked: Fitting
    progress: Progress = None

    @classmethod
    def fit(cls, data: Annotations, asked: Fitting, progress: Progress = None) -> Fitted:
        """Fit the model that was asked for."""
        from ..models.call import fit

        if asked.truth is not None:  # a coder whose labels are the truth has no vote
            persons = data.persons or data.coders
            rest = [
                coder
                for coder, person in zip(data.coders, persons, strict=True)
                if asked.truth not in (coder, person)
            ]
            if len(rest) < len(data.coders):
                asked = replace(asked, truth=data.of_coders([asked.truth]))
                data = data.of_coders(rest)
        found = fit(data, **asked.keywords(), progress=progress)
        each: tuple[One, ...] = found.each if isinstance(found, Posteriors) else (found,)
        return cls(data, each, asked, progress)

    @property
    def several(self) -> bool:
        """Whether there are several questions."""
        return len(self.each) > 1

    @property
    def singles(self) -> Iterator[Posterior]:
        """The posteriors of single labels; of sets one for each label, named by it."""
        for one in self.each:
            if isinstance(one, Posterior):
                yield one
            else:
                before = f"{one.question}: " if one.question else ""
                yield from (
                    replace(p, question=f"{before}{p.question}", weighing=p.weighed) for p in one
                )

    def coders_of(self, one: One, leave_out: int | None = 0) -> tuple[Coders, ...]:
        """The coders of a question; of sets for each label."""
        found: Any = coders(
            one, level=self.asked.level, leave_out=leave_out, progress=self.progress
        )
        return found.each if isinstance(found, CodersOfQuestions) else (found,)

    @cached_property
    def _coders(self) -> tuple[tuple[Coders, ...], ...]:
        return tuple(map(self.coders_of, self.each))

    def of(self, one: One) -> tuple[Coders, ...]:
        """The same with nobody left out, computed once."""
        return next(c for p, c in zip(self.each, self._coders, strict=True) if p is one)

    @property
    def coders(self) -> tuple[Coders, ...]:
        """The coders of all questions, nobody left out."""
        return tuple(c for each in self._coders for c in each)

    def scored(self, own: Coders) -> CoderScores | None:
        """How right the coders are by the labels to score by; None without any, or of sets."""
        single = any(own.posterior.data is one.data for one in self.each)
        if self.asked.truth is None or not single or not isinstance(self.each[0], Posterior):
            return None
        return own.posterior.coder_scores(self.asked.truth, level=self.asked.level)

    @property
    def summary(self) -> list[str]:
        """How many labels there are, and how many warnings, in a sentence for each question."""
        told = []
        for one in self.each:
            n, tied = len(one.confidence), int(one.tied.sum())
            where = f"{one.question}: " if one.question else ""
            if self.asked.kept:
                told.append(f"{where}{kept(cast(Posterior, one), **self.asked.kept)}")
                continue
            grave = sum(f.severity != "note" for f in one.findings)
            watch = f"; {count_of(grave, 'warning')}: --show findings" if grave else ""
            ties = f", {tied:,} without a label because of a tie" if tied else ""
            told.append(f"{where}{count_of(n, 'item')}{ties}{watch}")
        return told

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What must be known of the labels and the coders."""
        each = [
            told_once(one.findings, [f for c in self.of(one) for f in c.findings])
            for one in self.each
        ]
        return tuple(f for told in each for f in told)
