"""The examples of README and documentation: found in the pages, run, compared, written anew.

- A fenced block ``pycon`` is a session: what stands after ``>>>`` is run, what follows is its
  output. The blocks of a page share their names. A block ``python`` is run without output.
- A block ``console`` is a terminal: lines that begin with ``$ `` are run if they begin with one
  of `PROGRAMS`, and what follows is their output. A line ``...`` stands for any lines. What is
  set by ``export NAME=value`` is set for the rest of the page.
- A block ``py`` is shown and not run, for code that needs what the reader has.
- A block after ``<!-- file: NAME -->`` is a file in the folder where the page is run.

``python -m docs.blocks`` in ``tests`` writes the output of every page anew; look at the diff.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[2]
OF_OTHERS = ("cli.md", "coverage.md")  # made and tested by programs of their own
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name not in OF_OTHERS),
]
PROGRAMS = ("accordant", "cat", "cp", "head", "ls")
SYNTAX = re.compile(r"[|<>&;$*`]")  # what only a shell understands
FENCE = re.compile(r"^```(pycon|python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^>>> .*\n(?:^\.\.\.(?: .*)?\n)*", re.MULTILINE)
FILE = re.compile(r"^<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"export (\w+)=(\S+)\n")
ANY = "..."


@dataclass
class Step:
    """Something typed, what the page prints after it, and what it really prints."""

    typed: str
    printed: str
    got: str | None = None  # None: not run
    failed: bool = False  # a page shows no accident

    @property
    def right(self) -> bool:
        return not self.failed and (self.got is None or matches(self.printed, self.got))


@dataclass
class Page:
    """A page and the folder in which it is run."""

    path: Path
    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)

    def run(self) -> Iterator[tuple[re.Match[str], list[Step]]]:
        """Every block with what happened, in the order of the page."""
        text = self.path.read_text(encoding="utf-8")
        for name, content in FILE.findall(text):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(content, encoding="utf-8")
        examples = Path("src/accordant/data/examples")
        shutil.copytree(ROOT / examples, self.folder / examples, dirs_exist_ok=True)
        with contextlib.chdir(self.folder):
            for block in FENCE.finditer(text):
                yield block, self._steps(block[1], block[2])

    def _steps(self, kind: str, text: str) -> list[Step]:
        if kind == "console":
            return [self._command(step) for step in commands(text)]
        if kind == "python" and ">>>" not in text:
            exec(compile(text, str(self.path), "exec"), self.names)
            return []
        return list(session(text, self.names, str(self.path)))

    def _command(self, step: Step) -> Step:
        if export := EXPORT.fullmatch(step.typed):
            self.settings[export[1]] = export[2]
            step.got = ""
        if step.typed.split()[0] in PROGRAMS:
            step.got = shell(step.typed, self.folder, self.settings)
            step.failed = "this is a defect" in step.got
        return step


def matches(printed: str, got: str) -> bool:
    """Whether the output is as printed, where ``...`` stands for any lines."""
    parts = [re.escape(part) for part in re.split(rf"^{re.escape(ANY)}$\n?", printed, flags=re.M)]
    return re.fullmatch("(?:.*\n)*?".join(parts), got) is not None


def commands(text: str) -> list[Step]:
    """The commands of a terminal with what follows each."""
    found: list[Step] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Step(line[2:], ""))
        elif found and found[-1].typed.endswith("\\\n"):
            found[-1].typed += line
        elif found:
            found[-1].printed += line
    return found


def shell(typed: str, folder: Path, settings: Mapping[str, str]) -> str:
    """What a command prints, on both channels, as a terminal of 80 columns shows it."""
    environment = {"COLUMNS": "80", "PYTHONUTF8": "1", **settings}
    program, *words = shlex.split(typed.replace("\\\n", " "))
    if program == "accordant" and not SYNTAX.search(typed):
        printed = accordant(words, environment)
    else:
        printed = subprocess.run(
            typed,
            shell=True,
            cwd=folder,
            encoding="utf-8",
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
        ).stdout
    return "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def accordant(words: list[str], environment: dict[str, str]) -> str:
    """What the program prints, run in this process: starting it takes longer than most work."""
    printed = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["accordant", *words]),
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        contextlib.suppress(SystemExit),
        warnings.catch_warnings(),
    ):
        runpy.run_module("accordant", run_name="__main__")
    return printed.getvalue()


class Recorder(doctest.DocTestRunner):
    """Runs examples and keeps what each prints."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.steps: list[Step] = []

    def report_start(self, out: Any, test: Any, example: doctest.Example) -> None:
        self.steps.append(Step(example.source, example.want, ""))

    def report_success(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self.steps[-1].got = got

    report_failure = report_success

    def report_unexpected_exception(
        self, out: Any, test: Any, example: doctest.Example, exc_info: Any
    ) -> None:
        self.steps[-1].got = f"{exc_info[0].__name__}: {exc_info[1]}\n"
        self.steps[-1].failed = True


def session(text: str, names: dict[str, Any], path: str) -> list[Step]:
    """The examples of a Python session, run with the names of the page."""
    test = doctest.DocTestParser().get_doctest(text, names, path, path, 0)
    recorder = Recorder()
    recorder.run(test, out=io.StringIO().write, clear_globs=False)
    names.update(test.globs)
    for step, printed in zip(recorder.steps, outputs(text), strict=True):
        step.printed, step.got = printed, trimmed(step.got or "")
    return recorder.steps


def outputs(text: str) -> list[str]:
    """What follows each example of a session, blank lines within included."""
    found = list(EXAMPLE.finditer(text))
    ends = [m.start() for m in found[1:]] + [len(text)]
    return [trimmed(text[m.end() : end]) for m, end in zip(found, ends, strict=True)]


def trimmed(text: str) -> str:
    """An output without blank lines at its end, or spaces at the ends of lines."""
    whole = "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n")
    return f"{whole}\n" if whole else ""


# ------------------------------------------------------------------ write anew


def written(kind: str, steps: list[Step], text: str) -> str:
    """The text of a block with the output it really has."""
    if kind == "python" or any(s.failed or f"\n{ANY}\n" in f"\n{s.printed}" for s in steps):
        return text
    if kind == "console":
        return "".join(f"$ {s.typed}{s.printed if s.got is None else s.got}" for s in steps)
    return "".join(prompted(s.typed) + (s.got or "") for s in steps)


def prompted(source: str) -> str:
    first, *rest = source.splitlines()
    return "".join([f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in rest)])


def refresh(path: Path) -> None:
    """Write the output of a page anew."""
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for block, steps in list(Page(path, Path(folder)).run()):
            new = written(block[1], steps, block[2])
            if new == block[2] and not all(s.right for s in steps):
                print(f"{path.name}: by hand, please:", *(s.got for s in steps if not s.right))
            text = text.replace(f"```{block[1]}\n{block[2]}```", f"```{block[1]}\n{new}```", 1)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for page in [Path(a).resolve() for a in sys.argv[1:]] or PAGES:
        refresh(page)
