"""A person at a command line, and small projects at some step."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from accordant.cli.main import cli

TOOLBOX = """
[task]
text = "Read and answer"

[[task.question]]
id = "claim"
text = "Is there a claim?"

[[task.question]]
id = "scope"
text = "How wide is it?"
asked_if = { question = "claim", labels = ["yes"] }

[guidelines]
text = "Read it all."

[guidelines.options]
claim = ["yes", "no"]
scope = ["wide", "narrow"]

[guidelines.ambiguity]
allowed = true

[[guidelines.rule]]
id = "R1"
text = "A question is no claim."

[[concept]]
name = "claim"
definition = "What could be false."
questions = ["claim", "scope"]
"""
CODERS = ("ana", "bob", "cleo")


class Walk:
    """`say("go task")` must work, `refused("go task")` must not; anybody may act."""

    @classmethod
    def into(cls, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
        """In an empty folder, without settings of the environment."""
        monkeypatch.chdir(folder)
        for name in [n for n in os.environ if n.startswith("ACCORDANT_")]:
            monkeypatch.delenv(name)
        return cls()

    def __call__(self, typed: str, by: str = "ana", input: str | None = None) -> str:
        done = self.run(typed, by, input)
        assert done.exit_code == 0, f"{typed}: {done.output}"
        return done.stdout

    def refused(self, typed: str, by: str = "ana", code: int | None = None) -> str:
        """What is said on stderr, in one line; it is blocked (1) or a wrong request (2)."""
        done = self.run(typed, by)
        assert done.exit_code in ((1, 2) if code is None else (code,)), f"{typed}: {done.output}"
        return " ".join(done.stderr.split())

    def run(self, typed: str, by: str = "ana", input: str | None = None) -> Result:
        """Whatever comes of it; without a name nobody is named."""
        words = ["project", *shlex.split(typed), *(["--as", by] if by else [])]
        return CliRunner().invoke(cli, words, prog_name="accordant", input=input)

    def all(self, coders: Iterable[str], typed: str, *, but: str = "") -> None:
        """Every coder types the same."""
        for coder in coders:
            if coder != but:
                self(typed, coder)


KEPT: dict[tuple[object, ...], dict[str, bytes]] = {}
"""Folders that were made before: a project is one file, so that it can be copied."""


def kept(key: tuple[object, ...], make: Callable[[], None]) -> None:
    """Make the files of this folder, or copy those that were made before."""
    if key in KEPT:
        for name, content in KEPT[key].items():
            Path(name).write_bytes(content)
    else:
        make()
        KEPT[key] = {path.name: path.read_bytes() for path in Path().iterdir()}


def aligned(say: Walk, toolbox: str = TOOLBOX, items: str = "item\np1\np2\np3\np4\n") -> None:
    """Step 2 with everything done: a round can open."""
    kept(("aligned", toolbox, items), lambda: _aligned(say, toolbox, items))


def _aligned(say: Walk, toolbox: str, items: str) -> None:
    Path("toolbox.toml").write_text(toolbox)
    Path("items.csv").write_text(items)
    say("new Claims")
    say("question 'What is claimed?' --purpose 'ground truth'")
    say("person ana --role researcher --role coder")
    say("person bob")
    say("person cleo")
    say("person dora --role observer")
    say("go task")
    say("task toolbox.toml")
    say("guidelines toolbox.toml")
    say.all(CODERS, "sign-off guidelines")
    say("go alignment")
    say("concepts toolbox.toml")
    say.all(CODERS, "sign-off")
    for coder in CODERS:
        say(f"person {coder} --training 'an afternoon'")
    say("items items.csv --freeze")


CLAIMS = {"ana": "yes no no yes", "bob": "yes yes no no", "cleo": "yes no no yes"}


def annotated(say: Walk) -> None:
    """Step 3, everything submitted: ana and cleo agree; bob differs on p2 and p4."""
    kept(("annotated",), lambda: _annotated(say))


def _annotated(say: Walk) -> None:
    aligned(say)
    say("round open")
    for coder, labels in CLAIMS.items():
        rows = []
        for k, label in enumerate(labels.split(), 1):
            rows.append(f"p{k},claim,{label}")
            rows.append(f"p{k},scope,{'wide' if label == 'yes' else ''}")
        Path(f"{coder}.csv").write_text("item,question,label\n" + "\n".join(rows) + "\n")
        say(f"annotate {coder}.csv --submit", coder)


def resolving(say: Walk) -> None:
    """Step 5: case 1 is p2, case 2 is p4, both on claim."""
    kept(("resolving",), lambda: _resolving(say))


def _resolving(say: Walk) -> None:
    annotated(say)
    say("round close")
    say("go resolution")
