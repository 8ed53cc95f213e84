"""How reliable each coder is: accuracy, skill and verdict, confusion, influence, coder groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ..diagnosis.words import isolated, label_text, quoted
from ..errors import unknown
from ..fields import FIELDS, Field, columns, shown
from ..models.coders.coder import Coder
from ..models.coders.coders import Coders
from ..models.coders.leaving_out import LeavingOut
from ..models.coders.verdicts import NEARLY, VERDICTS, Judging, Verdict
from ..models.gold import Gold
from ..models.wording import INDEPENDENTLY, wording
from ..numbers import count_of, level_text
from .blocks import Block, Cell, Chart, Matrix, Prose, Table
from .fit_part import FitPart, One, part_of
from .model_charts import dots
from .remarks import remarks
from .view import view

__all__ = ["alarming", "coder_table", "ordered"]

MOST_ROWS = 40
MOST_DRAWN = 20
MOST_MATRICES = 5  # coders whose confusion is shown as a matrix
MOST_LABELS = 12  # of a confusion matrix
WITHOUT = (
    "coder n_annotations n_changed n_tied n_unannotated labels_changing alpha_without alpha_change"
)
BAD: tuple[Verdict, ...] = ("adversarial", "random", "constant", "sloppy")
"""Verdicts that a reader must know, the worst first."""
KIND = {"reliable": "good", "school": "open", "few": "open"}
KEYS = "coder verdict n_annotations competence interval skill skill_interval"
KEEP = (
    "coder", "label", "competence", "interval", "verdict", "skill", "accuracy", "skill_interval",
    "accuracy_interval",
)  # fmt: skip
OF_SETS = "coder n_annotations competence sensitivity specificity"
LABEL_BY_LABEL = (
    "coder label verdict n_annotations competence interval skill skill_interval "
    "sensitivity specificity"
)


# ------------------------------------------------------------------ the table of coders


@view(
    "coders", of="fit", title="Annotator reliability", chapter="annotator_reliability", place=20,
    help="accuracy, skill and verdict of each coder",
)  # fmt: skip
def coders(
    part: One | FitPart, *, of: str | None = None, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """Every coder with intervals, the most accurate first; label by label for sets."""
    fitted = part_of(part)
    if fitted.of_sets:
        yield from _of_sets(fitted, level, of)
        return
    (own,) = fitted.coders(level)
    made = coder_table(own, of=of, truth=truth)
    if not fitted.nothing:
        yield from made
        return
    yield Prose("Undetermined: the annotations do not show how reliable any coder is.")
    yield from (replace(b.table, depth="evidence") for b in made if isinstance(b, Chart))


@view("coders", of="coders", title="Annotator reliability", place=10)
def coders_alone(part: Coders) -> Iterator[Block]:
    """Every coder of one question, and what must be known of them."""
    yield from coder_table(part)
    yield from remarks((("", f) for f in part.findings), more="further note")


@view("coder", of="coder", title="", place=10)
def one_coder(part: Coder) -> Iterator[Block]:
    """One coder with intervals, and what the verdict rests on."""
    row = _shown(_row(part.to_rows()[0], None))
    yield Table("", columns(KEYS), (row,), (f"{level_text(part.level)} intervals: {part.method}.",),
                keep=KEEP)  # fmt: skip
    yield Prose(_how_verdicts_are_made(part.against), depth="detail")


def coder_table(
    own: Coders, *, of: str | None = None, truth: Gold | None = None
) -> Iterator[Block]:
    """The coders as a chart with its table; of many all in a table, and those to look at drawn."""
    if own.positions:
        yield Prose("Coders are positions, not persons: nothing can be said of any of them.")
        yield Table("", columns(KEYS), _rows(own, ordered(own), truth), depth="evidence")
        return
    every = [c for c in ordered(own) if of in (None, c.coder)]
    if not every:
        raise unknown("coder", of, own.posterior.coders)
    all_rows = _rows(own, every, truth)
    rows = tuple(map(_shown, all_rows))
    used = _columns(own, rows)
    notes = tuple(_notes(own, every))
    if len(every) > MOST_ROWS:
        yield Table("All coders", used, rows, depth="detail", keep=KEEP, every=all_rows)
        some = {c.coder for c in _to_look_at(own, MOST_ROWS)}
        rows = tuple(row for row in rows if row["coder"] in some)
        notes = (
            f"{MOST_ROWS} of {len(every):,} coders are shown: those to look at, and those with "
            "most annotations.", *notes,
        )  # fmt: skip
    table = Table("", used, rows, notes, keep=KEEP, most=MOST_ROWS, every=all_rows)
    drawn = _to_look_at(own, MOST_DRAWN) if of is None else every
    yield Chart(_finding(own), dots([_dot(c) for c in drawn], title=_axis(own)), table)
    yield Prose(_how_verdicts_are_made(own.against), depth="detail")


def ordered(own: Coders | Sequence[Coder]) -> list[Coder]:
    """The most accurate first, undefined last, then by name: the order of coders everywhere."""
    return sorted(own, key=lambda c: (math.isnan(c.competence), -c.competence, c.coder))


def in_order(fitted: FitPart, level: float = 0.95) -> list[str]:
    """The names of the coders in that order; of sets by the mean over the labels."""
    if not fitted.of_sets:
        return [c.coder for c in ordered(fitted.coders(level)[0])]
    means = zip(fitted.found.coders, fitted.found.competence.tolist(), strict=True)
    return [name for name, x in sorted(means, key=lambda m: (math.isnan(m[1]), -m[1], m[0]))]


def alarming(own: Coders) -> list[Coder]:
    """Coders with a verdict that a reader must know, the worst first."""
    bad = [c for c in own if c.verdict in BAD]
    return sorted(bad, key=lambda c: (BAD.index(c.verdict), c.coder))


def _to_look_at(own: Coders, most: int) -> list[Coder]:
    """All of a few; of many those to look at and those with most annotations."""
    bad = {c.coder: k for k, c in enumerate(alarming(own))}
    by_size = sorted(own, key=lambda c: (-c.n_annotations, c.coder))
    first = sorted((c for c in own if c.coder in bad), key=lambda c: bad[c.coder])[: most // 2]
    rest = [c for c in by_size if c not in first]
    return ordered([*first, *rest[: most - len(first)]])


def _rows(
    own: Coders, chosen: Iterable[Coder], truth: Gold | None
) -> tuple[dict[str, Any], ...]:  # fmt: skip
    """The rows of `Coders.to_rows`, with accuracy on labels to score by where there are any."""
    by_name = {row["coder"]: row for row in own.to_rows()}
    known: Mapping[str, Mapping[str, Any]] = {}
    if truth is not None:
        scored = own.posterior.coder_scores(truth, level=own.level)
        known = {row["coder"]: row for row in scored.to_rows()}
    return tuple(_row(by_name[c.coder], known.get(c.coder)) for c in chosen)


def _row(row: dict[str, Any], known: Mapping[str, Any] | None) -> dict[str, Any]:
    row = {**row, "n_known": row.pop("n_control")}
    if known is not None:
        row |= {
            "n_known": int(known["n_known"]), "accuracy": known["accuracy"],
            "accuracy_low": known["low"], "accuracy_high": known["high"],
        }  # fmt: skip
    return row


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its label as text."""
    label = row["overused"]
    return row if label is None else {**row, "overused": label_text(label)}


