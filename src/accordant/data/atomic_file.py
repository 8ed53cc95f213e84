"""Writing files whole or not at all: an interrupted run leaves what was there before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import RequestError


def write(path: Path, content: str) -> None:
    """Write a text file whole or not at all."""
    save(path, lambda new: new.write_text(content, encoding="utf-8", newline=""))


def save(path: Path, writer: Callable[[Path], Any]) -> None:
    """Let ``writer`` write a new file beside ``path``, then put it in its place.

    Raises
    ------
    RequestError
        If the file cannot be written; says why.
    """
    check_target(path)
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
            new = Path(folder) / path.name
            writer(new)
            os.replace(new, path)
    except OSError as error:
        raise RequestError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def check_target(path: Path, suffixes: Sequence[str] = ()) -> None:
    """Refuse a file that cannot be written, before any work is done for it.

    Raises
    ------
    RequestError
        If its folder is missing or may not be written, or its name ends in no known format.
    """
    if suffixes and path.suffix.lower() not in suffixes:
        known = ", ".join(suffixes)
        ends = f"its name must end in {'one of ' * (len(suffixes) > 1)}{known}"
        raise RequestError(
            f"cannot tell the format of {str(path)!r}: {ends if any(suffixes) else 'name a folder'}"
        )
    if path.is_dir():
        raise RequestError(f"cannot write {str(path)!r}: it is a folder")
    if not path.parent.is_dir():
        raise RequestError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    if not os.access(path.parent, os.W_OK):
        raise RequestError(
            f"cannot write {str(path)!r}: you may not write into the folder {str(path.parent)!r}"
        )
