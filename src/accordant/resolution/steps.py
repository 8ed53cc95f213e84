"""Everything that people can do in a project, in one place to import from.

Each is a command for `Project.do`: ``project.do(steps.sign_off, by="ana", concept="letter")``.
Their names are those of the functions that are registered with `command.command`.
"""

from __future__ import annotations

from collections.abc import Callable

from . import procedure as _procedure  # noqa: F401  (registers the commands)
from .command import COMMANDS, Events

_STEPS = {step.run.__name__: step.run for step in COMMANDS.values()}
__all__ = sorted(_STEPS)


def __getattr__(name: str) -> Callable[..., Events]:
    try:
        return _STEPS[name]
    except KeyError:
        raise AttributeError(f"there is no step {name!r}: {', '.join(__all__)}") from None


def __dir__() -> list[str]:
    return __all__
