"""Options that messages name are written as they are typed on the command line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import accordant
from accordant.cli.lists import as_listed, listed
from accordant.cli.source import by_question
from accordant.cli.terminal import spoken

ROOT = Path(accordant.__file__).parent
PARTS = ("data", "diagnosis", "models")
LISTS = ("coder", "label", "categories", "missing", "empty")
HINT = re.compile(
    r"(?<![-\w])(coder|label|categories|missing|empty|ranked|separator|max_labels|label_weight|"
    r"layout|duplicates|blank|scale|coders_in)="
)


def _stand_in(before: str) -> str:
    """What may stand in a message behind ``before``."""
    found = re.search(r"(\w+)=$", before)
    if found is None:
        return "'joy'"
    if found[1] in LISTS[:3]:
        return "['Mara', 'Jo, of us']"
    return "2" if found[1] == "max_labels" else "';'"


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        text = ""
        for part in node.values:
            text += str(part.value) if isinstance(part, ast.Constant) else _stand_in(text)
        yield text
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    else:
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def messages() -> list[str]:
    """Every sentence of the library that names an option, docstrings apart."""
    found = []
    for path in sorted(p for part in PARTS for p in (ROOT / part).rglob("*.py")):
        found += [t for t in _texts(ast.parse(path.read_text())) if HINT.search(t)]
    return [t for t in found if "\n" not in t]


def test_messages_are_found() -> None:
    assert len(messages()) > 40
    assert any("coder=['Mara'" in m for m in messages())


@pytest.mark.parametrize("message", messages())
def test_no_keyword_is_left_or_mangled(message: str) -> None:
    said = spoken(message)
    assert not HINT.search(said), said
    assert not re.search(r"--[a-z-]+(?:[\[{'\"=]|True|False)", said), said
    assert "--ranked True" not in said


PYTHON = re.compile(r"\bac\.\w|\b(?!keep\b|read\b)[a-z_]+\(\)|\bfit=|`[\w.]+\(")
"""What only somebody who writes Python can make use of; keep() is never called from here."""


def told_by_models() -> list[str]:
    """Every sentence of models and of reports about them, docstrings apart."""
    paths = [*(ROOT / "models").rglob("*.py"), ROOT / "reports" / "fitted.py",
             *(ROOT / "reports" / "chapters").glob("*.py")]  # fmt: skip
    return [
        text
        for path in sorted(paths)
        for text in _texts(ast.parse(path.read_text()))
        if " " in text and PYTHON.search(text) and "\n    " not in text
    ]


def test_no_call_of_python_is_left() -> None:
    found = told_by_models()
    assert len(found) > 10
    assert any("ac.coders(data)" in text for text in found)
    for text in found:
        assert not PYTHON.search(spoken(text)), spoken(text)


def test_schools_are_fitted_one_by_one_however_many_there_are() -> None:
    calls = "(`posterior_of(1)`, `posterior_of(2)` and `posterior_of(3)`)"
    assert spoken(f"Fit each school by itself {calls}.") == (
        "Fit each school by itself (--only-coder)."
    )


def test_a_mapping_that_is_left_open_is_no_crash() -> None:
    assert (
        spoken("Give a mapping, gold={'q1': …}, or a table") == "Give a mapping, --gold, or a table"
    )


def test_an_option_of_a_model_without_a_value() -> None:
    assert spoken("give order=, or prior='pooled'") == "give --set order=…, or --set prior=pooled"


SAID = {
    "say coder=['Mara', 'Jo'] or layout='onehot'": "say --coder Mara --coder Jo or --layout onehot",
    "label=['out_col', '_region']": "--label out_col --label _region",
    "say ranked=True": "say --ranked",
    "leave ranked= out": "leave --ranked out",
    "categories=['yes, partly', 'no']": "--categories '\"yes, partly\",no'",
    "categories=[1, 2, 3]": "--categories 1,2,3",
    "separator=';', max_labels=2": "--separator ';', --max-labels 2",
    "separator='\\n'": "--separator '\\n'",
    'missing="don\'t"': "--missing 'don'\"'\"'t'",
    "header=False": "--no-header",
    "scale={'q 1': 'ordinal', 'q2': 'ratio'}": "--scale 'q 1=ordinal' --scale q2=ratio",
    "categories={'q': ['a', 'b']}": "--categories q=a,b",
}


@pytest.mark.parametrize("message", SAID)
def test_values_are_typed_as_a_shell_takes_them(message: str) -> None:
    assert spoken(message) == SAID[message]


def test_a_list_holds_labels_with_commas() -> None:
    words = ["yes, partly", "no", 'the "best"']
    assert listed(as_listed(words)) == words
    assert listed("yes, partly,no") == ["yes", "partly", "no"]
    given = by_question(['"a=b, c",d'], "--categories", listed)
    assert given == ["a=b, c", "d"]
    assert by_question(['q="a, b",c'], "--categories", listed) == {"q": ["a, b", "c"]}
