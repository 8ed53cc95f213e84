"""Several labels on the command line: the table of the paper, measures by name, notes."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from accordant.data import examples
from accordant.measure.measures import NAMED
from accordant.render.markdown import markdown
from accordant.views.report import report
from papers.tables import MARCHAL_2

Run = Callable[..., Result]

TABLE_2 = {name: tuple(printed) for name, *printed in MARCHAL_2.values()}
"""Marchal et al. (2022), Table 2: observed, expected, adjusted."""

KEYS = tuple(MARCHAL_2)

SENSES = """\
item,Ann,Bob
1,cause;contrast,cause
2,cause,cause
3,contrast,contrast;list
4,list,cause;list
5,cause,contrast
6,list,list
"""


@pytest.fixture
def case() -> str:
    """The case study of the paper."""
    return str(examples.path("marchal2022_case"))


@pytest.fixture
def senses(folder: Path) -> str:
    """Ann and Bob give up to two of three labels."""
    (folder / "senses.csv").write_text(SENSES)
    return "senses.csv"


def printed(result: Result) -> list[str]:
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines()


def as_json(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.stderr
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


def told(result: Result) -> str:
    """What was printed, as one line."""
    return " ".join("\n".join(printed(result)).split())


# ------------------------------------------------------------------ the table of the paper


def test_the_table_of_the_paper_on_the_terminal(run: Run, case: str) -> None:
    lines = printed(run("agreement", case, "-q"))
    head = next(line for line in lines if "observed" in line)
    assert head.split() == ["measure", "observed", "expected", "adjusted", "interval", "items"]
    for name, figures in TABLE_2.items():
        line = next(x for x in lines if x.strip().startswith(f"{name}  "))
        shown = line.replace(name, "", 1).split()
        assert tuple(round(float(x), 2) for x in shown[:3]) == figures, name
        assert all(re.fullmatch(r"\d\.\d{3}", x) for x in shown[:3])
        low, high = re.findall(r"\d\.\d+", line.partition("[")[2])
        assert float(low) < float(shown[2]) < float(high)
        assert shown[-1] == "884"


@pytest.mark.parametrize("form", ["json", "csv"])
def test_the_table_of_the_paper_for_programs(run: Run, case: str, form: str) -> None:
    result = run("agreement", case, "-c", ",".join(KEYS), "-f", form, "--separator", ";")
    rows = as_json(result) if form == "json" else list(csv.DictReader(io.StringIO(result.stdout)))
    found = [tuple(round(float(str(r[k])), 2) for k in ("observed", "expected", "value"))
             for r in rows]  # fmt: skip
    assert found == list(TABLE_2.values())


@pytest.mark.parametrize("form", ["md", "latex"])
def test_the_table_of_the_paper_for_papers(run: Run, case: str, form: str) -> None:
    text = run("agreement", case, "-f", form).stdout
    between = "&" if form == "latex" else "|"
    line = next(x for x in text.splitlines() if "boot-precision " in x and between in x)
    cells = [cell.strip() for cell in line.strip("| ").split(between)]
    assert tuple(round(float(x), 2) for x in cells[1:4]) == TABLE_2["boot-precision"]


def test_the_headline(run: Run, case: str) -> None:
    assert "884 items · 2 coders · 1,768 annotations · up to 2 of 19 labels" in told(
        run("agreement", case)
    )


# ------------------------------------------------------------------ notes


def test_precision_and_recall_say_whose(run: Run, senses: str) -> None:
    """Counted by hand: of Ann's labels Bob gave 1/2, 1, 1, 1, 0, 1; of Bob's Ann 1, 1, 1/2 …"""
    rows = as_json(run("agreement", senses, "-c", "boot_precision,boot_recall", "-f", "json"))
    assert rows[0]["observed"] == pytest.approx(4.5 / 6)
    assert rows[1]["observed"] == pytest.approx(4 / 6)
    text = told(run("agreement", senses))
    assert "precision: share of the labels of Ann that Bob gave too" in text
    assert "recall: share of the labels of Bob that Ann gave too" in text
    assert "recall" not in told(run("agreement", senses, "-c", "boot_precision"))


def test_warnings_stand_below_the_table(run: Run, senses: str) -> None:
    text = told(run("agreement", senses))
    assert text.count("usually too high") == 1
    assert "upper bound" not in text
    assert text.count("only equal sets agree") == 1
    assert "usually too high" not in told(run("agreement", senses, "-c", "boot_match"))


def test_notes_use_the_names_of_the_measures(run: Run, folder: Path) -> None:
    """Rows of one coefficient are told apart where they are undefined."""
    (folder / "same.csv").write_text("item,Ann,Bob\n" + "".join(f"{i},a;b,a;b\n" for i in range(5)))
    text = told(run("agreement", "same.csv", "--separator", ";"))
    assert "boot-match, boot-recall, boot-precision, boot-F1" in text
    assert "boot, boot" not in text
    assert "α, α" not in text


# ------------------------------------------------------------------ measures by name, weights


def test_measures_by_name(run: Run, senses: str) -> None:
    rows = as_json(run("agreement", senses, "-c", "boot_f1,alpha_masi", "-f", "json"))
    assert [(r["coefficient"], r["weights"]) for r in rows] == [("boot", "f1"), ("alpha", "masi")]
    lines = printed(run("agreement", senses, "-c", "boot_f1,alpha_masi"))
    assert [x.split("  ")[1].strip() for x in lines if x.startswith(("  boot", "  α"))] == [
        "boot-F1", "α (MASI)",
    ]  # fmt: skip


def test_weights_for_all(run: Run, senses: str) -> None:
    rows = as_json(run("agreement", senses, "-c", "alpha,kappa", "--weights", "masi", "-f", "json"))
    assert {r["weights"] for r in rows} == {"masi"}
    text = told(run("agreement", senses, "-c", "alpha,kappa", "--weights", "masi"))
    assert "α (MASI)" in text
    assert "κ (MASI)" in text


def test_a_name_keeps_its_letters(run: Run, senses: str) -> None:
    text = told(run("agreement", senses, "-c", "ac,s"))
    assert "AC1 of whole sets" in text
    assert "aC" not in text
    assert "AC2 (MASI)" in told(run("agreement", senses, "-c", "ac", "--weights", "masi"))


def test_advice_knows_what_was_measured(
    run: Run, senses: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Label draw may take long: it is not computed a second time for the lines below the table."""
    from accordant.diagnosis import facts

    again: list[object] = []
    measure = facts.measure
    monkeypatch.setattr(facts, "measure", lambda *a, **k: (again.append(a), measure(*a, **k))[1])
    assert "What to report" in told(run("agreement", senses))
    assert not again


