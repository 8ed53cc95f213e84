"""The architecture, as far as a test can hold it: imports go one way, and stay light."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src"
NAME = "accordant"
PACKAGE = SOURCE / NAME

# Each part imports only from the rows above it. Parts of one row do not know each other.
ROWS = (
    ("actions", "arrays", "docstrings", "kinds", "numbers"),
    ("field",),
    ("fields",),
    ("messages",),
    ("errors",),
    ("scheme", "literature", "results", "validation"),
    ("data",),
    ("resolution",),
    ("counts",),
    ("measure",),
    ("inference",),
    ("diagnosis", "decomposition", "simulate"),
    ("models",),  # its verdicts are findings
    ("views",),
    ("render",),
    ("api",),
    ("cli", "web"),
)
ROW = {part: number for number, row in enumerate(ROWS) for part in row}
FOR_ALL = {"_version"}
ABOVE_ALL = {"__init__", "__main__"}

HEAVY = (
    *(
        "numpy",
        "scipy",
        "duckdb",
        "pandas",
        "polars",
        "pyarrow",
        "openpyxl",
        "python_calamine",
        "vl_convert",
    ),
    *("sqlalchemy", "alembic", "psycopg", "msgspec", "rapidfuzz"),
)
MOST_LINES = 500
CODE = {".py", ".html", ".css", ".js", ".j2", ".jinja", ".typ"}


def modules(package: Path) -> dict[str, Path]:
    """Dotted name → file, for every module of a package; a package is its __init__."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: Path, known: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """(line, module) of every import from our own package, wherever it stands in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                drop = node.level - (path.name == "__init__.py")
                parents = name.split(".")[: len(name.split(".")) - drop]
                base = ".".join([*parents, *filter(None, [node.module])])
            inside = [f"{base}.{alias.name}" for alias in node.names]
            targets = [target if target in known else base for target in inside]
        else:
            continue
        ours = {target for target in targets if target.split(".")[0] == NAME}
        yield from ((node.lineno, target) for target in sorted(ours))


def objection(importer: str, target: str) -> str | None:
    """Why this import is not allowed, if it is not."""
    if target == NAME:
        return "imports the top of the package; import the module that defines it"
    here, there = importer.split(".")[1], target.split(".")[1]
    if there in FOR_ALL:
        return None
    if here == there:
        own_package = importer.startswith(f"{target}.")
        return "imports its own __init__; import the sibling" if own_package else None
    if there not in ROW:
        return f"{there!r} is not in the list of layers"
    if ROW[there] >= ROW[here]:
        return f"{here!r} may not know {there!r}: imports only go to the left"
    return None


def violations(package: Path) -> list[str]:
    """Every import of the package against the rules, as `file:line: import: why`."""
    known = modules(package)
    found = []
    for name, path in known.items():
        shown = path.relative_to(package.parent)
        part = name.split(".")[1] if "." in name else "__init__"
        if part in ABOVE_ALL | FOR_ALL:
            continue
        if part not in ROW:
            found.append(f"{shown}: {part!r} is not in the list of layers")
            continue
        for line, target in imported(name, path, known):
            if why := objection(name, target):
                found.append(f"{shown}:{line}: import of {target}: {why}")
    return found


def test_imports_only_go_to_the_left() -> None:
    assert not (found := violations(PACKAGE)), "\n".join(["", *found])


