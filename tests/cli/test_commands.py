"""Every command: its help, its examples, its page in the documentation."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from accordant import COEFFICIENTS, read
from accordant.actions import SETTINGS, UNTYPED, Action
from accordant.cli import analyses, tools
from accordant.cli.calls import Definition
from accordant.cli.help import Command
from accordant.cli.main import COMMANDS, cli
from accordant.cli.parameters import option as made_option
from accordant.inputs import inputs_of
from accordant.measure.measures import NAMED
from accordant.measure.ratings import RATINGS
from accordant.models.model_list import MODELS

Run = Callable[..., Result]
CONTEXT = click.Context(cli, info_name="accordant")


def command(name: str) -> Command:
    found = cli.get_command(CONTEXT, name)
    assert isinstance(found, Command | click.Command)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("name", COMMANDS)
def test_help(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert f"Usage: accordant {name}" in result.stdout
    assert result.stdout.count("\n  accordant ") + result.stdout.count("\n  eval ") >= 2
    assert max(map(len, result.stdout.splitlines())) <= 110
    assert run(name, "-h").stdout == result.stdout


def test_the_list_of_commands(run: Run) -> None:
    text = run("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " in text] == list(COMMANDS)
    assert run("--version").stdout.startswith("accordant ")


def test_summaries_fit_on_a_line(run: Run) -> None:
    assert "..." not in run("--help").stdout.replace("[ARGS]...", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    found = command(name)
    assert found.help
    assert found.get_short_help_str(200)
    for option in found.params:
        if isinstance(option, click.Option):
            assert option.help, option.name


EXAMPLES = [
    (name, typed) for name in COMMANDS for typed, _ in getattr(command(name), "examples", ())
]


@pytest.mark.parametrize("name, typed", EXAMPLES, ids=[typed for _, typed in EXAMPLES])
def test_examples_can_be_typed(folder: Path, name: str, typed: str) -> None:
    """Parsed as a shell would, with the files they name."""
    words = shlex.split(typed.split(" > ")[0].removeprefix('eval "$(').removesuffix(')"'))
    assert words[:2] == ["accordant", name]
    command(name).make_context(name, words[2:])


RUN_AS_THEY_ARE = [
    (name, typed)
    for name, typed in EXAMPLES
    if name in ("agreement", "diagnose", "describe", "coefficients", "models", "plan")
    and not {"low,mid", "pilot"} & {word for word in ("low,mid", "pilot") if word in typed}
]


@pytest.mark.parametrize("name, typed", RUN_AS_THEY_ARE, ids=[t for _, t in RUN_AS_THEY_ARE])
def test_examples_run(run: Run, name: str, typed: str) -> None:
    result = run(*shlex.split(typed)[1:])
    assert result.exit_code == 0, result.stderr
    assert result.stdout


def test_every_option_of_read_is_an_option_and_explained_once(run: Run) -> None:
    import inspect

    keywords = set(inspect.signature(read).parameters) - {"source"}
    assert keywords <= {option.name for option in command("agreement").get_params(CONTEXT)}
    named, explained = run("agreement", "--help").stdout, run("describe", "--help").stdout
    for name in keywords:
        option = f"--{name.replace('_', '-')}"
        assert option in named
        assert f"\n  {option} " in explained
        assert f"\n  {option} " not in named


def test_what_no_command_takes_is_printed_as_a_call() -> None:
    every = [*vars(analyses).values(), *vars(tools).values()]
    calls = [one.call for one in every if isinstance(one, Definition) and one.call]
    given = {one.name for call in calls for one in inputs_of(call) if made_option(one)}
    taken = {one.name for name in COMMANDS for one in command(name).get_params(CONTEXT)}
    assert given - taken - SETTINGS == UNTYPED
    step = Action("agreement", {"level": 0.9}, "", ("f.csv",))
    assert step.typed() == "accordant agreement f.csv --level 0.9"
    assert replace(step, options={"undefined": 0}).typed().startswith("ac.agreement(")


def test_the_help_says_of_a_command_what_its_own_help_says(run: Run) -> None:
    text = " ".join(run("--help").stdout.split())
    for name in COMMANDS:
        said = (command(name).help or "").partition("\n")[0].rstrip(".")
        assert f" {name} {said} " in text


def test_shared_options_stand_before_or_behind_the_command(run: Run) -> None:
    words = ("agreement", "ratings.csv")
    behind = run(*words, "-f", "json", "-q")
    assert run("-f", "json", "-q", *words).stdout == behind.stdout
    assert run("-f", "csv", *words, "-f", "json", "-q").stdout == behind.stdout
    assert run("-q", *words).stderr == ""
    assert run("-o", "out.md", "report", "ratings.csv").stderr.endswith("written to out.md\n")


@pytest.mark.parametrize(
    "words, said",
    [
        (["--full", "convert", "ratings.csv", "out.csv"], "'--full'"),
        (["report", "ratings.csv", "--full"], "no option '--full'"),
        (["agreement", "ratings.csv", "--catgories", "a"], "Did you mean '--categories'?"),
        (["agreement", "ratings.csv", "--fomat", "csv"], "Did you mean '--format'?"),
        (["agreement", "ratings.csv", "--sheet"], "'--sheet' requires an argument"),
        (["agreement", "ratings.csv", "-f", "yaml"], "json"),
        (["agreement", "ratings.csv", "-n", "0"], "'-n'"),
        (["project", "import", "ratings.csv", "--scale", "ordnal"], "Did you mean 'ordinal'?"),
        (["project", "--preview", "status"], "'--preview'"),
    ],
)
def test_shared_options_are_refused_where_they_mean_nothing(
    run: Run, folder: Path, words: list[str], said: str
) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert not (folder / "out.csv").exists()
    assert not (folder / "out.html").exists()


def test_the_environment_sets_options(run: Run) -> None:
    env = {"ACCORDANT_AGREEMENT_COEFFICIENTS": "kappa"}
    one = run("agreement", "ratings.csv", "-f", "json", env=env)
    assert [row["coefficient"] for row in json.loads(one.stdout)] == ["kappa"]


def test_every_coefficient_is_listed(run: Run) -> None:
    rows = json.loads(run("coefficients", "-f", "json").stdout)
    assert [row["coefficient"] for row in rows] == [*COEFFICIENTS, *NAMED, *RATINGS]
    assert all(row["assumption"] for row in rows)
    assert all(row["expected_agreement"] for row in rows if row["coefficient"] not in RATINGS)
    shown = run("coefficients").stdout
    assert all(c.name in shown for c in COEFFICIENTS.values())
    one = run("coefficients", "fleiss").stdout
    assert "378–382" in one  # where Fleiss (1971) was printed
    assert run("coefficients", "fleis").exit_code == 2


def test_every_model_is_listed_with_its_options(run: Run) -> None:
    rows = json.loads(run("models", "-f", "json").stdout)
    assert [row["model"] for row in rows] == [*MODELS]
    shown = run("models").stdout
    assert all(f" {key} " in shown for key in MODELS)
    for key, model in MODELS.items():
        own = json.loads(run("models", key, "-f", "json").stdout)
        assert {row["option"] for row in own} == set(model.takes)
    refused = run("models", "mcae")
    assert refused.exit_code == 2
    assert "'mace'" in refused.stderr


# ---------------------------------------------------------------------- documentation


def test_the_page_of_the_command_line_is_up_to_date(root: Path) -> None:
    import runpy

    made: dict[str, Any] = runpy.run_path(str(root / "docs" / "cli_page.py"))
    page = (root / "docs" / "reference" / "cli.md").read_text("utf-8")
    assert page == made["page"](), "run: python docs/cli_page.py"


# ---------------------------------------------------------------------- completion


def completed(words: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "accordant.cli.main"],
        env={
            **os.environ,
            "_ACCORDANT_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_completion_of_commands_and_options() -> None:
    assert completed("accordant de") == ["describe", "decompose", "demo"]
    assert completed("accordant agreement --interval b") == ["bootstrap"]
    assert completed("accordant agreement --scale m=o") == ["m=ordinal"]
    assert "coefficients" in completed("accordant agreement --show c")
    assert completed("accordant agreement --head") == ["--header-row"]
    assert completed("accordant agreement --format j") == ["json"]
    assert completed("accordant project case accept 3 --pre") == ["--preview"]