def test_ranked_labels_are_weighted_by_rank(run: Run, senses: str) -> None:
    """By hand: votes 1 or (.6, .4); items agree by .6, 1, .6, .4, 0, 1."""
    words = ("-c", "kappa", "--ranked", "--weights", "divided-vote:0.6,0.4")
    (row,) = as_json(run("agreement", senses, *words, "-f", "json"))
    assert row["observed"] == pytest.approx(3.6 / 6)
    text = told(run("agreement", senses, *words))
    assert "augmented κ (0.6, 0.4)" in text
    assert "up to 2 of 3 labels · ranked" in text


@pytest.mark.parametrize(
    "words, told_so",
    [
        (("-c", "boot_macth"), "did you mean 'boot_match'?"),
        (("--weights", "jacard"), "did you mean 'jaccard'?"),
        (("--weights", "linear"), "sets of labels"),
        (("--ranked", "--weights", "divided-vote:half"), "divided-vote:0.6,0.4"),
    ],
)
def test_what_does_not_fit_is_told(
    run: Run, senses: str, words: tuple[str, ...], told_so: str
) -> None:
    result = run("agreement", senses, *words)
    assert result.exit_code == 1
    assert told_so in " ".join(result.stderr.split())


def test_simulation_has_its_own_error(run: Run, case: str) -> None:
    words = ("-c", "boot_match", "-f", "json")
    (exact,) = as_json(run("agreement", case, *words))
    simulated = ("--method", "simulation", "--simulations", "60", "--seed", "3")
    (found,) = as_json(run("agreement", case, *words, *simulated))
    (again,) = as_json(run("agreement", case, *words, *simulated))
    assert found == again
    assert exact["expected_error"] is None
    error = float(str(found["expected_error"]))
    assert 0 < error < 0.01
    assert abs(float(str(found["expected"])) - float(str(exact["expected"]))) < 4 * error
    text = told(run("agreement", case, *words[:2], *simulated))
    assert "from 60 simulations, with a standard error of" in text


# ------------------------------------------------------------------ other commands


def test_describe_shows_how_many_labels(run: Run, case: str, senses: str) -> None:
    rows = as_json(run("describe", case, "--by", "size", "-f", "json"))
    shares = {r["coder"]: round(100 * float(str(r["share_2"])), 1) for r in rows}
    assert (shares["c1"], shares["c2"]) == (11.4, 65.5)
    lines = printed(run("describe", senses))
    line = next(x for x in lines if "2 labels" in x)
    assert line.split()[0] == "coder"
    assert any(x.split() == ["Ann", "6", "1.17", "83.3", "%", "16.7", "%"]
               for x in (y.replace("\xa0", " ") for y in lines))  # fmt: skip


