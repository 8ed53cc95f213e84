"""Who can be trusted: every coder at a glance, a minority school first, and what hangs on each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from ..diagnosis.words import isolated, label_text, listed, quoted
from ..models.coders.coder import Coder
from ..models.coders.coders import Coders
from ..models.coders.verdicts import NEARLY, VERDICTS, Verdict
from ..models.wording import INDEPENDENTLY, Wording, wording
from ..numbers import count_of, decimal, joined, level_text
from .document import Block, Cell, Chart, Choice, Column, Fold, Matrix, Prose, Section, Table
from .fitted import Fits, Fitted
from .model_charts import dots
from .remarks import remarks
from .schools import school_block
from .study import Study
from .trust_of_sets import trust_of_sets

__all__ = ["alarming", "trust_section", "trust_verdict"]

MOST_ROWS = 40
MOST_DRAWN = 20
MOST_CONFUSIONS = 8  # coders whose confusion is shown
MOST_LABELS = 12  # of a confusion matrix
BAD: tuple[Verdict, ...] = ("adversarial", "random", "constant", "sloppy")
"""Verdicts that a reader must know, the worst first."""
KIND = {"reliable": "good", "school": "open", "few": "open"}


def trust_section(fits: Fits) -> Section | None:
    """Each question's coders; None if no question has a model of coders."""
    if not fits.there:
        return None
    blocks = fits.per_question(lambda one: _blocks(fits.study, one))
    return Section("trust", wording(fits.there[0].model).coders, fits.told(_lead), blocks)


def trust_verdict(fits: Fits) -> tuple[str, ...]:
    """What a reader must know of coders before anything else; nothing where there is nothing."""
    found = [c for one in fits.there for c in one.coders]
    split = [c for c in found if c.schools]
    bad = list(dict.fromkeys(c.coder for one in found for c in alarming(one)))
    said = []
    if split:
        schools = split[0].schools
        small = listed(schools.names[-1], most=4)
        said.append(
            f"Coders fall into {len(schools.names)} schools with readings of their own: show that "
            f"of {small} beside the label, and do not take it for error."
        )
    if bad:
        said.append(f"{wording(fits.there[0].model).coders}: look at {listed(bad, most=4)} first.")
    return tuple(said)


def alarming(found: Coders) -> list[Coder]:
    """Coders with a verdict that a reader must know, the worst first."""
    bad = [c for c in found if c.verdict in BAD]
    return sorted(bad, key=lambda c: (BAD.index(c.verdict), c.coder))


def _lead(fitted: Fitted) -> str:
    if fitted.of_sets:
        return _lead_of_sets(fitted)
    (found,) = fitted.coders
    return f"{_schools(found)}{_verdicts(found)}"


def _schools(found: Coders) -> str:
    if not found.schools:
        return ""
    names = found.schools.names
    sizes = joined(f"{len(each):,}" for each in names)
    return (
        f"Coders fall into {len(names)} schools ({sizes} coders) who read the items differently: "
        "that is no error, though a model with one truth counts it as one. "
    )


def _verdicts(found: Coders) -> str:
    n = Counter(c.verdict for c in found)
    if found.positions:
        return (
            f"The {len(found):,} coders are positions, which different people may have filled, so "
            "nothing is said of any of them."
        )
    if n["reliable"] == len(found):
        least, most = (f(found, key=lambda c: c.competence) for f in (min, max))
        said = "right with a probability" if _believes(found) else "as voted with a share"
        return (
            f"All {len(found):,} coders are reliable: {said} from "
            f"{decimal(least.competence, 2)} ({isolated(least.coder)}) to "
            f"{decimal(most.competence, 2)} ({isolated(most.coder)})."
        )
    if found.beyond_chance.none:
        return (
            f"{count_of(len(found), 'coder')} agree no more than by chance, so nothing can be said "
            "of any of them, nor of what is true."
        )
    bad = alarming(found)
    kinds = joined(f"{n[v]:,} {words}" for v, words in VERDICTS.items() if n[v])
    names = f" Look at {listed((c.coder for c in bad), most=4)}." if bad else ""
    return f"Of {count_of(len(found), 'coder')}: {kinds}.{names}"


def _lead_of_sets(fitted: Fitted) -> str:
    bad = [(one.question, c) for one in fitted.coders for c in alarming(one)]
    n = len(fitted.found.coders)
    if not bad:
        each = Counter(c.verdict for one in fitted.coders for c in one)
        kinds = joined(f"{each[v]:,} {words}" for v, words in VERDICTS.items() if each[v])
        return (
            f"{count_of(n, 'coder')}, {count_of(len(fitted.coders), 'label')}: {kinds}. Nobody is "
            "random, sloppy or below chance about any label."
        )
    names = list(dict.fromkeys(c.coder for _, c in bad))
    return (
        f"Label by label, {len(names):,} of {count_of(n, 'coder')} "
        f"{'is' if len(names) == 1 else 'are'} not reliable on at least one label: "
        f"{listed(names, most=4)}."
    )


