"""What is taken from a zip archive: members that are whole, and no more than can be meant."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from io import BytesIO

from ...errors import InputError

__all__ = ["DAMAGE", "MOST_BYTES", "MOST_RATIO", "opened", "unpacked"]

MOST_BYTES = 2 << 30  # of all members, unpacked
MOST_MEMBERS = 200_000
MOST_RATIO = 200  # unpacked to packed: text packs 10 : 1, a bomb 1,000 : 1
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    KeyError,
)
"""What `zipfile` raises on archives that are damaged, protected or packed in an unknown way."""


def opened(content: bytes, source: str, what: str = "zip archive") -> zipfile.ZipFile:
    """An archive whose members have a size that can be meant; ``what`` is what messages call it.

    Raises
    ------
    InputError
        If it is damaged, or unpacks to more than is read.
    """
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        infos = archive.infolist()
    except DAMAGE as error:
        raise InputError(
            f"the {what} cannot be opened, it may be damaged ({error})", file=source
        ) from None
    size = sum(i.file_size for i in infos)
    if (
        size > MOST_BYTES
        or size > MOST_RATIO * len(content) + (1 << 20)
        or len(infos) > MOST_MEMBERS
    ):
        raise InputError(
            f"the {what} unpacks to {size / 1e6:,.0f} MB in {len(infos):,} files, "
            "more than is read. Give what is needed of it, unpacked",
            file=source,
        )
    return archive


def unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: str, most: int = -1) -> bytes:
    """A member, or its first bytes; never more than the archive says that it holds."""
    try:
        with archive.open(info) as f:
            return f.read(info.file_size if most < 0 else most)
    except DAMAGE as error:
        raise InputError(f"cannot be unpacked ({error})", file=source) from None
