"""`accordant project`: every command has a help, and every step of the procedure is reached."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

import accordant.resolution.steps  # noqa: F401 (registers the steps)
from accordant.cli.help import Command
from accordant.cli.main import cli
from accordant.cli.project import project as made_project
from accordant.cli.project.definitions import definitions, spelled
from accordant.resolution.command import GUARDS, step
from accordant.resolution.procedure import KINDS

project = made_project()
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


@pytest.mark.parametrize("words", ALL, ids=IDS)
def test_help(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "--help")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Usage: accordant project ")
    assert max(map(len, result.stdout.splitlines())) <= 110
    assert result.stdout.count("\n  accordant project ") >= 2
    for option in ALL[words].params:
        if isinstance(option, click.Option):
            assert option.help, option.name
    assert ALL[words].name == words[-1]
    assert "..." not in ALL[words].get_short_help_str(65)


@pytest.mark.parametrize("words", ALL, ids=IDS)
def test_examples_can_be_typed(folder: Path, words: tuple[str, ...]) -> None:
    for example, _ in ALL[words].examples:
        start, *rest = shlex.split(example.split(" > ")[0].split(" < ")[0])
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


def test_every_definition_has_a_place_in_the_help() -> None:
    shown = {" ".join(words[1:]) for words in ALL}
    assert {w for w in definitions() if " --" not in w} - shown == {"final", "releases"}


def test_every_kind_of_event_has_a_sentence() -> None:
    from accordant.resolution.event import Event

    for kind in KINDS.values():
        assert kind.says or kind.sentence is not Event.sentence, kind


def test_what_helps_can_be_typed() -> None:
    cells = [cell.cell_contents for guard in GUARDS.values() for cell in guard.__closure__ or ()]
    actions = [content for content in cells if hasattr(content, "call")]
    assert len(actions) > 15
    for action in actions:
        words = spelled(action).split()
        assert words[:2] == ["accordant", "project"]
        assert ("project", words[2]) in ALL


def test_a_next_step_names_what_is_to_be_chosen() -> None:
    assert spelled(step("go", to="resolution")) == "accordant project go resolution"
    assert spelled(step("case reason", cases=3)) == "accordant project case reason 3 TEXT"