def _blocks(study: Study, fitted: Fitted) -> Iterator[Block]:
    if fitted.of_sets:
        yield from trust_of_sets(study, fitted)
        return
    (found,) = fitted.coders
    if found.schools:
        yield school_block(study, fitted, found.schools)
    if not found.positions:
        yield _glance(found)
    told = [("", f) for f in found.findings if f.code != "minority_school"]
    yield from remarks(told, more="further note")
    if not found.positions and (confusions := tuple(_confusions(found))):
        yield Fold(f"What each coder says to {_truth(found)}", confusions)


# ------------------------------------------------------------------ the table


def _glance(found: Coders) -> Chart:
    chosen, words = _chosen(found), wording(found.posterior.model)
    left = {x.coder: x.share for x in found.leaving_out.each}
    rows = tuple(_row(c, left) for c in chosen)
    columns = (
        Column("coder", "coder"),
        Column("verdict", "verdict"),
        Column("n_annotations", "annotations", "count"),
        Column("competence", words.right, "value", words.meant),
        Column("interval", "its interval", "interval"),
        Column("skill", "skill", "value", f"κ of the coder with {_truth(found)}"),
        Column("skill_interval", "its interval", "interval"),
        *_if(any(c.overused is not None for c in chosen),
             Column("leans", "overuses", help="how many times as often as it is true")),
        *_if(any(c.n_control for c in chosen),
             Column("accuracy", "on control items", "value", "right where the label is known")),
        *_if(any(not math.isnan(row["hanging"]) for row in rows),
             Column("hanging", "hang on it", "share",
                    "labels that would be others, or none, without the coder")),
    )  # fmt: skip
    table = Table("Coders at a glance", columns, rows, tuple(_notes(found, chosen)))
    drawn = [
        {
            "name": isolated(c.coder), "value": c.competence, "low": c.low, "high": c.high,
            "other": _chance(c), "kind": KIND.get(c.verdict, "bad"),
        }
        for c in _chosen(found, MOST_DRAWN)
    ]  # fmt: skip
    what = "probability of being right" if _believes(found) else "share of labels as voted"
    axis = [
        f"{what} (dot), its {level_text(found.level)} interval;",
        "by chance, with the same labels (tick)",
    ]
    return Chart(_title(found), dots(drawn, title=axis), table)


