"""Write the tables of `reference/benchmarks.md` from what `make bench` measured.

``<!-- part: NAME -->`` … ``<!-- end -->`` holds what the function of that name returns. Run
`python docs/benchmarks_page.py` after a measurement; a test tells if it was forgotten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]
PAGE = Path(__file__).parent / "reference" / "benchmarks.md"
BENCHMARKS = Path(__file__).parent / "benchmarks.json"  # of `python -m benchmarks --json`
OF_DISAGREEMENT = re.compile("bipartitions|what-if|diagnosis")
OF_MODELS = re.compile("models: ")
PART = re.compile(r"(<!-- part: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def speed() -> str:
    """Each task of docs/benchmarks.json: our time, and that of the fastest other package."""
    head = "| work (items × coders) | Accordant, with standard error | fastest of the others | |"
    return timed(head, lambda task: not (OF_DISAGREEMENT.search(task) or OF_MODELS.match(task)))


def speed_of_disagreement() -> str:
    """The same for where and why coders disagree."""
    head = "| work (items × coders) | Accordant | the same row by row | |"
    return timed(head, lambda task: bool(OF_DISAGREEMENT.search(task)))


def speed_of_models() -> str:
    """The same for models of coders, with how often our time and with peak memory."""
    lines = [
        "",
        "| work | Accordant, with reading | peak memory | fastest of the others "
        "| peak memory | × | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for task, ours, best in of_tasks(lambda task: bool(OF_MODELS.match(task))):
        own = f"{duration(ours['seconds'])} | {memory(ours)}"
        theirs = (
            "– | | |"
            if best is None
            else (
                f"{duration(best['seconds'])} | {memory(best)} "
                f"| {ratio(best['seconds'] / ours['seconds'])} | {best['who']}"
            )
        )
        lines.append(f"| {task.removeprefix('models: ')} | {own} | {theirs} |")
    return "\n".join([*lines, "", ""])


def of_tasks(of: Callable[[str], bool]) -> Iterator[tuple[str, Row, Row | None]]:
    """The tasks of a kind: our row and that of the fastest other package."""
    tasks: dict[str, list[Row]] = {}
    for row in json.loads(BENCHMARKS.read_text(encoding="utf-8")):
        if of(row["task"]):
            tasks.setdefault(row["task"], []).append(row)
    for task, (ours, *others) in tasks.items():
        timed = (r for r in others if "seconds" in r)
        yield task, ours, min(timed, key=lambda r: r["seconds"], default=None)


def timed(head: str, of: Callable[[str], bool]) -> str:
    """A table of the tasks of a kind."""
    lines = ["", head, "|---|--:|--:|---|"]
    for task, ours, best in of_tasks(of):
        theirs = f"{duration(best['seconds'])} | {best['who']}" if best else "– |"
        lines.append(f"| {task.replace(' x ', ' × ')} | {duration(ours['seconds'])} | {theirs} |")
    return "\n".join([*lines, "", ""])


def ratio(x: float) -> str:
    """How often, with a decimal where it is small."""
    return f"{x:,.0f}" if x >= 10 else f"{x:.1f}"


def memory(row: Row) -> str:
    """Peak memory above the input; nothing where it was not measured."""
    return f"{row['memory_mb']:,.0f} MB" if "memory_mb" in row else ""


def duration(seconds: float) -> str:
    """In milliseconds, or seconds if they are many."""
    return f"{seconds:,.0f} s" if seconds >= 10 else f"{1000 * seconds:,.0f} ms"


PARTS: dict[str, Callable[[], str]] = {
    f.__name__: f for f in (speed, speed_of_disagreement, speed_of_models)
}


def filled(text: str) -> str:
    """A page with its parts as they are now."""
    return PART.sub(lambda m: m[1] + PARTS[m[2]]() + m[3], text)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
