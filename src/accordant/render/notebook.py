"""Sections as HTML for a notebook, which brings its own style."""

from __future__ import annotations

from collections.abc import Iterable

from ..views.document import Section
from .html import environment

__all__ = ["notebook"]


def notebook(sections: Iterable[Section]) -> str:
    """The sections, headline and main."""
    return str(environment().get_template("notebook.html").render(sections=tuple(sections)))
