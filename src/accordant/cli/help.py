"""Commands with grouped options and examples, groups that load them late, and how a run ends.

Options that many commands take are made once, and explained in one help text. A run ends with an
exit code, and at most one message on stderr.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import click

from .console import COLOUR

READING, OUTPUT, ACTING = "How to read the file", "Output", "Which project, and who"
EXPLAINED = {
    READING: "accordant describe --help",
    OUTPUT: "accordant --help",
    ACTING: "accordant project --help",
}
"""Headings of options that many commands take, and the help text that explains them."""
OTHER = "Other options"

DEBUG = "ACCORDANT_DEBUG"
OK, FAILED, USAGE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141


def ended(run: Callable[[], Any]) -> int:
    """Run a command line and give its exit code; whatever goes wrong is told in one message."""
    prepare_streams()
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else OK
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return interrupted()
    except BrokenPipeError:
        silence_stdout()
        return PIPE_CLOSED
    except Exception as error:
        return interrupted() if _from_interrupt(error) else failed(*_told(error))


def interrupted() -> int:
    """The answer to Ctrl-C."""
    say("interrupted, nothing was written", prefix="\n")
    return INTERRUPTED


def _from_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C lies behind an error: class bodies and extension modules wrap it on import."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def say(message: str, prefix: str = "Error: ") -> None:
    """One message on stderr."""
    click.echo(click.style(prefix, fg="red", bold=True) + message, err=True, color=COLOUR)


def failed(message: str, code: int = FAILED) -> int:
    """The message as an error; with ACCORDANT_DEBUG the error itself."""
    if os.environ.get(DEBUG):
        raise
    say(message)
    return code


def _told(error: Exception) -> tuple[str, int]:
    """What went wrong, and the exit code."""
    from ..actions import Action, option
    from ..errors import AccordantError, RequestError  # a help text does without them

    match error:
        case AccordantError():
            code = USAGE if isinstance(error, RequestError) else FAILED
            return error.told(option, Action.shell), code
        case OSError():
            return _system(error), FAILED
        case MemoryError():
            return "the memory of this machine is not enough for these data", FAILED
    return _bug(error), FAILED


def _system(error: OSError) -> str:
    what = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {what}" if error.filename else what


def _bug(error: Exception) -> str:
    told = " ".join(str(error).split())[:300]
    return (
        f"this is a defect in Accordant, not in your data: {type(error).__name__}"
        f"{f': {told}' if told else ''}. "
        f"Set {DEBUG}=1 and repeat the command to see where it happens; "
        "please report it with what that prints"
    )


def prepare_streams() -> None:
    """Write UTF-8 into files and pipes; on a terminal, show what it can show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def silence_stdout() -> None:
    """Nobody reads any more (`| head`): let the interpreter's last flush go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# ------------------------------------------------------------------ options


class Option(click.Option):
    """An option under a heading of the help."""

    section = OTHER

    def meant(self, typed: Any) -> Any:
        """What was typed as an argument of the function; None if nothing was."""
        kind: Any = self.type
        if typed is None or typed == () or not getattr(kind, "repeated", False):
            return None if typed == () else typed
        if kind.named:
            each = {name: x for one in typed for name, x in one.items()}
            if "" in each and len(each) > 1:
                raise click.UsageError(f"give {self.opts[-1]} once, or as NAME=... for each name")
            return each.get("", each)
        if kind.single and len(typed) == 1:
            return typed[0]
        return [x for one in typed for x in (one if isinstance(one, list) else [one])]


class File(click.Path):
    """The name of a file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> Any:
        """What was typed as a path."""
        from pathlib import Path  # slow to import

        return Path(value)


@cache
def output_options(*names: str) -> tuple[Option, ...]:
    """What is printed or written, and how: the options of the names, or all."""
    if names:
        return tuple(one for one in output_options() if one.name in names)
    made = (
        Option(
            ["-n", "--most"],
            type=click.IntRange(1),
            metavar="N",
            help="Rows of each question. Default: all; of tables for reading the first 20.",
        ),
        Option(["--full"], is_flag=True, help="Show the details too."),
        Option(
            ["-f", "--format"],
            type=click.Choice(("table", "json", "csv", "md", "latex")),
            help="Default: what the name of --output ends in, else a table for reading.",
        ),
        Option(
            ["-o", "--output"],
            type=File(),
            metavar="FILE",
            help="Write there instead of printing; the name says the format: .txt, .md, .tex, "
            ".json, .csv, .tsv, .xlsx, .parquet, .jsonl.",
        ),
        Option(["-q", "--quiet"], is_flag=True, help="Print only the answer, and warnings."),
    )
    for one in made:
        one.section = OUTPUT
    return made


