"""Which model the labels rest on, what it assumes, and whether it could have made these data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnosis.words import isolated, label_text
from ..errors import AccordantError
from ..models.trust.choosing import WHY, ModelChoice, which_model
from ..numbers import count_of, joined, p_text
from .document import Block, Column, Finding, Fold, Pairs, Prose, Quotation, Table
from .fitted import Fitted
from .remarks import remarks

__all__ = ["model_blocks"]

ELSEWHERE = ("coder_below_chance", "coder_with_few", "converged", "ties", "overconfident")
"""Codes of findings that are told where they belong."""


def model_blocks(fitted: Fitted) -> Iterator[Block]:
    """Warnings stand open; the rest is folded under the name of the model."""
    told = [
        ("" if not fitted.of_sets else isolated(label_text(one.question)), f)
        for one in fitted.singles
        for f in one.findings
        if f.code not in ELSEWHERE
    ]
    checks, misfits = _checks(fitted)
    blocks = list(remarks([*told, *misfits]))
    yield from (block for block in blocks if isinstance(block, Finding))
    inside: list[Block] = [_about(fitted), *checks, *_choice(fitted)]
    inside += [b for fold in blocks if isinstance(fold, Fold) for b in fold.blocks]
    inside.append(Quotation(_signature(fitted), verbatim=True, title="Signature, to repeat it"))
    yield Fold(f"Which model, and how far it fits: {fitted.model.name}", tuple(inside))


def _about(fitted: Fitted) -> Block:
    model = fitted.model
    assumes = model.assumption if model.assumption.endswith(".") else f"{model.assumption}."
    first = fitted.singles[0]
    facts = [
        ("Model", f"{model.name} ({model.key})"),
        ("It takes", assumes),
        *((("Why this one", WHY[model.key]),) if model.key in WHY else ()),
        ("It rests on", f"{count_of(len(first.votes), 'annotation')} of "
         f"{count_of(first.votes.n_items, 'item')} by {count_of(first.votes.n_coders, 'coder')}"),
        ("The search", _search(fitted)),
    ]  # fmt: skip
    if fitted.gold is not None:
        facts.append(("Not seen", f"{isolated(fitted.gold)}, whose labels count as right"))
    if not fitted.thorough:
        facts.append((
            "Left out",
            "further starts, posterior predictive checks and ambiguous items, which take long with "
            "so many annotations",
        ))  # fmt: skip
    return Pairs(tuple(facts))


def _search(fitted: Fitted) -> str:
    runs = fitted.singles
    if all(one.estimate.climb.objective == "none" for one in runs):
        return "none is needed"
    n = [one.estimate.climb.n_iterations for one in runs]
    ended = sum(one.converged for one in runs)
    if len(runs) == 1:
        end = "ended by itself" if ended else "was stopped"
        starts = len(runs[0].estimate.restarts)
        more = f"; {count_of(starts, 'further start')} led to nothing better" if starts else ""
        return f"{end} after {count_of(n[0], 'iteration')}{more}"
    return (
        f"ended by itself for {ended:,} of {count_of(len(runs), 'label')}, after {min(n):,} to "
        f"{max(n):,} iterations"
    )


def _checks(fitted: Fitted) -> tuple[list[Block], list[tuple[str, Any]]]:
    """Posterior predictive checks in a table, and what does not fit."""
    if not fitted.thorough or not fitted.believes:
        return [], []
    rows: list[dict[str, Any]] = []
    misfits = []
    for one in fitted.singles:
        try:
            found = one.checks()
        except AccordantError:
            continue
        label = isolated(label_text(one.question)) if fitted.of_sets else ""
        misfits += [(label, f) for f in found.findings]
        rows += [
            {"label": label, "title": c.title, "p_value": c.p_value,
             "fits": "fits" if c.fits else "does not fit"}
            for c in found.each
        ]  # fmt: skip
    if not rows:
        return [], []
    columns = (
        *((Column("label", "label"),) if fitted.of_sets else ()),
        Column("title", "what is compared"),
        Column("p_value", "p", "p"),
        Column("fits", "the model"),
    )
    bad = [row for row in rows if row["fits"] != "fits"]
    title = (
        "The model could have made these annotations"
        if not bad
        else f"The model misses something: {joined(dict.fromkeys(r['title'] for r in bad), most=2)}"
        f" ({p_text(min(r['p_value'] for r in bad))})"
    )
    notes = (
        "p: how often annotations drawn from the model lie as far from what it expects as these do "
        "(posterior predictive checks). That a model fits does not show that it is right.",
    )
    return [Table(title, columns, tuple(rows), notes)], misfits


def _choice(fitted: Fitted) -> Iterator[Block]:
    """Models compared by hidden annotations, for one question of single labels."""
    if not fitted.compared or fitted.of_sets:
        return
    try:
        found = which_model(fitted.singles[0].data)
    except AccordantError as error:
        yield Prose(f"Models could not be compared: {error}.")
        return
    yield _compared(found)
    yield Prose(" ".join(filter(None, [*found.advice, found.not_compared])))


def _compared(found: ModelChoice) -> Table:
    rows = tuple(
        {**row, "advised": "advised" if row["advised"] else ""}
        for row in found.to_rows()
        if row["skipped"] is None
    )
    columns = (
        Column("name", "model"),
        Column("score", "log probability", "value", "mean of hidden annotations, in nats"),
        Column("behind", "behind the best", "value"),
        Column("se", "± standard error", "value"),
        Column("advised", ""),
    )
    best = found.each[0].model.name
    return Table(f"{best} predicts hidden annotations best", columns, rows)


def _signature(fitted: Fitted) -> str:
    return fitted.found.signature
