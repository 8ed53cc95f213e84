"""`accordant decompose`: the whole answer, one partition, its items, every format, what goes wrong."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
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
    assert head.split()[3:] == ["level", "1", "level", "2", "flips", "gain", "excess", "top", "10"]
    (first,) = [line for line in text.splitlines() if line.startswith("  odd number of labels")]
    assert first.split()[4:9] == ["0.548", "0.904", "1.000", "−0.016", "0.190"]
    told = plain(text)
    assert "a high level 2 is mostly that" in told
    assert "all 127 bipartitions of 8 values were scored" in told
    assert "resamples of the items in which it is among the best ten of the 127, by excess" in told
    assert "--by 'odd number of labels'" in told
    assert max(map(len, text.splitlines())) <= 80


def test_more_columns_where_they_fit(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def heading(width: int) -> str:
        monkeypatch.setattr("accordant.cli.terminal.width", lambda: width)
        text = shown(run, *NEAT, "-n", "2", "--resamples", "10")
        return next(line for line in text.splitlines() if "level 1 asks" in line)

    assert "explained" not in heading(80)
    assert "explained" in heading(110)
    assert "interval" not in heading(110)
    wide = heading(200)
    assert wide.count("interval") == 2
    assert "Complication" in wide


def test_the_same_as_in_python(run: Run) -> None:
    own = rows(run, *NEAT, "-n", "4", "--rank", "gain", "--resamples", "20", "--seed", "5")
    data = examples.load("levi2022_neat")
    other = decompose(data, most=4, rank="gain", n_resamples=20, rng=5)
    assert own == json.loads(other.to_json())


def test_questions_stand_apart(run: Run) -> None:
    text = shown(run, VISITORS, "-n", "2", "--resamples", "10", "--scale", "mood=ordinal")
    assert text.index("question topic") < text.index("question mood")
    assert "flips" not in text  # categories have no labels that slip
    assert "the scale is ordinal" in plain(text)
    assert "--only-question topic --by" in plain(text)
    assert {row["question"] for row in rows(run, VISITORS, "-n", "2")} == {"topic", "mood"}


def test_a_search_that_is_not_exhaustive_says_so(run: Run) -> None:
    case = str(examples.path("marchal2022_case"))
    text = plain(shown(run, case, "--separator", ";", "-n", "3", "--resamples", "10"))
    assert "not exhaustive: 2,077 bipartitions with a short rule" in text
    assert "(--search local)" in text
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
    assert "level 1 explains 51.5 % of the disagreement" in told
    assert "place 102 of all 127 bipartitions by excess" in told
    assert "49.8 % of all slips in one label" in told
    assert "--by 'any label' --list 2" in told


def test_one_pair_is_its_own_mean(run: Run) -> None:
    text = shown(run, *NEAT, "--by", "any label", "--only-coder", "A1", "--only-coder", "A2")
    assert text.count("A1 × A2") == 1
    assert "mean " in text  # of the labels


def test_several_partitions_beside_each_other(run: Run) -> None:
    text = shown(run, *NEAT, "--by", "any label", "--by", "Resolution without Complication")
    assert "2 partitions named" in plain(text)
    table = rows(run, *NEAT, "--by", "any label", "--by", "exactly one label")
    assert [row["rank"] for row in table] == [102, 3]


def test_deeper_levels(run: Run) -> None:
    words = (*NEAT, "--by", "any label", "--then", "number of labels")
    text = shown(run, *words)
    assert [x for x in ("any label", "number of labels", "which value") if x in text][2:]
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
        (("-c", "kapa"), 1, "did you mean 'kappa'"),
        (("-c", "alpha_masi"), 1, "add --over all and name a partition with --by"),
        (("--over", "all"), 1, "--over all needs a partition"),
        (("--then", "any label"), 2, "--then RULE goes with one --by RULE"),
        (("--by", "parity", "--then", "any label", "--rounding", "levi2022"), 2, "leave --then out"),
        (("--list", "1"), 2, "--list goes with one --by RULE"),
        (("--rank", "best"), 2, "'best' is not one of"),
        (("--minimum-share", "2"), 2, "0<=x<=0.5"),
        (("--level", "3"), 1, "level must lie between 0 and 1"),
    ],
)  # fmt: skip
def test_one_clear_message(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    result = run("decompose", *NEAT, *words, "-q")
    assert result.exit_code == code
    assert said in plain(result.stderr)
    assert "Traceback" not in result.stderr
    assert "defect" not in result.stderr


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
