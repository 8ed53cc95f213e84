"""How far a model fits: posterior predictive checks, convergence, findings, which model to take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..fields import FIELDS, columns
from ..messages import Action
from ..models.trust.checks import Checks
from ..models.trust.choosing import WHY, ModelChoice
from ..numbers import count_of, joined, p_text
from .blocks import Actions, Block, Finding, Pairs, Prose, Quotation, Table
from .fit_part import FitPart, One, part_of
from .remarks import remark, remarks
from .view import view

__all__ = ["model_facts"]

FINDING = "severity code title coder sentence advice"


@view(
    "findings", of="fit", title="What to know", chapter="annotator_reliability", place=30,
    help="what must be known of the labels and the coders",
)  # fmt: skip
def findings(part: One | FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """Warnings and problems in full, notes by their titles, all of them in a table."""
    fitted = part_of(part)
    told = fitted.findings(level)
    blocks = list(remarks(told))
    yield from (b for b in blocks if isinstance(b, Finding))
    notes = dict.fromkeys(remark(f).title for _, f in told if f.severity == "note")
    if notes:
        yield Prose(f"{count_of(len(notes), 'further note')}: {joined(notes, most=6)}.")
    yield from (b for b in blocks if not isinstance(b, Finding))
    rows = tuple({"label": label, **row} if label else row for label, f in told
                 for row in [f.nested()])  # fmt: skip
    yield Table("All findings", columns(FINDING), rows, depth="evidence")


# ------------------------------------------------------------------ checks


@view(
    "checks", of="fit", title="Posterior predictive checks", chapter="estimated_labels", place=180,
    help="whether the model could have produced the annotations",
)  # fmt: skip
def checks(part: One | FitPart, *, seed: int = 0) -> Iterator[Block]:
    """Each check, and every number that is compared."""
    fitted = part_of(part)
    if not fitted.believes:
        yield Prose("A vote is no model of how annotations arise: there is nothing to check.")
        return
    each = [
        (name, one.checks(seed=seed))
        for name, one in zip(fitted.label_names, fitted.singles, strict=True)
    ]
    yield from _check_blocks(each)


@view("checks", of="checks", title="Posterior predictive checks", place=10)
def checks_alone(part: Checks) -> Iterator[Block]:
    """The same for the checks of one model by themselves."""
    yield from _check_blocks([("", part)])


def _check_blocks(each: list[tuple[str, Checks]]) -> Iterator[Block]:
    cells = tuple(_about(name, row) for name, made in each for row in made.to_rows())
    about = "label " if each[0][0] else ""
    used = columns(f"{about}check cell in_data in_replicates interval p_value")
    yield Table("All numbers that are compared", used, cells, depth="evidence")
    rows = tuple(
        _about(name, {"check": c.title, "fits": c.fits, "p_check": c.p_value, "moved": c.moved})
        for name, made in each
        for c in made.each
    )
    yield Prose(_verdict(rows))
    yield Table("", columns(f"{about}check fits p_check moved"), rows, tuple(_notes(each[0][1])),
                keep=("label", "check", "fits", "p_check"))  # fmt: skip
    yield from remarks((name, f) for name, made in each for f in made.findings)


def _about(name: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row with the label of sets that it is about."""
    return {"label": name, **row, "question": None} if name else row


def _verdict(rows: tuple[dict[str, Any], ...]) -> str:
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


@view(
    "convergence", of="fit", title="Convergence", chapter="estimated_labels", place=185,
    help="how the search ended from each start",
)  # fmt: skip
def convergence(part: One | FitPart) -> Iterator[Block]:
    """How the search ended, from each start."""
    fitted = part_of(part)
    rows = tuple(
        {**({"label": name} if name else {}), **row}
        for name, one in zip(fitted.label_names, fitted.singles, strict=True)
        for row in _runs(one)
    )
    about = "label " if fitted.of_sets else ""
    used = columns(f"{about}start objective reached n_iterations converged fell")
    yield Table("", used, rows, keep=("label", "start", "reached", "converged"))
    yield Quotation(fitted.found.signature, verbatim=True, title="Signature")