def test_describe_of_single_labels_has_no_sizes(run: Run) -> None:
    text = told(run("describe", "ratings.csv"))
    assert "1 label" not in text
    assert "label annotations share" in text
    for by in ("question", "coder", "label"):
        (row, *_) = as_json(run("describe", "ratings.csv", "--by", by, "-f", "json"))
        assert not {"mean_labels", "share_of_annotations"} & set(row)


def test_describe_says_of_what_a_share_is(run: Run, senses: str) -> None:
    """Ann gives 7 labels in 6 annotations, 3 of them “cause”; Bob 8, 3 of them."""
    text = told(run("describe", senses))
    assert "label times of all labels of annotations" in text
    assert "coder annotations labels each" in text
    assert "share" not in text
    cause = as_json(run("describe", senses, "--by", "label", "-f", "json"))[0]
    assert (cause["label"], cause["n"]) == ("cause", 6)
    assert cause["share"] == pytest.approx(6 / 15)
    assert cause["share_of_annotations"] == pytest.approx(6 / 12)
    ann, bob = as_json(run("describe", senses, "--by", "coder", "-f", "json"))
    assert [ann["mean_labels"], bob["mean_labels"]] == pytest.approx([7 / 6, 8 / 6])
    assert [ann["share_2"], bob["share_2"]] == pytest.approx([1 / 6, 2 / 6])
    (whole,) = as_json(run("describe", senses, "-f", "json"))
    assert whole["mean_labels"] == pytest.approx(15 / 12)


def test_every_measure_is_listed(run: Run) -> None:
    text = told(run("coefficients"))
    rows = {r["coefficient"]: r for r in as_json(run("coefficients", "-f", "json"))}
    for key, (_, weights, name) in NAMED.items():
        assert key in text
        assert name in text
        assert rows[key]["weights"] == weights
        assert rows[key]["name"] == name
    one = told(run("coefficients", "augmented"))
    assert "Rosenberg" in one
    assert "-c augmented" in one
    assert "\\" not in text


def test_a_comparison_names_the_measures(run: Run, senses: str, folder: Path) -> None:
    (folder / "second.csv").write_text(SENSES.replace("cause,contrast\n", "cause,cause\n"))
    text = told(run("compare", senses, "second.csv"))
    for name in ("boot-match", "boot-F1", "augmented κ", "α (MASI)", "κ of whole sets"):
        assert name in text


def test_what_is_hard_to_compare_is_told(run: Run, senses: str, folder: Path) -> None:
    single = SENSES.replace("cause;contrast", "cause").replace("contrast;list", "list")
    (folder / "single.csv").write_text(single.replace("cause;list", "other"))
    (folder / "joined.csv").write_text(SENSES.replace("cause;list", "cause/list"))

    def warned(*words: str) -> str:
        result = run("compare", *words, "-c", "alpha_masi", "-q")
        assert result.exit_code == 0, result.stderr
        return " ".join(result.stderr.split())

    assert "senses.csv holds sets of labels and single.csv single labels" in warned(
        senses, "single.csv"
    )
    assert "senses.csv holds sets of labels and single.csv single labels" in warned(
        "single.csv", senses
    )
    assert warned(senses, senses) == warned(senses, "joined.csv") == ""
    text = " ".join(run("compare", senses, "joined.csv", "-c", "alpha").stderr.split())
    assert "a category differs: “cause/list” only in joined.csv" in text


def test_a_report_speaks_of_options(run: Run, senses: str, folder: Path) -> None:
    """Python's keywords would help nobody who typed a command."""
    assert run("report", senses, "-o", "senses.md").exit_code == 0
    text = (folder / "senses.md").read_text().replace("\\", "")
    assert "say --max-labels 1 if they are one label" in text
    assert "max_labels=1" not in text
    of_python = markdown(report(folder / senses)).replace("\\", "")
    assert "say max_labels=1 if they are one label" in of_python


def test_a_report_of_sets(run: Run, senses: str, folder: Path) -> None:
    result = run("report", senses, "-o", "senses.html", "-o", "senses.json")
    assert result.exit_code == 0, result.stderr
    assert "boot-match" in result.stdout
    keys = [s["key"] for s in json.loads((folder / "senses.json").read_text())["sections"]]
    assert {"sizes", "final"} <= set(keys)


@pytest.mark.parametrize("columns", [70, 80, 120])
def test_lines_fit(run: Run, case: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in (["agreement", case], ["describe", case], ["coefficients"]):
        lines = run(*words, "-q").stdout.splitlines() if words[1:] else printed(run(*words))
        assert max(map(len, lines)) <= columns
