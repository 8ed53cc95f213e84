"""`accordant simulate`: the numbers of `accordant.multilabel_study`, as table, page and picture."""

from __future__ import annotations

import csv
import inspect
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import click
import pytest
from accordant.cli.commands.simulate import SIMULATIONS, simulate
from accordant.cli.simulate import cause, multilabel
from accordant.cli.simulate.options import FURTHER
from click.testing import Result

import accordant as ac
from accordant.cli.group import Command
from accordant.cli.main import cli
from accordant.simulate import planted
from accordant.simulate.design import Further
from accordant.simulate.study import MultilabelStudy
from accordant.views.simulation import SUFFIXES

SAME = 1e-12  # two floats that were computed in different ways

Run = Callable[..., Result]
SMALL = ("--double", "0,0.5", "--agreement", "0.75", "--datasets", "8", "--seed", "3")


def study(**options: object) -> MultilabelStudy:
    given = {"double": [0, 0.5], "agreement": [0.75], "n_datasets": 8, "rng": 3} | options
    return ac.multilabel_study(**given)  # type: ignore[arg-type]


def part(name: str) -> Command:
    found = simulate.get_command(click.Context(simulate), name)
    assert isinstance(found, Command)
    return found


# ------------------------------------------------------------------ help


@pytest.mark.parametrize("name", SIMULATIONS)
def test_help(run: Run, name: str) -> None:
    result = run("simulate", name, "--help")
    assert result.exit_code == 0
    assert result.stdout.count("\n  accordant simulate ") >= 3
    assert max(map(len, result.stdout.splitlines())) <= 110
    for option in part(name).params:
        if isinstance(option, click.Option):
            assert option.help, option.name


@pytest.mark.parametrize("name", SIMULATIONS)
def test_examples_can_be_typed(folder: Path, name: str) -> None:
    import shlex

    for typed, _ in part(name).examples:
        words = shlex.split(typed)
        assert words[:3] == ["accordant", "simulate", name]
        part(name).make_context(name, words[3:])


def test_choices_are_those_of_the_library() -> None:
    assert get_args(Further) == FURTHER
    assert multilabel.SUFFIXES == SUFFIXES


# ------------------------------------------------------------------ the study


def test_json_and_csv_are_the_rows_of_python(run: Run) -> None:
    rows = json.loads(study().to_json())
    assert json.loads(run("simulate", "multilabel", *SMALL, "-f", "json").stdout) == rows
    cells = list(
        csv.DictReader(io.StringIO(run("simulate", "multilabel", *SMALL, "-f", "csv").stdout))
    )
    assert [float(c["value"]) for c in cells] == [r["value"] for r in rows]
    assert list(cells[0]) == list(rows[0])


def test_the_table(run: Run) -> None:
    text = run("simulate", "multilabel", *SMALL).stdout
    found = study()
    for cell in found:
        assert f"measure {cell.name}" in text
        assert f"{cell.value:.3f}" in text
    assert "expect more agreement by chance" in text
    assert found.signature in text


def test_every_option_arrives(run: Run) -> None:
    words = ("--categories", "a,b,c,d,e,f", "--items", "30", "--coders", "3", "--entropy", "1",
             "--further", "distribution", "--method", "simulation", "--simulations", "5",
             "-m", "boot_f1,augmented", "-m", "percent")  # fmt: skip
    wanted = study(
        names=["boot_f1", "augmented", "percent"], categories=list("abcdef"), n_items=30,
        n_coders=3, entropy=1.0, further="distribution", method="simulation", n_simulations=5,
    )  # fmt: skip
    found = run("simulate", "multilabel", *SMALL, *words, "-f", "json")
    assert json.loads(found.stdout) == json.loads(wanted.to_json())
    shares = run(
        "simulate", "multilabel", *SMALL, "--distribution", "0.4,0.3,0.2,0.1", "-f", "json"
    )
    wanted = study(distribution=[0.4, 0.3, 0.2, 0.1])
    assert json.loads(shares.stdout) == json.loads(wanted.to_json())


