"""What a publication is: cited, listed, as BibTeX."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Work"]


@dataclass(frozen=True)
class Work:
    """A publication.

    Parameters
    ----------
    key : str
    authors : tuple of str
        ``'Family, Given'``, in the order of the title page.
    year : int
    title : str
    venue : str
        Journal, proceedings or publisher.
    place : str
        Where in it: ``'37(2), 155–163'``.
    doi : str
    kind : {'article', 'inproceedings', 'book', 'techreport'}
        Type of the BibTeX entry.
    suffix : str
        Tells works of the same authors and year apart.
    """

    key: str
    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    place: str = ""
    doi: str = ""
    kind: str = "article"
    suffix: str = ""

    @property
    def cite(self) -> str:
        """As in running text: 'Artstein & Poesio (2008)'."""
        families = [a.split(",")[0] for a in self.authors]
        names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
        return f"{names} ({self.year}{self.suffix})"

    @property
    def reference(self) -> str:
        """As in a list of references."""
        authors = [_initials(a) for a in self.authors]
        names = authors[0] if len(authors) == 1 else f"{', '.join(authors[:-1])} & {authors[-1]}"
        where = f"{self.venue} {self.place}" if self.kind == "article" else self._where
        link = f" https://doi.org/{self.doi}" if self.doi else ""
        title = self.title if self.title.endswith("?") else f"{self.title}."
        return f"{names} ({self.year}{self.suffix}). {title} {where.strip()}.{link}"

    @property
    def _where(self) -> str:
        venue = f"In {self.venue}" if self.kind == "inproceedings" else self.venue
        return f"{venue}, {self.place}" if self.place else venue

    @property
    def bibtex(self) -> str:
        """As a BibTeX entry."""
        volume, number, pages = _place(self.place)
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            _VENUE[self.kind]: self.venue,
            "volume": volume,
            "number": number,
            "pages": pages.replace("–", "--"),
            "year": str(self.year),
            "doi": self.doi,
        }
        lines = [f"  {name} = {{{_escaped(text)}}}," for name, text in fields.items() if text]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


_VENUE = {
    "article": "journal",
    "inproceedings": "booktitle",
    "book": "publisher",
    "techreport": "institution",
}


def _initials(author: str) -> str:
    family, _, given = author.partition(", ")
    return f"{family}, {' '.join(f'{name[0]}.' for name in given.split())}" if given else family


def _place(place: str) -> tuple[str, str, str]:
    """Volume, number and pages of '37(2), 155–163'; pages alone if there is no volume."""
    first, _, pages = place.partition(", ")
    if not pages:
        return "", "", place
    volume, _, number = first.partition("(")
    return volume, number.rstrip(")"), pages


def _escaped(text: str) -> str:
    return text.replace("&", r"\&").replace("κ", r"$\kappa$")
