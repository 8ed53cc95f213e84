"""Write a document into a file whose name says the format."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from ..data.saving import save
from ..errors import RequestError

__all__ = ["Renderers", "write"]

Made = TypeVar("Made")
Renderers: TypeAlias = Mapping[str, Callable[[Made], str | bytes]]


def write(
    document: Made, path: str | os.PathLike[str], renderers: Renderers[Made], what: str
) -> Path:
    """Write ``document`` and say where; an older file is replaced only by a complete new one.

    Raises
    ------
    RequestError
        If the ending of the name is none of ``renderers``, or the file cannot be written.
    """
    target = Path(path)
    render = renderers.get(target.suffix.lower())
    if render is None:
        raise RequestError(
            f"cannot write a {what} to {str(path)!r}: the name must end in {', '.join(renderers)}"
        )
    content = render(document)
    whole = content if isinstance(content, bytes) else content.encode()
    save(target, lambda new: new.write_bytes(whole))
    return target
