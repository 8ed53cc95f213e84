"""`new`, `import`, `person`: how a project begins, and who takes part."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import click

from ...kinds import Typed
from ..calls import Asked
from ..output import Output
from ..terminal import tell, waiting
from .actor import SUFFIX, Acting, Opened
from .definitions import step
from .steps import show

__all__ = ["file_name", "import_", "new", "person"]


TOLD = ("compared", "cases opened", "case agreed", "reannotation ordered", "deviation recorded")
# What is told of an import, in this order.


def file_name(title: str) -> str:
    """A name for the file of a project.

    Examples
    --------
    >>> file_name("Épistémologie: views, opinions!")
    'epistemologie-views-opinions.accordant'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return f"{'-'.join(re.findall(r'[a-z0-9]+', plain.lower()))[:60] or 'project'}{SUFFIX}"


@step("new")
def new(acting: Acting, title: str) -> None:
    """Begin a project.

    Who begins it is its first researcher. A file that exists is not replaced. The file is the
    whole project: send it to hand it on.

    Parameters
    ----------
    title : str
        The title.

    Examples
    --------
    In letters.accordant of this folder:
    $ accordant project new 'Letters' --as ana
    In another file:
    $ accordant project new 'Letters' --as ana -p study.accordant
    On a server, for a team:
    $ accordant project new L --as ana -p 'postgresql://ana@db/team?project=letters'
    """
    from ...resolution.project import Project

    person = acting.researcher
    with Project.create(acting.project or file_name(title), title, by=person) as made:
        click.echo(f"✓ project “{title}” begins in {made.store.shown}; {person} is its researcher")
    click.echo("Next: accordant project question TEXT, then: accordant project status")


@step("import")
def import_(
    acting: Acting,
    source: Asked,
    *,
    title: str = "",
    cases: Annotated[Path | None, Typed("FILE", "--cases")] = None,
    consensus: Annotated[Path | None, Typed("FILE", "--consensus")] = None,
    toolbox: Annotated[Sequence[Path], Typed("FILE", "--toolbox")] = (),
) -> None:
    """Make a project of annotations that are finished.

    They become its closed first round. What the procedure asks for and the files do not show is
    recorded as deviations, which are printed on everything that is given out. What looks wrong in
    the files is told as a warning.

    Parameters
    ----------
    source : Asked
        The files.
    title : str
        Of the project; the name of the file by default.
    cases : path
        What is known of disagreements: columns item, question, cause, and perhaps coder, others,
        concept, element, text.
    consensus : path
        What the coders agreed on, or what stands as gold; may be the same file.
    toolbox : sequence of path
        Task, guidelines and concepts as they were, in a toolbox file; a second file holds what the
        discussion changed: what that bears on is owed again.

    Examples
    --------
    A closed round, ready to be resolved:
    $ accordant project import ratings.csv --as ana
    With what is known of causes and outcomes:
    $ accordant project import a.csv --as ana --cases cases.csv --consensus gold.csv
    With the task, rules and concepts:
    $ accordant project import a.csv --as ana --toolbox toolbox.toml
    """
    from ...resolution.importing.cause_files import file_digest, read_cases, read_consensus
    from ...resolution.importing.first_round import Finished
    from ...resolution.importing.toolbox_file import read_toolbox
    from ...resolution.project import Project
    from ...resolution.steps import import_finished

    person, data = acting.researcher, source.read()
    before = read_toolbox(toolbox[0]) if toolbox else {}
    asked = list(before["task"].questions) if "task" in before else []
    if data.questions == ("",) and len(asked) == 1:  # data that do not name their only question
        data = replace(data, questions=(asked[0].id,))
    after = [read_toolbox(path) for path in toolbox[1:]]
    known, read_as = read_cases(cases, data) if cases else ((), "")
    tell([read_as] if read_as else [])
    files = dict.fromkeys([*source.files, *filter(None, (cases, consensus)), *toolbox])
    finished = Finished(
        data,
        read_consensus(consensus, data) if consensus else {},
        known,
        before.get("task"),
        before.get("guidelines"),
        before.get("concept", ()),
        tuple(
            part
            for one in after
            for part in (*one.get("concept", ()), *filter(None, [one.get("guidelines")]))
        ),
        {path.name: file_digest(path) for path in files},
    )
    name = title or source.files[0].stem
    with Project.create(acting.project or file_name(name), name, by=person, imported=True) as made:
        try:
            with waiting("importing", quiet=source.quiet):
                events = made.do(import_finished, person, finished=finished)
        except BaseException:
            made.store.discard()
            raise
        told = sorted((e for e in events if e.kind in TOLD), key=lambda e: TOLD.index(e.kind))
        Opened(made, name, person).tell(told)
        tell(f"warning: {w}" for one in made.state.imports for w in one.warnings)
        click.echo(f"✓ project “{name}” is in {made.store.shown}; next: accordant project status")


@step("person", takes="person")
def person(
    acting: Acting,
    name: Annotated[str, Typed(argument=True)] = "",
    *,
    invite: bool = False,
    revoke: bool = False,
    output: Output,
    **given: Any,
) -> None:
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
    from ...resolution.setup import add_person

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
