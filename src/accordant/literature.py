"""Every publication that is cited, by its key in `references.bib`: as text and as BibTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from .errors import unknown

_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}", re.M | re.S)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.M)
VENUES = ("journal", "booktitle", "publisher", "institution")


@dataclass(frozen=True)
class Publication:
    """A publication: the fields of its entry, and the entry itself."""

    key: str
    kind: str
    fields: dict[str, str]
    bibtex: str

    def __getitem__(self, name: str) -> str:
        text = self.fields.get(name, "").strip("{}")
        return text.replace(r"\&", "&").replace(r"$\kappa$", "κ").replace("--", "–")

    @property
    def authors(self) -> list[str]:
        """``'Family, Given'``, in the order of the title page."""
        return self["author"].split(" and ")

    @property
    def year(self) -> str:
        """With the letter that tells works of the same authors and year apart."""
        return self["year"] + self["suffix"]

    @property
    def cite(self) -> str:
        """As in running text: 'Artstein & Poesio (2008)'."""
        families = [a.split(",")[0] for a in self.authors]
        names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
        return f"{names} ({self.year})"

    @property
    def reference(self) -> str:
        """As in a list of references."""
        *first, last = map(_initials, self.authors)
        names = f"{', '.join(first)} & {last}" if first else last
        title = self["title"] + ("" if self["title"].endswith("?") else ".")
        link = f" https://doi.org/{self['doi']}" if self["doi"] else ""
        return f"{names} ({self.year}). {title} {self._where}.{link}"

    @property
    def _where(self) -> str:
        venue = next(self[name] for name in VENUES if name in self.fields)
        number = f"({self['number']})" if self["number"] else ""
        place = ", ".join(x for x in (f"{self['volume']}{number}", self["pages"]) if x)
        if self.kind == "article":
            return f"{venue} {place}".strip()
        venue = f"In {venue}" if self.kind == "inproceedings" else venue
        return f"{venue}, {place}" if place else venue


def _read() -> dict[str, Publication]:
    text = files(__package__).joinpath("references.bib").read_text(encoding="utf-8")
    return {
        at[2]: Publication(
            at[2], at[1], dict(_FIELD.findall(at[3])), re.sub(r"  suffix = .*\n", "", at[0])
        )
        for at in _ENTRY.finditer(text)
    }


LITERATURE = _read()
"""Every publication by its key, in alphabetical order."""


def work(key: str) -> Publication:
    """The publication of a key.

    Raises
    ------
    RequestError
        If the bibliography does not know it.
    """
    if key not in LITERATURE:
        raise unknown("publication", key, LITERATURE, have="the bibliography has")
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


def _initials(author: str) -> str:
    family, _, given = author.partition(", ")
    return f"{family}, {' '.join(f'{name[0]}.' for name in given.split())}" if given else family
