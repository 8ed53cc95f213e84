"""What a file of a platform holds, and what was left out of it and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from ...actions import Action
from ...errors import InputError
from ..options import Options
from ..plan import Plan
from ..spans import Spans
from ..table import Table


@dataclass(frozen=True)
class Import:
    """What a file of a platform holds: tables with what their columns are for, and the report.

    ``about`` are tables that say something about the items, ``sets`` the questions whose
    annotations are sets of labels, even where all hold one, ``controls`` the kind of each question
    on the platform, and what it is about.
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
    spans: Spans | None = None
    controls: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def questions(self) -> list[str]:
        """The questions that have a name."""
        asked = [
            t[p.question].text
            for t, p in zip(self.tables, self.plans, strict=True)
            if p.question is not None
        ]
        asked.append([c.question for p in self.plans if p.question is None for c in p.cells])
        return [q for q in dict.fromkeys(chain.from_iterable(asked)) if q]

    def questions_said(self, options: Options, source: str) -> tuple[str, ...]:
        """The questions that the user chose as columns of labels; () for all.

        Raises
        ------
        InputError
            If the platform has no such question, or other columns of items or coders.
        """
        questions = self.questions
        labels = list(dict.fromkeys([*questions, *self.columns.get("label", "").split(", ")]))
        has = {
            "item": [self.columns.get("item", "")],
            "coder": [self.columns.get("coder", "")],
            "label": labels,
        }
        said = {
            "item": [options.item] if options.item else [],
            "coder": options.coder,
            "label": options.label,
        }
        for role, names in said.items():
            odd = [name for name in names if name not in has[role]]
            if odd:
                roles = (f"{r} {', '.join(map(repr, n))}" for r, n in has.items() if any(n))
                raise InputError(
                    f"this is {self.layout}, which says itself what is what ({'; '.join(roles)}), "
                    f"and {odd[0]!r} is none of its {role}s",
                    file=source,
                    do=[Action("", {role: has[role][0]}) for _ in has[role][:1] if has[role][0]]
                    + [Action("", {"layout": "long"}, "to read a table of any columns")],
                )
        return tuple(name for name in options.label if name in questions)
