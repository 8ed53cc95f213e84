"""`task`, `guidelines`, `concepts`: the annotation toolbox, written from a file or shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import RequestError, unknown
from ...resolution.words import Change
from ..group import GIVEN, OUTPUT, command
from ..options import option
from .acting import Acting, acting

if TYPE_CHECKING:
    from ...resolution.records import Concept

__all__ = ["concepts", "guidelines", "task"]

FILE = click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
TEMPLATE = option(OUTPUT, "--template", is_flag=True, help="Print a commented example of the file.")
TOML = option(OUTPUT, "--toml", is_flag=True, help="Print what is in force as a file to edit.")


def reason_option(help: str) -> Callable[[Any], Any]:
    """The option --reason."""
    return option(GIVEN, "--reason", metavar="TEXT", help=help)


@command(
    examples=(
        ("accordant project task --template > task.toml", "a commented example to edit"),
        ("accordant project task task.toml", "write the task"),
        ("accordant project task", "show the task in force"),
        (
            "accordant project task new.toml --reason 'not answerable from abstracts'",
            "another task",
        ),
    )
)
@FILE
@reason_option("Why there is another task, once a round has begun: a new epoch starts then.")
@TEMPLATE
@TOML
@acting
def task(acting: Acting, file: Path | None, reason: str | None, template: bool, toml: bool) -> None:
    """Write the task from a TOML or JSON file, or show it.

    The task is what is asked about what. It may be changed until the first round opens. After
    that, another task begins a new epoch: older annotations stay readable and count no more.
    """
    from .toolbox_text import TASK, task_text

    if template:
        click.echo(TASK, nl=False)
        return
    with acting.opened(reads=file is None) as opened:
        epoch = opened.state.epoch
        if file is not None:
            from ...resolution.commands.task import change_task, write_task
            from .toolbox_file import read_task

            function = change_task if epoch.begun else write_task
            opened.do(function, task=read_task(file), reason=reason or "")
        elif epoch.task is None:
            click.echo("no task is written yet: accordant project task --template")
        elif toml:
            click.echo(task_text(epoch.task), nl=False)
        else:
            from .toolbox_shown import print_task

            print_task(epoch.task, opened.state)


@command(
    examples=(
        ("accordant project guidelines --template > guidelines.toml", "a commented example"),
        ("accordant project guidelines guidelines.toml", "write the first version"),
        (
            "accordant project guidelines guidelines.toml --change local --reason 'R3 was missing' "
            "--case 4",
            "a new version",
        ),
        ("accordant project guidelines --toml > guidelines.toml", "the version in force, to edit"),
    )
)
@FILE
@option(
    GIVEN, "--change", type=click.Choice([c.value for c in Change]),
    help="How far a new version reaches: editorial (no score changes), local (some questions) or "
    "drastic (everything is annotated again). Default: as the file says.",
)  # fmt: skip
@reason_option("Why there is a new version. Default: as the file says.")
@option(GIVEN, "--case", "cases", type=int, multiple=True, metavar="N", help="A case behind it.")
@option(
    GIVEN, "--bears-on", "questions", multiple=True, metavar="QUESTION",
    help="A question on which a local change bears (repeat it); needed once annotations exist.",
)  # fmt: skip
@option(
    GIVEN, "--only-item", "items", multiple=True, metavar="ITEM",
    help="An item on which a local change bears, if not all; then --narrowed says why.",
)  # fmt: skip
@option(GIVEN, "--narrowed", metavar="TEXT", help="Why less is annotated again than it bears on.")
@option(
    GIVEN, "--options-keep", metavar="TEXT",
    help="Why other labels are no drastic change, where a lesser one is given.",
)  # fmt: skip
@TEMPLATE
@TOML
@acting
def guidelines(
    acting: Acting,
    file: Path | None,
    change: str | None,
    reason: str | None,
    cases: tuple[int, ...],
    questions: tuple[str, ...],
    items: tuple[str, ...],
    narrowed: str | None,
    options_keep: str | None,
    template: bool,
    toml: bool,
) -> None:
    """Write the guidelines from a TOML or JSON file, or show them.

    Guidelines are numbered rules, the labels that may be given, and whether coders may answer that
    an item is ambiguous. The project numbers the versions. Once annotations exist, a new version
    means that items it bears on are annotated again, those included on which coders agreed.
    """
    from .toolbox_text import GUIDELINES, guidelines_text

    if template:
        click.echo(GUIDELINES, nl=False)
        return
    with acting.opened(reads=file is None) as opened:
        last = opened.state.epoch.guidelines
        if file is not None:
            from ...resolution.commands.guidelines import write_guidelines
            from .toolbox_file import read_guidelines

            read = read_guidelines(file)
            opened.do(
                write_guidelines,
                guidelines=read,
                change=change or read.change,
                reason=reason or read.reason,
                cases=cases or read.cases,
                questions=questions or None,
                items=items or None,
                narrowed=narrowed or "",
                options_keep=options_keep or "",
            )
        elif not last:
            click.echo("no guidelines are written yet: accordant project guidelines --template")
        elif toml:
            click.echo(guidelines_text(last[-1]), nl=False)
        else:
            from .toolbox_shown import print_guidelines

            print_guidelines(last[-1], opened.state)


@command(
    examples=(
        ("accordant project concepts --template > concepts.toml", "a commented example to edit"),
        ("accordant project concepts concepts.toml", "write every concept that is new or changed"),
        ("accordant project concepts concepts.toml --only 'first philosophy'", "one of them"),
        ("accordant project concepts", "show them, and who has signed"),
    )
)
@FILE
@option(GIVEN, "--only", multiple=True, metavar="NAME", help="Write only this concept (repeat it).")
@reason_option("Why there is a new version. Default: as the file says.")
@option(GIVEN, "--case", "cases", type=int, multiple=True, metavar="N", help="A case behind it.")
@option(
    GIVEN, "--only-item", "items", multiple=True, metavar="ITEM",
    help="An item to annotate again, if not all (repeat it); then --narrowed says why.",
)  # fmt: skip
@option(GIVEN, "--narrowed", metavar="TEXT", help="Why fewer items are annotated again.")
@TEMPLATE
@TOML
@acting
def concepts(
    acting: Acting,
    file: Path | None,
    only: tuple[str, ...],
    reason: str | None,
    cases: tuple[int, ...],
    items: tuple[str, ...],
    narrowed: str | None,
    template: bool,
    toml: bool,
) -> None:
    """Write key concepts from a TOML or JSON file, or show them.

    A concept that is in force word for word is not written again. A new version makes all
    signatures of the one before void; once annotations exist, every item is annotated again on the
    questions that use the concept.
    """
    from .toolbox_text import CONCEPTS, concepts_text

    if template:
        click.echo(CONCEPTS, nl=False)
        return
    with acting.opened(reads=file is None) as opened:
        known = opened.state.epoch.concepts
        if file is not None:
            scope = {"items": items or None, "narrowed": narrowed or ""}
            _write_concepts(opened, file, only, reason, cases, scope)
        elif not known:
            click.echo("no concept is written yet: accordant project concepts --template")
        elif toml:
            click.echo(concepts_text(each[-1] for each in known.values()), nl=False)
        else:
            from .toolbox_shown import print_concepts

            print_concepts(opened.state)


def _write_concepts(
    opened: Any,
    file: Path,
    only: tuple[str, ...],
    reason: str | None,
    cases: tuple[int, ...],
    scope: dict[str, Any],
) -> None:
    from ...resolution.commands.concepts import write_concept
    from .toolbox_file import read_concepts
    from .toolbox_text import concepts_text

    found = read_concepts(file)
    names = [concept.name for concept in found]
    for name in only:
        if name not in names:
            raise unknown("concept", name, names, f"{file} has")
    if twice := {name for name in names if names.count(name) > 1}:
        raise RequestError(f"{file} has a concept twice: {', '.join(sorted(twice))}")
    written = 0
    for concept in found:
        if only and concept.name not in only:
            continue
        before = opened.state.epoch.concepts.get(concept.name)
        if before and concepts_text([_alone(before[-1])]) == concepts_text([_alone(concept)]):
            continue
        opened.do(
            write_concept,
            concept=concept,
            reason=reason or concept.reason,
            cases=cases or concept.cases,
            **scope,
        )
        written += 1
    if not written:
        click.echo("every concept of the file is in force as it is")


def _alone(concept: Concept) -> Concept:
    """What a concept says, whatever its version."""
    import msgspec

    return msgspec.structs.replace(concept, version=0)
