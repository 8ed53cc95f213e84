"""What starts fast stays light, and modules do not import each other in a circle."""

from __future__ import annotations

import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

HEAVY = "numpy scipy duckdb pandas polars pyarrow openpyxl vl_convert sqlalchemy msgspec"
ROWS = "item,coder,label\n" + "".join(f"{i},{c},{'ab'[i % 2]}\n" for i in range(6) for c in "AB")


def modules_after(*words: str, folder: Path) -> set[str]:
    """Names of the modules that a command has loaded, in an interpreter of its own."""
    code = f"""
import sys
sys.argv = ["accordant", *{list(words)}]
try:
    from accordant.cli.main import main
    main()
except SystemExit as end:
    assert not end.code
print("\\nloaded:", *sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split("\nloaded: ")[1].split())


def test_help_loads_no_heavy_library(tmp_path: Path) -> None:
    loaded = modules_after("--help", folder=tmp_path)
    assert not {name.partition(".")[0] for name in loaded} & {*HEAVY.split()}
    assert not loaded & {"accordant.api", "accordant.cli.calls", "accordant.cli.analyses"}


def test_a_small_file_loads_few_modules(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text(ROWS)
    loaded = modules_after("agreement", "ratings.csv", folder=tmp_path)
    assert "scipy.stats" not in loaded
    assert len([name for name in loaded if name.startswith("accordant")]) <= 110


def test_no_circle_of_imports() -> None:
    graph = grimp.build_graph("accordant", cache_dir=None)
    found = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    found.pop("accordant")  # the top hands on what the rooms define
    TopologicalSorter({name: inside - {"accordant"} for name, inside in found.items()}).prepare()
