"""What the reader of a platform finds, annotation by annotation, held as codes."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ...errors import InputError
from ..annotations import Status
from ..plan import Cell, Plan
from ..table import BLANK, Column, Table, encode

__all__ = ["Import", "Label", "Records"]

Label: TypeAlias = str | int | float | Sequence[str] | None
_SCALAR = (str, int, float, bool)


@dataclass(frozen=True)
class Import:
    """What a file of a platform holds: tables with what their columns are for, and the report.

    ``about`` are tables that say something about the items, ``sets`` the questions whose
    annotations are sets of labels, even where all hold one.
    """

    layout: str
    columns: Mapping[str, str]
    tables: tuple[Table, ...]
    plans: tuple[Plan, ...]
    about: tuple[tuple[Table, Plan], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    sets: frozenset[str] = frozenset()


class _Coded:
    """A column that grows: codes into its distinct words."""

    def __init__(self, name: str) -> None:
        self.name, self.codes, self.words = name, array("i"), dict[Hashable, int]()

    def add(self, word: Hashable | None) -> None:
        if isinstance(word, str):
            word = word.strip() or None
        self.codes.append(BLANK if word is None else self.words.setdefault(word, len(self.words)))

    def column(self) -> Column:
        codes = np.frombuffer(self.codes, np.int32) if self.codes else np.zeros(0, np.int32)
        words = tuple(self.words)
        numbers = words and {type(w) for w in words} <= {int, float}
        return Column(self.name, codes, np.array(words) if numbers else words)


@dataclass
class Records:
    """Annotations as they are found; `done` gives what `read` needs.

    Parameters
    ----------
    layout : str
        What was read, as `describe` shows it: 'Label Studio (JSON)'.
    source : str
        The file, for messages.
    columns : mapping of str to str
        Role (item, coder, label …) to where the platform keeps it: ``{"coder": "completed_by"}``.
    """

    layout: str
    source: str
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left_out = Counter[str]()
        self._cells = {n: _Coded(n) for n in ("item", "question", "coder", "label", "status")}
        self._rows = array("i")
        self._about = dict[str, dict[str, Any]]()
        self._sets = set[str]()

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        item: object,
        coder: object,
        label: Label,
        *,
        question: str = "",
        status: Status = Status.ANSWERED,
        row: int | None = None,
    ) -> None:
        """One annotation.

        Parameters
        ----------
        item, coder : object
            Their names; shown as text. The coder is None where nobody knows who answered, in all
            annotations.
        label : str, number, sequence of str or None
            A category; a sequence where several may be given; None where there is no answer.
        question : str
            '' if there is one.
        status : Status
            A label of an annotation that is not answered is counted and left out by `read`.
        row : int, optional
            Line or record in the file.
        """
        if label is not None and not isinstance(label, _SCALAR):
            label = tuple(dict.fromkeys(map(str, label)))
            self._sets.add(question)
            if not label and status == Status.ANSWERED:
                status = Status.ANSWERED_EMPTY
        who = None if coder is None else str(coder)
        cells = (str(item), question, who, label, status.name.lower())
        for column, cell in zip(self._cells.values(), cells, strict=True):
            column.add(cell)
        self._rows.append(-1 if row is None else row)

    def about(
        self, item: object, text: str | None = None, facts: Mapping[str, object] | None = None
    ) -> None:
        """What is known of an item: its text and its metadata. The first that is said is kept."""
        known = self._about.setdefault(str(item), {})
        for name, value in {"text": text, **(facts or {})}.items():
            if isinstance(value, _SCALAR):
                known.setdefault(name, value)

    def leave_out(self, why: str, n: int = 1) -> None:
        """Count what is not read: 'drafts', 'predictions of a model'."""
        if n:
            self.left_out[why] += n

    def gold(self, item: object, label: Label, question: str = "") -> None:
        """A label that is known to be right: metadata of its item, no coder's annotation."""
        known = label if isinstance(label, _SCALAR) or label is None else "; ".join(map(str, label))
        self.about(item, None, {f"gold: {question}" if question else "gold": known})

    def done(self) -> Import:
        """What was found.

        Raises
        ------
        InputError
            If no annotation was.
        """
        if not self._rows:
            left = ", ".join(f"{n:,} {what}" for what, n in self.left_out.items())
            more = f"; left out: {left}" if left else ""
            raise InputError(
                f"this is {self.layout}, but no coder's answer is in it{more}", file=self.source
            )
        rows = self._rows
        columns = tuple(c.column() for c in self._cells.values())
        asked = "question" if self._cells["question"].words else None
        who = "coder" if self._cells["coder"].words else None
        plan = Plan("long", (Cell("label"),), "item", who, asked, status="status")
        table = Table(
            self.source, columns, lambda k: None if rows[k] < 0 else rows[k],
        )  # fmt: skip
        return Import(
            self.layout, self.columns, (table,), (plan,), self._facts(), tuple(self.notes),
            tuple(self.warnings), tuple(self.left_out.items()), frozenset(self._sets),
        )  # fmt: skip

    def _facts(self) -> tuple[tuple[Table, Plan], ...]:
        names = dict.fromkeys(n for known in self._about.values() for n in known)
        if not names:
            return ()
        columns = [encode(n, [k.get(n) for k in self._about.values()]) for n in names]
        table = Table(self.source, (encode("item", list(self._about)), *columns))
        text = "text" if "text" in names else None
        return ((table, Plan("items", (), "item", text=text)),)
