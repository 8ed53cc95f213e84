"""Killed at any moment, and many at once: nothing accepted is lost, nothing half-written is kept."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordant.resolution.store.store import Store
from resolution.store.cluster import Cluster

WRITERS = Path(__file__).with_name("writers.py")


def command(what: str, *arguments: object) -> list[str]:
    return [sys.executable, "-W", "error", str(WRITERS), what, *map(str, arguments)]


def run(what: str, *arguments: object) -> dict[str, int]:
    done = subprocess.run(command(what, *arguments), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(where: str, notes: Path, figures: dict[str, Any]) -> None:
    """Every note is in the project, every command whole, every event sound."""
    accepted = [line.split() for line in notes.read_text().splitlines()]
    with Store.open(where) as store:
        records = list(store.records())
        faults = store.verify(head=accepted[-1][2])
        with store.writing() as writing:  # nobody who was killed holds it still
            writing.append([], actor="a", id="after")
    kept = {record.id: (record.seq, record.hash) for record in records}
    lost = [id for id, seq, hash in accepted if kept.get(id) != (int(seq), hash)]
    halves = [id for id, n in Counter(r.command for r in records).items() if n != 3]
    figures |= {"accepted": len(accepted), "in the project": len(records)}
    print(figures, "lost:", len(lost), "half-written:", len(halves), "faults:", len(faults))
    assert not lost
    assert not halves
    assert not faults


def test_two_hundred_kills_on_sqlite(tmp_path: Path) -> None:
    where, notes = tmp_path / "project.accordant", tmp_path / "notes"
    Store.create(where).close()
    figures = run("kill", where, notes, 200, 1)
    check(str(where), notes, figures)
    assert figures["kills"] == 200
    assert figures["cut in the middle of a write"] > 10  # else the moments were badly chosen


def test_kills_on_postgresql(postgres: Callable[[], str], tmp_path: Path) -> None:
    where, notes = postgres(), tmp_path / "notes"
    Store.create(where).close()
    check(where, notes, run("kill", where, notes, 24, 2))


def test_a_killed_server(cluster: Cluster, postgres: Callable[[], str], tmp_path: Path) -> None:
    where, notes = postgres(), tmp_path / "notes"
    notes.touch()
    bystander = Store.create(where)
    for _ in range(2):
        before = notes.stat().st_size
        writing = subprocess.Popen(
            command("until", where, notes),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while notes.stat().st_size < before + 2_000 and writing.poll() is None:
            time.sleep(0.01)
        cluster.kill()
        out, err = writing.communicate(timeout=60)
        cluster.start()
        assert writing.returncode == 0, err
        assert json.loads(out) == {"failed": 0}, err
        assert "may or may not have been accepted" in err or "cannot be reached" in err
    assert bystander.head[0] > 0  # it connects anew by itself
    bystander.close()
    check(where, notes, {"server killed": 2})


def test_four_writers_at_once(where: str) -> None:
    Store.create(where).close()
    figures = run("race", where, 4, 50)
    with Store.open(where) as store:
        records = list(store.records())
        faults = store.verify()
    print(figures, "events:", len(records))
    assert figures["failed"] == 0
    assert figures["conflicts"] > 0
    assert figures["repeated"] == len(records) == 4 * 50 * 2
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    assert not faults


def test_the_check_would_notice_a_loss(tmp_path: Path) -> None:
    where, notes = tmp_path / "project.accordant", tmp_path / "notes"
    Store.create(where).close()
    run("kill", where, notes, 4, 3)
    with notes.open("a") as file:
        file.write(f"never/0 1 {'a' * 64}\n")
    with pytest.raises(AssertionError):
        check(str(where), notes, {})
