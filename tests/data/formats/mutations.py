"""Damage to the files that readers get: cut, spliced, nested, encoded otherwise, bombs, slips.

What kind of damage follows from what the bytes are: an archive, JSON, XML or text.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import Any

SECRET = "k7-not-to-be-read"  # in a file that an XML entity refers to
ODD: tuple[Any, ...] = (
    None,
    0,
    -1,
    2**70,
    1e308,
    float("nan"),
    True,
    "",
    "x",
    "\ud800",
    [],
    [[]],
    [None],
    {},
    {"a": 1},
    [{"a": [1]}],
    [[0, 1, "x"]],
    [1, "x", None],
    {"value": {"value": 1}},
    ["a", "b"],
)
PIECES = (
    "\t",
    "\n",
    ",",
    "|",
    "\\",
    "[",
    "]",
    "_",
    "*",
    "-",
    "0",
    "999999999",
    "-1",
    "1e400",
    "null",
    "[[[[",
    "{",
    "}",
    '"',
    "#",
    "\ud800",
    "😊",
    "<",
    ">",
    "&x;",
    "..",
    ";",
    " ",
    "",
    "\r",
    "\x00",
    "é",
    "\ufeff",
    "1" * 5000,
    "[" * 60_000,
    '{"a":' * 30_000,
    "9" * 400,
    "=1+1",
    '{"choices": 3}',
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp1252", "mac_roman", "utf-7", "cp037")
HUGE = (b"x" * 3_000_000, b"," * 200_000, b"\n" * 500_000, b'"' + b"y\n" * 200_000, b"\t" * 200_000)
ENTITIES = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 10))
SLIPS = (
    "../../slip.csv",
    "../../../../slip.tsv",
    "/slip.csv",
    "C:\\slip.csv",
    "..\\..\\slip.csv",
    "a/../../../slip.json",
    "slip\nline.csv",
    "x" * 5000 + ".csv",
    ".",
    "..",
    "a//b.csv",
    "\u202e.csv",
)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """One damaged copy of the content of a file."""
    kind = rng.random()
    if kind < 0.12:
        return _bytes(content, rng)
    if content.startswith(b"PK\x03\x04"):
        return _archive(content, rng)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _bytes(content, rng)
    if kind < 0.16:
        return text.encode(rng.choice(ENCODINGS), "replace")
    if kind < 0.18:
        at = rng.randrange(len(content) + 1)
        return content[:at] + rng.choice(HUGE) + content[at:]
    if kind < 0.6 and text.lstrip()[:1] in ("{", "["):
        return _json(text, rng)
    if kind < 0.4 and text.lstrip().startswith("<"):
        return _xml(text, rng).encode("utf-8", "surrogatepass")
    for _ in range(rng.choice((1, 1, 2, 5))):
        text = _text(text, rng)
    return text.encode("utf-8", "surrogatepass")


def packed(content: bytes, name: str, rng: random.Random) -> bytes:
    """The file in an archive or compressed, whole or cut."""
    if rng.random() < 0.5:
        out = gzip.compress(rng.choice((content, content, bytes(50_000_000))), 1)
    else:
        out = zipped([Entry.of(name, content), *rng.choice(((), (bomb(name),)))])
    return out if rng.random() < 0.6 else _bytes(out, rng)


# ------------------------------------------------------------------ bytes and lines


def _bytes(content: bytes, rng: random.Random) -> bytes:
    out = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at, end = sorted(rng.randrange(len(out) + 1) for _ in range(2))
        end = min(end, at + rng.choice((1, 2, 8, 200)))
        match rng.randrange(5):
            case 0:
                del out[at:]
            case 1:
                del out[at:end]
            case 2:
                out[at:end] = rng.randbytes(end - at)
            case 3:
                out[at:at] = rng.choice((b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"[" * 5000))
            case 4:
                out[end:end] = out[at:end] * 3
    return bytes(out)


def _text(text: str, rng: random.Random) -> str:
    at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    end = min(end, at + rng.choice((1, 3, 20, 400)))
    kind = rng.randrange(9)
    if kind == 0:
        return text[:at]
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
    elif kind == 6:
        lines.append(lines[first])
    else:
        mark = max("\t,;|", key=lines[0].count)
        cells = lines[first].split(mark)
        at = rng.randrange(len(cells))
        match rng.randrange(4):
            case 0:
                del cells[at]
            case 1:
                cells.insert(at, cells[rng.randrange(len(cells))])
            case 2:
                cells = [""] * len(cells)
            case 3:
                cells[at] = rng.choice(PIECES)
        lines[first] = mark.join(cells)
    return "\n".join(lines)


# ------------------------------------------------------------------ JSON and XML


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of objects and lists: what holds it, and its key."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def _json(text: str, rng: random.Random) -> bytes:
    """Members deleted, exchanged for others, put into one another or nested too deep."""
    try:
        value, whole = json.loads(text), True
    except ValueError:
        try:
            value, whole = [json.loads(x) for x in text.splitlines() if x.strip()], False
        except ValueError:
            return _text(text, rng).encode("utf-8", "surrogatepass")
    value = [value]
    for _ in range(rng.randint(1, 4)):
        holder, key = rng.choice(list(places(value)))
        match rng.randrange(7):
            case 0 if holder is not value:
                del holder[key]
            case 1:
                holder[key] = [holder[key]]
            case 2:
                holder[key] = {"a": holder[key]}
            case 3:
                other, at = rng.choice(list(places(value)))
                holder[key] = copy.deepcopy(other[at])
            case 4 if isinstance(holder, dict):
                holder[rng.choice(("", "x" * 20_000, "item", "coder", key))] = holder.pop(key)
            case _:
                holder[key] = copy.deepcopy(rng.choice(ODD))
    rows = value[0] if not whole and isinstance(value[0], list) else value
    out = "\n".join(map(json.dumps, rows))
    if rng.random() < 0.05:
        out = out.replace(
            '": ', f'": {rng.choice(("[" * 90_000, "9" * 6000, "NaN", "-Infinity"))}', 1
        )
    return out.encode()


def _xml(text: str, rng: random.Random) -> str:
    """Entities that grow or name files, elements inside one another, attributes without end."""
    start = text.find("<", text.find("?>") + 1)
    kinds = (
        f'<!DOCTYPE x [<!ENTITY e0 "lol">{ENTITIES}]>',
        '<!DOCTYPE x [<!ENTITY e9 SYSTEM "secret.txt">]>',
        '<!DOCTYPE x [<!ENTITY e9 SYSTEM "http://127.0.0.1:9/x">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    )
    match rng.randrange(3):
        case 0:
            at = rng.choice([k for k, c in enumerate(text) if c in '">' and k > start] or [start])
            return f"{text[:start]}{rng.choice(kinds)}{text[start:at]}&e9;{text[at:]}"
        case 1:
            at = text.rfind("</")
            deep = "<a>" * 20_000
            return text[:at] + deep + deep.replace("<", "</") * rng.randrange(2) + text[at:]
    at = text.find(" ", start)
    many = " ".join(f'a{k}="{"x" * 40}"' for k in range(5000))
    return f"{text[:at]} {many} {text[at:]}"


# ------------------------------------------------------------------ archives


@dataclass(frozen=True)
class Entry:
    """A member of a zip archive as it lies in it, so that its head may tell lies."""

    name: str
    raw: bytes
    method: int
    crc: int
    size: int
    flags: int = 0x800

    @classmethod
    def of(cls, name: str, content: bytes) -> Entry:
        raw = zlib.compress(content, 6)[2:-4]
        return cls(name, raw, 8, zlib.crc32(content), len(content))


def zipped(entries: Sequence[Entry]) -> bytes:
    """A zip archive (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16)."""
    out, directory = bytearray(), bytearray()
    for e in entries:
        name = e.name.encode("utf-8", "surrogatepass")
        same = struct.pack(
            "<HHHHHIIIHH", 20, e.flags, e.method, 0, 33, e.crc, len(e.raw), e.size, len(name), 0
        )
        directory += b"PK\x01\x02\x14\x00" + same
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(out)) + name
        out += b"PK\x03\x04" + same + name + e.raw
    n = len(entries)
    end = struct.pack("<HHHHIIH", 0, 0, n, n, len(directory), len(out), 0)
    return bytes(out + directory + b"PK\x05\x06" + end)


@cache
def _zeros() -> Entry:
    """A bomb: 400 MB."""
    packer, raw, crc = zlib.compressobj(9, zlib.DEFLATED, -15), bytearray(), 0
    for _ in range(400):
        raw += packer.compress(bytes(1 << 20))
        crc = zlib.crc32(bytes(1 << 20), crc)
    return Entry("", bytes(raw + packer.flush()), 8, crc, 400 << 20)


def bomb(name: str) -> Entry:
    return replace(_zeros(), name=name)


def _archive(content: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = {n: archive.read(n) for n in archive.namelist() if not n.endswith("/")}
    entries = [Entry.of(n, c) for n, c in members.items()]
    k = rng.randrange(len(entries))
    one = entries[k]
    kind = rng.random()
    if kind < 0.7:
        entries[k] = Entry.of(one.name, damaged(members[one.name], rng))
    elif kind < 0.78:
        entries[k] = replace(one, name=rng.choice(SLIPS))
    elif kind < 0.81:
        entries[k] = bomb(one.name)
    elif kind < 0.83:
        entries[k] = replace(bomb(one.name), size=rng.choice((one.size, 0, 100)))
    elif kind < 0.87:
        entries[k] = replace(one, size=rng.choice((0, 10, one.size * 3, 2**32 - 2)))
    elif kind < 0.9:
        entries[k] = replace(one, flags=0x801)  # encrypted
    elif kind < 0.92:
        entries[k] = replace(one, method=rng.choice((0, 9, 12, 14, 99)))
    elif kind < 0.94:
        entries[k] = replace(one, crc=one.crc ^ 1)
    elif kind < 0.96:
        del entries[k]
    elif kind < 0.98:
        entries.append(rng.choice(entries))
    else:
        inner = content
        for _ in range(rng.choice((1, 3))):
            inner = zipped([Entry.of("inner.zip", inner)])
        entries.append(Entry.of("inner.zip", inner))
    return zipped(entries)
