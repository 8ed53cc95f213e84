"""The text of a file: UTF-8, UTF-16, or what spreadsheets on Windows and Mac write."""

from __future__ import annotations

import codecs
import re
import unicodedata

from ...errors import InputError

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
_NO_TEXT = "the file is not text. Known formats are CSV, TSV, XLSX, Parquet and JSON lines"


def decode(content: bytes, name: str) -> str:
    """The text of a file in the encoding that `encoding_of` finds.

    Raises
    ------
    InputError
        With the line of the first byte that is no text.
    """
    found = encoding_of(content)[0]
    start = content[:2000]
    odd = sum(b < 32 and b not in b"\t\n\r\f" for b in start)
    if odd * 20 > len(start) and b"\0" not in content:
        raise InputError(_NO_TEXT, file=name)
    try:
        text = content.decode(found)
    except UnicodeDecodeError as e:
        around = content[max(0, e.start - 12) : e.start + 6]
        raise InputError(
            f"byte {e.start + 1:,} ({content[e.start : e.start + 1]!r} in {around!r}) is not "
            f"{found.upper()} text. Save the file as UTF-8",
            file=name,
            row=content[: e.start].count(b"\n") + 1,
        ) from None
    if "\0" in text:
        raise InputError(
            f"{_NO_TEXT} (it holds zero bytes)",
            file=name,
            row=text[: text.index("\0")].count("\n") + 1,
        )
    return text


def encoding_of(content: bytes) -> tuple[str, str, bool]:
    """The encoding of a text, a note if it is not UTF-8, and whether it is in doubt."""
    found = next((e for bom, e in _BOMS if content.startswith(bom)), None) or _utf_16(content)
    if found is not None:
        said = f"the text is read as {found.upper()}"
        return found, "" if found == "utf-8-sig" else said, False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _old(content)
    return "utf-8", "", False


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
    """The code page under which the words look like words, as in a language where these are close.

    Of texts that several code pages read alike the most usual page is taken.
    """
    some = b"\n".join(line for line in content.splitlines() if not line.isascii())[:_MOST]
    texts = dict[str, str]()
    for encoding in _OLD:
        try:
            texts.setdefault(some.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    if not texts:
        return "utf-8", "", False
    odd = {encoding: _odd(text) for text, encoding in texts.items()}
    best, doubt = min(odd, key=odd.__getitem__), False
    close = [e for e in odd if odd[e] <= odd[best] + _CLOSE]
    if len(close) > 1:
        from charset_normalizer import from_bytes

        known = {m.encoding: m.coherence for m in from_bytes(some, cp_isolation=close)}
        first, second = sorted(close, key=lambda e: -known.get(e, 0.0))[:2]
        doubt = known.get(first, 0.0) < known.get(second, 0.0) + 0.1
        best = best if doubt else first
    sample = next((w for w in re.findall(r"\w+", some.decode(best)) if not w.isascii()), "")
    what = f"the text is not UTF-8; it is read as {best}, such as {sample!r}"
    return best, f"{what}. If words look wrong, save it as UTF-8", doubt


def _odd(text: str) -> float:
    """The share of letters that do not look as in a word, the usual western ones being usual."""
    points, n = 0.0, 0
    for k, ch in enumerate(text):
        if ch.isascii():
            continue
        n += 1
        before, after = text[k - 1 : k], text[k + 1 : k + 2]
        latin = "LATIN" in unicodedata.name(ch, "")
        jump = 0.5 * (before.islower() and ch.isupper())
        if ch in _MARKS:
            points += before.isalpha() and after.isalpha() and ch != "’"
        elif ch in _WEST:
            points += jump
        elif unicodedata.category(ch) in ("Ll", "Lu"):
            mixed = not latin and any(c.isascii() and c.isalpha() for c in (before, after))
            points += jump + (1 if mixed else 0.2 if latin else 0.1)
        else:
            points += 1 + (unicodedata.category(ch) in ("Cc", "Co"))
        if latin and ch.isalpha() and not before.isascii():
            points += 0.3
    return points / max(n, 1)
