"""`new`, `import`, `person`, and what is written from files: task, guidelines, concepts, items."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import click

from ...errors import InputError
from ...kinds import Typed
from ..calls import Asked
from ..console import tell, waiting
from ..output import Output
from .actor import SUFFIX, Acting, Opened
from .click_commands import show
from .definitions import step

TOLD = ("round closed", "cases opened", "case agreed", "reannotation ordered", "deviation recorded")
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
    document: Annotated[Path | None, Typed("FILE", "--document")] = None,
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
    document : path
        What says how the annotations were made and disagreements settled: a data statement, the
        paper. Without one nothing of it can become ground truth.

    Examples
    --------
    A closed round, ready to be resolved:
    $ accordant project import ratings.csv --as ana
    With what is known of causes and outcomes:
    $ accordant project import a.csv --as ana --cases cases.csv --consensus gold.csv
    With the task, rules and concepts:
    $ accordant project import a.csv --as ana --toolbox toolbox.toml
    """
    from ...resolution.importing.first_round import Finished
    from ...resolution.importing.source_files import (
        file_digest,
        read_cases,
        read_consensus,
        read_toolbox,
    )
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
    files = dict.fromkeys([*source.files, *filter(None, (cases, consensus, document)), *toolbox])
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
        document.name if document else "",
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


File = Annotated[Path | None, Typed("FILE", argument=True)]


def _shown(acting: Acting, name: str, output: Output, template: bool, toml: bool) -> None:
    """A commented example, what is in force as a file, or as a page."""
    from ...resolution.importing.source_files import template as example
    from ...resolution.importing.source_files import written

    if template:
        click.echo(example(name), nl=False)
        return
    with acting.opened(reads=True) as opened:
        epoch = opened.state.epoch
        there: dict[str, list[Any]] = {
            "task": [epoch.task] if epoch.task else [],
            "guidelines": epoch.guidelines[-1:],
            "concepts": [versions[-1] for versions in epoch.concepts.values()],
        }
        if toml and there[name]:
            click.echo(written(*there[name]), nl=False)
        else:
            show(opened, name, output)


@step("task")
def task(
    acting: Acting,
    file: File = None,
    *,
    reason: str = "",
    template: bool = False,
    toml: bool = False,
    output: Output,
) -> None:
    """Write the task from a TOML or JSON file, or show it.

    The task is what is asked about what. It may be changed until the first round opens. After
    that, another task begins a new epoch: older annotations stay readable and count no more.

    Parameters
    ----------
    file : path
        The toolbox file.
    reason : str
        Why there is another task, once a round has begun: a new epoch starts then.
    template : bool
        Print a commented example of the file.
    toml : bool
        Print what is in force as a file to edit.

    Examples
    --------
    A commented example to edit:
    $ accordant project task --template > task.toml
    Write the task:
    $ accordant project task task.toml
    Show the task in force:
    $ accordant project task
    Another task:
    $ accordant project task new.toml --reason 'not answerable from abstracts'
    """
    from ...resolution.importing.source_files import read_task
    from ...resolution.steps import write_task

    if file is None:
        _shown(acting, "task", output, template, toml)
        return
    with acting.opened() as opened:
        opened.do(write_task, task=read_task(file), reason=reason)


@step("guidelines", takes="guidelines")
def guidelines(
    acting: Acting,
    file: File = None,
    *,
    template: bool = False,
    toml: bool = False,
    output: Output,
    **given: Any,
) -> None:
    """Write the guidelines from a TOML or JSON file, or show them.

    Guidelines are numbered rules, the labels that may be given, and whether coders may answer that
    an item is ambiguous. The project numbers the versions. Once annotations exist, a new version
    means that items it bears on are annotated again, those included on which coders agreed.

    Parameters
    ----------
    file : path
        The toolbox file.
    template : bool
        Print a commented example of the file.
    toml : bool
        Print what is in force as a file to edit.

    Examples
    --------
    A commented example:
    $ accordant project guidelines --template > guidelines.toml
    Write the first version:
    $ accordant project guidelines guidelines.toml
    A new version:
    $ accordant project guidelines new.toml --change local --reason 'R3 was missing' --case 4
    The version in force, to edit:
    $ accordant project guidelines --toml > guidelines.toml
    """
    from ...resolution.importing.source_files import read_guidelines
    from ...resolution.steps import write_guidelines

    if file is None:
        _shown(acting, "guidelines", output, template, toml)
        return
    with acting.opened() as opened:
        opened.do(write_guidelines, guidelines=read_guidelines(file), **given)


