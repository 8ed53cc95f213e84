"""Everything that people can do in a project, in one place to import from.

Each is a command for `Project.do`: ``project.do(steps.sign_off, by="ana", concept="letter")``.
Their names are those of the functions that are registered with `commands.command.command`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from . import commands, meeting  # noqa: F401 (registers itself)
from .commands.command import COMMANDS, Events
from .importing import command as _import  # noqa: F401 (registers itself)

for _found in iter_modules(commands.__path__, f"{commands.__name__}."):
    import_module(_found.name)

_STEPS = {step.run.__name__: step.run for step in COMMANDS.values()}
__all__ = sorted(_STEPS)


def __getattr__(name: str) -> Callable[..., Events]:
    try:
        return _STEPS[name]
    except KeyError:
        raise AttributeError(f"there is no step {name!r}: {', '.join(__all__)}") from None


def __dir__() -> list[str]:
    return __all__
