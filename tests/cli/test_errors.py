"""What goes wrong: one message on stderr, nothing on stdout, an exit code that scripts can use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from accordant import InputError
from accordant.cli.help import INTERRUPTED, ended

Run = Callable[..., Result]
PROGRAM = [sys.executable, "-m", "accordant.cli.main"]


@pytest.mark.parametrize(
    "words, code, said",
    [
        (["agreement", "absent.csv"], 1, "absent.csv"),
        (["agreement", "ratings.csv", "--categories", "yes,no"], 1, "'unsure'"),
        (["agreement", "ratings.csv", "--item", "itm"], 1, "did you mean 'item'?"),
        (["agreement", "anna.csv"], 1, "agreement needs two"),
        (["agreement", "."], 1, "."),
        (["describe", "empty.csv"], 1, "empty"),
        (["agreement", "ratings.csv", "-c", "kapa"], 2, "did you mean 'kappa'?"),
        (["agreement", "ratings.csv", "--weights", "quadratc"], 2, "did you mean 'quadratic'?"),
        (["agreement", "ratings.csv", "--coder", "carl"], 1, "'item', 'coder', 'label'"),
        (["agreement", "ratings.csv", "--label", "tone"], 1, "tone"),
        (["agreement", "ratings.csv", "--population", "2"], 2, "smaller than the sample"),
        (["agreement", "wide.csv", "--sampled-coders"], 2, "at least 3 coders"),
        (["agreement", "ratings.csv", "-o", "absent/out.csv"], 2, "there is no folder 'absent'"),
        (["report", "ratings.csv", "-o", "report.docx"], 2, ".html, .pdf"),
    ],
)
def test_our_errors(run: Run, folder: Path, words: list[str], code: int, said: str) -> None:
    """Wrong data end with 1, wrong requests with 2."""
    (folder / "empty.csv").touch()
    before = sorted(os.listdir(folder))
    result = run(*words)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.count("Error: ") == 1
    assert said in result.stderr.split("Error: ")[1]
    assert "Traceback" not in result.stderr
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize(
    "words, said",
    [
        (["agrement", "ratings.csv"], "Did you mean 'agreement'?"),
        (["ratings.csv"], "accordant report ratings.csv"),
        (["frobnicate"], "Commands: report, agreement"),
        (["agreement"], "Missing argument"),
        (["agreement", "ratings.csv", "--levle", "0.9"], "--level"),
        (["agreement", "ratings.csv", "--level", "95"], "between 0 and 1"),
        (["agreement", "ratings.csv", "--scale", "ordnal"], "Did you mean 'ordinal'?"),
        (["agreement", "ratings.csv", "--interval", "boots"], "'bootstrap'"),
        (["agreement", "ratings.csv", "--resamples", "1"], "2 or more"),
        (["agreement", "ratings.csv", "--scale", "ordinal", "--scale", "q=ratio"], "NAME="),
        (["compare", "ratings.csv"], "name two files"),
        (["alt-test", "ratings.csv", "--models", "bob", "--models-file", "wide.csv"], "or a file"),
        (["score", "ratings.csv"], "option '--predictions'"),
        (["plan"], "option '--width'"),
        (["simulate"], "option '-o' / '--output'"),
        (["convert", "ratings.csv"], "name the file to write"),
        (["demo", "--output", "absent"], "absent"),
    ],
)
def test_usage(run: Run, words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_only_near_options_are_suggested(run: Run) -> None:
    """An option that no command has resembles none: '--prior' is not '--separator'."""
    assert "Did you mean" not in run("fit", "ratings.csv", "--prior", "row").stderr
    assert "Did you mean" not in run("fit", "ratings.csv", "--sweep", "row").stderr
    assert "Did you mean '--last'?" in run("project", "log", "--lats", "3").stderr


def test_messages_name_options_of_the_command_line(run: Run) -> None:
    result = run("agreement", "ratings.csv", "--weights", "linear")
    assert "--categories" in result.stderr
    assert "categories=" not in result.stderr


def test_a_bug_is_called_a_bug(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("accordant.data.read.read", broken)
    result = run("agreement", "ratings.csv")
    assert result.exit_code == 1
    assert "defect in Accordant" in result.stderr
    assert "ZeroDivisionError: division by zero" in result.stderr
    assert "ACCORDANT_DEBUG=1" in result.stderr
    assert "Traceback" not in result.stderr


def test_debugging_shows_where(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDANT_DEBUG", "1")
    result = run("agreement", "absent.csv")
    assert isinstance(result.exception, InputError)


@pytest.mark.parametrize(
    "raised, code, said",
    [
        (KeyboardInterrupt(), 130, "interrupted, nothing was written"),
        (PermissionError(13, "Permission denied", "x.csv"), 1, "Error: x.csv: Permission denied"),
        (OSError(28, "No space left on device"), 1, "Error: No space left on device"),
        (MemoryError(), 1, "memory"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_ends(
    raised: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> None:
        raise raised

    assert ended(run) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err if said else err == ""


# ---------------------------------------------------------------------- the real program


def test_the_recognition_is_not_part_of_the_answer(run: Run) -> None:
    loud, quiet = (
        run("agreement", "ratings.csv", "-f", "csv"),
        run("agreement", "ratings.csv", "-f", "csv", "-q"),
    )
    assert loud.stdout == quiet.stdout
    assert loud.stdout.startswith("question,measure,coefficient")
    assert "item = item" in loud.stderr
    assert quiet.stderr == ""


def test_a_reader_who_leaves(folder: Path) -> None:
    rows = "".join(f"{i},anna,{i}\n{i},bob,{i}\n" for i in range(20000))
    (folder / "many.csv").write_text("item,coder,label\n" + rows)
    command = [*PROGRAM, "describe", "many.csv", "--show", "labels", "-f", "csv", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        process.wait(30)
    assert said == b""
    assert process.returncode in (0, 141)


@pytest.mark.parametrize("wrapped", [RuntimeError, ImportError])
def test_an_interrupt_that_an_import_wrapped_is_one(
    wrapped: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise wrapped("Error calling __set_name__") from error

    assert ended(run) == INTERRUPTED
    assert capsys.readouterr().err.strip() == "interrupted, nothing was written"


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_an_interrupted_run_writes_nothing(folder: Path) -> None:
    (folder / "out.csv").write_text("old")
    command = [*PROGRAM, "agreement", "ratings.csv", "--interval", "bootstrap"]
    command += ["--resamples", "100000000", "-o", "out.csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()  # it has read the file
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            said = process.communicate(timeout=10)[1].decode()
        except subprocess.TimeoutExpired:  # Python drops an interrupt that hits its import lock
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 130
    assert said.strip().endswith("interrupted, nothing was written")
    assert "Traceback" not in said
    assert (folder / "out.csv").read_text() == "old"
    assert [name for name in os.listdir(folder) if name.startswith(".")] == []
