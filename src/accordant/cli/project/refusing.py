"""A refusal on a terminal: everything that is missing, what to type, and who is awaited."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

import click

from ...numbers import joined
from ..spoken import spoken
from ..terminal import COLOUR, width

if TYPE_CHECKING:
    from ...resolution.refusal import Refused, Unmet

__all__ = ["TO_TYPE", "Refusal", "lines_of"]

TO_TYPE = {
    "purpose": "accordant project purpose 'ground truth'",
    "research_question": "accordant project question TEXT",
    "task_hash": "accordant project task FILE",
    "guideline_ge_1": "accordant project guidelines FILE",
    "scoring_options": "accordant project guidelines FILE",
    "ambiguity_policy": "accordant project guidelines FILE",
    "all_acknowledged": "accordant project acknowledge",
    "all_concepts_defined": "accordant project concepts FILE",
    "models_for_complex": "accordant project concepts FILE",
    "all_signed_off": "accordant project sign-off",
    "no_objection": "accordant project object --withdraw",
    "units_frozen": "accordant project items FILE --freeze",
    "two_annotators": "accordant project person NAME --role coder",
    "all_submitted_or_declined": "accordant project annotate",
    "training_recorded": "accordant project training TEXT",
    "finding_recorded": "accordant project finding TEXT",
    "confirmed_no_score_change": "accordant project confirm",
    "open_order": "accordant project reannotate",
    "appointment": "accordant project adjudicator NAME",
    "adjudicator": "accordant project adjudicator NAME",
    "order_waived": "accordant project reannotate",
    "no_open_order": "accordant project reannotate",
    "no_stale": "accordant project round open",
    "no_incomplete": "accordant project round open",
    "all_cases_agreed": "accordant project cases --live",
    "no_conflict": "accordant project cases --live",
    "person": "accordant project person NAME --role ROLE",
    "step": "accordant project status shows the ways from here",
}
"""What to type where a guard does not hold."""
MARK = "· "


class Refusal(click.ClickException):
    """The procedure does not allow a command now."""

    exit_code = 1

    def __init__(self, refused: Refused, typed: Sequence[str] = ()) -> None:
        super().__init__(str(refused))
        self.refused, self.typed = refused, typed

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it on stderr."""
        what = self.refused.what
        head = f"{what[:1].upper()}{what[1:]} is not possible now"
        click.echo(click.style("Not done. ", fg="red", bold=True) + head + ":", err=True,
                   color=COLOUR)  # fmt: skip
        for line in lines_of(self.refused.unmet):
            click.echo(line, err=True)
        for sentence in self.refused.notes:
            click.echo(textwrap.fill(f"  {sentence}", width(), subsequent_indent="  "), err=True)
        for text in self.typed:
            told = textwrap.indent(textwrap.fill(text, width() - 4), "    ")
            click.echo(click.style(f"  you wrote:\n{told}", dim=True), err=True, color=COLOUR)


def lines_of(unmet: Sequence[Unmet], indent: int = 2) -> list[str]:
    """What is missing, one mark each, with what to do below it."""
    lines = []
    for one in unmet:
        room = width() - indent
        first, rest = " " * indent + MARK, " " * (indent + len(MARK))
        says = one.says + (f" (awaited: {joined(one.awaited)})" if _adds(one) else "")
        lines.append(textwrap.fill(spoken(says), room, initial_indent=first,
                                   subsequent_indent=rest))  # fmt: skip
        todo = "; ".join(filter(None, [spoken(one.todo), TO_TYPE.get(one.guard, "")]))
        if todo:
            lines.append(textwrap.fill(f"→ {todo}", room, initial_indent=rest,
                                       subsequent_indent=rest + "  ",
                                       break_on_hyphens=False))  # fmt: skip
    return lines


def _adds(one: Unmet) -> bool:
    """Whether somebody is awaited whom the sentence does not name."""
    return any(name not in one.says for name in one.awaited)
