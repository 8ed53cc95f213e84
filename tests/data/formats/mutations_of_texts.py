"""Damaged copies of text files, and whether reading them ends in annotations or in one error."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from accordant import read
from accordant.errors import AccordantError, ReadingWarning

PIECES = (
    "\t", "\n", "|", "\\", "[", "]", "_", "*", "-", "0", "999999999", "-1", "1e400", "null", "[[[[",
    "{", "}", '"', "#", "\ud800", "😊", "<", ">", "&x;", "..", ";", " ", "", "\r", "\x00", "é",
)  # fmt: skip


def damaged(content: str, n: int, seed: int) -> Iterator[bytes]:
    """Copies with something cut, put in, doubled, moved or replaced."""
    rng = random.Random(seed)
    for _ in range(n):
        text = content
        for _ in range(rng.choice((1, 1, 2, 5))):
            text = _once(text, rng)
        yield text.encode("utf-8", "surrogatepass")


def _once(text: str, rng: random.Random) -> str:
    at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    end = min(end, at + rng.choice((1, 3, 20, 400)))
    kind = rng.randrange(7)
    if kind == 0:
        return text[:at]  # cut
    if kind == 1:
        return text[:at] + text[end:]
    if kind == 2:
        return text[:at] + rng.choice(PIECES) + text[at:]
    if kind == 3:
        return text[:at] + rng.choice(PIECES) + text[end:]
    if kind == 4:
        return text[:end] + text[at:end] * rng.choice((1, 3)) + text[end:]
    lines = text.split("\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    if kind == 5:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        cells = lines[first].split("\t")
        cells[rng.randrange(len(cells))] = rng.choice(PIECES)
        lines[first] = "\t".join(cells)
    return "\n".join(lines)


def outcome(source: Path, spans: str = "labels") -> str:
    """Whether annotations come out of it, or one line of ours; anything else is raised."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ReadingWarning)
            str(read(source, spans=spans).reading)
    except AccordantError as error:
        if "\n" in str(error):
            raise ValueError("an error of several lines") from error
        return "refused"
    return "read"


def outcomes(
    folder: Path, files: dict[str, str], victims: Sequence[str], n: int, seed: int = 1
) -> dict[str, int]:
    """How often reading a folder with one damaged file works, and how often it is an error of ours.

    Anything else is raised.
    """
    counted = {"read": 0, "refused": 0}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    for victim in victims:
        path = folder / victim
        for content in damaged(files[victim], n // len(victims), seed):
            path.write_bytes(content)
            for spans in ("labels", "tokens"):
                counted[outcome(folder, spans)] += 1
        path.write_bytes(files[victim].encode())
    return counted
