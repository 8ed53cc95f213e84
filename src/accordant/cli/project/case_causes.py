"""Discussing a case: reasons, causes, disputes."""

from __future__ import annotations

import click

from ...resolution.words import Cause
from ..group import GIVEN, command
from ..options import option
from .acting import Acting, acting
from .case import named_cases
from .typed import text_of

__all__ = ["cause", "dispute", "reason", "reopen"]

CITES = option(
    GIVEN, "--cites", multiple=True, metavar="ELEMENT",
    help="What in the toolbox it rests on (repeat it): 'question ID', 'rule ID', 'concept NAME'.",
)  # fmt: skip


def stretch(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Two positions with a hyphen between them."""
    if value is None:
        return None
    first, _, last = value.partition("-")
    if not (first.strip().isdecimal() and last.strip().isdecimal()):
        raise click.BadParameter("write the first and the last character, such as 0-12", ctx, param)
    return int(first), int(last)


@command(
    examples=(
        ("accordant project case 3 reason 'it is a report' --cites 'rule R2'", "why you said so"),
        ("accordant project case 3 reason - < why.txt", "a longer text"),
        ("accordant project case 3 reason 'this part' --highlight 10-42", "with the words meant"),
    )
)
@click.argument("text", metavar="[TEXT]", required=False)
@CITES
@option(GIVEN, "--highlight", callback=stretch, metavar="FROM-TO", help="Characters of the text.")
@acting
def reason(
    acting: Acting, text: str | None, cites: tuple[str, ...], highlight: tuple[int, int] | None
) -> None:
    """Say why you annotated the item as you did.

    The others' reasons are shown after that.
    """
    from ...resolution.commands.cases import give_reason
    from ...resolution.disagreement import cases_named

    with acting.opened() as opened:
        said = text_of(text, "your reason")
        for one in cases_named(opened.state, named_cases()):
            opened.do(give_reason, case=one.number, text=said, cites=cites, highlight=highlight)


def pairs(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    """NAME=TEXT, several of them."""
    found = {}
    for one in value:
        name, is_there, text = one.partition("=")
        if not is_there or not name.strip() or not text.strip():
            raise click.BadParameter(f"{one!r} is not NAME=TEXT", ctx, param)
        found[name.strip()] = text.strip()
    return found


@command(
    examples=(
        ("accordant project case 3 cause a2 --rule missing --wording 'reports are no'", "a gap"),
        ("accordant project case 4 cause b --concept claim --width 'too narrow'", "a concept"),
        (
            "accordant project case 5 cause c --coder bob --other p9 --same 'the same sentence'",
            "one coder was inconsistent",
        ),
        ("accordant project case 6 cause d", "the item is read differently"),
        ("accordant project case 7 cause e --coder cleo --meant yes", "a slip"),
        ("accordant project causes", "what each cause means and asks for"),
    )
)
@click.argument("cause", type=click.Choice([c.value for c in Cause]), required=False)
@option(GIVEN, "--concept", default="", metavar="NAME", help="a1-concept, b: the concept.")
@option(
    GIVEN, "--construal", "construals", multiple=True, callback=pairs, metavar="CODER=TEXT",
    help="a1: how a coder understood the task or the concept (repeat it).",
)  # fmt: skip
@option(GIVEN, "--rule", default="", metavar="ID", help="a2: the rule that is unclear, or missing.")
@option(GIVEN, "--wording", default="", metavar="TEXT", help="a2: what the guidelines should say.")
@option(
    GIVEN, "--knowledge", default="", metavar="TEXT",
    help="b: what one coder knew and another did not.",
)  # fmt: skip
@option(
    GIVEN, "--width", default="", metavar="TEXT",
    help="b: which part of the concept is too narrow or too wide.",
)  # fmt: skip
@option(GIVEN, "--coder", default="", metavar="NAME", help="c, e: who is asked.")
@option(
    GIVEN, "--other", "others", multiple=True, metavar="ITEM",
    help="c: an item that was annotated differently (repeat it).",
)  # fmt: skip
@option(
    GIVEN, "--same", default="", metavar="TEXT",
    help="c: why the items are the same in what matters.",
)  # fmt: skip
@option(GIVEN, "--meant", default="", metavar="TEXT", help="e: what was meant.")
@acting
def cause(acting: Acting, cause: str | None, **evidence: object) -> None:
    """Propose why the coders disagree, with what the cause asks for.

    Whoever must consent is told: all coders of the item, or the one coder whom c or e names.
    """
    if cause is None:
        raise click.UsageError(
            "which cause? `accordant project causes` explains a1-concept, a1-task, a2, b, c, d, e"
        )
    from ...resolution.commands.causes import propose_cause
    from ...resolution.records import Evidence

    with acting.opened() as opened:
        opened.do(
            propose_cause,
            cases=named_cases(),
            cause=Cause(cause),
            evidence=Evidence(**evidence),  # type: ignore[arg-type]
        )


@command(
    examples=(
        ("accordant project case 3 dispute 'two causes, no consent'", "it goes on as d"),
        (
            "accordant project case 3 dispute 'no consent' --gap 'nothing is said about reports'",
            "somebody cites a gap in the guidelines: it goes on as a2",
        ),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@option(GIVEN, "--gap", default="", metavar="TEXT", help="What the guidelines should say.")
@option(
    GIVEN, "--rule", default="", metavar="ID", help="The rule that is unclear, if there is one."
)
@acting
def dispute(acting: Acting, reason: str | None, gap: str, rule: str) -> None:
    """Go on although no cause finds consent.

    A moderator or researcher may, after somebody has refused a cause.
    """
    from ...resolution.commands.causes import dispute_cause

    (number,) = named_cases(one=True)
    with acting.opened() as opened:
        why = text_of(reason, "why no cause finds consent")
        opened.do(dispute_cause, case=number, reason=why, gap=gap, rule=rule)


@command(
    examples=(
        ("accordant project case 3 reopen 'the rule was read wrongly'", "one case"),
        ("accordant project case 3-5 reopen 'the rule was read wrongly'", "several"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@acting
def reopen(acting: Acting, reason: str | None) -> None:
    """Open cases again; everything said before is kept."""
    from ...resolution.commands.cases import reopen as reopened

    with acting.opened() as opened:
        opened.do(reopened, cases=named_cases(), reason=text_of(reason, "why"))
