"""A command run in this process, and what came of it as tables of plain rows.

A table is named "" (rows of JSON), "csv" (the columns), or "SECTION/KIND number" (a report).
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import lzma
import os
import re
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "src" / "accordant" / "data" / "examples"
RECORDED, INVENTORY, INTENDED = (
    HERE / n for n in ("recorded.json.xz", "inventory.json", "intended.toml")
)
PROSE, DIGITS = "§", 9
PROSE_KEYS = frozenset({
    "sentence", "advice", "title", "note", "notes", "text", "lead", "reason", "help", "spoken", "words",
    "heading", "headings", "undefined", "signature", "assumption", "formula", "summary", "why", "needs",
})  # fmt: skip
"""Where words with a space between them are prose even without a full stop at the end."""
LEFT_OUT = ("opens", "seconds")  # anchors of a page, time taken
VOLATILE = re.compile(r"20\d\d-\d\d-\d\d([T ][\d:.]+Z?)?|\b[0-9a-f]{12,64}\b")
"""Times, dates and hashes, which differ from run to run."""
Tables = dict[str, Any]


def recorded() -> dict[str, Any]:
    """The recording, by the names of its cases."""
    found: dict[str, Any] = json.loads(lzma.decompress(RECORDED.read_bytes()))
    return found


def prepare() -> None:
    """One thread and one kernel for all processes, no settings of the user, 80 columns."""
    for name in [n for n in os.environ if n.startswith("ACCORDANT_")]:
        del os.environ[name]
    found = importlib.util.find_spec("accordant")
    if found is None or not Path(str(found.origin)).is_relative_to(HERE.parents[1]):
        sys.exit(f"accordant is {found and found.origin}: say PYTHONPATH=src in {HERE.parents[1]}")
    os.environ |= {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_CORETYPE": "Haswell",  # last digits, which order ties, differ between kernels
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }


def folder(base: Path) -> None:
    """Work in a new folder with all files that cases name."""
    made = Path(tempfile.mkdtemp(dir=base))
    for path in (*EXAMPLES.glob("*.csv"), *(HERE / "files").glob("*")):
        shutil.copy(path, made)
    shutil.copytree(EXAMPLES / "remarks", made / "remarks")
    os.chdir(made)


def cases() -> dict[str, str]:
    """Every case of cases.toml: its name and what is typed after `accordant`."""
    read = tomllib.loads((HERE / "cases.toml").read_text(encoding="utf-8"))
    found = {line: line for alone in read["alone"] for line in alone["with"]}
    for run in read["run"]:
        for file in list(read["files"])[:9] if run["files"] == ["*"] else run["files"]:
            for variant in run["with"]:
                name = f"{run['command']} {file} {variant}".strip()
                typed = f"{run['command']} {read['files'][file]} {variant}".strip()
                for form in ("json", "csv") if run.get("csv") else ("json",):
                    end = "" if "-o " in variant else f" -f {form}"
                    found[name + (" (csv)" if form == "csv" else "")] = typed + end
    return found


def walks() -> dict[str, list[tuple[str, str]]]:
    """Every walk of walks.toml: what is typed in turn, with the name under which it is kept."""
    read = tomllib.loads((HERE / "walks.toml").read_text(encoding="utf-8"))

    def steps(script: str) -> Iterator[str]:
        for line in filter(None, map(str.strip, script.splitlines())):
            if line in read["parts"]:
                yield from steps(read["parts"][line])
            else:
                yield line

    found = {}
    for walk, script in read["walks"].items():
        found[walk] = []
        for k, line in enumerate(steps(script), 1):
            by, bar, typed = line.partition("| ")
            by, typed = (by, typed) if bar else ("ana", line)
            typed, keyed, keys = typed.partition(" <<< ")
            who = f" --as {by}" if by != "-" else ""
            found[walk].append(
                (f"project {walk} {k:03} {line}", f"project {typed}{who}{keyed}{keys}")
            )
    return found


def walked(steps: list[tuple[str, str]]) -> dict[str, Tables]:
    """The outcomes of a walk, each step by its name, in a folder of its own."""
    folder(Path.cwd().parent)
    read = tomllib.loads((HERE / "walks.toml").read_text(encoding="utf-8"))
    for name, text in read["files"].items():
        Path(name).write_text(text.lstrip(), encoding="utf-8")
    return {name: outcome(typed) for name, typed in steps}


def run(typed: str) -> tuple[int | str, str, str]:
    """The exit code ("defect" where it is none of a refusal), and what was printed."""
    from accordant.cli.main import main

    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
    argv, stdin = sys.argv, sys.stdin
    code: int | str = 0
    typed, _, keys = typed.partition(" <<< ")
    sys.argv = ["accordant", *shlex.split(typed)]
    sys.stdin = io.StringIO(keys.replace(", ", "\n") + "\n")
    try:
        with redirect_stdout(out), redirect_stderr(said):
            main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=said)
    finally:
        sys.argv, sys.stdin = argv, stdin
    out.flush()
    errors = said.getvalue()
    if re.search(r"\b[A-Z]\w+(Error|Exception): ", errors):
        code = "defect"
    return code, out.buffer.getvalue().decode("utf-8"), errors  # type: ignore[attr-defined]


def outcome(typed: str) -> Tables:
    """Exit code and tables of one command."""
    target = Path(written[0]) if (written := re.search(r"\b(out|report)\.\w+", typed)) else None
    if target is not None:
        target.unlink(missing_ok=True)
    code, printed, errors = run(typed)
    if code != 0:
        return {"exit": code, "said": " ".join(errors.split())[-300:]}
    text = target.read_text(encoding="utf-8-sig") if target is not None else printed
    kind = target.suffix if target is not None else ".csv" if typed.endswith("-f csv") else ".json"
    if kind == ".csv" and target is None:
        rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))
        return {"exit": 0, "tables": {"csv": [dict.fromkeys(rows[0] if rows else [], "")]}}
    return {"exit": 0, "tables": tables(text, kind)}


def tables(text: str, kind: str) -> Tables:
    """What a file holds, by the names of its tables."""
    if kind == ".csv":
        return {"": [dict(row) for row in csv.DictReader(io.StringIO(text))]}
    if kind == ".jsonl":
        return {"": [clean(json.loads(line)) for line in text.splitlines()]}
    try:
        value = json.loads(text)
    except ValueError:
        return {"": PROSE}  # a command that only speaks
    if isinstance(value, dict) and "sections" in value:
        return report(value)
    return {"": clean(value)}


def report(value: dict[str, Any]) -> Tables:
    """The tables of a report: coefficients, then those of each section in order."""
    made: Tables = {"coefficients": clean(value.get("coefficients"))}
    number: dict[str, int] = {}
    for section in value["sections"]:
        made[f"{section['key']}/section"] = [{"key": section["key"]}]
        for kind, rows in filter(lambda block: block[1], blocks(section)):
            name = f"{section['key']}/{kind}"
            number[name] = number.get(name, 0) + 1
            made[f"{name} {number[name]}"] = clean(rows)
    cells = value.get("evidence", {}).get("cells", {}).values()
    made["evidence/table 1"] = [{"cells": len(cells), "items": sum(cell[0] for cell in cells)}]
    return made


def blocks(value: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Tables, matrices, findings and charts (only that they are there) of a section, from outside in."""
    if isinstance(value, dict):
        kind = value.get("block")
        if "row_names" in value and "values" in value:
            names = value["column_names"]
            yield (
                "matrix",
                [
                    {"row": row, **dict(zip(names, line))}
                    for row, line in zip(value["row_names"], value["values"], strict=True)
                ],
            )
        elif isinstance(value.get("rows"), list) and all(
            isinstance(r, dict) for r in value["rows"]
        ):
            yield "table", value["rows"]
        elif kind == "finding":
            stake = {k: value.get(k) for k in ("severity", "stake")}
            yield "finding", [stake | {"items": len((value.get("items") or {}).get("names", ()))}]
        elif kind in ("chart", "picture"):
            yield kind, [{kind: True}]
        elif kind == "entry":
            yield kind, [{"key": value.get("key"), "paragraphs": len(value.get("paragraphs", ()))}]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from blocks(inner)


def clean(value: Any, key: str = "") -> Any:
    """Nine digits; sentences and what differs from run to run replaced or left out."""
    if isinstance(value, dict):
        if key in PROSE_KEYS:
            return PROSE
        return {k: clean(v, k) for k, v in value.items() if k not in LEFT_OUT}
    if isinstance(value, list):
        return [clean(v, key) for v in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, str):
        return PROSE if is_prose(value, key) else VOLATILE.sub("(volatile)", value)
    return value


def is_prose(text: str, key: str) -> bool:
    """Whether a text is a sentence, or stands where sentences stand."""
    return " " in text and (key in PROSE_KEYS or text.rstrip('”")')[-1:] in tuple(".!?…"))
