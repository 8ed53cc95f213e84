"""`import`: finished annotations become a project, and what was skipped is said for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...data.names import consensus_like
from ...errors import RequestError
from ...numbers import joined
from ..group import ACTING, GIVEN, command
from ..options import bundle, files, option, source_options
from ..source import Source
from ..terminal import tell, waiting
from .acting import PERSON, PROJECT
from .beginning import file_name
from .happened import print_happened

if TYPE_CHECKING:
    from ...data.annotations import Annotations
    from ...resolution.records import Question

__all__ = ["import_"]

PATH = click.Path(path_type=Path)
TOLD = ("compared", "case opened", "case agreed", "reannotation ordered", "deviation recorded")
"""What is told of an import, in this order."""


@command(
    examples=(
        ("accordant project import ratings.csv --as ana", "a closed round, ready to be resolved"),
        (
            "accordant project import a.csv --as ana --cases cases.csv --consensus gold.csv",
            "with what is known of causes and outcomes",
        ),
        (
            "accordant project import a.csv --as ana --toolbox toolbox.toml "
            "--deviation 'step 2 not performed'",
            "with the task, rules and concepts, and what was left out",
        ),
    ),
    name="import",
)
@bundle("source", Source, (files, *source_options))
@option(GIVEN, "--title", metavar="TEXT", help="Of the project. Default: the name of the file.")
@option(
    GIVEN, "--cases", metavar="FILE", type=PATH,
    help="What is known of disagreements: columns item, question, cause, and perhaps coder, "
    "others, prevails, concept, element, text.",
)  # fmt: skip
@option(
    GIVEN, "--case-column", "columns", multiple=True, metavar="ROLE=COLUMN",
    help="Which column of --cases is which, where its name does not say (repeat it).",
)  # fmt: skip
@option(
    GIVEN, "--consensus", metavar="FILE", type=PATH,
    help="What the coders agreed on, or what stands as gold; may be the same file.",
)  # fmt: skip
@option(GIVEN, "--consensus-column", metavar="COLUMN", help="The column that holds it.")
@option(
    GIVEN, "--questions", metavar="FILE", type=PATH,
    help="Columns id, text, group, asked_if (written 5a=1).",
)  # fmt: skip
@option(
    GIVEN, "--toolbox", metavar="FILE", type=PATH,
    help="Task, guidelines and concepts as they were (`accordant project task --template`).",
)  # fmt: skip
@option(
    GIVEN, "--changed", metavar="FILE", type=PATH,
    help="Guidelines and concepts that the discussion changed: what they bear on is owed again.",
)  # fmt: skip
@option(
    GIVEN, "--research-question", "research", multiple=True, metavar="TEXT",
    help="A research question (repeat it).",
)  # fmt: skip
@option(
    GIVEN, "--deviation", "deviations", multiple=True, metavar="TEXT",
    help="What was left out, such as 'step 2 not performed' (repeat it).",
)  # fmt: skip
@option(GIVEN, "--licence", default="", metavar="TEXT", help="Of the annotations.")
@option(
    ACTING, "-p", "--project", metavar="FILE|URL", envvar=PROJECT,
    help=f"Where the project is kept. Default: {PROJECT}, else a file named after the title.",
)  # fmt: skip
@option(
    ACTING, "--as", "person", metavar="NAME", envvar=PERSON,
    help=f"Who you are: the researcher. Default: {PERSON}.",
)  # fmt: skip
def import_(
    source: Source,
    title: str | None,
    cases: Path | None,
    columns: tuple[str, ...],
    consensus: Path | None,
    consensus_column: str | None,
    questions: Path | None,
    toolbox: Path | None,
    changed: Path | None,
    research: tuple[str, ...],
    deviations: tuple[str, ...],
    licence: str,
    project: str | None,
    person: str | None,
) -> None:
    """Make a project of annotations that are finished.

    They become its closed first round.

    What the procedure asks for and the files do not show is recorded as deviations, which are
    printed on everything that is given out. What looks wrong in the files is told as a warning.
    """
    if not person:
        raise RequestError(f"who are you? say --as NAME, or set {PERSON}")
    from ...resolution.importing.command import import_finished
    from ...resolution.project import Project

    known = _toolbox(toolbox) if toolbox else {}
    data = _named(source.read(), known.get("questions", ()))
    given: dict[str, Any] = {
        "research_questions": research,
        "deviations": dict(map(_deviation, deviations)),
        "licence": licence,
        **_known(data, cases, columns, consensus, consensus_column, questions, source.quiet),
        **known,
        **({"changes": _changes(changed)} if changed else {}),
    }
    read = [*source.files, cases, consensus, questions, toolbox, changed]
    finished = _finished(data, given, filter(None, read))
    name = title or source.files[0].stem
    with Project.create(project or file_name(name), name, by=person, imported=True) as made:
        try:
            with waiting("importing", quiet=source.quiet):
                events = made.do(import_finished, person, finished=finished)
        except BaseException:
            made.store.discard()
            raise
        told = [event for event in events if event.kind in TOLD]
        print_happened(sorted(told, key=lambda event: TOLD.index(event.kind)), made.state)
        tell(f"warning: {w}" for one in made.state.imports for w in one.warnings)
        click.echo(f"✓ project “{name}” is in {made.store.shown}; next: accordant project status")
    if consensus is None and (likely := [fact for fact in data.metadata if consensus_like(fact)]):
        tell([
            f"not read: {joined(map(repr, likely))}. If the coders agreed on it, begin again with "
            f"--consensus {source.files[0].name} --consensus-column {likely[0]}"
        ])  # fmt: skip


def _named(data: Annotations, questions: Sequence[Question]) -> Annotations:
    """The only question of data that do not name it is the only one of the task."""
    if data.questions == ("",) and len(questions) == 1:
        return replace(data, questions=(questions[0].id,))
    return data


def _finished(data: Annotations, given: dict[str, Any], read: Iterable[Path]) -> Any:
    from ...resolution.importing.known import Finished
    from ...resolution.importing.reading import file_digest

    digests = {path.name: file_digest(path) for path in dict.fromkeys(read)}
    return Finished(data, digests=digests, **given)


def _known(
    data: Annotations,
    cases: Path | None,
    columns: tuple[str, ...],
    consensus: Path | None,
    consensus_column: str | None,
    questions: Path | None,
    quiet: bool,
) -> dict[str, Any]:
    """What files say about cases, consensus and questions."""
    from ...resolution.importing.reading import (
        case_columns,
        read_cases,
        read_consensus,
        read_questions,
    )

    found: dict[str, Any] = {}
    if questions is not None:
        found["questions"] = read_questions(questions)
    if cases is not None:
        wanted = dict(map(_pair, columns))
        try:
            read, left = case_columns(cases, wanted)
        except RequestError as error:
            if "which column is the cause" not in str(error):
                raise
            raise RequestError(f"{error}; say --case-column cause=COLUMN") from None
        roles = ", ".join(f"{role} = {name}" for role, name in read.items())
        unread = f"; not read: {', '.join(left)}" if left else ""
        if not quiet:
            tell([f"read {cases.name} ({roles}){unread}"])
        found["cases"] = read_cases(cases, wanted)
    elif columns:
        raise click.UsageError("--case-column is about the file of --cases")
    if consensus is not None:
        found["consensus"] = read_consensus(consensus, data, consensus=consensus_column)
    elif consensus_column:
        raise click.UsageError("--consensus-column is about the file of --consensus")
    return found


def _toolbox(path: Path) -> dict[str, Any]:
    """Task, guidelines and concepts of a toolbox file, those it has."""
    from .toolbox_file import read_concepts, read_guidelines, read_task, read_toolbox

    parts, found = read_toolbox(path), dict[str, Any]()
    if "task" in parts:
        task = read_task(path)
        found |= {"questions": task.questions, "task": task.text, "context": task.context,
                  "item_definition": task.item_definition}  # fmt: skip
    if "guidelines" in parts:
        rules = read_guidelines(path)
        found |= {"rules": rules.rules, "guidelines": rules.text, "options": rules.options,
                  "ambiguity": rules.ambiguity}  # fmt: skip
    if "concept" in parts:
        found["concepts"] = tuple(read_concepts(path))
    return found


def _changes(path: Path) -> tuple[Any, ...]:
    """New versions of guidelines and concepts, in this order."""
    from .toolbox_file import read_concepts, read_guidelines, read_toolbox

    parts = read_toolbox(path)
    rules = [read_guidelines(path)] if "guidelines" in parts else []
    return (*rules, *(read_concepts(path) if "concept" in parts else []))


def _pair(text: str) -> tuple[str, str]:
    role, is_there, column = text.partition("=")
    if not is_there:
        raise click.UsageError(f"{text!r}: write --case-column ROLE=COLUMN")
    return role.strip(), column.strip()


def _deviation(text: str) -> tuple[str, str]:
    """A code and what there is to say about it: "CODE: TEXT"."""
    code, _, more = text.partition(": ")
    return code.strip(), more.strip() or code.strip()
