"""Why coders disagree: what the data suggest, what was accepted, which way they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated, Any

from ..errors import RequestError
from ..fields import FIELDS, Field
from ..kinds import Typed
from ..numbers import count_of, joined, p_text, percent
from ..resolution.case_state import Case
from ..resolution.causes import CAUSES
from ..resolution.directions import Direction, directions, sign_test
from ..resolution.disagreement import cases_named
from ..resolution.likely_causes import likely_causes
from ..resolution.similar_texts import alike_cases, similar_items
from ..resolution.words import CaseState, Cause
from .blocks import Block, Cell, Entry, Finding, Matrix, Prose, Table
from .names import begun
from .project_subject import Subject, Told, called, chapter, table
from .view import view

__all__ = ["causes_in_short", "causes_section"]

MOST = 500  # cases whose texts are compared, unless more are named
KINDS = {
    "causes": "Likely causes",
    "groups": "Cases that look alike",
    "direction": "Direction of the differences",
    "items": "Items with similar texts",
}
Kinds = Annotated[Sequence[str], Typed(option="--show", among=tuple(KINDS))]
Named = Annotated[Sequence[int | str], Typed("CASE", argument=True)]
NONE = "none accepted"
FEWEST = 6  # cases from which a direction is tested
LETTERS = "abcde"
"""The causes by their letter in the paper."""


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
        yield Entry(f"cause-{row['cause']}", title, "", (row["when"], asks))


@view("suggest", of="project", title="Suggestions", place=23)
def suggestions(subject: Subject, *, cases: Named = (), kinds: Kinds = ()) -> Iterator[Block]:
    """Suggest likely causes, with the evidence. Nothing is written.

    People decide. The same text answered differently by one coder suggests c; an answer unlike that
    coder's own about similar items on which all agree, or far quicker than usual, e; a question
    with low agreement a2. Standing alone is no sign of a mistake. Each suggestion says what speaks
    against it. Where "inconsistent" cases all go the same way, the question is whether they are
    inconsistencies at all.

    Parameters
    ----------
    cases : sequence
        Numbers or names of groups; all that wait by default.
    kinds : sequence of str
        Only this kind; causes, groups and direction by default.

    Examples
    --------
    Likely causes, cases that look alike, one-sided patterns:
    $ accordant project suggest
    The likely cause of two cases:
    $ accordant project suggest 3,4
    Items whose texts are nearly identical:
    $ accordant project suggest --show items
    """
    live = [one.number for one in subject.epoch.cases.values() if one.live]
    named = [one.number for one in cases_named(subject.state, cases)] if cases else []
    wanted = tuple(kinds) or (("causes",) if cases else tuple(KINDS)[:3])
    many = not cases and len(live) > MOST and "causes" in wanted
    if many:
        named, wanted = live[:MOST], tuple(kinds) or ("causes", "direction")
    rows = tuple(
        {
            "kind": kind,
            "cases": ", ".join(map(str, about)),
            "suggests": suggests,
            "says": says,
            "against": against,
        }
        for kind in wanted
        for suggests, says, about, against in _suggested(subject, kind, named)
    )
    yield Table("Suggestions", (), rows, depth="evidence")
    for kind in wanted:
        if told := tuple(_in_words(row) for row in rows if row["kind"] == kind):
            yield Entry(kind, KINDS[kind], "", told)
    if many:
        yield Prose(
            f"These are about the first {MOST:,} of {len(live):,} cases that wait: name "
            "others to read about them, and ask for groups."
        )
    elif not rows:
        some = subject.epoch.round
        yield Prose(
            f"Withheld until round {some.number} closes."
            if some and set(wanted) - {"items"}
            else "Nothing stands out."
            if subject.epoch.cases
            else "There are no cases yet: causes are suggested in step 5."
        )


def _in_words(row: dict[str, str]) -> str:
    return f"{row['says']}. Against it: {row['against']}" if row["against"] else row["says"]


def _suggested(
    subject: Subject, kind: str, named: Sequence[int]
) -> Iterator[tuple[str, str, Sequence[int], str]]:
    """What is suggested of one kind: in a word, in a sentence, about which cases; what against."""
    state, who = subject.state, subject.person
    if kind == "causes":
        for one in likely_causes(state, who, named or None, progress=subject.progress):
            says = f"case {one.case}, {one.cause}: {one.because}"
            yield one.cause.value, says, [one.case], one.against
    elif kind == "groups":
        for group in alike_cases(state, who):
            says = f"cases {joined(map(str, group.cases))}: {group.because}"
            yield "group", says, group.cases, ""
    elif kind == "direction":
        for way in directions(state, who):
            asked = way.one_sided and "'c'" in way.about
            says = f"{way}.{' Are these really inconsistencies?' if asked else ''}"
            yield "one-sided" if way.one_sided else "", says, (), ""
    else:
        if not state.items.texts:
            raise RequestError("the items have no texts to compare")
        for pair in similar_items(state, who, progress=subject.progress):
            yield f"{pair.first}, {pair.second}", str(pair), (), ""


# ------------------------------------------------------------------ the chapter of the report


@chapter("causes", "Causes")
def causes_section(subject: Subject) -> Told:
    """How often each cause was accepted, in which direction coders differ, whose answer stood."""
    if not subject.cases:
        return
    yield causes_in_short(subject)
    yield _table(subject)
    if len({case.question for case in subject.cases}) > 1:
        yield _by_question(subject)
    yield from _directions(subject)
    yield from _whose(subject)


def causes_in_short(subject: Subject) -> str:
    """How often each cause was accepted, in a sentence; empty if there is no case."""
    n, total = Counter(map(_letter, subject.cases)), len(subject.cases)
    told = [f"{k} {n[k]:,} ({percent(n[k] / total, 0)})" for k in LETTERS if n[k]]
    if not told:
        return f"No cause has been accepted in {count_of(total, 'case')}." if total else ""
    text = f"Of {count_of(total, 'case')} (one question about one item each): {joined(told)}"
    if n[NONE]:
        text += f"; without an accepted cause {n[NONE]:,} ({percent(n[NONE] / total, 0)})"
    return f"{text}."


def _letter(case: Case) -> str:
    """The letter of the accepted cause, or that there is none."""
    return case.cause.value[0] if case.cause else NONE


def _counts(subject: Subject, cases: Sequence[Case]) -> dict[str, int]:
    """How many cases, pairs of coders who differed when these were opened, and items."""
    pairs = (pair for c in cases for pair in combinations(subject.first(c).values(), 2))
    return {
        "cases": len(cases),
        "pairs": sum(a != b for a, b in pairs),
        "items": len({case.item for case in cases}),
    }


def _table(subject: Subject) -> Table:
    cases, rows = subject.cases, list[dict[str, Any]]()
    total = _counts(subject, cases)
    for cause in (*CAUSES, None):
        if own := [case for case in cases if case.cause is cause]:
            means = CAUSES[cause].label if cause else "proposed, disputed, or not discussed"
            row: dict[str, Any] = {"cause": cause.value if cause else NONE, "means": means}
            for key, n in _counts(subject, own).items():
                row |= {key: n, f"of_{key}": n / total[key] if total[key] else float("nan")}
            rows.append(row)
    notes = [
        "A case is one question about one item. Shares of items add up to more than 100 % where an "
        "item has cases with different causes."
    ]
    heads = {"cases": "cases", "pairs": "differing pairs", "items": "items"}
    if total["pairs"] == total["cases"]:
        del heads["pairs"]
        notes.append("Two coders differ in each case, so cases are differing pairs of annotations.")
    columns: list[str | Field] = ["cause", "means"]
    for key, heading in heads.items():
        share = FIELDS["share"].called(f"of {total[key]:,} {key}", key=f"of_{key}")
        columns += [called(heading, key, "count"), share]
    title = f"Causes of {count_of(len(cases), 'case')}"
    return table(title, columns, rows, *notes, keep=("cause", "cases", "of_cases"))


def _by_question(subject: Subject) -> Matrix:
    """Cause by question: how many cases."""
    asked = [q for q in subject.epoch.questions if any(c.question == q for c in subject.cases)]
    n = Counter((case.question, _letter(case)) for case in subject.cases)
    names = [k for k in (*LETTERS, NONE) if any(n[q, k] for q in asked)]
    cells = tuple(tuple(Cell(f"{n[q, k]:,}", n[q, k]) for k in names) for q in asked)
    totals = (
        tuple(f"{sum(n[q, k] for k in names):,}" for q in asked),
        tuple(f"{sum(n[q, k] for q in asked):,}" for k in names),
        f"{len(subject.cases):,}",
    )
    title = "Cases by question and cause"
    return Matrix(title, "question", "cause", tuple(asked), tuple(names), cells, totals)


# ------------------------------------------------------------------ direction


def _directions(subject: Subject) -> Iterator[Block]:
    found = directions(subject.state, subject.person)
    if not found:
        return
    yield from (_warning(d) for d in found if d.about == f"cause '{Cause.C}'" and d.one_sided)
    columns = (
        "about",
        "way",
        called("this way", "n", "count"),
        "reverse",
        FIELDS["p_value"].called("p", key="p"),
    )
    note = (
        "p: exact two-sided sign test (McNemar 1947), shown from 6 cases on. Coders who merely "
        "slip differ both ways about equally often. Cases of one item hang together, so p is too "
        "small where an item has several."
    )
    clear = next((str(one) for one in found if one.one_sided), "")
    title = begun(clear.replace("'", "")) or "Differences go both ways about equally often"
    yield table(
        title,
        columns,
        (
            {
                "about": d.about.replace("'", ""),
                "n": d.n,
                "reverse": d.n_reverse,
                "p": d.p,
                "way": f"{d.coder} “{d.label}”, {d.other} “{d.other_label}”",
            }
            for d in found
        ),
        note,
    )


def _warning(one: Direction) -> Finding:
    text = (
        f"{begun(str(one))}. Slips go both ways. A one-sided pattern is what another threshold "
        "looks like, and that would be a2 (the guidelines) or b (a concept), which send the "
        "project back to step 1 or 2. It is no proof."
    )
    n = f"{one.n:,} of {one.n + one.n_reverse:,} cases"
    return Finding(
        f"{n} under c go the same way: are these inconsistencies?",
        (("", text),),
        "Read these cases again with the guidelines beside them before the cause is kept.",
        "warning",
    )


# ------------------------------------------------------------------ whose answer stood


def _whose(subject: Subject) -> Iterator[Block]:
    """How often each coder's first answer is what the coders agreed on."""
    agreed = [c for c in subject.cases if c.state is CaseState.AGREED and c.answer is not None]
    said, rows = {case.number: subject.first(case) for case in agreed}, list[dict[str, Any]]()
    for coder in subject.state.coders:
        if own := [case for case in agreed if coder in said[case.number]]:
            stood = [case for case in own if said[case.number][coder] == str(case.answer)]
            n, of = len(stood), Counter(map(_letter, stood))
            rows.append(
                {"coder": coder, "n": len(own), "stood": n, "share": n / len(own)}
                | {k: of[k] for k in LETTERS}
            )
    if not rows:
        return
    notes = ["“Stood”: the coder's first answer is what the coders agreed on."]
    a, b = (row["stood"] for row in rows) if len(rows) == 2 else (0, 0)
    if a + b >= FEWEST:
        notes.append(f"Exact sign test of {a:,} against {b:,}: {p_text(sign_test(a, b))}.")
    if nobody := sum(str(c.answer) not in said[c.number].values() for c in agreed):
        many = count_of(nobody, "case")
        notes.append(f"In {many} the coders agreed on an answer that none of them had given.")
    if subject.n_withheld:
        notes.append("Cases that are annotated again are left out.")
    letters = set(map(_letter, agreed))
    used = [called(f"under {k}", k, "count") for k in LETTERS if k in letters]
    told = joined(f"{row['coder']} {row['stood']}" for row in rows)
    title = f"Whose first answer stood in the end: {told}"
    counted = called("cases", "n", "count")
    yield table(title, ("coder", counted, "stood", "share", *used), rows, *notes)
