"""What the log of a project promises, in a file and on a server alike."""

from __future__ import annotations

import hashlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import accordant as ac

FIELDS = ("seq", "id", "at", "actor", "kind", "stream", "version", "body", "prev", "hash")


@pytest.fixture
def project(where: str) -> Iterator[ac.Project]:
    with ac.Project.create(where, "Letters", by="ana") as made:
        for name in ("bob", "cleo"):
            made.do("person", by="ana", name=name)
        made.do("question", by="ana", text="Who wrote them?")
        yield made


def sql(where: str, *statements: str) -> list[Any]:
    """As somebody does who knows SQL; the rows of the last statement."""
    if not where.startswith("postgresql"):
        with closing(sqlite3.connect(where)) as connection:
            for statement in statements:
                rows = connection.execute(statement).fetchall()
            connection.commit()
            return rows
    import psycopg

    url, _, name = where.partition("&project=")
    with psycopg.connect(url) as server:
        server.execute(f'set search_path to "accordant_{name}"')
        for statement in statements:
            cursor = server.execute(statement)
        return cursor.fetchall() if cursor.description else []


def alter(where: str, *statements: str) -> None:
    """Without the guards, which are put back afterwards."""
    if where.startswith("postgresql"):
        off, on = (f"alter table event {word} trigger user" for word in ("disable", "enable"))
        sql(where, off, *statements, on)
        return
    guards = sql(where, "select name, sql from sqlite_master where type = 'trigger'")
    dropped = [f"drop trigger {name}" for name, _ in guards]
    sql(where, *dropped, *statements, *(text for _, text in guards))


def faults(where: str, head: str | None = None) -> list[int | None]:
    with ac.Project.open(where) as project:
        return [fault.seq for fault in project.verify(head=head)]


# ------------------------------------------------------------------ kept as it was written


def test_what_was_done_is_there_again(project: ac.Project, where: str) -> None:
    log, head = project.log("ana"), project.log("ana")[-1].hash
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    project.close()
    for read_only in (True, False):
        with ac.Project.open(where, read_only=read_only) as again:
            assert again.log("ana") == log
            assert again.status().people == project.status().people
            assert again.verify(head=head[:12]) == []
    with pytest.raises(ac.StoreError, match="a file of that name|a project of that name"):
        ac.Project.create(where, "Letters", by="ana")


def test_the_hash_is_as_documented(project: ac.Project) -> None:
    """Written out by hand: a line, then netstrings; the first follows the id of the project."""

    def sealed(*values: object) -> str:
        text = "".join(f"{len(str(x).encode())}:{x}," for x in values)
        return hashlib.sha256(f"accordant event 1\n{text}".encode()).hexdigest()

    log = project.log()
    before = sealed("project", log[0].body["project"])
    for one in log:
        said = (one.seq, one.id, one.at, one.actor, one.kind, one.stream, one.version)
        assert one.prev == before
        before = sealed(*said, one.written, before)
        assert one.hash == before


def test_who_only_reads_writes_nothing(project: ac.Project, where: str) -> None:
    with ac.Project.open(where, read_only=True) as reader:
        with pytest.raises(ac.StoreError, match="read only"):
            reader.do("question", by="ana", purpose="ground truth")
        project.do("question", by="ana", purpose="ground truth")
        assert reader.status().purpose == "ground truth"


def test_an_act_that_is_repeated_is_done_once(project: ac.Project) -> None:
    given = {"text": "When were they written?"}
    first = project.done("question", "ana", given=given, id="letter 1")
    n = len(project.log())
    assert project.done("question", "ana", given=given, id="letter 1") == first
    assert len(project.log()) == n
    for other in ({"text": "Why?"}, {**given, "purpose": "ground truth"}):
        with pytest.raises(ac.RequestError, match="another content"):
            project.done("question", "ana", given=other, id="letter 1")
    with pytest.raises(ac.RequestError, match="another content"):
        project.done("person", "ana", given={"name": "dora"}, id="letter 1")
    assert len(project.log()) == n


