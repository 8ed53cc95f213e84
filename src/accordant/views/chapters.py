"""The chapters of a report: the views of its results, each chapter with the sentence it finds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from typing import Any, NamedTuple

from ..errors import RequestError
from ..fields import telling
from ..numbers import count_of
from .blocks import (
    Block,
    Chart,
    Choice,
    Finding,
    Fold,
    Matrix,
    Prose,
    References,
    Table,
    changed,
    inside,
)
from .document import Section
from .view import POOLED, ResultPart, View, said_once, views_of

CHAPTERS: Mapping[str, str] = {
    "alt_test": "Models and humans",
    "disagreement": "Causes of disagreement",
    "what_if": "What to resolve first",
    "confusion": "Confusion matrix",
    "categories": "Categories",
    "coders": "Coders",
    "items": "Items",
    "annotator_reliability": "Annotator reliability",
    "estimated_labels": "Estimated labels",
    "ambiguity": "Coder error or ambiguous items",
    "agreement": "Agreement coefficients",
    "coefficient_choice": "Choice of coefficient",
    "levels": "Hierarchical agreement",
    "final_labels": "Final labels",
    "data": "Data",
    "methods": "Methods",
}
OF_DATA = ("data", "final_labels", "methods")
"""Their figures are no estimates: few items do not make them rough."""
UNDRAWN = ("agreement",)
"""Their charts show nothing that the first page does not show."""
MOST_ROWS = 25  # of a table
MOST_FOLDED = 6  # of a table that is folded
MOST_MATRICES = 2  # of a view
MOST_PRINTED = 5  # rows of a table on paper, unless all are asked for
MOST_FINDINGS = 3  # likewise
MOST_NAMED = 2  # questions in the sentence of a chapter, and with a table of each in print


@dataclass(frozen=True, eq=False)
class ChapterPart:
    """A part of a result as a report tells it.

    Parameters
    ----------
    kind : str
        The kind of result, for which views are defined.
    part : ResultPart
        One question of it, or all together, which come last.
    options : mapping
        Options of its views.
    without : set of str
        Views that are left out.
    beside : bool
        Whether it stands beside other questions; if not, it is told by views of the whole only.
    """

    kind: str
    part: ResultPart
    options: Mapping[str, Any] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    beside: bool = True

    def blocks(self, view: View) -> tuple[Block, ...]:
        """What a view says of it; nothing where that is only why there is nothing to show."""
        if view.name in self.without:
            return ()
        taken = signature(view.make).parameters
        given = {key: x for key, x in self.options.items() if key in taken}
        try:
            made = tuple(view.make(self.part, **given))
        except RequestError:  # an option that this question does not have
            return ()
        shown = [block for block in made if block.depth != "evidence"]
        only_why = all(isinstance(block, Prose) for block in made)
        return made if shown and not only_why else ()


class ChapterEntry(NamedTuple):
    """What a view says of a question."""

    view: View
    question: str | None
    blocks: tuple[Block, ...]


def chapters(
    told: Iterable[ChapterPart], order: Sequence[str | None] = (), few: int = 0
) -> dict[str, Section]:
    """The chapters that have something to say, by their keys.

    Parameters
    ----------
    told : iterable of ChapterPart
    order : sequence of str
        The questions, that with the lowest coefficient first: of many questions a sentence is
        about the first that has one.
    few : int
        How many items there are, if these are so few that every estimate is rough.
    """
    made: dict[str, list[ChapterEntry]] = {}
    for entry in _entries(told):
        made.setdefault(entry.view.chapter, []).append(entry)
    return {
        key: _chapter(key, title, made[key], order, 0 if key in OF_DATA else few)
        for key, title in CHAPTERS.items()
        if key in made
    }


def _chapter(
    key: str, title: str, entries: Sequence[ChapterEntry], order: Sequence[str | None], few: int
) -> Section:
    found, more = _found(entries, order)
    only = f"only {count_of(few, 'item')}" if few else ""
    notes = "; ".join(filter(None, [more, only]))
    lead = f"{found} ({notes})." if found and notes else f"{found}." * bool(found)
    said = Prose(f"{found}.")
    return Section(key, title, lead, tuple(b for b in _body(entries) if b != said))


def _entries(told: Iterable[ChapterPart]) -> Iterator[ChapterEntry]:
    of_kind: dict[str, list[ChapterPart]] = {}
    for one in told:
        of_kind.setdefault(one.kind, []).append(one)
    for kind, parts in of_kind.items():
        for view in (v for v in views_of(kind) if v.chapter in CHAPTERS):
            each = parts[-1:] if view.whole else [one for one in parts if one.beside]
            made = list(_of_view(view, each))
            yield from made or _of_view(view, [one for one in parts if not one.beside])


def _of_view(view: View, parts: Iterable[ChapterPart]) -> Iterator[ChapterEntry]:
    for one in parts:
        if blocks := one.blocks(view):
            yield ChapterEntry(view, one.part.question, blocks)


# ------------------------------------------------------------------ what stands in a chapter


def _body(entries: Sequence[ChapterEntry]) -> Iterator[Block]:
    """The first view stands open, the others are folded; questions one beside another."""
    first = entries[0].view
    shared = [e for e in entries if _shared(e, entries)]
    yield from _laid_out(shared, first)
    own = [e for e in entries if e not in shared]
    questions = list(dict.fromkeys(e.question for e in own))
    if len(questions) == 1:
        yield from _laid_out(own, first)
    elif questions:
        options = tuple(
            (q or POOLED, tuple(_laid_out([e for e in own if e.question == q], first)))
            for q in sorted(questions, key=lambda q: q is not None)
        )
        options, notes = said_once(options)
        yield Choice("Question", options, "main" if len(options) <= MOST_NAMED else "detail")
        yield from (Prose(note, "detail") for note in notes.values())


def _shared(entry: ChapterEntry, entries: Sequence[ChapterEntry]) -> bool:
    """Whether an entry is about all questions at once: its view says nothing of single ones."""
    own = [e for e in entries if e.view is entry.view]
    return entry.question is None and len(own) == 1


def _laid_out(entries: Sequence[ChapterEntry], first: View) -> Iterator[Block]:
    for view, _, blocks in entries:
        if view is first:
            said = map(_drawn, blocks) if view.chapter in UNDRAWN else blocks
            yield from _opened(_named(said, view.title, MOST_ROWS))
        elif any(isinstance(b, Finding) for b in blocks):
            yield from (_deeper(b) for b in _named(blocks, "", MOST_ROWS))
        else:
            told = tuple(_named(map(_drawn, blocks), "", MOST_FOLDED))
            notes = (note for b in blocks if isinstance(b, Table) for note in b.notes)
            yield Fold(view.title, told or tuple(map(Prose, notes)))  # empty tables say why


def _drawn(block: Block) -> Block:
    """A chart below the first view of a chapter is drawn only if it shows a curve."""
    if not isinstance(block, Chart) or '"line"' in json.dumps(block.definition, default=str):
        return block
    depth = "main" if block.depth == "detail" else block.depth
    return replace(block.table, title=block.title, depth=depth)


def _named(blocks: Iterable[Block], title: str, most: int) -> Iterator[Block]:
    """Tables with as many rows as a page has room for; whole ones lie deeper, for programs.

    A first table without a title bears that of its view.
    """
    matrices = 0
    for n, block in enumerate(blocks):
        table = block.table if isinstance(block, Chart) else block
        if isinstance(table, Table) and block.depth != "evidence":
            named = title if block is table and not (n or table.title) else table.title
            room = min(table.most or most, most)
            note = f"The first {room} of {len(table.rows):,} rows are shown."
            if len(table.rows) > room:
                notes, rows = (*table.notes, note), table.rows[:room]
                kept = telling(table.columns, rows)
                yield changed(block, title=named, columns=kept, rows=rows, notes=notes)
                yield replace(table, depth="evidence")
            elif table.rows or block is not table:
                yield changed(block, title=named)
        else:
            matrices += isinstance(block, Matrix)
            yield changed(block, depth="evidence") if matrices > MOST_MATRICES else block


def _opened(blocks: Iterable[Block]) -> Iterator[Block]:
    """The first table stays where it is, others lie deeper."""
    there = False
    for block in blocks:
        if there and isinstance(block, Choice):
            yield replace(block, depth="evidence")  # the same once more, for pairs of coders
            continue
        big = isinstance(block, Table | Chart | Matrix) and block.depth == "main"
        yield _deeper(block) if big and there else block
        there = there or big


def _deeper(block: Block) -> Block:
    return changed(block, depth="detail") if block.depth == "main" else block


# ------------------------------------------------------------------ what it finds


def _found(entries: Sequence[ChapterEntry], order: Sequence[str | None]) -> tuple[str, str]:
    """What the first view that finds something says, and what it leaves out."""
    found = {(e.view.name, e.question): sentence_of(e.blocks) for e in entries}
    first = next((name for (name, _), said in found.items() if said), "")
    own = {question: said for (name, question), said in found.items() if said and name == first}
    if None in own:
        return own[None], ""
    if len(own) > MOST_NAMED:
        question = next((q for q in order if q in own), next(iter(own)))
        return f"{question}: {own[question]}", f"{count_of(len(own) - 1, 'other question')} below"
    return "; ".join(f"{question}: {said}" for question, said in own.items()), ""


def sentence_of(blocks: Iterable[Block]) -> str:
    """What blocks find: their headline, else the title of what they show first."""
    every = [block for block in blocks if block.depth != "evidence"]
    told = [b for b in every if isinstance(b, Prose)]
    headline = next((b for b in told if b.depth == "headline"), None)
    if headline is not None:
        return _first_of(headline)
    shown = (b for b in every if isinstance(b, Finding | Chart | Matrix | Table) and b.title)
    title = next((b.title for b in shown), "")
    return title or next(map(_first_of, told), "")


def _first_of(block: Prose) -> str:
    """The first sentence of a text."""
    return block.text.partition(". ")[0].rstrip(".")


# ------------------------------------------------------------------ on paper


def in_short(section: Section) -> Section:
    """A chapter as paper shows it: its sentence, and one table or a few findings."""
    return replace(section, blocks=tuple(_short(section.blocks, section.lead)))


def _short(blocks: Iterable[Block], lead: str) -> Iterator[Block]:
    open_ = [block for block in blocks if block.depth in ("headline", "main")]
    findings = [block for block in open_ if isinstance(block, Finding)][:MOST_FINDINGS]
    yield from (replace(b, blocks=(), items=None, advice="", do=()) for b in findings)
    big = next(
        (b for b in open_ if isinstance(b, Chart | Matrix) or (isinstance(b, Table) and b.rows)),
        None,
    )
    for block in open_:
        if isinstance(block, Choice):
            yield inside(block, partial(_short, lead=lead))
        elif block is big:
            yield _cut(block, lead)
        elif isinstance(block, References):
            yield block
        elif isinstance(block, Prose) and not findings and big is None:
            yield from () if _first_of(block) in lead else (block,)


def _cut(block: Block, lead: str) -> Block:
    """The rows that paper has room for; of a chart its table; no title that says the lead again."""
    if isinstance(block, Chart):
        return _cut(block.table, lead)
    if not isinstance(block, Matrix | Table):
        return block
    block = replace(block, title="" if block.title in lead else block.title)
    if isinstance(block, Matrix):
        return block
    n = len(block.rows)
    hidden = n - MOST_PRINTED if n > 2 * MOST_PRINTED - 3 else 0
    more = (f"{count_of(hidden, 'further row')} in the full report.",) if hidden > 0 else ()
    return replace(block, rows=block.rows[: n - hidden], notes=(*block.notes[:1], *more))
