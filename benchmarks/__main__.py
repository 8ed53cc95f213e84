"""``python -m benchmarks``: times, ratios and peak memory of ours and of the peers.

Every row is run in this one process, ours and the peers in turn, best of several. A ratio above
1 means that the peer takes longer. Peak memory is taken in a fresh process for each.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import json
import platform
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .peers import PEERS
from .tasks import Task
from .tasks import tasks as tasks_of_values
from .tasks_decompose import tasks_of_disagreement
from .tasks_models import tasks_of_models
from .tasks_scale import tasks_of_scale
from .tasks_sets import tasks_of_sets


def tasks() -> Iterator[Task]:
    """Every row: single labels, sets of labels, where and why coders disagree, models."""
    yield from tasks_of_values()
    yield from tasks_of_sets()
    yield from tasks_of_scale()
    yield from tasks_of_disagreement()
    yield from tasks_of_models()


def best(run: Callable[[], Any], repeat: int, limit: float) -> tuple[float, Any]:
    """Least wall time of several runs, and the answer; stops when the time is used up."""
    times, start, answer = [], time.perf_counter(), None
    while len(times) < repeat and (not times or time.perf_counter() - start < limit):
        begin = time.perf_counter()
        answer = run()
        times.append(time.perf_counter() - begin)
    return min(times), answer


def runners(task: Task, table: Any, *, slow: bool) -> dict[str, Callable[[], Callable[[], Any]]]:
    """Name -> function that builds the input and gives the timed call."""

    def ours() -> Callable[[], Any]:
        given = task.before(table)
        return lambda: task.ours(given)

    found: dict[str, Callable[[], Callable[[], Any]]] = {task.us: ours}
    for name, adapter in PEERS.get(task.kind, {}).items():
        if slow or name not in task.slow:
            found[name] = lambda adapter=adapter: adapter(table, task.n_categories)  # type: ignore[misc]
    return found


def measure(task: Task, repeat: int, limit: float, *, slow: bool) -> list[dict[str, Any]]:
    """The rows of one task: seconds, ratio to ours, answer."""
    table, rows = task.make(), []
    for name, prepare in runners(task, table, slow=slow).items():
        row: dict[str, Any] = {"task": task.name, "who": name}
        try:
            run = prepare()
            row["seconds"], row["answer"] = best(run, repeat, limit)
            row["seconds"] *= getattr(run, "scale", 1)  # a peer that did a sample of the work
        except ImportError:
            continue
        except (Exception, MemoryError) as error:
            row["error"] = f"{type(error).__name__}: {str(error)[:60]}"
        rows.append(row)
    ours = rows[0].get("seconds")
    for row in rows:
        if ours and "seconds" in row:
            row["ratio"] = row["seconds"] / ours
    return rows


def memory(task: Task, name: str) -> float:
    """Peak memory of one runner in a fresh process, in MB above what its input took."""
    command = [sys.executable, "-m", "benchmarks", "--one", task.name, name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else float("nan")


def one(task_name: str, who: str) -> None:
    """Run one runner once and print its peak memory (see `memory`)."""
    task = next(t for t in tasks() if t.name == task_name)
    table = task.make()
    small = table[:100]
    runners(task, small, slow=True)[who]()()  # imports are not on the bill
    run = runners(task, table, slow=True)[who]()
    print(peak_of(run))


def peak_of(run: Callable[[], Any]) -> float:
    """How far memory rises above where it stood, in MB (Linux; NaN elsewhere)."""
    status = Path("/proc/self/status")

    def mb(field: str) -> float:
        line = next(x for x in status.read_text().splitlines() if x.startswith(field))
        return float(line.split()[1]) / 1024

    released()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # forget the highest mark so far
        before = mb("VmRSS")
    except (OSError, StopIteration):
        return float("nan")
    run()
    return mb("VmHWM") - before


def released() -> None:
    """Give freed memory back to the system: else the making of the input hides what follows."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # only the C library of Linux has it
        ctypes.CDLL(None).malloc_trim(0)


def show(rows: list[dict[str, Any]]) -> None:
    print(f"\n{rows[0]['task']}")
    for row in rows:
        if "error" in row:
            print(f"  {row['who']:34} {row['error']}")
            continue
        more = f"{row['memory_mb']:8.0f} MB" if "memory_mb" in row else ""
        ratio = f"{row['ratio']:8.2f} x" if "ratio" in row else " " * 10  # ours failed
        print(f"  {row['who']:34} {row['seconds']:9.4f} s {ratio} {more}   {row['answer']:.5f}")


def main() -> None:
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", default=".", help="regular expression on the name of the task")
    parser.add_argument("--repeat", type=int, default=5, help="runs, the best counts")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for repeats of a run")
    parser.add_argument("--memory", action="store_true", help="peak memory too")
    parser.add_argument("--slow", action="store_true", help="peers that take minutes as well")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("TASK", "WHO"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(*options.one)
        return
    if options.list:
        print(*(t.name for t in tasks()), sep="\n")
        return
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {version('numpy')}")
    print("seconds are the best of several runs; x = time over ours (above 1: we are faster)")
    everything = []
    for task in tasks():
        if not re.search(options.only, task.name):
            continue
        rows = measure(task, options.repeat, options.limit, slow=options.slow)
        if options.memory:
            for row in rows:
                if "seconds" in row:
                    row["memory_mb"] = memory(task, row["who"])
        show(rows)
        everything += rows
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
