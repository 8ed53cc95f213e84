"""When the disk, the rights or another program are in the way: one sentence, and nothing lost."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from accordant.errors import StoreError
from accordant.resolution.store import databases
from accordant.resolution.store.databases import Place
from accordant.resolution.store.store import Draft, Store

NOBODY = 65534


def add(store: Store, id: str, body: str = "{}") -> None:
    with store.writing() as writing:
        writing.append([Draft("noted", "a", body)], actor="ana", id=id)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with Store.create(tmp_path / "project.accordant") as store:
        add(store, "c1")
    return tmp_path / "project.accordant"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may reach, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="acc-"))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@contextmanager
def without_privilege() -> Iterator[None]:
    """As an ordinary user, since nothing is closed to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def nothing_lost(store: Store, before: tuple[int, str]) -> None:
    """The log is as before, and takes the next event."""
    assert store.head == before
    assert store.verify() == []
    add(store, "next")
    assert store.head[0] == before[0] + 1


@pytest.mark.parametrize(
    "content, says",
    [
        (None, "there is no such file"),
        (b"", "is empty: making it was interrupted. Delete the file"),
        (b"item,coder,label\n1,ana,yes\n", "is no project but some other file"),
        (b"SQLite format 3\0", "is an SQLite database of another program"),
    ],
)
def test_what_is_no_project(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "project.accordant"
    if content is not None:
        path.write_bytes(content)
    for read_only in (True, False):
        with pytest.raises(StoreError, match=says) as told:
            Store.open(path, read_only=read_only)
        assert str(told.value).startswith(str(path))
    assert path.exists() is (content is not None)
    assert content is None or path.read_bytes() == content


def test_a_name_that_comes_near(file: Path) -> None:
    for wrong in ("projct.accordant", "project"):
        with pytest.raises(StoreError, match=r"did you mean 'project\.accordant'\?"):
            Store.open(file.with_name(wrong))


def test_folders(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder; a project is one file"):
        Store.open(tmp_path)
    for make in (Store.open, Store.create):
        with pytest.raises(StoreError, match="there is no folder .*nowhere"):
            make(tmp_path / "nowhere" / "p.accordant")


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table event (seq integer)")
    with pytest.raises(StoreError, match="an SQLite database of another program"):
        Store.open(path)


def test_a_project_without_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "p.accordant"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma application_id = {databases.APPLICATION}")
    with pytest.raises(StoreError, match="holds no project"):
        Store.open(path)


def test_making_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from accordant.resolution.store import tables as schema

    def fails(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(schema, "upgrade", fails)
    with pytest.raises(KeyboardInterrupt):
        Store.create(tmp_path / "p.accordant")
    assert list(tmp_path.iterdir()) == []


def test_a_limit_on_the_size_of_files(file: Path) -> None:
    """A write that fails in the middle, as on a full disk; needs no rights."""
    with Store.open(file) as store:
        before = store.head
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 8192, hard))
        try:
            with pytest.raises(StoreError, match="the disk did not do what was asked") as told:
                add(store, "c2", "x" * 300_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert "Nothing of this was saved" in str(told.value)
        nothing_lost(store, before)


def test_no_more_pages(file: Path) -> None:
    with Store.open(file) as store:
        before = store.head
        with store._engine.connect() as connection:
            connection.execute(text("pragma max_page_count = 1"))  # becomes the present number
        with pytest.raises(StoreError, match="no room left on the disk.*Nothing of this"):
            add(store, "c2", "x" * 300_000)
        with pytest.raises(StoreError, match="no room left"):
            store.keep_snapshot(*before, 1, b"x" * 300_000)
        with store._engine.connect() as connection:
            connection.execute(text("pragma max_page_count = 1000000"))
        nothing_lost(store, before)


def test_a_full_disk(open_folder: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=777", "tmpfs", str(open_folder)]
    if (
        os.geteuid()
        or not shutil.which("mount")
        or subprocess.run(mount, capture_output=True).returncode
    ):
        pytest.skip("no disk of a size of our own can be mounted here: a full one was NOT tested")
    try:
        with Store.create(open_folder / "p.accordant") as store:
            add(store, "c1")
            before = store.head
            for number in range(3):
                with pytest.raises(StoreError, match="no room left on the disk"):
                    add(store, f"big{number}", "x" * 1_000_000)
            accepted = 0
            with suppress(StoreError):
                for number in range(1_000):
                    add(store, f"small{number}", "x" * 2_000)
                    accepted += 1
            assert 0 < accepted < 1_000
            assert store.head[0] == before[0] + accepted
            assert store.verify() == []
        (open_folder / "more").touch()
        with pytest.raises(StoreError, match="no room left|did not do what was asked"):
            Store.create(open_folder / "q.accordant")
        assert not (open_folder / "q.accordant").exists()
    finally:
        subprocess.run(["umount", str(open_folder)], check=True)


def test_a_read_only_file(open_folder: Path) -> None:
    path = open_folder / "p.accordant"
    with Store.create(path) as store:
        add(store, "c1")
        before = store.head
    path.chmod(0o444)
    with without_privilege():
        for read_only in (True, False):
            with Store.open(path, read_only=read_only) as store:
                assert store.head == before
        with (
            Store.open(path) as store,
            pytest.raises(StoreError, match="only read.*Nothing of this"),
        ):
            add(store, "c2")
    path.chmod(0o000)
    with without_privilege(), pytest.raises(StoreError, match="cannot be read"):
        Store.open(path)
    path.chmod(0o666)
    with Store.open(path) as store:
        nothing_lost(store, before)


def test_a_read_only_folder(open_folder: Path) -> None:
    path = open_folder / "p.accordant"
    with Store.create(path) as store:
        add(store, "c1")
        before = store.head
    path.chmod(0o666)
    open_folder.chmod(0o555)
    with without_privilege():
        with Store.open(path) as store, pytest.raises(StoreError, match="folder.*journal"):
            add(store, "c2")
        with Store.open(path, read_only=True) as store:
            assert store.head == before
        with pytest.raises(StoreError, match="cannot be made"):
            Store.create(open_folder / "q.accordant")
    open_folder.chmod(0o777)
    with Store.open(path) as store:
        nothing_lost(store, before)


def test_others_who_write_for_too_long(
    where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Store.create(where) as store:
        add(store, "c1")
    for module in (databases,):
        monkeypatch.setattr(module, "PATIENCE", 0.2)
    with Store.open(where) as one, Store.open(where) as two:
        with one.writing() as writing:
            with pytest.raises(StoreError, match="others have been writing for more than 15"):
                add(two, "c2")
            assert two.head[0] == 1  # reading goes on
            writing.append([Draft("noted", "a", "{}")], actor="ana", id="c2")
        nothing_lost(two, one.head)


def test_who_waits_gets_a_turn(where: str) -> None:
    with Store.create(where) as store:
        holds, done = threading.Event(), threading.Event()

        def first() -> None:
            with store.writing() as writing:
                holds.set()
                done.wait(0.3)
                writing.append([Draft("noted", "a", "{}")], actor="ana", id="c1")

        thread = threading.Thread(target=first)
        thread.start()
        holds.wait()
        add(store, "c2")
        thread.join()
        assert [record.command for record in store.records()] == ["c1", "c2"]


def test_an_interrupted_write_is_undone(file: Path, tmp_path: Path) -> None:
    """A journal that a killed program left: undone at the next opening, even into reading only."""
    program = f"""
import os, sqlite3
connection = sqlite3.connect({str(file)!r}, isolation_level=None)
connection.execute("pragma cache_size = 2")
connection.execute("begin immediate")
for number in range(2, 400):
    row = (number, f"c{{number}}/0", "t", "a", "k", "s", number, "x" * 900, None, "h")
    last = connection.execute("select hash from event order by seq desc limit 1").fetchone()[0]
    row = (*row[:8], last, f"h{{number}}")
    connection.execute("insert into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
os.kill(os.getpid(), 9)
"""
    before = file.stat().st_size
    subprocess.run([sys.executable, "-c", program], check=False)
    journal = file.with_name(f"{file.name}-journal")
    assert journal.exists()
    assert file.stat().st_size > before  # pages had been written already
    with pytest.raises(StoreError, match="interrupted.*opened once for writing"):
        Store.open(file, read_only=True)
    with Store.open(file) as store:
        assert not journal.exists()
        assert len(list(store.records())) == 1
        nothing_lost(store, store.head)


def test_another_journal_mode_is_put_right(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("pragma journal_mode = wal").fetchone() == ("wal",)
    with Store.open(file) as store:
        add(store, "c2")
        assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_bytes()[18] == 1


def test_the_promises_of_the_file(file: Path) -> None:
    with Store.open(file) as store, store._engine.connect() as connection:
        asked = ("synchronous", "journal_mode", "foreign_keys", "application_id", "user_version")
        found = [connection.execute(text(f"pragma {name}")).scalar() for name in asked]
    assert found == [3, "delete", 1, int.from_bytes(b"Acrd"), 2]


def test_no_driver_for_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"need psycopg. Install it with pip install 'accordant\["):
        Store.open("postgresql://u@localhost/d?project=x")


def test_no_server_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for secret in (
        "postgresql://u:s3cret@127.0.0.1:1/d?project=x",
        "postgresql://u@127.0.0.1:1/d?project=x&password=s3cret",
    ):
        with pytest.raises(StoreError, match="the server cannot be reached") as told:
            Store.open(secret)
        assert "s3cret" not in str(told.value)
        assert str(told.value).startswith("postgresql://u@127.0.0.1:1/d?project=x: ")


def test_what_a_driver_says_is_told_without_the_secret() -> None:
    place = Place.of("postgresql://u:s3cret@h/d?project=x")
    said = databases.failure(place, RuntimeError("cannot use u:s3cret\nand more"))
    assert str(said) == (
        "postgresql://u@h/d?project=x: the database failed. (reported: cannot use u:***)"
    )


def test_what_a_server_does_not_have(postgres: Callable[[], str]) -> None:
    url = postgres()
    with pytest.raises(StoreError, match="there is no such project in the database"):
        Store.open(url)
    with pytest.raises(StoreError, match="the server has no such database"):
        Store.open(url.replace("/postgres?", "/other?"))
    with pytest.raises(StoreError, match="does not accept this user"):
        Store.open(url.replace("test@", "stranger@"))


def test_a_server_without_rights(postgres: Callable[[], str]) -> None:
    url = postgres()
    with Store.create(url) as store:
        add(store, "c1")
        with store._engine.begin() as connection:
            connection.execute(text("drop role if exists guest"))
            connection.execute(text("create role guest login"))
    guest = url.replace("test@", "guest@")
    with pytest.raises(StoreError, match="no such project|you may not do this"):
        Store.open(guest)
    with pytest.raises(StoreError, match="you may not do this on the server"):
        Store.create(f"{guest}-new")
    with Store.open(url) as store, store._engine.begin() as connection:
        schema = connection.execute(text("select current_schema()")).scalar()
        for what in (f'usage on schema "{schema}"', f'select on all tables in schema "{schema}"'):
            connection.execute(text(f"grant {what} to guest"))
    with Store.open(guest) as store:
        assert store.head[0] == 1
        with pytest.raises(StoreError, match="you may not do this.*Nothing of this was saved"):
            add(store, "c2")
    with Store.open(guest, read_only=True) as store:
        assert store.verify() == []


def test_every_known_error_ends_with_advice() -> None:
    for what in [*databases.SQLITE.values(), *databases.POSTGRESQL.values()]:
        assert what
        assert not what.endswith(".")
