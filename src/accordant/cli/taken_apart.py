"""What a reader sees of a scheme taken apart: partitions with their levels, or the items behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..decomposition.abridging import abridged
from ..decomposition.decomposition import Decomposition
from ..decomposition.decompositions import Decompositions, Explored
from ..decomposition.rules import partition_of
from ..errors import RequestError
from ..measure.coefficients import COEFFICIENTS
from ..numbers import count_of, decimal
from ..views.document import Column, Table
from .dividing import Dividing
from .one_partition import print_partition, print_steps, steps_table
from .partitions import LEGEND, partitions_table, trivial
from .tables import print_list, print_sentences, print_signature, print_table
from .terminal import spoken

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Answer", "answer"]

ITEMS = (Column("item", "item"), Column("labels", "labels"), Column("text", "text"))
QUESTION = Column("question", "question")
Typed = Callable[..., str]  # the command with more words, without one question's choice if asked


def answer(found: Decompositions, asked: Dividing, typed: Typed) -> Answer:
    """What is shown of it; ``typed`` makes the next command out of the words to add.

    Everything that takes long is worked out here.
    """
    return Answer(found, asked, typed, found.to_rows())


@dataclass(frozen=True, eq=False)
class Answer:
    """A scheme taken apart, for a program (`rows`), a document (`table`) or a reader (`print`)."""

    found: Decompositions
    asked: Dividing
    typed: Typed
    partitions: Sequence[dict[str, Any]]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Items if they are listed, the levels of a chain, or partitions; unrounded."""
        level = self.asked.listed_level
        if level is not None:
            return [
                row for one in self.found for item in one.items(level) for row in item.to_rows()
            ]
        if self.asked.then:
            return [
                {"question": one.basis.question} | row
                for one in self.found
                for row in one.steps.to_rows()
            ]
        return list(self.partitions)

    def table(self) -> Table:
        """The columns that a reader should see."""
        if self.asked.listed_level is not None:
            return Table("Items", ITEMS, tuple(self.rows))
        parts, several = self.found.parts, len(self.found.parts) > 1
        if self.asked.then:
            symbol = COEFFICIENTS[parts[0].basis.form.key].symbol
            total = None if several else parts[0].rows[0].steps.total
            found = steps_table(self.rows, symbol, total, None)
            columns = (*([QUESTION] if several else []), *found.columns)
            return Table(found.title, columns, found.rows, found.notes)
        tables = [partitions_table(part, self.asked.rounding is not None, None) for part in parts]
        columns = tuple(dict.fromkeys(c for table in tables for c in table.columns))
        rows = tuple(row for table in tables for row in table.rows)
        notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
        head = (QUESTION,) if several else ()
        return Table("Partitions of the scheme", (*head, *columns), rows, notes)

    # ------------------------------------------------------------------ on a terminal

    def print(self, console: Console) -> None:
        """Print it for people."""
        whole = [part for part in self.found.parts if self._shows(part)]
        for part in whole:
            self._print_part(console, part)
        simple = [trivial(part) for part in self.found.parts if part not in whole]
        if simple:
            console.print()
            print_sentences(console, simple)
        left = [f"{q}: left out, {why}" for q, why in self.found.left_out.items()]
        print_list(console, [spoken(note) for note in (*left, *self.found.notes)])
        for about, command in self._next(whole):
            console.print()
            print_sentences(console, [f"{about}:"], style="dim")
            print_signature(console, command)

    def _shows(self, part: Explored) -> bool:
        """Whether there is more to show of a question than a sentence."""
        asked = self.asked
        return asked.listed is not None or asked.rounding is not None or not trivial(part)

    def _print_part(self, console: Console, part: Explored) -> None:
        console.print()
        print_sentences(console, [_headline(part)], style="bold")
        console.print()
        if self.asked.listed_level is not None:
            self._print_items(console, part.rows[0])
        elif len(part.rows) == 1 and part.named:
            (print_steps if self.asked.then else print_partition)(console, part)
        else:
            rounded = self.asked.rounding is not None
            print_table(console, partitions_table(part, rounded, console.width))
            kind = "" if part.exhaustive or part.named else "not exhaustive: "
            told = [f"{kind}{part.how}", *(x for x in part.remarks if not x.startswith(LEGEND))]
            print_list(console, map(spoken, told))

    def _print_items(self, console: Console, one: Decomposition) -> None:
        level = self.asked.listed_level or 1
        total = one.n_first if level == 1 else one.n_second
        where = "level 1" if level == 1 else "level 2 only"
        told = f"{count_of(total, 'item')} on which coders differ on {where}"
        print_sentences(console, [f"{abridged(one.rule)}: {told}"])
        rows = [row for item in one.items(level, self.asked.most) for row in item.to_rows()]
        if rows:
            console.print()
            texts = any(row["text"] for row in rows)
            left = total - len(rows)
            note = [f"{left:,} more: --most {total}"] if left else []
            print_table(console, Table("", ITEMS if texts else ITEMS[:2], tuple(rows), tuple(note)))

    def _next(self, whole: Sequence[Explored]) -> Iterator[tuple[str, str]]:
        """What to type next, and what it is about."""
        parts = [part for part in whole if part.rows]
        if self.asked.listed_level is not None or not parts:
            return
        only = str(parts[0].question) if len(self.found.parts) > 1 else None
        rule = self.asked.by[0] if self.asked.by else _readable(parts[0], parts[0].rows[0])
        if not self.asked.by:
            yield "more about one", self.typed("--by", rule, only=only)
        elif parts[0].rows[0].n_second or parts[0].rows[0].n_first:
            level = "2" if parts[0].rows[0].n_second else "1"
            yield "the items behind it", self.typed("--by", rule, "--list", level, only=only)


def _headline(part: Explored) -> str:
    b = part.basis
    n, pairs = b.n_items, b.cells.states.pairs
    several = "" if b.cells.states.is_pooled else f" · {count_of(len(pairs), 'pair')} of coders"
    facts = [
        *([f"question {part.question}"] if part.question else []),
        f"{count_of(n, 'item')} with two annotations{several}",
        f"{count_of(len(b.values), 'value')}",
        f"{COEFFICIENTS[b.form.key].symbol} {decimal(b.total.value)} overall",
    ]
    return " · ".join(facts)


def _readable(part: Explored, one: Decomposition) -> str:
    """What to write for a partition: its rule, or its sets as bits where these are shorter."""
    b, rule = part.basis, one.rule
    bits = b.text(min(one.partition.blocks, key=len)) if b.labels else rule
    if abridged(rule) == rule or len(bits) >= len(rule):
        return rule
    try:
        read = partition_of(bits, b.values, b.labels, part.hierarchy)  # type: ignore[arg-type]
    except RequestError:
        return rule
    same = set(map(frozenset, read.blocks)) == set(map(frozenset, one.partition.blocks))
    return bits if same else rule
