"""A view tells one table of one result; the registry of views feeds reports and the command line.

A view is a function from one part of a result (one question, or all pooled) to blocks. Its first
table holds the rows that programs get; its order, headings and digits are the same in every format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any, Protocol, TypeAlias, TypeVar

from ..errors import RequestError, unknown
from ..fields import FIELDS
from .blocks import Block, Chart, Choice, Fold, Matrix, Prose, Table, changed, inside
from .document import Section

FIRST = 10.0
LAST = 1000.0
DETAIL = 100.0
"""Views from this place on are shown only when asked for."""

HOMES: Mapping[str, str] = {
    "agreement": "coefficient_tables methods methods_paragraph",
    "calibration": "estimated_labels",
    "check": "coefficient_tables",
    "coder": "annotator_reliability",
    "coders": "annotator_reliability",
    "coefficients": "registries",
    "compare": "coefficient_tables",
    "compare-models": "model_as_coder",
    "coverage": "estimated_labels",
    "crowdtruth": "annotator_reliability",
    "decompose": "hierarchical_agreement",
    "describe": "data",
    "diagnose": "category_tables coder_tables findings",
    "fit": "annotator_reliability estimated_labels soft_labels",
    "items_needed": "coefficient_tables",
    "kept": "estimated_labels",
    "list_models": "registries",
    "project": "project_cases project_causes project_status project_toolbox",
    "scores": "estimated_labels",
    "soft": "soft_labels",
    "soft-scores": "soft_labels",
    "span_f1": "coefficient_tables",
    "study": "simulation",
    "to_check": "estimated_labels",
}
"""The modules that hold the views of a kind of result."""

Options: TypeAlias = tuple[tuple[str, tuple[Block, ...]], ...]
F = TypeVar("F", bound=Callable[..., Iterable[Block]])
POOLED = "All questions together"


class ResultPart(Protocol):
    """One question of a result, or all together."""

    @property
    def question(self) -> str | None:
        """None for all together, or a single question without a name."""


@dataclass(frozen=True)
class View:
    """One thing that is told of a kind of result.

    Parameters
    ----------
    name : str
        What users ask for: ``--show NAME``, and the key of the section.
    of : str
        The kind of result: ``"agreement"``, ``"diagnose"`` …, the call that makes it.
    title : str
        Heading of the section.
    make : callable
        (part, **options) → blocks.
    chapter : str
        Key of the chapter of the report that holds it; empty if none does.
    place : float
        Where it stands among the views of its kind and in its chapter.
    help : str
        What it shows, for the help of the command line.
    whole : bool
        Whether it tells all questions at once, and so is made of the last part only.
    """

    name: str
    of: str
    title: str
    make: Callable[..., Iterable[Block]]
    chapter: str = ""
    place: float = LAST
    help: str = ""
    whole: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that it takes."""
        return tuple(signature(self.make).parameters)[1:]

    def section(self, parts: Iterable[ResultPart], **options: Any) -> Section:
        """The section of a result: its blocks, for each of several questions."""
        each = self._made(parts, options)
        if len(each) == 1:
            return Section(self.name, self.title, "", each[0][1])
        told = tuple((part.question or POOLED, blocks) for part, blocks in each if blocks)
        return Section(self.name, self.title, "", tuple(_side_by_side(told)))

    def rows(self, parts: Iterable[ResultPart], **options: Any) -> list[dict[str, Any]]:
        """What programs get: the rows of the first table of every part, with the same keys."""
        rows = [
            {"question": part.question} | row
            for part, blocks in self._made(parts, options)
            for row in first_rows(blocks)
        ]
        keys = dict.fromkeys(key for row in rows for key in row)
        return [{key: row.get(key) for key in keys} for row in rows]

    def table(self, parts: Iterable[ResultPart], **options: Any) -> Table:
        """The first table of every part as one, for formats that hold one table."""
        made = ((part, _first_table(blocks)) for part, blocks in self._made(parts, options))
        found = [(part, table) for part, table in made if table is not None]
        columns = tuple(dict.fromkeys(c for _, t in found for c in t.columns))
        several = len({part.question for part, _ in found}) > 1
        first = (FIELDS["question"],) if several and FIELDS["question"] not in columns else ()
        rows = tuple(
            {"question": p.question or POOLED} | dict(row) for p, t in found for row in t.rows
        )
        notes = tuple(dict.fromkeys(note for _, t in found for note in t.notes))
        return Table(self.title, (*first, *columns), rows, notes)

    def _made(
        self, parts: Iterable[ResultPart], options: Mapping[str, Any]
    ) -> list[tuple[ResultPart, tuple[Block, ...]]]:
        """The blocks of each part; where an option fits some questions only, the others say why.

        Raises
        ------
        RequestError
            If an option fits no question.
        """
        found: list[tuple[ResultPart, tuple[Block, ...]]] = []
        wrong: list[RequestError] = []
        told, prepared = tuple(parts), PREPARED.get(self.of, _as_it_is)
        for part in told[-1:] if self.whole else told:
            try:
                found.append((part, tuple(self.make(prepared(part), **options))))
            except RequestError as error:
                wrong.append(error)
                found.append((part, (Prose(str(error)),)))
        if wrong and (len(wrong) == len(found) or not options):
            raise wrong[0]
        return found


