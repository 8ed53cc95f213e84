"""Models of coders behind a report: one for each question, looked at as far as time allows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import Annotations
from ..data.names import consensus_like
from ..data.table import plain
from ..errors import AccordantError, RequestError
from ..models.call import fit as fitted_model
from ..models.coders.call import coders as coders_of
from ..models.coders.coders import Coders
from ..models.gold import Gold, gold_of_question, known_labels
from ..models.model import Model, model_of
from ..models.posterior import TIE, Posterior
from ..models.sets.set_posterior import SetPosterior
from ..models.soft.ambiguity import ambiguity
from ..models.soft.ambiguous import Ambiguity
from ..numbers import count_of
from ..scheme import Value
from .document import Block
from .study import Part, Study

__all__ = ["Fit", "Fits", "Fitted", "coder_of", "fits"]

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
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


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a model makes of one question, or why there is none.

    Parameters
    ----------
    part : Part
        The question.
    reason : str
        Why there is no model: a sentence. Empty if there is one.
    raw : Posterior, SetPosterior or None
        What the model found.
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

    part: Part
    reason: str = ""
    raw: Posterior | SetPosterior | None = None
    thorough: bool = True
    compared: bool = False
    gold: str | None = None
    known: Mapping[Hashable, Value] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    @property
    def found(self) -> Posterior | SetPosterior:
        """The model, its beliefs tempered; only to be asked for where there is one."""
        if self.raw is None:
            raise ValueError(self.reason)
        return self.raw

    @property
    def singles(self) -> tuple[Posterior, ...]:
        """The posteriors of single labels: one, or one for each label of sets."""
        return (self.found,) if isinstance(self.found, Posterior) else self.found.each

    @property
    def of_sets(self) -> bool:
        """Whether each label of sets has a model of its own."""
        return isinstance(self.found, SetPosterior)

    @property
    def model(self) -> Model:
        """The model."""
        return self.singles[0].model

    @property
    def believes(self) -> bool:
        """Whether its probabilities are beliefs; those of a vote are shares of annotations."""
        return self.model.probabilistic

    @cached_property
    def coders(self) -> tuple[Coders, ...]:
        """The coders at a glance; for sets once for each label."""
        n = sum(len(one.votes) for one in self.singles)
        c = len(self.found.coders)
        again = c if n * c <= LEFT_OUT and not self.of_sets else 0
        made = coders_of(self.found, level=self.part.level, leave_out=again)
        return (made,) if isinstance(made, Coders) else made.each

    @cached_property
    def ambiguities(self) -> tuple[Ambiguity, ...]:
        """What coders explain and what remains with the items; empty if it would take long."""
        if not self.thorough or not self.believes:
            return ()
        schools = any(one.schools for one in self.coders)
        made = ambiguity(self.found, schools=schools)
        return (made,) if isinstance(made, Ambiguity) else made.each

    # ------------------------------------------------------------------ items

    @cached_property
    def names(self) -> list[Any]:
        """(I,) of the items."""
        items = self.found.items
        return items.tolist() if isinstance(items, np.ndarray) else list(items)

    @cached_property
    def positions(self) -> Ints:
        """(I,) where each item stands in the diagnosis of the part."""
        data = self.part.found.items.data
        own = data.items.tolist() if isinstance(data.items, np.ndarray) else data.items
        where = {name: k for k, name in enumerate(own)}
        return np.array([where[name] for name in self.names], np.int64)

    @cached_property
    def changes(self) -> NDArray[np.str_]:
        """(I,) beside the majority vote: 'same', 'other', 'settled' (a tie of it) or 'tied'."""
        shown = self.found
        if isinstance(shown, Posterior):
            vote, label, tied = _vote(shown), shown.codes, shown.tied
            undecided, differs = np.asarray(vote < 0), np.asarray(vote != label)
        else:
            votes = np.stack([_vote(one) for one in shown.each], axis=1)
            undecided, tied = np.asarray((votes < 0).any(1)), shown.tied
            differs = np.asarray((votes != shown.decided.members).any(1))
        found = np.where(undecided, "settled", np.where(differs, "other", "same"))
        return np.where(tied, "tied", found)

    def least_sure(self, chosen: Bools) -> Ints:
        """Positions of some of the items among (I,), the least sure first."""
        at = np.flatnonzero(chosen)
        order = self.singles[0].votes.order
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return at[np.lexsort((rank[at], self.found.confidence[at]))]


def _vote(posterior: Posterior) -> Ints:
    """(I,) the label with most votes; -1 for a tie."""
    n = posterior.votes.counts
    top = n.max(1, keepdims=True)
    tied = ((n >= top - TIE).sum(1) > 1) | (top[:, 0] <= 0)
    return np.where(tied, -1, n.argmax(1))


# ---------------------------------------------------------------------- all questions


@dataclass(frozen=True, eq=False)
class Fits:
    """A study with a model of coders for each of its questions."""

    study: Study
    each: tuple[Fitted, ...]

    @property
    def there(self) -> tuple[Fitted, ...]:
        """Those that have a model."""
        return tuple(one for one in self.each if one.raw is not None)

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
            told += [f for made in one.coders for f in made.findings]
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
        return Fitted(part, reason)
    try:
        if holds and gold is not None:
            known, holders = known_labels(gold, data)
            data = data.of_coders([c for c in data.coders if c not in _of(data, holders)])
            if reason := next(_against(part, data, asked), ""):
                return Fitted(part, f"Without {gold}, whose labels count as right: {reason}")
        quick = _size(part, data) <= QUICK and _labels(part) <= FEW_LABELS
        raw = fitted_model(data, model, restarts=None if quick or asked else 0)
    except AccordantError as error:
        return Fitted(part, f"{model.name} could not be fitted: {error}.")
    if not isinstance(raw, Posterior | SetPosterior):
        return Fitted(part, "There are several questions: each has a model of its own.")
    return Fitted(
        part, "", raw, asked or quick, asked, _named(gold) if known else None, known,
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
