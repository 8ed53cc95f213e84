"""MAXQDA: coded segments (XLSX, CSV). NVivo's coding comparison is told and refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...errors import InputError
from ..options import Options
from .answers import sort_out, source_of
from .format import File, Format
from .import_report import Import
from .records import Records
from .tabular import Row, header_of, rows_of

# The headers of MAXQDA in English, German, Spanish and French.
_NAMES = {
    "document": "Document name|Document|Dokumentname|Dokument|Documento",
    "group": "Document group|Dokumentgruppe|Grupo de documentos|Groupe de documents",
    "code": "Code|Código",
    "coder": "Created by|Modified by|Autor|Erstellt von|Author|Bearbeitet von|Creado por"
    "|Modificado por|Créé par|Modifié par",
    "segment": "Segment|Segmento",
    "begin": "Beginning|Anfang|Inicio|Début",
}


def _comparison(names: Sequence[str]) -> bool:
    """Whether a table is NVivo's: node, source, kappa, agreement, …, in per cent."""
    words = {n.casefold().split("(")[0].rstrip(" %") for n in names}
    return "kappa" in words and "agreement" in words and "disagreement" in words


def _segments(names: Sequence[str]) -> bool:
    known = {*map(str.casefold, names)}
    needed = (_NAMES[role] for role in ("document", "code", "segment", "begin"))
    return all(known & {*own.casefold().split("|")} for own in needed)


def _takes(file: File) -> bool:
    names = header_of(file)
    return _comparison(names) or _segments(names)


def _read(files: Sequence[File], options: Options) -> Import:
    taken, _ = sort_out(files, _takes)
    source = source_of(taken)
    if any(_comparison(header_of(f)) for f in taken):
        raise InputError(
            "this is the result of a coding comparison of NVivo: agreement in per cent and kappa, "
            "not the codings. Write a table with the columns item, coder and label, or export the "
            "project as REFI-QDA (.qdpx)",
            file=source,
        )
    if options.spans == "tokens":
        raise InputError(
            "these coded segments of MAXQDA come without the text of their documents, which "
            "tokens need",
            file=source,
        )
    to = Records("MAXQDA (coded segments)", source, {})
    rows = rows_of(taken, options, to)
    documents, codes = ([_cell(r, role) for r in rows] for role in ("document", "code"))
    coders, by = _coders(rows, documents)
    to.columns = {"item": "document", "coder": by, "label": "code"}
    to.notes.append(
        "an item is a document, and a coder's label set is the codes that occur in it; a document "
        "in which a coder coded nothing is not in the table, and counts as not assigned"
    )
    given = dict[tuple[str, str], tuple[int, list[str]]]()
    for document, who, code, row in zip(documents, coders, codes, rows, strict=True):
        if document and who and code:
            given.setdefault((document, who), (row.line, []))[1].append(code)
        else:
            to.leave_out("segments without a document, a coder or a code")
    for (document, who), (line, labels) in given.items():
        to.add(document, who, labels, row=line)
    return to.done()


def _cell(row: Row, role: str) -> str:
    known = {n.casefold(): cell for n, cell in row.cells.items()}
    return next((known[n] for n in _NAMES[role].casefold().split("|") if n in known), "")


def _coders(rows: Sequence[Row], documents: Sequence[str]) -> tuple[list[str], str]:
    """Who coded: the groups that hold copies of the documents, else persons, else files."""
    groups, persons = ([_cell(r, role) for r in rows] for role in ("group", "coder"))
    copies = defaultdict[str, set[str]](set)
    for document, group in zip(documents, groups, strict=True):
        copies[document] |= {group} - {""}
    if any(len(found) > 1 for found in copies.values()):
        return groups, "document group"
    if len({*persons} - {""}) < 2 and len({r.file.path for r in rows}) > 1:
        return [r.file.path.stem for r in rows], "file"
    return [p or "unknown" for p in persons], "created by"


FORMAT = Format("MAXQDA", _takes, _read)