@step("concepts", takes="concepts")
def concepts(
    acting: Acting,
    file: File = None,
    *,
    template: bool = False,
    toml: bool = False,
    output: Output,
    **given: Any,
) -> None:
    """Write key concepts from a TOML or JSON file, or show them.

    A concept that is in force word for word is not written again. A new version makes all
    signatures of the one before void; once annotations exist, every item is annotated again on the
    questions that use the concept.

    Parameters
    ----------
    file : path
        The toolbox file.
    template : bool
        Print a commented example of the file.
    toml : bool
        Print what is in force as a file to edit.

    Examples
    --------
    A commented example to edit:
    $ accordant project concepts --template > concepts.toml
    Write every concept that is new or changed:
    $ accordant project concepts concepts.toml
    Show them, and who has signed:
    $ accordant project concepts
    """
    from ...resolution.importing.source_files import read_concepts
    from ...resolution.steps import write_concept
    from ...resolution.terms import content

    if file is None:
        _shown(acting, "concepts", output, template, toml)
        return
    found = read_concepts(file)
    with acting.opened() as opened:
        known = {name: content(each[-1]) for name, each in opened.state.epoch.concepts.items()}
        new = [one for one in found if known.get(one.name) != content(one)]
        for one in new:
            opened.do(write_concept, concept=one, **given)
        if not new:
            click.echo("every concept of the file is in force as it is")


@step("items")
def items(acting: Acting, file: File = None, *, freeze: bool = False, output: Output) -> None:
    """Add items from a file, settle which there are, or show them.

    The file has a column "item" with an id for each, and may have "text", "context" and "batch";
    any other column is kept as item metadata. A round opens only when the items are settled.

    Parameters
    ----------
    file : path
        A table with a row for each item.
    freeze : bool
        Settle the items; those added later are told.

    Examples
    --------
    Columns item, text, context, batch, and others:
    $ accordant project items items.csv
    Settle what is to be annotated:
    $ accordant project items --freeze
    Show them:
    $ accordant project items
    """
    from ...resolution.sheets import read_items
    from ...resolution.steps import add_items, freeze_items

    if acting.looks and file and freeze:
        raise click.UsageError("--preview is of FILE or of --freeze, not of both")
    with acting.opened(reads=file is None and not freeze) as opened:
        if file is not None:
            opened.do(add_items, items=read_items(file, None))
        if freeze:
            opened.do(freeze_items)
        if file is None and not freeze:
            show(opened, "items", output)


@step("assign")
def assign(
    acting: Acting,
    coder: Annotated[str, Typed(argument=True)] = "",
    *,
    single: Annotated[Sequence[str], Typed("ITEM", "--item")] = (),
    file: Annotated[Path | None, Typed("FILE", "--items")] = None,
    overlap: int = 0,
    seed: int = 0,
    output: Output,
) -> None:
    """Say which items a coder annotates, deal them to all, or show it.

    By default a coder annotates all items. Items are dealt by chance. Every two coders come to
    share about as many as their numbers allow, so that the agreement of each pair can be estimated.

    Parameters
    ----------
    coder : str
        Who.
    single : sequence of str
        An item.
    file : path
        A file with a column item.
    overlap : int
        Deal every item to so many coders.
    seed : int
        The same one deals the same way.

    Examples
    --------
    A file with a column item:
    $ accordant project assign bob --items bob.csv
    Single items:
    $ accordant project assign bob --item p1 --item p2
    Every item to two coders:
    $ accordant project assign --overlap 2
    Who annotates what:
    $ accordant project assign
    """
    from ...resolution.sheets import read_ids
    from ...resolution.steps import assign as assigned

    named = (*single, *(read_ids(file, None) if file else ()))
    if coder and not named:
        raise InputError("no item is named: say --item ITEM or --items FILE")
    with acting.opened(reads=not (coder or overlap)) as opened:
        if overlap:
            opened.do(assigned, coder=coder, overlap=overlap, seed=seed)
        elif coder:
            opened.do(assigned, coder=coder, items=named)
        else:
            show(opened, "assign", output)
