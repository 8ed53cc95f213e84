"""The commands of a project; importing the room registers them."""

from . import annotation, cases, files, setup, toolbox

__all__ = ["annotation", "cases", "files", "setup", "toolbox"]
