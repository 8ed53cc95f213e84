"""`accordant project`: every subcommand has a help, and every command of the procedure is reached."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

import accordant.resolution.steps  # noqa: F401 (registers the commands)
from accordant.cli.commands.project import project
from accordant.cli.group import Command
from accordant.cli.main import cli
from accordant.cli.project import case, case_unresolved, reporting
from accordant.cli.project.command_words import WORDS, path_of
from accordant.cli.project.happened import SAYS
from accordant.cli.project.refusing import TO_TYPE
from accordant.resolution.commands.command import COMMANDS
from accordant.resolution.commands.unresolved import METHODS, TIES
from accordant.resolution.events.all import KINDS
from accordant.views.project_report import FORMATS

Run = Callable[..., Result]


def each(group: click.Group, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Every subcommand with its words, those of groups too."""
    context = click.Context(group, info_name=words[-1])
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert isinstance(found, Command)
        yield (*words, name), found
        if isinstance(found, click.Group):
            yield from each(found, (*words, name))


ALL = dict(each(project, ("project",)))
IDS = [" ".join(words) for words in ALL]


def test_the_names_are_those_that_are_typed() -> None:
    assert all(found.name == words[-1] for words, found in ALL.items())


@pytest.mark.parametrize("words", ALL, ids=IDS)
def test_help(run: Run, words: tuple[str, ...]) -> None:
    typed = words if "case" not in words[:-1] else ("project", "case", "3", *words[2:])
    result = run(*typed, "--help")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Usage: accordant project ")
    assert max(map(len, result.stdout.splitlines())) <= 110
    assert result.stdout.count("\n  accordant project ") >= 2
    found = ALL[words]
    for option in found.params:
        if isinstance(option, click.Option):
            assert option.help, option.name
    assert "..." not in found.get_short_help_str(63)


@pytest.mark.parametrize("words", ALL, ids=IDS)
def test_examples_can_be_typed(folder: Path, words: tuple[str, ...]) -> None:
    for typed, _ in ALL[words].examples:
        start, *rest = shlex.split(typed.split(" > ")[0].split(" < ")[0])
        assert start == "accordant"
        command: click.Command = cli
        context = click.Context(cli, info_name="accordant")
        while isinstance(command, click.Group):
            context = command.make_context(command.name, list(rest), parent=context)
            rest = [*context._protected_args, *context.args]
            if not rest:
                break
            _, command, rest = command.resolve_command(context, rest)  # type: ignore[assignment]
        else:
            command.make_context(command.name, list(rest), parent=context)


def test_every_command_of_the_procedure_is_reached() -> None:
    assert set(WORDS) == set(COMMANDS)
    for name in COMMANDS:
        names = [word for word in path_of(name) if not word.startswith("-")]
        options = [word for word in path_of(name) if word.startswith("-")]
        found = ALL[("project", *names)]
        known = {one for option in found.params for one in option.opts}
        assert set(options) <= known, name


def test_every_function_of_a_command_is_called(root: Path) -> None:
    imported = set()
    for path in (root / "src/accordant/cli/project").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and "resolution" in (node.module or ""):
                imported |= {alias.name for alias in node.names}
    reached = {name for name, what in COMMANDS.items() if what.run.__name__ in imported}
    assert set(COMMANDS) - reached == {"new"}  # `Project.create` does that


def test_every_kind_of_event_has_a_sentence() -> None:
    assert set(SAYS) == set(KINDS)


def test_what_is_advised_can_be_typed() -> None:
    for guard, typed in TO_TYPE.items():
        words = shlex.split(typed)
        assert words[:2] == ["accordant", "project"], guard
        names = tuple(w for w in words[2:] if w == w.lower() and not w.startswith("-"))
        assert ("project", names[0]) in ALL, typed
        known = {one for option in ALL["project", names[0]].params for one in option.opts}
        assert {w for w in words if w.startswith("-")} <= known, typed


def test_lists_that_are_spelled_out() -> None:
    assert tuple(METHODS) == case_unresolved.METHODS
    assert tuple(TIES) == case_unresolved.TIES
    assert tuple(FORMATS) == reporting.SUFFIXES
    assert set(case.ACTIONS) == {w[2] for w in ALL if w[:2] == ("project", "case") and len(w) > 2}


def test_the_help_is_light() -> None:
    from test_layers import loaded_after

    for words in (["project", "--help"], ["project", "case", "--help"]):
        code = f"""
import sys
sys.argv = ["accordant", *{words}]
from accordant.cli.main import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
"""
        assert loaded_after(code) == set()
