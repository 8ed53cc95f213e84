"""Older and newer schemas, with an artificial one after the last."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from accordant.errors import StoreError
from accordant.resolution.store import tables as schema
from accordant.resolution.store.store import Draft, Store
from accordant.resolution.store.tables import metadata

NOW = schema.LATEST
NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "{next}"
down_revision = "{last}"


def upgrade():
    op.create_table("note", sa.Column("text", sa.Text))
    {more}


def downgrade():
    pass
"""


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """`later()` makes this an Accordant with one more schema, `later(more)` with a line more."""

    def become(more: str = "pass") -> None:
        folder = tmp_path / f"100% later{len(more)}"
        shutil.copytree(schema.FOLDER, folder)
        names = {"next": f"{NOW + 1:04}", "last": f"{NOW:04}"}
        text = NEXT.format(more=more, **names)
        (folder / "versions" / f"schema_{names['next']}.py").write_text(text)
        monkeypatch.setattr(schema, "FOLDER", folder)
        monkeypatch.setattr(schema, "LATEST", NOW + 1)

    return become


def made(where: str | Path) -> tuple[int, str]:
    with Store.create(where) as store:
        with store.writing() as writing:
            writing.append([Draft("noted", "a", "{}")] * 3, actor="ana", id="c1")
        return store.head


def test_the_latest_is_the_last_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.FOLDER))
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == [f"{schema.LATEST:04}"]


def test_the_revisions_make_the_tables(where: str) -> None:
    with Store.create(where) as store, store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, metadata)
    assert [d for d in found if "alembic_version" not in str(d)] == []


def test_an_older_file_is_copied_and_brought_up_to_date(
    later: Callable[..., None], tmp_path: Path
) -> None:
    path = tmp_path / "project.accordant"
    head = made(path)
    later()
    with Store.open(path, read_only=True) as store:  # what happened is read as it is
        assert store.head == head
        with pytest.raises(StoreError, match="accordant project upgrade"), store.personal():
            pass
    with Store.open(path) as store:
        assert store.copy == tmp_path / f"project.before-schema-{NOW + 1}.accordant"
        assert store.head == head
        assert store.verify(head=head[1]) == []
    with Store.open(path) as again:
        assert again.copy is None
    for file, number in (
        (path, NOW + 1),
        (tmp_path / f"project.before-schema-{NOW + 1}.accordant", NOW),
    ):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("pragma user_version").fetchone() == (number,)
            assert connection.execute("select version_num from alembic_version").fetchall() == [
                (f"{number:04}",)
            ]
            assert connection.execute("select count(*) from event").fetchone() == (3,)
    with Store.open(tmp_path / f"project.before-schema-{NOW + 1}.accordant") as copied:
        assert copied.head == head


def test_a_newer_one_is_refused(
    where: str, later: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as _:
        later()
        head = made(where)
        with Store.open(where) as store:
            assert store.head == head
    monkeypatch.setattr(schema, "LATEST", NOW)
    for read_only in (True, False):
        with pytest.raises(
            StoreError, match=rf"a newer Accordant \(schema {NOW + 1}; this one knows schema {NOW}"
        ):
            Store.open(where, read_only=read_only)


def test_a_server_waits_to_be_told(postgres: Callable[[], str], later: Callable[..., None]) -> None:
    where = postgres()
    head = made(where)
    later()
    with pytest.raises(StoreError, match="is 1 schema version behind"):
        Store.open(where)
    Store.upgrade(where)
    Store.upgrade(where)
    with Store.open(where) as store:
        assert store.head == head
        assert store.verify() == []


def test_a_revision_that_fails_changes_nothing(
    later: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "project.accordant"
    head = made(path)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "LATEST", NOW)
        later("op.execute('select nonsense from nowhere')")
        with pytest.raises(StoreError, match="Nothing of this was saved.*nowhere"):
            Store.open(path)
    monkeypatch.undo()
    assert list(tmp_path.glob("*.accordant")) == [path]
    with Store.open(path) as store:
        assert store.head == head
        assert store.verify() == []
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("select name from sqlite_master where name = 'note'")
        assert names.fetchall() == []


def test_many_open_an_older_file_at_once(later: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "project.accordant"
    head = made(path)
    later()
    heads: list[object] = []

    def look() -> None:
        try:
            with Store.open(path) as store:
                heads.append(store.head)
        except Exception as error:
            heads.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heads == [head] * 4
    assert len(list(tmp_path.glob("*.before-schema-*"))) == 1