def _columns(own: Coders, rows: Sequence[Mapping[str, Any]]) -> tuple[Field, ...]:
    words = wording(own.posterior.model)
    right = FIELDS["competence"].called(words.right, help=words.meant)
    used = [right if c.key == "competence" else c for c in columns(KEYS)]
    if any(row["n_known"] for row in rows):
        used += columns("accuracy accuracy_interval n_known")
    if any(row["overused"] is not None for row in rows):
        used += columns("overused overuse")
    if any(row["labels_changing"] == row["labels_changing"] for row in rows):
        used += columns("labels_changing")
    return tuple(used)


def _notes(own: Coders, every: Sequence[Coder]) -> Iterator[str]:
    words = wording(own.posterior.model)
    yield (
        f"{words.right.capitalize()}: {words.meant}. Skill: κ of the coder with {words.truth}; 0 "
        "is chance."
    )
    methods = "; ".join(dict.fromkeys(c.method for c in every))
    independent = (
        f" {INDEPENDENTLY}."
        if own.posterior.model.probabilistic and not own.posterior.withheld else ""
    )  # fmt: skip
    yield f"{level_text(own.level)} intervals: {methods}.{independent}"
    left = own.leaving_out
    if left.each and len(left.each) < left.n_coders:
        yield (
            f"Labels that change without a coder: of the {len(left.each):,} coders with most "
            "annotations."
        )


