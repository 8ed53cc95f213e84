"""What people type, checked at the door: names, identifiers and texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from ..errors import RequestError, unknown
from .terms import Step

AGREEING = (Step.TASK, Step.ALIGNMENT, Step.COMPARISON, Step.RESOLUTION)
"""A round in step 5 may wait for them."""


def all_known(
    what: str,
    names: Iterable[object],
    known: Collection[object],
    have: str = "there are",
) -> None:
    """Complain about the first name that there is not.

    Parameters
    ----------
    what, known, have
        As for `errors.unknown`.
    names : iterable

    Raises
    ------
    RequestError
        With the names that come near.

    Examples
    --------
    >>> all_known("coder", ["ana"], ["ana", "bob"])
    """
    for name in names:
        if name not in known:
            raise unknown(what, name, known, have)


def written_text(what: str, text: str) -> str:
    """A text that somebody must write, without blanks around it.

    Raises
    ------
    RequestError
        If there is none.
    """
    if not text.strip():
        raise RequestError(f"{what} is empty")
    return text.strip()


LIKE_LATIN = str.maketrans(
    "авекмнорстухѕіјһԁԛԝѵАВЕКМНОРСТУХЅІЈανιορυΑΒΕΖΗΙΚΜΝΟΡΤΥΧıℓɡ‐‑‒–−",
    "abekmhopctyxsijhdqwvABEKMHOPCTYXSIJaviopuABEZHIKMNOPTYXilg-----",
)
"""After Unicode TR 39, and dashes."""
SIGNS = "<>=≤≥≠±×÷+%&/−$€£"
"""That say something by themselves; other punctuation, and marks of layout, do not."""
UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks that nobody sees, and letters that look like a blank."""
BLANK = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"), ord(" "))
JOINERS = "\u200c\u200d"  # which Arabic and Indic scripts need between their letters


def seen(text: str) -> str:
    """What a reader sees a text say, whatever its punctuation, layout and capital letters.

    Characters that cannot be seen are left out, look-alikes are one, signs are kept (−1, <, %).

    Examples
    --------
    >>> seen("Y\u0435s\u200b - *if* it holds.") == seen("yes if it holds")
    True
    >>> seen("score -1") == seen("score 1")
    False
    """
    text = unicodedata.normalize("NFKC", text).translate(LIKE_LATIN).casefold()
    text, kept = UNSEEN.sub("", text.translate(LIKE_LATIN | BLANK)), ""
    for k, one in enumerate(text):
        kind = unicodedata.category(one)
        if one in SIGNS or (one == "-" and text[k + 1 : k + 2].isdigit()):
            kept += f" {one}" if one == "-" else f" {one} "
        elif kind != "Cf":
            kept += one if kind[0] in "LMN" else " "
    return " ".join(kept.split())


def identifier(what: str, name: str, known: Iterable[str] = ()) -> str:
    """A short name in one line, without blanks around it, that can be told from others.

    Parameters
    ----------
    what, name : str
    known : iterable of str
        Names that there are; the same name may be among them, one that looks like it may not.

    Raises
    ------
    RequestError
        If it is empty, has line breaks or characters that cannot be seen, or looks like another.

    Examples
    --------
    >>> identifier("name of a person", " A1 ")
    'A1'
    """
    found = written_text(what, name)
    if any(unicodedata.category(character) == "Cc" for character in found):
        raise RequestError(f"{what} {name!r} has control characters")
    told_apart(what, [found])
    for other in known:
        if _looks(other) == _looks(found):
            _not_alike(what, found, other)
    return found


def distinct(what: str, names: Sequence[str], known: Iterable[str] = ()) -> None:
    """Complain about names with blanks around them, that come twice, or look like another.

    Examples
    --------
    >>> distinct("question", ["1", "1"])
    Traceback (most recent call last):
    accordant.errors.RequestError: question '1' comes twice
    """
    others = [*known, *names]
    for k, name in enumerate(names):
        if identifier(what, name, others) != name:
            raise RequestError(f"{what} {name!r} has blanks around it")
        if name in names[:k]:
            raise RequestError(f"{what} {name!r} comes twice")


def told_apart(what: str, names: Sequence[str]) -> None:
    """Complain about names that hold what cannot be seen, or look like one before.

    Parameters
    ----------
    what : str
    names : sequence of str
        The same name may come twice.

    Raises
    ------
    RequestError
        For the first one.

    Examples
    --------
    >>> told_apart("coder", ["ana", "bob"])
    """
    if all(map(str.isascii, names)):
        return
    looks: dict[str, str] = {}
    for name in names:
        if not name.isascii() and any(_unseen(name, place) for place in range(len(name))):
            raise RequestError(f"{what} {name!r} has characters that cannot be seen")
        _not_alike(what, name, looks.setdefault(_looks(name), name))


def _not_alike(what: str, name: str, other: str) -> None:
    if other != name and not (other + name).isascii():
        raise RequestError(f"{what} {name!r} looks like {other!r}")


def _unseen(name: str, place: int) -> bool:
    hidden = unicodedata.category(name[place]) in ("Cf", "Zl", "Zp")
    return hidden and not _joins(name, place)


def _joins(name: str, place: int) -> bool:
    """Whether a character of no width stands between letters of a script that needs it."""
    around = name[place - 1 : place] + name[place + 1 : place + 2]
    return name[place] in JOINERS and len(around) == 2 and min(around) >= "\u0600"


def _looks(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).translate(LIKE_LATIN)
    return "".join(plain.translate(dict.fromkeys(map(ord, JOINERS))).split())
