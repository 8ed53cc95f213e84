"""A command is a function that says what to do with public calls; its options follow from theirs.

`command` registers it. The options of a call come from its signature and docstring, those of a
command from its own, and how a file is read from `read`. Where a command makes one of several
calls, the options that choose it are named beside the call.
"""

from __future__ import annotations

import inspect
import re
import shlex
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

import click

from ..api.annotations import read
from ..docstrings import Doc, parsed
from ..errors import ReadingWarning
from ..kinds import AtLeast, Metavar
from ..views.view_index import declared
from .answers import Answer, Seen, Shown, answering
from .help import Command
from .parameters import Option, argument, hints_of, option, spelled, value_of
from .terminal import progress, tell, waiting

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..results import Result
__all__ = [
    "COMMANDS",
    "READING",
    "Asked",
    "Call",
    "Definition",
    "Source",
    "command",
    "source_options",
]

READING = "How to read the file"
Files = Annotated[Path, Metavar("FILE..."), AtLeast(1)]


class Source(NamedTuple):
    """Files, and options of `read` for them."""

    files: tuple[Path, ...]
    options: Mapping[str, Any]
    quiet: bool = False
    least: Literal[1, 2] = 2

    @classmethod
    def of(cls, typed: Mapping[str, Any]) -> Source:
        """What was typed after the options of `source_options`."""
        names = inspect.signature(read).parameters
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


def source_options() -> Iterator[click.Parameter]:
    """The files and how they are read, for a command that is no public call."""
    yield argument("files", Files, many=True, required=True)
    texts, hints = parsed(read.__doc__).parameters, hints_of(read)
    for p in [*inspect.signature(read).parameters.values()][1:]:
        made = option(p.name, hints[p.name], p.default, texts.get(p.name, ""), READING)
        if made is not None:
            yield made
    quiet = option("quiet", bool, False, "Print neither how the file was understood nor progress.")
    if isinstance(quiet, Option):
        yield quiet


OWN, OUTPUT = "Options", "Output"
AS_IN = re.compile(r"^As in `(\w+)`[.;,]? ?(.*)", re.S)
Function: TypeAlias = Callable[..., Any]


