"""`new`, `import`, `person`: how a project begins, and who takes part."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import click

from ...kinds import Typed
from ...numbers import joined
from ..calls import Asked
from ..output import Output
from ..terminal import tell, waiting
from .actor import SUFFIX, Acting, Opened
from .definitions import step
from .steps import show

__all__ = ["file_name", "import_", "new", "person"]


TOLD = ("compared", "case opened", "case agreed", "reannotation ordered", "deviation recorded")
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
    case_columns: Annotated[Mapping[str, str] | None, Typed("ROLE=COLUMN", "--case-column")] = None,
    consensus: Annotated[Path | None, Typed("FILE", "--consensus")] = None,
    consensus_column: Annotated[str, Typed("COLUMN")] = "",
    questions: Annotated[Path | None, Typed("FILE", "--questions")] = None,
    toolbox: Annotated[Path | None, Typed("FILE")] = None,
    changed: Annotated[Path | None, Typed("FILE")] = None,
    research_questions: Sequence[str] = (),
    deviations: Sequence[str] = (),
    licence: str = "",
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
        prevails, concept, element, text.
    case_columns : mapping
        Which column of the cases is which, where its name does not say.
    consensus : path
        What the coders agreed on, or what stands as gold; may be the same file.
    consensus_column : str
        The column that holds it.
    questions : path
        Columns id, text, group, asked_if (written 5a=1).
    toolbox : path
        Task, guidelines and concepts as they were, in a toolbox file.
    changed : path
        Guidelines and concepts that the discussion changed: what they bear on is owed again.
    research_questions : sequence of str
        A research question.
    deviations : sequence of str
        What was left out, such as 'step 2 not performed'.
    licence : str
        Of the annotations.

    Examples
    --------
    A closed round, ready to be resolved:
    $ accordant project import ratings.csv --as ana
    With what is known of causes and outcomes:
    $ accordant project import a.csv --as ana --cases cases.csv --consensus gold.csv
    With the task, rules and concepts, and what was left out:
    $ accordant project import a.csv --as ana --toolbox t.toml --deviation 'step 2 not performed'
    """
    from ...data.names import consensus_like
    from ...resolution.importing.cause_files import file_digest, known_of
    from ...resolution.importing.command import import_finished
    from ...resolution.importing.first_round import Finished
    from ...resolution.importing.toolbox_file import read_toolbox, setting_of
    from ...resolution.project import Project

    person = acting.researcher
    known = setting_of(toolbox) if toolbox else {}
    data, asked = source.read(), known.get("questions", ())
    if data.questions == ("",) and len(asked) == 1:  # data that do not name their only question
        data = replace(data, questions=(asked[0].id,))
    found, read_as = known_of(
        data,
        cases=cases,
        columns=case_columns or {},
        consensus=consensus,
        consensus_column=consensus_column,
        questions=questions,
    )
    tell([] if source.quiet else read_as)
    known = found | known
    changes = read_toolbox(changed) if changed else {}
    files = [*source.files, *filter(None, (cases, consensus, questions, toolbox, changed))]
    finished = Finished(
        data,
        research_questions=tuple(research_questions),
        licence=licence,
        deviations=dict(map(_deviation, deviations)),
        changes=(*filter(None, [changes.get("guidelines")]), *changes.get("concept", ())),
        digests={path.name: file_digest(path) for path in dict.fromkeys(files)},
        **known,
    )
    name = title or source.files[0].stem
    where = acting.project or file_name(name)
    with Project.create(where, name, by=person, imported=True) as made:
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
    if consensus is None and (likely := [fact for fact in data.metadata if consensus_like(fact)]):
        tell(
            [
                f"not read: {joined(map(repr, likely))}. If the coders agreed on it, begin again "
                f"with --consensus {files[0].name} --consensus-column {likely[0]}"
            ]
        )


def _deviation(text: str) -> tuple[str, str]:
    """A code and what there is to say about it: "CODE: TEXT"."""
    code, _, more = text.partition(": ")
    return code.strip(), more.strip() or code.strip()


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
