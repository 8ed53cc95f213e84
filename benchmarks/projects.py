"""``python -m benchmarks.projects``: a large project, opened, looked at, acted on, given out.

Once its annotations come in finished, as one command; once three coders submit them, sheet by
sheet; once its cases stand wherever a case can, and some items are annotated again. Every figure is
of a process of its own that begins with nothing loaded, so that imports are on the bill; seconds
are of the processor, of all threads, and the best of several runs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from accordant.resolution.project import Project

CODERS = ("ana", "bob", "cleo")
LABELS = ("claim", "reason", "neither")
DISAGREED = 0.2  # share of items about which one coder differs
LENGTH = 200  # characters of a text
WORDS = ("the", "letter", "says", "that", "nobody", "came", "because", "of", "snow", "and", "wind")


def texts(n_items: int, seed: int = 1) -> list[str]:
    """One text of about 200 characters for each item."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(WORDS), size=(n_items, LENGTH // 5))
    return [" ".join(WORDS[word] for word in row) for row in chosen.tolist()]


def labels(n_items: int, seed: int = 2) -> dict[str, list[str]]:
    """Coder → one label for each item; of a fifth of the items one coder says otherwise."""
    rng = np.random.default_rng(seed)
    table = np.repeat(rng.integers(len(LABELS), size=(1, n_items)), len(CODERS), axis=0)
    other = rng.random(n_items) < DISAGREED
    who = rng.integers(len(CODERS), size=n_items)
    table[who[other], np.flatnonzero(other)] += 1
    return {
        coder: [LABELS[code % len(LABELS)] for code in row]
        for coder, row in zip(CODERS, table.tolist(), strict=True)
    }


# ------------------------------------------------------------------ the projects


def imported(path: Path, n_items: int, sheet: int) -> None:
    """Everything comes in finished, and step 5 begins."""
    from accordant import read
    from accordant.resolution.importing.first_round import Finished
    from accordant.resolution.imports import import_finished
    from accordant.resolution.project import Project
    from accordant.resolution.step_change import go

    columns = {"item": [f"t{k}" for k in range(n_items)], "text": texts(n_items), **labels(n_items)}
    data = read(columns, coder=list(CODERS))
    with Project.create(path, "Letters", by="ana", imported=True) as project:
        project.do(import_finished, "ana", finished=Finished(data))
        project.do(go, "ana", to="resolution")