def test_nobody_gets_what_another_did(project: ac.Project) -> None:
    """The id of an act is that of a person: another one's is another act."""
    project.do("person", by="ana", name="dora", roles=["researcher"])
    given = {"text": "When were they written?"}
    first = project.done("question", "ana", given=given, id="1")
    n = len(project.log())
    other = {"text": "Why?"}
    assert project.done("question", "dora", given=other, id="1") != first
    assert [entry.actor for entry in project.log()[n:]] == ["dora"]
    with pytest.raises(ac.Refused):
        project.done("question", "bob", given=given, id="1")
    for id in ("_", "%", "1:", "", "1" * 1000):  # nothing in an id is a pattern
        project.done("question", "ana", given={"text": f"Why {id}?"}, id=id)
    assert len(project.log()) == n + 6


def test_times_run_forward(project: ac.Project) -> None:
    given = {"purpose": "ground truth"}
    for at in ("2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "soon", "2026-01-01T00:00:00+01:00"):
        with pytest.raises(ac.RequestError):
            project.done("question", "ana", given=given, at=at)
    assert project.status().purpose is None


def test_what_no_database_can_keep(project: ac.Project) -> None:
    n = len(project.log())
    with pytest.raises((ac.AccordantError, UnicodeEncodeError)):
        project.do("question", by="ana", text="half a character: \ud800")
    assert len(project.log()) == n
    assert project.do("question", by="ana", text="Why?")


def test_two_on_one_thing(project: ac.Project, where: str) -> None:
    """Whoever comes second on the toolbox looks again; on other things the guards decide."""
    project.do("question", by="ana", purpose="ground truth")
    project.do("go", by="ana", to="task")
    task = {"questions": [{"id": "q", "text": "Is it signed?"}]}
    with ac.Project.open(where) as other:
        project.do("task", by="ana", task=task)
        task["questions"][0]["text"] = "Who signed it?"
        with pytest.raises(ac.Conflict):
            other.do("task", by="bob", task=task)
        other.do("task", by="bob", task=task)  # once looked at again
        other.do("person", by="ana", name="dora")
        project.do("person", by="ana", name="eve")
        assert other.status().people == project.status().people
    version = next(e for e in reversed(project.log()) if e.stream == "toolbox").version
    with pytest.raises(ac.Conflict):
        project.do("task", by="ana", task=task, expect={"toolbox": version - 1})


# ------------------------------------------------------------------ who cannot be opened


@pytest.mark.parametrize("content", [None, b"", b"item,label\n", b"SQLite format 3\0" + b"\0" * 99])
def test_what_is_no_project(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "letters.accordant"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ac.StoreError):
        ac.Project.open(path)
    assert path.exists() is (content is not None)


def test_a_name_that_comes_near(tmp_path: Path) -> None:
    ac.Project.create(tmp_path / "letters.accordant", "Letters", by="ana").close()
    with pytest.raises(ac.StoreError, match=r"did you mean 'letters.accordant'"):
        ac.Project.open(tmp_path / "leters.accordant")


def test_another_schema_is_refused(project: ac.Project, where: str) -> None:
    sql(where, "update accordant set schema = 99")
    with pytest.raises(ac.StoreError, match="schema 99"):
        ac.Project.open(where)


@pytest.mark.parametrize("letters", ["a b", "ü%20?#", "x'y"])
def test_no_letter_of_a_path_is_magic(tmp_path: Path, letters: str) -> None:
    path = tmp_path / f"{letters}.accordant"
    with ac.Project.create(path, "Letters", by="ana"):
        assert path.exists()


@pytest.mark.parametrize(
    "where", ["", "http://x/y", "postgresql://h/d", "postgresql://h/d?project=A B"]
)
def test_what_names_no_project(where: str) -> None:
    with pytest.raises(ac.RequestError):
        ac.Project.open(where)


def test_no_secret_is_told() -> None:
    where = "postgresql://ana:s3cret@127.0.0.1:1/team?project=letters"
    with pytest.raises(ac.StoreError) as error:
        ac.Project.open(where)
    assert "s3cret" not in str(error.value)


def test_two_projects_of_a_server_are_apart(postgres: Any) -> None:
    with (
        ac.Project.create(postgres(), "one", by="ana") as one,
        ac.Project.create(postgres(), "two", by="ana") as two,
    ):
        one.do("question", by="ana", text="Why?")
        assert len(two.log()) < len(one.log())
        assert two.verify() == []


# ------------------------------------------------------------------ whatever is altered is found


@pytest.mark.parametrize(
    "statement",
    [
        "update event set body = '{}' where seq = 2",
        "delete from event where seq = 2",
        "insert into event select 1, 'x', at, actor, kind, stream, 99, body, prev, hash from event",
        "insert into event select 99, 'y', at, actor, kind, 'z', 1, body, prev, hash from event",
    ],
)
def test_the_database_refuses_changes(project: ac.Project, where: str, statement: str) -> None:
    with pytest.raises(Exception, match="accepted events|must follow|[uU]nique|UNIQUE"):
        sql(where, statement)
    assert project.verify() == []


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_that_is_altered(project: ac.Project, where: str, field: str) -> None:
    value = "100" if field in ("seq", "version") else f"{field} || 'x'"
    alter(where, f"update event set {field} = {value} where seq = 4")
    found = project.verify()
    assert found
    assert {fault.seq for fault in found} <= {4, 5, 6, 100, None}


def test_an_event_that_is_gone(project: ac.Project, where: str) -> None:
    noted = project.log()[-1].hash
    alter(where, "delete from event where seq = 4")
    assert {fault.seq for fault in project.verify()} >= {5}
    alter(where, "delete from event where seq > 3")
    assert faults(where) == []  # only what was noted outside shows that the end was cut off
    assert faults(where, head=noted) == [None]


def test_a_guard_that_is_gone(project: ac.Project, where: str) -> None:
    server = where.startswith("postgresql")
    sql(where, f"drop trigger event_is_fixed{' on event' if server else ''}")
    [fault] = project.verify()
    assert "event_is_fixed" in fault.what


def test_any_flipped_byte(tmp_path: Path) -> None:
    """A damaged file says so, or tells the same as before."""
    path, draw = tmp_path / "p.accordant", random.Random(1)
    with ac.Project.create(path, "Letters", by="ana") as made:
        for k in range(30):
            made.do("question", by="ana", text=f"Question {k}? " * 20)
        log = made.log()
    whole = path.read_bytes()
    found = 0
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        try:
            with ac.Project.open(path, read_only=True) as project:
                assert project.verify() or project.log() == log
                found += bool(project.verify())
        except (ac.StoreError, ac.InputError):
            found += 1
    assert found > 10


def test_an_event_of_a_newer_version(project: ac.Project, where: str) -> None:
    """It is as it was written, and cannot be read."""
    last = sql(where, "select hash, at from event order by seq desc limit 1")[0]
    n = len(project.log()) + 1
    values = (n, "new/0", last[1], "ana", "dreamt", "dreams", 1, "{}", last[0])
    text = "".join(f"{len(str(x).encode())}:{x}," for x in values)
    sealed = hashlib.sha256(f"accordant event 1\n{text}".encode()).hexdigest()
    told = ", ".join(f"'{x}'" if isinstance(x, str) else str(x) for x in (*values, sealed))
    sql(where, f"insert into event values ({told})")
    assert [fault.seq for fault in project.verify()] == [n]
    with pytest.raises(ac.InputError, match="dreamt"):
        ac.Project.open(where)


# ------------------------------------------------------------------ what fails on the way


def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "p.accordant"
    with ac.Project.create(path, "Letters", by="ana") as project:
        n = len(project.log())
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 4096, hard))
        try:
            with pytest.raises(ac.StoreError):
                project.do("question", by="ana", text="Why? " * 20_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, before)
        assert len(project.log()) == n
        assert project.do("question", by="ana", text="Why? " * 20_000)
        assert project.verify() == []


