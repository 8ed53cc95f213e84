"""The toolbox as a file: read, written, read again; what is wrong in it has a place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.errors import InputError
from accordant.resolution.importing.toolbox_file import (
    read_concepts,
    read_guidelines,
    read_task,
    template,
)
from accordant.resolution.importing.toolbox_file import (
    written as as_file,
)
from accordant.resolution.records import (
    AmbiguityPolicy,
    AskedIf,
    Concept,
    Guidelines,
    Question,
    Relation,
    Rule,
    Task,
)
from accordant.resolution.words import Answering, Change, ConceptKind


def written(folder: Path, text: str, name: str = "t.toml") -> Path:
    """A file with the text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# ---------------------------------------------------------------- what it is read as


def test_the_example_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "".join(map(template, ("task", "guidelines", "concepts"))))
    task, rules, concepts = read_task(path), read_guidelines(path), read_concepts(path)
    assert [q.id for q in task.questions] == ["claim", "scope"]
    assert task.questions[1].asked_if == AskedIf("claim", ("yes",))
    assert rules.options == {"claim": ("yes", "no"), "scope": ("wide", "narrow")}
    assert rules.ambiguity is not None
    assert len(rules.ambiguity.sources) == 5
    assert [rule.questions for rule in rules.rules] == [("claim",)]
    assert concepts[1].relations == (Relation("movement", "lasts for", "period"),)
    assert concepts[1].kind is ConceptKind.COMPLEX


def test_numbers_are_labels_and_json_is_read(tmp_path: Path) -> None:
    text = json.dumps(
        {
            "task": {"question": [{"id": "q", "text": "?", "answering": "several"}]},
            "guidelines": {"options": {"q": [1, 0, -1]}, "change": "local", "cases": [3]},
        }
    )
    path = written(tmp_path, text, "t.json")
    assert read_task(path).questions[0].answering is Answering.SEVERAL
    found = read_guidelines(path)
    assert found.options == {"q": ("1", "0", "-1")}
    assert (found.change, found.cases) == (Change.LOCAL, (3,))


# ---------------------------------------------------------------- there and back


words = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12).map(
    lambda text: text.strip() or "x"
)
lists = st.lists(words, max_size=3).map(tuple)
questions = st.builds(
    Question,
    words,
    words,
    words,
    st.sampled_from(Answering),
    st.none() | st.builds(AskedIf, words, lists),
)


@given(st.builds(Task, st.lists(questions, max_size=3).map(tuple), words, words, words))
def test_a_task_there_and_back(tmp_path_factory: pytest.TempPathFactory, task: Task) -> None:
    path = written(tmp_path_factory.getbasetemp(), as_file(task))
    assert read_task(path) == task


@given(
    st.builds(
        Guidelines,
        st.just(""),
        st.dictionaries(words, lists, max_size=3),
        st.none() | st.builds(AmbiguityPolicy, st.booleans(), lists, words),
        st.lists(st.builds(Rule, words, words, lists), max_size=3).map(tuple),
        words,
    )
)
def test_guidelines_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, rules: Guidelines
) -> None:
    path = written(tmp_path_factory.getbasetemp(), as_file(rules))
    assert read_guidelines(path) == rules


relations = st.lists(st.builds(Relation, words, words, words), max_size=2).map(tuple)


@given(
    st.lists(
        st.builds(
            Concept,
            words,
            st.just(0),
            words,
            lists,
            lists,
            st.sampled_from(ConceptKind),
            lists,
            relations,
            lists,
            lists,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_concepts_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, concepts: list[Concept]
) -> None:
    path = written(tmp_path_factory.getbasetemp(), as_file(*concepts))
    assert read_concepts(path) == concepts


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    "text, says",
    [
        ("[task", "this is not TOML"),
        ("", "holds no [task]"),
        ("[guidelines]\n", "the file holds no [task], only [guidelines]"),
        ("[tasks]\n", "there is no key 'tasks' here; did you mean 'task'"),
        ('[task]\n[[task.question]]\nid = "q"\n', "[[task.question]] 1: 'text' is missing"),
        ('[task]\n[[task.question]]\nid = "q"\ntxt = ""', "did you mean 'text'"),
        ("[task]\ntext = true", 'write texts in quotes, such as "true"'),
        ("[task]\ntext = 1.5", "write texts in quotes"),
        ('[task]\nquestion = "q"', "should be a list of tables: [[question]]"),
        (
            '[task]\n[[task.question]]\nid = "q"\ntext = "?"\nanswering = "many"',
            '\'answering\' is \'many\'; allowed: "one", "several", "spans"',
        ),
        (
            '[task]\n[[task.question]]\nid = "q"\ntext = "?"\nasked_if = "5a"',
            "asked_if: should be a table",
        ),
    ],
)
def test_a_task_that_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        read_task(written(tmp_path, text))
    assert says in str(error.value)


@pytest.mark.parametrize(
    "text, says",
    [
        ('[guidelines.options]\nq = "yes"', "[guidelines.options]: 'q' should be a list"),
        ("[guidelines.ambiguity]\nallowed = 1", "'allowed' should be true or false"),
        ("[guidelines]\ncases = [1.5]", "whole numbers"),
        ('[guidelines]\nchange = "huge"', 'allowed: "editorial"'),
    ],
)
def test_guidelines_that_are_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        read_guidelines(written(tmp_path, text))
    assert says in str(error.value)


@pytest.mark.parametrize(
    "text, says",
    [
        ('[concept]\nname = "a"', "under [[concept]], in double brackets"),
        ('[[concept]]\nname = "a"\nrelations = [["a", "b"]]', '["concept", "how", "concept"]'),
        ("[[concept]]\n", "[[concept]] 1: 'name' is missing"),
    ],
)
def test_concepts_that_are_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        read_concepts(written(tmp_path, text))
    assert says in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_task(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("[task]\ntext = 'é'".encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8"):
        read_task(tmp_path / "latin.toml")
