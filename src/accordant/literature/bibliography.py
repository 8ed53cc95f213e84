"""Every publication by its key: as text and as BibTeX."""

from __future__ import annotations

from difflib import get_close_matches

from ..errors import RequestError
from . import a_to_k, l_to_z
from .work import Work

__all__ = ["LITERATURE", "bibtex", "cite", "reference", "work"]

LITERATURE: dict[str, Work] = {w.key: w for w in (*a_to_k.WORKS, *l_to_z.WORKS)}
"""Every publication by its key, in alphabetical order."""


def work(key: str) -> Work:
    """The publication of a key.

    Raises
    ------
    RequestError
        If the bibliography does not know it.
    """
    if key not in LITERATURE:
        close = get_close_matches(key, LITERATURE, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise RequestError(f"there is no publication {key!r} in the bibliography{hint}")
    return LITERATURE[key]


def cite(key: str) -> str:
    """The publication as cited in running text.

    Examples
    --------
    >>> cite("krippendorff2011"), cite("artstein2008"), cite("byrt1993")
    ('Krippendorff (2011)', 'Artstein & Poesio (2008)', 'Byrt et al. (1993)')
    """
    return work(key).cite


def reference(key: str) -> str:
    """The publication as in a list of references.

    Examples
    --------
    >>> reference("cohen1960")[:75]
    'Cohen, J. (1960). A coefficient of agreement for nominal scales. Educationa'
    """
    return work(key).reference


def bibtex(key: str) -> str:
    """The publication as a BibTeX entry.

    Examples
    --------
    >>> print(bibtex("scott1955").splitlines()[0])
    @article{scott1955,
    """
    return work(key).bibtex
