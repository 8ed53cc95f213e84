"""Why coders disagreed, with the denominator named; which way they differ; whose answer stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from ..numbers import count_of, joined, p_text, percent
from ..resolution.causes import CAUSES
from ..resolution.state import Case
from ..resolution.suggestions.direction import Direction, directions, sign_test
from ..resolution.words import CaseState, Cause
from .document import Block, Cell, Column, Finding, Matrix, Prose, Section, Table
from .project_subject import Subject

__all__ = ["causes_section"]

NONE = "none accepted"
FEWEST = 6  # cases from which a direction is tested
GROUPS = {
    "a": (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2),
    "b": (Cause.B,),
    "c": (Cause.C,),
    "d": (Cause.D,),
    "e": (Cause.E,),
}
"""The causes by their letter in the paper."""


def causes_section(subject: Subject) -> Section | None:
    """How often each cause was accepted; None if there is no case."""
    if not subject.cases:
        return None
    blocks: list[Block] = [_table(subject)]
    if len({case.question for case in subject.cases}) > 1:
        blocks.append(_by_question(subject))
    blocks += _directions(subject)
    blocks += _standing(subject)
    return Section("causes", "Causes", _lead(subject), tuple(blocks))


def letter(case: Case) -> str:
    """The letter of the accepted cause, or that there is none."""
    return next((k for k, causes in GROUPS.items() if case.cause in causes), NONE)


def _lead(subject: Subject) -> str:
    n = Counter(letter(case) for case in subject.cases)
    total = len(subject.cases)
    told = [f"{k} {n[k]:,} ({percent(n[k] / total, 0)})" for k in GROUPS if n[k]]
    text = (
        f"Of {count_of(total, 'case')} (one question about one item each): {joined(told)}"
        if told
        else f"No cause has been accepted in {count_of(total, 'case')}"
    )
    if told and n[NONE]:
        text += f"; without an accepted cause {n[NONE]:,} ({percent(n[NONE] / total, 0)})"
    return f"{text}."


def _pairs(subject: Subject, case: Case) -> int:
    """How many pairs of coders differed about a case when it was opened."""
    said = list(subject.first(case).values())
    return sum(a != b for a, b in combinations(said, 2))


def _table(subject: Subject) -> Table:
    cases = subject.cases
    pairs = {case.number: _pairs(subject, case) for case in cases}
    n_pairs, n_items = sum(pairs.values()), len({case.item for case in cases})
    rows = []
    for cause in (*CAUSES, None):
        own = [case for case in cases if case.cause is cause]
        if not own:
            continue
        k_pairs, k_items = sum(pairs[c.number] for c in own), len({c.item for c in own})
        rows.append({
            "cause": cause.value if cause else NONE,
            "means": CAUSES[cause].label if cause else "proposed, disputed, or not discussed",
            "cases": len(own), "of_cases": len(own) / len(cases),
            "pairs": k_pairs, "of_pairs": k_pairs / n_pairs if n_pairs else float("nan"),
            "items": k_items, "of_items": k_items / n_items,
        })  # fmt: skip
    several = n_pairs != len(cases)
    columns = (
        Column("cause", "cause"),
        Column("means", "what it means"),
        Column("cases", "cases", "count"),
        Column("of_cases", f"of {len(cases):,} cases", "share"),
        *((
            Column("pairs", "differing pairs", "count", "pairs of coders whose answers differed"),
            Column("of_pairs", f"of {n_pairs:,} pairs", "share"),
        ) if several else ()),
        Column("items", "items", "count"),
        Column("of_items", f"of {n_items:,} items", "share"),
    )  # fmt: skip
    notes = [
        "A case is one question about one item. Shares of items add up to more than 100 % where an "
        "item has cases with different causes.",
    ]
    if not several:
        notes.append("Two coders differ in each case, so cases are differing pairs of annotations.")
    return Table(f"Causes of {count_of(len(cases), 'case')}", columns, tuple(rows), tuple(notes))


def _by_question(subject: Subject) -> Matrix:
    """Cause by question: how many cases."""
    asked = [q for q in subject.epoch.questions if any(c.question == q for c in subject.cases)]
    n = Counter((case.question, letter(case)) for case in subject.cases)
    names = [k for k in (*GROUPS, NONE) if any(n[q, k] for q in asked)]
    cells = tuple(tuple(Cell(f"{n[q, k]:,}", n[q, k], 0, "plain") for k in names) for q in asked)
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
    for one in found:
        if one.about == f"cause '{Cause.C.value}'" and one.one_sided:
            yield _warning(one)
    rows = tuple(
        {
            "about": one.about.replace("'", ""),
            "way": f"{one.coder} {one.label}, {one.other} {one.other_label}",
            "n": one.n, "reverse": one.n_reverse, "p": one.p,
        }
        for one in found
    )  # fmt: skip
    columns = (
        Column("about", "cases"),
        Column("way", "more often"),
        Column("n", "this way", "count"),
        Column("reverse", "the other way", "count"),
        Column("p", "p", "p", "exact sign test: both ways equally likely"),
    )
    notes = (
        "p: exact two-sided sign test (McNemar 1947), shown from 6 cases on. Coders who merely "
        "slip differ both ways about equally often. Cases of one item hang together, so p is too "
        "small where an item has several.",
    )
    clear = [one for one in found if one.one_sided]
    title = (
        f"{_way(clear[0])} ({p_text(clear[0].p)})"
        if clear
        else "Differences go both ways about equally often"
    )
    yield Table(title, columns, rows, notes)


def _way(one: Direction) -> str:
    total = one.n + one.n_reverse
    where = "" if one.about == "all cases" else f" ({one.about})".replace("'", "")
    return (
        f"{one.n:,} of {count_of(total, 'case')}{where} go the same way: {one.coder} answered "
        f"“{one.label}” where {one.other} answered “{one.other_label}”"
    )


def _warning(one: Direction) -> Finding:
    total = one.n + one.n_reverse
    return Finding(
        f"{one.n:,} of {total:,} cases under c go the same way: are these inconsistencies?",
        ((
            "",
            f"{one.coder} answered “{one.label}” and {one.other} “{one.other_label}” in {one.n:,} "
            f"of {total:,} cases ({p_text(one.p)}). Slips go both ways. A one-sided pattern is "
            "what another threshold looks like, and that would be a2 (the guidelines) or b (a "
            "concept), which send the project back to step 1 or 2. It is no proof.",
        ),),
        "Read these cases again with the guidelines beside them before the cause is kept.",
        "warning",
    )  # fmt: skip


# ------------------------------------------------------------------ whose answer stood


def _standing(subject: Subject) -> Iterator[Block]:
    agreed = [c for c in subject.cases if c.state is CaseState.AGREED and c.answer is not None]
    said = {case.number: subject.first(case) for case in agreed}
    coders = [c for c in subject.state.coders if any(c in answers for answers in said.values())]
    if not agreed or not coders:
        return
    nobody = [c for c in agreed if str(c.answer) not in said[c.number].values()]
    rows = tuple(_stood(coder, agreed, said) for coder in coders)
    used = [k for k in GROUPS if any(letter(c) == k for c in agreed)]
    columns = (
        Column("coder", "coder"),
        Column("n", "cases", "count", "agreed cases with an answer of this coder"),
        Column("stood", "answer stood", "count"),
        Column("share", "share", "share"),
        *(Column(k, f"under {k}", "count") for k in used),
    )
    notes = []
    if nobody:
        notes.append(f"In {count_of(len(nobody), 'case')} the coders agreed on an answer that "
                     "none of them had given.")  # fmt: skip
    if len(coders) == 2:
        a, b = (sum(_is_stood(c, coder, said) for c in agreed) for coder in coders)
        if a + b >= FEWEST:
            notes.append(f"Exact sign test of {a:,} against {b:,}: {p_text(sign_test(a, b))}.")
    notes.append("“Stood”: the coder's first answer is what the coders agreed on.")
    yield Table(_whose(rows), columns, rows, tuple(notes))
    if subject.n_withheld:
        yield Prose("Cases that are annotated again are left out.")


def _is_stood(case: Case, coder: str, said: dict[int, dict[str, str]]) -> bool:
    return said[case.number].get(coder) == str(case.answer)


def _stood(
    coder: str, agreed: Sequence[Case], said: dict[int, dict[str, str]]
) -> dict[str, object]:
    own = [case for case in agreed if coder in said[case.number]]
    stood = [case for case in own if _is_stood(case, coder, said)]
    by_cause = Counter(letter(case) for case in stood)
    share = len(stood) / len(own) if own else float("nan")
    return {"coder": coder, "n": len(own), "stood": len(stood), "share": share,
            **{k: by_cause[k] for k in GROUPS}}  # fmt: skip


def _whose(rows: Sequence[dict[str, object]]) -> str:
    told = joined(f"{row['coder']} {row['stood']}" for row in rows)
    return f"Whose first answer stood in the end: {told}"
