"""No answer is called proved that is not: random projects, and what is true of each answer."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import astuple, replace
from typing import Any

import pytest

import accordant as ac
from accordant.resolution import ending, proof_check
from accordant.resolution.event import apply
from accordant.resolution.exports import proof_rows
from accordant.resolution.procedure import read_event
from accordant.resolution.state import State
from accordant.resolution.store.record import LogRecord
from claims.projects import Brought, Cell, World

Claims = dict[Cell, dict[str, Any]]


def claims_of(world: World) -> Claims:
    """What the project says of each answer; nothing while a round is open."""
    with suppress(ac.Refused):
        rows = proof_rows(world.project.refresh(), "R")
        return {(row["item"], row["question"]): row for row in json.loads(json.dumps(rows))}
    return {}


def read(world: World) -> proof_check.Project:
    records = json.loads(json.dumps([astuple(record) for record in world.project.records()]))
    return proof_check.Project(proof_check.events_of(records)[0])


def false(world: World, claims: Claims) -> list[str]:
    """Answers that are called proved, and are not."""
    found = []
    for cell, row in claims.items():
        one = world.cells[cell]
        if row["missing"] or (row["kind"] == "not asked" and not one.said):
            continue
        if not one.fine or {*one.said.values()} != {row["answer"]}:
            found.append(f"{cell}: {row['kind']} {row['events']}: {one.said} {one.settled!r}")
    return found


def disagreements(world: World, claims: Claims) -> list[str]:
    """Where the checker does not hold what the project holds, or holds more."""
    told, found = read(world), []
    proved = {cell: row for cell, row in claims.items() if not row["missing"]}
    for cell, row in claims.items():
        if cell in proved:
            found += [f"{cell}, {row['kind']}: {x}" for x in told_against(told, row, proved)]
            continue
        held = {w["label"] for w in told.cells[cell].words.values()}
        for kind in {*proof_check.KINDS} - {"not asked"} if len(held) == 1 else ():
            every = [*range(1, len(told.at) + 1)]
            forged = {**row, "kind": kind, "answer": min(held), "events": every}
            if not told_against(told, forged, proved):
                found.append(f"{cell}: the checker holds {kind}; {row['missing']}")
    return found


def told_against(told: proof_check.Project, row: Any, proved: Any) -> list[str]:
    return [*proof_check.lacks(told, row, proved)]


Known = tuple[World, Claims]


@pytest.fixture(scope="module")
def anybody() -> Iterator[list[Known]]:
    made = [*(World(seed).acts(25) for seed in range(14)), *(Brought(seed) for seed in range(8))]
    yield [(world, claims_of(world)) for world in made]
    for world in made:
        world.close()


@pytest.fixture(scope="module")
def careful() -> Iterator[list[Known]]:
    made = [World(seed, careful=True).acts(3) for seed in range(100, 108)]
    yield [(world, claims_of(world)) for world in made]
    for world in made:
        world.close()


def test_nothing_is_proved_that_is_not_mended(anybody: list[Known], careful: list[Known]) -> None:
    both = [*anybody, *careful]
    assert [told for world, claims in both for told in false(world, claims)] == []
    kinds = Counter(row["kind"] for _, claims in both for row in claims.values())
    assert {"re-annotated", "consent", "corrected slip", "imported, accepted"} <= {*kinds}
    assert sum(not world.cells[cell].fine for world, claims in both for cell in claims) > 20


def test_what_a_careful_team_mends_is_proved(careful: list[Known]) -> None:
    cells = [(w.cells[cell], row) for w, claims in careful for cell, row in claims.items()]
    mended = [not row["missing"] for one, row in cells if one.ever and one.fine]
    assert len(mended) > 15
    assert sum(mended) >= 0.98 * len(mended)


def test_the_checker_and_the_project_agree(anybody: list[Known], careful: list[Known]) -> None:
    both = [*anybody, *careful]
    assert [told for w, claims in both if claims for told in disagreements(w, claims)] == []


# ---------------------------------------------------------------- faults


def ignored(requirement: Callable[[Any], None]) -> Callable[[Any], None]:
    """A requirement whose refusal is not heard: it goes on as if it were met."""

    def heard(of: Any) -> None:
        try:
            requirement(of)
        except ending._Lacks:
            of.done, of.confirmed = 10**9, tuple(sorted(of.held))
            of.cause = of.cause or (of.case.assessments[-1] if of.case else None)
            of.boxes = of.boxes or [box for box in of.state.toolboxes if box.seq > of.t0]
            of.change = of.change or (of.boxes[-1] if of.boxes else None)
            of.got += [of.change.seq] if of.change else []

    return heard


def places() -> Iterator[tuple[str, int]]:
    for kind, row in ending.ROWS.items():
        yield from ((kind.value, place) for place in range(len(row)))


OTHERS = {
    "whatever stands at the end": ("_final", lambda of: None),
    "an answer by somebody else": (
        "_own_words",
        lambda of: of.got.extend(w[2] for w in of.words.values()),
    ),
    "a correction without a cause": ("_free", lambda of, coder, word: True),
    "a text that reads the same": ("seen", lambda text: text),
}
METHODS = {
    "consents": lambda of, one, who, what: of.got.append(one.seq),
    "by_person": lambda of, seq, person, what: seq,
    "_repeats": lambda of, some: False,
    "accepts": lambda of, who, seq: None,
}


Mutant = tuple[State, proof_check.Project]


@pytest.fixture(scope="module")
def mutants(anybody: list[Known], careful: list[Known]) -> list[Mutant]:
    """Logs in which one event is missing, or is the act of somebody else."""
    draw, made = random.Random(0), list[Mutant]()
    for world, claims in (*anybody, *careful):
        records = list(world.project.records())
        told = [k for k, x in enumerate(records) if x.kind in TELLING]
        for k in draw.sample(told, min(len(told), 6)) if claims else ():
            changed = [*records]
            if draw.random() < 0.7 and records[k].kind != "annotated":
                body = '{"type":"finding recorded","text":"nothing"}'
                changed[k] = replace(records[k], kind="finding recorded", body=body)
            else:
                changed[k] = replace(records[k], actor="M")
            with suppress(KeyError, IndexError, StopIteration, AttributeError, ValueError):
                pairs = [(read_event(r.kind, r.body), (r.at, r.actor)) for r in changed]
                made.append((apply(State(), pairs), proof_check.Project([*map(plain, changed)])))
    assert len(made) > 60
    return made


TELLING = ("accepted", "said", "change judged", "annotated", "outcome proposed", "import accepted")
TELLING += ("rescored", "imported", "cause proposed")


def plain(record: LogRecord) -> dict[str, Any]:
    return json.loads(record.body) | {"n": record.seq, "who": record.actor, "kind": record.kind}


def endings_of(mutant: Mutant) -> Iterator[tuple[dict[str, Any], dict[Cell, Any]]]:
    """Each cell as `ending` tells it, and what it holds of all."""
    state, rows = mutant[0], list[dict[str, Any]]()
    trail = ending.Trail(state)
    for k, item in enumerate(state.items.ids):
        for question in state.epoch.questions:
            with suppress(AttributeError, ValueError, IndexError, TypeError, ending._Lacks):
                found = ending.ending(trail, k, question)
                rows.append({"item": item, "question": question, **found_row(found)})
    held = {(row["item"], row["question"]): row for row in rows if row["kind"] in PROOFS}
    yield from ((row, held) for row in rows)


PROOFS = {kind.value for kind in ending.EndingKind} - {kind.value for kind in ending.NO_PROOF}


def proofs_of(mutants: list[Mutant]) -> set[tuple[int, str, str, str]]:
    return {
        (k, row["item"], row["question"], row["kind"])
        for k, mutant in enumerate(mutants)
        for row, _ in endings_of(mutant)
        if row["answer"]
    }


@pytest.fixture(scope="module")
def sound(mutants: list[Mutant]) -> set[tuple[int, str, str, str]]:
    """What is held without a fault."""
    return proofs_of(mutants)


def test_both_agree_on_what_was_altered(mutants: list[Mutant]) -> None:
    wrong = [
        f"{k}: {row}: {told}"
        for k, mutant in enumerate(mutants)
        for row, held in endings_of(mutant)
        if row["answer"]
        for told in told_against(mutant[1], row, held)
    ]
    assert wrong == []


def objected(mutants: list[Mutant], sound: set[tuple[int, str, str, str]]) -> tuple[int, list[str]]:
    """How many claims a fault adds, and those to which the checker does not object."""
    new, missed = 0, list[str]()
    for k, mutant in enumerate(mutants):
        for row, held in endings_of(mutant):
            if row["answer"] and (k, row["item"], row["question"], row["kind"]) not in sound:
                new += 1
                if not told_against(mutant[1], row, held):
                    missed.append(f"{k}: {row}")
    return new, missed


def found_row(found: Any) -> dict[str, Any]:
    answer = getattr(found, "answer", "")
    more = (
        {"events": list(found.events), "confirmed_by": list(found.confirmed_by)} if answer else {}
    )
    return {"kind": found.kind.value, "answer": answer, **more}


ADDED: Counter[str] = Counter()


@pytest.mark.parametrize(("kind", "place"), [*places()])
def test_a_requirement_that_is_ignored_is_noticed(
    kind: str, place: int, mutants: list[Mutant], sound: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {k: [*row] for k, row in ending.ROWS.items()}
    row = rows[ending.EndingKind(kind)]
    row[place] = ignored(row[place])
    monkeypatch.setattr(ending, "ROWS", rows)
    ADDED[f"{kind} {place}"], missed = objected(mutants, sound)
    assert missed == []


@pytest.mark.parametrize("fault", [*OTHERS, *METHODS])
def test_a_fault_is_noticed(
    fault: str, mutants: list[Mutant], sound: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault in OTHERS:
        monkeypatch.setattr(ending, *OTHERS[fault])
    else:
        monkeypatch.setattr(ending.History, fault, METHODS[fault])
    ADDED[fault], missed = objected(mutants, sound)
    assert missed == []


def test_faults_change_something() -> None:
    """Else nothing was tried above."""
    assert len(ADDED) < 20 or sum(n > 0 for n in ADDED.values()) >= 8
