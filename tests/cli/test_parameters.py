"""A type hint becomes an option: what may be typed, what it becomes, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import pytest
from click.testing import CliRunner

from accordant.api.types import Data, Numbers, Seed
from accordant.cli.help import Command
from accordant.cli.parameters import argument, option
from accordant.inputs import Input
from accordant.kinds import AtLeast, Character, Commas, Metavar

Scale = Literal["nominal", "ordinal"]
Words = Annotated[Sequence[str], Commas()]


def meant(hint: Any, *words: str, default: Any = None) -> Any:
    """What words become after --x, or the message that refuses them."""
    made = option(Input("x", hint, default, ""))
    assert made is not None
    found: list[Any] = []
    command = Command("c", params=[made], callback=lambda x: found.append(made.meant(x)))
    result = CliRunner().invoke(command, list(words))
    return found[0] if result.exit_code == 0 else result.stderr


@pytest.mark.parametrize(
    ("hint", "words", "expected"),
    [
        (str, ["--x", "a,b"], "a,b"),
        (int, ["--x", "3"], 3),
        (float | None, ["--x", "0.5"], 0.5),
        (float | Literal["error"], ["--x", "error"], "error"),
        (float | str, ["--x", "expert"], "expert"),
        (Path, ["--x", "a.csv"], Path("a.csv")),
        (Scale | Mapping[str, Scale], ["--x", "ordinal"], "ordinal"),
        (
            Scale | Mapping[str, Scale],
            ["--x", "q=ordinal", "--x", "r=nominal"],
            {"q": "ordinal", "r": "nominal"},
        ),
        (Words | Mapping[str, Words], ["--x", "a, b"], ["a", "b"]),
        (Words | Mapping[str, Words], ["--x", '"a, b",c'], ["a, b", "c"]),
        (Words | Mapping[str, Words], ["--x", "q=a,b"], {"q": ["a", "b"]}),
        (Words | Mapping[str, Words], ["--x", '"a=b",c'], ["a=b", "c"]),
        (Words, ["--x", "a,b", "--x", "c"], ["a", "b", "c"]),
        (Sequence[str], ["--x", "a,b", "--x", "c"], ["a,b", "c"]),
        (Numbers, ["--x", "0.7,0.3"], [0.7, 0.3]),
        (float | Numbers, ["--x", "0.7"], 0.7),
        (int | Sequence[Any], ["--x", "19"], 19),
        (Annotated[int | Sequence[Any], Metavar("N")], ["--x", "joy,awe"], ["joy", "awe"]),
        (int | Mapping[str, int], ["--x", "good=8,spammer=2"], {"good": 8, "spammer": 2}),
        (int | tuple[int, int], ["--x", "5"], 5),
        (Annotated[tuple[str, str], Metavar("A B")], ["--x", "yes", "no"], ("yes", "no")),
        (Annotated[str, Character()], ["--x", "\\t"], "\t"),
        (Annotated[str, Character()], ["--x", "tab"], "\t"),
        (
            float | str | Mapping[str, float | str],
            ["--x", "ann=0.3", "--x", "bob=expert"],
            {"ann": 0.3, "bob": "expert"},
        ),
        (Seed | None, ["--x", "7"], 7),
        (bool, ["--x"], True),
        (bool | None, ["--no-x"], False),
        (str | None, [], None),
        (Words | None, [], None),
    ],
)
def test_what_is_typed(hint: Any, words: list[str], expected: Any) -> None:
    default = False if hint is bool else None
    assert meant(hint, *words, default=default) == expected


@pytest.mark.parametrize(
    ("hint", "words", "said"),
    [
        (Scale, ["--x", "ordnal"], "Did you mean 'ordinal'?"),
        (Scale | Mapping[str, Scale], ["--x", "q=ordnal"], "Did you mean 'ordinal'?"),
        (Scale, ["--x", "zz"], "Choose from nominal, ordinal"),
        (int, ["--x", "1.5"], "whole number"),
        (float | Literal["error"], ["--x", "err"], "or one of error"),
        (Scale | Mapping[str, Scale], ["--x", "ordinal", "--x", "q=nominal"], "NAME="),
    ],
)
def test_what_is_refused(hint: Any, words: list[str], said: str) -> None:
    assert said in meant(hint, *words)


def test_what_has_no_place_in_a_shell() -> None:
    assert option(Input("x", Data, None, "")) is None
    assert option(Input("x", Callable[[int, int], None] | None, None, "")) is None


def test_arguments_of_files() -> None:
    found: list[Any] = []
    several = argument(
        Input("files", Annotated[Path, Metavar("FILE..."), AtLeast(1)], (), "", several=True)
    )
    command = click.Command("c", params=[several], callback=lambda files: found.append(files))
    assert CliRunner().invoke(command, ["a.csv", "b.csv"]).exit_code == 0
    assert found == [(Path("a.csv"), Path("b.csv"))]
    assert CliRunner().invoke(command, []).exit_code == 2
