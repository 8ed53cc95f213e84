"""How reliable each coder is: accuracy, skill and verdict, confusion, CrowdTruth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..fields import FIELDS, columns, shown
from ..messages import isolated, label_text, member, quoted
from ..models.coder_reliability import VERDICTS, Coder, Coders, Verdict
from ..models.gold import Gold
from ..models.model import wording
from ..models.quality_scores import CrowdTruth, quality_of
from ..numbers import ESTIMATED, count_of, joined, level_text, tied
from .blocks import Block, Cell, Chart, Matrix, Prose, Table
from .charts import dots
from .findings import remarks
from .fit_part import FitPart, as_text, by_label, labelled
from .view import view

MOST_ROWS = 40
MOST_DRAWN = 20
MOST_MATRICES = 5  # coders whose confusion is shown as a matrix
MOST_LABELS = 12  # of a confusion matrix
BAD: tuple[Verdict, ...] = ("below chance", "constant")
KEYS = (
    "coder label? verdict n_annotations competence interval skill skill_interval accuracy? "
    "accuracy_interval? n_known?"
)
KEEP = "coder label competence interval verdict skill accuracy skill_interval accuracy_interval"
OF_SETS = "coder n_annotations competence skill"
NOTHING = "Undetermined: the annotations do not show how reliable any coder is."
POSITIONS = "Coders are positions, not persons."
INDEPENDENTLY = (
    " Intervals allow for uncertain labels and for visible errors in common, not for errors that "
    "all coders share."
)
HOW_JUDGED = (
    "Below chance: skill below 0, and the labels of the others agree certainly less than by "
    "chance. Constant: one label for all items, where others use several. Few: fewer than five "
    "annotations. Nobody is left out because of a verdict."
)
Row = Mapping[str, Any]


# ------------------------------------------------------------------ the table of coders


@view("coders", of="fit", title="Annotator reliability", chapter="annotator_reliability", place=20)
def coders(
    fitted: FitPart, *, of: str | None = None, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """Accuracy, skill and verdict of each coder."""
    first = fitted.coders(level)[0]
    if fitted.of_sets and not first.positions:
        yield from _of_sets(fitted, level, of)
    else:
        yield from _coder_table(first, of, truth, fitted.nothing)


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
    own: Coders, of: str | None = None, truth: Gold | None = None, undetermined: bool = False
) -> Iterator[Block]:
    """The coders as a chart with its table; of many those to look at are drawn."""
    chosen = _to_look_at(own) if of is None else [own[of]]
    rows = tuple(row for row in _rows(own, truth) if of in (None, row["coder"]))
    if own.positions or undetermined:
        yield Prose(POSITIONS if own.positions else NOTHING)
        yield Table.of(KEYS, rows, depth="evidence")
        return
    words = wording(own.posterior.model)
    right = FIELDS["competence"].called(words.right, help=words.meant)
    used = columns(KEYS, rows, competence=right)
    table = Table.of(used, rows, _notes(own, rows), keep=KEEP, most=MOST_ROWS, every=rows)
    drawn = [
        {
            "name": c.coder,
            "value": c.competence,
            "low": c.low,
            "high": c.high,
            "other": _chance(c),
            "bad": c.verdict in BAD,
        }
        for c in chosen
    ]
    axis = [
        f"{words.right} (dot) with its {level_text(own.level)} interval;",
        "by chance, with the same labels (tick)",
    ]
    yield Chart(_finding(own), dots(drawn, title=axis), table)
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


def _to_look_at(own: Coders) -> list[Coder]:
    """All of a few; of many those with an alarming verdict, then those with most annotations."""
    by_size = sorted(own, key=lambda c: (-c.n_annotations, c.coder))
    first = dict.fromkeys([*_alarming(own)[: MOST_DRAWN // 2], *by_size])
    return _ordered(list(first)[:MOST_DRAWN])


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
    yield f"{level_text(own.level)} intervals: {methods}.{INDEPENDENTLY * independent}"


def _chance(c: Coder) -> float:
    """What would be right by chance: skill is (right − chance) / (1 − chance)."""
    if math.isnan(c.skill) or c.skill > 1 - 1e-9:
        return math.nan
    return min(1.0, max(0.0, (c.competence - c.skill) / (1 - c.skill)))


def _finding(own: Coders) -> str:
    if own.beyond_chance.none:
        return "Agreement beyond chance is not shown: no coder can be judged"
    if bad := _alarming(own):
        names = joined([member(c.coder) for c in bad], most=3)
        return f"To look at: {names} ({VERDICTS[cast(Verdict, bad[0].verdict)]})"
    right = wording(own.posterior.model).right.capitalize()
    return _ranging(right, [(c.coder, c.competence) for c in _ordered(own)])


def _ranging(what: str, each: Sequence[tuple[str, float]]) -> str:
    """From which coder to which one accuracy ranges, of coders in their order."""
    known = [(name, shown("competence", x)) for name, x in each if x == x] or [(each[0][0], "—")]
    (best, most), (worst, least) = known[0], known[-1]
    if most == least:
        return f"{what} is {most}"
    return f"{what} ranges from {least} ({isolated(worst)}) to {most} ({isolated(best)})"


def _of_sets(fitted: FitPart, level: float, of: str | None) -> Iterator[Block]:
    """The means of every coder over the labels, and every coder label by label."""
    names = fitted.chosen_coders(of)
    each = by_label(fitted, lambda fitted: fitted.coders(level))
    every = labelled(each, fitted.question, lambda own: _rows(own, None))
    rows = [row for name in names for row in every if row["coder"] == name]
    note = f"{level_text(level)} intervals: {each[0][1].each[0].method}.{INDEPENDENTLY}"
    yield Table.of(KEYS, rows, [note], title="Label by label", depth="detail", keep=KEEP)
    means = [_means([row for row in rows if row["coder"] == name]) for name in names]
    notes = [
        "Means over the labels, each of which has a model of its own. Skill: κ of the coder "
        "with the estimated labels; 0 is chance. Accuracy on a rare label is high even for a "
        "coder who never gives it.",
    ]
    title = _ranging("Mean accuracy", [(row["coder"], row["competence"]) for row in means])
    yield Table.of(OF_SETS, means, notes, title=title, keep=OF_SETS, most=MOST_ROWS)


def _means(own: Sequence[Row]) -> dict[str, Any]:
    """Those of a coder over the labels."""
    known = {k: [row[k] for row in own if row[k] == row[k]] for k in ("competence", "skill")}
    n = max(row["n_annotations"] for row in own)
    return {"coder": own[0]["coder"], "n_annotations": n} | {
        key: float(np.mean(each or math.nan)) for key, each in known.items()
    }


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
    every = labelled(
        each, fitted.question, lambda own: (r for name in names for r in own.confusion_of(name))
    )
    notes = ["Annotations: as many as the model expects."]
    keys = "coder label? true answer probability interval n"
    rows = as_text(every, "true", "answer")
    yield Table.of(keys, rows, notes, title="All cells", depth="evidence", every=every)
    pairs = [(label, own, name) for name in names for label, own in each]
    for label, own, name in pairs[:MOST_MATRICES]:
        yield _matrix(own, name, f"{name}, {label}" if label else name)
    if len(pairs) > MOST_MATRICES:
        yield Prose(f"The {MOST_MATRICES} most accurate coders of {len(pairs):,}.")


def _matrix(own: Coders, coder: str, title: str) -> Matrix:
    rows = own.confusion_of(coder)
    answers = list(dict.fromkeys(row["answer"] for row in rows))
    true = list(dict.fromkeys(row["true"] for row in rows))
    n = np.array([row["n"] for row in rows]).reshape(len(true), len(answers))
    kept = sorted(np.argsort(-tied(n.sum(1), ESTIMATED), kind="stable")[:MOST_LABELS].tolist())
    is_true = wording(own.posterior.model).is_true
    return Matrix(
        f"{title}: {_worst(rows)}",
        is_true,
        "answer",
        tuple(label_text(true[t]) for t in kept),
        tuple(label_text(answers[a]) for a in kept),
        tuple(tuple(_cell(rows[t * len(answers) + a]) for a in kept) for t in kept),
        notes=(f"Rows: {is_true}; at most the {MOST_LABELS} most frequent categories.",),
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


# ------------------------------------------------------------------ CrowdTruth

WORST = 5  # items with the least quality, for readers
ORDER = {  # by what items, coders and categories stand; with a minus the highest first
    "2.0": {"item": "quality", "coder": "-quality", "category": "-quality"},
    "1.0": {"item": "clarity", "coder": "disagreement_with_items", "category": "ambiguity"},
}
COLUMNS = {
    "2.0": "of name quality agreement_with_coders agreement_with_items n_annotations",
    "1.0": "of name clarity ambiguity disagreement_with_items disagreement_with_coders "
    "labels_per_item n_annotations",
}


@view("crowdtruth", of="fit", alone="crowdtruth", title="CrowdTruth", place=190)
def quality(part: FitPart | CrowdTruth) -> Iterator[Block]:
    """CrowdTruth 2.0: quality of items, coders and categories."""
    yield from _told(_of(part, "2.0") if isinstance(part, FitPart) else part)


@view("crowdtruth-original", of="fit", title="CrowdTruth 1.0", place=195)
def original(part: FitPart) -> Iterator[Block]:
    """CrowdTruth 1.0: clarity, ambiguity and disagreement."""
    yield from _told(_of(part, "1.0"))


def _of(part: FitPart, version: Any) -> CrowdTruth:
    return next(quality_of(part.found.data, version, "closed"))


def _told(found: CrowdTruth) -> Iterator[Block]:
    order, rows = ORDER[found.version], found.to_rows()
    what = order["item"]
    each = found[f"item_{what}"]
    mean = shown(what, float(each[~np.isnan(each)].mean()) if not np.isnan(each).all() else np.nan)
    rounds = f"; {found.task} task, {count_of(found.n_iterations, 'round')}"
    yield Prose(
        f"Version {found.version}: {count_of(len(each), 'item')} (mean {what} {mean}), "
        f"{count_of(len(found.coders), 'coder')}, "
        f"{count_of(len(found.categories), 'category', 'categories')}"
        f"{rounds if found.n_iterations else ''}.",
        "headline",
    )
    of = {kind: _sorted([r for r in rows if r["of"] == kind], by) for kind, by in order.items()}
    shown_rows = [*of["coder"], *of["category"], *of["item"][:WORST]]
    note = f"The {WORST} of {count_of(len(each), 'item')} with the lowest {what}."
    yield Table.of(
        COLUMNS[found.version],
        shown_rows,
        [note] if len(each) > WORST else (),
        most=len(shown_rows),
        every=tuple(rows),
        keep="of name quality clarity disagreement_with_items",
    )
    yield from remarks(("", f) for f in found.findings)


def _sorted(rows: Sequence[Mapping[str, Any]], by: str) -> list[Mapping[str, Any]]:
    """By a score, then by name; what is undefined last."""
    sign, key = (-1, by[1:]) if by.startswith("-") else (1, by)
    known = [row for row in rows if row[key] == row[key]]
    rest = [row for row in rows if row[key] != row[key]]
    return [*sorted(known, key=lambda row: (sign * tied(row[key]), str(row["name"]))), *rest]
