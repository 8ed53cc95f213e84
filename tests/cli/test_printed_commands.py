"""Every command, option and call that is printed: collected from all pages and run.

A page is what a command prints of a file, or what a report writes. Files need to be told how they
are read, and names are odd. Each next step must run as it stands, on the same annotations as the
page that prints it. ``--everything`` takes all bundled examples and every table.
"""

from __future__ import annotations

import csv
import html
import random
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner, Result

import accordant as ac
from accordant.cli.main import COMMANDS, cli
from accordant.data import read as reader
from pages import bundled

COMMAND = re.compile(rf"accordant (?=(?:{'|'.join(COMMANDS)})\b)([^\n`]*)")
CALL = re.compile(r"(?:^|[\s`])((?:data = )?ac\.\w+\(.*\))", re.M)
CONTEXT = click.Context(cli)
NONE: Mapping[str, Any] = {}


class Case(NamedTuple):
    """Files and how they have to be read."""

    files: tuple[str, ...]
    reading: Mapping[str, Any] = NONE
    own: Mapping[str, Any] = NONE
    """Further options of agreement, which later pages must keep."""

    @property
    def words(self) -> list[str]:
        """The files and options as typed."""
        return [*self.files, *words_of(self.reading)]


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Options in a shell, by hand: the program's own spelling is what is tested."""
    return [word for k, x in options.items() for word in _typed(k, x)]


def _typed(name: str, x: Any) -> Iterator[str]:
    if isinstance(x, dict):
        for k, v in x.items():
            yield from (f"--{name}", f"{k}={v}")
    elif name == "categories":
        yield from (f"--{name}", ",".join(f'"{v}"' for v in x))
    else:
        for each in x if isinstance(x, list) else [x]:
            yield from (f"--{name.replace('_', '-')}", str(each))


ODD = ["yes, partly", "no", "it's", "-dash", "a=b"]
GRADES = [1, 2, 3, 4, 5]
TABLE = {"item": "Unit No.", "coder": 'who "did" it', "label": "the verdict"}
CASES = {
    "odd names": Case(("my data's.csv",), TABLE, {"coefficients": ["alpha"], "level": 0.9}),
    "categories": Case(("my data's.csv",), {**TABLE, "categories": ODD}),
    "grades": Case(("grades.csv",), NONE, {"weights": "quadratic"}),
    "a scale": Case(("grades.csv",), {"scale": "ordinal", "categories": GRADES}),
    "some coders": Case(("grades.csv",), {"coder": ["r1", "r3"]}),
    "columns": Case(
        ("two.csv",), {"label": ["tone of text", "degree"], "scale": {"degree": "ordinal"}}
    ),
    "questions": Case(
        ("long.csv",), {"item": "thing", "question": "asked", "coder": "who", "label": "said"}
    ),
    "sets": Case(("sets.csv",), {"separator": "|"}),
    "gold": Case(("gold.csv",)),
    "twice": Case(("twice.csv",), {"duplicates": "keep"}),
    "a file each": Case(("anna k.csv", "bob.csv")),
    "visitors": Case(("visitors.csv",)),
}
"""What is read; the long version has all bundled examples too."""
EXAMPLES = sorted(path.stem for path in bundled("visitors").parent.glob("*.csv"))
COMMANDS_OF_DATA = (
    *("describe", "agreement", "diagnose", "decompose", "fit", "soft", "plan --width 0.2"),
    "fit -m mace --set method=em --set restarts=1 --seed 1",
)


