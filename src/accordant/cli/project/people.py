"""`person`, `training`, `adjudicator`: who takes part, and as what."""

from __future__ import annotations

import click

from ...numbers import joined
from ...resolution.words import Role
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from .acting import Acting, acting
from .shown import show_rows
from .typed import text_of

__all__ = ["adjudicator", "person", "training"]

ROLES = [role.value for role in Role]


@command(
    examples=(
        ("accordant project person bob --role coder", "bob annotates"),
        ("accordant project person ana --role researcher --role coder", "new roles for ana"),
        ("accordant project person", "who takes part"),
    )
)
@click.argument("name", metavar="[NAME]", required=False)
@option(
    GIVEN, "--role", "roles", multiple=True, type=click.Choice(ROLES),
    help="What NAME may do (repeat it). Given again, it replaces the roles there were. "
    "Default: coder.",
)  # fmt: skip
@option(GIVEN, "--about", metavar="TEXT", help="Something that reports may say of NAME.")
@output
@acting
def person(
    acting: Acting, name: str | None, roles: tuple[str, ...], about: str | None, output: Output
) -> None:
    """Add a person or change their roles, or show who takes part.

    A researcher writes the toolbox, opens rounds and releases; a coder annotates blind and accepts
    outcomes; a moderator runs the discussion; an adjudicator decides what stays unresolved; an
    observer reads.
    """
    from ...resolution.commands.people import add_person

    with acting.opened(reads=name is None) as opened:
        if name is not None:
            given = tuple(Role(role) for role in roles) or (Role.CODER,)
            about_whom = {"about": about} if about else {}
            opened.do(add_person, name=name, roles=given, **about_whom)
            return
        rows = [
            {"name": p.name, "roles": joined(r.value for r in p.roles), "about": p.about,
             "training": p.training}
            for p in opened.state.people.values()
        ]  # fmt: skip
        show_rows(output, "People", ("name", "roles", "about", "training"), rows)


@command(
    examples=(
        ("accordant project training 'two sessions with 20 pages'", "of all coders"),
        ("accordant project training 'one session' --of bob --of cleo", "of some"),
    )
)
@click.argument("text", metavar="[TEXT]", required=False)
@option(GIVEN, "--of", "coders", multiple=True, metavar="CODER", help="Default: all coders.")
@acting
def training(acting: Acting, text: str | None, coders: tuple[str, ...]) -> None:
    """Record how coders were trained in the concepts.

    Needed where the coders are not the researchers.
    """
    from ...resolution.commands.people import record_training

    with acting.opened() as opened:
        who = coders or opened.state.coders
        opened.do(record_training, coders=who, text=text_of(text, "how they were trained"))


@command(
    examples=(
        ("accordant project adjudicator dora", "before step 5 begins, if at all"),
        ("accordant project adjudicator", "who it is"),
    )
)
@click.argument("name", metavar="[NAME]", required=False)
@acting
def adjudicator(acting: Acting, name: str | None) -> None:
    """Appoint who decides what stays unresolved, or show who it is.

    Oortwijn et al. (2021) call this person the dictator and advise against having one: what is
    decided so is no ground truth, and every release says which items that concerns. Appointed
    after step 5 has begun, it is printed too.
    """
    from ...resolution.commands.people import appoint_adjudicator

    with acting.opened(reads=name is None) as opened:
        if name is None:
            late = " (appointed late)" if opened.state.late_adjudicator else ""
            click.echo(f"{opened.state.adjudicator or 'nobody is appointed'}{late}")
            return
        opened.do(appoint_adjudicator, person=name)
