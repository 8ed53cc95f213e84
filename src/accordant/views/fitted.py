"""Models of coders behind a report: one for each question, looked at as far as time allows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import Annotations
from ..data.names import consensus_like
from ..data.table import plain
from ..diagnosis.finding import Finding
from ..diagnosis.items import Items
from ..diagnosis.words import quoted
from ..errors import AccordantError, RequestError
from ..models.call import fit as fitted_model
from ..models.gold import Gold, gold_of_question, known_labels
from ..models.model import Model, model_of
from ..models.posterior import Posterior
from ..models.sets.set_posterior import SetPosterior
from ..models.soft.ambiguity import ambiguity
from ..models.soft.ambiguous import Ambiguity
from ..models.trust.choosing import which_model
from ..models.wording import BELIEF
from ..numbers import count_of
from ..scheme import Value
from .annotator_reliability import reliability_lead
from .coder_groups import group_blocks
from .document import Actions, Block, Fold, Prose, Section, Table
from .document import Finding as Remark
from .estimated_labels import BY_CHANCE, by_chance, certainty_text, majority_text
from .evidence import allowance
from .fit_part import CERTAIN, FitPart
from .label_accuracy import accuracy_text
from .remarks import remarks
from .study import Part, Study
from .view import named

__all__ = [
    "Fit", "Fits", "Fitted", "coder_of", "fits", "labels_section", "reliability_section",
]  # fmt: skip

Bools = NDArray[np.bool_]
Fit: TypeAlias = str | bool | None
Change: TypeAlias = Literal["same", "other", "settled", "tied"]

FEWEST = 3  # coders
QUICK = 10_000  # annotations x labels; with more only what is fast is done unasked
TOO_MANY = 3_000_000  # the same; with more nothing is done unasked
MOST_LABELS = 30  # of sets, each of which has a model of its own; the same
FEW_LABELS = 12  # of sets, with which everything is looked at
LEFT_OUT = 100_000  # annotations x coders that are fitted again without a coder
MOST_CELLS = 4_000_000  # of all confusion matrices
PLAIN = "pooled"
MOST_ITEMS = 15  # of the least certain


@dataclass(frozen=True, eq=False)
class Fitted(FitPart):
    """What a model makes of one question of a report, or why there is none.

    Parameters
    ----------
    study : Study
    part : Part
        The question.
    reason : str
        Why there is no model: a sentence. Empty if there is one.
    thorough : bool
        Whether what takes longer is done too.
    compared : bool
        Whether models are compared, which takes longest.
    gold : str or None
        The coder, column or file whose labels are right: the model has not seen them.
    known : mapping
        Item to right label.
    unused : tuple of str
        Columns about the items that look like known labels and were not asked for.
    """

    fitted: Posterior | SetPosterior | None
    study: Study
    part: Part
    reason: str = ""
    thorough: bool = True
    compared: bool = False
    gold: str | None = None
    known: Mapping[Hashable, Value] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    @property
    def leave_out(self) -> int:
        """All coders where that goes quickly."""
        n = sum(len(one.votes) for one in self.singles)
        c = len(self.found.coders)
        return c if n * c <= LEFT_OUT and not self.of_sets else 0

    @cached_property
    def ambiguities(self) -> tuple[Ambiguity, ...]:
        """What coders explain and what remains with the items; empty if it would take long."""
        if not self.thorough or not self.believes:
            return ()
        schools = any(one.schools for one in self.coders(self.part.level))
        made = ambiguity(self.found, schools=schools)
        return (made,) if isinstance(made, Ambiguity) else made.each

    @property
    def diagnosed(self) -> Items:
        """The items as the report knows them."""
        return self.part.found.items

    def opened(self, chosen: Bools, title: str, n_cells: int) -> Mapping[str, Any]:
        """The items behind the number of a row, the least certain first."""
        n = int(chosen.sum())
        if not n:
            return {}
        first = self.order[chosen[self.order]][: allowance(n_cells)]
        key = self.study.collector.add(self.diagnosed, n, self.positions[first])
        return {
            "opens": {"n_items": key},
            "spoken": {"n_items": f"Labels: {title}: {count_of(n, 'item')}"},
        }

    def told(self, *names: str) -> Iterator[Block]:
        """The blocks of some views of the model; tables get the titles of their views."""
        options = {"truth": dict(self.known) or None, "level": self.part.level}
        for name in names:
            own = named("fit", name)
            taken = signature(own.make).parameters
            made = own.make(self, **{k: x for k, x in options.items() if k in taken})
            for block in made:
                if isinstance(block, Table) and not block.title:
                    yield replace(block, title=own.title)
                elif block.depth != "evidence":
                    yield block


# ---------------------------------------------------------------------- all questions


@dataclass(frozen=True, eq=False)
class Fits:
    """A study with a model of coders for each of its questions."""

    study: Study
    each: tuple[Fitted, ...]

    @property
    def there(self) -> tuple[Fitted, ...]:
        """Those that have a model."""
        return tuple(one for one in self.each if one.fitted is not None)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The questions that have one."""
        return tuple(one.part for one in self.there)

    def told(self, sentence: Callable[[Fitted], str]) -> str:
        """A sentence about the questions that have a model."""
        return self.study.told_of(self.parts, lambda part: sentence(self._of(part)))

    def per_question(self, blocks: Callable[[Fitted], Iterator[Block]]) -> tuple[Block, ...]:
        """The same blocks for each of them."""
        return self.study.per_question(self.parts, lambda part: blocks(self._of(part)))

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Keys of the literature that is cited."""
        found: list[str] = []
        for one in self.there:
            found += one.model.sources
            told = [f for made in one.singles for f in made.findings]
            told += [f for made in one.coders(one.part.level) for f in made.findings]
            told += [f for made in one.ambiguities for f in made.findings]
            found += (key for f in told for key in f.sources)
        return tuple(dict.fromkeys(found))

    def _of(self, part: Part) -> Fitted:
        return next(one for one in self.each if one.part is part)


def coder_of(gold: Gold | None, data: Annotations) -> str | None:
    """The coder who holds the known labels, if it is one."""
    coders = (*data.coders, *(data.persons or ()))
    return gold if isinstance(gold, str) and gold in coders else None


def fits(study: Study, fit: Fit, gold: Gold | None = None) -> Fits:
    """A model for each question, or why there is none.

    Parameters
    ----------
    study : Study
    fit : str, bool or None
        The key of a model; True for the usual one; None for the usual one, but only what goes
        quickly; False for none.
    gold : str, path, mapping or frame, optional
        The coder whose labels are right, or known labels as in `known_labels`.

    Returns
    -------
    Fits
        Without any if no model is wanted.

    Raises
    ------
    InputError
        If known labels cannot be read.
    RequestError
        If there is no such model, or nothing to score by known labels.
    """
    if fit is False:
        if gold is not None and coder_of(gold, study.data) is None:
            raise RequestError(
                "known labels show how right the labels of a model are, but no model is wanted: "
                "leave them out, or name the coder whose labels are right",
                parameter="gold",
            )
        return Fits(study, ())
    asked = fit is not None
    model = model_of(fit if isinstance(fit, str | Model) else PLAIN)
    return Fits(study, tuple(_fitted(part, model, asked, gold, study) for part in study.each))


def _fitted(part: Part, model: Model, asked: bool, gold: Gold | None, study: Study) -> Fitted:
    data = part.found.data
    known: Mapping[Hashable, Value] = {}
    holds = coder_of(gold, data) is not None
    if gold is not None and coder_of(gold, study.data) is None:
        own = gold_of_question(gold, str(part.question or study.data.questions[0]), study.data)
        known = {} if own is None else known_labels(own, data)[0]
    reason = next(_against(part, data, asked), "")
    if reason:
        return Fitted(None, study, part, reason)
    try:
        if holds and gold is not None:
            known, holders = known_labels(gold, data)
            data = data.of_coders([c for c in data.coders if c not in _of(data, holders)])
            if reason := next(_against(part, data, asked), ""):
                return Fitted(
                    None, study, part, f"Without {gold}, whose labels count as right: {reason}"
                )
        quick = _size(part, data) <= QUICK and _labels(part) <= FEW_LABELS
        raw = fitted_model(data, model, restarts=None if quick or asked else 0)
    except AccordantError as error:
        return Fitted(None, study, part, f"{model.name} could not be fitted: {error}.")
    if not isinstance(raw, Posterior | SetPosterior):
        return Fitted(
            None, study, part, "There are several questions: each has a model of its own."
        )
    return Fitted(
        raw, study, part, "", asked or quick, asked, _named(gold) if known else None, known,
        () if known else _columns(data),
    )  # fmt: skip


def _named(gold: Gold) -> str:
    """What known labels are called: by their coder, column or file."""
    return Path(gold).name if isinstance(gold, str | Path) else "the known labels"


def _columns(data: Annotations) -> tuple[str, ...]:
    """Columns about the items that hold labels of the scheme, and are called gold or the like."""
    labels = {plain(x) for x in data.schemes[0].categories}
    return tuple(
        name
        for name, facts in data.metadata.items()
        if consensus_like(name) and {plain(x) for x in facts} & labels
    )


def _of(data: Annotations, holders: Sequence[str]) -> set[str]:
    """All names under which somebody annotated."""
    persons = data.persons or data.coders
    return {c for c, p in zip(data.coders, persons, strict=True) if {c, p} & set(holders)}


def _size(part: Part, data: Annotations) -> int:
    """Annotations, of sets once for each label."""
    return len(data.answered) * _labels(part)


def _labels(part: Part) -> int:
    """How many models there are: of sets one for each label."""
    return max(len(part.found.scheme.categories), 1) if part.of_sets else 1


def _against(part: Part, data: Annotations, asked: bool) -> Iterator[str]:
    """Why no model of coders fits these annotations, if none does."""
    if data.anonymous:
        yield "The data do not say who annotated what, so nothing can be said of single coders."
        return
    if part.continuous:
        yield f"{part.measurements} Models of coders are about labels from a list of categories."
    if not part.found.coverage.n_pairable:
        yield "No item has two annotations, so nothing shows which coder is right."
    if part.found.counts.n_values < 2:
        yield "All annotations are the same, so they tell nothing about who is right."
    n_coders = len(np.unique(data.answered.coder))
    if n_coders < FEWEST:
        yield (
            f"{'One coder' if n_coders == 1 else 'Two coders'} cannot show who is right "
            "where they differ: any error rates fit two coders as well as any others. Add a third "
            "coder or items whose label is known to estimate accuracy; until then report "
            "agreement."
        )
    if asked:
        return
    k, size = len(part.found.scheme.categories), _size(part, data)
    if not part.of_sets and len(data.coders) * k * k > MOST_CELLS:
        yield (
            f"What {count_of(len(data.coders), 'coder')} do with {k:,} categories was left out, "
            "since it takes long."
        )
    if _labels(part) > MOST_LABELS:
        yield (
            f"Each of {_labels(part):,} labels would have a model of its own, which was left out, "
            "since it takes long."
        )
    if size > TOO_MANY:
        yield (
            f"With {count_of(len(data.answered), 'annotation')} this was left out, since it takes "
            "long."
        )


# ---------------------------------------------------------------------- chapters


ELSEWHERE = ("coder_below_chance", "coder_with_few", "converged", "ties", "overconfident")
"""Codes of findings that are told where they belong."""


def reliability_section(fits: Fits) -> Section | None:
    """Each question's coders; None if no question has a model of coders."""
    if not fits.there:
        return None
    title = fits.there[0].words.coders
    blocks = fits.per_question(_reliability)
    lead = fits.told(lambda one: reliability_lead(one, one.part.level))
    return Section("annotator_reliability", title, lead, blocks)