def test_who_waits_gets_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "p.accordant"
    with ac.Project.create(path, "Letters", by="ana") as project:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("begin immediate")
            other.execute("insert into draft values ('bob', 'x/y', 'z')")
            with ac.Project.open(path, read_only=True) as reader:
                assert reader.log()  # reading goes on
            other.execute("rollback")
        assert project.do("question", by="ana", text="Why?")


WRITES = """
    import sys
    import accordant as ac
    where, name, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with ac.Project.open(where) as project:
        for k in range(n):
            given = {"text": f"{name} {k} " + "x" * (37 * k % 5000)}
            events = project.done("question", "ana", given=given, id=f"{name}.{k}")
            print(events[0].text.split(" x")[0].replace(" ", "."), flush=True)
    """


def writer(where: str, name: str, n: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(WRITES), where, name, str(n)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_killed_at_any_moment(project: ac.Project, where: str) -> None:
    """What was accepted is there, and nothing by half."""
    draw, accepted = random.Random(1), []
    for turn in range(5):
        writers = [writer(where, f"w{turn}{k}", 10_000) for k in range(2)]
        accepted += [one.stdout.readline().strip() for one in writers if one.stdout]
        time.sleep(draw.uniform(0, 0.1))
        for one in writers:
            one.kill()
            accepted += one.communicate()[0].split()
    told = [entry.body.get("text", "").split(" x")[0] for entry in project.log()]
    ids = {text.replace(" ", ".") for text in told}
    assert len(accepted) > 10
    assert {*accepted} <= ids
    assert project.verify() == []
    assert project.do("question", by="ana", text="Why?")  # nobody who was killed holds it


def test_many_at_once(project: ac.Project, where: str) -> None:
    n = len(project.log())
    writers = [writer(where, f"w{k}", 20) for k in range(3)]
    assert [one.wait(60) for one in writers] == [0, 0, 0]
    for one in writers:
        one.communicate()
    log = project.log()
    assert [entry.seq for entry in log] == list(range(1, n + 61))
    assert len({entry.id for entry in log}) == len(log)
    assert project.verify() == []


# ------------------------------------------------------------------ what belongs to one person


def test_a_draft_stays_until_its_act_is_done(project: ac.Project, where: str) -> None:
    project.draft("bob", "object//text", "R1 is too wi")
    project.draft("bob", "case reason/7/text", "half a rea")
    n = len(project.log())
    with ac.Project.open(where) as again:
        assert again.drafts("bob") == project.drafts("bob")
        assert again.drafts("cleo") == {}
        assert len(again.log()) == n  # it is no part of the log
    project.draft("bob", "object//text", "")
    assert list(project.drafts("bob")) == ["case reason/7/text"]
    project.draft("ana", "question//text", "Why")
    project.do("question", by="ana", text="Why not?")
    assert project.drafts("ana") == {}
    with pytest.raises(ac.RequestError):
        project.draft("nobody", "object//text", "x")


def test_a_token_says_who_with_the_roles_of_now(project: ac.Project) -> None:
    token = project.invite("bob", by="ana")
    assert project.whose(token).roles == ("coder",)
    project.do("person", by="ana", name="bob", roles=["coder", "moderator"])
    assert project.whose(token).roles == ("coder", "moderator")
    newer = project.invite("bob", by="ana")
    with pytest.raises(ac.Refused):
        project.whose(token)
    project.revoke("bob", by="ana")
    for some in (newer, "", token):
        with pytest.raises(ac.Refused):
            project.whose(some)
    with pytest.raises(ac.Refused):
        project.invite("cleo", by="bob")
    with pytest.raises(ac.RequestError):
        project.invite("nobody", by="ana")
