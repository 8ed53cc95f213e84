"""A command is a function that makes one public call; its options follow from the call.

`command` registers it. Options come from the signature and the docstring of the call, and from
those of the function itself; how a file is read from `read`; what is shown from the views.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

import click

from ..actions import Called
from ..api.data_sets import read
from ..errors import AccordantError, ReadingWarning
from ..inputs import Doc, Input, inputs_of, parsed
from ..kinds import AtLeast, Metavar
from .answers import Answer, Shown, answering
from .help import Command
from .parameters import Option, lettered, option, parameters_of, spelled
from .terminal import progress, tell, waiting

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..results import Result
__all__ = [
    "HOMES",
    "READING",
    "Asked",
    "Definition",
    "Source",
    "command",
    "defined",
    "source_parameters",
]

READING, OWN, OUTPUT = "How to read the file", "Options", "Output"
FILES = Input("files", Annotated[Path, Metavar("FILE..."), AtLeast(1)], (), "", several=True)
QUIET = Input("quiet", bool, False, "Print neither how the file was understood nor progress.")
AS_IN = re.compile(r"^As in `(\w+)`[.;,]? ?(.*)", re.S)
Function: TypeAlias = Callable[..., Any]
Least: TypeAlias = Literal[1, 2]


class Source(NamedTuple):
    """Files, and options of `read` for them."""

    files: tuple[Path, ...]
    options: Mapping[str, Any]
    quiet: bool = False
    least: Least = 2

    @classmethod
    def of(cls, typed: Mapping[str, Any]) -> Source:
        """What was typed after the parameters of `source_parameters`."""
        names = {one.name for one in inputs_of(read, 1)}
        given = {n: x for n, x in typed.items() if n in names and x not in (None, ())}
        return cls(tuple(typed["files"]), given, bool(typed.get("quiet")))

    def read(self) -> Annotations:
        """The annotations; how they were understood is told on stderr."""
        from ..actions import Action, Notice
        from ..data.read import read as read_data

        whole = self.files[0] if len(self.files) == 1 else list(self.files)
        name = self.files[0].name if len(self.files) == 1 else f"{len(self.files)} files"
        with waiting(f"reading {name}", quiet=self.quiet), warnings.catch_warnings():
            warnings.simplefilter("ignore", ReadingWarning)  # told below, with its options
            found = read_data(whole, least=self.least, **self.options)
        told = found.reading
        doubts = [Notice.behind("warning: ", w) for w in told.warnings]
        tell(doubts if self.quiet else told.lines(Action.shell))
        if told.warnings and not self.quiet:
            tell([f"  {name} → {role}: {', '.join(cells)}" for name, role, cells in told.preview])
        return found


def source_parameters() -> Iterator[click.Parameter]:
    """The files and how they are read, for a command that is no public call."""
    yield from parameters_of([FILES], OWN)
    yield from parameters_of(inputs_of(read, 1), READING)
    yield from parameters_of([QUIET], OUTPUT)


class Definition(NamedTuple):
    """A command: ``run(asked, *arguments, **own options)`` gives the result that is shown.

    Parameters
    ----------
    name : str
        What is typed.
    run : callable
    call : callable, optional
        The public call that it makes.
    also : callable, optional
        A call to which the first one hands further keywords.
    kinds : tuple of str
        The kinds of results that it may show, for which there are views.
    reads : bool
        Whether it reads files of annotations.
    shows : bool
        Whether a result is shown.
    """

    name: str
    run: Function
    call: Function | None
    also: Function | None
    kinds: tuple[str, ...]
    reads: bool
    shows: bool

    @property
    def doc(self) -> Doc:
        """Its own docstring, and that of the call where it says nothing."""
        own = parsed(self.run.__doc__)
        if own.text != own.summary or self.call is None:
            return own
        told = parsed(self.call.__doc__).text.partition("\n")[2]
        return own._replace(text=f"{own.summary}\n{told}".strip())

    def command(self) -> click.Command:
        """The command as click runs it."""
        found: dict[str, click.Parameter] = {}
        own = inputs_of(self.run, 1)
        calls = [_followed(one, f) for f in (self.call, self.also) if f for one in inputs_of(f)]
        placed = {one.name for one in own if one.in_place}
        settings = (made for one in calls if (made := option(one, OWN)) is not None)
        answer = answering(self.kinds, OUTPUT) if self.shows else ()
        for made in (*parameters_of(own, OWN), *settings, *answer):
            if made.name in placed and isinstance(made, Option):
                continue  # the call takes it, and here it has a place of its own
            found.setdefault(str(made.name), made)
        if self.reads:
            reading = parameters_of(inputs_of(read, 1), READING)
            for one in (*parameters_of([QUIET], OUTPUT), *reading):
                found.setdefault(str(one.name), one)

        def callback(**typed: Any) -> int:
            return Asked(self, found, typed).answer()

        doc = self.doc
        click_command = Command(
            self.name.split()[-1],
            params=lettered(found.values()),
            callback=callback,
            help=_plain(doc.text),
            short_help=_plain(doc.summary).rstrip("."),
        )
        click_command.examples = doc.examples
        return click_command


_ANALYSES = "agreement describe diagnose decompose fit soft score compare check alt-test plan"
_TOOLS = "convert coefficients models demo study simulate"
HOMES: Mapping[str, str] = {
    "report": "tools",
    **dict.fromkeys(_ANALYSES.split(), "analyses"),
    **dict.fromkeys(_TOOLS.split(), "tools"),
}
"""Every command by what is typed, in the order of the help, and the module that defines it."""
_DEFINED: dict[str, Definition] = {}


def defined(name: str) -> Definition:
    """The definition of a command; its module is imported now."""
    import_module(f"{__package__}.{HOMES[name]}")
    return _DEFINED[name]


def command(
    call: Function | None = None,
    *,
    name: str = "",
    also: Function | None = None,
    kinds: tuple[str, ...] = (),
    reads: bool = True,
    shows: bool = True,
) -> Callable[[Function], Function]:
    """A decorator: the function as a command of its name."""

    def register(run: Function) -> Function:
        called = name or run.__name__.replace("_", "-")
        shown = kinds or ((call.__name__,) if call is not None else ())
        if not run.__module__.endswith(f".{HOMES.get(called)}"):
            raise TypeError(f"HOMES does not name {run.__module__} for {called!r}")
        _DEFINED[called] = Definition(called, run, call, also, shown * shows, reads, shows)
        return run

    return register


def _followed(one: Input, function: Function) -> Input:
    """An input; what is 'As in `agreement`' is told there."""
    as_in = AS_IN.match(one.text)
    names = getattr(function, "__wrapped__", function).__globals__
    other = names.get(as_in[1]) if as_in else None
    if as_in is None or other is None:
        return one
    told = parsed(other.__doc__).parameters.get(one.name, "")
    return Input(one.name, one.hint, one.default, f"{told} {as_in[2]}".strip(), one.several)


def _plain(text: str) -> str:
    return re.sub(r"(?m)^ +(?=\S)", "", re.sub(r"`+|\*", "", text))


# ------------------------------------------------------------------ what was typed


class Asked:
    """What was typed, for a command that runs."""

    def __init__(
        self,
        definition: Definition,
        parameters: Mapping[str, click.Parameter],
        typed: Mapping[str, Any],
    ) -> None:
        self.definition, self.words = definition, dict(typed)
        self.typed = {
            name: value
            for name, one in parameters.items()
            if isinstance(one, Option) and (value := one.meant(typed.get(name))) is not None
        }
        self.files: tuple[Path, ...] = ()

    def __contains__(self, name: str) -> bool:
        return name in self.typed

    @property
    def quiet(self) -> bool:
        """Whether only the answer is wanted."""
        return bool(self.typed.get("quiet"))

    def given(self, *functions: Function | None) -> dict[str, Any]:
        """What was typed of the options of functions."""
        names = {one.name for f in functions if f is not None for one in inputs_of(f)}
        return {n: x for n, x in self.typed.items() if n in names}

    def call(self, *args: Any, **more: Any) -> Any:
        """Make the call with its options; a bar is drawn where it takes long."""
        made = self.definition
        if made.call is None:
            raise TypeError(f"{made.name} makes no call")
        inputs = inputs_of(made.call)
        filled = {one.name for one in inputs[: len(args)]}
        typed = self.given(made.call, made.also)
        keywords = {name: x for name, x in typed.items() if name not in filled} | more
        for one in inputs[len(args) :]:
            if one.needed and one.name not in keywords:
                raise click.UsageError(f"{spelled(one.name)} is needed.")
        with progress(made.name, quiet=self.quiet) as watch:
            if watch is not None and any(one.name == "progress" for one in inputs):
                keywords["progress"] = watch
            return made.call(*args, **keywords)

    @property
    def data(self) -> Annotations:
        """The annotations of the files; how they were understood is told on stderr."""
        return self.read(*self.files)

    def read(self, *files: Path, least: Least = 2) -> Annotations:
        """The annotations of some files, read as was typed; of so many coders at least."""
        self.files = self.files or files
        return Source(files, self.given(read), self.quiet, least).read()

    def answer(self) -> int:
        """Run the command, show its result, and give the exit code."""
        run, shows = self.definition.run, self.definition.shows
        own = inputs_of(run, 1)
        args: list[Any] = []
        for one in own:
            if one.in_place:
                word = self.words[one.name]
                args += word if one.several else [word]
        self.files = tuple(x for x in args if isinstance(x, Path))
        answer = Answer.of(self.typed, self.definition.kinds) if shows else None
        keywords = {one.name: self.typed[one.name] for one in own if one.name in self.typed}
        for one in own:
            if one.needed and not one.in_place and one.name not in keywords:
                raise click.UsageError(f"{spelled(one.name)} is needed.")
        try:
            result: Result | Shown | int | None = run(self, *args, **keywords)
        except AccordantError as error:
            from ..views.next_steps import completed

            said = Called("", tuple(map(str, self.files)), self.typed)
            error.do = tuple(completed(step, said) for step in error.do)
            raise
        if isinstance(result, int):
            return result
        if result is not None and answer is not None:
            answer.show(result)
        return result.code if isinstance(result, Shown) else 0
