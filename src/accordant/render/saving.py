"""A document into a file whose name says the format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..data.atomic_file import save
from ..errors import RequestError
from ..results import csv_of
from ..views.document import Document
from .html import html
from .json import as_json
from .latex import latex
from .markdown import markdown
from .pdf import pdf
from .vega import png_file, svg_file

RENDERERS: dict[str, Callable[..., str | bytes]] = {
    ".html": lambda document, full: html(document),
    ".pdf": lambda document, full: pdf(document, full=full),
    ".md": lambda document, full: markdown(document, full=full),
    ".tex": lambda document, full: latex(document, full=full),
    ".json": lambda document, full: as_json(document),
    ".csv": lambda document, full: csv_of(document.to_rows()),
    ".svg": lambda document, full: svg_file(document),
    ".png": lambda document, full: png_file(document),
}
"""Every renderer of a whole document, by the ending of the file name."""


def saved_as(document: Document, path: Path, *, full: bool = False) -> Path:
    """Write a document and say where; an older file is replaced only by a complete new one.

    Raises
    ------
    RequestError
        If the ending is none of the document's, or the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending not in document.endings:
        raise RequestError(
            f"cannot write this report to {str(path)!r}: the name must end in "
            f"{', '.join(document.endings)}"
        )
    content = RENDERERS[ending](document, full)
    whole = content if isinstance(content, bytes) else content.encode()
    save(path, lambda new: new.write_bytes(whole))
    return path
