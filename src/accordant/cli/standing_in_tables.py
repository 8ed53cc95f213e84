"""What `accordant compare --model` shows: may a model stand in, and who agrees with whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..diagnosis.finding import Finding
from ..diagnosis.words import listed
from ..measure.measures import shown
from ..models.standing_in.limits import not_for
from ..models.standing_in.result import ModelAsCoder
from ..numbers import NOTHING, count_of, decimal, level_text
from ..views.document import Column, Table
from .at_length import print_findings
from .breakdown import MOST, Breakdown, Broken
from .findings import finding_columns, print_told
from .fitting import print_fitting
from .tables import print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["TABLES", "print_standing_in", "standing_in_table"]

MODEL, HUMAN = Column("model", "model"), Column("human", "human")
INTERVAL, P_VALUE = Column("interval", "interval", "interval"), Column("p_value", "p", "p")
N_ITEMS = Column("n_items", "items", "count")
TOLD = 6  # findings on the first page, beside the verdicts
FEW_MODELS = 3  # of which every pair is on the first page
VERDICTS = {
    "stands_in": "may stand in for humans like these on items like these. Report ω, ρ, ε and why "
    "it was chosen, who the humans are and how far they agree; go on having humans annotate a "
    "sample.",
    "too_few_items": "may be near enough, but the items are too few to say so: until then humans "
    "must annotate.",
    "falls_short": "may not stand in. Look at the items on which they stand alone, change their "
    "instructions and test again on other items, or let them suggest labels that humans check.",
}
"""Codes of the findings that say what the test says, with a sentence about several models."""
IN_TABLE = ("agrees_less", "agrees_more")  # of several models the table says the same
GOING = (("test",), ("epsilon",), ("first_advantage", "second_advantage"), ("kind",), ("interval",))
"""Columns that go where a line has no room, the first ones first."""


def standing_in_table(found: ModelAsCoder, name: str, most: int | None = None) -> Broken:
    """One of the tables, with its rows and the columns for readers."""
    make = TABLES[name]
    title = (make.__doc__ or "").partition("\n")[0].rstrip(".")
    findings = found.findings if name == "findings" else ()
    return Broken(title, ((found.question, make(found)),), most, findings)


def print_standing_in(
    console: Console, found: ModelAsCoder, show: str | None = None, most: int | None = None
) -> None:
    """Print one table, or the answer: the test, agreement, and what must be said with it."""
    console.print()
    if show == "findings":
        print_findings(console, found.findings[:most])
        return
    if show is not None:
        _print(console, standing_in_table(found, show, most).table(MOST))
        return
    print_sentences(console, [_heading(found)], style="dim")
    console.print()
    _print(console, standing_in_table(found, "tests").table(MOST))
    console.print()
    _print(console, _agreement(found))
    print_told(console, "What to make of it", _doubts(found), TOLD, _verdicts(found))
    console.print()
    print_sentences(console, _where(found), style="dim")


def _print(console: Console, table: Table) -> None:
    print_sentences(console, [table.title], style="bold")
    console.print()
    print_fitting(console, table, GOING)


def _agreement(found: ModelAsCoder) -> Table:
    """The table for the first page: of many models without every pair of them."""
    table = standing_in_table(found, "agreement").table()
    if len(found.models) <= FEW_MODELS:
        return table
    of_models = [g.value for g in found.groups if g.first is not None]
    known = [x for x in of_models if not math.isnan(x)]
    ends = f" agree from {decimal(min(known))} to {decimal(max(known))}" if known else ""
    note = f"the models among themselves{ends} (--show agreement)"
    rows = tuple(row for row in table.rows if row["first"] is None)
    return replace(table, rows=rows, notes=(*table.notes, note))


def _verdicts(found: ModelAsCoder) -> list[str]:
    """What the test says: of one model in full, of several those with the same verdict together."""
    told = [f for f in found.findings if f.code in VERDICTS]
    if len(found.models) == 1:
        return [str(f) for f in told]
    said = []
    for code, what in VERDICTS.items():
        alike = sorted((f for f in told if f.code == code), key=lambda f: -f.evidence["advantage"])
        if alike:
            models = listed((f.evidence["model"] for f in alike), most=8)
            said.append(f"{models} {what}{_not_for(found, alike) if code == 'stands_in' else ''}")
    return said


def _not_for(found: ModelAsCoder, passed: Sequence[Finding]) -> str:
    """Whom models that pass may not stand in for."""
    return "".join(f" But {x}" for x in not_for(found, (f.evidence["model"] for f in passed)))


def _doubts(found: ModelAsCoder) -> list[Finding]:
    told = VERDICTS if len(found.models) == 1 else (*VERDICTS, *IN_TABLE)
    return [f for f in found.findings if f.code not in told]


def _heading(found: ModelAsCoder) -> str:
    who = f"{count_of(len(found.humans), 'human')}, {count_of(len(found.models), 'model')}"
    question = f"question {found.question} · " if found.question else ""
    return f"{question}{who} · {count_of(found.sides.n_items, 'item')}"


def _where(found: ModelAsCoder) -> list[str]:
    more = ", rivals: each pair of models" if len(found.models) > 1 else ""
    lost = [f"left out: {n:,} {what}" for what, n in found.left_out.items() if n]
    return [
        *lost,
        f"--show humans: each model beside each human; beside: a model and a human with the same "
        f"others; pairs: every two coders{more}",
        "how many items such a test needs: accordant plan --advantage --human-advantage",
    ]


# ------------------------------------------------------------------ tables


def tests(found: ModelAsCoder) -> Breakdown:
    """May a model stand in for a human? The alternative annotator test."""
    rows = sorted(found.to_rows(), key=lambda row: -_known(row["advantage"]))
    said = [
        row
        | {
            "result": _result(row["passed"]),
            "beaten": f"{row['n_beaten']} of {row['n_humans']}",
            "interval": (row["low"], row["high"]),
        }
        for row in rows
    ]
    columns = (
        MODEL,
        Column("result", "result"),
        Column("beaten", "humans"),
        Column("winning_rate", "ω", "bits"),
        Column("advantage", "ρ", "value"),
        INTERVAL,
        Column("human_advantage", "ρ of humans", "value"),
        N_ITEMS,
    )
    notes = (
        "humans: whom it may stand in for, being nearer to the other humans or at most ε worse; "
        f"ω: their share, 0.50 passes (ε = {_spelt(found)})",
        f"ρ: how often it is as near to the other humans as a human, or nearer; "
        f"{level_text(found.level)} interval",
    )
    return Breakdown(rows, columns, notes, fewer=said)


def humans(found: ModelAsCoder) -> Breakdown:
    """Each model beside each human who was left out."""
    rows = [row for test in found.human_tests for row in test.to_rows()]
    said = [row | {"result": _beaten(row["beaten"])} for row in rows]
    columns = (
        MODEL, HUMAN, N_ITEMS, Column("advantage", "ρ", "value"),
        Column("human_advantage", "ρ of the human", "value"),
        Column("difference", "loses", "value"), Column("epsilon", "ε", "bits"),
        Column("test", "test"), Column("p_adjusted", "p", "p"), Column("result", "stands in"),
    )  # fmt: skip
    notes = (
        f"p: that it loses ε or more, corrected for the number of humans; stands in below "
        f"{found.q:g}",
    )
    return Breakdown(rows, columns, notes, fewer=said)


def agreement(found: ModelAsCoder) -> Breakdown:
    """How far they agree."""
    beside = {b.model: b for b in found.beside}
    rows = [row for group in found.groups for row in group.to_rows()]
    said = []
    for row in rows:
        b = beside.get(row["second"]) if row["first"] is None else None
        said.append(
            row
            | {
                "who": f"{row['first'] or 'human'} – {row['second'] or 'human'}",
                "interval": (row["low"], row["high"]),
                **({} if b is None else _compared(b)),
            }
        )
    some = any(math.isfinite(b.difference) for b in found.beside)
    columns = (
        Column("who", "who with whom"),
        Column("value", shown(found.sides.measure.coefficient.key, found.sides.w.name), "value"),
        INTERVAL,
        *((Column("change", "less human", "value"), Column("ends", "interval", "interval"),
           Column("p", "p", "p")) if some else ()),
        N_ITEMS,
    )  # fmt: skip
    notes = [f"{level_text(found.level)} intervals; a human is one drawn anew for each item"]
    if some:
        notes.append(
            "less human: agreement of the model with humans less that of a human with the others, "
            "on the same items, paired"
        )
    reasons = dict.fromkeys(row["undefined"] for row in rows if row["undefined"])
    notes += [f"{NOTHING} {reason}" for reason in reasons]
    return Breakdown(rows, columns, tuple(notes), fewer=said)


def beside(found: ModelAsCoder) -> Breakdown:
    """Each model and a human drawn anew, both with the same other humans."""
    return _beside(found.beside, (MODEL,))


def beside_humans(found: ModelAsCoder) -> Breakdown:
    """Each model and each human, both with the same other humans."""
    return _beside(found.beside_each, (MODEL, HUMAN))


def _beside(each: Any, names: tuple[Column, ...]) -> Breakdown:
    rows = [row for one in each for row in one.to_rows()]
    said = [row | {"interval": (row["low"], row["high"])} for row in rows]
    columns = (
        *names, Column("of_human", "human", "value"), Column("of_model", "model", "value"),
        Column("difference", "difference", "value"), INTERVAL, P_VALUE, N_ITEMS,
    )  # fmt: skip
    reasons = dict.fromkeys(row["undefined"] for row in rows if row["undefined"])
    return Breakdown(rows, columns, tuple(f"{NOTHING} {r}" for r in reasons), fewer=said)


def pairs(found: ModelAsCoder) -> Breakdown:
    """Agreement of every two coders."""
    rows = [row for pair in found.pairs for row in pair.to_rows()]
    said = [row | {"interval": (row["low"], row["high"])} for row in rows]
    columns = (
        Column("kind", "kind"), Column("first", "coder"), Column("second", "and"), N_ITEMS,
        Column("value", shown(found.sides.measure.coefficient.key, found.sides.w.name), "value"),
        INTERVAL,
    )  # fmt: skip
    lost = found.tables.n_humans_left_out
    notes = (f"{lost:,} humans with fewer annotations are left out",) if lost else ()
    return Breakdown(rows, columns, notes, fewer=said)


def rivals(found: ModelAsCoder) -> Breakdown:
    """Every two models by how near they come to the humans."""
    rows = [row for one in found.rivals for row in one.to_rows()]
    said = [row | {"interval": (row["low"], row["high"])} for row in rows]
    columns = (
        Column("first", "model"), Column("second", "and"),
        Column("first_advantage", "ρ", "value"), Column("second_advantage", "ρ", "value"),
        Column("difference", "difference", "value"), INTERVAL, Column("p_adjusted", "p", "p"),
        N_ITEMS,
    )  # fmt: skip
    why = () if rows else ("there is one model, so there are no pairs of models",)
    return Breakdown(rows, columns, why, fewer=said)


def findings(found: ModelAsCoder) -> Breakdown:
    """What to make of it."""
    return Breakdown([row for f in found.findings for row in f.to_rows()], finding_columns())


def _compared(b: Any) -> Mapping[str, Any]:
    return {"change": b.difference, "ends": (b.low, b.high), "p": b.p_value}


def _result(passed: bool | None) -> str:
    return "not tested" if passed is None else "passed" if passed else "failed"


def _beaten(beaten: bool | None) -> str:
    return NOTHING if beaten is None else "yes" if beaten else "no"


def _known(x: float) -> float:
    return -math.inf if math.isnan(x) else x


def _spelt(found: ModelAsCoder) -> str:
    each = sorted({t.epsilon for t in found.human_tests})
    return f"{each[0]:g}" if len(each) == 1 else f"{each[0]:g} to {each[-1]:g}"


TABLES: Mapping[str, Callable[[ModelAsCoder], Breakdown]] = {
    "tests": tests, "humans": humans, "agreement": agreement, "beside": beside,
    "beside-humans": beside_humans, "pairs": pairs, "rivals": rivals, "findings": findings,
}  # fmt: skip
"""Every table by its name in --show."""
