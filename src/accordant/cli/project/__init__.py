"""The commands of a project; importing the room registers them."""

from . import files, setup, sheets

__all__ = ["files", "setup", "sheets"]
