"""Who takes part on the command line, and the token by which a person is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant import Project, Refused
from cli.projects import Walk


def test_a_token_is_printed_once_and_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say = Walk.into(tmp_path, monkeypatch)
    say("new Claims")
    say("person bob --role observer")
    token = say("person bob --invite").strip()
    [path] = tmp_path.glob("*.accordant")
    with Project.open(path) as project:
        assert project.whose(token).name == "bob"
        assert [role.value for role in project.whose(token).roles] == ["observer"]
    assert token not in say("log") + say("person") + say("status")
    assert "not a researcher" in say.refused("person bob --invite", "bob")
    assert "no person 'zoe'" in say.refused("person zoe --invite")
    assert "--preview" in say.refused("person bob --invite --preview")
    say("person bob --revoke")
    with Project.open(path) as project, pytest.raises(Refused):
        project.whose(token)
    assert "coder" in say("person zoe --role coder --preview")
    assert "zoe" not in say("person")
