"""What tests ask of reports and bundled files, by public means alone."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import accordant as ac


def bundled(name: str) -> Path:
    """The file of a bundled example."""
    return Path(ac.__file__).parent / "data" / "examples" / f"{name}.csv"


def is_a(block: Any, *kinds: str) -> bool:
    """Whether a block is of a kind."""
    return type(block).__name__ in kinds


def written(report: Any, ending: str, **options: Any) -> str:
    """What a report writes into a file of an ending."""
    with TemporaryDirectory() as folder:
        return report.save(Path(folder) / f"report{ending}", **options).read_text(encoding="utf-8")
