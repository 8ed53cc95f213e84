"""Every command, option and call that is printed: collected from all pages and run.

A page is what a command prints of a file, or what a report writes. Files need to be told how they
are read, and names are odd. Each next step must run as it stands, on the same annotations as the
page that prints it. ``--everything`` takes all bundled examples and every table.
"""

from __future__ import annotations

import csv
import html
import json
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
from accordant.actions import Action
from accordant.cli.main import COMMANDS, cli
from accordant.data import read as reader
from accordant.data.examples import about
from pages import bundled

COMMAND = re.compile(rf"(?<!')accordant (?=(?:{'|'.join(COMMANDS)})\b)([^\n`]*)")
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
            yield from (f"--{name}", f"{k}={','.join(map(str, v)) if isinstance(v, list) else v}")
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


ROLES = {"of_question": "label", "of_coders": "coder"}


class Page(NamedTuple):
    """What was typed, what was printed, and the next steps that were made on the way."""

    command: str
    options: Mapping[str, Any]
    more: Sequence[str]
    text: str
    steps: Sequence[Action]
    answered: bool

    def commands(self) -> Iterator[tuple[str, ...]]:
        """The commands that stand in it."""
        of_errors = (s.shell() for s in self.steps if f"{s.shell()} (" in self.text and s.call)
        told = "\n".join(line for line in self.text.splitlines() if "Try: " not in line)
        lines = COMMAND.findall(told)
        return (tuple(shlex.split(w.removeprefix("accordant "))) for w in (*lines, *of_errors))

    def advised(self, case: Case) -> Iterator[tuple[str, ...]]:
        """What was typed, with the options that it advises, which take the place of others."""
        flat = " ".join(self.text.split())
        for step in self.steps:
            if step.call in ("", *ROLES) and f" {step.shell()}" in flat:
                role = ROLES.get(step.call, "")
                same = {*step.options.values()} & {*self.options.get(role, ())} if role else False
                out = {role} if same else set() if role else {*step.options}
                kept = words_of({k: x for k, x in self.options.items() if k not in out})
                yield (self.command, *case.files, *self.more, *kept, *shlex.split(step.shell()))


def pages(case: Case, made: list[Action], lines: Iterable[str]) -> Iterator[Page]:
    """What commands print of a case, and what the report writes."""
    for line in lines:
        command, *more = shlex.split(line)
        own = case.own if command in ("agreement", "report") else {}
        options = {**case.reading, **own}
        files = [Path(f"page.{ending}") for ending in ("html", "md", "tex") if command == "report"]
        to = [w for path in files for w in ("-o", str(path))]
        for path in files:
            path.unlink(missing_ok=True)
        made.clear()
        result = typed(command, *case.files, *more, *words_of(options), *to)
        text, answered = [result.output], result.exit_code == 0
        text += [text_of(path.read_text("utf-8")) for path in files if path.exists()]
        yield Page(command, options, more, "\n".join(text), [*made], answered)


def lines_of(case: Case, *, every: bool) -> list[str]:
    """The commands for a case; ``every`` table by its name."""
    tables = [f"{c} --show {name}" for c in COMMANDS_OF_DATA for name in shown(c)]
    return [*COMMANDS_OF_DATA, "report", *(tables if every else ())]


PLACEHOLDERS = {"COLUMN": "x", "VALUE": "0.5", "CHARACTER": ";", "LABEL,LABEL,…": "a,b"}