def test_files(run: Run, folder: Path) -> None:
    names = [f"study{suffix}" for suffix in SUFFIXES]
    result = run("simulate", "multilabel", *SMALL, *(w for n in names for w in ("-o", n)))
    assert result.exit_code == 0, result.stderr
    assert "augmented κ 0." not in result.stdout  # the numbers are in the files
    for name in names:
        assert (folder / name).stat().st_size > 1000
        assert f"written to {name}" in result.stderr
    assert (folder / "study.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "study.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "study.svg").read_text("utf-8").startswith("<svg")
    rows = json.loads((folder / "study.json").read_text("utf-8"))
    assert rows == json.loads(study().to_json())
    with (folder / "study.csv").open(encoding="utf-8") as lines:
        assert [float(r["expected"]) for r in csv.DictReader(lines)] == [
            r["expected"] for r in rows
        ]


def test_the_page_says_how_to_repeat_it(run: Run, folder: Path) -> None:
    """The command on the page gives the same page."""
    words = (*SMALL, "--entropy", "1.2", "-m", "boot_match")
    run("simulate", "multilabel", *words, "-o", "one.md")
    page = (folder / "one.md").read_text("utf-8")
    (command,) = [line for line in page.splitlines() if line.startswith("accordant simulate")]
    assert run(*command.split()[1:], "-o", "two.md").exit_code == 0
    assert (folder / "two.md").read_text("utf-8") == page
    (call,) = [line for line in page.splitlines() if line.startswith("ac.multilabel_study")]
    names = {"ac": ac}
    exec(f"found = {call}", names)
    assert names["found"] == study(names="boot_match", entropy=1.2)


@pytest.mark.parametrize(
    "words, code, message",
    [
        (("--double", "half"), 2, "'half' is not a list of numbers"),
        (("--categories", "joy"), 2, "neither a number nor a list of names"),
        (("--categories", "3"), 1, "need 4 categories; there are 3"),
        (("--entropy", "5"), 1, "between 0 and log2 5"),
        (("--distribution", "0.5,0.6"), 1, "sum to 1.1"),
        (("--agreement", "75"), 1, "must lie between 0 and 1, not 75"),
        (("-m", "boot_mach"), 1, "did you mean"),
        (("-o", "study.docx"), 1, "must end in one of .html"),
        (("-o", "nowhere/study.html"), 1, "there is no folder"),
        (("--method", "guess"), 2, "'guess' is not one of"),
    ],
)
def test_one_clear_message(run: Run, words: tuple[str, ...], code: int, message: str) -> None:
    result = run("simulate", "multilabel", *SMALL, *words)
    assert result.exit_code == code
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_an_unknown_simulation(run: Run) -> None:
    result = run("simulate", "multilabl")
    assert result.exit_code == 2
    assert "Did you mean 'multilabel'?" in result.stderr


