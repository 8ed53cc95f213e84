"""MAXQDA: coded segments (XLSX, CSV). NVivo's coding comparison is told and refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...errors import InputError
from .format import File, Format
from .records import Records
from .tabular import Export, read_table

__all__ = ["FORMAT"]

# The headers of MAXQDA in English, German, Spanish and French.
_NAMES = {
    "document": ("Document name", "Document", "Dokumentname", "Dokument", "Documento"),
    "group": ("Document group", "Dokumentgruppe", "Grupo de documentos", "Groupe de documents"),
    "code": ("Code", "Código"),
    "coder": (
        "Created by",
        "Modified by",
        "Autor",
        "Erstellt von",
        "Author",
        "Bearbeitet von",
        "Creado por",
        "Modificado por",
        "Créé par",
        "Modifié par",
    ),
    "segment": ("Segment", "Segmento"),
    "begin": ("Beginning", "Anfang", "Inicio", "Début"),
}


def _has(names: Sequence[str], role: str) -> bool:
    return not {n.casefold() for n in _NAMES[role]}.isdisjoint(map(str.casefold, names))


def _comparison(names: Sequence[str]) -> bool:
    """Whether a table is NVivo's: node, source, kappa, agreement, …, in per cent."""
    words = {n.casefold().split("(")[0].rstrip(" %") for n in names}
    return "kappa" in words and "agreement" in words and "disagreement" in words


def _segments(names: Sequence[str]) -> bool:
    return all(_has(names, role) for role in ("document", "code", "segment", "begin"))


def _takes(file: File) -> bool:
    return _comparison(file.header) or _segments(file.header)


def _no_codings(file: File) -> str | None:
    if not _comparison(file.header):
        return None
    return (
        "this is the result of a coding comparison of NVivo: agreement in per cent and kappa, not "
        "the codings. Write a table with the columns item, coder and label, or export the project "
        "as REFI-QDA (.qdpx)"
    )


def _told(export: Export, to: Records) -> None:
    if to.spans == "tokens":
        raise InputError(
            "these coded segments of MAXQDA come without the text of their documents, which "
            "tokens need",
            file=to.source,
        )
    documents, groups, codes, persons = (
        export.cells(*_NAMES[role]) for role in ("document", "group", "code", "coder")
    )
    coder, by = _coders(documents, groups, persons, export)
    to.columns = {"item": "document", "coder": by, "label": "code"}
    to.notes.append(
        "an item is a document, and a coder's label set is the codes that occur in it; a document "
        "in which a coder coded nothing is not in the table, and counts as not assigned"
    )
    given: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for document, who, code, line in zip(documents, coder, codes, export.lines, strict=True):
        if document and who and code:
            given.setdefault((document, who), (line, []))[1].append(code)
        else:
            to.leave_out("segments without a document, a coder or a code")
    for (document, who), (line, labels) in given.items():
        to.add(document, who, labels, row=line)


def _coders(
    documents: Sequence[str],
    groups: Sequence[str],
    persons: Sequence[str],
    export: Export,
) -> tuple[Sequence[str], str]:
    """Who coded: the groups that hold copies of the documents, else persons, else files."""
    copies = defaultdict[str, set[str]](set)
    for document, group in zip(documents, groups, strict=True):
        copies[document] |= {group} - {""}
    if any(len(found) > 1 for found in copies.values()):
        return groups, "document group"
    if len(set(filter(None, persons))) > 1:
        return persons, "created by"
    if len({f.path for f in export.files}) > 1:
        return [f.path.stem for f in export.files], "file"
    return [p or "unknown" for p in persons], "created by"


FORMAT = Format("MAXQDA", _takes, read_table("MAXQDA (coded segments)", _takes, _told, _no_codings))