def write(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with all files, which is the working folder."""
    folder, draw = tmp_path_factory.mktemp("printed"), random.Random(5)

    def noisy(x: Any, labels: Sequence[Any], share: float = 0.25) -> Any:
        return draw.choice(labels) if draw.random() < share else x

    coders = ("Ann B.", "bob's", "Zoë")
    every = [(i, c) for i in range(40) for c in coders]
    write(
        folder / "my data's.csv",
        [*TABLE.values()],
        [(f"u {i}", c, noisy(ODD[i % 5], ODD)) for i, c in every],
    )
    rows = ((i, *(noisy(i % 5 + 1, GRADES) for _ in range(3))) for i in range(40))
    write(folder / "grades.csv", ["id", "r1", "r2", "r3"], rows)
    both = ((i, c, noisy("abc"[i % 3], "abc"), noisy(i % 4, range(4))) for i, c in every)
    write(folder / "two.csv", ["item", "coder", "tone of text", "degree"], both)
    asked = ((i, q, c, noisy("abc"[i % 3], "abc")) for i, c in every for q in ("tone 1", "topic"))
    write(folder / "long.csv", ["thing", "asked", "who", "said"], asked)
    sets = (
        (i, c, "|".join(sorted({noisy("abcd"[(i + k) % 4], "abcd", 0.4) for k in (0, 1)})))
        for i, c in every
    )
    write(folder / "sets.csv", ["item", "coder", "label"], sets)
    known = [(i, *(noisy("abc"[i % 3], "abc") for _ in range(3)), "abc"[i % 3]) for i in range(40)]
    write(folder / "gold.csv", ["item", "ann", "bob", "cem", "gold"], known)
    twice = ((i, c, noisy("abc"[i % 3], "abc")) for i, c in every for _ in range(2))
    write(folder / "twice.csv", ["item", "coder", "label"], twice)
    for name in ("anna k", "bob"):
        write(
            folder / f"{name}.csv",
            ["item", "label"],
            [(i, noisy("abc"[i % 3], "abc")) for i in range(40)],
        )
    for name in EXAMPLES:
        (folder / f"{name}.csv").write_bytes(bundled(name).read_bytes())
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.chdir(folder)
        yield folder


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words], prog_name="accordant", env={"COLUMNS": "200"})


def text_of(page: str) -> str:
    """A page as it is read; code ends a line."""
    ends = re.sub(r"</code>|<br>|</p>", "\n", page)
    return html.unescape(re.sub(r"<[^>]+>", "", ends)) if "</" in page else page


def shown(command: str) -> Sequence[str]:
    """The tables that a command shows by name."""
    found = cli.get_command(CONTEXT, command)
    show = [p.type for p in found.params if p.name == "show"] if found else []
    return getattr(show[0], "choices", ()) if show else ()


def pages(case: Case, *, every: bool) -> Iterator[tuple[str, str]]:
    """What commands print of a case, and what the report writes, each with its command."""
    lines = [
        *COMMANDS_OF_DATA,
        *(f"{c} --show {name}" for c in COMMANDS_OF_DATA for name in shown(c) if every),
    ]
    for line in lines:
        command, *rest = line.split()
        own = words_of(case.own) if command == "agreement" else []
        yield line, typed(command, *case.words, *rest, *own).output
    files = [Path(f"page.{ending}") for ending in ("html", "md", "tex")]
    to = [w for path in files for w in ("-o", str(path))]
    first = typed("report", *case.words, *words_of(case.own), *to)
    assert first.exit_code == 0, first.output
    yield "report", "\n".join([first.output, *(text_of(path.read_text("utf-8")) for path in files)])


def filled(words: Sequence[str], case: Case) -> list[str]:
    """A command with files for its placeholders."""
    known = {"FILE": "known.csv"}
    target = ["-o", "again.html"] if words[0] == "report" and "-o" not in words else []
    return [*(known.get(w, w) for w in words), *target]


@pytest.fixture
def readings(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[set[float]]:
    """The alphas of the questions of all data that are read, one set for each reading."""
    found: list[set[float]] = []
    read = reader.read

    def seen(source: Any, **options: Any) -> Any:
        data = read(source, **options)
        if not isinstance(source, ac.Annotations):
            found.append(alphas(data))
        return data

    monkeypatch.setattr(reader, "read", seen)
    return found


def alphas(data: Any) -> set[float]:
    """Alpha of each question, and of all."""
    rows = ac.agreement(data, "alpha", interval="none").to_rows()
    return {round(row["value"], 9) for row in rows if row["value"] == row["value"]}


def cases(names: Iterable[str]) -> Any:
    return pytest.mark.parametrize("name", names)


@pytest.mark.parametrize("name", CASES)
def test_a_printed_command_runs_and_reads_the_same(
    readings: list[set[float]], name: str, request: pytest.FixtureRequest
) -> None:
    case, failed = CASES[name], []
    everything = request.config.getoption("--everything")
    whole = alphas(ac.read([*case.files], **case.reading))
    known = ac.read([*case.files], **case.reading)
    asked = ["gold"] if len(known.questions) == 1 else [*known.questions]
    rows = [(item, *(s.categories[0] for s in known.schemes)) for item in known.items[:3]]
    write(Path("known.csv"), ["item", *asked], rows)
    found = {
        tuple(shlex.split(line)): page
        for page, text in pages(case, every=everything)
        for line in COMMAND.findall(text)
    }
    assert found
    for words, page in found.items():
        readings.clear()
        result = typed(*filled(words, case))
        if result.exit_code:
            failed.append((page, " ".join(words), result.output.splitlines()[-1]))
        elif "--scale" not in words or "scale" in case.reading:
            assert readings[0] <= whole, (page, words)
    print(name, len(found))
    for x in failed:
        print("FAIL", x)
    assert failed == []
