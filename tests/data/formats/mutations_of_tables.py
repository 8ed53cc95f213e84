"""Damage to exports: whatever a file is, `read` gives annotations or one of our errors."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

from accordant import read
from accordant.errors import AccordantError, ReadingWarning

ODD = [
    b"\x00",
    b'"',
    b"\xff\xfe",
    b"\t",
    b"\n",
    b"[[[",
    b'{"choices": 3}',
    b"\xed\xa0\x80",
    b",",
    b"",
]


def damaged(content: bytes, times: int, seed: int) -> Iterator[bytes]:
    """Content that is cut, spliced, or has cells and lines exchanged, deleted and doubled."""
    rng = random.Random(seed)
    for _ in range(times):
        lines = content.split(b"\n")
        for _ in range(rng.randint(1, 4)):
            k = rng.randrange(len(lines))
            mark = b"\t" if lines[0].count(b"\t") else b","
            cells = lines[k].split(mark)
            j = rng.randrange(len(cells))
            match rng.randrange(6):
                case 0:
                    cells[j] = rng.choice(ODD) * rng.choice((1, 1, 2000))
                case 1:
                    del cells[j]
                case 2:
                    cells.insert(j, cells[rng.randrange(len(cells))])
                case 3:
                    lines.append(lines[rng.randrange(len(lines))])
                case 4:
                    cells = [b""] * len(cells)
                case 5:
                    lines = b"\n".join(lines)[: rng.randrange(1, len(content))].split(b"\n")
                    k = min(k, len(lines) - 1)
                    cells = lines[k].split(mark)
            lines[k] = mark.join(cells)
        yield b"\n".join(lines)


def only_our_errors(content: bytes, path: Path, times: int = 200, seed: int = 1) -> int:
    """How many of the damaged files are still read; whatever else is raised fails the test."""
    n = 0
    for damage in damaged(content, times, seed):
        path.write_bytes(damage)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ReadingWarning)
            with contextlib.suppress(AccordantError):
                n += len(read(path)) > 0
    return n