def _how_verdicts_are_made(by: Judging) -> str:
    return (
        "The verdict rests on the interval of the skill. Reliable: above "
        f"{shown('skill', by.enough)} (half of the usual skill), not sloppy, and confirmed by the "
        "labels of the others. Random or nearly so: not above 0 or itself below "
        f"{shown('skill', NEARLY)}, and below {shown('skill', by.enough)}. Below chance: below 0. "
        f"Sloppy: above 0 and below {shown('skill', by.sloppy)} (three quarters of the usual "
        "skill). Undetermined: everything else. Nobody is left out because of a verdict."
    )


def _dot(c: Coder) -> dict[str, Any]:
    return {
        "name": isolated(c.coder), "value": c.competence, "low": c.low, "high": c.high,
        "other": _chance(c), "kind": KIND.get(c.verdict, "bad"),
    }  # fmt: skip


def _chance(c: Coder) -> float:
    """What would be right by chance: skill is (right − chance) / (1 − chance)."""
    if math.isnan(c.skill) or c.skill > 1 - 1e-9:
        return math.nan
    return min(1.0, max(0.0, (c.competence - c.skill) / (1 - c.skill)))


def _axis(own: Coders) -> list[str]:
    right = wording(own.posterior.model).right
    return [
        f"{right} (dot) with its {level_text(own.level)} interval;",
        "by chance, with the same labels (tick)",
    ]


def _finding(own: Coders) -> str:
    if own.beyond_chance.none:
        return "Agreement beyond chance is not shown: no coder can be judged"
    if bad := alarming(own):
        first = bad[0]
        more = f"; {count_of(len(bad) - 1, 'more coder')} to look at" if len(bad) > 1 else ""
        return (
            f"{isolated(first.coder)} is {_called(first)} (skill {shown('skill', first.skill)})"
            f"{more}"
        )
    known = [c for c in ordered(own) if not math.isnan(c.competence)] or ordered(own)
    right = wording(own.posterior.model).right.capitalize()
    best, least = (f"{shown('competence', c.competence)} ({isolated(c.coder)})"
                   for c in (known[0], known[-1]))  # fmt: skip
    if best.split()[0] == least.split()[0]:
        return f"{right} {best.split()[0]}" if len(known) > 1 else f"{right} {best}"
    return f"{right} ranges from {least} to {best}"


def _called(c: Coder) -> str:
    return "a coder who always gives the same label" if c.verdict == "constant" else c.words


# ------------------------------------------------------------------ sets of labels


def _of_sets(fitted: FitPart, level: float, of: str | None) -> Iterator[Block]:
    """Every coder label by label, and the means over the labels."""
    names = [c for c in fitted.found.coders if of in (None, c)]
    if not names:
        raise unknown("coder", of, fitted.found.coders)
    each = list(zip(fitted.label_names, fitted.coders(level), strict=True))
    if each[0][1].positions:
        yield Prose("Coders are positions, not persons: nothing can be said of any of them.")
        return
    rows = tuple(
        {"coder": row["coder"], "label": label, **row, **_rates(own, row["coder"])}
        for label, own in each
        for row in ({**r, "question": fitted.question} for r in _rows(own, own, None))
        if row["coder"] in names
    )
    means = sorted((_mean(rows, name) for name in names), key=_by_accuracy)
    place = {row["coder"]: k for k, row in enumerate(means)}
    rows = tuple(sorted(rows, key=lambda row: (place[row["coder"]], row["label"])))
    yield Table("Label by label", columns(LABEL_BY_LABEL), rows, _set_notes(each[0][1]),
                depth="detail", keep=KEEP)  # fmt: skip
    note = "Means over the labels, each of which has a model of its own."
    table = Table(
        "", columns(OF_SETS), tuple(means), (note,), keep=tuple(OF_SETS.split()), most=MOST_ROWS
    )
    drawn = [_skill_dot(rows, row["coder"]) for row in means[:MOST_DRAWN]]
    axis = ["mean skill (dot); the line runs from the label", "a coder is worst at to the best one"]
    least = min(0.0, *(row["low"] for row in drawn))
    best, worst = means[0], means[-1]
    title = (
        f"Mean accuracy over {count_of(len(each), 'label')} ranges from "
        f"{shown('competence', worst['competence'])} ({isolated(worst['coder'])}) to "
        f"{shown('competence', best['competence'])} ({isolated(best['coder'])})"
    )
    yield Chart(title, dots(drawn, title=axis, least=least), table)


