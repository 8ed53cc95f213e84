"""A project on the command line, in a file and on a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.projects import Walk


def test_a_project_in_a_file_and_on_a_server(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say = Walk.into(tmp_path, monkeypatch)
    monkeypatch.setenv("ACCORDANT_PROJECT", where)
    assert "ana is its researcher" in say("new Letters")
    say("question 'Who wrote them?'")
    assert "Who wrote them?" in say("question", by="")
    assert "1 research question" in say("status")
    assert "3 events" in say("verify")
    assert say.refused("new Letters")
    say("upgrade")
