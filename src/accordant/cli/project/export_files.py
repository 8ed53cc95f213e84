"""`status`, `export`, `report`, `verify`: what a project gives out, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import click

from ...data.atomic_file import check_target
from ...errors import StoreError
from ...kinds import Typed
from ...numbers import count_of
from ..console import progress, tell, waiting
from ..output import Output, as_json, check_new, written
from .actor import SUFFIX, Acting, Opened
from .click_commands import show
from .definitions import step


@step("status")
def status(acting: Acting, *, all: bool = False, output: Output) -> None:
    """Show where it stands, what is possible now, who is awaited.

    Parameters
    ----------
    all : bool
        Every step that is possible, in full.

    Examples
    --------
    Where it stands, what is missing, who is awaited:
    $ accordant project status
    And what bob may do:
    $ accordant project status --as bob
    For programs:
    $ accordant project status -f json
    """
    import msgspec

    from ...resolution.standing import standing

    with acting.opened(reads=True) as opened:
        if output.kind != "json":
            show(opened, "status", output, all=all)
        else:
            here = standing(opened.state, opened.viewer or None)
            output.deliver(as_json(msgspec.to_builtins(here, enc_hook=lambda _: None)))


@step("export")
def export(
    acting: Acting,
    file: Annotated[Path | None, Typed("FILE", argument=True)] = None,
    *,
    round: Annotated[int, Typed("N")] = 0,
    annotations: bool = False,
    bundle: bool = False,
    proof: bool = False,
    force: bool = False,
    output: Output,
) -> None:
    """Write the final answers, the annotations, or everything.

    Each row says what the release is, ground truth or less. Items that were left disagreed keep
    all answers. While a round is open nothing of its scope is given out.

    Parameters
    ----------
    file : path
        Where to; the same as --output.
    round : int
        The annotations of a round.
    annotations : bool
        The annotations as they are now, of each coder.
    bundle : bool
        Everything, as JSON.
    proof : bool
        The last release with all that proves it, and check_proof.py, which checks it.
    force : bool
        Replace FILE if it exists.

    Examples
    --------
    The final answer of each item, and its origin:
    $ accordant project export labels.csv
    What coders submitted in a round:
    $ accordant project export round1.csv --round 1
    What they hold now:
    $ accordant project export now.csv --annotations
    Everything, with the log and hashes:
    $ accordant project export bundle.json --bundle
    For whoever wants to check a release:
    $ accordant project export proof.json --proof
    """
    from ...resolution.exports import bundle as everything
    from ...resolution.exports import status_lines

    if sum(map(bool, (round, annotations, bundle, proof))) > 1:
        raise click.UsageError("choose one of --round, --annotations, --bundle, --proof")
    output = Output(output.format, file := file or output.output)
    if file is not None:
        check_target(file)
        check_new(file, force=force)
    with acting.opened(reads=True) as opened:
        lines = status_lines(opened.state)
        if bundle:
            text = as_json(everything(opened.state, opened.project.records(), opened.viewer))
            Output("json", file).deliver(text)
        elif proof:
            _proof(opened.project.proof(opened.viewer), file)
        elif round or annotations:
            _annotations(opened, file, round or None)
        else:
            show(opened, "final", output)
            if output.kind in ("table", "md", "latex"):
                return  # the lines stand below the table
    tell(lines)


def _proof(bundle: dict[str, Any], file: Path | None) -> None:
    """The proof, and beside it the program that checks it."""
    Output("json", file).deliver(as_json(bundle))
    if file is not None:
        source = resources.files("accordant.resolution") / "proof_check.py"
        (checker := file.with_name("check_proof.py")).write_bytes(source.read_bytes())
        tell([f"check it with: python {checker.name} {file.name} HEAD"])
        tell([f"the head, which the report prints: {bundle['log'][-1][-1]}"])


def _annotations(opened: Opened, file: Path | None, round: int | None) -> None:
    from ...data.write import write as write_annotations
    from ...resolution.as_annotations import to_annotations

    if file is None:
        raise click.UsageError("name the file to write the annotations to")
    data = to_annotations(opened.state, round=round, person=opened.viewer)
    tell(write_annotations(data, file, "long"))
    written(file)


@step("report")
def report(
    acting: Acting,
    *,
    outputs: Annotated[Sequence[Path], Typed("FILE")] = (),
    bundle: Annotated[Path | None, Typed("FILE")] = None,
    force: bool = False,
    open: bool = False,
) -> None:
    """Report how disagreement was resolved, from round to release.

    The procedure with its deviations, agreement of each round with intervals, causes, each case
    with its reasons and outcome, the history of the toolbox, re-annotation, and a data statement.

    Parameters
    ----------
    outputs : sequence of path
        Write there; the name says the format: .html, .pdf, .md or .json. Default: the name of the
        project with -report.html, in this folder.
    bundle : path
        Write the report with all data: a .zip file, or a folder that does not exist yet.
    force : bool
        Replace the bundle if it exists.
    open : bool
        Open the report when it is written.

    Examples
    --------
    Print a summary and write NAME-report.html:
    $ accordant project report
    Two formats:
    $ accordant project report -o report.html -o report.pdf
    The report with all data and hashes:
    $ accordant project report --bundle study.zip
    """
    from ...render.show import sections_of
    from ...render.terminal import Terminal, print_sections
    from ...views.project_report import ProjectReport, project_report

    where = acting.where()
    stem = Path(where).name.removesuffix(SUFFIX) if "://" not in where else "project"
    targets = list(outputs) or ([] if bundle else [Path(f"{stem}-report.html")])
    for target in targets:
        check_target(target, ProjectReport.endings)
    if bundle is not None:
        check_new(bundle, force=force)
    with acting.opened(reads=True, where=where) as opened:
        with waiting("making the report", quiet=False):
            made = project_report(opened.project, person=opened.viewer)
        Output().print(lambda console: print_sections(console, sections_of(made), Terminal()))
        for target in targets:
            with waiting(f"writing {target.name}", quiet=False):
                made.save(target)
            written(target)
        if bundle is not None:
            with progress(f"writing {bundle.name}", quiet=False) as watch:
                made.save_bundle(bundle, progress=watch)
            written(bundle)
    if open and targets:
        click.launch(str(targets[0]))


@step("verify")
def verify(acting: Acting, *, head: Annotated[str, Typed("HASH")] = "") -> None:
    """Check that nothing was altered; exit code 1 if something was.

    Parameters
    ----------
    head : str
        Hash of the last event as a report or release printed it: shows whether the end was cut
        off.

    Examples
    --------
    Is every event as it was written?
    $ accordant project verify
    Does the log still hold what a report names?
    $ accordant project verify --head 3f2a91…
    """
    from ...resolution.project import examined

    with progress("checking every event", quiet=False) as watch:
        faults, n, last = examined(acting.where(), head=head or None, progress=watch)
    if faults:
        some = [f"  - {fault}" for fault in faults[:20]]
        more = [f"  - and {len(faults) - 20:,} more"] if len(faults) > 20 else []
        title = f"{count_of(len(faults), 'thing')} not as it was written:"
        raise StoreError("\n".join([title, *some, *more]))
    # while a round is open, even the number of events tells what was asked and so answered
    click.echo(f"✓ {count_of(n, 'event') if last else 'every event'}, each as it was written")
    if last:
        click.echo(f"  head {last}")
