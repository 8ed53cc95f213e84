"""The public call: a distribution in place of a label for each item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...data.annotations import Annotations
from ...data.read import read
from ...errors import RequestError, unknown
from ...validation import checked
from ..call import fit
from ..each import Each
from ..gold import Gold, known_labels
from ..model import Model
from ..posterior import Posterior
from ..posteriors import Posteriors
from ..sets.set_posterior import SetPosterior
from ..votes import Votes, votes
from .believing import beliefs, each_of
from .opinion import opinion, weights_of
from .soft_labels import KINDS, SoftLabels

__all__ = ["soft_labels"]

Floats = NDArray[np.float64]


@checked
def soft_labels(
    data: Any,
    *,
    of: Literal["opinion", "belief"] | None = None,
    smoothing: str = "hierarchical",
    weights: Literal["competence"] | Mapping[str, float] | None = None,
    entropy: str | None = None,
    model: str | Model = "blend",
    tempered: bool = True,
    gold: Gold | None = None,
    **more: Any,
) -> SoftLabels | Each[SoftLabels]:
    """A distribution over the categories for each item: what coders say, or what is true."""
    if of is not None and of not in KINDS:
        raise unknown("kind of soft labels", of, KINDS, "choose from")
    fitted = isinstance(data, Posterior | SetPosterior | Posteriors)
    if of is None:
        of = "belief" if fitted else "opinion"
    if fitted and (more or gold is not None):
        name = next(iter(more), "gold")
        raise RequestError(
            "an option for data; what was fitted has been read already", parameter=name
        )
    if of == "belief":
        _only_of_opinions(smoothing, weights, entropy)
        found = data if fitted else fit(data, model, gold=gold, **more)
        each = tuple(beliefs(one, tempered=tempered) for one in each_of(found))
        return each[0] if len(each) == 1 else Each(each)
    tables = _posterior_votes(data) if fitted else _read_votes(data, gold, more)
    chosen = []
    for question, own, table in tables:
        weight = _weights(weights, own, table, model)
        told = f"accordant {__version__} | soft labels: opinion"
        signature = f"{told} | data {own.fingerprint[:12]} | {_weighting(weights, model)}"
        chosen.append(opinion(question, table, smoothing, entropy, weight, signature))
    return chosen[0] if len(chosen) == 1 else Each(tuple(chosen))


def _posterior_votes(data: Any) -> list[tuple[str | None, Annotations, Votes]]:
    return [
        (one.question, one.data, one.votes if isinstance(one, Posterior) else votes(one.data))
        for one in each_of(data)
    ]


def _read_votes(
    data: Any, gold: Gold | None, more: Mapping[str, Any]
) -> list[tuple[str | None, Annotations, Votes]]:
    annotations = read(data, **more)
    found = []
    for question in annotations.questions:
        own = annotations.of_question(question)
        holders = () if gold is None else known_labels(gold, own)[1]
        found.append((question or None, own, votes(own, without=holders)))
    return found


def _only_of_opinions(smoothing: str, weights: Any, entropy: Any) -> None:
    for name, given, usual in (
        ("smoothing", smoothing, "hierarchical"), ("weights", weights, None),
        ("entropy", entropy, None),
    ):  # fmt: skip
        if given != usual:
            raise RequestError(
                "an option for opinions; the probability of a true label follows from its model",
                parameter=name,
            )


def _weights(weights: Any, own: Annotations, table: Votes, model: str | Model) -> Floats | None:
    if weights is None:
        return None
    if isinstance(weights, Mapping):
        return weights_of(weights, table)
    if weights != "competence":
        raise RequestError(
            f"'competence', or a number for each coder, not {weights!r}", parameter="weights"
        )
    found = fit(own.of_coders(table.coders), model)
    known = dict(zip(found.coders, found.competence.tolist(), strict=True))  # type: ignore[union-attr]
    return weights_of(known, table)


def _weighting(weights: Any, model: str | Model) -> str:
    if weights is None:
        return "all coders count the same"
    key = model if isinstance(model, str) else model.key
    return f"competence under {key}" if weights == "competence" else "weights given"
