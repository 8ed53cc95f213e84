"""How far a model fits: posterior predictive checks, convergence, findings, which model to take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import Action
from ..fields import columns
from ..models.posterior import Posterior
from ..models.trust.checks import Checks
from ..models.trust.model_choice import ModelChoice
from ..numbers import count_of, joined, p_text
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


# ------------------------------------------------------------------ checks


@view(
    "checks",
    of="fit",
    alone="checks",
    title="Posterior predictive checks",
    chapter="estimated_labels",
    place=180,
)
def checks(part: FitPart | Checks, *, seed: int = 0) -> Iterator[Block]:
    """Whether the model could have produced the annotations."""
    if isinstance(part, FitPart) and not part.believes:
        yield Prose("A vote is no model of how annotations arise: there is nothing to check.")
        return
    each = by_label(part, lambda fitted: [one.checks(seed=seed) for one in fitted.singles])
    cells = labelled(each, part.question, Checks.to_rows)
    keys = "label? check cell in_data in_replicates interval p_value"
    yield Table.of(keys, cells, title="All numbers that are compared", depth="evidence")
    rows = labelled(each, part.question, _checked)
    yield Prose(_verdict(rows))
    keep = "label check fits p_check"
    yield Table.of("label? check fits p_check moved", rows, _notes(each[0][1]), keep=keep)
    yield from remarks((name, f) for name, made in each for f in made.findings)


def _checked(made: Checks) -> Iterator[dict[str, Any]]:
    for c in made.each:
        yield {"check": c.title, "fits": c.fits, "p_check": c.p_value, "moved": c.moved}


def _verdict(rows: Sequence[dict[str, Any]]) -> str:
    bad = [row for row in rows if not row["fits"]]
    if not bad:
        return "No check rejects the model (which does not show that it is correct)."
    least = p_text(min(row["p_check"] for row in bad))
    return f"Poor model fit: {joined(dict.fromkeys(r['check'] for r in bad), most=3)} ({least})."


def _notes(made: Checks) -> Iterator[str]:
    yield (
        f"p: how often annotations drawn from the model deviate as far from its expectation "
        f"({count_of(made.n, 'replicate')} of {count_of(made.n_items, 'item')}); moved: the share "
        "that would have to change to match the model."
    )
    if not made.refits:
        yield "The model was not fitted to the replicates, so p is too large."


# ------------------------------------------------------------------ convergence


@view("convergence", of="fit", title="Convergence", chapter="estimated_labels", place=185)
def convergence(fitted: FitPart) -> Iterator[Block]:
    """How the search ended from each start."""
    rows = labelled(by_label(fitted, lambda fitted: fitted.singles), fitted.question, _runs)
    keys = "label? start objective reached n_iterations converged fell"
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
            "fell": run.fell,
        }


# ------------------------------------------------------------------ which model


@view("model", of="fit", title="Model", chapter="estimated_labels", place=187)
def model_facts(fitted: FitPart) -> Iterator[Block]:
    """The model, what it assumes and what it rests on."""
    model, votes = fitted.model, fitted.singles[0].votes
    assumes = f"{model.assumption.rstrip('.')}."
    why = {"Advised where": model.why} if model.why else {}
    yield Prose(
        facts=tuple(
            {
                "Model": f"{model.name} ({model.key})",
                "Assumption": assumes,
                **why,
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


@view("models", of="which_model", title="Which model", chapter="estimated_labels", place=10)
def models(part: ModelChoice) -> Iterator[Block]:
    """Models compared by how well they predict held-out annotations."""
    every = part.to_rows()
    yield Prose(" ".join(part.advice), depth="headline")
    rows = [row for row in every if row["skipped"] is None]
    keys = "name score behind se clearly_behind accuracy? seconds advised"
    notes = (
        f"Mean log probability of {count_of(part.n_annotations, 'annotation')} held out in "
        f"{part.folds}-fold cross-validation. Advised: the model that known labels clearly speak "
        "for, else the default; without it the simplest within a standard error of the best.",
        part.not_compared,
        "Predicting annotations does not show which labels are correct: an error that many coders "
        "share is visible only with known labels.",
    )
    used = columns(keys, rows, name="model")
    yield Table.of(used, rows, notes, keep="name score behind advised se", every=tuple(every))
    steps = [Action("fit", {"model": part.advised}, "fit the advised model")]
    if part.to_name:
        named = [c.model.key for c in part.each if not c.skipped] + list(part.to_name)
        steps.append(Action("which_model", {"models": named}, "compare all models"))
    yield Prose(title="Next", do=tuple(steps))
