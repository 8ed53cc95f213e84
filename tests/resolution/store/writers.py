"""Processes that write to one project, and are killed: a program that tests start.

It loads the libraries once and forks, so that two hundred kills take seconds. Each writer appends
commands of three events and notes a command outside the project once it has been accepted.

    writers.py kill WHERE NOTES KILLS SEED    kill writers at random moments, two at a time
    writers.py until WHERE NOTES              two writers, until the server is gone
    writers.py race WHERE WRITERS COMMANDS    everybody acts on the same streams
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from accordant.errors import Conflict, StoreError
from accordant.resolution.store.store import Draft, Store

STREAMS = 20


def fork(work, *arguments) -> int:
    """The process id of a child that does the work and then ends."""
    if pid := os.fork():
        return pid
    code = 1
    try:
        work(*arguments)
        code = 0
    finally:
        os._exit(code)


def write(where: str, notes: int, name: str, seed: int) -> None:
    draw = random.Random(seed)
    with Store.open(where) as store:
        for number in range(10**9):
            # Of many sizes, so that a kill meets writes of one page and of many.
            bodies = ["x" * int(10 ** draw.uniform(0, 4.5)) for _ in range(3)]
            drafts = [Draft("noted", f"s{draw.randrange(9)}", json.dumps(body)) for body in bodies]
            with store.writing() as writing:
                records = writing.append(drafts, actor=name, id=f"{name}.{number}")
            os.write(notes, "".join(f"{r.id} {r.seq} {r.hash}\n" for r in records).encode())


def kill(where: str, notes_path: str, kills: int, seed: int) -> dict[str, int]:
    draw = random.Random(seed)
    journals = 0
    notes = os.open(notes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for pair in range(kills // 2):
        before = os.fstat(notes).st_size
        pids = [fork(write, where, notes, f"w{pair}-{k}", seed + 2 * pair + k) for k in range(2)]
        if pair % 4:  # else they may be killed before they have begun
            while os.fstat(notes).st_size == before:
                if any(os.waitpid(pid, os.WNOHANG)[0] for pid in pids):
                    raise SystemExit("a writer ended before it had written")
                time.sleep(0.001)
        for pid in pids:
            time.sleep(draw.uniform(0, 0.03))
            os.kill(pid, signal.SIGKILL)
        for pid in pids:
            _, status = os.waitpid(pid, 0)
            if not os.WIFSIGNALED(status):
                raise SystemExit("a writer ended before it was killed")
        journals += Path(f"{where}-journal").exists()
    return {"kills": 2 * (kills // 2), "cut in the middle of a write": journals}


def until(where: str, notes_path: str) -> dict[str, int]:
    notes = os.open(notes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def go(name: str) -> None:
        try:
            write(where, notes, name, 1)
        except StoreError as error:
            os.write(2, f"{error}\n".encode())

    pids = [fork(go, f"u{os.getpid()}-{k}") for k in range(2)]
    statuses = [os.waitpid(pid, 0)[1] for pid in pids]
    return {"failed": sum(status != 0 for status in statuses)}


def race(where: str, writers: int, commands: int) -> dict[str, int]:
    """Each looks, thinks, and then writes only if nobody was quicker."""
    read, written = os.pipe()

    def go(number: int) -> None:
        draw = random.Random(number)
        conflicts = repeated = 0
        with Store.open(where) as store:
            seen: dict[str, int] = {}
            after = 0
            for command in range(commands):
                stream = f"s{draw.randrange(STREAMS)}"
                while True:
                    drafts = [Draft("scored", stream, "{}"), Draft("noted", f"own{number}", "{}")]
                    try:
                        with store.writing() as writing:
                            writing.expect({stream: seen.get(stream, 0)})
                            writing.append(drafts, actor=f"w{number}", id=f"{number}.{command}")
                        break
                    except Conflict:
                        conflicts += 1
                        for record in store.records(after):
                            seen[record.stream], after = record.version, record.seq
                with store.writing() as writing:  # as after a lost answer
                    repeated += len(writing.append(drafts, actor="x", id=f"{number}.{command}"))
        os.write(written, f"{conflicts} {repeated}\n".encode())

    pids = [fork(go, number) for number in range(writers)]
    failed = sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)
    os.close(written)
    with os.fdopen(read) as answers:
        rows = [tuple(map(int, line.split())) for line in answers]
    return {
        "failed": failed,
        "conflicts": sum(row[0] for row in rows),
        "repeated": sum(row[1] for row in rows),
    }


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    does = {"kill": kill, "until": until, "race": race}[what]
    print(json.dumps(does(*(int(word) if word.isdigit() else word for word in rest))))
