"""A posterior in rows, and the signature to repeat it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._version import __version__

if TYPE_CHECKING:
    from .posterior import Posterior

__all__ = ["coder_rows", "item_rows", "signature_of"]


def item_rows(posterior: Posterior) -> list[dict[str, Any]]:
    """The rows of a posterior; see `Posterior.to_rows`."""
    names = [f"p_{c}" for c in posterior.categories]
    more = {name: x.tolist() for name, x in posterior.estimate.item_parameters.items()}
    own = _own_confidence(posterior)
    why = {"reason": posterior.withheld} if posterior.withheld else {}
    columns = zip(
        posterior.votes.names, posterior.labels, posterior.tied.tolist(),
        posterior.confidence.tolist(), posterior.entropy.tolist(),
        posterior.votes.per_item.tolist(), posterior.probabilities.tolist(), strict=True,
    )  # fmt: skip
    return [
        {
            "question": posterior.question,
            "item": item,
            "label": label,
            "tied": tied,
            "confidence": confidence,
            **({} if own is None else {"untempered": own[i]}),
            **why,
            "entropy": entropy,
            "n_annotations": int(n),
            **{name: x[i] for name, x in more.items()},
            **dict(zip(names, p, strict=True)),
        }
        for i, (item, label, tied, confidence, entropy, n, p) in enumerate(columns)
    ]


def _own_confidence(posterior: Posterior) -> list[float] | None:
    """(I,) what the model itself would say of each label; None if it is not tempered."""
    if not posterior.tempering or np.isnan(posterior.probabilities).any():
        return None
    p = posterior.estimate.probabilities
    label = np.where(posterior.tied, p.argmax(1), posterior.codes)
    own: list[float] = p[np.arange(len(p)), label].tolist()
    return own


def coder_rows(posterior: Posterior) -> list[dict[str, Any]]:
    """The coders of a posterior; see `Posterior.coder_rows`."""
    estimate = posterior.estimate
    columns: dict[str, Any] = {
        "coder": posterior.coders,
        "n_annotations": [int(n) for n in posterior.votes.per_coder],
        "competence": posterior.competence.tolist(),
    }
    if posterior.model.probabilistic:
        about = posterior.interval("competence")
        columns |= {"low": about.low.tolist(), "high": about.high.tolist()}
    columns |= {name: x.tolist() for name, x in estimate.coder_parameters.items() if x.ndim == 1}
    return [
        {"question": posterior.question, **dict(zip(columns, row, strict=True))}
        for row in zip(*columns.values(), strict=True)
    ]


def signature_of(posterior: Posterior) -> str:
    """The call, the data and the version; see `Posterior.signature`."""
    told = ", ".join(f"{k}={v}" for k, v in posterior.options.items())
    return (
        f"accordant {__version__} | fit: {posterior.model.key}{f' ({told})' if told else ''}; "
        f"restarts {posterior.how.restarts}, seed {posterior.how.seed}"
        f"{f'; tau {posterior.tau:.4g}' if posterior.model.probabilistic else ''} | "
        f"data {posterior.data.fingerprint[:12]}"
    )
