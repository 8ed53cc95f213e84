"""`accordant diagnose` without --show: what stands at the top, what to settle, where to look."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import accordant as ac
from accordant.data import examples
from accordant.diagnosis.finding import SEPARATOR

Run = Callable[..., Result]

VISITORS = str(examples.path("visitors"))
HOEK = str(examples.path("hoek2017_table4"))


def told(run: Run, *words: str) -> str:
    result = run("diagnose", *words, "-q")
    assert result.exit_code == 0, result.stderr
    return str(result.stdout)


def plain(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def questions(up: int, down: int, n: int = 40) -> str:
    """Two coders and three questions: one constant, two with differences mostly one way."""
    lines = ["item,question,coder,label"]
    for i in range(n):
        for q in ("q1", "q2"):
            first = second = "yes" if (i < n // 2) == (q == "q1") else "no"
            if i % 10 < up:
                first, second = "no", "yes"
            elif i % 10 < up + down:
                first, second = "yes", "no"
            lines += [f"{i},{q},ann,{first}", f"{i},{q},bob,{second}"]
        lines += [f"{i},all,ann,no", f"{i},all,bob,no"]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ what stands at the top


def test_what_is_so_of_all_questions_comes_first(run: Run, folder: Path) -> None:
    (folder / "q.csv").write_text(questions(3, 0))
    text = told(run, "q.csv")
    found = ac.diagnose("q.csv")
    about = [f for f in found.about_all if f.severity != "note"]
    assert {"pooled_hides_undefined", "one_direction"} <= {f.code for f in about}
    top = plain(text[: text.index("question q1 ·")])
    for finding in about:
        assert plain(finding.sentence) in top
        assert finding.title in top
    assert found.about_all[-1].severity != "note" or found.about_all[-1].title not in text


def test_problems_stand_with_their_question(run: Run, folder: Path) -> None:
    (folder / "q.csv").write_text(questions(3, 0))
    text = told(run, "q.csv")
    own = text[text.index("question all ·") :]
    assert "Everybody gave the same label" in own
    assert "nothing to explain" not in own  # said already
    n = len([f for f in ac.diagnose("q.csv").findings if f.severity != "note"])
    assert f"--show findings: {n} " not in text


def test_one_question_has_no_heading_of_all(run: Run) -> None:
    assert "all questions" not in told(run, "ratings.csv")


def test_numbers_without_a_scale_come_first(run: Run, folder: Path) -> None:
    text = plain(told(run, VISITORS))
    mood = text[text.index("question mood ·") :]
    assert "--scale mood=ordinal" in mood[: mood.index("pair of neighbours")]
    assert "Before all else" not in text, "the first pattern says it"
    random = np.random.default_rng(1)
    lines = ["item,coder,label"]
    for i, right in enumerate(random.integers(1, 6, size=200).tolist()):
        near = (random.random(3) < 0.3) * random.choice([-1, 1], size=3)
        given = [*np.clip(right + near, 1, 5).tolist(), int(random.integers(1, 6))]
        lines += [f"{i},{coder},{label}" for coder, label in zip("abcd", given, strict=True)]
    (folder / "apart.csv").write_text("\n".join(lines) + "\n")
    text = told(run, "apart.csv")
    assert text.index("--scale ordinal") < text.index("1. The labels of “d”")
    assert "Before all else" not in told(run, "apart.csv", "--scale", "ordinal")


def test_numbers_that_are_not_neighbours(run: Run, folder: Path) -> None:
    """1 and 3 are confused, and 2 lies between them."""
    for categories, first in (("1,3,2,4", False), ("1,2,3,4", True)):
        words = ("--categories", categories, "-o", "far.csv", "--seed", "3", "--force")
        assert run("simulate", "cause", "confused_pair", *words).exit_code == 0
        assert ("Before all else" in told(run, "far.csv")) == first


# ------------------------------------------------------------------ what to settle


def test_the_best_of_each_other_kind(run: Run) -> None:
    text = plain(told(run, VISITORS))
    part = ac.diagnose(VISITORS)["topic"]
    for kind in ("coder", "category"):
        step = part.levers.of_kind(kind)[0]
        assert f"{kind} {step.name}: α {step.after:.3f} ({step.n_items} items)" in text
    assert "ceiling" in text
    assert "what stands above it settled too" in text


def test_two_categories_are_no_choice(run: Run, folder: Path) -> None:
    lines = "".join(f"{i},{'xy'[i % 2]},{'xxyyy'[i % 5]}\n" for i in range(30))
    (folder / "two.csv").write_text("item,a,b\n" + lines)
    text = told(run, "two.csv")
    assert "1.000" not in text
    assert "--show levers" not in text
    assert "--cell x y" in text


def test_no_hint_where_nothing_can_be_settled(run: Run) -> None:
    text = told(run, HOEK)
    assert "--show levers" not in text
    assert "--cell" not in text, "the items of a table have no names"
    assert "--show confusion" in text


def test_levers_without_a_coefficient_have_no_legend(run: Run, folder: Path) -> None:
    (folder / "one.csv").write_text("item,a,b\n1,x,x\n2,x,x\n")
    text = told(run, "one.csv", "--show", "levers")
    assert "undefined" in text
    assert "then" not in text
    (folder / "same.csv").write_text("item,a,b\n1,x,x\n2,y,y\n")
    assert "nothing to settle" in told(run, "same.csv", "--show", "levers")


def test_diffuse_disagreement_is_not_called_harmless(
    run: Run, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    from accordant.cli import why
    from accordant.diagnosis.diagnose import Part
    from accordant.diagnosis.finding import Finding

    note = Finding("one_way", "note", "This is so.", "Do that.", title="A small thing")
    monkeypatch.setattr(Part, "patterns", property(lambda self: (note,)))
    bad = ac.simulate_cause("none", correct=0.7, seed=1)
    good = ac.simulate_cause("none", correct=0.98, seed=1)
    assert "spread" in why._little(ac.diagnose(bad).pooled)
    assert why._little(ac.diagnose(good).pooled) == "Nothing is both certain and moves α much"


# ------------------------------------------------------------------ crowds


def crowd(folder: Path) -> str:
    rows = [f"{i},w{c},{'b' if c == i % 24 else 'a'}" for i in range(30) for c in range(24)]
    (folder / "crowd.csv").write_text("\n".join(["item,coder,label", *rows]) + "\n")
    return "crowd.csv"


@pytest.mark.parametrize("words", [("--show", "items"), ("--cell", "a", "b")])
def test_a_crowd_is_told_in_short(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    text = plain(told(run, crowd(folder), *words))
    assert "23 gave a; w0 gave b" in text
    rows = json.loads(run("diagnose", "crowd.csv", *words, "-q", "-f", "json").stdout)
    assert rows[0]["labels"].count(": ") == 24  # programs have all


# ------------------------------------------------------------------ findings for programs


PAIR = ("simulate", "cause", "confused_pair", "-o", "pair.csv", "--seed", "1", "--coders", "3")


def test_findings_in_json_have_what_is_behind_them(run: Run) -> None:
    assert run(*PAIR).exit_code == 0
    rows = json.loads(run("diagnose", "pair.csv", "-q", "-f", "json").stdout)
    assert rows == json.loads(ac.diagnose("pair.csv").to_json())
    assert len({tuple(row) for row in rows}) == 1
    pair = next(row for row in rows if row["code"] == "confused_pair")
    assert pair["evidence"]["first"] == "A"
    assert pair["categories"] == ["A", "B"]
    assert pair["seen"]["headings"]["name"] == "pair of categories"
    assert set(pair["seen"]["lines"][0]) == {"name", "n", "share", "other"}
    assert len(pair["items"]) > 5
    given: dict[str, set[str]] = {str(item): set() for item in pair["items"]}
    for line in Path("pair.csv").read_text().splitlines()[1:]:
        item, _, label = line.split(",")[:3]
        if item in given:
            given[item].add(label)
    assert all(labels >= {"A", "B"} for labels in given.values())
    trap = next(row for row in rows if row["seen"] is None)
    assert (trap["seen"], trap["items"]) == (None, [])


def test_items_by_name_are_those_of_the_positions() -> None:
    part = ac.diagnose(VISITORS)["topic"]
    seen = part.patterns[0].seen
    assert seen is not None
    assert [x.item for x in part.items.named(np.array(seen.items))] == list(seen.names)


def test_findings_in_a_table_are_flat(run: Run) -> None:
    text = run("diagnose", VISITORS, "-q", "-f", "csv").stdout
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == [
        "question", "severity", "code", "title", "stake", "remedy", "coder", "categories", "n",
        "p_value", "items", "sentence", "advice", "sources",
    ]  # fmt: skip
    coder = next(row for row in rows if row["code"] == "coder_apart")
    assert coder["coder"] == "Deniz"
    assert int(coder["n"]) == 109
    assert len(coder["items"].split(SEPARATOR)) == 5
    assert 0 < float(coder["p_value"]) < 0.01
    assert all(row["title"] for row in rows)
    assert run(*PAIR).exit_code == 0
    text = run("diagnose", "pair.csv", "-q", "-f", "csv").stdout
    pair = next(x for x in csv.DictReader(io.StringIO(text)) if x["code"] == "confused_pair")
    assert pair["categories"] == "A; B"


def test_every_cause_can_be_written_as_json() -> None:
    for cause in ("confused_pair", "biased_coder", "ambiguous_group", "drift"):
        found = ac.diagnose(ac.simulate_cause(cause, seed=1))
        rows = json.loads(found.to_json())
        assert [row["code"] for row in rows] == [f.code for f in found.findings]
        assert json.loads(found.findings[0].to_json())["evidence"] == rows[0]["evidence"]
    assert rows[0]["items"], "items that are numbered have numbers as names"
    assert all(isinstance(item, int) for item in rows[0]["items"])


# ------------------------------------------------------------------ names that are not there


def test_a_crowd_is_not_listed_in_an_error(run: Run, folder: Path) -> None:
    crowd(folder)
    for words in (["--gold", "gold"], ["--of", "gold"]):
        said = run("diagnose", "crowd.csv", *words, "-q").stderr
        assert "w0, w1, w2, w3, w4 and 19 more" in said
        assert "w7" not in said
    assert "did you mean 'w23'" in run("diagnose", "crowd.csv", "--of", "W23", "-q").stderr


def test_how_to_give_right_labels(run: Run, folder: Path) -> None:
    assert "--coder" in run("diagnose", "ratings.csv", "--gold", "gold", "-q").stderr
    (folder / "rows.csv").write_text("item,coder,label\n1,a,x\n1,gold,x\n2,a,x\n2,gold,y\n")
    (folder / "columns.csv").write_text("item,a,b,gold\n1,x,x,x\n2,x,x,y\n3,y,y,y\n")
    for name, rows in (("a", "1,x\n2,x\n"), ("b", "1,x\n2,y\n"), ("right", "1,x\n2,y\n")):
        (folder / f"{name}.csv").write_text("item,label\n" + rows)
    for words in (
        ["rows.csv", "--gold", "gold"],
        ["columns.csv", "--coder", "a", "--coder", "b", "--coder", "gold", "--gold", "gold"],
        ["a.csv", "b.csv", "right.csv", "--gold", "right"],
    ):
        assert f"right is what {words[-1]} gave" in told(run, *words, "--show", "scores")


def test_a_label_that_is_not_there_beside_one_that_is(run: Run) -> None:
    said = run("diagnose", VISITORS, "--cell", "children", "nix", "-q").stderr
    assert "no label 'nix'" in said
    assert "staff" in said
    assert "5" not in said
    assert "did you mean 'children'" in run(
        "diagnose", VISITORS, "--cell", "chidren", "staff", "-q"
    ).stderr  # fmt: skip
