"""A real PostgreSQL, and a project in each kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from resolution.store.cluster import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server of our own, without a port."""
    with Cluster() as running:
        yield running


@pytest.fixture(scope="session")
def postgres(cluster: Cluster) -> Callable[[], str]:
    """`postgres()` is the URL of a project that does not exist yet."""
    numbers = count(1)
    return lambda: cluster.url(f"project-{next(numbers)}")


SERVER = pytest.param("postgresql", marks=pytest.mark.needs("cluster"))


@pytest.fixture(params=["sqlite", SERVER])
def where(request: Any, tmp_path: Path) -> str:
    """Where a new project can be made, once in a file and once on a server."""
    if request.param == "sqlite":
        return str(tmp_path / "project.accordant")
    return request.getfixturevalue("postgres")()
