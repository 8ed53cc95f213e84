"""What must be known of a fit: findings, convergence, the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..models.posterior import Posterior
from ..numbers import count_of, joined
from .blocks import Block, Fold, Prose, Quotation, Table
from .fit_part import FitPart, by_label, labelled
from .remarks import remarks
from .view import view


@view("findings", of="fit", title="What to know", chapter="annotator_reliability", place=30)
def findings(fitted: FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """What must be known of the labels and the coders."""
    told = fitted.findings(level)
    for block in remarks(told):
        if isinstance(block, Fold):
            notes = dict.fromkeys(note.title for note in block.blocks)
            yield Prose(f"{count_of(len(notes), 'further note')}: {joined(notes, most=6)}.")
        yield block
    rows = [({"label": label} if label else {}) | f.nested() for label, f in told]
    keys = "severity code title coder sentence advice"
    yield Table.of(keys, rows, title="All findings", depth="evidence")


# ------------------------------------------------------------------ convergence


@view("convergence", of="fit", title="Convergence", chapter="estimated_labels", place=185)
def convergence(fitted: FitPart) -> Iterator[Block]:
    """How the search ended from each start."""
    rows = labelled(by_label(fitted, lambda fitted: fitted.singles), fitted.question, _runs)
    keys = "label? start objective reached n_iterations converged"
    yield Table.of(keys, rows, keep="label start reached converged")
    yield Quotation(fitted.found.signature, verbatim=True, title="Signature")


def _runs(one: Posterior) -> Iterator[dict[str, Any]]:
    runs = (one.estimate.climb, *one.estimate.restarts)
    for k, run in enumerate(runs):
        first = "the best" if len(runs) > 1 else "the votes"
        yield {
            "start": f"restart {k}" if k else first,
            "objective": run.objective,
            "reached": run.value,
            "n_iterations": run.n_iterations,
            "converged": run.converged,
        }


# ------------------------------------------------------------------ the model


@view("model", of="fit", title="Model", chapter="estimated_labels", place=187)
def model_facts(fitted: FitPart) -> Iterator[Block]:
    """The model, what it assumes and what it rests on."""
    model, votes = fitted.model, fitted.singles[0].votes
    assumes = f"{model.assumption.rstrip('.')}."
    yield Prose(
        facts=tuple(
            {
                "Model": f"{model.name} ({model.key})",
                "Assumption": assumes,
                "Data": ", ".join(fitted.size),
                "Search": _search(fitted.singles),
            }.items()
        )
    )
    facts = {
        "model": model.name,
        "key": model.key,
        "assumption": assumes,
        "n_annotations": len(votes),
        "n_items": votes.n_items,
        "n_coders": votes.n_coders,
        "signature": fitted.found.signature,
    }
    yield Table.of("model n_annotations n_items n_coders", [facts], depth="evidence")


def _search(runs: Sequence[Posterior]) -> str:
    if all(one.estimate.climb.objective == "none" for one in runs):
        return "none needed"
    n = sorted({one.estimate.climb.n_iterations for one in runs})
    ended = sum(one.converged for one in runs)
    end = "converged" if ended else "stopped without convergence"
    of_labels = f" for {ended:,} of {count_of(len(runs), 'label')}" if len(runs) > 1 else ""
    starts = len(runs[0].estimate.restarts)
    more = f"; {count_of(starts, 'further start')} led to nothing better" if starts else ""
    after = " to ".join(f"{x:,}" for x in dict.fromkeys((n[0], n[-1])))
    return f"{end}{of_labels} after {after} iterations{more}"