class Call(NamedTuple):
    """A public call that a command may make.

    Parameters
    ----------
    function : callable
    when : tuple of str
        Options that choose it; the usual call has none.
    also : tuple of callable
        Calls that it hands further keywords to.
    beside : tuple of callable
        Calls that are made as well.
    kinds : tuple of str
        The kinds of its results, for which there are views; its own name unless given.
    """

    function: Function
    when: tuple[str, ...] = ()
    also: tuple[Function, ...] = ()
    beside: tuple[Function, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def functions(self) -> tuple[Function, ...]:
        """All whose options may be given with it."""
        return (self.function, *self.also, *self.beside)

    @property
    def title(self) -> str:
        """The heading of its options."""
        return f"With {' or '.join(map(spelled, self.when))}" if self.when else OWN


class Definition(NamedTuple):
    """A command: ``run(asked, *arguments, **own options)`` gives the result that is shown.

    ``more`` gives options that depend on what was typed, such as those of a model.
    """

    name: str
    run: Function
    calls: tuple[Call, ...]
    reads: bool
    shows: bool
    group: str
    more: Callable[[list[str]], Iterable[Option]] | None

    @property
    def doc(self) -> Doc:
        """Its own docstring, and that of the call where it says nothing."""
        own = parsed(self.run.__doc__)
        if own.text != own.summary or not self.calls:
            return own
        told = parsed(self.calls[0].function.__doc__).text.partition("\n")[2]
        return own._replace(text=f"{own.summary}\n{told}".strip())

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of results that it may show."""
        own = (c.kinds or (c.function.__name__,) for c in self.calls if self.shows)
        return tuple(kind for kinds in own for kind in kinds)

    def options(self) -> dict[str, Option]:
        """Its options by parameter, section by section."""
        found: dict[str, Option] = {}
        _enter(found, self.run, OWN)
        for call in self.calls:
            for function in call.functions:
                _enter(found, function, call.title, {p.name for p, *_ in _positional(self.run)})
        if self.shows:
            for made in answering(self.kinds):
                made.section = OUTPUT
                found.setdefault(made.name or "", made)
        elif self.reads:
            found["quiet"] = next(o for o in answering(()) if o.name == "quiet")
            found["quiet"].section = OUTPUT
        if self.reads:
            _enter(found, read, READING)
        return found

    def command(self) -> click.Command:
        """The command as click runs it."""
        options, doc = self.options(), self.doc
        own = [*_positional(self.run)]
        arguments = [
            argument(p.name, hint, many=p.kind is p.VAR_POSITIONAL, required=required)
            for p, hint, required in own
        ]

        def callback(**typed: Any) -> None:
            Asked(self, made, typed).answer([p for p, _, _ in own])

        made = _Made(
            self.name,
            params=[*arguments, *options.values()],
            callback=callback,
            help=_plain(doc.text),
            short_help=_plain(doc.summary).rstrip("."),
        )
        made.known, made.more, made.examples = options, self.more, doc.examples
        made.further = set()
        return made


class _Made(Command):
    """A command that learns of further options from the words after it."""

    known: dict[str, Option]
    further: set[str]
    more: Callable[[list[str]], Iterable[Option]] | None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for one in self.more(args) if self.more is not None else ():
            name = one.name or ""
            self.further.add(name)
            if self.known.setdefault(name, one) is one:
                self.params.append(one)
        return super().parse_args(ctx, args)

    def elsewhere(self, name: str) -> str:
        """The models that have the option."""
        from ..models.model_list import owned_by, takers_of

        keys = takers_of(name)
        typed = f"accordant fit FILE --model {keys[0]} {spelled(name)} …" if keys else ""
        return f"It belongs to {owned_by(keys)}: {typed}" if keys else ""


COMMANDS: dict[str, Definition] = {}
"""Every command by its name; those of a group as 'simulate data'."""


def command(
    *calls: Call | Function,
    name: str = "",
    reads: bool = True,
    shows: bool = True,
    group: str = "",
    more: Callable[[list[str]], Iterable[Option]] | None = None,
) -> Callable[[Function], Function]:
    """A decorator: the function as a command of its name."""

    def register(run: Function) -> Function:
        made = tuple(c if isinstance(c, Call) else Call(c) for c in calls)
        called = name or run.__name__
        COMMANDS[f"{group} {called}".strip()] = Definition(
            called, run, made, reads, shows, group, more
        )
        return run

    return register


def _positional(run: Function) -> Iterator[tuple[inspect.Parameter, Any, bool]]:
    """The arguments of a command: what stands after ``asked``."""
    hints = hints_of(run)
    for p in [*inspect.signature(run).parameters.values()][1:]:
        if p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_OR_KEYWORD):
            least = [m for m in getattr(hints[p.name], "__metadata__", ()) if hasattr(m, "low")]
            yield p, hints[p.name], bool(least) if p.kind is p.VAR_POSITIONAL else True


def _enter(
    found: dict[str, Option], function: Function, section: str, filled: Container[str] = ()
) -> None:
    """The options of a function; one that is known belongs to it too."""
    texts, hints = parsed(function.__doc__).parameters, hints_of(function)
    own = section == OWN and next(iter(hints), "") == "asked"
    for p in inspect.signature(function).parameters.values():
        kind = hints[p.name]
        several = p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
        if p.name in filled or several or (own and p.kind is not p.KEYWORD_ONLY):
            continue
        if value_of(kind).untyped:
            continue
        text = _followed(texts.get(p.name, ""), p.name, function)
        made = found.get(p.name) or option(p.name, kind, p.default, text, section)
        if made is not None:
            made.calls |= {function}
            short = {opt for o in found.values() if o is not made for opt in o.opts}
            made.opts = [opt for opt in made.opts if opt not in short]
            found[p.name] = made


def _followed(text: str, name: str, function: Function) -> str:
    """The text of a parameter; what is 'As in `agreement`' is told there."""
    as_in = AS_IN.match(text)
    other = inspect.unwrap(function).__globals__.get(as_in[1]) if as_in else None
    if as_in is None or other is None:
        return text
    return f"{parsed(other.__doc__).parameters.get(name, '')} {as_in[2]}".strip()


def _plain(text: str) -> str:
    return re.sub(r"(?m)^ +(?=\S)", "", re.sub(r"`+|\*", "", text))


# ------------------------------------------------------------------ what was typed


class Asked:
    """What was typed, for a command that runs."""

    def __init__(self, definition: Definition, made: _Made, typed: Mapping[str, Any]) -> None:
        self.definition, self.options = definition, made.known
        self.words = dict(typed)
        self.typed = {
            name: value
            for name, option in made.known.items()
            if (value := option.meant(typed.get(name))) is not None
        }
        self.more = {name: x for name, x in self.typed.items() if name in made.further}
        self.files: tuple[Path, ...] = ()
        self.chosen = self._choose()

    def __contains__(self, name: str) -> bool:
        return name in self.typed

    @property
    def quiet(self) -> bool:
        """Whether only the answer is wanted."""
        return bool(self.typed.get("quiet"))

    def _choose(self) -> Call | None:
        """The call that the options choose; an option of another one is an error."""
        calls = self.definition.calls
        chosen = [c for c in calls if any(name in self for name in c.when)]
        if len(chosen) > 1:
            both = " and ".join(spelled(next(n for n in c.when if n in self)) for c in chosen)
            raise click.UsageError(f"{both} ask two questions: give one.")
        call = next(iter(chosen), next((c for c in calls if not c.when), None))
        for name in self.typed:
            takers = self.options[name].calls & {f for c in calls for f in c.functions}
            if call and takers and not takers & {*call.functions, self.definition.run, read}:
                if self.options[name].calls & {self.definition.run, read}:
                    continue
                other = next(c for c in calls if takers & {*c.functions})
                goes = f"goes {other.title.lower()}" if other.when else "does not"
                beside = f" go {call.title.lower()}" if goes == "does not" else ""
                raise click.UsageError(f"{spelled(name)} {goes}{beside}.")
            if call and call.when and not self.options[name].calls and name in self._left_out(call):
                raise click.UsageError(f"{spelled(name)} does not go {call.title.lower()}.")
        return call

    def _left_out(self, call: Call) -> set[str]:
        """Options that only views of the results of other calls take."""
        own = call.kinds or (call.function.__name__,)
        of_all, of_call = (
            {name for kind in kinds for view in declared(kind) for name in view.options}
            for kinds in (self.definition.kinds, own)
        )
        return of_all - of_call

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The kinds of results of the call that was chosen."""
        if self.chosen is None:
            return self.definition.kinds
        return self.chosen.kinds or (self.chosen.function.__name__,)

    def made(self, function: Function) -> bool:
        """Whether this call was chosen."""
        return self.chosen is not None and self.chosen.function is function

    def given(self, function: Function) -> dict[str, Any]:
        """What was typed of the options of a call."""
        return {n: x for n, x in self.typed.items() if function in self.options[n].calls}

    def call(
        self, function: Function, *args: Any, also: Sequence[Function] = (), **more: Any
    ) -> Any:
        """Make a call with its options; a bar is drawn where it takes long."""
        keywords = {n: x for f in (function, *also) for n, x in self.given(f).items()} | more
        signature = inspect.signature(function).parameters
        for p in [*signature.values()][len(args) :]:
            if p.default is p.empty and p.name not in keywords and p.kind < p.VAR_POSITIONAL:
                raise click.UsageError(f"{spelled(p.name)} is needed.")
        with progress(self.definition.name, quiet=self.quiet) as watch:
            if "progress" in signature and watch is not None:
                keywords["progress"] = watch
            return function(*args, **keywords)

    @property
    def data(self) -> Annotations:
        """The annotations of the files; how they were understood is told on stderr."""
        return self.read(*self.files)

    def read(self, *files: Path, least: Literal[1, 2] = 2) -> Annotations:
        """The annotations of some files, read as was typed; of so many coders at least."""
        self.files = self.files or files
        return Source(files, self.given(read), self.quiet, least).read()

    @property
    def file(self) -> str:
        """The files as they can be typed again."""
        return " ".join(shlex.quote(str(path)) for path in self.files)

    def answer(self, arguments: Sequence[inspect.Parameter]) -> None:
        """Run the command and show its result."""
        run = self.definition.run
        for p in inspect.signature(run).parameters.values():
            if p.kind is p.KEYWORD_ONLY and p.default is p.empty and p.name not in self:
                raise click.UsageError(f"{spelled(p.name)} is needed.")
        args: list[Any] = []
        for p in arguments:
            word = self.words[p.name]
            args += word if p.kind is p.VAR_POSITIONAL else [word]
        self.files = tuple(x for x in args if isinstance(x, Path))
        answer = Answer.of(self.typed, self._kinds) if self.definition.shows else None
        result: Result | Shown | None = run(self, *args, **self.given(run))
        if result is not None and answer is not None:
            answer.show(result, Seen(self.file, self.typed))
