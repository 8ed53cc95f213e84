"""`acknowledge`, `sign-off`, `object`, `confirm`: coders agree to the toolbox, or say why not."""

from __future__ import annotations

import click

from ..group import GIVEN, command
from ..options import option
from .acting import Acting, acting
from .typed import text_of

__all__ = ["acknowledge", "confirm", "object_", "sign_off"]


@command(
    examples=(
        ("accordant project acknowledge --as bob", "bob has read task and guidelines"),
        ("accordant project guidelines", "to read them"),
    )
)
@acting
def acknowledge(acting: Acting) -> None:
    """Say that you have read the task and the guidelines."""
    from ...resolution.commands.guidelines import acknowledge as acknowledged

    with acting.opened() as opened:
        opened.do(acknowledged)


@command(
    examples=(
        ("accordant project sign-off --as bob", "bob agrees to every key concept"),
        ("accordant project sign-off naturalism --as bob", "to one of them"),
    ),
    name="sign-off",
)
@click.argument("concept", metavar="[CONCEPT]", required=False)
@acting
def sign_off(acting: Acting, concept: str | None) -> None:
    """Agree to the definitions of the key concepts.

    A round opens only when every coder has signed every concept. A new version of a concept makes
    all signatures of the one before void.
    """
    from ...resolution.commands.concepts import sign_off as signed

    with acting.opened() as opened:
        opened.do(signed, concept=concept)


@command(
    examples=(
        ("accordant project object 'too wide' --to naturalism --as bob", "to a concept"),
        ("accordant project object 'rule R1 contradicts R2' --as bob", "to the guidelines"),
        ("accordant project object --withdraw --to naturalism --as bob", "no longer"),
    ),
    name="object",
)
@click.argument("text", metavar="[TEXT]", required=False)
@option(GIVEN, "--to", "concept", metavar="CONCEPT", help="Default: to the guidelines.")
@option(GIVEN, "--withdraw", is_flag=True, help="Take your objection back.")
@acting
def object_(acting: Acting, text: str | None, concept: str | None, withdraw: bool) -> None:
    """Object to a concept or to the guidelines, and say why.

    No round opens while an objection stands. It ends with a new version too.
    """
    from ...resolution.commands.concepts import object_to, withdraw_objection

    with acting.opened() as opened:
        if withdraw:
            opened.do(withdraw_objection, concept=concept or "")
        else:
            said = text_of(text, "what you object to")
            opened.do(object_to, concept=concept or "", text=said)


@command(
    examples=(
        ("accordant project confirm --as bob", "of the guidelines in force"),
        ("accordant project confirm 1.0.1 --as bob", "of a version"),
    )
)
@click.argument("version", metavar="[VERSION]", required=False)
@acting
def confirm(acting: Acting, version: str | None) -> None:
    """Confirm, as a coder, that new wording changes no score."""
    from ...resolution.commands.guidelines import confirm_editorial

    with acting.opened() as opened:
        opened.do(confirm_editorial, version=version)
