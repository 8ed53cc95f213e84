"""How reliable each coder is: accuracy, skill and verdict, confusion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from ..diagnosis.words import isolated, label_text, quoted
from ..fields import FIELDS, columns, shown
from ..models.coder_reliability import VERDICTS, Coder, Coders, Verdict
from ..models.gold import Gold
from ..models.model import wording
from ..numbers import ESTIMATED, count_of, joined, level_text, tied
from .blocks import Block, Cell, Chart, Matrix, Prose, Table
from .fit_part import FitPart, as_text, by_label, labelled
from .model_charts import Dot, dots
from .remarks import remarks
from .view import view

MOST_ROWS = 40
FEW_ROWS = 12  # beside the labels of a fit: one screen
MOST_DRAWN = 20
MOST_CELLS = 100_000  # of all matrices; of more, those that are hardly used are left out
MOST_MATRICES = 5  # coders whose confusion is shown as a matrix
MOST_LABELS = 12  # of a confusion matrix
BAD: tuple[Verdict, ...] = ("below chance", "constant")
"""Verdicts that a reader must know, the worst first."""
KEYS = (
    "coder verdict n_annotations competence interval skill skill_interval accuracy? "
    "accuracy_interval? n_known?"
)
KEEP = "coder label competence interval verdict skill accuracy skill_interval accuracy_interval"
OF_SETS = "coder n_annotations competence sensitivity specificity"
LABEL_BY_LABEL = (
    "coder label verdict n_annotations competence interval skill skill_interval "
    "sensitivity specificity"
)
NOTHING = "Undetermined: the annotations do not show how reliable any coder is."
POSITIONS = "Coders are positions, not persons: nothing can be said of any of them."
INDEPENDENTLY = (
    "Intervals allow for uncertain labels and for coders who err together as much as is visible "
    "here; errors that all coders share are not visible"
)
HOW_JUDGED = (
    "Verdicts: below chance, if the interval of the skill is below 0 and the labels of the others "
    "say so too; constant, if one label is given to all items, where others use several; few, with "
    "fewer than five annotations. Nobody is left out because of a verdict."
)
Row = Mapping[str, Any]


# ------------------------------------------------------------------ the table of coders


@view("coders", of="fit", title="Annotator reliability", chapter="annotator_reliability", place=20)
def coders(
    fitted: FitPart, *, of: str | None = None, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """Accuracy, skill and verdict of each coder."""
    first = fitted.coders(level)[0]
    if not fitted.of_sets:
        nothing = NOTHING if fitted.nothing else ""
        yield from _coder_table(first, of, truth, nothing, most=FEW_ROWS)
    elif first.positions:
        yield Prose(POSITIONS)
    else:
        yield from _of_sets(fitted, level, of)


@view("coders", of="coders", title="Annotator reliability", place=10)
def coders_alone(part: Coders) -> Iterator[Block]:
    """Every coder of one question, and what must be known of them."""
    yield from _coder_table(part)
    yield from remarks(("", f) for f in part.findings)


@view("coder", of="coder", title="", place=10)
def one_coder(part: Coder) -> Iterator[Block]:
    """One coder with intervals, and what the verdict rests on."""
    note = f"{level_text(part.level)} intervals: {part.method}."
    yield Table.of(KEYS, [_known(part.to_rows()[0], None)], [note], keep=KEEP)
    yield Prose(HOW_JUDGED, depth="detail")


def _coder_table(
    own: Coders,
    of: str | None = None,
    truth: Gold | None = None,
    undetermined: str = "",
    *,
    most: int = MOST_ROWS,
) -> Iterator[Block]:
    """The coders as a chart with its table; of many all in a table, and those to look at drawn."""
    chosen = _to_look_at(own, MOST_DRAWN) if of is None else [own[of]]
    raw = tuple(row for row in _rows(own, truth) if of in (None, row["coder"]))
    if own.positions or undetermined:
        yield Prose(POSITIONS if own.positions else undetermined)
        yield Table.of(KEYS, raw, depth="evidence")
        return
    first = [c.coder for c in _to_look_at(own, most)]
    rows = sorted(raw, key=lambda row: row["coder"] not in first)
    words = wording(own.posterior.model)
    right = FIELDS["competence"].called(words.right, help=words.meant)
    used = columns(KEYS, rows, competence=right)
    many = (
        f"{most} of {len(raw):,} coders are shown: those to look at, the most and the least "
        "accurate, and those with most annotations."
    )
    notes = [many if len(raw) > most else "", *_notes(own, raw)]
    table = Table.of(used, rows[:most], notes, keep=KEEP, most=most, every=raw)
    drawn = [
        Dot(c.coder, c.competence, c.low, c.high, _chance(c), "bad" if c.verdict in BAD else "good")
        for c in chosen
    ]
    axis = [
        f"{words.right} (dot) with its {level_text(own.level)} interval;",
        "by chance, with the same labels (tick)",
    ]
    yield Chart(_finding(own), dots(drawn, title=axis), table)
    if len(raw) > most:
        yield Table.of(used, rows, title="All coders", depth="detail", keep=KEEP, every=raw)
    yield Prose(HOW_JUDGED, depth="detail")


def _ordered(own: Iterable[Coder]) -> list[Coder]:
    """The most accurate first, undefined last, then by name: the order of coders everywhere."""
    return sorted(
        own, key=lambda c: (math.isnan(c.competence), -tied(c.competence, ESTIMATED), c.coder)
    )


def _alarming(own: Coders) -> list[Coder]:
    """Coders with a verdict that a reader must know: the worst verdict, most annotations first."""
    bad = [c for c in own if c.verdict in BAD]
    return sorted(bad, key=lambda c: (c.verdict != BAD[0], -c.n_annotations, c.coder))


def _to_look_at(own: Coders, most: int) -> list[Coder]:
    """All of a few; of many those to look at, both ends, and those with most annotations."""
    known = [c for c in _ordered(own) if not math.isnan(c.competence)]
    ends = [*known[:1], *known[-1:]] if len(own) > most else []
    first = list(dict.fromkeys([*_alarming(own)[: most // 2], *ends]))[:most]
    by_size = sorted(own, key=lambda c: (-c.n_annotations, c.coder))
    rest = [c for c in by_size if c not in first]
    return _ordered([*first, *rest[: most - len(first)]])


def _rows(own: Coders, truth: Gold | None) -> list[dict[str, Any]]:
    """The rows of `Coders` in order, with accuracy on labels to score by where there are any."""
    scored = [] if truth is None else own.posterior.coder_scores(truth, level=own.level).to_rows()
    known = {row["coder"]: row for row in scored}
    by_name = {row["coder"]: row for row in own.to_rows()}
    return [_known(by_name[c.coder], known.get(c.coder)) for c in _ordered(own)]


def _known(row: dict[str, Any], known: Row | None) -> dict[str, Any]:
    """A row with the accuracy on known labels: of control items unless there are others."""
    row = {**row, "n_known": row.pop("n_control")}
    if known is not None:
        row |= {key: known[key] for key in ("n_known", "accuracy")}
        row |= {f"accuracy_{end}": known[end] for end in ("low", "high")}
    return row


def _notes(own: Coders, rows: Iterable[Row]) -> Iterator[str]:
    words = wording(own.posterior.model)
    yield (
        f"{words.right.capitalize()}: {words.meant}. Skill: κ of the coder with {words.truth}; 0 "
        "is chance."
    )
    independent = own.posterior.model.probabilistic and not own.posterior.withheld
    methods = "; ".join(dict.fromkeys(row["method"] for row in rows))
    yield (
        f"{level_text(own.level)} intervals: {methods}."
        f"{f' {INDEPENDENTLY}.' if independent else ''}"
    )


def _chance(c: Coder) -> float:
    """What would be right by chance: skill is (right − chance) / (1 − chance)."""
    if math.isnan(c.skill) or c.skill > 1 - 1e-9:
        return math.nan
    return min(1.0, max(0.0, (c.competence - c.skill) / (1 - c.skill)))


def _finding(own: Coders) -> str:
    if own.beyond_chance.none:
        return "Agreement beyond chance is not shown: no coder can be judged"
    if bad := _alarming(own):
        names = joined([isolated(c.coder) for c in bad], most=3)
        return f"To look at: {names} ({VERDICTS[cast(Verdict, bad[0].verdict)]})"
    right = wording(own.posterior.model).right.capitalize()
    return _ranging(right, [(c.coder, c.competence) for c in _ordered(own)])


def _ranging(what: str, each: Sequence[tuple[str, float]]) -> str:
    """From which coder to which one accuracy ranges, of coders in their order."""
    known = [(name, shown("competence", x)) for name, x in each if x == x] or [(each[0][0], "—")]
    (best, most), (worst, least) = known[0], known[-1]
    if most == least:
        return f"{what} is {most}" if len(known) > 1 else f"{what} is {most} ({isolated(best)})"
    return f"{what} ranges from {least} ({isolated(worst)}) to {most} ({isolated(best)})"


# ------------------------------------------------------------------ sets of labels


def _of_sets(fitted: FitPart, level: float, of: str | None) -> Iterator[Block]:
    """Every coder label by label, and the means over the labels."""
    names = fitted.chosen_coders(of)
    each = by_label(fitted, lambda fitted: fitted.coders(level))
    every = labelled(each, fitted.question, _with_rates)
    of_coder = {name: [row for row in every if row["coder"] == name] for name in names}
    rows = [row for own in of_coder.values() for row in sorted(own, key=lambda r: r["label"])]
    first = each[0][1]
    notes = (
        "Skill: κ of the coder with the estimated labels; 0 is chance. Accuracy on a rare label "
        "is high even for a coder who never gives it; use the skill.",
        f"{level_text(level)} intervals: {first.each[0].method}. {INDEPENDENTLY}.",
    )
    yield Table.of(LABEL_BY_LABEL, rows, notes, title=_lowest(rows), depth="detail", keep=KEEP)
    means = [_means(own) for own in of_coder.values()]
    note = "Means over the labels, each of which has a model of its own."
    table = Table.of(OF_SETS, means, [note], keep=OF_SETS, most=MOST_ROWS)
    axis = ["mean skill (dot); the line runs from the label", "a coder is worst at to the best one"]
    drawn = [_skill_dot(own) for own in list(of_coder.values())[:MOST_DRAWN]]
    what = f"Mean accuracy over {count_of(len(each), 'label')}"
    title = _ranging(what, [(row["coder"], row["competence"]) for row in means])
    yield Chart(title, dots(drawn, title=axis, zero=True), table)


def _lowest(rows: Sequence[Row]) -> str:
    known = [row for row in rows if row["skill"] == row["skill"]]
    if not known:
        return "Label by label"
    one = min(known, key=lambda row: tied(row["skill"], ESTIMATED))
    where = f"for {quoted(one['label'])} of {isolated(one['coder'])}"
    return f"Skill is lowest {where}: {shown('skill', one['skill'])}"


def _with_rates(own: Coders) -> Iterator[Row]:
    """The rows of a label, with how often coders give it where it is true, and where it is not."""
    given = own.posterior.confusion
    confusion = own.expected.confusion if given is None else given
    for row in _rows(own, None):
        cells = confusion[own.posterior.coders.index(row["coder"])]
        yield {**row, "sensitivity": float(cells[1, 1]), "specificity": float(cells[0, 0])}


def _means(own: Sequence[Row]) -> dict[str, Any]:
    """Those of a coder over the labels."""
    n = max(row["n_annotations"] for row in own)
    keys = ("competence", "sensitivity", "specificity")
    return {"coder": own[0]["coder"], "n_annotations": n} | {
        key: float(np.mean(_defined(own, key) or math.nan)) for key in keys
    }


def _defined(rows: Iterable[Row], key: str) -> list[float]:
    return [row[key] for row in rows if row[key] == row[key]]


def _skill_dot(own: Sequence[Row]) -> Dot:
    skills = _defined(own, "skill") or [0.0]
    bad = any(row["verdict"] in BAD for row in own)
    mean = sum(skills) / len(skills)
    kind: Literal["good", "bad"] = "bad" if bad else "good"
    return Dot(own[0]["coder"], mean, min(skills), max(skills), kind=kind)


# ------------------------------------------------------------------ confusion matrix per coder


@view(
    "confusion",
    of="fit",
    title="Estimated confusion matrix per coder",
    chapter="annotator_reliability",
    place=130,
)
def confusion(fitted: FitPart, *, of: str | None = None, level: float = 0.95) -> Iterator[Block]:
    """Which label each coder gives to items of each estimated label."""
    names = fitted.chosen_coders(of)
    each = by_label(fitted, lambda fitted: fitted.coders(level))
    least = 0.5 if len(names) * fitted.singles[0].votes.n_categories ** 2 > MOST_CELLS else 0.0
    every = labelled(
        each,
        fitted.question,
        lambda own: (r for name in names for r in own.confusion_of(name) if r["n"] >= least),
    )
    rows = as_text(every, "true", "answer")
    notes = ["Annotations: as many as the model expects, since the correct labels are not known."]
    if least:
        notes.append(f"Cells with less than {least} annotations are left out.")
    keys = "coder label? true answer probability interval n"
    yield Table.of(keys, rows, notes, title="All cells", depth="evidence", every=every)
    pairs = [(label, own, name) for name in names for label, own in each]
    for label, own, name in pairs[:MOST_MATRICES]:
        yield _matrix(own, name, f"{name}, {label}" if label else name)
    if len(pairs) > MOST_MATRICES:
        yield Prose(
            f"The first {MOST_MATRICES} of {len(pairs):,} matrices are shown, the most accurate "
            "coders first."
        )


def _matrix(own: Coders, coder: str, title: str) -> Matrix:
    rows = own.confusion_of(coder)
    answers = list(dict.fromkeys(row["answer"] for row in rows))
    true = list(dict.fromkeys(row["true"] for row in rows))
    n = np.array([row["n"] for row in rows]).reshape(len(true), len(answers))
    kept = sorted(np.argsort(-tied(n.sum(1), ESTIMATED), kind="stable")[:MOST_LABELS].tolist())
    is_true = wording(own.posterior.model).is_true
    notes = [f"Rows sum to 1. Rows: {is_true}."]
    if len(kept) < len(true):
        notes.append(f"The {len(kept)} most frequent of {len(true)} categories are shown.")
    return Matrix(
        f"{title}: {_worst(rows)}",
        is_true,
        "answer",
        tuple(label_text(true[t]) for t in kept),
        tuple(label_text(answers[a]) for a in kept),
        tuple(tuple(_cell(rows[t * len(answers) + a]) for a in kept) for t in kept),
        notes=tuple(notes),
        second="annotations expected",
    )


def _cell(row: Row) -> Cell:
    p = row["probability"]
    ends = f"interval {shown('interval', (row['low'], row['high']))}"
    cell = Cell(shown("probability", p), p, spoken=ends, small=shown("n", row["n"]))
    if not p >= 0.005:
        return cell
    level = max(1, round(10 * math.sqrt(p)))
    return replace(cell, level=level, kind="agree" if row["true"] == row["answer"] else "differ")


def _worst(rows: Sequence[Row]) -> str:
    """The confusion with most annotations."""
    wrong = [row for row in rows if row["true"] != row["answer"] and row["n"] >= 1]
    if not wrong:
        return "hardly any confusion"
    most = max(wrong, key=lambda row: tied(row["n"], ESTIMATED))
    return (
        f"answers {quoted(most['answer'])} for {quoted(most['true'])} with probability "
        f"{shown('probability', most['probability'])}"
    )
