"""Formulas as MathML, made when the pages are built: they need neither a network nor a script."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx


def mathml(latex: str, display: str) -> str:
    """One formula as MathML; several lines of one block become one formula each."""
    return convert(latex.strip(), display=display)


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula in a line."""
    translator.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula that stands alone."""
    formulas = (mathml(part, "block") for part in node.astext().split("\n\n"))
    translator.body.append(f'<div class="formula">{"".join(formulas)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer as ``html_math_renderer = "mathml"``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
