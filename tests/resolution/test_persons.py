"""What belongs to one person: drafts that nobody else sees, and a token that says who it is."""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from accordant.errors import AccordantError, RequestError, StoreError
from accordant.resolution import steps
from accordant.resolution.command import Refused
from accordant.resolution.exports import bundle
from accordant.resolution.personal import draft_key
from accordant.resolution.project import Project
from accordant.resolution.records import canonical
from accordant.resolution.words import Role
from accordant.views.project_report import project_report
from resolution.shown_views import SHOWN

QUESTION = draft_key(steps.state_question, "text")
SECRET = "not even I am sure of this"


@pytest.fixture
def project(where: str) -> Iterator[Project]:
    """Ana, a researcher, and bob, a coder; in a file and on a server."""
    with Project.create(where, "Letters", by="ana") as made:
        made.do(steps.add_person, "ana", name="bob")
        yield made


def test_a_draft_stays_until_its_act_is_done(project: Project) -> None:
    project.draft("ana", QUESTION, "Who")
    project.draft("ana", QUESTION, "Who wrote")
    project.draft("bob", QUESTION, "What")
    project.draft("ana", draft_key(steps.state_hypothesis, "text"), "Clerks")
    assert project.drafts("ana")[QUESTION] == "Who wrote"
    with pytest.raises(AccordantError):
        project.do(steps.state_question, "ana", text=" ")
    assert len(project.drafts("ana")) == 2
    project.do(steps.state_question, "ana", text="Who wrote them?")
    assert list(project.drafts("ana").values()) == ["Clerks"]
    assert project.drafts("bob") == {QUESTION: "What"}
    project.draft("bob", QUESTION, "")
    assert project.drafts("bob") == {}


def test_a_draft_about_a_case_goes_with_the_act_about_that_case(project: Project) -> None:
    keys = [draft_key(steps.give_reason, "text", case) for case in (7, 17)]
    for key in keys:
        project.draft("bob", key, "because")
    with project.store.writing() as writing:
        writing.personal.drop_drafts("bob", {"case reason/7", "case reason/"})
    assert list(project.drafts("bob")) == keys[1:]


@pytest.mark.parametrize(
    ("field", "case"), [("words", 7), ("text", None)], ids=["no such field", "no case"]
)
def test_a_key_is_of_an_act(field: str, case: int | None) -> None:
    with pytest.raises(RequestError):
        draft_key(steps.give_reason, field, case)


def test_a_draft_is_shown_and_given_out_to_nobody(project: Project, tmp_path: Path) -> None:
    project.draft("bob", QUESTION, SECRET)
    shown = [
        repr(show(project.state, person, list(project.records())))
        for show in SHOWN.values()
        for person in ("ana", "bob", "")
    ]
    shown.append(canonical(bundle(project.state, project.records(), "bob")))
    project_report(project, person="bob").save(tmp_path / "report.html")
    shown.append((tmp_path / "report.html").read_text())
    shown.append(repr(project.drafts("ana")))
    with project.store.copy_to(tmp_path / "copy.accordant") as copied, copied.personal() as there:
        assert there.drafts("bob") == {}
    assert not any(SECRET in one for one in shown)
    assert project.verify() == []


def test_a_draft_changes_nothing_of_the_log(project: Project) -> None:
    before = copy.deepcopy(project.state), list(project.records())
    project.draft("bob", QUESTION, SECRET)
    assert (project.refresh(), list(project.records())) == before
    with pytest.raises(RequestError):
        project.draft("zoe", QUESTION, SECRET)
    with pytest.raises(RequestError):
        project.draft("bob", QUESTION, "\0")


def test_a_token_says_who_with_the_roles_of_now(project: Project) -> None:
    token = project.invite("bob", by="ana")
    assert project.whose(token).roles == (Role.CODER,)
    project.do(steps.add_person, "ana", name="bob", roles=["moderator"])
    assert project.whose(token).roles == (Role.MODERATOR,)
    other = project.invite("bob", by="ana")
    assert project.whose(other).name == "bob"
    for void in (token, "", "bob", other[:-1], "\ud800"):
        with pytest.raises(Refused) as refused:
            project.whose(void)
        assert [one.guard for one in refused.value.unmet] == ["token"]
        assert not void or void not in str(refused.value)
    project.revoke("bob", by="ana")
    with pytest.raises(Refused):
        project.whose(other)


@pytest.mark.parametrize(("person", "by"), [("bob", "bob"), ("zoe", "ana"), ("bob", "")])
def test_only_a_researcher_invites_who_takes_part(project: Project, person: str, by: str) -> None:
    with pytest.raises((Refused, RequestError)):
        project.invite(person, by=by)
    with pytest.raises((Refused, RequestError)):
        project.revoke(person, by=by)


def test_a_token_is_kept_nowhere(project: Project, tmp_path: Path) -> None:
    token = project.invite("bob", by="ana")
    with project.store._engine.connect() as connection:
        tables = ("event", "snapshot", "draft", "token")
        rows = [repr(connection.execute(text(f"select * from {t}")).all()) for t in tables]
    assert not any(token in one for one in rows)
    assert token not in canonical(bundle(project.state, project.records(), "bob"))
    with suppress(StoreError):
        project.store.close()
    for file in tmp_path.glob("*.accordant"):
        assert token.encode() not in file.read_bytes()


def test_a_file_of_before_has_them_after_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "old.accordant"
    Project.create(path, "Letters", by="ana").close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "drop table draft; drop table token; update alembic_version set version_num = '0001'"
        )
    with Project.open(path) as project:
        project.draft("ana", QUESTION, "Who")
        assert project.drafts("ana") == {QUESTION: "Who"}
        assert project.whose(project.invite("ana", by="ana")).name == "ana"
    assert (tmp_path / "old.before-schema-2.accordant").exists()
