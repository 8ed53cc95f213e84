"""The parts of the page on benchmarks that are made from tests and measurements: written, compared.

``<!-- part: NAME -->`` … ``<!-- end -->`` holds what the function of that name returns.
``python -m docs.benchmarks_page`` in ``tests`` writes them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from docs.blocks import ROOT
from oracle.random_data import N_SAMPLES
from papers.test_golden import MEASURES, NOT_REPRODUCED

PAGE = ROOT / "docs" / "reference" / "benchmarks.md"
BENCHMARKS = ROOT / "docs" / "benchmarks.json"  # of `python -m benchmarks --json`
PEERS = (
    "krippendorff", "evalica", "agreement", "statsmodels", "scikit-learn", "nltk", "pycm", "irrCAC",
    "crowd-kit",
)  # fmt: skip
OF_DISAGREEMENT = re.compile("bipartitions|what-if|diagnosis")
OF_MODELS = re.compile("models: ")
PART = re.compile(r"(<!-- part: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def checks() -> str:
    """The three ways, with what they rest on."""
    n, others = len(MEASURES), len(NOT_REPRODUCED)
    return f"""
1. **Published values.** {n - others} of {n} worked examples from papers, books and other programs are
   reproduced within the digits of their source, standard errors and intervals included where it gives
   them. The other {others} follow another estimator, and a test names each with the reason.
2. **Independent implementations.** {len(PEERS)} other packages ({", ".join(PEERS)}) are
   asked the same on random data, up to {N_SAMPLES:,} data sets with many coders, missing annotations and
   weights. Where one differs, the test says by which convention or defect.
3. **Laws.** What must hold on any data: the order of items and the names of categories do not matter,
   perfect agreement is 1, Python, command line and report give the same answer.

"""


def speed() -> str:
    """Each task of docs/benchmarks.json: our time, and that of the fastest other package."""
    head = "| work (items × coders) | Accordant, with standard error | fastest of the others | |"
    return timed(head, lambda task: not (OF_DISAGREEMENT.search(task) or OF_MODELS.match(task)))


def speed_of_disagreement() -> str:
    """The same for where and why coders disagree."""
    head = "| work (items × coders) | Accordant | the same row by row | |"
    return timed(head, lambda task: bool(OF_DISAGREEMENT.search(task)))


def speed_of_models() -> str:
    """The same for models of coders; nothing as long as nothing was timed."""
    head = "| work | Accordant, with reading | fastest of the others | |"
    rows = timed(head, lambda task: bool(OF_MODELS.match(task))).replace("| models: ", "| ")
    if rows.count("\n| ") < 2:
        return ""
    return f"\n## Models of coders\n\nFrom a frame to labels, with as many iterations:\n{rows}"


def timed(head: str, of: Callable[[str], bool]) -> str:
    """A table of the tasks of a kind."""
    tasks: dict[str, list[dict[str, Any]]] = {}
    for row in json.loads(BENCHMARKS.read_text(encoding="utf-8")):
        if of(row["task"]):
            tasks.setdefault(row["task"], []).append(row)
    lines = ["", head, "|---|--:|--:|---|"]
    for task, (ours, *others) in tasks.items():
        best = min((r for r in others if "seconds" in r), key=lambda r: r["seconds"], default=None)
        theirs = f"{duration(best['seconds'])} | {best['who']}" if best else "– |"
        lines.append(f"| {task.replace(' x ', ' × ')} | {duration(ours['seconds'])} | {theirs} |")
    return "\n".join([*lines, "", ""])


def duration(seconds: float) -> str:
    """In milliseconds, or seconds if they are many."""
    return f"{seconds:,.0f} s" if seconds >= 10 else f"{1000 * seconds:,.0f} ms"


PARTS: dict[str, Callable[[], str]] = {
    f.__name__: f for f in (checks, speed, speed_of_disagreement, speed_of_models)
}


def filled(text: str) -> str:
    """A page with its parts as they are now."""
    return PART.sub(lambda m: m[1] + PARTS[m[2]]() + m[3], text)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
