"""Why coders disagree: what the data suggest, what was accepted, which way they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from ..fields import FIELDS, Field
from ..kinds import Typed
from ..numbers import count_of, joined, p_text, percent
from ..resolution.case_state import Case
from ..resolution.causes import CAUSES
from ..resolution.disagreement import cases_named
from ..resolution.suggestions import Direction, directions, inconsistencies
from ..resolution.terms import Cause
from .blocks import Block, Finding, Prose, Table, entry
from .project_subject import Subject, Told, called, chapter, table
from .view import view

Named = Annotated[Sequence[int | str], Typed("CASE", argument=True)]
NONE = "none accepted"
LETTERS = "abcde"


@view("causes", of="project", title="Causes of disagreement", place=21)
def causes(subject: Subject | None) -> Iterator[Block]:
    """Explain the causes of disagreement, and what each asks for.

    Examples
    --------
    To choose the right one:
    $ accordant project causes
    As rows:
    $ accordant project causes -f json
    """
    rows = tuple(
        {
            "cause": c.cause.value,
            "label": c.label,
            "when": c.help,
            "record": c.asks,
            "consent": "all coders of the item" if c.everybody else "the coder it names",
            "leads_to": c.returns_to.value if c.returns_to else "",
            "if_it_fails": c.fails,
        }
        for c in CAUSES.values()
    )
    yield table("", "cause label record consent leads_to", rows, depth="evidence")
    for row in rows:
        back = f" Leads to: {row['leads_to']}." if row["leads_to"] else ""
        asks = f"Record: {row['record']}. Consent: {row['consent']}.{back}"
        title = f"{row['cause']}: {row['label']}"
        yield entry(f"cause-{row['cause']}", title, "", (row["when"], asks))


@view("suggest", of="project", title="Suggestions", place=23)
def suggestions(subject: Subject, *, cases: Named = ()) -> Iterator[Block]:
    """Suggest causes, with the evidence. Nothing is written.

    People decide. Nearly the same text answered differently by one coder suggests c. Where
    differences all go one way, coders may draw a line in different places (a2, b).

    Parameters
    ----------
    cases : sequence
        Numbers of cases; all that wait by default.

    Examples
    --------
    Inconsistent answers, one-sided patterns:
    $ accordant project suggest
    About two cases:
    $ accordant project suggest 3,4
    """
    state, who = subject.state, subject.person
    named = cases_named(state, cases) if cases else None
    rows = tuple(
        {
            "case": one.case,
            "cause": Cause.C.value,
            "coder": one.coder,
            "label": str(one.answer),
            "other": one.other,
            "other_label": str(one.other_answer),
            "share": one.percent / 100,
        }
        for one in inconsistencies(state, who, named)
    )
    columns = (
        "case",
        "coder",
        called("answered", "label"),
        called("other item", "other"),
        called("answered", "other_label"),
        FIELDS["share"].called("similarity of the texts"),
    )
    yield table("", columns, rows) if rows else Prose("No coder answered the same text otherwise.")
    if named is None and (found := directions(state, who)):
        yield _table_of(found)


def _table_of(found: Sequence[Direction]) -> Table:
    columns = (
        "about",
        "way",
        called("this way", "n", "count"),
        "reverse",
        FIELDS["p_value"].called("p", key="p"),
    )
    note = (
        "p: exact two-sided sign test (McNemar 1947), from 6 cases on; too small where an item "
        "has several cases. Coders who merely slip differ both ways about equally often."
    )
    rows = (
        {
            "about": d.about.replace("'", ""),
            "n": d.n,
            "reverse": d.n_reverse,
            "p": d.p,
            "way": f"{d.coder} “{d.label}”, {d.other} “{d.other_label}”",
        }
        for d in found
    )
    return table("Which way coders differ", columns, rows, note)


# ------------------------------------------------------------------ the chapter of the report


@chapter("causes", "Causes")
def causes_section(subject: Subject) -> Told:
    """How often each cause was accepted, in which direction coders differ, whose answer stood."""
    if not subject.cases:
        return
    yield causes_in_short(subject)
    yield _table(subject)
    if found := directions(subject.state, subject.person):
        yield from (_warning(d) for d in found if d.about == f"cause '{Cause.C}'" and d.one_sided)
        yield _table_of(found)


def causes_in_short(subject: Subject) -> str:
    """How often each cause was accepted, in a sentence; empty if there is no case."""
    n, total = Counter(map(_letter, subject.cases)), len(subject.cases)
    told = [f"{k} {n[k]:,} ({percent(n[k] / total, 0)})" for k in (*LETTERS, NONE) if n[k]]
    if not total:
        return ""
    return f"Of {count_of(total, 'case')}: {joined(told)}."


def _letter(case: Case) -> str:
    return case.cause.value[0] if case.cause else NONE


def _table(subject: Subject) -> Table:
    """Each cause with its cases and items, and its cases by question."""
    cases, rows = subject.cases, list[dict[str, Any]]()
    asked = [q for q in subject.epoch.questions if any(c.question == q for c in cases)]
    for cause in (*CAUSES, None):
        if own := [case for case in cases if case.cause is cause]:
            means = CAUSES[cause].label if cause else "proposed, or not discussed"
            of = Counter(case.question for case in own)
            rows.append(
                {"cause": cause.value if cause else NONE, "means": means, "cases": len(own)}
                | {"of_cases": len(own) / len(cases), "items": len({c.item for c in own})}
                | {f"question {q}": of[q] for q in asked}
            )
    columns: list[str | Field] = ["cause", "means", called("cases", "cases", "count")]
    columns += [FIELDS["share"].called("of all", key="of_cases"), called("items", "items", "count")]
    if len(asked) > 1:
        columns += [called(q, f"question {q}", "count") for q in asked]
    title = f"Causes of {count_of(len(cases), 'case')}"
    return table(title, columns, rows, keep=("cause", "cases", "of_cases"))


def _warning(one: Direction) -> Finding:
    text = (
        f"{one.coder} “{one.label}”, {one.other} “{one.other_label}” ({p_text(one.p)}). Slips go "
        "both ways; a one-sided pattern is what another threshold looks like, a2 (the "
        "guidelines) or b (a concept). It is no proof."
    )
    n = f"{one.n:,} of {one.n + one.n_reverse:,} cases"
    title = f"{n} under c go the same way: are these inconsistencies?"
    advice = "Read these cases again with the guidelines before the cause is kept."
    return Finding(title, (("", text),), advice, "warning")
