"""`accordant decompose`: the whole answer, one partition, its items, every format, what goes wrong."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import Result

from accordant.cli import dividing
from accordant.cli.commands import decompose as command
from accordant.cli.output import FORMATS
from accordant.cli.terminal import spoken
from accordant.data import examples
from accordant.decomposition import call, decompositions, exploring, printing
from accordant.decomposition.call import decompose

Run = Callable[..., Result]

NEAT = (str(examples.path("levi2022_neat")),)
VISITORS = str(examples.path("visitors"))


def shown(run: Run, *words: str) -> str:
    result = run("decompose", *words, "-q")
    assert result.exit_code == 0, result.stderr
    return result.stdout


def rows(run: Run, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(shown(run, *words, "-f", "json"))
    return found


def plain(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


# ------------------------------------------------------------------ searched


def test_the_whole_answer(run: Run) -> None:
    text = shown(run, *NEAT, "-n", "3")
    assert "2,209 items with two annotations · 2 pairs of coders · 8 values" in text
    head = next(line for line in text.splitlines() if "level 1 asks" in line)
    assert head.split("  ")[1:] == [
        "level 1 asks", "", "", " level 1", "level 2", "explained", "by slips", "beyond slips",
        "top 10",
    ]  # fmt: skip
    (first,) = [line for line in text.splitlines() if line.startswith("  no label, or all")]
    assert first.split()[-6:-3] == ["0.845", "0.583", "0.526"]
    told = plain(text)
    assert "by slips: what it would separate if each label were mistaken independently" in told
    assert "all 127 bipartitions of 8 values were scored" in told
    assert "top 10: in which it is among the best ten of 127 by beyond slips" in told
    assert "no room for: first (-f csv has all)" in told
    assert "ranked by beyond_slips" not in told  # the columns say so
    assert "--by 'no label, or all labels, or Resolution without Complication'" in told
    assert max(map(len, lines_of_tables(text))) <= 80


def lines_of_tables(text: str) -> list[str]:
    """Without the command to copy, which is one line."""
    return [line for line in text.splitlines() if not line.startswith("  accordant ")]


def test_more_columns_where_they_fit(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def heading(width: int) -> str:
        monkeypatch.setattr("accordant.cli.terminal.width", lambda: width)
        text = shown(run, *NEAT, "-n", "2", "--resamples", "10")
        return next(line for line in text.splitlines() if "level 1 asks" in line)

    assert "first" not in heading(80)
    assert "first" in heading(90)
    assert "interval" not in heading(110)
    wide = heading(200)
    assert wide.count("interval") == 2
    assert "Complication" in wide
    assert "gain" in wide


@pytest.mark.parametrize("width", [60, 80, 100, 120])
@pytest.mark.parametrize(
    "words",
    [(), ("--by", "any label"), ("--by", "Success"), ("--by", "any label", "--by", "Success"),
     ("--by", "any label", "--then", "number of labels"), ("--rank", "lift"), ("--rank", "gain"),
     ("-c", "alpha", "--rank", "information")],
    ids=" ".join,
)  # fmt: skip
def test_no_number_or_heading_is_broken(
    run: Run, monkeypatch: pytest.MonkeyPatch, width: int, words: tuple[str, ...]
) -> None:
    """Below a heading every line is whole: numbers with three decimals, or percent."""
    monkeypatch.setattr("accordant.cli.terminal.width", lambda: width)
    text = shown(run, *NEAT, *words, "-n", "4", "--resamples", "10")
    assert max(map(len, lines_of_tables(text))) <= width
    for table in text.split("─\n")[1:]:
        for line in table.split("\n\n")[0].splitlines():
            line = line.replace(" *", "").replace("\N{NO-BREAK SPACE}%", "%")
            cells = re.split(" {2,}", line.strip())
            if len(cells) > 1 and not re.fullmatch(r"[−\d.,%\[\]<\s—]*", cells[0]):
                cells = cells[1:]
            number = r"−?\d\.\d{3}|[\d,]+|\d+\.\d%|—|\[.*\]"
            assert len(cells) == 1 or all(re.fullmatch(number, x) for x in cells if x), line


def test_what_is_1_by_construction_is_marked(run: Run) -> None:
    text = shown(run, *NEAT, "--by", "Success")
    lines = {
        line.split("  ")[1].strip(): line.split()[1:] for line in text.splitlines() if "  " in line
    }
    assert lines["Success"][:4] == ["1.000", "1.000", "1.000", "*"]
    assert lines["mean"][-2] + lines["mean"][-1] == "[0.797,0.830]"
    row = rows(run, *NEAT, "--by", "Success")[0]
    left = (row["Complication"] + row["Resolution"]) / 2
    (line,) = [line for line in text.splitlines() if line.startswith("  left open")]
    assert f"{left:.3f}" in line
    assert "so that level 2 on it is 1 by construction" in plain(text)
    table = plain(shown(run, *NEAT, "--by", "Success", "--by", "any label", "--resamples", "0"))
    assert f"{row['second']:.3f} * {left:.3f}" in table
    assert "left open: the mean of the other labels" in table


def test_what_is_simple_is_one_sentence(run: Run, tmp_path: Path) -> None:
    simple = tmp_path / "simple.csv"
    simple.write_text("item,coder,q,r\n1,A,a,x\n1,B,b,x\n2,A,a,y\n2,B,a,y\n3,A,b,z\n3,B,b,z\n")
    text = shown(run, str(simple), "--label", "q", "--label", "r")
    assert plain(text) == (
        "q: 3 items, κ 0.400: there are two values, so there is nothing to take apart "
        "r: 3 items, κ 1.000: the coders agree on every item, so there is nothing to take apart"
    )
    each = rows(run, str(simple), "--label", "q", "--label", "r")
    assert [row["question"] for row in each] == ["q", "r", "r", "r"]  # a program gets all
    only = shown(run, str(simple), "--label", "q", "--by", "a", "--list", "1")
    assert "A: a, B: b" in only


# ------------------------------------------------------------------ what to type next

LONG = "item,A,B\n" + "".join(
    f"{i},{';'.join(f'l{j}' for j in range(9) if (i * 7 + j * j) % 5 < 2)},"
    f"{';'.join(f'l{j}' for j in range(9) if (i * 3 + j * j) % 5 < 2)}\n"
    for i in range(60)
)  # fmt: skip
ODD = "it em|who|what it is\n" + "".join(
    f"{i}|{who}|{label}\n"
    for i in range(12)
    for who, label in (("Ann B", "x,y z"[: i % 4 + 1]), ("it's", "x,y z"[: i % 5]))
)
TWO = "item,coder,b,q 2\n" + "".join(
    f"{i},{who},{(i * k) % 3},{(i + k * i) % 4}\n" for i in range(12) for k, who in enumerate("AB")
)
HOT = "item,coder,a,b,c\n" + "".join(
    f"{i},{who},{i % 2},{(i + k) % 3 // 2},{(i * k) % 2}\n"
    for i in range(12)
    for k, who in enumerate(("A", "B"))
)


@pytest.mark.parametrize(
    "name, text, words",
    [
        ("long list.csv", LONG, ("--separator", ";", "--blank", "empty")),
        ("odd.txt", ODD, ("--delimiter", "|", "--item", "it em", "--coder", "who", "--label",
                          "what it is", "--max-labels", "1", "-c", "pi", "--rank", "explained")),
        ("hot.csv", HOT, ("--layout", "onehot", "--rank", "first", "--level", "0.9")),
        ("hot.csv", HOT, ("--layout=onehot", "--by", "any label", "--only-coder", "A",
                          "--only-coder", "B", "--items", "complete")),
        ("two.csv", TWO, ("--label", "b", "--label", "q 2", "--scale", "q 2=ordinal", "--scale",
                          "b=nominal", "--by", "0 or 3")),
        ("more.csv", "item,A,B\n" + "".join(f"{i},--{i % 5},--{i % 4}\n" for i in range(20)),
         ("--scale", "nominal", "--missing", "--0", "--no-header")),
    ],
    ids=["separator", "columns", "layout", "named", "questions", "dashes"],
)  # fmt: skip
def test_what_is_printed_can_be_typed(
    run: Run, tmp_path: Path, name: str, text: str, words: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(text)
    seen = 0
    command: list[str] = ["decompose", name, *words, "--resamples", "5"]
    while command:
        found = run(*command, "-q")
        assert found.exit_code == 0, (command, found.stderr)
        typed = [line for line in found.stdout.splitlines() if line.startswith("  accordant ")]
        command = shlex.split(typed[0])[1:] if typed else []
        seen += bool(typed)
    assert seen == (1 if "--by" in words else 2)


def test_the_next_command_means_the_same_partition(run: Run) -> None:
    """What is suggested where the display is cut divides as the first row does."""
    case = str(examples.path("marchal2022_case"))
    words = (case, "--separator", ";", "--search", "local", "-n", "1", "--resamples", "0")
    (first,) = rows(run, *words)
    text = shown(run, *words)
    (typed,) = [line for line in text.splitlines() if line.startswith("  accordant ")]
    (again,) = rows(run, *shlex.split(typed)[2:], "--resamples", "0")
    assert {again["side_0"], again["side_1"]} == {first["side_0"], first["side_1"]}
    assert " more" not in first["rule"]


def test_the_same_as_in_python(run: Run) -> None:
    own = rows(run, *NEAT, "-n", "4", "--rank", "gain", "--resamples", "20", "--seed", "5")
    data = examples.load("levi2022_neat")
    other = decompose(data, most=4, rank="gain", n_resamples=20, rng=5)
    assert own == json.loads(other.to_json())


def test_questions_stand_apart(run: Run) -> None:
    text = shown(run, VISITORS, "-n", "2", "--resamples", "10", "--scale", "mood=ordinal")
    assert text.index("question topic") < text.index("question mood")
    assert "by slips" not in text  # categories have no labels that slip
    assert "the scale is ordinal" in plain(text)
    assert "--only-question topic --by" in plain(text)
    assert {row["question"] for row in rows(run, VISITORS, "-n", "2")} == {"topic", "mood"}


def test_a_search_that_is_not_exhaustive_says_so(run: Run) -> None:
    case = str(examples.path("marchal2022_case"))
    text = plain(shown(run, case, "--separator", ";", "-n", "3", "--resamples", "10"))
    assert "not exhaustive: 2,077 bipartitions with a short rule" in text
    assert "(--search local lists its like)" in text
    assert "their means leave them out" in text or "left out of the means" in text


# ------------------------------------------------------------------ named


def test_one_partition(run: Run) -> None:
    text = shown(run, *NEAT, "--by", "any label")
    lines = {line.split("  ")[1].strip(): line for line in text.splitlines() if line.strip()}
    assert lines["A1 × A2"].split()[3] == "0.707"
    assert "[0.664, 0.750]" in text
    assert "Success" in text
    told = plain(text)
    assert "coders differ on level 1 on 296 of 2,209 items, and on level 2 only on 278" in told
    assert "level 1 explains 0.515 [0.475, 0.556] of the disagreement" in told
    assert "independent slips in the labels would give 0.520: beyond slips −0.005 [" in told
    assert "of all 127 bipartitions by beyond slips" in told
    assert "0.498 of all slips in one label" in told
    assert "%" not in told.replace("% of the resamples", "")
    assert "--by 'any label' --list 2" in told


def test_one_pair_is_its_own_mean(run: Run) -> None:
    text = shown(run, *NEAT, "--by", "any label", "--only-coder", "A1", "--only-coder", "A2")
    assert text.count("A1 × A2") == 1
    assert "mean " in text  # of the labels


def test_several_partitions_beside_each_other(run: Run) -> None:
    text = shown(run, *NEAT, "--by", "any label", "--by", "Resolution without Complication")
    assert "2 partitions named" in plain(text)
    table = rows(run, *NEAT, "--by", "any label", "--by", "exactly one label", "--rank", "excess")
    assert [row["rank"] for row in table] == [102, 3]


def test_deeper_levels(run: Run) -> None:
    words = (*NEAT, "--by", "any label", "--then", "number of labels")
    text = shown(run, *words)
    assert [x for x in ("any label", "number of labels", "which value") if x in text][2:]
    told = plain(text)
    assert "any label 0.696 0.696 2,209" in told  # over all items, and among those agreed before
    assert "number of labels 0.372 0.800 1,913" in told
    assert "which value 0.848 0.965 1,676" in told
    assert "κ over all: 1 − observed over expected" in told
    assert "κ among agreed: on what the level asks, among the items on which two" in told
    assert "make up the κ of 0.647 on whole sets" in told
    assert "by slips: its share if each label" in told
    table = rows(run, *words)
    assert [row["rule"] for row in table] == ["any label", "number of labels", "which value"]
    assert sum(row["explained"] for row in table) == pytest.approx(1)


def test_items_are_listed_with_texts(run: Run) -> None:
    words = (VISITORS, "--only-question", "topic", "--by", "staff or café")
    text = shown(run, *words, "--list", "1", "-n", "3")
    assert "on which coders differ on level 1" in text
    assert "Ada: " in text
    assert "more: --most" in text
    table = rows(run, *words, "--list", "2")
    data = examples.load("visitors").of_question("topic")
    items = decompose(data, by="staff or café")[0].items(2)
    assert [row["item"] for row in table] == [item.item for item in items]
    assert all(row["text"] and row["level"] == 2 for row in table)


def test_all_coders_at_once(run: Run) -> None:
    words = (*NEAT, "--by", "any label", "--over", "all", "-c", "alpha_masi")
    assert rows(run, *words)[0]["second"] == pytest.approx(0.849, abs=5e-4)
    assert "all coders" in shown(run, *words)


# ------------------------------------------------------------------ formats and options


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "words",
    [("-n", "2"), ("--by", "parity"), ("--by", "parity", "--list", "2"),
     ("--by", "any label", "--then", "number of labels"), ("--rounding", "levi2022", "-n", "2")],
    ids=["searched", "named", "items", "levels", "rounded"],
)  # fmt: skip
def test_every_format(run: Run, form: str, words: tuple[str, ...]) -> None:
    text = shown(run, *NEAT, *words, "--resamples", "5", "-f", form)
    assert text.strip()
    if form == "csv":
        found = list(csv.reader(io.StringIO(text)))
        assert len({len(row) for row in found}) == 1
    if form == "json":
        assert json.loads(text)


def test_the_printed_tables_are_shown_as_printed(run: Run) -> None:
    text = shown(run, *NEAT, "--rounding", "levi2022", "--rank", "first", "-n", "1")
    (first,) = [line for line in text.splitlines() if line.startswith("  101 ")]
    assert first.split()[2:] == ["0.35", "0.80", "0.66", "0.72", "0.72"]
    table = shown(run, *NEAT, "--rounding", "levi2022", "--by", "any label")
    (mean,) = [line for line in table.splitlines() if line.startswith("  mean")]
    assert mean.split()[1:] == ["0.70", "0.91", "0.75", "0.82", "0.83"]


def test_choices_are_those_of_the_library() -> None:
    assert dividing.RANKS == exploring.RANKS == get_args(call.Rank)
    assert dividing.SEARCHES == exploring.SEARCHES
    assert dividing.ROUNDINGS == printing.ROUNDINGS


def test_messages_name_options() -> None:
    assert (
        spoken("choose search='local' or name it with by=")
        == "choose --search local or name it with --by"
    )
    assert spoken("add over='all'") == "add --over all"


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize(
    "words, code, said",
    [
        (("--by", "Suspense"), 1, "rule 'Suspense'"),
        (("--by", "a, b or 2 more"), 1, "was cut to be shown"),
        (("-c", "kapa"), 1, "did you mean 'kappa'"),
        (("-c", "alpha_masi"), 1, "add --over all and name a partition with --by"),
        (("--over", "all"), 1, "--over all needs a partition"),
        (("--then", "any label"), 2, "--then RULE goes with one --by RULE"),
        (("--by", "parity", "--then", "any label", "--rounding", "levi2022"), 2, "leave --then out"),
        (("--list", "1"), 2, "--list goes with one --by RULE"),
        (("--rank", "best"), 2, "'best' is not one of"),
        (("--minimum-share", "2"), 2, "0<=x<=0.5"),
        (("--level", "3"), 1, "between 0 and 1, not 3"),
    ],
)  # fmt: skip
def test_one_clear_message(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    result = run("decompose", *NEAT, *words, "-q")
    assert result.exit_code == code
    assert said in plain(result.stderr)
    assert "Traceback" not in result.stderr
    assert "defect" not in result.stderr


def test_a_rule_is_for_the_questions_that_it_fits(run: Run) -> None:
    text = plain(shown(run, VISITORS, "--by", "staff or café", "--resamples", "5"))
    assert "question topic" in text
    assert "mood: left out, rule 'staff or café': 'staff'" in text
    assert {row["question"] for row in rows(run, VISITORS, "--by", "staff or café")} == {"topic"}
    both = rows(run, VISITORS, "--by", "staff or café", "--by", "1 or 2", "--resamples", "0")
    assert [(row["question"], row["rule"]) for row in both] == [
        ("topic", "staff or café"), ("mood", "1 or 2"),
    ]  # fmt: skip
    result = run("decompose", VISITORS, "--by", "staff", "--by", "stafff", "-q")
    assert result.exit_code == 1
    assert "did you mean 'staff'?" in plain(result.stderr)


def test_errors_of_one_question_name_options(run: Run) -> None:
    assert spoken("take one question with of_question before") == (
        "take one question with --only-question before"
    )


def test_what_looks_like_sets_in_0_and_1_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "hot.csv").write_text(HOT)
    (tmp_path / "bits.csv").write_text("item,A,B\n1,000,011\n2,101,101\n3,011,011\n4,000,000\n")
    for words in ((), ("--by", "any label"), ("--by", "c")):
        found = run("decompose", "hot.csv", *words, "--label", "a", "--label", "b", "--label", "c")
        assert "with --layout onehot" in plain(found.stdout + found.stderr), words
        found = run("decompose", "bits.csv", *words)
        assert "values such as '000' may be sets of labels" in plain(found.stdout + found.stderr)
    read = run("decompose", "hot.csv", "--layout", "onehot", "--by", "any label")
    assert read.exit_code == 0
    assert "onehot" not in read.stdout.split("items behind")[0]


def test_an_interrupted_search_ends_cleanly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(call, "explore", stop)
    result = run("decompose", *NEAT)
    assert result.exit_code == 130
    assert "interrupted" in result.stderr


def test_ranking_is_worked_out_before_printing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resamples are drawn while progress is shown, and once."""
    drawn = []
    whole = decompositions.stability

    def counted(*given: Any, **options: Any) -> Any:
        drawn.append(options["n_resamples"])
        return whole(*given, **options)

    monkeypatch.setattr(decompositions, "stability", counted)
    shown(run, *NEAT, "-n", "2", "--resamples", "7")
    assert drawn == [7]
    assert command.decompose.name == "decompose"