def _chosen(found: Coders, most: int = MOST_ROWS) -> list[Coder]:
    """All coders, best first; of many those to look at and those with most annotations."""
    chosen = list(found)
    if len(chosen) > most:
        bad = {c.coder: k for k, c in enumerate(alarming(found))}
        chosen.sort(key=lambda c: (bad.get(c.coder, len(chosen)), -c.n_annotations, c.coder))
        first, rest = chosen[: most // 2], chosen[most // 2 :]
        rest.sort(key=lambda c: (-c.n_annotations, c.coder))
        chosen = [*first, *rest[: most - len(first)]]
    return sorted(chosen, key=lambda c: (_less(c.competence), c.coder))


def _less(x: float) -> float:
    return math.inf if math.isnan(x) else -x


def _row(c: Coder, left: dict[str, float]) -> dict[str, Any]:
    return c.to_rows()[0] | {
        "coder": isolated(c.coder),
        "verdict": c.words.replace(" ", "\N{NO-BREAK SPACE}"),
        "interval": (c.low, c.high),
        "chance": _chance(c),
        "skill_interval": (c.skill_low, c.skill_high),
        "hanging": left.get(c.coder, math.nan),
        "leans": ""
        if c.overused is None
        else f"{isolated(label_text(c.overused))} ({decimal(c.overuse, 1)} ×)",
    }


def _chance(c: Coder) -> float:
    """What would be right by chance: skill is (right − chance) / (1 − chance)."""
    if math.isnan(c.skill) or c.skill > 1 - 1e-9:
        return math.nan
    return min(1.0, max(0.0, (c.competence - c.skill) / (1 - c.skill)))


def _title(found: Coders) -> str:
    if found.beyond_chance.none:
        return "Coders agree no more than by chance: nothing can be said of any of them"
    bad = alarming(found)
    if bad:
        first = bad[0]
        more = f", and {len(bad) - 1:,} more to look at" if len(bad) > 1 else ""
        return f"{isolated(first.coder)} is {_said(first)}: skill {decimal(first.skill, 2)}{more}"
    known = [c for c in found if not math.isnan(c.competence) and c.verdict != "few"] or [*found]
    best, least = (f(known, key=lambda c: c.competence) for f in (max, min))
    if best is least:
        with_what = "right with probability" if _believes(found) else "with the vote, share"
        return f"{isolated(best.coder)} is {with_what} {decimal(best.competence, 2)}"
    right = "right" if _believes(found) else "with the vote"
    return (
        f"{isolated(best.coder)} is {right} most often ({decimal(best.competence, 2)}), "
        f"{isolated(least.coder)} least often ({decimal(least.competence, 2)})"
    )


def _believes(found: Coders) -> bool:
    return found.posterior.model.probabilistic


def _truth(found: Coders) -> str:
    return "what is believed to be true" if _believes(found) else "the label of the vote"


def _said(c: Coder) -> str:
    return "one who always gives the same label" if c.verdict == "constant" else c.words


def _notes(found: Coders, chosen: Sequence[Coder]) -> Iterator[str]:
    model = found.posterior.model
    right = (
        f"Right: the probability of being right about an item of these, as {model.name} estimates "
        "it from what the others say"
        if model.probabilistic else f"As voted: the {wording(model).meant}"
    )  # fmt: skip
    yield (
        f"{right}. Skill: κ of the coder with {_truth(found)}; 0 is chance, whatever labels a "
        "coder prefers."
    )
    yield (
        f"The verdict rests on the interval of the skill. Reliable: certainly above "
        f"{decimal(found.against.enough, 2)}, half of the usual skill, not sloppy, and confirmed "
        "by the labels of the others. Random or nearly so: not above 0 or itself below "
        f"{decimal(NEARLY, 1)}, and certainly below {decimal(found.against.enough, 2)}. Below "
        "chance: certainly below 0. Sloppy: above 0, and certainly below "
        f"{decimal(found.against.sloppy, 2)}, three quarters of the usual skill. Otherwise nothing "
        "is certain. Nobody is left out because of a verdict."
    )
    if found.leaving_out.each and found.leaving_out.bounded:
        yield found.leaving_out.bounded
    if not found.leaving_out.each:
        yield (
            "Labels that change without a coder were not estimated, since it takes long with so "
            "many annotations."
        )
    if found.schools.reason and len(found) > 3:
        yield f"Schools of coders were looked for: {found.schools.reason}."
    if len(chosen) < len(found):
        yield (
            f"{len(chosen):,} of {len(found):,} coders are shown: those to look at, and those with "
            "most annotations."
        )
    independent = f" {INDEPENDENTLY}." if _believes(found) else ""
    yield (
        f"Intervals of {level_text(found.level)}; how they were made: {chosen[0].method}."
        f"{independent}"
    )


def _if(there: bool, *columns: Column) -> tuple[Column, ...]:
    return columns if there else ()


# ------------------------------------------------------------------ confusion on demand


def _confusions(found: Coders) -> Iterator[Block]:
    shown = _chosen(found, MOST_CONFUSIONS)
    options = tuple((isolated(c.coder), (_confusion(found, c),)) for c in shown)
    yield Choice("Coder", options)
    if len(shown) < len(found):
        yield Prose(f"{len(shown)} of {count_of(len(found), 'coder')} are shown.")


def _confusion(found: Coders, c: Coder) -> Matrix:
    rows = found.confusion_of(c.coder)
    answers = list(dict.fromkeys(row["answer"] for row in rows))
    true = list(dict.fromkeys(row["true"] for row in rows))
    n = np.array([row["n"] for row in rows]).reshape(len(true), len(answers))
    kept = _most(n)
    cells = tuple(
        tuple(_cell(rows[t * len(answers) + a], t == a) for a in _columns(kept, answers, true))
        for t in kept
    )
    notes = [
        f"A row is {_truth(found)}, a column what the coder says; the shares of a row "
        "sum to 1, in small print how many annotations are expected there.",
    ]
    if len(kept) < len(true):
        notes.append(f"The {len(kept)} most frequent of {len(true)} categories are shown.")
    words = wording(found.posterior.model)
    return Matrix(
        _worst(rows, c, words), words.is_true, "says", tuple(label_text(true[t]) for t in kept),
        tuple(label_text(answers[a]) for a in _columns(kept, answers, true)), cells,
        notes=tuple(notes),
    )  # fmt: skip


def _most(n: Any) -> list[int]:
    order = np.argsort(-n.sum(1), kind="stable")[:MOST_LABELS]
    return sorted(order.tolist())


def _columns(kept: Sequence[int], answers: Sequence[Any], true: Sequence[Any]) -> list[int]:
    """The same categories, and abstention where it is an answer."""
    return [*kept, *range(len(true), len(answers))]


def _cell(row: dict[str, Any], right: bool) -> Cell:
    p = row["probability"]
    kind: Literal["agree", "differ", "plain"] = (
        "plain" if p < 0.005 else "agree" if right else "differ"
    )
    level = 0 if kind == "plain" else max(1, round(10 * math.sqrt(p)))
    ends = f"{decimal(row['low'], 2)} to {decimal(row['high'], 2)}"
    return Cell(
        decimal(p, 2), p, level, kind, spoken=f"interval {ends}", small=decimal(row["n"], 0)
    )


def _worst(rows: Sequence[dict[str, Any]], c: Coder, words: Wording) -> str:
    """The confusion with most annotations."""
    wrong = [row for row in rows if row["true"] != row["answer"] and row["n"] >= 1]
    name = isolated(c.coder)
    if not wrong:
        return f"{name} hardly confuses any categories"
    most = max(wrong, key=lambda row: row["n"])
    return (
        f"Where {words.where.format(quoted(most['true']))}, {name} says "
        f"“{isolated(label_text(most['answer']))}” with probability "
        f"{decimal(most['probability'], 2)}"
    )
