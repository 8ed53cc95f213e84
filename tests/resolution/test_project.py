"""A project is its log: whatever happens, the state is what the log adds up to; nothing is lost."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from accordant.errors import Conflict, InputError, RequestError, StoreError
from accordant.resolution import kept_state
from accordant.resolution import project as module
from accordant.resolution.annotation import annotate
from accordant.resolution.assessment import accept_cause, propose_cause
from accordant.resolution.cases import give_reason
from accordant.resolution.command import Refused
from accordant.resolution.completion import finish
from accordant.resolution.kept_state import faults_of, replayed
from accordant.resolution.procedure import written
from accordant.resolution.project import Project
from accordant.resolution.records import Evidence
from accordant.resolution.release import status_now
from accordant.resolution.rounds import close_round
from accordant.resolution.setup import add_person, state_question
from accordant.resolution.state import State
from accordant.resolution.store.record import Record
from accordant.resolution.store.store import Draft, Store
from accordant.resolution.views import comparison_view
from accordant.resolution.words import CaseState, Cause, ReleaseStatus, Step
from resolution import sessions
from resolution.build import (
    Session,
    annotated,
    compared,
    open_blindly,
    ready_to_annotate,
    resolving,
)
from resolution.sessions import Walker

THREE = {"Q": {"A1": "010101", "A2": "011100", "A3": "000100"}}
DOERS = Path(__file__).with_name("doers.py")


def written_to(where: str | Path, here: Session) -> str:
    """A store with what happened in a session, each event as an act of its own."""
    with Store.create(where) as store, store.writing() as writing:
        for number, (event, (at, by)) in enumerate(here.log):
            draft = Draft(event.kind, event.stream, written(event))
            writing.append([draft], actor=by, id=f"s{number}", at=at)
    return str(where)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Step 5 with three cases, in a file."""
    return written_to(tmp_path / "p.accordant", resolving(THREE))


def bytes_of(state: State) -> bytes:
    return msgspec.msgpack.encode(state)


def reason(project: Project, coder: str, case: int, words: str = "so it is") -> Any:
    return project.do(give_reason, coder, case=case, text=words, cites=["rule R1"])


def is_its_log(project: Project) -> None:
    """The state, in memory and as somebody else finds it, is what all events add up to."""
    fresh = replayed(project.records())
    assert project.state == fresh
    assert msgspec.msgpack.decode(bytes_of(project.state), type=State) == fresh
    store = Store(project.store._place, read_only=True)
    with Project(store) as other:
        assert other.state == fresh


# ------------------------------------------------------------------ snapshots


class Recorded(Walker):
    """A random session whose acts go through a project."""

    def __init__(self, seed: int, path: Path) -> None:
        super().__init__(seed)
        self.project = Project.open(written_to(path, self.here))
        self.here.state = self.project.state

    def act(self, state: State, by: str, at: str, run: Any, **given: Any) -> Any:
        try:
            return self.project.done(run, by, given=given, at=at)
        finally:
            self.here.state = self.project.state


@pytest.mark.parametrize("seed", range(4))
def test_snapshot_and_tail_are_the_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(module, "KEEP_AFTER", 11)
    walk = Recorded(seed, tmp_path / "p.accordant")
    monkeypatch.setattr(sessions, "act", walk.act)
    seen = set()
    for number in range(250):
        walk.step(walk.likely())
        if number % 50 == 49:
            is_its_log(walk.project)
            kept = walk.project.store.snapshot()
            seen.add(kept.seq if kept else 0)
    assert len(seen) > 2
    assert sum(walk.accepted.values()) > 40
    assert walk.project.verify() == []
    with walk.project.store._engine.begin() as connection:
        connection.execute(text("delete from snapshot"))
    is_its_log(walk.project)
    walk.project.close()


def altered(path: str, **values: Any) -> None:
    """Change the snapshot of a project."""
    with Store.open(path) as store, store._engine.begin() as connection:
        sets = ", ".join(f"{name} = :{name}" for name in values)
        assert connection.execute(text(f"update snapshot set {sets}"), values).rowcount == 1


