"""Every fold, registered by importing its module."""

from . import cases, project, rounds, toolbox

__all__ = ["cases", "project", "rounds", "toolbox"]
