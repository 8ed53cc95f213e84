"""What a project gives out: final answers, and everything there is as one bundle.

Every row and every bundle carries the release status, and all that must be said with it. While a
round is open nothing about the cells of its scope is given to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from typing import Any

import msgspec

from .._version import __version__
from .case_state import Case
from .cells import answers_at
from .command import Unmet, require, step
from .disagreement import case_at
from .ending import endings
from .event import apply
from .logbook import head, log
from .procedure import read_event
from .proof import Provenance, final_answer, proofs, sealed_parts
from .release import status_now
from .sight import Sight, seeing
from .state import State
from .store.record import LogRecord
from .terms import ReleaseStatus, Step, digest
from .views import case_view, cases, comparison_view
from .work import round_sheet

FORMAT, PROOF = "accordant project bundle 1", "accordant proof 1"


# ------------------------------------------------------------------ for whoever reads it


def status_lines(state: State) -> list[str]:
    """The release status and what must be said with it: the head of every export.

    Examples
    --------
    >>> status_lines(State(title="Letters"))
    ['project: Letters', 'status: not released']
    """
    now = status_now(state)
    lines = [f"project: {state.title}", f"status: {_status(state)}", *now.flags]
    if not now.flags:
        lines += dict.fromkeys(f"deviation: {d.code}" for d in state.deviations)
    return lines


def _status(state: State) -> str:
    """The status and the number of the release; what it would be where there is none."""
    now, last = status_now(state).status, state.releases[-1] if state.releases else None
    if now in (ReleaseStatus.UNRELEASED, ReleaseStatus.ABANDONED):
        return now.value
    if last is not None and state.step == Step.FINISHED:
        return f"{now.value} (release {last.version})"
    return f"not released; as it is: {now.value}"


def final_rows(state: State, person: str = "") -> list[dict[str, str]]:
    """What the annotations come to: one row for each item and question, with how it came about.

    Parameters
    ----------
    state : State
    person : str
        Who asks; by default the public.

    Returns
    -------
    list of dict
        item, question, answer, provenance, answers (of each coder, where they differ), case,
        cause, decided_by, cites, proof (`ending.EndingKind`), status (of the release, on
        every row). Items that were left disagreed keep all their answers.

    Raises
    ------
    Refused
        While a round is open, or if the project was abandoned: its annotations are no labels.
    """
    _open_to_all(state, person, "exporting final answers")
    return [*_final(state)]


def proof_rows(state: State, person: str = "") -> list[dict[str, Any]]:
    """Why each answer is ground truth, or what is missing: one row for each item and question.

    Parameters
    ----------
    state : State
    person : str
        Who asks; by default the public.

    Returns
    -------
    list of dict
        item, question, answer, kind (`ending.EndingKind`), events (their numbers in the log),
        bears_on, confirmed_by, missing and its code, asked.

    Raises
    ------
    Refused
        While a round is open, or if the project was abandoned.

    Examples
    --------
    >>> proof_rows(State())
    []
    """
    _open_to_all(state, person, "exporting proofs")
    return [proof.row() for proof in proofs(state)]


def _open_to_all(state: State, person: str, what: str) -> None:
    """Refuse what tells answers while a round is open, and labels of what was abandoned."""
    sight = seeing(state, person)
    unmet = []
    if sight.round is not None:
        unmet.append(Unmet("blind", f"round {sight.round.number} is open"))
    if state.epoch.abandoned:
        unmet.append(Unmet("not_abandoned", "the task was abandoned: these are no labels"))
    require(unmet, what)


def _final(state: State) -> Iterator[dict[str, str]]:
    epoch, ids, status = state.epoch, state.items.ids, _status(state)
    for question in filter(epoch.current.get, epoch.questions):
        proof = endings(state).kinds_of[question]
        for item in range(len(ids)):
            answer, how = final_answer(epoch, item, question)
            if how == Provenance.OUT_OF_SCOPE:
                continue
            said = answers_at(epoch, item, question) if how in _ALL_VALUES else {}
            yield {
                "item": ids[item],
                "question": question,
                "answer": "" if answer is None else str(answer),
                "provenance": how.value,
                "answers": "; ".join(f"{coder}: {a}" for coder, a in said.items()),
                **_of_case(case_at(epoch, item, question)),
                "proof": proof[item].value if item < len(proof) else "",
                "status": status,
            }


_ALL_VALUES = (
    Provenance.LEFT,
    Provenance.DECIDED,
    Provenance.AGGREGATED,
    Provenance.UNSETTLED,
    Provenance.INCOMPLETE,
    Provenance.DECLINED,
)


def _of_case(case: Case | None) -> dict[str, str]:
    if case is None:
        return {"case": "", "cause": "", "decided_by": "", "cites": ""}
    return {
        "case": str(case.number),
        "cause": case.cause.value if case.cause else "",
        "decided_by": case.method or case.decided_by,
        "cites": "; ".join(case.cites),
    }


def proof_bundle(state: State, records: Iterable[LogRecord], person: str = "") -> dict[str, Any]:
    """What an outsider needs to check the last release; `proof_check` is the program that does.

    Parameters
    ----------
    state : State
    records : iterable of LogRecord
        The whole log (`Project.records`).
    person : str
        Who asks; by default the public.

    Returns
    -------
    dict
        The format, the events up to the release word for word, and each part that it seals.

    Raises
    ------
    Refused
        If nothing was released, or something before it may not be read now.
    """
    _open_to_all(state, person, PROVING)
    listed = list(records)
    n = max((record.seq for record in listed if record.kind == "released"), default=0)
    unmet = [] if n else [Unmet("released", "nothing was released", do=(step("release"),))]
    if any(entry.withheld for entry in log(listed[:n], state, person)):
        unmet.append(Unmet("blind", "what was said in a case may not be read by all now"))
    require(unmet, PROVING)
    pairs = ((read_event(r.kind, r.body), (r.at, r.actor)) for r in listed[: n - 1])
    then, last = apply(State(), pairs), state.releases[-1]
    rows = [list(astuple(record)) for record in listed[:n]]
    return {"format": PROOF, "log": rows, **sealed_parts(then, last.status, last.flags)}


PROVING = "exporting the proof of a release"


# ------------------------------------------------------------------ everything


def bundle(
    state: State, records: Iterable[LogRecord], person: str = "", *, with_log: bool = True
) -> dict[str, Any]:
    """Everything that a person may see of a project, as plain values for JSON.

    Parameters
    ----------
    state : State
    records : iterable of LogRecord
        The whole log (`Project.records`).
    person : str
        Who asks; by default the public.
    with_log : bool
        Whether the log itself is among it.

    Returns
    -------
    dict
        Keys: format, program, status, flags, deviations, withheld, head (hash of the log), project,
        people, task, guidelines, concepts, items, rounds, comparisons, cases, final, proofs,
        releases, statement, log, and hashes (SHA-256 of each other part's canonical JSON). What is
        withheld while a round is open is absent or empty, and ``withheld`` says so.
    """
    sight = seeing(state, person)
    epoch = state.epoch
    blind = sight.round is not None
    parts: dict[str, Any] = {
        "project": _project(state),
        "people": [_plain(p) for p in state.people.values()],
        "task": _plain(epoch.task),
        "guidelines": _plain(epoch.guidelines),
        "concepts": _plain(epoch.concepts),
        "toolboxes": _plain(state.toolboxes),
        "signed": _plain(epoch.signed),
        "items": _plain(state.items),
        "rounds": [_round(sight, r.number) for r in epoch.rounds],
        "comparisons": [
            _plain(comparison_view(state, person, r.number)) for r in epoch.rounds if r.closed
        ],
        "cases": [
            _plain(case_view(state, row.number, person))
            for row in cases(state, person, earlier=True)
        ],
        "orders": _plain(epoch.orders),
        "final": [] if blind or epoch.abandoned else final_rows(state, person),
        "proofs": [] if blind or epoch.abandoned else proof_rows(state, person),
        "releases": [] if blind else _plain(state.releases),
        "imports": [_import(sight, i) for i in range(len(state.imports))],
        "statement": dict(state.statement),
        "log": [_plain(e) for e in log(records, state, person)] if with_log else [],
    }
    now = status_now(state)
    return {
        "format": FORMAT,
        "program": f"accordant {__version__}",
        "status": _status(state),
        "flags": list(now.flags),
        "deviations": [_plain(d) for d in state.deviations],
        "withheld": sight.until,
        "head": head(state, person),
        **parts,
        "hashes": {name: digest(part) for name, part in parts.items()},
    }


def _plain(thing: Any) -> Any:
    return msgspec.to_builtins(thing, str_keys=True)


def _project(state: State) -> dict[str, Any]:
    return {
        "title": state.title,
        "id": state.project,
        "imported": state.imported,
        "created": state.created,
        "purpose": state.purpose.value if state.purpose else "",
        "step": state.step.value,
        "epoch": state.epoch.number,
        "research_question": state.research_question,
        "hypotheses": state.hypotheses,
        "findings": _plain(state.findings),
        "moves": _plain(state.moves),
        "adjudicator": state.adjudicator,
    }


def _round(sight: Sight, number: int) -> dict[str, Any]:
    some = next(r for r in sight.state.epoch.rounds if r.number == number)
    return {
        "number": number,
        "opened": some.opened,
        "closed": some.closed,
        "imported": some.imported,
        "coders": list(some.coders),
        "questions": list(some.questions),
        "orders": list(some.orders),
        "toolbox": some.toolbox,
        "annotations": [row.row() for row in round_sheet(sight.state, number, sight.person)],
    }


def _import(sight: Sight, place: int) -> dict[str, Any]:
    found: dict[str, Any] = _plain(sight.state.imports[place])
    if sight.round is not None:
        found.pop("warnings", None)  # they tell answers and figures
    return found
