"""`new`, `purpose`, `question`, `hypothesis`: step 0, the research question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ...errors import RequestError
from ...resolution.words import Purpose
from ..group import ACTING, GIVEN, command
from ..options import option
from .acting import PERSON, PROJECT, SUFFIX, Acting, acting
from .typed import text_of

if TYPE_CHECKING:
    from ...resolution.state import Version

__all__ = ["file_name", "hypothesis", "new", "purpose", "question"]


def file_name(title: str) -> str:
    """A name for the file of a project.

    Examples
    --------
    >>> file_name("Épistémologie: views, opinions!")
    'epistemologie-views-opinions.accordant'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return f"{'-'.join(re.findall(r'[a-z0-9]+', plain.lower()))[:60] or 'project'}{SUFFIX}"


@command(
    examples=(
        ("accordant project new 'Letters' --as ana", "in letters.accordant of this folder"),
        ("accordant project new 'Letters' --as ana -p study.accordant", "in another file"),
        (
            "accordant project new L --as ana -p 'postgresql://ana@db/team?project=letters'",
            "on a server, for a team",
        ),
    )
)
@click.argument("title", metavar="TITLE")
@option(
    ACTING, "-p", "--project", metavar="FILE|URL", envvar=PROJECT,
    help=f"Where it is kept. Default: {PROJECT}, else a file named after the title.",
)  # fmt: skip
@option(
    ACTING, "--as", "person", metavar="NAME", envvar=PERSON,
    help=f"Who you are: the first researcher. Default: {PERSON}.",
)  # fmt: skip
def new(title: str, project: str | None, person: str | None) -> None:
    """Begin a project.

    Who begins it is its first researcher. A file that exists is not replaced. The file is the
    whole project: send it to hand it on.
    """
    from ...resolution.project import Project

    if not person:
        raise RequestError(f"who are you? say --as NAME, or set {PERSON}")
    where = project or file_name(title)
    with Project.create(where, title, by=person) as made:
        click.echo(f"✓ project “{title}” begins in {made.store.shown}; {person} is its researcher")
    click.echo("Next: accordant project question TEXT, then: accordant project status")


@command(
    examples=(
        ("accordant project purpose 'ground truth'", "disagreement is to be resolved"),
        ("accordant project purpose 'elicit variation'", "it is what is wanted: only compared"),
    )
)
@click.argument("purpose", type=click.Choice([p.value for p in Purpose]), required=False)
@acting
def purpose(acting: Acting, purpose: str | None) -> None:
    """State what the annotations are for."""
    from ...resolution.commands.setup import state_purpose

    with acting.opened(reads=purpose is None) as opened:
        if purpose is None:
            now = opened.state.purpose
            click.echo(now.value if now else "no purpose is stated yet")
            return
        opened.do(state_purpose, purpose=Purpose(purpose))


def versions(found: Iterable[Version], what: str) -> None:
    """Print the last version of each, and how many there were."""
    last: dict[str, Any] = {}
    count: dict[str, int] = {}
    for version in found:
        last[version.id] = version
        count[version.id] = count.get(version.id, 0) + 1
    for name, version in last.items():
        of = f" (version {count[name]}: {version.reason})" if count[name] > 1 else ""
        click.echo(f"{name}  {version.text}{of}")
    if not last:
        click.echo(f"no {what} is stated yet")


ID = option(GIVEN, "--id", "id", metavar="ID", help="Of which one this is a new version.")
REASON = option(GIVEN, "--reason", metavar="TEXT", help="Why there is a new version.")
TEXT = click.argument("text", metavar="[TEXT]", required=False)


@command(
    examples=(
        ("accordant project question 'Who wrote the letters?'", "state a research question"),
        ("accordant project question 'Who wrote?' --id RQ1 --reason 'too narrow'", "a new version"),
        ("accordant project question", "show the research questions"),
    )
)
@TEXT
@ID
@REASON
@acting
def question(acting: Acting, text: str | None, id: str | None, reason: str | None) -> None:
    """State a research question, or show them.

    It is what the annotations should help to answer. What is asked about each item is the task.
    """
    from ...resolution.commands.setup import state_question

    with acting.opened(reads=text is None) as opened:
        if text is None:
            versions(opened.state.research_questions, "research question")
            return
        opened.do(state_question, text=text_of(text, "the question"), id=id, reason=reason or "")


@command(
    examples=(
        ("accordant project hypothesis 'Most were written by clerks'", "state a hypothesis"),
        ("accordant project hypothesis", "show the hypotheses"),
    )
)
@TEXT
@ID
@REASON
@acting
def hypothesis(acting: Acting, text: str | None, id: str | None, reason: str | None) -> None:
    """State a hypothesis, or show them."""
    from ...resolution.commands.setup import state_hypothesis

    with acting.opened(reads=text is None) as opened:
        if text is None:
            versions(opened.state.hypotheses, "hypothesis")
            return
        opened.do(
            state_hypothesis, text=text_of(text, "the hypothesis"), id=id, reason=reason or ""
        )
