"""One question of a fitted model, with what is computed from it, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..diagnosis.diagnose import Part
from ..diagnosis.finding import Finding
from ..diagnosis.item_agreement import ItemAgreement, NamedItem
from ..errors import unknown
from ..messages import isolated, label_text
from ..models.coder_reliability import Coders, coders_of
from ..models.estimate import TIE
from ..models.label_checks import least_certain
from ..models.model import Model
from ..models.posterior import Posterior
from ..models.set_posterior import SetPosterior
from ..models.votes import UNKNOWN
from ..numbers import ESTIMATED, count_of, tied
from .coefficient_names import cut
from .view import PREPARED

X = TypeVar("X")
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
One: TypeAlias = Posterior | SetPosterior

MOST_CODERS = 12
CERTAIN = 0.95


@dataclass(frozen=True, eq=False)
class FitPart:
    """What a model found for one question; of sets each label has a model of its own.

    Parameters
    ----------
    fitted : Posterior, SetPosterior or None
        What the model found; None only where a report says why there is none.
    """

    fitted: One | None

    @property
    def found(self) -> One:
        """The model, only to be asked for where there is one."""
        if self.fitted is None:
            raise ValueError("there is no model")
        return self.fitted

    @property
    def question(self) -> str | None:
        """None for a single question without a name."""
        return self.found.question

    @property
    def singles(self) -> tuple[Posterior, ...]:
        """The posteriors of single labels: one, or one for each label of sets."""
        return (self.found,) if isinstance(self.found, Posterior) else self.found.each

    @property
    def of_sets(self) -> bool:
        """Whether each label of sets has a model of its own."""
        return isinstance(self.found, SetPosterior)

    @property
    def label_names(self) -> tuple[str, ...]:
        """What each of the singles is about: a label of sets, else nothing to be named."""
        if isinstance(self.found, Posterior):
            return ("",)
        return tuple(isolated(label_text(x)) for x in self.found.categories)

    @property
    def model(self) -> Model:
        """The model."""
        return self.singles[0].model

    @property
    def believes(self) -> bool:
        """Whether it has probabilities; a vote has shares of annotations."""
        return self.model.probabilistic

    @property
    def size(self) -> tuple[str, str, str]:
        """How many items, coders and annotations there are, in words."""
        votes = self.singles[0].votes
        return (
            count_of(votes.n_items, "item"),
            count_of(votes.n_coders, "coder"),
            count_of(len(votes), "annotation"),
        )

    @property
    def nothing(self) -> bool:
        """Whether nothing can be learned, so that any figure would only look like one."""
        return any(f.code == "nothing_to_learn" for one in self.singles for f in one.findings)

    # ------------------------------------------------------------------ coders

    def coders(self, level: float = 0.95) -> tuple[Coders, ...]:
        """The coders; of sets once for each label."""
        kept: dict[float, tuple[Coders, ...]] = vars(self).setdefault("kept_coders", {})
        if level not in kept:
            made = coders_of(self.found, level)
            kept[level] = (made,) if isinstance(made, Coders) else made.each
        return kept[level]

    @cached_property
    def coder_order(self) -> list[str]:
        """The names of the coders, the most accurate first; of sets by the mean over the labels."""
        each = zip(self.found.coders, self.found.competence.tolist(), strict=True)
        return [
            name
            for name, x in sorted(
                each, key=lambda c: (np.isnan(c[1]), -tied(c[1], ESTIMATED), c[0])
            )
        ]

    def chosen_coders(self, of: str | None) -> list[str]:
        """All coders in that order, or just one.

        Raises
        ------
        RequestError
            If there is no such coder.
        """
        names = [name for name in self.coder_order if of in (None, name)]
        if not names:
            raise unknown("coder", of, self.found.coders)
        return names

    def findings(self, level: float = 0.95) -> tuple[tuple[str, Finding], ...]:
        """What must be known of labels and coders, with the label of sets that it is about."""
        about = [("", f) for f in self.found.findings]
        for name, own in by_label(self, lambda part: part.coders(level)):
            about += [(name, f) for f in own.findings]
        return tuple(about)

    # ------------------------------------------------------------------ items

    @cached_property
    def diagnosed(self) -> ItemAgreement:
        """The items with their annotations."""
        return Part(self.found.question, self.found.data).items

    @cached_property
    def names(self) -> list[Any]:
        """(I,) of the items."""
        return self.singles[0].votes.names

    @cached_property
    def positions(self) -> Ints:
        """(I,) where each item stands among the diagnosed ones."""
        own = self.diagnosed.data.items
        where = {x: k for k, x in enumerate(own.tolist() if isinstance(own, np.ndarray) else own)}
        return np.array([where[name] for name in self.names], np.int64)

    def named(self, at: Ints) -> Sequence[NamedItem]:
        """Items with their texts and annotations."""
        return self.diagnosed.named(self.positions[at])

    @property
    def free(self) -> Bools:
        """(I,) items whose label the model was not told."""
        return np.asarray(self.singles[0].votes.known == UNKNOWN)

    @property
    def beside_vote(self) -> tuple[int, int]:
        """How many items have another label than by majority vote, and how many of its ties one."""
        votes = np.stack([one.votes.majority for one in self.singles], axis=1)
        found = self.found
        label = found.codes[:, None] if isinstance(found, Posterior) else found.members.astype(int)
        undecided, differs = (votes < 0).any(1), (votes != label).any(1)
        return int((differs & ~undecided & ~found.tied).sum()), int((undecided & ~found.tied).sum())

    @cached_property
    def order(self) -> Ints:
        """(I,) the items, the least certain first."""
        return least_certain(self.found)

    def alternative(self, i: int) -> str:
        """The second label of an item, all labels of a tie, or the label of a set most in doubt."""
        found, p = self.found, self.found.probabilities[i]
        name = [isolated(label_text(x)) for x in found.categories]
        if np.isnan(p).any() or (len(p) == 1 and not self.of_sets):
            return ""
        if found.tied[i] and not self.of_sets:
            return " or ".join(name[k] for k in np.flatnonzero(p >= p.max() - TIE)[:4].tolist())
        k = int(
            tied(np.abs(p - 0.5), ESTIMATED).argmin()
            if self.of_sets
            else np.argsort(-tied(p, ESTIMATED), kind="stable")[1]
        )
        return f"{name[k]} ({p[k]:.3f})" if self.of_sets or p[k] >= 0.005 else ""


def part_of(part: One | FitPart) -> FitPart:
    """A fitted question with what is computed of it, the same each time it is asked for."""
    if isinstance(part, FitPart):
        return part
    found: FitPart = vars(part).setdefault("fit_part", FitPart(part))
    return found


PREPARED["fit"] = part_of


def annotated(item: NamedItem) -> dict[str, str | None]:
    """Who said what about an item, and its text as far as a table has room for it."""
    return {"labels": item.said(MOST_CODERS), "text": cut(item.text, 300) if item.text else None}


def as_text(rows: Iterable[Mapping[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Rows with what labels under these keys look like for a reader."""
    return [
        {**row, **{key: label_text(row[key]) for key in keys if row.get(key) is not None}}
        for row in rows
    ]


def by_label(part: FitPart | X, found: Callable[[FitPart], Iterable[X]]) -> list[tuple[str, X]]:
    """What is found of a fit, of sets for each label with its name; else the part by itself."""
    if isinstance(part, FitPart):
        return list(zip(part.label_names, found(part), strict=True))
    return [("", part)]


def labelled(
    each: Iterable[tuple[str, X]],
    question: str | None,
    rows: Callable[[X], Iterable[Mapping[str, Any]]],
) -> tuple[dict[str, Any], ...]:
    """The rows of each; of sets with the label that they are about."""
    return tuple(
        ({"label": label} if label else {}) | {**row, "question": question}
        for label, own in each
        for row in rows(own)
    )