def _reliability(one: Fitted) -> Iterator[Block]:
    yield from group_blocks(one)
    yield from one.told("coders")
    yield from remarks(_of_coders(one), more="further note")
    each = one.coders(one.part.level)
    if not each[0].positions and not one.of_sets:
        yield Fold(named("fit", "confusion").title, tuple(one.told("confusion")))


def _of_coders(one: Fitted) -> Iterator[tuple[str, Finding]]:
    for label, own in zip(one.label_names, one.coders(one.part.level), strict=True):
        yield from ((label, f) for f in own.findings if f.code != "minority_school")


def labels_section(fits: Fits) -> Section | None:
    """What each question's model estimates, or why there is no model."""
    if not fits.each or not fits.study.comparable:
        return None
    title = (fits.there[0].words if fits.there else BELIEF).labels
    if not fits.there:
        reasons = dict.fromkeys(one.reason for one in fits.each)
        return Section("estimated_labels", title, " ".join(reasons))
    without = tuple(
        Prose(f"{one.part.title}: {one.reason}") for one in fits.each if one.fitted is None
    )
    blocks = (*fits.per_question(_labels_of), *without)
    return Section("estimated_labels", title, fits.told(_lead), blocks)


def _lead(one: Fitted) -> str:
    if by_chance(one, one.part.level):
        return f"Undetermined: {BY_CHANCE}."
    said = [f"{one.model.name}: {certainty_text(one)}", majority_text(one)]
    if one.known and isinstance(one.found, Posterior):
        said.append(accuracy_text(one.found.scores(dict(one.known), level=one.part.level)))
    return " ".join(filter(None, said))