def test_a_snapshot_that_cannot_be_used(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEEP_AFTER", 1)
    for values in (
        {"blob": b"no state"},
        {"format": 1},
        {"hash": "0" * 64},
        {"seq": 1},
        {"digest": ""},
    ):
        with Project.open(file) as project:
            reason(project, "A1", 1, f"before {values}")
            before = project.state
        altered(file, **values)
        with Project.open(file) as project:
            assert project.state == before
            reason(project, "A1", 1, f"after {values}")
            assert project.verify() == []
            is_its_log(project)
            assert project.store.snapshot(kept_state._format()).seq == project.state.seq


def test_a_snapshot_that_lies(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole and of the right event, but not what the events add up to."""
    with Project.open(file) as project:
        state = project.state
        wrong = msgspec.structs.replace(state, title="another")
        format = kept_state._format()
        project.store.keep_snapshot(state.seq, state.head, format, bytes_of(wrong))
    with Project.open(file) as project:
        assert project.state.title == "another"
        [fault] = project.verify()
        assert "the snapshot is not what the events add up to" in str(fault)
        assert project.state.title == "A project"
        assert project.verify() == []
        is_its_log(project)


def test_nothing_is_released_of_a_snapshot_that_lies(where: str) -> None:
    here = resolving({"Q": {"A1": "010", "A2": "000"}})
    path = written_to(where, here)
    with Project.open(path) as project:
        wrong, state = compared({"Q": {"A1": "000", "A2": "000"}}).state, project.state
        wrong.seq, wrong.head = state.seq, state.head
        format = kept_state._format()
        project.store.keep_snapshot(state.seq, state.head, format, bytes_of(wrong))
    with Project.open(path) as project:
        assert status_now(project.state).status is ReleaseStatus.GROUND_TRUTH
        with pytest.raises(Refused):
            project.do(finish, "R")
        assert not project.state.releases
        assert project.state.step is Step.RESOLUTION


def test_a_release_holds_what_another_did_meanwhile(where: str) -> None:
    path = written_to(where, compared({"Q": {"A1": "010", "A2": "010"}}))
    with Project.open(path) as project, Project.open(path) as other:
        other.do(add_person, "R", name="zoe", roles=["observer"])
        project.do(finish, "R")
        assert "zoe" in project.state.people
        assert project.state.releases[-1].status is ReleaseStatus.GROUND_TRUTH
        is_its_log(project)


def test_nothing_is_released_of_an_event_that_was_altered(tmp_path: Path) -> None:
    path = written_to(tmp_path / "p.accordant", compared({"Q": {"A1": "010", "A2": "010"}}))
    with sqlite3.connect(path) as connection:
        connection.execute("drop trigger event_is_fixed")
        new = """update event set body = replace(body, '"0"', '"7"') where kind = 'annotated'"""
        assert connection.execute(new).rowcount == 2
    with Project.open(path) as project, pytest.raises(StoreError, match="was altered"):
        project.do(finish, "R")


def test_killed_between_the_event_and_the_snapshot(file: str) -> None:
    pid = os.fork()
    if not pid:
        try:
            module.KEEP_AFTER = 1
            Project._keep = lambda self: os._exit(9)  # type: ignore[method-assign]
            with Project.open(file) as project:
                reason(project, "A1", 1, "the last words")
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    with Project.open(file) as project:
        assert project.state.epoch.cases[1].reasons["A1"].text == "the last words"
        assert project.verify() == []
        is_its_log(project)


def test_no_room_for_a_snapshot(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done was done: nobody is told that it was not."""
    monkeypatch.setattr(module, "KEEP_AFTER", 1)
    with Project.open(file) as project:
        with monkeypatch.context() as patch:
            patch.setattr(Project, "_keep", raising(StoreError("no room")))
            assert [event.kind for event in reason(project, "A1", 1)] == ["reason given"]
        is_its_log(project)
        reason(project, "A2", 1)
        assert project.store.snapshot().seq == project.state.seq


def raising(error: BaseException) -> Callable[..., Any]:
    def fails(*_: Any, **__: Any) -> Any:
        raise error

    return fails


# ------------------------------------------------------------------ two at once


def test_two_on_one_case(where: str) -> None:
    here = written_to(where, resolving(THREE))
    with Project.open(here) as ana, Project.open(here) as bob:
        reason(ana, "A1", 1)
        reason(bob, "A2", 1, "each has their own")
        assert list(bob.state.epoch.cases[1].reasons) == ["A1", "A2"]
        is_its_log(bob)
        ana.refresh()
        reason(bob, "A2", 1, "said again")
        with pytest.raises(Conflict, match="A2 acted on the same case 1 before you: reason given"):
            ana.do(
                propose_cause, "A1", cases=1, cause="e", evidence=Evidence(coder="A1", meant="0")
            )
        assert ana.state == bob.state  # looked again
        is_its_log(ana)


def test_the_second_is_refused_and_told_who_was_first(where: str) -> None:
    here = written_to(where, resolving(THREE))
    with Project.open(here) as ana, Project.open(here) as bob:
        for coder in ("A1", "A2", "A3"):
            reason(ana, coder, 1)
        bob.refresh()
        ana.do(propose_cause, "A1", cases=1, cause=Cause.D, evidence=Evidence())
        reason(ana, "A1", 2)
        with pytest.raises(Refused, match=r"A1 acted: cause accepted \(case 1\)") as told:
            bob.do(propose_cause, "A2", cases=1, cause=Cause.D, evidence=Evidence())
        assert "case 2" not in str(told.value)  # that has nothing to do with it
        assert bob.state == ana.state
        bob.do(accept_cause, "A2", cases=[1])
        is_its_log(bob)


def test_two_on_different_cases(where: str) -> None:
    here = written_to(where, resolving(THREE))
    with Project.open(here) as ana, Project.open(here) as bob:
        for case in (1, 2, 3):
            reason(ana, "A1", case)
            reason(bob, "A2", case % 3 + 1)
            ana.refresh()
            bob.refresh()
        assert ana.state == bob.state
        both = [sorted(case.reasons) for case in ana.state.epoch.cases.values()]
        assert both == [["A1", "A2"]] * 3
        is_its_log(ana)


def test_two_close_a_round(where: str) -> None:
    here = written_to(where, annotated(THREE))
    with Project.open(here) as one, Project.open(here) as two:
        one.do(add_person, "R", name="R2", roles=["researcher"])
        two.refresh()
        one.do(close_round, "R")
        with pytest.raises(Refused, match="since you looked, R acted"):
            two.do(close_round, "R2")
        assert two.state == one.state


def test_coders_never_get_in_each_others_way(where: str) -> None:
    """Three processes submit sheets of the same round at the same time."""
    here = open_blindly(ready_to_annotate(20))
    before = len(here.log)
    written_to(where, here)
    assert run("annotate", where, 15) == {"failed": 0}
    with Project.open(where) as project:
        assert project.state.seq == before + 3 * 15
        assert {len(s) for s in project.state.epoch.rounds[0].sheet["Q"].values()} == {20}
        assert project.verify() == []
        is_its_log(project)


def test_the_same_coder_twice(where: str) -> None:
    """Whoever submits last counts; the log has both."""
    here = open_blindly(ready_to_annotate(2))
    written_to(where, here)
    with Project.open(where) as one, Project.open(where) as two:
        one.do(annotate, "A1", question="Q", answers={"i1": "0", "i2": "1"})
        two.do(annotate, "A1", question="Q", answers={"i1": "1"})
        one.refresh()
        assert one.state == two.state
        assert len(list(one.records())) == len(here.log) + 2
        is_its_log(one)


# ------------------------------------------------------------------ kills


def run(what: str, *arguments: object) -> dict[str, int]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "error", str(DOERS), what, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


def killed(where: str, notes: Path, kills: int, most: int) -> None:
    """Every act that was noted is in the log, whole, and no act is there by half."""
    written_to(where, resolving(THREE))
    figures = run("kill", where, notes, kills, 1, most)
    accepted = [line.split() for line in notes.read_text().splitlines()]
    with Project.open(where) as project:
        there: dict[str, list[Record]] = {}
        for record in project.records():
            there.setdefault(record.command, []).append(record)
        lost = [
            id
            for id, n, head in accepted
            if [len(there.get(id, [])), there[id][-1].hash] != [int(n), head]
        ]
        halves = [id for id, some in there.items() if some[-1].id != f"{id}/{len(some) - 1}"]
        faults = project.verify(head=accepted[-1][2])
        figures |= {"acknowledged": len(accepted), "lost": len(lost), "halves": len(halves)}
        print(figures, "acts:", len(there), "events:", project.state.seq, "faults:", len(faults))
        assert len(accepted) >= kills // 2
        assert not lost
        assert not halves
        assert not faults
        assert most == 1 or project.state.seq > len(there)
        is_its_log(project)
        reason(project, "A3", 1)  # nobody who was killed holds it


MOST = pytest.mark.parametrize("most", [1, 3], ids=["single acts", "acts together"])


@MOST
def test_twenty_kills(tmp_path: Path, most: int) -> None:
    killed(str(tmp_path / "p.accordant"), tmp_path / "notes", 20, most)


@MOST
def test_kills_on_postgresql(postgres: Callable[[], str], tmp_path: Path, most: int) -> None:
    killed(postgres(), tmp_path / "notes", 6, most)


@MOST
def test_many_at_once(where: str, most: int) -> None:
    crowded(where, 6, 4, most)


def crowded(where: str, doers: int, acts: int, most: int) -> None:
    """Whatever each was told to be done is in the log, and nothing else."""
    here = written_to(where, resolving(THREE))
    with Project.open(here) as project:
        before = {record.command for record in project.records()}
        figures = run("crowd", where, doers, acts, most)
        project.refresh()
        after = {record.command for record in project.records()} - before
        print(figures, "acts:", len(after), "events:", project.state.seq)
        assert figures == {"failed": 0, "accepted": len(after)}
        assert project.verify() == []
        is_its_log(project)


# ------------------------------------------------------------------ what fails on the way


@contextmanager
def full(path: str) -> Iterator[None]:
    """A disk that takes no more than a page beyond what the file has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path(path).stat().st_size + 4096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk(file: str) -> None:
    with Project.open(file) as project:
        before = bytes_of(project.state)
        with full(file), pytest.raises(StoreError, match="Nothing of this was saved"):
            reason(project, "A1", 1, "x" * 300_000)
        assert bytes_of(project.state) == before
        is_its_log(project)
        reason(project, "A1", 1, "shorter")
        assert project.state.epoch.cases[1].reasons["A1"].text == "shorter"
        assert project.verify() == []
        is_its_log(project)


@pytest.mark.parametrize("moment", ["fold", "append", "commit"])
def test_interrupted(file: str, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Wherever it is, what the project says afterwards is what its log holds."""
    from accordant.resolution.event import FOLDS
    from accordant.resolution.store.tables import Writing

    with Project.open(file) as project:
        before = project.state.seq
        with monkeypatch.context() as patch:
            if moment == "fold":
                patch.setitem(FOLDS, give_reason_event(), raising(KeyboardInterrupt()))
            elif moment == "append":
                patch.setattr(Writing, "append", raising(KeyboardInterrupt()))
            else:  # it is in the log, and the answer never came
                patch.setattr(Store, "writing", interrupted_after(Store.writing))
            with suppress(KeyboardInterrupt):
                reason(project, "A1", 1)
        is_its_log(project)
        assert project.state.seq == before + (moment == "commit")
        reason(project, "A2", 1)
        is_its_log(project)


def test_interrupted_while_looking(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from accordant.resolution.event import FOLDS

    whole = FOLDS[give_reason_event()]

    def half(*given: Any) -> None:
        whole(*given)
        raise KeyboardInterrupt

    with Project.open(file) as project, Project.open(file) as other:
        reason(other, "A1", 1)
        with monkeypatch.context() as patch:
            patch.setitem(FOLDS, give_reason_event(), half)
            with pytest.raises(KeyboardInterrupt):
                project.refresh()
        is_its_log(project)
        assert project.state == other.state


def give_reason_event() -> Any:
    from accordant.resolution.cases import ReasonGiven

    return ReasonGiven


def interrupted_after(writing: Callable[..., Any]) -> Callable[..., Any]:
    @contextmanager
    def again(self: Store) -> Iterator[Any]:
        with writing(self) as inside:
            yield inside
        raise KeyboardInterrupt

    return again


def test_a_store_that_has_gone(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an act that failed, nothing is shown that may not have happened."""
    with Project.open(file) as project:
        seq = project.state.seq
        with monkeypatch.context() as patch:
            patch.setattr(Store, "snapshot", raising(StoreError("gone")))
            with full(file), pytest.raises(StoreError, match="Nothing of this was saved"):
                reason(project, "A1", 1, "x" * 300_000)
            with pytest.raises(StoreError, match="gone"):
                _ = project.state
        assert project.state.seq == seq
        reason(project, "A1", 1)
        is_its_log(project)


def test_wrong_input_costs_nothing(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is not read anew where nothing has changed it."""
    with Project.open(file) as project:
        state = project.state
        monkeypatch.setattr(Project, "_opened", raising(AssertionError("read anew")))
        with pytest.raises(RequestError, match="there is no case 99"):
            reason(project, "A1", 99)
        with pytest.raises(Refused):
            project.do(accept_cause, "A1", cases=1)
        assert project.state is state


def test_an_act_that_is_repeated(file: str) -> None:
    given = {"case": 1, "text": "once"}
    with Project.open(file) as project, Project.open(file) as other:
        first = project.done(give_reason, "A1", given=given, id="mine")
        assert project.done(give_reason, "A1", given=given, id="mine") == first
        assert other.done(give_reason, "A1", given=given, id="mine") == first
        assert other.state == project.state
        assert project.state.epoch.cases[1].state == CaseState.REASONS
        is_its_log(other)


def test_arguments_by_their_place(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.accordant", "Letters", by="ana") as project:
        project.do(state_question, "ana", "Who wrote them?", id="Q1")
        assert [(q.id, q.text) for q in project.state.research_questions] == [
            ("Q1", "Who wrote them?")
        ]


def test_questions_stand_in_the_order_of_the_task(tmp_path: Path) -> None:
    """The log sorts what it holds by name: whoever opens the project sees what others see."""
    here = annotated({"Q": {"A1": "01", "A2": "00"}, "P": {"A1": "01", "A2": "01"}})
    path = written_to(tmp_path / "p.accordant", here)
    with Project.open(path) as project:
        project.do(close_round, "R")
        shown = comparison_view(project.state, "R").counts
    with Project.open(path) as project:
        assert [*comparison_view(project.state, "R").counts] == [*shown] == ["Q", "P"]


def test_making_that_was_interrupted(where: str) -> None:
    """Killed after the tables were made and before the first event."""
    Store.create(where).close()
    with pytest.raises(StoreError, match="is empty: making it was interrupted"):
        Project.open(where)


def test_read_only(file: str) -> None:
    with Project.open(file, read_only=True) as project:
        before = bytes_of(project.state)
        with pytest.raises(StoreError, match="read only"):
            reason(project, "A1", 1)
        assert bytes_of(project.state) == before
        assert project.verify() == []


# ------------------------------------------------------------------ verify


def with_event(path: str, kind: str, stream: str, body: str) -> None:
    with Store.open(path) as store, store.writing() as writing:
        writing.append([Draft(kind, stream, body)], actor="R", id="strange")


@pytest.mark.parametrize(
    "kind, body, says",
    [
        ("oracle asked", "{}", "does not know"),
        ("reason given", '{"type":"reason given","case":"one"}', "damaged event 'reason given'"),
        ("reason given", "no JSON", "damaged event 'reason given'"),
        (
            "reason given",
            '{"type":"reason given","case":99,"coder":"A1","text":"?"}',
            "does not fit what was before it",
        ),
    ],
)
def test_an_event_that_cannot_be_read(file: str, kind: str, body: str, says: str) -> None:
    with Project.open(file) as project:
        seq = project.state.seq
        with_event(file, kind, "case 1", body)
        [fault] = project.verify()
        assert fault.seq == seq + 1
        assert says in str(fault)
        with pytest.raises(InputError, match=says):
            project.refresh()
        with pytest.raises(InputError, match=says):
            reason(project, "A1", 1)
    with pytest.raises(InputError, match=says):
        Project.open(file)
    with Store.open(file, read_only=True) as store:
        assert [f.seq for f in faults_of(store)] == [seq + 1]
        assert store.head[0] == seq + 1


def test_an_altered_event_is_told_once(file: str) -> None:
    with Store.open(file) as store:
        with store._engine.begin() as connection:
            connection.execute(text("drop trigger event_is_fixed"))
            connection.execute(text("update event set body = '{}' where seq = 9"))
        faults = faults_of(store)
    assert [fault.seq for fault in faults if fault.seq] == [9]
    assert any("event_is_fixed" in str(fault) for fault in faults)


def test_others_write_during_verify(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that came meanwhile are no fault."""
    opened = Project._opened
    with Project.open(file) as project, Project.open(file) as other:

        def slowly(self: Project) -> State:
            monkeypatch.undo()
            reason(other, "A1", 1)
            found = opened(self)
            reason(other, "A2", 2)
            return found

        monkeypatch.setattr(Project, "_opened", slowly)
        assert project.verify() == []
        assert other.state.seq == project.state.seq + 2
        is_its_log(other)


def test_a_question_that_was_stated_twice_at_once(where: str) -> None:
    """Outside of cases the guards, asked again, are enough: both are there."""
    with Project.create(where, "Letters", by="ana") as one, Project.open(where) as two:
        one.do(state_question, "ana", text="Who wrote them?")
        two.do(state_question, "ana", text="When?")
        assert [q.text for q in one.refresh().research_questions] == ["Who wrote them?", "When?"]
        is_its_log(two)
