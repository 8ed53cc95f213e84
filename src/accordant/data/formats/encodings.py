"""The text of a file: UTF-8, UTF-16, or what spreadsheets on Windows and Mac write."""

from __future__ import annotations

import codecs
import re
import unicodedata

from ...errors import InputError

__all__ = ["decode", "encoding_of"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Most usual first. ISO 8859 is not among them: no spreadsheet writes it.
_OLD = ("cp1252", "mac_roman", "cp1250", "cp1251", "cp1253", "cp1254", "mac_latin2", "mac_cyrillic")
_WEST = frozenset("äöüßéèàçñáíóúâêîôûëïãõåæøœÄÖÜÉÈÀÇÑÁÍÓÚÂÊÎÔÅÆØ")
_MARKS = frozenset("“”„‚‘’–—…€«»°§©®™£½²³·•¿¡×\xa0")
_MOST = 1 << 18  # bytes that are looked at
_CLOSE = 0.08  # difference of the shares of odd letters that decides nothing


def decode(content: bytes, name: str, encoding: str | None) -> str:
    """The text of a file in the encoding the user named, or the one that `encoding_of` finds.

    Raises
    ------
    InputError
        With the line of the first byte that is no text.
    """
    found = encoding or encoding_of(content)[0]
    try:
        text = content.decode(found)
    except UnicodeDecodeError as e:
        _refuse_binary(content, name)
        around = content[max(0, e.start - 12) : e.start + 6]
        raise InputError(
            f"byte {e.start + 1:,} ({content[e.start : e.start + 1]!r} in {around!r}) is not "
            f"{found.upper()} text. Save the file as UTF-8",
            file=name,
            row=content[: e.start].count(b"\n") + 1,
        ) from None
    except LookupError:
        raise InputError(
            f"unknown encoding {encoding!r}: try 'utf-8', 'cp1252' or 'utf-16'", file=name
        ) from None
    if encoding is None and found in _OLD:
        _refuse_binary(content, name)
    if "\0" in text:
        raise InputError(
            "the file is not text: it holds zero bytes. Known formats are CSV, TSV, XLSX, "
            "Parquet and JSON lines",
            file=name,
            row=text[: text.index("\0")].count("\n") + 1,
        )
    return text


def encoding_of(content: bytes) -> tuple[str, str, bool]:
    """The encoding of a text, a note if it is not UTF-8, and whether it is in doubt."""
    found = next((e for bom, e in _BOMS if content.startswith(bom)), None)
    if found is not None:
        return found, "" if found == "utf-8-sig" else _read_as(found), False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        utf_16 = _utf_16(content)
        return utf_16 or "utf-8", _read_as(utf_16) if utf_16 else "", False
    utf_16 = _utf_16(content)
    return (utf_16, _read_as(utf_16), False) if utf_16 else _old(content)


def _read_as(encoding: str) -> str:
    return f"the text is read as {encoding.upper()}"


def _utf_16(content: bytes) -> str | None:
    """UTF-16 without its mark: every other byte of mostly Latin text is zero."""
    start = content[:4000]
    pairs = len(start) // 2
    if pairs < 2 or b"\0" not in start:
        return None
    for encoding, zeros in (("utf-16-le", start[1::2]), ("utf-16-be", start[::2])):
        if zeros.count(0) * 10 >= 7 * pairs:
            return encoding
    return None


def _old(content: bytes) -> tuple[str, str, bool]:
    """The code page under which the words look like words."""
    some = b"\n".join(line for line in content.splitlines() if not line.isascii())[:_MOST]
    texts: dict[str, str] = {}
    for encoding in _OLD:
        try:
            text = some.decode(encoding)
        except UnicodeDecodeError:
            continue
        texts.setdefault(text, encoding)
    if not texts:
        return "utf-8", "", False
    odd = {encoding: _odd(text) for text, encoding in texts.items()}
    least = min(odd.values())
    close = [e for e in odd if odd[e] <= least + _CLOSE]
    best, doubt = min(close, key=lambda e: odd[e]), False
    if len(close) > 1:
        best, doubt = _by_language(some, close, best)
    sample = next((w for w in re.findall(r"\w+", some.decode(best)) if not w.isascii()), "")
    what = f"the text is not UTF-8; it is read as {best}, such as {sample!r}"
    return best, f"{what}. If words look wrong, save it as UTF-8", doubt


def _by_language(some: bytes, close: list[str], best: str) -> tuple[str, bool]:
    """Of encodings that give plausible letters, the one whose letters are as in a language."""
    from charset_normalizer import from_bytes

    known = {m.encoding: m.coherence for m in from_bytes(some, cp_isolation=[*close])}
    known |= {e: m for e, m in known.items() if e in close}
    ranked = sorted(close, key=lambda e: -known.get(e, 0.0))
    first, second = (known.get(e, 0.0) for e in ranked[:2])
    if first >= second + 0.1:
        return ranked[0], False
    return best, True


def _odd(text: str) -> float:
    """The share of letters that do not look as in a word, the usual western ones being usual."""
    points, n = 0.0, 0
    for k, ch in enumerate(text):
        if ch.isascii():
            continue
        n += 1
        before, after = text[k - 1 : k], text[k + 1 : k + 2]
        kind = unicodedata.category(ch)
        if kind == "Cc" or kind == "Co":
            points += 2
        elif ch in _WEST:
            points += 0.5 * (before.islower() and ch.isupper())
        elif ch in _MARKS:
            points += before.isalpha() and after.isalpha() and ch != "’"
        elif kind in ("Ll", "Lu"):
            latin = "LATIN" in unicodedata.name(ch, "")
            mixed = not latin and any(c.isascii() and c.isalpha() for c in (before, after))
            points += 1 if mixed else 0.2 if latin else 0.1
            points += 0.5 * (before.islower() and ch.isupper())
        else:
            points += 1
        if (
            not (before.isascii() or ch in _MARKS)
            and ch.isalpha()
            and "LATIN" in unicodedata.name(ch, "")
        ):
            points += 0.3
    return points / max(n, 1)


def _refuse_binary(content: bytes, name: str) -> None:
    start = content[:2000]
    odd = sum(b < 32 and b not in b"\t\n\r\f" for b in start)
    if odd * 20 > len(start):
        raise InputError(
            "the file is not text, and no format that can be read (CSV, TSV, XLSX, Parquet, JSON "
            "lines)",
            file=name,
        )