def _by_accuracy(row: Mapping[str, Any]) -> tuple[bool, float, str]:
    x = row["competence"]
    return math.isnan(x), -x, row["coder"]


def _mean(rows: Iterable[Mapping[str, Any]], coder: str) -> dict[str, Any]:
    own = [row for row in rows if row["coder"] == coder]
    keys = ("competence", "sensitivity", "specificity")
    known = {key: [row[key] for row in own if row[key] == row[key]] for key in keys}
    return {"coder": coder, "n_annotations": max(row["n_annotations"] for row in own)} | {
        key: float(np.mean(x)) if x else math.nan for key, x in known.items()
    }


def _skill_dot(rows: Iterable[Mapping[str, Any]], coder: str) -> dict[str, Any]:
    own = [row for row in rows if row["coder"] == coder]
    skills = [row["skill"] for row in own if row["skill"] == row["skill"]] or [0.0]
    bad = any(row["verdict"] in [VERDICTS[v] for v in BAD] for row in own)
    return {
        "name": isolated(coder), "value": sum(skills) / len(skills), "low": min(skills),
        "high": max(skills), "other": None, "kind": "bad" if bad else "good",
    }  # fmt: skip


def _rates(own: Coders, coder: str) -> dict[str, float]:
    at = own.posterior.coders.index(coder)
    given = own.posterior.confusion
    confusion = (own.expected.confusion if given is None else given)[at]
    return {"sensitivity": float(confusion[1, 1]), "specificity": float(confusion[0, 0])}


def _set_notes(own: Coders) -> tuple[str, ...]:
    return (
        "Skill: κ of the coder with the estimated labels; 0 is chance. Accuracy on a rare label "
        "is high even for a coder who never gives it; use the skill.",
        f"{level_text(own.level)} intervals: {own.each[0].method}. {INDEPENDENTLY}.",
    )


# ------------------------------------------------------------------ confusion matrix per coder


@view(
    "confusion", of="fit", title="Estimated confusion matrix per coder",
    chapter="annotator_reliability", place=130,
    help="which label each coder gives to items of each estimated label",
)  # fmt: skip
def confusion(
    part: One | FitPart, *, of: str | None = None, level: float = 0.95
) -> Iterator[Block]:
    """All cells of all coders, and a matrix for each of the first few."""
    fitted = part_of(part)
    each = list(zip(fitted.label_names, fitted.coders(level), strict=True))
    names = [c for c in in_order(fitted, level) if of in (None, c)]
    if not names:
        raise unknown("coder", of, fitted.found.coders)
    rows = tuple(
        {
            "coder": name,
            **({"label": label} if label else {}),
            **row,
            "question": fitted.question,
        }
        for label, own in each
        for name in names
        for row in own.confusion_of(name)
    )
    about = "label " if fitted.of_sets else ""
    yield Table(
        "All cells", columns(f"coder {about}true answer probability interval n"),
        tuple({**row, **_texts(row)} for row in rows),
        ("Annotations: as many as the model expects, since the correct labels are not known.",),
        depth="evidence", every=rows,
    )  # fmt: skip
    pairs = [(label, own, name) for name in names for label, own in each]
    for label, own, name in pairs[:MOST_MATRICES]:
        yield _matrix(own, name, f"{name}, {label}" if label else name)
    if len(pairs) > MOST_MATRICES:
        yield Prose(
            f"The first {MOST_MATRICES} of {len(pairs):,} matrices are shown, the most accurate "
            "coders first."
        )


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {"true": label_text(row["true"]), "answer": label_text(row["answer"])}


