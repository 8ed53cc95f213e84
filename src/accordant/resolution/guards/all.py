"""Every guard, registered by importing its module."""

from . import alignment, annotation, resolution, setup

__all__ = ["alignment", "annotation", "resolution", "setup"]