def run(words: Sequence[str]) -> str:
    """Run a command, with files for its placeholders; one with other placeholders is parsed."""
    if {*words} & {*PLACEHOLDERS}:
        name, *rest = (PLACEHOLDERS.get(w, w) for w in words)
        found = cli.get_command(CONTEXT, name)
        assert found is not None
        try:
            found.make_context(name, rest)
        except click.UsageError as error:
            return error.message
        return ""
    target = ["-o", "again.html"] if words[0] == "report" and "-o" not in words else []
    result = typed(*("known.csv" if w == "FILE" else w for w in words), *target)
    return result.stderr if result.exit_code else ""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Action]:
    """Every next step that is made, printed or not."""
    found: list[Action] = []
    begin = Action.__init__

    def noted(self: Action, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        found.append(self)

    monkeypatch.setattr(Action, "__init__", noted)
    return found


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


def known(data: Any) -> None:
    """A file of known labels of some items, which stands for FILE."""
    asked = ["gold"] if len(data.questions) == 1 else [*data.questions]
    rows = [(item, *(s.categories[0] for s in data.schemes)) for item in data.items[:3]]
    write(Path("known.csv"), ["item", *asked], rows)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The long version has all bundled examples."""
    if "case" in metafunc.fixturenames:
        every = metafunc.config.getoption("--everything")
        more = {f"all of {n}": Case((f"{n}.csv",), about(n).options) for n in EXAMPLES if every}
        cases = {**CASES, **more}
        metafunc.parametrize("case", cases.values(), ids=cases)


def test_a_printed_command_runs_and_reads_the_same(
    readings: list[set[float]], made: list[Action], case: Case, request: pytest.FixtureRequest
) -> None:
    failed = []
    data = ac.read([*case.files], **case.reading)
    known(data)
    whole = alphas(data)
    every = request.config.getoption("--everything")
    told = [*pages(case, made, lines_of(case, every=every))]
    found = dict.fromkeys(words for page in told for words in page.commands())
    assert found
    for words in found:
        readings.clear()
        if error := run(words):
            failed.append((words, error))
        elif "scale" in case.reading or "--scale" not in words:
            assert readings[0] <= whole, words
    advised = dict.fromkeys(words for page in told if page.answered for words in page.advised(case))
    failed += [(words, error) for words in advised if (error := run(words))]
    assert failed == []


CALLS = "agreement describe diagnose decompose fit soft_labels report"


@pytest.mark.parametrize("name", ["odd names", "columns", "questions", "sets", "gold", "twice"])
def test_a_printed_call_runs_in_python(home: Path, name: str) -> None:
    """Of print, Markdown and a notebook: the data are read once, as they were."""
    case = CASES[name]
    data = ac.read([*case.files], **case.reading)
    known(data)
    lines: dict[str, None] = {}
    for call in CALLS.split():
        own = case.own if call in ("agreement", "report") else {}
        found = getattr(ac, call)([*case.files], **case.reading, **own)
        for text in (str(found), found.to_markdown(), text_of(found._repr_html_())):
            told = CALL.findall(text)
            assert [line.startswith("data = ") for line in told] == [
                k == 0 for k in range(len(told))
            ]
            lines |= dict.fromkeys(told)
    names: dict[str, Any] = {"ac": ac}
    for line in lines:
        exec(line.replace("gold=…", "gold='known.csv'"), names)
    assert alphas(names["data"]) == alphas(data)


def saved(*words: str) -> dict[str, Any]:
    """What a report writes as JSON."""
    result = typed(*words, "-o", "saved.json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(Path("saved.json").read_text("utf-8"))
    return found


def test_the_page_behind_a_page_has_its_figures(home: Path) -> None:
    words = ["agreement", "grades.csv", "--weights", "quadratic", "--level", "0.9"]
    (line,) = [x for x in COMMAND.findall(typed(*words).output) if x.startswith("report")]
    rows = json.loads(typed(*words, "-q", "-f", "json").stdout)
    assert saved(*shlex.split(line))["coefficients"] == rows
    assert saved("report", "grades.csv")["coefficients"] != rows


def test_a_step_changes_a_coefficient_as_it_says(home: Path) -> None:
    page = saved("report", "visitors.csv", "--level", "0.9")
    steps = [
        s for section in page["opening"] for b in section["blocks"] for s in b.get("steps", ())
    ]
    (step,) = (s for s in steps if "computed" in s["effect"])
    named = {k: x for k, x in step["action"].items() if k != "block"}
    behind = saved(*shlex.split(Action(**named).shell())[1:])
    (alpha,) = (r for r in behind["coefficients"] if (r["question"], r["coefficient"]) == MOOD)
    assert (alpha["value"], alpha["level"]) == (pytest.approx(step["then"]), 0.9)


MOOD = "mood", "alpha"
KNOWN, TWO = Case(("gold.csv",)), CASES["columns"]
REFUSED = {
    "nothing told": (Case(("my data's.csv",)), "describe"),
    "the question untold": (Case(("long.csv",)), "describe"),
    "repeats": (Case(("twice.csv",)), "describe"),
    "a label beyond the scheme": (Case(("gold.csv",), {"categories": ["a", "b"]}), "describe"),
    "words without an order": (Case(("gold.csv",), {"scale": "ordinal"}), "describe"),
    "weights without an order": (KNOWN, "agreement --weights circular"),
    "several questions": (TWO, "plan --width 0.1"),
    "gold of several questions": (TWO, "fit --gold known.csv"),
    "nothing to score by": (KNOWN, "fit --show scores"),
    "known labels": (KNOWN, "report --gold known.csv"),
    "gold in a column": (KNOWN, "report --gold gold"),
    "belief of two coders": (Case(("hoek2017_table2.csv",)), "soft --of belief"),
}
"""What cannot be answered as it is typed, or with known labels from elsewhere."""


@pytest.mark.parametrize("name", REFUSED)
def test_advice_of_a_refusal_can_be_typed(home: Path, made: list[Action], name: str) -> None:
    case, line = REFUSED[name]
    label = "1" if "hoek" in case.files[0] else "a"
    write(Path("known.csv"), ["item", "gold"], [("1", label), ("2", label)])
    told = [*pages(case, made, [line])]
    found = {words: page for page in told for words in (*page.commands(), *page.advised(case))}
    assert found
    assert [(words, error) for words in found if (error := run(words))] == []


# ---------------------------------------------------------------------- documentation, projects

NAMED = re.compile(r"accordant ((?:project )?[a-z-]+(?: [^`\n]*)?)")


def unknown_words(line: str) -> list[str]:
    """The commands and options of a line that there are not."""
    found: Any = cli
    words = line.replace("\\", " ").split()
    while isinstance(found, click.Group):
        name = words.pop(0) if words else ""
        if name[:1] in ("-", "[") or not name.islower():
            return []  # the group itself, its help or any of its commands
        inner = found.get_command(CONTEXT, name)
        if inner is None:
            return [name]
        found = inner
    taken = found.get_params(click.Context(found))
    known = {o for p in taken for o in (*p.opts, *p.secondary_opts)}
    options = (re.match(r"--[a-z][a-z-]*", word) for word in words)
    return [o[0] for o in options if o is not None and o[0] not in known]


def test_docs_name_commands_and_options_that_there_are(root: Path) -> None:
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    text = {path.name: path.read_text(encoding="utf-8") for path in pages}
    inline = [(n, c) for n, t in text.items() for c in re.findall(r"`accordant ([^`]+)`", t)]
    blocks = [
        (n, c) for n, t in text.items() for c in re.findall(r"^\$? ?accordant (.+)$", t, re.M)
    ]
    assert min(len(inline), len(blocks)) > 50
    assert [(n, c, w) for n, c in (*inline, *blocks) if (w := unknown_words(c))] == []
    assert unknown_words("project rounds --live") == ["rounds"]
    assert unknown_words("report f.csv --scal ordinal") == ["--scal"]


def test_steps_of_a_project_name_commands_that_there_are(root: Path) -> None:
    pages = sorted((root / "tests" / "views" / "golden").glob("project*.txt"))
    lines = [line for path in pages for line in NAMED.findall(path.read_text(encoding="utf-8"))]
    assert len(lines) > 20
    assert [(line, w) for line in lines if (w := unknown_words(line))] == []
