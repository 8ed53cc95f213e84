"""`log`, `verify`, `upgrade`: the record of everything that happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ...errors import AccordantError, RequestError
from ...numbers import count_of
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from ..terminal import progress, tell
from .acting import Acting, acting
from .shown import show_rows

if TYPE_CHECKING:
    from ...resolution.logbook import Entry

__all__ = ["log", "upgrade", "verify"]


@command(
    examples=(
        ("accordant project log", "everything that happened"),
        ("accordant project log --last 20", "the end of it"),
        ("accordant project log --case 3 -f json", "one case, with every detail"),
        ("accordant project log --by bob --kind annotated", "what somebody did"),
    )
)
@option(GIVEN, "--last", type=click.IntRange(1), metavar="N", help="Only the last N events.")
@option(GIVEN, "--by", "actor", metavar="NAME", help="Only what NAME did.")
@option(GIVEN, "--kind", metavar="KIND", help="Only events of a kind, such as 'case agreed'.")
@option(GIVEN, "--case", "case", type=int, metavar="N", help="Only events of a case.")
@output
@acting
def log(
    acting: Acting,
    last: int | None,
    actor: str | None,
    kind: str | None,
    case: int | None,
    output: Output,
) -> None:
    """Show everything that happened, as you may see it.

    While a round is open, nothing of what others answer is shown.
    Nothing is ever deleted. Each event holds the hash of the one before; `verify` checks them.
    """
    from ...resolution.events.all import KINDS
    from ...resolution.views import log as logged

    if kind is not None and kind not in KINDS:
        from ...errors import unknown

        raise unknown("kind of event", kind, sorted(KINDS), "there are")
    with acting.opened(reads=True) as opened:
        entries = [
            entry
            for entry in logged(opened.project.records(), opened.state, opened.viewer)
            if (actor is None or entry.actor == actor)
            and (kind is None or entry.kind == kind)
            and (case is None or entry.stream == f"case {case}")
        ][-(last or 0) :]
    data = output.kind not in ("table", "md", "latex")
    rows = [
        {
            "number": entry.seq or None,
            "when": entry.at if data else _minute(entry.at),
            "who": entry.actor,
            "what": entry.kind,
            "about": _about(entry),
            "withheld": entry.withheld,
            "hash": entry.hash,
            **({"body": entry.body} if output.kind == "json" else {}),
        }
        for entry in entries
    ]
    heads = (("number", "no."), ("when", "when (UTC)"), "who", ("about", "what"))
    show_rows(output, "Log", heads, rows, rest="--last 50 has the end, -f csv all")


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


def _about(entry: Entry) -> str:
    """An event in a sentence; what is withheld, as far as it may be told."""
    import msgspec

    from ...resolution.events.all import read_event
    from .happened import SAYS

    if not entry.withheld:
        return SAYS[entry.kind](read_event(entry.kind, msgspec.json.encode(entry.body).decode()))
    told = "; ".join(f"{key} {value}" for key, value in entry.body.items() if _plain(value))
    return f"{entry.kind}: {told}; {entry.withheld}"


def _plain(value: Any) -> bool:
    return isinstance(value, str | int) and value not in ("", None)


@command(
    examples=(
        ("accordant project verify", "is every event as it was written?"),
        ("accordant project verify --head 3f2a91…", "does the log still hold what a report names?"),
    )
)
@option(
    GIVEN, "--head", metavar="HASH",
    help="Hash of the last event as a report or release printed it: shows whether the end was cut "
    "off.",
)  # fmt: skip
@acting
def verify(acting: Acting, head: str | None) -> None:
    """Check that nothing was altered; exit code 1 if something was."""
    where = acting.where()
    with progress("checking every event", quiet=False) as report:
        faults, n, last = _checked(where, head, report)
    if faults:
        raise RequestError("\n".join([_altered(len(faults)), *_lines(faults)]))
    # while a round is open, even the number of events tells what was asked and so answered
    click.echo(f"✓ {count_of(n, 'event') if last else 'every event'}, each as it was written")
    if last:
        click.echo(f"  head {last}")


def _checked(where: str, head: str | None, report: Any) -> tuple[list[Any], int, str]:
    """Faults, how many events there are, and the hash of the last unless it must wait."""
    from ...resolution.logbook import head as shown
    from ...resolution.project import Project, faults_of
    from ...resolution.store.store import Store

    try:
        with Project.open(where, read_only=True) as project:
            faults = list(project.verify(head=head, progress=report))
            return faults, project.state.seq, shown(project.state, "")
    except AccordantError:  # what cannot be opened can be looked at
        with Store.open(where, read_only=True) as store:
            faults = faults_of(store, head=head, progress=report)
            if not faults:
                raise
            return faults, 0, ""


def _altered(n: int) -> str:
    return f"{count_of(n, 'thing')} not as it was written:" if n == 1 else f"{n:,} things differ:"


def _lines(faults: Iterable[Any], most: int = 20) -> list[str]:
    each = list(faults)
    lines = [f"  - {fault}" for fault in each[:most]]
    return lines + ([f"  - and {len(each) - most:,} more"] if len(each) > most else [])


@command(
    examples=(
        ("accordant project upgrade", "after a new version of Accordant, on a server"),
        ("accordant project upgrade -p letters.accordant", "a file: a copy is kept"),
    )
)
@acting
def upgrade(acting: Acting) -> None:
    """Bring an older project to the format of this version.

    A file is brought up to date when it is opened, after a copy was made. On a server others may
    still use the older version, so it is done when you say so.
    """
    from ...resolution.store.place import Place
    from ...resolution.store.store import Store

    where = acting.where()
    Store.upgrade(where)
    tell([f"{Place.of(where).shown} has the format of this version"])