def _matrix(own: Coders, coder: str, title: str) -> Matrix:
    rows = own.confusion_of(coder)
    answers = list(dict.fromkeys(row["answer"] for row in rows))
    true = list(dict.fromkeys(row["true"] for row in rows))
    n = np.array([row["n"] for row in rows]).reshape(len(true), len(answers))
    kept = sorted(np.argsort(-n.sum(1), kind="stable")[:MOST_LABELS].tolist())
    over = [*kept, *range(len(true), len(answers))]  # abstention where it is an answer
    words = wording(own.posterior.model)
    notes = [f"Rows sum to 1. In brackets: annotations expected. Rows: {words.is_true}."]
    if len(kept) < len(true):
        notes.append(f"The {len(kept)} most frequent of {len(true)} categories are shown.")
    cells = tuple(
        tuple(_cell(rows[t * len(answers) + a], right=t == a) for a in over) for t in kept
    )
    return Matrix(
        f"{title}: {_worst(rows)}", words.is_true, "answer",
        tuple(label_text(true[t]) for t in kept), tuple(label_text(answers[a]) for a in over),
        cells, notes=tuple(notes),
    )  # fmt: skip


def _cell(row: Mapping[str, Any], *, right: bool) -> Cell:
    p = row["probability"]
    kind: Literal["agree", "differ", "plain"] = (
        "plain" if not p >= 0.005 else "agree" if right else "differ"
    )
    level = 0 if kind == "plain" else max(1, round(10 * math.sqrt(p)))
    ends = f"interval {shown('interval', (row['low'], row['high']))}"
    return Cell(shown("probability", p), p, level, kind, spoken=ends, small=shown("n", row["n"]))


def _worst(rows: Sequence[Mapping[str, Any]]) -> str:
    """The confusion with most annotations."""
    wrong = [row for row in rows if row["true"] != row["answer"] and row["n"] >= 1]
    if not wrong:
        return "hardly any confusion"
    most = max(wrong, key=lambda row: row["n"])
    return (
        f"answers {quoted(most['answer'])} for {quoted(most['true'])} with probability "
        f"{shown('probability', most['probability'])}"
    )


# ------------------------------------------------------------------ leave-one-out


@view(
    "leave-one-out", of="fit", title="Labels that change without a coder",
    chapter="annotator_reliability", place=140,
    help="labels and alpha when the model is fitted without each coder",
)  # fmt: skip
def leave_one_out(part: One | FitPart) -> Iterator[Block]:
    """What changes without each coder."""
    fitted = part_of(part)
    each = list(zip(fitted.label_names, fitted.left_out, strict=True))
    yield from _without(each, fitted.question, in_order(fitted))


@view("leave-one-out", of="leave-one-out", title="Labels that change without a coder", place=10)
def leave_one_out_alone(part: LeavingOut) -> Iterator[Block]:
    """The same for one question by itself, the most influential coder first."""
    yield from _without([("", part)], part.question, [x.coder for x in part.each])


def _without(
    each: Sequence[tuple[str, LeavingOut]], question: str | None, order: Sequence[str]
) -> Iterator[Block]:
    rows = tuple(
        {**({"label": label} if label else {}), **row, "question": question}
        for label, left in each
        for row in sorted(left.to_rows(), key=lambda row: order.index(row["coder"]))
    )
    first = each[0][1]
    notes = [f"α with all coders: {shown('alpha', first.alpha)}."] if len(each) == 1 else []
    if len(first.each) < first.n_coders:
        notes.append(
            f"Left out one at a time: {len(first.each):,} of {first.n_coders:,} coders, those with "
            "most annotations, since each takes a fit of all the rest."
        )
    if rows:
        most = max(rows, key=lambda row: row["labels_changing"])
        yield Prose(
            f"Labels change most without {isolated(most['coder'])}: a share of "
            f"{shown('labels_changing', most['labels_changing'])}."
        )
    about = "label " if each[0][0] else ""
    yield Table("", columns(f"{about}{WITHOUT}"), rows, tuple(notes),
                keep=("label", "coder", "labels_changing", "alpha_change"))  # fmt: skip
