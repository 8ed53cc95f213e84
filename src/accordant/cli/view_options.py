"""What is shown of a result: all that lies on top, or one view of it, in a format or in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import click

from ..actions import option as spelled
from ..api.types import Gold, Level, Seed, Share
from ..inputs import Input, inputs_of
from ..kinds import AtLeast, Metavar
from .help import Option
from .output import Output
from .parameters import option

if TYPE_CHECKING:
    from ..results import Result
    from ..views.blocks import Table
    from ..views.document import Section
    from ..views.view import View


Coder = Annotated[str, Metavar("CODER")]


def viewing(
    *,
    of: Coder | None = None,
    against: Coder | None = None,
    cell: Annotated[tuple[str, str], Metavar("LABEL LABEL")] | None = None,
    keep: Share | None = None,
    keep_share: Share | None = None,
    listed: Annotated[int, AtLeast(1), Metavar("LEVEL")] | None = None,
    truth: Gold | None = None,
    level: Level | None = None,
    seed: Seed | None = None,
) -> None:
    """Options of views, each told once.

    Parameters
    ----------
    of : str
        Only this coder.
    against : str
        The other coder, whose labels are compared with those of --of.
    cell : pair of str
        The items to which one coder gave the first label and another the second.
    keep : float
        Only labels with this probability or more.
    keep_share : float
        Only this share of the labels, the most certain.
    listed : int
        The items on which coders differ on this level.
    truth : str
        Known labels to score by: a coder, a column about the items, or a file with the columns
        item and gold. The model is not told them.
    level : float
        Confidence level.  [default: 0.95]
    seed : int
        Makes what is drawn repeatable.
    """


SHOWN = "What is shown"
CHOOSING = ("of", "against", "cell", "keep", "keep_share", "listed")
"""Options that choose a view which takes them; others are for every view that takes them."""


def answering(kinds: Iterable[str]) -> Iterator[Option]:
    """The options that choose what is shown of a result of these kinds, and those of its views."""
    views = _views(kinds)
    taken = {name for view in views for name in view.options}
    shown: list[Input] = []
    if len(views) > 1:
        every: Any = Literal[tuple(dict.fromkeys(view.name for view in views))]
        told = dict.fromkeys(f"{v.name} ({v.help})" if v.help else v.name for v in views)
        named: Any = Annotated[every, Metavar("NAME")]
        shown = [Input("show", named, None, f"Only this table: {'; '.join(told)}.")]
    wanted = [one for one in inputs_of(viewing) if one.name in taken]
    yield from filter(None, (option(one, SHOWN) for one in (*shown, *wanted)))


class Shown(NamedTuple):
    """A result, and what a reader is told after all that lies on top of it; how the run ends."""

    result: Any
    after: Callable[[], Iterable[Section]] = tuple
    options: Mapping[str, Any] = {}
    code: int = 0


class Answer(NamedTuple):
    """Which view, how much of it, and where to."""

    output: Output
    name: str
    options: Mapping[str, Any]
    most: int | None
    full: bool

    @classmethod
    def of(cls, typed: Mapping[str, Any], kinds: Sequence[str]) -> Answer:
        """What was asked for; an option may choose the view that takes it.

        Raises
        ------
        UsageError
            If a view is asked for that does not take an option.
        """
        views = _views(kinds)
        given = {n: typed[n] for view in views for n in view.options if n in typed}
        chosen = [n for n in given if n in CHOOSING]
        name = str(typed.get("show", ""))
        fitting = [v.name for v in views if set(chosen) <= {*v.options}]
        if chosen and (name not in fitting if name else not fitting):
            where = " or ".join(f"--show {view}" for view in fitting)
            names = " and ".join(map(spelled, chosen))
            raise click.UsageError(f"{names}: {where or 'give one of them'}.")
        if chosen and not name:
            from ..views.view import DETAIL

            below = [v.name for v in views if v.name in fitting and v.place >= DETAIL]
            name = (below or fitting)[0]
        output = Output(typed.get("format"), typed.get("output"))
        return cls(output, name, given, typed.get("most"), bool(typed.get("full")))

    def show(self, result: Result | Shown) -> None:
        """Print or write the result."""
        from ..views.view import named

        told = result if isinstance(result, Shown) else Shown(result)
        found, parts = told.result, told.result.told_parts
        view = named(found.told_as, self.name) if self.name else None

        def rows() -> list[dict[str, Any]]:
            if view is not None:
                made = view.rows(parts, **self._for(view, told))
            else:
                made = found.nested() if self.output.kind == "json" else found.to_rows()
            return [*_first(made, self.most)]

        def table() -> Table:
            from ..render.show import rows_table

            first = view or self._first_view(told)
            return (
                rows_table(found) if first is None else first.table(parts, **self._for(first, told))
            )

        def pretty(console: Any) -> None:
            from ..render.terminal import MOST, Terminal, print_sections
            from ..views.next_steps import followed

            shown = [*self._sections(told, view)]
            depth = shown[0].reach if view is not None else "main"
            how = Terminal(True, "detail" if self.full else depth, self.most or MOST)
            after = told.after() if view is None else ()
            print_sections(console, [*shown, *followed(after, found.called)], how)

        programs = self.output.kind in ("json", "csv") or self.output.of_rows
        self.output.show(rows() if programs else (), table, pretty)

    def _sections(self, told: Shown, view: View | None) -> Iterator[Section]:
        """The view that was asked for; else all that lie on top."""
        from ..render.show import sections_of, views_on_top
        from ..views.blocks import Prose
        from ..views.next_steps import followed

        found = told.result
        on_top = views_on_top(found)
        for one in [view] if view is not None else on_top:
            made = one.section(found.told_parts, **self._for(one, told))
            (section,) = followed([made], found.called)
            if section.blocks:
                yield section
            elif view is not None:
                yield replace(section, blocks=(Prose("Nothing to show."),))
        if view is None and not on_top:
            yield from sections_of(found)

    def _for(self, view: View, told: Shown) -> dict[str, Any]:
        """The options that a view takes."""
        every = {**self.options, **told.options, "most": self.most}
        return {n: x for n, x in every.items() if n in view.options and x is not None}

    def _first_view(self, told: Shown) -> View | None:
        """The first view that holds a table."""
        parts = told.result.told_parts
        each = _views([told.result.told_as])
        return next((v for v in each if v.table(parts, **self._for(v, told)).columns), None)


def _views(kinds: Iterable[str]) -> list[View]:
    from ..views.view import views_of

    return [view for kind in kinds for view in views_of(kind)]


def _first(rows: Sequence[dict[str, Any]], most: int | None) -> Iterator[dict[str, Any]]:
    """The first rows of each question."""
    seen = Counter[Any]()
    for row in rows:
        seen[row.get("question")] += 1
        if most is None or seen[row.get("question")] <= most:
            yield row
