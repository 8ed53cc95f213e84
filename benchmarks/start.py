"""``python -m benchmarks.start``: how long until the first answer, from a cold start."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .data import ratings

REPEAT = 10


def seconds(command: list[str]) -> float:
    """Least wall time of a whole process."""
    times = []
    for _ in range(REPEAT):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.csv"
        rows = [f"{i},{','.join(map(str, r))}" for i, r in enumerate(ratings(200, 3, 4))]
        path.write_text("\n".join(["item,A,B,C", *rows]))
        cli = [sys.executable, "-m", "accordant.cli.main"]
        for name, command in {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import accordant": [sys.executable, "-c", "import accordant"],
            "accordant --help": [*cli, "--help"],
            "accordant agreement --help": [*cli, "agreement", "--help"],
            "accordant compare --help": [*cli, "compare", "--help"],
            "accordant agreement -c alpha -f json": [
                *cli,
                "agreement",
                str(path),
                "-c",
                "alpha",
                "-f",
                "json",
            ],
            "accordant agreement small.csv": [*cli, "agreement", str(path)],
        }.items():
            print(f"{name:38} {seconds(command):.3f} s")


if __name__ == "__main__":
    main()