def test_ctrl_c(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("accordant.simulate.study.run", interrupted)
    result = run("simulate", "multilabel", *SMALL, "-o", "study.html")
    assert result.exit_code == 130
    assert not Path("study.html").exists()


# ------------------------------------------------------------------ data


def test_data_in_a_file_are_those_of_python(run: Run, folder: Path) -> None:
    words = ("--items", "60", "--agreement", "0.9", "--double", "0.1,0.6", "--seed", "1")
    wanted = ac.simulate_multilabel(60, agreement=0.9, double=[0.1, 0.6], seed=1)
    for name, layout in (("a.csv", "long"), ("b.jsonl", "wide"), ("c.xlsx", "long")):
        result = run("simulate", "data", *words, "-o", name, "--layout", layout)
        assert result.exit_code == 0, result.stderr
        assert "--categories A,B,C,D,E --max-labels 2" in " ".join(result.stderr.split())
        read = ac.read(folder / name, categories=list("ABCDE"), max_labels=2)
        assert read.fingerprint == wanted.fingerprint, name


def test_sizes(run: Run, folder: Path) -> None:
    result = run("simulate", "data", "-o", "a.csv", "--sizes", "0,0.5,0.5", "--categories", "8")
    assert result.exit_code == 0, result.stderr
    read = ac.read(folder / "a.csv")
    assert {len(v) for v in read.values} == {2, 3}


def test_data_need_a_file(run: Run) -> None:
    assert run("simulate", "data").exit_code == 2
    assert "must end in one of .csv" in run("simulate", "data", "-o", "a.html").stderr


# ------------------------------------------------------------------ one cause


def test_causes_are_those_of_the_library() -> None:
    assert cause.CAUSES == planted.CAUSES
    defaults = {option.name: option.default for option in part("cause").params}
    wanted = inspect.signature(ac.simulate_cause).parameters
    given = ("n_items", "n_coders", "categories", "correct")
    found = [defaults[name.removeprefix("n_")] for name in given]
    assert list(map(str, found)) == [str(wanted[name].default) for name in given]


@pytest.mark.parametrize("name", cause.CAUSES)
def test_a_cause_in_a_file_is_that_of_python(run: Run, folder: Path, name: str) -> None:
    result = run("simulate", "cause", name, "-o", "made.csv", "--seed", "1")
    assert result.exit_code == 0, result.stderr
    found, wanted = ac.read("made.csv"), ac.simulate_cause(name, seed=1)  # type: ignore[arg-type]
    assert found.metadata == wanted.metadata
    assert found.texts == wanted.texts
    said = [(f.code, f.sentence) for f in ac.diagnose(wanted).pooled.patterns]
    assert [(f.code, f.sentence) for f in ac.diagnose(found).pooled.patterns] == said


def test_every_option_of_a_cause_arrives(run: Run, folder: Path) -> None:
    words = ("--items", "50", "--coders", "3", "--categories", "x,y,z", "--correct", "0.8",
             "--strength", "0.9", "--seed", "2")  # fmt: skip
    run("simulate", "cause", "drift", *words, "-o", "made.csv", "--layout", "wide")
    wanted = ac.simulate_cause(
        "drift", 50, coders=3, categories=["x", "y", "z"], correct=0.8, strength=0.9, seed=2
    )
    found = ac.read("made.csv")
    assert [str(v) for v in found.values] == list(wanted.values)
    assert found.coders == wanted.coders
    alpha = ac.agreement(wanted)["alpha"].value
    assert ac.agreement(found)["alpha"].value == pytest.approx(alpha, abs=SAME)


def test_what_is_no_cause(run: Run, folder: Path) -> None:
    assert "drift" in run("simulate", "cause", "drifft", "-o", "a.csv").stderr
    assert run("simulate", "cause", "drift").exit_code == 2
    said = run("simulate", "cause", "drift", "-o", "a.csv", "--categories", "joy").stderr
    assert "neither a number nor a list" in said
    (folder / "a.csv").write_text("mine")
    assert run("simulate", "cause", "drift", "-o", "a.csv").exit_code == 1
    assert (folder / "a.csv").read_text() == "mine"


def test_the_group_is_part_of_the_command_line(run: Run) -> None:
    assert "simulate" in run("--help").stdout
    text = run("simulate", "--help").stdout
    assert all(f"\n  {name} " in text for name in SIMULATIONS)
    assert isinstance(cli.get_command(click.Context(cli), "simulate"), click.Group)


def test_a_file_is_not_replaced(run: Run, folder: Path) -> None:
    words = ("simulate", "data", "-o", "made.csv", "--seed", "1")
    assert run(*words).exit_code == 0
    before = (folder / "made.csv").read_text()
    refused = run(*words[:-1], "2")
    assert refused.exit_code == 1
    assert "--force" in refused.stderr
    assert (folder / "made.csv").read_text() == before
    assert run(*words[:-1], "2", "--force").exit_code == 0
    assert (folder / "made.csv").read_text() != before


def test_means_over_agreements_are_called_so(run: Run) -> None:
    words = ("simulate", "multilabel", *SMALL)
    one = " ".join(run(*words).stdout.split())
    assert "means over" not in one
    several = " ".join(run(*words, "--agreement", "0.6,0.9").stdout.split())
    assert "(means over agreements of 60 % and 90 %)" in several
    assert "Of the mean adjusted values" in several
