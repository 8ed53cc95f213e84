"""How a command ends: an exit code, and at most one message on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from .parameters import spelled
from .terminal import COLOUR

__all__ = ["DEBUG", "INTERRUPTED", "ended"]

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
    from ..actions import Action
    from ..errors import AccordantError, RequestError  # a help text does without them

    match error:
        case AccordantError():
            code = USAGE if isinstance(error, RequestError) else FAILED
            return error.told(spelled, Action.shell), code
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
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream.isatty():
            reconfigure(errors="replace")
        else:
            reconfigure(encoding="utf-8", errors="replace")


def silence_stdout() -> None:
    """Nobody reads any more (`| head`): let the interpreter's last flush go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
