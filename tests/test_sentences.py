"""No sentence of the library holds a call, a keyword or an option: these are actions."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import accordant

ROOT = Path(accordant.__file__).parent
SPELLING = ("actions.py", "cli")  # where actions are written as they are typed
HOLE = "{}"  # a value in a sentence
MARKUP = re.compile(r"<\w+ |\w+=\\?[\"']\(|@view|read_csv\(|^import accordant|^\[\{\}=|^ width=")
DIGESTED = {", ranked=False)"}  # in the fingerprint of data, which nobody reads
SIGNATURE = re.compile(r"^\{\}=\{\}")  # the options of a call, repeated for others


def keywords() -> set[str]:
    """The parameters of the public calls."""
    found = set()
    for name in accordant.__all__:
        public = getattr(accordant, name)
        if inspect.isfunction(public):
            found |= set(inspect.signature(public).parameters)
    return found - {"data", "n", "x"}


def pattern() -> re.Pattern[str]:
    """What only somebody who types it can make use of."""
    names = "|".join(sorted(keywords(), key=len, reverse=True))
    calls = "|".join(name for name in accordant.__all__ if name.islower())
    return re.compile(
        rf"(?<![-\w#?])(?:{names}|\{{\}})=(?!=)|\bac\.\w+|\bof_\w+\(|(?<!\w)(?:{calls})\("
        r"|(?<![-\w])--[a-z]"
    )


def declared(node: ast.AST) -> bool:
    """Whether a part of a module says how a parameter is typed as an option."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Typed"
    ) or (isinstance(node, ast.keyword) and node.arg == "typed")


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every text of a module but its docstrings; formatted values are holes."""
    for node in ast.iter_child_nodes(tree):
        if declared(node) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (x.value if isinstance(x, ast.Constant) else HOLE for x in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        else:
            yield from sentences(node)


def typed(source: str) -> list[str]:
    """The texts of a module that somebody would have to type."""
    found = pattern()
    return [
        f"{line}: {text}"
        for line, text in sentences(ast.parse(source))
        if found.search(text)
        and text not in DIGESTED
        and not MARKUP.search(text)
        and not SIGNATURE.search(text)
    ]


@pytest.mark.parametrize(
    "source",
    [
        "raise Error('say duplicates=\"first\"')",
        "x = f'{name}={value!r}: choose one of {known}'",
        "x = 'see ac.fit(data)'",
        "x = 'choose one with of_question()'",
        "x = 'give --scale'",
    ],
)
def test_what_is_typed_is_noticed(source: str) -> None:
    if source.startswith("x = f'{name}={value!r}"):
        assert pattern().search("{}={}: choose one of {}")
    else:
        assert typed(source)


def test_a_sentence_is_not() -> None:
    assert not typed("x = f'the labels are numbers (α = {alpha}); at least n = {n}'")


MODULES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.rglob("*.py")
    if path.relative_to(ROOT).parts[0] not in SPELLING
)


@pytest.mark.parametrize("module", MODULES)
def test_no_sentence_holds_a_call_or_an_option(module: str) -> None:
    assert not typed((ROOT / module).read_text())
