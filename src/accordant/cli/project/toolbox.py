"""`task`, `guidelines`, `concepts`, `items`, `assign`: what is written from files, or shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from ...errors import InputError, RequestError, unknown
from ...kinds import Typed
from ...numbers import joined
from ..output import Output
from .actor import Acting, Opened
from .definitions import step
from .steps import show

__all__ = ["acknowledge", "assign", "concepts", "guidelines", "items", "task"]

File = Annotated[Path | None, Typed("FILE", argument=True)]
Sheet = Annotated[str | None, Typed("NAME")]


def _shown(acting: Acting, name: str, output: Output, template: bool, toml: bool) -> None:
    """A commented example, what is in force as a file, or as a page."""
    from ...resolution.importing.toolbox_file import template as example
    from ...resolution.importing.toolbox_file import written

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
    yes: bool = False,
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
    yes : bool
        Do not ask at a terminal whether this is meant.

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
    from ...resolution.importing.toolbox_file import read_task
    from ...resolution.task import change_task, write_task

    if file is None:
        _shown(acting, "task", output, template, toml)
        return
    with acting.opened() as opened:
        function = change_task if opened.state.epoch.begun else write_task
        opened.weighed(yes, function, task=read_task(file), reason=reason)


@step("guidelines", takes="guidelines")
def guidelines(
    acting: Acting,
    file: File = None,
    *,
    template: bool = False,
    toml: bool = False,
    yes: bool = False,
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
    yes : bool
        Do not ask at a terminal whether this is meant.

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
    from ...resolution.guidelines import write_guidelines
    from ...resolution.importing.toolbox_file import read_guidelines

    if file is None:
        _shown(acting, "guidelines", output, template, toml)
        return
    with acting.opened() as opened:
        opened.weighed(yes, write_guidelines, guidelines=read_guidelines(file), **given)


@step("concepts", takes="concepts")
def concepts(
    acting: Acting,
    file: File = None,
    *,
    only: Annotated[Sequence[str], Typed("NAME", "--only")] = (),
    template: bool = False,
    toml: bool = False,
    yes: bool = False,
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
    only : sequence of str
        Write only this concept.
    template : bool
        Print a commented example of the file.
    toml : bool
        Print what is in force as a file to edit.
    yes : bool
        Do not ask at a terminal whether this is meant.

    Examples
    --------
    A commented example to edit:
    $ accordant project concepts --template > concepts.toml
    Write every concept that is new or changed:
    $ accordant project concepts concepts.toml
    One of them:
    $ accordant project concepts concepts.toml --only 'first philosophy'
    Show them, and who has signed:
    $ accordant project concepts
    """
    from ...resolution.importing.toolbox_file import read_concepts

    if file is None:
        _shown(acting, "concepts", output, template, toml)
        return
    found = {one.name: one for one in read_concepts(file)}
    for name in only:
        if name not in found:
            raise unknown("concept", name, found, f"{file} has")
    with acting.opened() as opened:
        written = [
            _write(opened, one, yes, given)
            for name, one in found.items()
            if not only or name in only
        ]
    if not any(written):
        click.echo("every concept of the file is in force as it is")


def _write(opened: Opened, concept: Any, yes: bool, given: dict[str, Any]) -> bool:
    """Write a concept unless it is in force as it is."""
    from ...resolution.concepts import write_concept
    from ...resolution.records import content

    before = opened.state.epoch.concepts.get(concept.name)
    if before and content(before[-1]) == content(concept):
        return False
    opened.weighed(yes, write_concept, concept=concept, **given)
    return True


@step("acknowledge")
def acknowledge(
    acting: Acting, *, sign_off: Annotated[bool, Typed(option="--sign-off")] = False
) -> None:
    """Say that you have read the task and the guidelines.

    Parameters
    ----------
    sign_off : bool
        Agree to every concept as well; both or, if one is not possible, neither.

    Examples
    --------
    Bob has read task and guidelines:
    $ accordant project acknowledge --as bob
    And agrees to the concepts:
    $ accordant project acknowledge --sign-off --as bob
    To read them:
    $ accordant project guidelines
    """
    from ...resolution import steps
    from ...resolution.acts import Act

    both = steps.acknowledge, steps.sign_off
    with acting.opened() as opened:
        if sign_off:
            opened.tell(opened.together(lambda _: [Act(one, opened.by) for one in both]))
        else:
            opened.do(steps.acknowledge)


@step("items")
def items(
    acting: Acting,
    file: File = None,
    *,
    freeze: bool = False,
    sheet: Sheet = None,
    output: Output,
) -> None:
    """Add items from a file, settle which there are, or show them.

    The file has a column "item" with an id for each, and may have "text", "context" and "batch";
    any other column is kept as item metadata. A round opens only when the items are settled.

    Parameters
    ----------
    file : path
        A table with a row for each item.
    freeze : bool
        Settle the items; those added later are told.
    sheet : str
        Sheet of a workbook.

    Examples
    --------
    Columns item, text, context, batch, and others:
    $ accordant project items items.csv
    Settle what is to be annotated:
    $ accordant project items --freeze
    Show them:
    $ accordant project items
    """
    from ...resolution.answer_sheets import read_items
    from ...resolution.items import add_items, freeze_items

    if acting.looks and file and freeze:
        raise click.UsageError("--preview is of FILE or of --freeze, not of both")
    with acting.opened(reads=file is None and not freeze) as opened:
        if file is not None:
            opened.do(add_items, items=read_items(file, sheet))
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
    sheet: Sheet = None,
    overlap: int = 0,
    quota: Annotated[Mapping[str, str] | None, Typed("CODER=N")] = None,
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
    sheet : str
        Sheet of a workbook.
    overlap : int
        Deal every item to so many coders.
    quota : mapping
        How many items a coder gets; the others share what is left.
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
    The same, but bob gets 50:
    $ accordant project assign --overlap 2 --quota bob=50
    Who annotates what:
    $ accordant project assign
    """
    from ...resolution.answer_sheets import read_ids
    from ...resolution.items import assign as assigned

    if overlap or quota:
        with acting.opened() as opened:
            given = {"coder": coder, "overlap": overlap, "quota": _numbers(quota), "seed": seed}
            _dealt(opened.do(assigned, **given))
        return
    if not coder:
        with acting.opened(reads=True) as opened:
            show(opened, "assign", output)
        return
    named = [*single, *(read_ids(file, sheet) if file else ())]
    if not named:
        raise InputError("no item is named: say --item ITEM or --items FILE")
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise RequestError(f"items named twice: {joined(twice)}")
    with acting.opened() as opened:
        opened.do(assigned, coder=coder, items=tuple(named))


def _numbers(quota: Mapping[str, str] | None) -> dict[str, int]:
    """What was typed as CODER=N."""
    for coder, n in (quota or {}).items():
        if not n.isdecimal():
            raise click.UsageError(f"--quota {coder}={n}: {n!r} is no number of items")
    return {coder: int(n) for coder, n in (quota or {}).items()}


def _dealt(events: Sequence[Any]) -> None:
    """Say how many items each coder got, and which two share least."""
    from ...resolution.items import smallest_overlap

    if events:
        of = {event.coder: event.items for event in events}
        pair, n = smallest_overlap(of)
        each = joined(f"{coder} {len(items):,}" for coder, items in of.items())
        click.echo(f"  items: {each}; {joined(pair)} share the fewest: {n:,}")