def _as_it_is(part: ResultPart) -> ResultPart:
    return part


def _side_by_side(told: Options) -> Iterator[Block]:
    """The blocks of each question, and once below them the notes that all have in common."""
    if told:
        told, notes = said_once(told)
        yield Choice("Question", told)
        yield from [Prose(" ".join(notes))] if notes else []


def said_once(options: Options) -> tuple[Options, dict[str, str]]:
    """The choices without the notes that stand below tables of all of them, and these notes.

    Of the notes as they are, and with the title of what they are about.
    """
    each = [dict(_notes(blocks)) for _, blocks in options]
    notes = {x: about for x, about in each[0].items() if all(x in own for own in each[1:])}

    def rest(blocks: Iterable[Block]) -> Iterator[Block]:
        for block in blocks:
            if isinstance(block, Chart | Table | Matrix):
                yield changed(block, notes=tuple(x for x in block.notes if x not in notes))
            else:
                yield inside(block, rest)

    return tuple((name, tuple(rest(blocks))) for name, blocks in options), notes


def _notes(blocks: Iterable[Block], about: str = "") -> Iterator[tuple[str, str]]:
    for block in blocks:
        if isinstance(block, Fold):
            yield from _notes(block.blocks, f"{block.title} · ")
        elif isinstance(block, Chart | Table | Matrix) and block.depth != "evidence":
            yield from ((note, f"{about}{note}") for note in block.notes)


def first_rows(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """The rows of the first table or matrix among blocks."""
    found = _first_table(blocks)
    return [] if found is None else found.to_rows()


def _first_table(blocks: Iterable[Block]) -> Table | None:
    found = Section("", "", "", tuple(blocks)).table
    return found.as_table() if isinstance(found, Matrix) else found


VIEWS: dict[tuple[str, str], View] = {}
PREPARED: dict[str, Callable[[Any], Any]] = {}


def view(
    name: str,
    *,
    of: str,
    title: str,
    chapter: str = "",
    place: float = LAST,
    help: str = "",
    whole: bool = False,
    alone: str = "",
) -> Callable[[F], F]:
    """Register a function as a view.

    Without a help text of its own the first line of the docstring is that. What a view tells of a
    result may be a result by itself: ``alone`` is its kind, of which the same function is the
    first view.
    """

    def register(make: F) -> F:
        said = help or _begun_small((make.__doc__ or "").strip().partition("\n")[0])
        VIEWS[of, name] = View(name, of, title, make, chapter, place, said, whole)
        if alone:
            VIEWS[alone, name] = View(name, alone, title, make, place=FIRST)
        for kind in filter(None, (of, alone)):
            if make.__module__.rpartition(".")[2] not in HOMES[kind].split():
                raise TypeError(f"HOMES of {kind!r} does not name {make.__module__}")
        return make

    return register


def _begun_small(docstring: str) -> str:
    """The first line of a docstring as one of several that begin small, without a point."""
    text = docstring.rstrip(".")
    first = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if first[1:].islower() or len(first) == 1 else text


def views_of(of: str) -> tuple[View, ...]:
    """The views of a kind of result, in their order."""
    for module in HOMES.get(of, "").split():
        import_module(f"{__package__}.{module}")
    known = [v for (kind, _), v in VIEWS.items() if kind == of]
    return tuple(sorted(known, key=lambda v: (v.place, v.name)))


def named(of: str, name: str) -> View:
    """The view of a name.

    Raises
    ------
    RequestError
        If there is none.
    """
    views = {view.name: view for view in views_of(of)}
    if name not in views:
        raise unknown("table", name, views, have="there are")
    return views[name]
