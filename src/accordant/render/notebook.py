"""Sections as HTML for a notebook, which brings its own style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..views.blocks import Block, Choice
from ..views.document import Section, visible
from .html import environment

__all__ = ["notebook"]


def notebook(sections: Iterable[Section]) -> str:
    """The sections, headline and main."""
    shown = tuple(replace(s, blocks=tuple(_on_top(s.blocks))) for s in sections)
    return str(environment().get_template("notebook.html").render(sections=shown))


def _on_top(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks that do not lie deeper, of each of several questions too."""
    for block in visible(blocks, "main"):
        if isinstance(block, Choice):
            options = tuple((name, tuple(_on_top(inside))) for name, inside in block.options)
            yield replace(block, options=options)
        else:
            yield block