def _runs(one: Any) -> Iterator[dict[str, Any]]:
    runs = (one.estimate.climb, *one.estimate.restarts)
    for k, run in enumerate(runs):
        first = "the best" if len(runs) > 1 else "the votes"
        yield {
            "start": f"restart {k}" if k else first, "objective": run.objective,
            "reached": run.value, "n_iterations": run.n_iterations, "converged": run.converged,
            "fell": run.fell,
        }  # fmt: skip


# ------------------------------------------------------------------ which model


@view("model", of="fit", title="Model", chapter="estimated_labels", place=187,
      help="the model, what it assumes and what it rests on")  # fmt: skip
def model_facts(part: One | FitPart) -> Iterator[Block]:
    """The model, what it assumes, and what it rests on."""
    fitted = part_of(part)
    model, votes = fitted.model, fitted.singles[0].votes
    assumes = f"{model.assumption.rstrip('.')}."
    facts = {
        "model": model.name, "key": model.key, "assumption": assumes,
        "n_annotations": len(votes), "n_items": votes.n_items, "n_coders": votes.n_coders,
        "signature": fitted.found.signature,
    }  # fmt: skip
    rests_on = ", ".join([
        count_of(len(votes), "annotation"), count_of(votes.n_items, "item"),
        count_of(votes.n_coders, "coder"),
    ])  # fmt: skip
    yield Pairs((
        ("Model", f"{model.name} ({model.key})"), ("Assumption", assumes),
        *((("Advised where", WHY[model.key]),) if model.key in WHY else ()),
        ("Data", rests_on), ("Search", _search(fitted)),
    ))  # fmt: skip
    used = (FIELDS["model"], *columns("n_annotations n_items n_coders"))
    yield Table("", used, (facts,), depth="evidence")


def _search(fitted: FitPart) -> str:
    runs = fitted.singles
    if all(one.estimate.climb.objective == "none" for one in runs):
        return "none needed"
    n = [one.estimate.climb.n_iterations for one in runs]
    ended = sum(one.converged for one in runs)
    if len(runs) == 1:
        end = "converged" if ended else "stopped without convergence"
        starts = len(runs[0].estimate.restarts)
        more = f"; {count_of(starts, 'further start')} led to nothing better" if starts else ""
        return f"{end} after {count_of(n[0], 'iteration')}{more}"
    return (
        f"converged for {ended:,} of {count_of(len(runs), 'label')}, after {min(n):,} to "
        f"{max(n):,} iterations"
    )


@view("models", of="which_model", title="Which model", chapter="estimated_labels", place=10,
      help="models compared by how well they predict held-out annotations")  # fmt: skip
def models(part: ModelChoice) -> Iterator[Block]:
    """The models that were compared, the best first, and which one is advised."""
    every = part.to_rows()
    rows = tuple(row for row in every if row["skipped"] is None)
    yield Table("All models", columns("model score behind se advised"), tuple(every),
                depth="evidence")  # fmt: skip
    yield Prose(" ".join(part.advice), depth="headline")
    used = (
        FIELDS["name"].called("model"), *columns("score behind se clearly_behind"),
        *(columns("accuracy") if part.n_gold else ()), *columns("seconds advised"),
    )  # fmt: skip
    notes = (
        f"Mean log probability of {count_of(part.n_annotations, 'annotation')} held out in "
        f"{part.folds}-fold cross-validation. Advised: the simplest model within a standard "
        "error of the best.",
        *([part.not_compared] if part.not_compared else []),
        "Predicting annotations does not show which labels are correct: an error that many coders "
        "share is visible only with known labels.",
    )  # fmt: skip
    keep = ("name", "score", "behind", "advised", "se")
    yield Table("", used, rows, notes, keep=keep)
    steps = [Action("fit", {"model": part.advised}, "fit the advised model")]
    if part.to_name:
        named = [c.model.key for c in part.each if not c.skipped] + list(part.to_name)
        steps.append(Action("which_model", {"models": named}, "compare all models"))
    yield Actions("Next", tuple(steps))
