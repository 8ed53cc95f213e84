"""Why coders disagreed, with the denominator named; which way they differ; whose answer stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from ..fields import FIELDS
from ..numbers import count_of, joined, p_text, percent
from ..resolution.causes import CAUSES
from ..resolution.state import Case
from ..resolution.suggestions.direction import Direction, directions, sign_test
from ..resolution.words import CaseState, Cause
from .blocks import Block, Cell, Finding, Matrix, Prose, Table
from .document import Section
from .project_subject import Subject, called, filled

__all__ = ["causes_section"]

NONE = "none accepted"
FEWEST = 6  # cases from which a direction is tested
LETTERS = "abcde"
"""The causes by their letter in the paper."""


def causes_section(subject: Subject) -> Section | None:
    """How often each cause was accepted; None if there is no case."""
    if not subject.cases:
        return None
    blocks: list[Block] = [_table(subject)]
    if len({case.question for case in subject.cases}) > 1:
        blocks.append(_by_question(subject))
    blocks += [*_directions(subject), *_whose(subject)]
    return Section("causes", "Causes", _lead(subject), tuple(blocks))


def letter(case: Case) -> str:
    """The letter of the accepted cause, or that there is none."""
    return case.cause.value[0] if case.cause else NONE


def _lead(subject: Subject) -> str:
    n, total = Counter(map(letter, subject.cases)), len(subject.cases)
    told = [f"{k} {n[k]:,} ({percent(n[k] / total, 0)})" for k in LETTERS if n[k]]
    if not told:
        return f"No cause has been accepted in {count_of(total, 'case')}."
    text = f"Of {count_of(total, 'case')} (one question about one item each): {joined(told)}"
    if n[NONE]:
        text += f"; without an accepted cause {n[NONE]:,} ({percent(n[NONE] / total, 0)})"
    return f"{text}."


def _pairs(subject: Subject, case: Case) -> int:
    """How many pairs of coders differed about a case when it was opened."""
    return sum(a != b for a, b in combinations(subject.first(case).values(), 2))


def _table(subject: Subject) -> Table:
    cases = subject.cases
    pairs = {case.number: _pairs(subject, case) for case in cases}
    n_pairs, n_items = sum(pairs.values()), len({case.item for case in cases})
    rows = []
    for cause in (*CAUSES, None):
        if own := [case for case in cases if case.cause is cause]:
            k_pairs, k_items = sum(pairs[c.number] for c in own), len({c.item for c in own})
            rows.append({
                "cause": cause.value if cause else NONE,
                "means": CAUSES[cause].label if cause else "proposed, disputed, or not discussed",
                "cases": len(own), "of_cases": len(own) / len(cases),
                "pairs": k_pairs, "of_pairs": k_pairs / n_pairs if n_pairs else float("nan"),
                "items": k_items, "of_items": k_items / n_items,
            })  # fmt: skip
    several = n_pairs != len(cases)
    parts = [("cases", len(cases)), *([("pairs", n_pairs)] if several else []), ("items", n_items)]
    columns = [FIELDS["cause"], FIELDS["means"]]
    for key, n in parts:
        name = "differing pairs" if key == "pairs" else key
        columns += [called(name, key, "count"),
                    FIELDS["share"].called(f"of {n:,} {key}", key=f"of_{key}")]  # fmt: skip
    notes = [
        "A case is one question about one item. Shares of items add up to more than 100 % where an "
        "item has cases with different causes.",
        *([] if several else
          ["Two coders differ in each case, so cases are differing pairs of annotations."]),
    ]  # fmt: skip
    return Table(f"Causes of {count_of(len(cases), 'case')}", tuple(columns), tuple(rows),
                 tuple(notes), keep=("cause", "cases", "of_cases"))  # fmt: skip


def _by_question(subject: Subject) -> Matrix:
    """Cause by question: how many cases."""
    asked = [q for q in subject.epoch.questions if any(c.question == q for c in subject.cases)]
    n = Counter((case.question, letter(case)) for case in subject.cases)
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
    for one in found:
        if one.about == f"cause '{Cause.C.value}'" and one.one_sided:
            yield _warning(one)
    rows = tuple(
        {
            "about": one.about.replace("'", ""),
            "way": f"{one.coder} “{one.label}”, {one.other} “{one.other_label}”",
            "n": one.n, "reverse": one.n_reverse, "p": one.p,
        }
        for one in found
    )  # fmt: skip
    columns = filled("about way", rows, called("this way", "n", "count"), *filled("reverse", rows),
                     FIELDS["p_value"].called("p", key="p"))  # fmt: skip
    notes = (
        "p: exact two-sided sign test (McNemar 1947), shown from 6 cases on. Coders who merely "
        "slip differ both ways about equally often. Cases of one item hang together, so p is too "
        "small where an item has several.",
    )
    clear = [f"{_way(one)} ({p_text(one.p)})" for one in found if one.one_sided]
    title = clear[0] if clear else "Differences go both ways about equally often"
    yield Table(title, columns, rows, notes)


def _way(one: Direction) -> str:
    where = "" if one.about == "all cases" else f" ({one.about})".replace("'", "")
    return (
        f"{one.n:,} of {count_of(one.n + one.n_reverse, 'case')}{where} go the same way: "
        f"{one.coder} answered “{one.label}” where {one.other} answered “{one.other_label}”"
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


def _whose(subject: Subject) -> Iterator[Block]:
    agreed = [c for c in subject.cases if c.state is CaseState.AGREED and c.answer is not None]
    said = {case.number: subject.first(case) for case in agreed}
    rows = tuple(
        _stood(coder, [case for case in agreed if coder in said[case.number]], said)
        for coder in subject.state.coders
        if any(coder in answers for answers in said.values())
    )
    if not rows:
        return
    used = [k for k in LETTERS if any(letter(c) == k for c in agreed)]
    columns = filled("coder", rows, called("cases", "n", "count"), *filled("stood share", rows),
                     *(called(f"under {k}", k, "count") for k in used))  # fmt: skip
    nobody = sum(str(c.answer) not in said[c.number].values() for c in agreed)
    notes = ["“Stood”: the coder's first answer is what the coders agreed on."]
    a, b = (int(str(row["stood"])) for row in rows) if len(rows) == 2 else (0, 0)
    if a + b >= FEWEST:
        notes.insert(0, f"Exact sign test of {a:,} against {b:,}: {p_text(sign_test(a, b))}.")
    if nobody:
        notes.insert(0, f"In {count_of(nobody, 'case')} the coders agreed on an answer that none "
                        "of them had given.")  # fmt: skip
    told = joined(f"{row['coder']} {row['stood']}" for row in rows)
    yield Table(f"Whose first answer stood in the end: {told}", columns, rows, tuple(notes))
    if subject.n_withheld:
        yield Prose("Cases that are annotated again are left out.")


def _stood(coder: str, own: Sequence[Case], said: dict[int, dict[str, str]]) -> dict[str, object]:
    stood = [case for case in own if said[case.number][coder] == str(case.answer)]
    by_cause = Counter(map(letter, stood))
    share = len(stood) / len(own) if own else float("nan")
    return {"coder": coder, "n": len(own), "stood": len(stood), "share": share,
            **{k: by_cause[k] for k in LETTERS}}  # fmt: skip
