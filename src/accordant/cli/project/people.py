"""`person`: who takes part, in which roles, and the token by which a person is known."""

from __future__ import annotations

from typing import Annotated, Any

import click

from ...resolution.parameters import Typed
from ..output import Output
from ..terminal import tell
from .acting import Acting
from .definitions import step
from .steps import show

__all__ = ["person"]


@step("person", takes="person")
def person(
    acting: Acting, name: Annotated[str, Typed(argument=True)] = "", *, invite: bool = False,
    revoke: bool = False, output: Output, **given: Any,
) -> None:  # fmt: skip
    """Add a person or change their roles, or show who takes part.

    A researcher writes the toolbox, opens rounds and releases; a coder annotates blind and accepts
    outcomes; a moderator leads the discussion; an adjudicator decides what stays unresolved; an
    observer reads.

    Parameters
    ----------
    name : str
        Who.
    invite : bool
        Print a token by which the person is known to a server; it is shown this once, and one of
        before is void.
    revoke : bool
        Make the person's token void.

    Examples
    --------
    Bob annotates:
    $ accordant project person bob --role coder
    New roles for ana:
    $ accordant project person ana --role researcher --role coder
    Who takes part:
    $ accordant project person
    A token for bob:
    $ accordant project person bob --invite
    """
    from ...resolution.steps import add_person

    if not name:
        with acting.opened(reads=True) as opened:
            show(opened, "person", output)
        return
    token = invite or revoke
    if token and acting.looks:
        raise click.UsageError("--preview says nothing about tokens: leave it out")
    with acting.opened() as opened:
        if given or not token:
            opened.do(add_person, name=name, **given)
        if revoke:
            opened.project.revoke(name, by=opened.by)
            click.echo(f"✓ the token of {name} is void")
        if invite:
            click.echo(opened.project.invite(name, by=opened.by))
            tell([f"the token of {name}, shown this once: who has it can act as {name}"])
