"""A command is a function that makes one public call; its options follow from the call.

`command` registers it. Options come from the signature and the docstring of the call, and from
those of the function itself; how a file is read from `read`; what is shown from the views.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

import click

import accordant

from ..actions import Called
from ..api.data_sets import read
from ..errors import AccordantError, ReadingWarning
from ..inputs import Doc, Input, inputs_of, parsed
from ..kinds import AtLeast, Metavar
from .console import progress, tell, waiting
from .help import Command, Option, output_options
from .parameters import option, parameters_of, plain, reading_options
from .view_options import Answer, Shown, answering

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..results import Result

OWN = "Options"
FILES = Input("files", Annotated[Path, Metavar("FILE..."), AtLeast(1)], (), "", several=True)
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
        """What was typed."""
        names = {one.name for one in inputs_of(read, 1)}
        given = {n: x for n, x in typed.items() if n in names and x not in (None, ())}
        return cls(tuple(typed.get("files", ())), given, bool(typed.get("quiet")))

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


class Definition(NamedTuple):
    """A command: ``run(asked, *arguments, **own options)`` gives the result that is shown.

    Parameters
    ----------
    run : callable
    call : callable, optional
        The public call that it makes.
    also : callable, optional
        A call to which the first one hands further keywords.
    kinds : tuple of str
        The kinds of results that it may show, for which there are views; by default of the call.
    reads : bool
        Whether it reads files of annotations.
    shows : bool
        Whether a result is shown.
    without : str
        What can be given to the call and has no option here.
    """

    run: Function
    call: Any = None
    also: Function | None = None
    kinds: tuple[str, ...] = ()
    reads: bool = True
    shows: bool = True
    without: str = ""

    @property
    def name(self) -> str:
        """What is typed."""
        return self.run.__name__.replace("_", "-")

    @property
    def doc(self) -> Doc:
        """Its own docstring, and that of the call where it says nothing."""
        own = parsed(self.run.__doc__)
        if own.text != own.summary or self.call is None:
            return own
        told = parsed(self.call.__doc__).text.partition("\n")[2]
        return own._replace(text=f"{own.summary}\n{told}".strip())

    def __call__(self) -> click.Command:
        """The command as click runs it."""
        found: dict[str, click.Parameter] = {}
        own = inputs_of(self.run, 1)
        calls = [_followed(one) for f in (self.call, self.also) if f for one in inputs_of(f)]
        away = {*self.without.split(), *(one.name for one in own if one.in_place)}
        settings = (option(one, OWN) for one in calls if one.name not in away)
        for made in (*parameters_of(own, OWN), *filter(None, settings), *answering(self.kinds)):
            found.setdefault(str(made.name), made)
        reading = reading_options() if self.reads else ()
        output = output_options(*(() if self.shows else ("quiet",)))
        every = {str(one.name): one for one in (*reading, *output, *found.values())}
        doc, explains = self.doc, self.name == "describe"
        click_command = Command(
            self.name,
            params=[*found.values(), *(reading if explains else ())],
            callback=lambda **typed: Asked(self, every, typed).answer(),
            help=plain(doc.text),
            short_help=plain(doc.summary).rstrip("."),
        )
        click_command.shared = output if explains else (*reading, *output)
        click_command.examples = doc.examples
        return click_command


def command(call: Function | None = None, **more: Any) -> Callable[[Function], Definition]:
    """A decorator: the function as a command of its name; further fields of its definition."""
    kinds = more.pop("kinds", (call.__name__,) if call and more.get("shows", True) else ())
    return lambda run: Definition(run, call, kinds=kinds, **more)


def _followed(one: Input) -> Input:
    """An input; what is 'As in `agreement`' is told there."""
    as_in = AS_IN.match(one.text)
    if as_in is None:
        return one
    told = parsed(getattr(accordant, as_in[1]).__doc__).parameters.get(one.name, "")
    return Input(one.name, one.hint, one.default, f"{told} {as_in[2]}".strip(), one.several)


# ------------------------------------------------------------------ what was typed


class Asked:
    """What was typed, for a command that runs."""

    def __init__(
        self,
        definition: Definition,
        parameters: Mapping[str, click.Parameter],
        typed: Mapping[str, Any],
    ) -> None:
        self.definition, self.words = definition, typed
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
        inputs = inputs_of(made.call)
        filled = {one.name for one in inputs[: len(args)]}
        typed = self.given(made.call, made.also)
        keywords = {name: x for name, x in typed.items() if name not in filled} | more
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
        made = self.definition
        own = inputs_of(made.run, 1)
        words = [(self.words[one.name], one.several) for one in own if one.in_place]
        args = [x for word, several in words for x in (word if several else [word])]
        self.files = tuple(x for x in args if isinstance(x, Path))
        answer = Answer.of(self.typed, made.kinds) if made.shows else None
        keywords = {one.name: self.typed[one.name] for one in own if one.name in self.typed}
        try:
            result: Result | Shown | int | None = made.run(self, *args, **keywords)
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
