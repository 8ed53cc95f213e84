"""Where a project is: paths, URLs, and never a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant.errors import RequestError
from accordant.resolution.store.databases import Place
from accordant.resolution.store.store import Store


def test_files() -> None:
    assert Place.of("a/b.accordant").path == Path("a/b.accordant")
    assert Place.of(Path("x")).shown == "x"
    assert Place.of("~/x").path == Path.home() / "x"


@pytest.mark.parametrize(
    "name",
    ["a b.accordant", "50%.accordant", "what?.accordant", "a#b.accordant", "é'\"ü.accordant"],
)
def test_no_letter_of_a_path_is_magic(tmp_path: Path, name: str) -> None:
    Store.create(tmp_path / name).close()
    with Store.open(str(tmp_path / name)) as store:
        assert store.verify() == []
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "PostgreSQL"])
def test_servers(scheme: str) -> None:
    place = Place.of(f"{scheme}://ana:s3cret@db.example:5433/team?sslmode=require&project=a-1_b")
    assert place.schema == "accordant_a-1_b"
    assert place.shown == "postgresql://ana@db.example:5433/team?project=a-1_b&sslmode=require"
    assert place.url is not None
    assert place.url.drivername == "postgresql+psycopg"
    assert place.url.password == "s3cret"
    assert dict(place.url.query) == {"sslmode": "require"}
    assert "s3cret" not in repr(place)


@pytest.mark.parametrize(
    "where, says",
    [
        ("postgresql://ana:s3cret@h/d", "no project is named in the URL"),
        ("postgresql://ana:s3cret@h/d?project=", "no project is named"),
        ("postgresql://ana:s3cret@h/d?project=Big", "'Big' is no name of a project"),
        ('postgresql://ana:s3cret@h/d?project=a"b', "is no name of a project"),
        (f"postgresql://ana:s3cret@h/d?project={'a' * 51}", "is no name of a project"),
        ("postgresql://ana:s3cret@h:port/d?project=x", "this is no URL of a project"),
        ("mysql://ana:s3cret@h/d", "not 'mysql'"),
        ("", "no file is named"),
        ("  ", "no file is named"),
    ],
)
def test_what_names_no_project(where: str, says: str) -> None:
    with pytest.raises(RequestError, match=says) as told:
        Store.open(where)
    assert "s3cret" not in str(told.value)
    assert told.value.__cause__ is None