def native(path: Path, n_items: int, sheet: int, *, half: bool = False) -> None:
    """From step 0 to step 5, or with half of the round; coders submit sheets of so many items."""
    from accordant.resolution.annotation import annotate
    from accordant.resolution.concepts import sign_off, write_concept
    from accordant.resolution.guidelines import write_guidelines, write_task
    from accordant.resolution.items import add_items, freeze_items
    from accordant.resolution.project import Project
    from accordant.resolution.rounds import close_round, open_round
    from accordant.resolution.setup import add_person, state_question
    from accordant.resolution.step_change import go
    from accordant.resolution.terms import (
        AmbiguityPolicy,
        Concept,
        Guidelines,
        Items,
        Question,
        Rule,
        Task,
    )

    ids, held = tuple(f"t{k}" for k in range(n_items)), labels(n_items)
    rules = Guidelines("", {"kind": LABELS}, AmbiguityPolicy(True), (Rule("R1", "Read it all"),))
    with Project.create(path, "Letters", by="ana") as project:
        project.do(add_person, "ana", name="ana", roles=["researcher", "coder"])
        for coder in CODERS[1:]:
            project.do(add_person, "ana", name=coder, roles=["coder"])
        asked = "What did people claim?"
        project.do(state_question, "ana", text=asked, purpose="ground truth")
        project.do(go, "ana", to="task and guidelines")
        task = Task((Question("kind", "What is it?"),), "Read and answer", "a sentence")
        project.do(write_task, "ana", task=task)
        project.do(write_guidelines, "ana", guidelines=rules)
        project.do(write_concept, "ana", concept=Concept("claim", 1, "is asserted", ("kind",)))
        for coder in CODERS:
            project.do(sign_off, coder, concept="guidelines")
            project.do(add_person, "ana", name=coder, training="an afternoon with examples")
        project.do(go, "ana", to="conceptual alignment")
        for coder in CODERS:
            project.do(sign_off, coder)
        project.do(add_items, "ana", items=Items(ids, tuple(texts(n_items))))
        project.do(freeze_items, "ana")
        project.do(open_round, "ana")
        for start in range(0, n_items // 2 if half else n_items, sheet):
            some = slice(start, start + sheet)
            for coder in CODERS:
                answers = dict(zip(ids[some], held[coder][some], strict=True))
                project.do(annotate, coder, answers={"kind": answers})
        if not half:
            project.do(close_round, "ana")
            project.do(go, "ana", to="resolution")


def discussed(path: Path, n_items: int, sheet: int) -> None:
    """Cases at every stage of their discussion, after a round about a fifth of the items."""
    from msgspec import structs

    from accordant.resolution import steps
    from accordant.resolution.project import Project
    from accordant.resolution.terms import Evidence

    native(path, n_items, sheet)
    with Project.open(path) as project:
        do, epoch, ids = project.do, project.state.epoch, project.state.items.ids
        stages = [[n for n in epoch.cases if n % 40 == k] for k in range(6)]
        said = {"text": "it reads so", "cites": ["rule R1"]}
        for coder in CODERS:
            do(steps.give_reason, coder, cases=[n for stage in stages for n in stage], **said)
        for some, cause in ((stages[1:5], "d"), (stages[5:], "a2")):
            cases, found = [n for stage in some for n in stage], Evidence(rule="R1", wording="all")
            do(steps.propose_cause, "ana", cases=cases, cause=cause, evidence=found)
            for coder in CODERS[1:]:
                do(steps.accept, coder, cases=[n for n in cases if n not in stages[1]])
        cases = stages[3] + stages[4]
        do(steps.propose_outcome, "ana", cases=cases, answer=LABELS[0], **said)
        for coder in CODERS[1:]:
            do(steps.accept, coder, cases=stages[4])
        do(steps.return_cases, "ana", reason="R1 is silent")
        items = [
            ids[k]
            for k in sorted({*range(0, n_items, 5)} | {epoch.cases[n].item for n in stages[5]})
        ]
        new = structs.replace(epoch.guidelines[-1], text="Read all of it")
        more = {"change": "local", "reason": "R1", "cases": stages[5], "questions": ["kind"]}
        do(steps.write_guidelines, "ana", guidelines=new, items=items, narrowed="these", **more)
        for coder in CODERS:
            do(steps.sign_off, coder)
        do(steps.open_round, "ana")
        for coder in CODERS:
            do(steps.annotate, coder, answers={"kind": dict.fromkeys(items, LABELS[0])})
        do(steps.close_round, "ana")
        do(steps.go, "ana", to="resolution")


HALF, DISCUSSED = "open round", "discussed"
MAKERS: dict[str, Callable[[Path, int, int], None]] = {
    "imported": imported,
    "native": native,
    HALF: partial(native, half=True),
    DISCUSSED: discussed,
}


# ------------------------------------------------------------------ what is timed


def clocked(name: str, run: Callable[[], Any], found: dict[str, float]) -> Any:
    """The answer of a call; its seconds of processor go to `found`."""
    begin = time.process_time()
    answer = run()
    found[name] = time.process_time() - begin
    return answer


def looked_at(path: Path) -> dict[str, float]:
    """Opening, status, cases: what anybody does first. Imports are part of each."""
    found: dict[str, float] = {}
    begin = time.process_time()

    def opened() -> Project:
        from accordant.resolution.project import Project

        return Project.open(path, read_only=True)

    def status(project: Project) -> Any:
        from accordant.resolution.standing import standing

        return standing(project.state, "bob")

    def listed(project: Project, **options: Any) -> Any:
        from accordant.resolution.views import cases

        return cases(project.state, "bob", **options)

    with clocked("open", opened, found) as project:
        clocked("status", lambda: status(project), found)
        clocked("case list, all", lambda: listed(project), found)
        found["open, status and all cases"] = sum(found.values())
        clocked("one case", lambda: one_case(project), found)
        clocked("asked of one person", lambda: asked(project), found)
        clocked("… again", lambda: asked(project), found)
        clocked("status again", lambda: status(project), found)
    found["peak memory, MB"] = peak()
    found["start of the process"] = begin
    return found


def asked(project: Project) -> Any:
    from accordant.resolution.requests import waiting

    return waiting(project.state, "bob").get("bob")


def annotated(path: Path) -> dict[str, float]:
    """An open round, half of which is submitted: what a coder meets, and one more answer."""
    found: dict[str, float] = {}
    from accordant.resolution.annotation import annotate
    from accordant.resolution.project import Project
    from accordant.resolution.work import my_work

    with Project.open(path) as project:
        for name in ("my_work, one item", "… again"):
            run = lambda: my_work(project.state, "bob", todo=True, most=1)  # noqa: E731
            work = clocked(name, run, found)
        given = {"answers": {"kind": {work.items[0].id: LABELS[0]}}}
        clocked("one answer", lambda: project.do(annotate, "bob", **given), found)
        clocked("asked of one person", lambda: asked(project), found)
    return found


def one_case(project: Project) -> Any:
    from accordant.resolution.views import case_view

    return case_view(project.state, 7, "bob")


def acted_on(path: Path) -> dict[str, float]:
    """A reason for a case, a cause, consent; each is a command that is written to the file."""
    found: dict[str, float] = {}
    from accordant.resolution.cases import give_reason
    from accordant.resolution.project import Project
    from accordant.resolution.proposals import accept, propose_cause, propose_outcome
    from accordant.resolution.standing import standing
    from accordant.resolution.terms import Cause, Evidence
    from accordant.resolution.toolbox import elements

    with Project.open(path) as project:
        case = max(n for n, one in project.state.epoch.cases.items() if not one.reasons)
        cites = list(elements(project.state))[:1]
        for coder in CODERS:
            given = {"cases": case, "text": f"{coder} reads it so", "cites": cites}
            run = lambda coder=coder, given=given: project.do(give_reason, coder, **given)  # noqa: E731
            clocked(f"reason of {coder}", run, found)
            clocked("status after it", lambda: standing(project.state, "bob"), found)
        project.do(propose_cause, "ana", cases=case, cause=Cause.D, evidence=Evidence())
        for coder in CODERS[1:]:  # whoever proposes has accepted
            project.do(accept, coder, cases=case)
        given = {"cites": cites, "text": "this reading"}
        project.do(propose_outcome, "ana", cases=case, answer=LABELS[0], **given)
        for coder in CODERS[1:]:
            run = lambda coder=coder: project.do(accept, coder, cases=case)  # noqa: E731
            clocked(f"acceptance by {coder}", run, found)
            clocked("status after the last one", lambda: standing(project.state, "bob"), found)
    return found


def given_out(path: Path) -> dict[str, float]:
    """Final answers, the whole bundle, the report."""
    found: dict[str, float] = {}
    from accordant.resolution.exports import bundle, final_rows
    from accordant.resolution.project import Project

    with Project.open(path, read_only=True) as project:
        clocked("final answers", lambda: final_rows(project.state), found)
        clocked("bundle", lambda: bundle(project.state, project.records()), found)
        found["peak memory, MB"] = peak()
        clocked("report, as HTML", lambda: reported(project, path), found)
        found["peak memory with the report, MB"] = peak()
    return found


def reported(project: Project, path: Path) -> None:
    from accordant.views.project_report import project_report

    project_report(project).save(path.with_suffix(".html"))


def checked(path: Path) -> dict[str, float]:
    """The whole log: read, folded, verified."""
    found: dict[str, float] = {}
    from accordant.resolution.project import Project, replayed

    with Project.open(path, read_only=True) as project:
        found["events"] = project.state.seq
        clocked("read the log", lambda: sum(1 for _ in project.records()), found)
        clocked("replay the log", lambda: replayed(project.records()), found)
        faults = clocked("verify, replay included", project.verify, found)
        found["faults"] = len(faults)
    found["peak memory, MB"] = peak()
    return found


def asked_by_pages(path: Path) -> dict[str, float]:
    """What a page of a web app asks for, right after an event; the second time nothing is new."""
    found: dict[str, float] = {}
    from accordant.resolution.preview import preview_of_cause
    from accordant.resolution.project import Project
    from accordant.resolution.toolbox import elements

    with Project.open(path, read_only=True) as project:
        state = project.state
        case = max(n for n, one in state.epoch.cases.items() if not one.reasons)
        reason = {"cases": [case], "text": "it reads so", "cites": list(elements(state))[:1]}
        wanted: dict[str, Callable[[], Any]] = {
            "preview of a reason": lambda: project.preview("case reason", by="bob", **reason),
            "preview of cause a2": lambda: preview_of_cause(state, case, "a2"),
        }
        for name, run in wanted.items():
            run()  # imports
            state.epoch.forget([0])
            clocked(name, run, found)
            clocked(f"{name}, again", run, found)
    return found


PARTS: dict[str, Callable[[Path], dict[str, float]]] = {
    "looked at": looked_at,
    "asked by pages": asked_by_pages,
    "acted on": acted_on,
    "given out": given_out,
    "checked": checked,
    "annotated": annotated,
}


def peak() -> float:
    """Highest memory of this process so far, in MB (Linux; NaN elsewhere)."""
    status = Path("/proc/self/status")  # what `resource` says holds that of the parent, too
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return float(line.split()[1]) / 1024


# ------------------------------------------------------------------ running


def run(command: list[str]) -> tuple[float, str]:
    """Seconds of processor that a whole process took, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def commands(path: Path, repeat: int) -> dict[str, float]:
    """Whole processes of the command line, from a cold start."""
    cli = [sys.executable, "-m", "accordant.cli.main", "project"]
    where = ["-p", str(path), "--as", "bob"]
    wanted = {
        "accordant project status": [*cli, "status", *where],
        "accordant project cases": [*cli, "cases", *where],
        "… cases --waiting-for bob": [*cli, "cases", "--waiting-for", "bob", *where],
        "accordant project case 7": [*cli, "case", "7", *where],
    }
    return {name: min(run(line)[0] for _ in range(repeat)) for name, line in wanted.items()}


def part(kind: str, name: str, path: Path, repeat: int) -> dict[str, float]:
    """The least of several runs of a part, each in a process of its own."""
    line = [sys.executable, "-m", "benchmarks.projects", "--part", name, str(path)]
    runs = [json.loads(run(line)[1]) for _ in range(repeat if name == "looked at" else 1)]
    return {key: min(one[key] for one in runs) for key in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.projects", description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--sheet", type=int, default=100, help="items that a coder submits at once")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--kind", choices=tuple(MAKERS), action="append")
    parser.add_argument("--keep", type=Path, help="make the projects in this folder, or use them")
    parser.add_argument("--only", choices=(*PARTS, "commands"), action="append")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--part", nargs=2, metavar=("PART", "PATH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.part[0]](Path(options.part[1]))))
        return
    everything = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        for kind in options.kind or MAKERS:
            everything[kind] = figures(kind, folder / f"{kind}.accordant", options)
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1))


def figures(kind: str, path: Path, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """All figures of one kind of project, printed as they come."""
    print(f"\n{kind}: {options.items:,} items × {len(CODERS)} coders")
    found: dict[str, dict[str, float]] = {}
    if not path.exists():
        begin, worked = time.perf_counter(), time.process_time()
        MAKERS[kind](path, options.items, options.sheet)
        found["made"] = {
            "seconds of processor": time.process_time() - worked,
            "seconds": time.perf_counter() - begin,
            "size of the file, MB": path.stat().st_size / 1e6,
        }
        show("made", found["made"])
    ours = ("annotated",) if kind == HALF else [n for n in PARTS if n != "annotated"]
    wanted = [n for n in options.only or (*PARTS, "commands") if n in ours or n not in PARTS]
    for name in PARTS:
        if name in wanted:
            found[name] = part(kind, name, path, options.repeat)
            show(name, found[name])
    if "commands" in wanted and kind != HALF:
        found["commands"] = commands(path, options.repeat)
        show("whole processes", found["commands"])
    return found


def show(title: str, rows: dict[str, float]) -> None:
    print(f"  {title}")
    for name, figure in rows.items():
        print(f"    {name:44} {figure:10,.3f}" if figure % 1 else f"    {name:44} {figure:10,.0f}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