@pytest.mark.parametrize(
    "part, line, allowed",
    [
        ("measure/weights.py", "from accordant.errors import X", True),
        ("measure/weights.py", "from ..counts import patterns", True),
        ("measure/weights.py", "from accordant import counts", True),
        ("measure/weights.py", "from accordant.measure.agreement import X", True),
        ("measure/weights.py", "from accordant.measure import agreement", True),
        ("measure/weights.py", "from . import agreement", True),
        ("measure/weights.py", "from accordant._version import __version__", True),
        ("measure/weights.py", "import numpy as np", True),
        ("measure/__init__.py", "from .agreement import X", True),
        ("measure/__init__.py", "from accordant.measure.agreement import X", True),
        ("errors.py", "import accordant.scheme", False),
        ("scheme.py", "from .data import X", False),
        ("measure/weights.py", "from accordant.inference import X", False),
        ("measure/weights.py", "from ..inference.intervals import X", False),
        ("measure/weights.py", "def f():\n    from accordant import inference", False),
        ("measure/weights.py", "if TYPE_CHECKING:\n    from accordant.cli.main import X", False),
        ("measure/weights.py", "from accordant.measure import X", False),
        ("measure/weights.py", "from . import X", False),
        ("measure/weights.py", "import accordant", False),
        ("measure/weights.py", "from accordant import X", False),
        ("measure/deep/part.py", "from accordant.measure import X", False),
        ("measure/deep/part.py", "from .. import X", False),
        ("diagnosis/items.py", "from accordant.models import X", False),
        ("stray.py", "import accordant.errors", False),
        ("cli/main.py", "import accordant.stray", False),
    ],
)
def test_the_check_itself(tmp_path: Path, part: str, line: str, allowed: bool) -> None:
    package = tmp_path / NAME
    for name in [
        "__init__.py",
        "errors.py",
        "scheme.py",
        "data/__init__.py",
        "counts/__init__.py",
        "counts/patterns.py",
        "measure/__init__.py",
        "measure/agreement.py",
        "measure/deep/__init__.py",
        "inference/__init__.py",
        "inference/intervals.py",
        part,
    ]:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).touch()
    (package / part).write_text(line, encoding="utf-8")
    assert (violations(package) == []) is allowed


def circle_of(package: Path, part: str) -> list[str]:
    """Modules of a part that import each other, hidden imports included; empty if none do."""
    known = modules(package)
    inside = {name for name in known if name.split(".")[1:2] == [part]}
    graph = {
        name: {target for _, target in imported(name, known[name], known)} & inside - {name}
        for name in inside
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return [str(name) for name in found.args[1]]
    return []


@pytest.mark.parametrize("part", sorted(ROW))
def test_no_circle_inside_a_part(part: str) -> None:
    assert circle_of(PACKAGE, part) == []


@pytest.mark.parametrize(
    "line", ["from .one import X", "def f():\n    from .one import X", "import accordant.data.one"]
)
def test_a_hidden_circle_would_be_noticed(tmp_path: Path, line: str) -> None:
    package = tmp_path / NAME / "data"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "one.py").write_text("from .other import Y", encoding="utf-8")
    (package / "other.py").write_text("import numpy", encoding="utf-8")
    assert circle_of(tmp_path / NAME, "data") == []
    (package / "other.py").write_text(line, encoding="utf-8")
    assert len(circle_of(tmp_path / NAME, "data")) == 3


def loaded_after(code: str) -> set[str]:
    """The heavy libraries that a fresh interpreter has loaded after the code."""
    code += f"\nimport sys\nprint('loaded:', *sorted({set(HEAVY)!r} & sys.modules.keys()), file=sys.stderr)"
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split()[1:])


def test_import_is_light() -> None:
    assert loaded_after("import accordant") == set()


def test_help_is_light() -> None:
    code = """
import sys
sys.argv = ["accordant", "--help"]
from accordant.cli.main import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
"""
    assert loaded_after(code) == set()


def test_pages_of_projects_load_no_diagnosis() -> None:
    code = """
import sys
import accordant.views.project_cases, accordant.views.project_log, accordant.views.project_status
assert "accordant.diagnosis.diagnose" not in sys.modules
assert "scipy.stats" not in sys.modules
"""
    loaded_after(code)


def test_a_heavy_import_would_be_noticed() -> None:
    assert loaded_after("import numpy") == {"numpy"}


def test_no_assert_in_the_package() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ]
    assert not found, f"`assert` vanishes with python -O; raise an error instead: {found}"


def test_files_are_short() -> None:
    lengths = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*")
        if path.suffix in CODE and "vendor" not in path.parts
    }
    found = {name: length for name, length in lengths.items() if length > MOST_LINES}
    assert not found, f"files of more than {MOST_LINES} lines; look for the second module: {found}"
