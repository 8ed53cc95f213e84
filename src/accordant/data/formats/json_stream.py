"""The values of a JSON text one after another, holding little more than one of them."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from ...errors import InputError

__all__ = ["blocks_of", "values_of"]

BLOCK = 1 << 20


def blocks_of(stream: BinaryIO) -> Iterator[str] | None:
    """The text of a stream in blocks; None if it is no UTF-8, which is found out first."""
    try:
        if any("\0" in block for block in _decoded(stream)):
            return None
    except UnicodeDecodeError:
        return None
    stream.seek(0)
    return _decoded(stream)


def _decoded(stream: BinaryIO) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    while block := stream.read(BLOCK):
        yield decoder.decode(block)
    yield decoder.decode(b"", final=True)


class _Text:
    """The part of a text that is looked at."""

    def __init__(self, blocks: Iterator[str]) -> None:
        self.blocks, self.text, self.line, self.ended = blocks, "", 1, False

    def more(self, at: int) -> None:
        """Let go of what is before a position, and get as much again as there is after it."""
        self.line += self.text.count("\n", 0, at)
        parts, n = [self.text[at:]], 0
        while n <= len(parts[0]):
            block = next(self.blocks, None)
            if block is None:
                self.ended = True
                break
            parts.append(block)
            n += len(block)
        self.text = "".join(parts)


def values_of(blocks: Iterator[str], source: str) -> Iterator[tuple[int, Any]]:
    """The members of a JSON list, the one JSON object, or JSON lines, with their line.

    Raises
    ------
    InputError
        With the line where the text is no JSON.

    Examples
    --------
    >>> list(values_of(iter(['[{"a": 1},', ' 2', '3]']), "a.json"))
    [(1, {'a': 1}), (1, 23)]
    """
    decoder, part, at = json.JSONDecoder(), _Text(blocks), 0
    line, counted, before = 1, 0, "["  # the mark that may stand before the next value
    while True:
        at = _solid(part.text, at)
        if at < len(part.text):
            if part.text[at] == before:
                at, before = at + 1, ""
                continue
            if part.text[at] == "]":
                return
            error: Exception | None = None
            try:
                found, end = decoder.raw_decode(part.text, at)
            except (ValueError, RecursionError) as caught:
                error, end = caught, 0
            if part.ended or (error is None and end < len(part.text)):
                if error is not None:
                    raise _no_json(error, part, at, source)
                line, counted = line + part.text.count("\n", counted, at), at
                yield line, found
                at, before = end, ","
                continue
            if isinstance(error, RecursionError):
                raise _no_json(error, part, at, source)
        elif part.ended:
            return
        part.more(at)
        line, counted, at = part.line, 0, 0


def _no_json(error: Exception, part: _Text, at: int, source: str) -> InputError:
    why = getattr(error, "msg", "too many brackets inside one another")
    shown = part.text[at : at + 40].split("\n")[0]
    end = min(getattr(error, "pos", at), len(part.text.rstrip()))  # not a line below the last
    row = part.line + part.text.count("\n", 0, end)
    return InputError(f"the file is not JSON ({why}), from {shown!r}", file=source, row=row)


def _solid(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
