"""Finished annotations become a closed first round, with what is known of causes and outcomes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accordant as ac
from cli.projects import Walk

RATINGS = "item,coder,label\n" + "".join(
    f"i{k + 1},{coder},{label}\n"
    for coder, labels in (("A1", "0101"), ("A2", "0111"))
    for k, label in enumerate(labels)
)
"""They differ on i3: 0 and 1."""


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    walk = Walk.into(tmp_path, monkeypatch)
    Path("ratings.csv").write_text(RATINGS)
    return walk


def project() -> ac.Project:
    return ac.Project.open(Path("ratings.accordant"), read_only=True)


def rows() -> dict[str, dict[str, str]]:
    with project() as opened:
        return {row["item"]: row for row in opened.answers()}


def test_a_closed_round_ready_to_be_compared(say: Walk) -> None:
    say("import ratings.csv", "R")
    with project() as opened:
        here = opened.status()
        assert here.step.value == "comparison"
        assert here.people == {"R": ("researcher",), "A1": ("coder",), "A2": ("coder",)}
        assert opened.comparison().counts == {"question": {"agreed": 3, "conflicting": 1}}
    codes = [row["text"] for row in json.loads(say("deviation -f json", "R"))]
    assert len(codes) == 2, "steps 0 and 1, step 2: not documented"


def test_what_goes_in_comes_out(say: Walk) -> None:
    say("import ratings.csv", "R")
    say("export out.csv --round 1", "R")
    before, after = ac.read("ratings.csv"), ac.read("out.csv")
    assert ac.agreement(before, "alpha").to_rows()[0]["value"] == pytest.approx(
        ac.agreement(after, "alpha").to_rows()[0]["value"], abs=1e-12
    )


def test_skipped_and_blank_are_declined(say: Walk) -> None:
    Path("ratings.csv").write_text(RATINGS + "i5,A1,1\ni5,A2,\n")
    say("import ratings.csv", "R")
    with project() as opened:
        assert opened.comparison().counts["question"]["incomplete"] == 1


def test_consensus_without_causes_is_imported(say: Walk) -> None:
    Path("gold.csv").write_text("item,consensus\ni1,0\ni2,1\ni3,1\ni4,1\n")
    say("import ratings.csv --consensus gold.csv", "R")
    assert rows()["i3"]["answer"] == "1"
    assert {row["status"] for row in rows().values()} == {"not released; as it is: imported"}


def test_with_cause_and_discussion_it_is_documented_then_accepted(say: Walk) -> None:
    """Imported as documented; ground truth when each has accepted it in person."""
    Path("gold.csv").write_text("item,consensus\ni3,1\n")
    Path("cases.csv").write_text("item,cause,coder,text\ni3,e,A1,a wrong key\n")
    Path("made.txt").write_text("Three of us annotated, and settled what differed.")
    files = "--consensus gold.csv --cases cases.csv"
    say(f"import ratings.csv {files} --title bare -p bare.accordant", "R")
    assert "no document says how" in " ".join(say("release --check -p bare.accordant", "R").split())
    Path("bare.accordant").unlink()
    assert "case 1 is agreed" in say(f"import ratings.csv {files} --document made.txt", "R")
    row = rows()["i3"]
    assert (row["answer"], row["cause"], row["proof"]) == ("1", "e", "imported, documented")
    assert "imported, documented" in say("release --check", "R")
    assert "not a coder" in say.refused("accept", "R")
    say("accept", "A1")
    assert "imported, documented" in say("release --check", "R")
    say("accept", "A2")
    assert "release 1: ground truth" in say("release", "R")


def test_causes_without_consensus_stay_to_be_settled(say: Walk) -> None:
    Path("cases.csv").write_text("item,question,cause\ni3,question,a\n")
    say("import ratings.csv --cases cases.csv", "R")
    with project() as opened:
        assert [(str(one.state), one.cause) for one in opened.cases()] == [("cause accepted", "a2")]


def test_changes_are_owed_a_re_annotation(say: Walk) -> None:
    head = '[task]\n[[task.question]]\nid = "q"\ntext = "?"\n'
    rule = '[[guidelines.rule]]\nid = "R{0}"\ntext = "rule {0}"\n'
    Path("before.toml").write_text(head + "[guidelines]\n" + rule.format(1))
    Path("after.toml").write_text(
        '[guidelines]\nreason = "it was silent"\n[guidelines.options]\nq = [0, 1]\n'
        + rule.format(2)
    )
    Path("gold.csv").write_text("item,consensus\ni3,1\n")
    Path("cases.csv").write_text("item,cause,cites\ni3,a2,R1\n")
    say(
        "import ratings.csv --consensus gold.csv --cases cases.csv "
        "--toolbox before.toml --toolbox after.toml",
        "R",
    )
    with project() as opened:
        here = opened.status()
        assert here.step.name == "TASK"
        assert here.guidelines == "1.1.0"
        assert len(here.orders) == 1
    assert {row["status"] for row in rows().values()} == {"not released; as it is: deprecated"}


@pytest.mark.parametrize(
    ("gold", "cases", "wanted"),
    [
        ("i3,2\n", "", "is no coder's answer"),
        ("i1,1\n", "", "their answer is kept"),
        ("i3,1\n", "i1,question,e\n", "but no cause"),
    ],
)
def test_what_looks_wrong_is_told(say: Walk, gold: str, cases: str, wanted: str) -> None:
    Path("gold.csv").write_text(f"item,consensus\n{gold}")
    Path("cases.csv").write_text(f"item,question,cause\n{cases}")
    more = "--cases cases.csv" if cases else ""
    done = say.run(f"import ratings.csv --consensus gold.csv {more}", "R")
    assert done.exit_code == 0, done.output
    assert wanted in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("cases", "item,question,cause\ni9,question,e\n", "no item 'i9'"),
        ("cases", "item,question,cause\ni3,q,e\n", "no question 'q'"),
        ("cases", "item,question,cause\ni3,question,f\n", "no cause 'f'"),
        ("cases", "item,question,cause,coder\ni3,question,e,A9\n", "no coder 'A9'"),
        ("cases", "item,question,cause\ni3,question,e\ni3,question,c\n", "second row"),
        ("cases", "kind,cause\n1,e\n", "no column is called 'item'"),
        ("consensus", "item,verdict\ni3,1\n", "which column is the consensus"),
        ("consensus", "item,consensus\ni3,1\ni3,0\n", "two different answers"),
        ("toolbox", "[tasks]\n", "did you mean 'task'"),
        ("toolbox", "[task\n", "not TOML"),
        ("toolbox", '[task]\n[[task.question]]\nid = "q"\n', "text"),
    ],
)
def test_files_that_do_not_fit(say: Walk, name: str, content: str, says: str) -> None:
    Path("known.toml").write_text(content)
    Path("known.csv").write_text(content)
    suffix = "toml" if name == "toolbox" else "csv"
    assert says in say.refused(f"import ratings.csv --{name} known.{suffix}", "R")
    assert not Path("ratings.accordant").exists(), "nothing is left behind"


def test_one_coder_is_no_round(say: Walk) -> None:
    Path("ratings.csv").write_text("item,coder,label\ni1,A1,0\n")
    assert "only one coder" in say.refused("import ratings.csv", "R")


def test_one_way_differences_are_told(say: Walk) -> None:
    lines = [f"i{k},{coder},{label}\n" for k in range(8) for coder, label in (("A1", 0), ("A2", 1))]
    Path("ratings.csv").write_text("item,coder,label\n" + "".join(lines))
    Path("gold.csv").write_text("item,consensus\n" + "".join(f"i{k},1\n" for k in range(8)))
    done = say.run("import ratings.csv --consensus gold.csv", "R")
    assert "8 of 8 cases go the same way" in " ".join(done.stderr.split())


# ---------------------------------------------------------------- the toolbox as a file


def test_a_toolbox_there_and_back(say: Walk) -> None:
    say("new Letters", "R")
    for name in ("task", "guidelines", "concepts"):
        Path(f"{name}.toml").write_text(say(f"{name} --template", "R"))
    say("question Q?", "R")
    say("question --purpose 'ground truth'", "R")
    for coder in ("A1", "A2"):
        say(f"person {coder} --role coder", "R")
    say("go task", "R")
    say("task task.toml", "R")
    say("guidelines guidelines.toml", "R")
    say.all(("A1", "A2"), "sign-off guidelines")
    say("go alignment", "R")
    say("concepts concepts.toml", "R")
    for name in ("task", "guidelines", "concepts"):
        Path(f"{name}.toml").write_text(say(f"{name} --toml", "R"))
    assert "in force as it is" in say("concepts concepts.toml", "R")
    shown = json.loads(say("task -f json", "R"))
    assert [row["question"] for row in shown] == ["claim", "scope"]
    assert shown[1]["asked_if"] == "claim is yes"
