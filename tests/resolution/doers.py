"""Processes that act on one project through `Project`, and are killed: a program that tests start.

It loads the libraries once and forks. Each doer gives reasons for cases, one after the other, and
notes the id of each act outside the project once it has been accepted. Snapshots are kept all the
time, so that kills meet them, too.

    doers.py kill WHERE NOTES KILLS SEED MOST   kill doers at random moments, two at a time
    doers.py annotate WHERE SHEETS              three coders submit sheets at the same time
    doers.py crowd WHERE DOERS ACTS MOST        many give reasons at the same time

Where `MOST` is above one, up to so many acts are done together.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from accordant.errors import Conflict
from accordant.resolution import project as module
from accordant.resolution.acts import Act, ActsRefused
from accordant.resolution.annotation import annotate
from accordant.resolution.cases import give_reason
from accordant.resolution.project import Project


def fork(work: Callable[..., None], *arguments: Any) -> int:
    """The process id of a child that does the work and then ends."""
    if pid := os.fork():
        return pid
    code = 1
    try:
        work(*arguments)
        code = 0
    finally:
        os._exit(code)


def reasons(where: str, coder: str, name: str, seed: int, n: int, most: int) -> Iterator[str]:
    """Reasons for now this case, now that; after each act, its id and the head of the log."""
    draw = random.Random(seed)
    with Project.open(where) as project:
        for number in range(n):
            cases = draw.sample(list(project.state.epoch.cases), draw.randint(1, most))
            id, text = f"{name}.{number}", "x" * int(10 ** draw.uniform(0, 4))
            given = [{"case": case, "text": text} for case in cases]
            with suppress(Conflict, ActsRefused):
                if most == 1:
                    project.done(give_reason, coder, id=id, given=given[0])
                else:
                    project.together([Act(give_reason, coder, one) for one in given], id=id)
                yield f"{id} {len(cases)} {project.state.head}"


def reason(where: str, notes: int, coder: str, name: str, seed: int, most: int) -> None:
    """Reasons without end, each noted once it was accepted."""
    for note in reasons(where, coder, name, seed, 10**9, most):
        os.write(notes, f"{note}\n".encode())


def crowd(where: str, doers: int, acts: int, most: int) -> dict[str, int]:
    """How many of them failed, and how many acts the others were told are done."""
    module.KEEP_AFTER = 3
    read, written = os.pipe()

    def go(k: int) -> None:
        told = sum(1 for _ in reasons(where, f"A{k % 3 + 1}", f"c{k}", k, acts, most))
        os.write(written, f"{told}\n".encode())

    pids = [fork(go, k) for k in range(doers)]
    failed = sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)
    os.close(written)
    with os.fdopen(read) as answers:
        return {"failed": failed, "accepted": sum(map(int, answers))}


def kill(where: str, notes_path: str, kills: int, seed: int, most: int) -> dict[str, int]:
    module.KEEP_AFTER = 3
    draw = random.Random(seed)
    notes = os.open(notes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for pair in range(kills // 2):
        before = os.fstat(notes).st_size
        pids = [
            fork(reason, where, notes, f"A{k + 1}", f"d{pair}-{k}", seed + 2 * pair + k, most)
            for k in range(2)
        ]
        while os.fstat(notes).st_size == before:
            if any(os.waitpid(pid, os.WNOHANG)[0] for pid in pids):
                raise SystemExit("a doer ended before it had done anything")
            time.sleep(0.001)
        for pid in pids:
            time.sleep(draw.uniform(0, 0.04))
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            if not os.WIFSIGNALED(status):
                raise SystemExit("a doer ended before it was killed")
    return {"kills": 2 * (kills // 2)}


def sheet(where: str, coder: str, sheets: int) -> None:
    """One sheet after the other, without looking at what others do."""
    with Project.open(where) as project:
        ids = project.state.items.ids
        for number in range(sheets):
            answers = {item: "01"[(number + k) % 2] for k, item in enumerate(ids)}
            project.do(annotate, coder, question="Q", answers=answers)


def together(where: str, sheets: int) -> dict[str, int]:
    pids = [fork(sheet, where, coder, sheets) for coder in ("A1", "A2", "A3")]
    return {"failed": sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)}


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    does = {"kill": kill, "annotate": together, "crowd": crowd}[what]
    print(json.dumps(does(*(int(word) if word.isdigit() else word for word in rest))))
