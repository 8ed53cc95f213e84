"""What the data suggest about cases, with the evidence; people decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from ..errors import RequestError
from ..numbers import joined
from ..resolution.commands.parameters import Typed
from ..resolution.disagreement import cases_named
from ..resolution.suggestions.causes import likely_causes
from ..resolution.suggestions.direction import directions
from ..resolution.suggestions.groups import alike_cases
from ..resolution.suggestions.similar import similar_items
from .blocks import Block, Entry, Prose, Table
from .project_subject import Subject
from .view import view

__all__ = ["suggestions"]

MOST = 500  # cases whose texts are compared, unless more are named
KINDS = {
    "causes": "Likely causes", "groups": "Cases that look alike",
    "direction": "Direction of the differences", "items": "Items with similar texts",
}  # fmt: skip
Kinds = Annotated[Sequence[str], Typed(option="--show", among=tuple(KINDS))]
Named = Annotated[Sequence[int | str], Typed("CASE", argument=True)]


@view("suggest", of="project", title="Suggestions", place=23)
def suggestions(subject: Subject, *, cases: Named = (), kinds: Kinds = ()) -> Iterator[Block]:
    """Suggest likely causes, with the evidence. Nothing is written.

    People decide. The same text answered differently by one coder suggests c; a lone deviation on
    an easy item e; a question with low agreement a2. Where "inconsistent" cases all go the same
    way, the question is whether they are inconsistencies at all.

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
    $ accordant project suggest 3 4
    Items whose texts are nearly identical:
    $ accordant project suggest --show items
    """
    live = [one.number for one in subject.epoch.cases.values() if one.live]
    named = [one.number for one in cases_named(subject.state, cases)] if cases else []
    wanted = tuple(kinds) or (("causes",) if cases else tuple(KINDS)[:3])
    many = not cases and len(live) > MOST and "causes" in wanted
    if many:
        named, wanted = live[:MOST], tuple(kinds) or ("causes", "direction")
    rows = [row for kind in wanted for row in _suggested(subject, kind, named)]
    yield Table("Suggestions", (), tuple(rows), depth="evidence")
    for kind in wanted:
        if told := tuple(row["says"] for row in rows if row["kind"] == kind):
            yield Entry(kind, KINDS[kind], "", told)
    if many:
        yield Prose(f"These are about the first {MOST:,} of {len(live):,} cases that wait: name "
                    "others to read about them, and ask for groups.")  # fmt: skip
    elif not rows:
        some = subject.epoch.round
        yield Prose(
            f"Withheld until round {some.number} closes." if some and set(wanted) - {"items"}
            else "Nothing stands out." if subject.epoch.cases
            else "There are no cases yet: causes are suggested in step 5."
        )  # fmt: skip


def _suggested(subject: Subject, kind: str, named: list[int]) -> Iterator[dict[str, Any]]:
    """What is suggested of one kind, a row each."""
    state, who = subject.state, subject.person

    def row(suggests: str, says: str, cases: Sequence[int] = ()) -> dict[str, Any]:
        numbers = ", ".join(map(str, cases))
        return {"kind": kind, "cases": numbers, "suggests": suggests, "says": says}

    if kind == "causes":
        for one in likely_causes(state, who, named or None, progress=subject.progress):
            says = f"case {one.case}, {one.cause}: {one.because}"
            yield row(one.cause.value, says, [one.case])
    elif kind == "groups":
        for group in alike_cases(state, who):
            says = f"cases {joined(map(str, group.cases))}: {group.because}"
            yield row("group", says, group.cases)
    elif kind == "direction":
        for way in directions(state, who):
            asked = way.one_sided and "'c'" in way.about
            says = f"{way}.{' Are these really inconsistencies?' if asked else ''}"
            yield row("one-sided" if way.one_sided else "", says)
    else:
        if not state.items.texts:
            raise RequestError("the items have no texts to compare")
        for pair in similar_items(state, who, progress=subject.progress):
            yield row(f"{pair.first}, {pair.second}", str(pair))
