"""A million annotations of Label Studio, in time and memory: `python -m benchmarks.label_studio`.

A task has a text of forty words and three annotations, each with a choice and what the platform
writes beside it; `--spans` adds a span to each. `tests/` has no clock, so this is run by hand.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WORDS = (
    "the",
    "a",
    "of",
    "to",
    "and",
    "committee",
    "würde",
    "paper",
    "😊",
    "river",
    "study",
    "claims",
    "rather",
    "long",
    "evidence",
    "in",
)
LABELS = ("yes", "no", "unsure")


def _annotation(k: int, coder: int, rng: random.Random, spans: bool) -> dict[str, Any]:
    choice = {
        "id": f"r{k}",
        "from_name": "tone",
        "to_name": "text",
        "type": "choices",
        "origin": "manual",
        "value": {"choices": [rng.choice(LABELS)]},
    }
    span = {
        "id": f"s{k}",
        "from_name": "who",
        "to_name": "text",
        "type": "labels",
        "origin": "manual",
        "value": {"start": 0, "end": 3, "labels": ["PER"]},
    }
    return {
        "id": k,
        "completed_by": coder,
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-01-02T03:04:05.678901Z",
        "updated_at": "2026-01-02T03:04:05.678901Z",
        "lead_time": 12.345,
        "unique_id": f"{rng.getrandbits(128):032x}",
        "task": k // 3,
        "result": [choice, span] if spans else [choice],
    }


def generate(path: Path, n: int, spans: bool) -> None:
    """An export with n annotations, as the platform writes it: one list, letters as they are."""
    rng = random.Random(1)
    with path.open("w", encoding="utf-8") as out:
        for k in range(0, n, 3):
            task = {
                "id": k,
                "data": {"text": " ".join(rng.choices(WORDS, k=40))},
                "annotations": [
                    _annotation(k + j, (k + 7 * j) % 50, rng, spans) for j in range(min(3, n - k))
                ],
                "drafts": [],
                "predictions": [],
                "created_at": "2026-01-02T03:04:05.678901Z",
                "total_annotations": 3,
                "cancelled_annotations": 0,
                "project": 1,
            }
            out.write(("[" if k == 0 else ",") + json.dumps(task, ensure_ascii=False))
        out.write("]")


def _measure(path: str) -> None:
    from accordant import read

    start = time.perf_counter()
    data = read(path)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(
        f"{len(data):,} annotations of {len(data.items):,} items: {seconds:.0f} s, {peak:,.0f} MB"
    )


def main() -> None:
    """Generate the export, and read it in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--spans", action="store_true")
    parser.add_argument("--path", help=argparse.SUPPRESS)  # read this and print
    given = parser.parse_args()
    if given.path:
        _measure(given.path)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.json")
        generate(path, given.n, given.spans)
        print(f"{path.stat().st_size / 1e6:,.0f} MB", flush=True)
        subprocess.run([sys.executable, "-m", __spec__.name, "--path", str(path)], check=True)


if __name__ == "__main__":
    main()