# ------------------------------------------------------------------ commands


class Command(click.Command):
    """A command whose options stand under headings, in the order of their first option."""

    examples: Sequence[tuple[str, str]] = ()
    """What to type, and what it does."""
    shared: Sequence[Option] = ()
    """Options that other commands have as well; those of its own go first."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Everything that may be typed."""
        own = super().get_params(ctx)
        names = {one.name for one in own}
        return [*(one for one in self.shared if one.name not in names), *own]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Understand the words; of an option that there is not, say what is near."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            from difflib import get_close_matches  # slow to import

            from ..removed import instead

            name = error.option_name.lstrip("-")
            known = {one.lstrip("-"): one for p in self.get_params(ctx) for one in p.opts}
            near = [known[one] for one in get_close_matches(name, known, 1, 0.7)]
            gone = instead("option", name.replace("-", "_"))
            told = f" Instead: {gone}" if gone else f" Did you mean {near[0]!r}?" if near else ""
            message = f"There is no option {error.option_name!r} here.{told}"
            raise click.NoSuchOption(error.option_name, message, ctx=ctx) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section; the shared ones by name, the general ones last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        also: dict[str, list[str]] = {}
        for parameter in self.get_params(ctx):
            section = getattr(parameter, "section", OTHER)
            if parameter in self.shared:
                also.setdefault(section, []).append("/".join(parameter.opts))
                continue
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(section, []).append(record)
        for title in sorted(sections, key=lambda title: title == OTHER):
            with formatter.section(title):
                formatter.write_dl(sections[title], col_max=26)
        for title, names in also.items():
            with formatter.section(f"{title}, explained by `{EXPLAINED[title]}`"):
                formatter.write_text(", ".join(names))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for typed, effect in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}# {effect}\n")
                    formatter.write(f"{'':{formatter.current_indent}}{typed}\n")


class Group(Command, click.Group):
    """Commands that are made when they are called; every error becomes one message.

    Parameters
    ----------
    parts : mapping
        Headings of the help to the commands below each: name to a function that makes it.
    summary : callable
        Name → what the help says of it, without making it.
    """

    def __init__(
        self,
        *args: Any,
        parts: Mapping[str, Mapping[str, Callable[[], click.Command]]],
        summary: Callable[[str], str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.parts = parts
        self.made = {name: make for part in parts.values() for name, make in part.items()}
        self.summary = summary

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(self.made)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, made now."""
        make = self.made.get(cmd_name)
        return None if make is None else make()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Understand the words before the command: `accordant -q agreement` stands for its own."""
        words = [*args]
        rest = super().parse_args(ctx, args)
        ctx.meta[ctx.command_path] = words[: len(words) - len(rest) - 1]
        return rest

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first word, or the nearest name if there is none."""
        name, before = args[0], ctx.meta.get(ctx.command_path, ())
        if not ctx.resilient_parsing and name not in self.made and not name.startswith("-"):
            from ..removed import instead

            path = " ".join([*ctx.command_path.split()[1:], name])
            gone = instead("command", path)
            told = f"There is no command {name!r} any more. Instead: {gone}."
            ctx.fail(told if gone else self._nearest(name))
        found, command, rest = super().resolve_command(ctx, args)
        return found, command, [*before, *rest]

    def _nearest(self, name: str) -> str:
        from difflib import get_close_matches  # slow to import

        close = get_close_matches(name, self.made, 1)
        if close:
            hint = f"Did you mean {close[0]!r}?"
        elif os.path.exists(name):
            hint = f"For the report of that file: accordant report {name}"
        else:
            hint = f"Commands: {', '.join(self.made)}."
        return f"There is no command {name!r}. {hint}"

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, heading by heading, then the options."""
        for title, part in self.parts.items():
            with formatter.section(title or "Commands"):
                formatter.write_dl([(name, self.summary(name)) for name in part])
        Command.format_options(self, ctx, formatter)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and exit with 0 (answered), 1 (an error), 2 (usage) or 130 (interrupted)."""
        kwargs["standalone_mode"] = False
        sys.exit(ended(lambda: click.Group.main(self, *args, **kwargs)))