def _labels_of(one: Fitted) -> Iterator[Block]:
    yield from one.told("certainty", "coverage")
    if one.known:
        yield from one.told("calibration")
    elif one.unused:
        name = quoted(one.unused[0])
        yield Prose(f"The column {name} seems to hold known labels; they were not used.")
    if one.model.key != "majority":
        yield from one.told("majority")
    yield from one.told("prevalence")
    for block in one.told("items"):
        if isinstance(block, Table):
            open_ = [row for row in block.rows if not row["confidence"] >= CERTAIN or row["tied"]]
            yield replace(block, rows=tuple(open_[:MOST_ITEMS]))
    yield from _model(one)


def _model(one: Fitted) -> Iterator[Block]:
    """Warnings stand open; the rest is folded under the name of the model."""
    told = [
        (label, f) for label, single in zip(one.label_names, one.singles, strict=True)
        for f in single.findings if f.code not in ELSEWHERE
    ]  # fmt: skip
    blocks = [*remarks(told), *(one.told("checks") if one.thorough and one.believes else ())]
    yield from (b for b in blocks if isinstance(b, Remark))
    inside = [*one.told("model"), *(b for b in blocks if not isinstance(b, Remark))]
    if not one.thorough:
        inside.append(Prose(
            "Further starts of the search, checks and ambiguous items were left out, since they "
            "take long with so many annotations."
        ))  # fmt: skip
    inside += [*one.told("convergence"), *_compared(one)]
    yield Fold(f"Model and model fit: {one.model.name}", tuple(inside))


def _compared(one: Fitted) -> Iterator[Block]:
    """Models compared by hidden annotations, for one question of single labels."""
    if not one.compared or one.of_sets:
        return
    try:
        found = which_model(one.singles[0].data)
    except AccordantError as error:
        yield Prose(f"Models could not be compared: {error}.")
        return
    blocks = named("which_model", "models").make(found)
    yield from (b for b in blocks if not isinstance(b, Actions) and b.depth != "evidence")
