"""Who gave which labels to what: the one shape that every analysis starts from.

An *annotation* is what one coder answered to one question about one item. Annotations are
held in columns of small integers (``Columns``) or, where every coder answers one question
about the same items, as an items x coders grid, which costs a tenth of the memory. Nothing
outside this module needs to know which of the two it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import RequestError, unknown
from ..numbers import count_of
from ..results import frame_of
from ..scheme import Scale, Scheme, Value, union
from .names import consensus_like
from .table import plain, repeats

if TYPE_CHECKING:
    from .fingerprint import Piece
    from .spans import Spans


Ints: TypeAlias = NDArray[np.integer[Any]]
_PIECE = 1 << 18  # annotations that are fingerprinted at a time
NO_VALUE = -1  # code of an annotation that carries no value (skipped, draft, not applicable)


class Status(IntEnum):
    """What a coder did with a question about an item.

    Only ``ANSWERED`` and ``ANSWERED_EMPTY`` enter agreement. An item that a coder was never
    shown has no row at all (``NOT_ASSIGNED``).
    """

    ANSWERED = 0
    ANSWERED_EMPTY = 1  # looked, and says that nothing applies: of label sets the value ()
    SKIPPED = 2
    DRAFT = 3
    NOT_APPLICABLE = 4
    NOT_ASSIGNED = 5


@dataclass(frozen=True, eq=False)
class Columns:
    """One row for each annotation: N rows of codes.

    ``item`` (N,) into `Annotations.items`, ``question`` (N,) into `Annotations.questions`,
    ``coder`` (N,) into `Annotations.coders`, ``value`` (N,) into `Annotations.values` or
    `NO_VALUE`, ``status`` (N,) of `Status`.
    """

    item: Ints
    question: Ints
    coder: Ints
    value: Ints
    status: Ints

    def __len__(self) -> int:
        return len(self.item)

    def where(self, keep: NDArray[np.bool_] | Ints) -> Columns:
        """The rows of a mask (N,), or at some positions."""
        return Columns(
            self.item[keep],
            self.question[keep],
            self.coder[keep],
            self.value[keep],
            self.status[keep],
        )

    def only(
        self, what: Literal["item", "question", "coder"], chosen: Ints | Sequence[int], n: int
    ) -> Columns:
        """The rows of some of ``n`` items, questions or coders, which are numbered anew."""
        new = np.full(n, -1)
        new[chosen] = np.arange(len(chosen))
        rows = self.where(new[getattr(self, what)] >= 0)
        codes: dict[str, Ints] = {what: new[getattr(rows, what)]}
        return replace(rows, **codes)


@dataclass(frozen=True)
class Reading:
    """How the data were understood: what a user must be able to check.

    Parameters
    ----------
    source : str
        File name, or what kind of object was read.
    layout : str
        'long', 'wide', 'file per coder', 'contingency table', 'counts', 'array', …
    columns : mapping of str to str
        Role (item, coder, label, question …) to the column that plays it.
    blanks : int
        How many cells were blank.
    blanks_as : str
        What a blank counts as: a status name, in words.
    left_out : tuple of (str, int)
        What was left out and how often, e.g. ``('duplicate annotations (kept the first)', 3)``.
    notes : tuple of str
        Sentences that a user should read (numeric labels taken as nominal, labels that differ
        only in case, an orientation that looks transposed …). A `Notice` knows which options help.
    warnings : tuple of str
        Sentences that a user must read, since the results may be about the wrong thing.
    generated_ids : bool
        Whether the data name no items, so that their ids are only their positions. Equal ids in
        other data do not mean equal items then.
    derived : mapping of str to str
        Columns of `Annotations.metadata` that follow from the labels, and what each says ('the
        most frequent label'): they are no facts about the items, and no cause of disagreement.
    preview : tuple of (str, str, tuple of str)
        The columns of a table, the role of each, and its first cells.
    files : tuple of str
        The files as the user named them.
    controls : mapping of str to (str, str)
        Of a platform, for each question the kind of its control and what that is about: to write
        labels back.
    options : mapping
        What the user said, as `read` takes it; parts of the data have it of themselves.
    """

    source: str = "memory"
    layout: str = "array"
    columns: Mapping[str, str] = field(default_factory=dict)
    blanks: int = 0
    blanks_as: str = "not assigned"
    left_out: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    generated_ids: bool = False
    derived: Mapping[str, str] = field(default_factory=dict)
    preview: tuple[tuple[str, str, tuple[str, ...]], ...] = field(default=(), compare=False)
    files: tuple[str, ...] = field(default=(), compare=False)
    controls: Mapping[str, tuple[str, str]] = field(default_factory=dict, compare=False)
    options: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def saying(self, **options: Any) -> Reading:
        """The same with further options."""
        return replace(self, options={**self.options, **options})

    def of(self, role: str, names: Sequence[str], known: Sequence[str]) -> Reading:
        """Of some questions ('label') or coders: those named before give way, columns stay."""
        said = self.options.get(role, ())
        columns = [x for x in ([said] if isinstance(said, str) else said) if x not in known]
        return self.saying(**{role: [*columns, *names]})

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, spelled: Callable[[Action], str] = Action.python) -> list[str]:
        """What was recognised, one sentence a line; ``spelled`` says how options are typed."""
        roles = ", ".join(f"{role} = {name}" for role, name in self.columns.items())
        lines = [f"read {self.source} as {self.layout}" + (f" ({roles})" if roles else "")]
        if self.blanks:
            cells = "1 blank counts" if self.blanks == 1 else f"{self.blanks:,} blanks count"
            lines.append(f"{cells} as {self.blanks_as}")
        lines += [f"left out: {what}" for what in losses(self.left_out)]
        notes = [Notice.spelled(note, spelled) for note in self.notes]
        doubts = [f"warning: {Notice.spelled(doubt, spelled)}" for doubt in self.warnings]
        return [*lines, *notes, *doubts]


def losses(left_out: Iterable[tuple[str, int]]) -> list[str]:
    """What was left out, each with its number."""
    return [f"{what}: {n:,}" for what, n in left_out if n]


@dataclass(frozen=True, eq=False)
class Annotations:
    """Annotations of items by coders, for one or several questions. Frozen.

    I items, C coders, Q questions, N annotations. Made by `accordant.read`.

    Parameters
    ----------
    items : sequence of hashable
        (I,) item ids as given.
    coders : tuple of str
        (C,) names of the coders.
    questions : tuple of str
        (Q,) names; ``('',)`` if the data hold a single question without a name.
    schemes : tuple of Scheme
        (Q,) the scheme of each question.
    values : tuple
        Every distinct value of all questions: a category, or, where an annotation may hold
        several labels, a tuple of categories (see `Scheme`).
    layout : Columns or ndarray
        The annotations: `Columns`, or an (I, C) array of codes into ``values`` with `NO_VALUE`
        for a missing annotation (a single question, all answered).
    texts : sequence of str, optional
        (I,) what the coders read.
    metadata : mapping of str to sequence
        Further columns about the items, (I,) each.
    reading : Reading
        How the file was understood.
    persons : tuple of str, optional
        (C,) which person each coder is, where some annotated items more than once and every time
        is kept as a coder, an occasion. Without it each coder is another person.
    spans : Spans, optional
        Where coders marked what in the texts, if that is what they did.
    """

    items: Sequence[Hashable] | NDArray[Any]
    coders: tuple[str, ...]
    questions: tuple[str, ...]
    schemes: tuple[Scheme, ...]
    values: tuple[Value, ...]
    layout: Columns | Ints
    texts: Sequence[str] | None = None
    metadata: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    spans: Spans | None = None
    anonymous: bool = False  # the coders are slots, not persons: no statement about coders holds
    persons: tuple[str, ...] | None = None

    # ------------------------------------------------------------------ the two layouts

    @cached_property
    def columns(self) -> Columns:
        """The annotations in long form, whatever the layout."""
        if isinstance(self.layout, Columns):
            return self.layout
        item, coder = np.nonzero(self.layout != NO_VALUE)
        value = self.layout[item, coder]
        zeros = np.zeros(len(item), np.uint8)
        return Columns(item, zeros, coder, value, zeros)

    @property
    def grid(self) -> Ints | None:
        """(I, C) codes if the annotations are held as a grid, else None."""
        return None if isinstance(self.layout, Columns) else self.layout

    @cached_property
    def answered(self) -> Columns:
        """The annotations that enter agreement."""
        if not isinstance(self.layout, Columns):
            return self.columns
        keep = self.layout.value != NO_VALUE
        return self.layout if keep.all() else self.layout.where(keep)

    # ------------------------------------------------------------------ facts

    def __len__(self) -> int:
        """Number of annotations that enter agreement."""
        codes = self.layout.value if isinstance(self.layout, Columns) else self.layout
        return int(np.count_nonzero(codes != NO_VALUE))

    @property
    def scheme(self) -> Scheme:
        """The scheme of the only question, or the union of all schemes."""
        return union(self.schemes)

    @cached_property
    def gold(self) -> tuple[str, ...]:
        """Columns about the items that hold labels of the scheme and are called gold or alike."""
        labels = {plain(c) for s in self.schemes for c in s.categories}
        return tuple(
            name
            for name, facts in self.metadata.items()
            if name not in self.reading.derived
            and consensus_like(name)
            and {plain(x) for x in facts} & labels
        )

    def statuses(self) -> dict[str, int]:
        """How often each status occurs.

        Examples
        --------
        >>> from accordant import read
        >>> read([[1, 2, None], [1, 2, 2]], layout="transposed").statuses()
        {'answered': 5, 'not assigned': 1}
        """
        if isinstance(self.layout, Columns):
            n = np.bincount(self.layout.status, minlength=len(Status))
        else:
            n = np.bincount([Status.ANSWERED], minlength=len(Status)) * len(self)
        cells = len(self.items) * len(self.coders) * len(self.questions)
        n[Status.NOT_ASSIGNED] = cells - n[: Status.NOT_ASSIGNED].sum()
        return {s.name.lower().replace("_", " "): int(n[s]) for s in Status if n[s] or s == 0}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that a result depends on, as 64 hex digits.

        The same for the same annotations, whatever the file format or the order of its rows.
        """
        from .fingerprint import fingerprint

        return fingerprint(
            _texts(self.items),
            self.coders,
            self.questions,
            self.schemes,
            self.values,
            self._pieces(),
            self.persons,
            None if self.spans is None else self.spans.told(),
        )

    def _pieces(self) -> Iterator[Piece]:
        """All annotations, in pieces of bounded size."""
        if isinstance(self.layout, Columns):
            c = self.layout
            yield c.item, c.question, c.coder, c.value, c.status
            return
        step = max(1, _PIECE // max(1, len(self.coders)))
        for start in range(0, len(self.layout), step):
            grid = self.layout[start : start + step]
            i, j = np.nonzero(grid != NO_VALUE)
            zeros = np.zeros(len(i), np.uint8)
            yield i + start, zeros, j, grid[i, j], zeros

    # ------------------------------------------------------------------ parts

    def of_question(self, question: str) -> Annotations:
        """Only the annotations of one question."""
        return self.of_questions([question])

    def of_questions(self, questions: Iterable[str]) -> Annotations:
        """Only the annotations of some questions, in the order given."""
        names = tuple(questions)
        chosen = [_position(name, self.questions, "question") for name in names]
        if chosen == list(range(len(self.questions))):
            return self
        return replace(
            self,
            questions=names,
            schemes=tuple(self.schemes[q] for q in chosen),
            layout=self.columns.only("question", chosen, len(self.questions)),
            spans=None if self.spans is None else self.spans.only(questions=names),
            reading=self.reading.of("label", names, self.questions),
        )

    def of_coders(self, coders: Iterable[str]) -> Annotations:
        """Only the annotations of some coders, in the order given."""
        names = tuple(coders)
        chosen = [_position(name, self.coders, "coder") for name in names]
        persons = None if self.persons is None else tuple(self.persons[k] for k in chosen)
        spans = None if self.spans is None else self.spans.only(coders=names)
        layout = (
            self.layout.only("coder", chosen, len(self.coders))
            if isinstance(self.layout, Columns)
            else self.layout[:, chosen]
        )
        reading = self.reading.of("coder", names, self.coders)
        return replace(
            self, coders=names, layout=layout, persons=persons, spans=spans, reading=reading
        )

    def of_items(self, keep: NDArray[np.bool_]) -> Annotations:
        """Only the items of a mask (I,)."""
        chosen = np.flatnonzero(keep)
        layout = (
            self.layout.only("item", chosen, len(self.items))
            if isinstance(self.layout, Columns)
            else self.layout[chosen]
        )
        return replace(
            self,
            items=_take(self.items, chosen),
            texts=None if self.texts is None else _take(self.texts, chosen),
            metadata={k: _take(v, chosen) for k, v in self.metadata.items()},
            layout=layout,
            spans=self._spans_of(chosen),
        )

    def of_persons(self) -> Annotations:
        """One annotation of each person for an item and question: that of the first occasion."""
        if self.persons is None:
            return self
        names, first = tuple(dict.fromkeys(self.persons)), self._first()
        c = self.columns.where(first == 0)
        who = np.array([names.index(p) for p in self.persons])
        layout = replace(c, coder=who[c.coder])
        spans = None if self.spans is None else self.spans.only(coders=names)
        return replace(self, coders=names, layout=layout, persons=None, spans=spans)

    def of_occasions(self) -> Annotations | None:
        """What persons said about an item again: their items, with a coder for each time.

        None where nobody did.
        """
        time = np.zeros(0, np.int64) if self.persons is None else self._first()
        if self.persons is None or not time.any():
            return None
        names, c = tuple(dict.fromkeys(self.persons)), self.columns
        who = np.array([names.index(p) for p in self.persons])[c.coder]
        pair = who.astype(np.int64) * len(self.items) + c.item
        used, item = np.unique(pair, return_inverse=True)
        ids = [*map(plain, _plain(self.items))]
        return replace(
            self,
            items=[(names[k // len(ids)], ids[k % len(ids)]) for k in used.tolist()],
            coders=tuple(f"time {k + 1}" for k in range(int(time.max()) + 1)),
            layout=Columns(item, c.question, time, c.value, c.status),
            texts=None,
            metadata={},
            persons=None,
            spans=None,
        )

    def _first(self) -> NDArray[np.int64]:
        """(N,) how many annotations of the same person, item and question come before each."""
        c, persons = self.columns, list(dict.fromkeys(self.persons or self.coders))
        who = np.array([persons.index(p) for p in self.persons or self.coders])[c.coder]
        given = (c.value == NO_VALUE).astype(np.int8)  # what carries no value comes last
        order = given.astype(np.int64) * len(self.coders) + c.coder
        return repeats([c.item, c.question, who], order)

    def _spans_of(self, chosen: Ints) -> Spans | None:
        """The spans in some items, which are texts or tokens of them ('text:12')."""
        if self.spans is None:
            return None
        names = set(_texts(_take(self.items, chosen)))
        return self.spans.only(names | {n.rpartition(":")[0] for n in names})

    def of_shared(self, *, complete: bool = False) -> Annotations:
        """Only answers to what two coders or more answered, or what all of them did (complete).

        A single answer has nothing to be compared with, but tells S, pi, kappa and AC about
        chance (Gwet 2014, ch. 2). Without such answers kappa of two coders is that of their
        contingency table.
        """
        needed, n_questions = len(self.coders) if complete else 2, len(self.questions)
        if not isinstance(self.layout, Columns):
            n = np.count_nonzero(self.layout != NO_VALUE, axis=1)
            grid = np.where(n[:, None] >= needed, self.layout, NO_VALUE)
            return self._without(replace(self, layout=grid.astype(self.layout.dtype)))
        place = self.layout.item.astype(np.int64) * n_questions + self.layout.question
        answered = self.layout.value != NO_VALUE
        n = np.bincount(place[answered], minlength=len(self.items) * n_questions)
        kept = self.layout.where(~answered | (n[place] >= needed))
        return self._without(replace(self, layout=kept))

    def _without(self, fewer: Annotations) -> Annotations:
        """The fewer annotations, with how many were left out in their reading."""
        n = len(self) - len(fewer)
        what = "annotations of items that too few coders annotated"
        left_out = (*self.reading.left_out, *([(what, n)] if n else []))
        return replace(fewer, reading=replace(self.reading, left_out=left_out))

    def of_scale(self, scale: Scale) -> Annotations:
        """The same annotations with another scale for every question."""
        schemes = tuple(s.of_scale(scale) for s in self.schemes)
        return replace(self, schemes=schemes, reading=self.reading.saying(scale=scale))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each annotation: item, question, coder, label, status."""
        c = self.columns
        named = self.questions != ("",)
        items = _plain(self.items)
        return [
            {"item": items[i]}
            | ({"question": self.questions[q]} if named else {})
            | {
                "coder": self.coders[j],
                "label": None if v == NO_VALUE else self.values[v],
                "status": Status(s).name.lower(),
            }
            for i, q, j, v, s in zip(
                *(x.tolist() for x in (c.item, c.question, c.coder, c.value, c.status)), strict=True
            )
        ]

    def to_frame(self, layout: Literal["long", "wide"] = "long") -> Any:
        """The annotations as a pandas data frame, which `read` takes back.

        Parameters
        ----------
        layout : {'long', 'wide'}
            A row for each annotation, with item, question (if they have names), coder, label and
            status; or a row for each item (and question) with a column for each coder, missing
            where the coder gave no label.

        Raises
        ------
        RequestError
            If pandas is not installed.

        Examples
        --------
        >>> import accordant as ac
        >>> data = ac.read([["a", "b"], ["a", None]], coder=["anna", "bob"])
        >>> data.to_frame()["label"].tolist()
        ['a', 'a', 'b']
        >>> data.to_frame("wide").columns.tolist()
        ['item', 'anna', 'bob']
        """
        if layout not in ("long", "wide"):
            raise RequestError(f"'long' or 'wide', not {layout!r}", parameter="layout")
        return frame_of(self.to_rows() if layout == "long" else self._wide())

    def _wide(self) -> dict[str, Any]:
        """Columns with a row for each item, or for each item and question."""
        n_questions, c = len(self.questions), self.answered
        table = np.full((len(self.items) * n_questions, len(self.coders)), len(self.values))
        table[c.item.astype(np.int64) * n_questions + c.question, c.coder] = c.value
        values = np.empty(len(self.values) + 1, object)  # the last is None
        for k, value in enumerate(self.values):  # which may be tuples: one by one
            values[k] = value
        labels = np.take(values, table.T)
        named = self.questions != ("",)
        items = [item for item in _plain(self.items) for _ in self.questions]
        return (
            {"item": items}
            | ({"question": [*self.questions] * len(self.items)} if named else {})
            | {name: column.tolist() for name, column in zip(self.coders, labels, strict=True)}
        )

    def __repr__(self) -> str:
        sizes = {"item": len(self.items), "coder": len(self.coders)}
        sizes |= {} if self.questions == ("",) else {"question": len(self.questions)}
        sizes |= {"annotation": len(self), "value": len(self.values)}
        return f"<Annotations: {', '.join(count_of(n, what) for what, n in sizes.items())}>"


def _position(name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise unknown(what, name, names)
    return names.index(name)


def _plain(values: Sequence[Any] | NDArray[Any]) -> Sequence[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values


def _texts(values: Sequence[Any] | NDArray[Any]) -> Iterable[str]:
    """Ids as text, the same whether they came as numbers or as text."""
    whole = isinstance(values, np.ndarray) and values.dtype.kind in "iu"
    return map(str if whole else plain, _plain(values))


def _take(values: Sequence[Any] | NDArray[Any], chosen: Ints) -> Any:
    if isinstance(values, np.ndarray):
        return values[chosen]
    return tuple(values[i] for i in chosen)
