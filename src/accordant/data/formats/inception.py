"""INCEpTION and WebAnno: the archive of a project, and the export of the agreement page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import InputError
from ..annotations import Status, losses
from ..options import Options
from .documents import NO_VALUE, Document, put
from .format import File, Format, objects
from .import_report import Import
from .records import Records
from .uima_cas import is_cas, loader
from .webanno_tsv import is_tsv, parsed

PROJECT = re.compile(r"exportedproject\w*\.json$", re.I)
DIFF = re.compile(r'"?Type"?,"?Collection"?,"?Document"?,"?Layer"?,"?Feature"?,"?Position"?,')
GOLD = "CURATION_USER"
NOBODY = {"INITIAL_CAS", "project"}
STATES = {
    "FINISHED": Status.ANSWERED,
    "IN_PROGRESS": Status.DRAFT,
    "INPROGRESS": Status.DRAFT,
    "NEW": Status.NOT_ASSIGNED,
    "IGNORE": Status.SKIPPED,
    "LOCKED": Status.SKIPPED,
}
TOLD = {
    Status.DRAFT: "documents of a coder that are in progress",
    Status.NOT_ASSIGNED: "documents of a coder that are new",
    Status.SKIPPED: "documents of a coder that are locked",
}
FORMATS = (".tsv", ".xmi", ".json")
INSTEAD = "export the project with its annotations as UIMA CAS JSON, UIMA CAS XMI or WebAnno TSV 3"


def _takes(file: File) -> bool:
    record, place = file.record, {"doc", "user", "begin", "end"}
    listed = isinstance(record, dict) and place <= record.keys() <= {*place, "label"}
    return listed or _is_project(file) or DIFF.match(file.head) is not None


def _is_project(file: File) -> bool:
    return PROJECT.search(file.path.name) is not None or (
        file.head[:1] == "{"
        and '"annotation_documents"' in file.head
        and '"source_documents"' in file.head
    )


def _read(files: Sequence[File], options: Options) -> Import:
    project = next(filter(_is_project, files), None)
    if project is None:
        return _read_listed(next(filter(_takes, files)), options)
    states, curated, free, once = _described(project, options)
    to = Records(
        "INCEpTION project",
        project.source.split(": ")[0],
        {"item": "document", "coder": "user", "label": "layers"},
        options.spans,
    )
    found = list(_documents(files, states, curated, options, to))
    there = {(document, user) for document, user, *_ in found}
    for (document, user), state in states.items():
        status = STATES.get(state, Status.DRAFT)
        if status in (Status.DRAFT, Status.SKIPPED) and (document, user) not in there:
            to.leave_out(TOLD[status])
            found.append((document, user, status, Document()))
    if not any(status == Status.ANSWERED and who for _, who, status, _ in found):
        told = ", ".join(losses(to.left_out.items()))
        raise InputError(
            "nobody has finished a document of this INCEpTION project whose annotations can be "
            f"read ({told}), and only what is finished is compared. Mark documents as finished and "
            f"{INSTEAD}; to compare what there is, give the folder 'annotation' of the archive",
            file=project.source,
        )
    put(to, found, free, once)
    return to.done()


def _described(
    file: File, options: Options
) -> tuple[dict[tuple[str, str], str], set[str], set[tuple[str, str]], dict[str, bool]]:
    """What the project says of itself.

    The state of each document for each user, the documents whose curation is finished, the
    features (layer, name) for text in own words, and whether a text has one annotation of a layer
    of the whole.
    """
    try:
        project = json.loads(file.text(options))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file is not JSON ({error})", file=file.source) from None
    if not isinstance(project, dict):
        raise InputError("the file does not describe a project", file=file.source)
    states = {
        (str(d.get("name")), str(d.get("user"))): str(d.get("state"))
        for d in objects(project.get("annotation_documents"))
    }
    curated = {
        str(d.get("name"))
        for d in objects(project.get("source_documents"))
        if d.get("state") == "CURATION_FINISHED"
    }
    layers = [(str(d.get("name")), d) for d in objects(project.get("layers"))]
    free = {
        (name, str(f.get("name")))
        for name, layer in layers
        for f in objects(layer.get("features"))
        if _traits(f).get("multipleRows") is True
    }
    once = {
        name: _traits(layer).get("singleton") is True
        for name, layer in layers
        if layer.get("type") == "document-metadata"
    }
    return states, curated, free, once


def _traits(layer: Mapping[str, Any]) -> Mapping[str, Any]:
    """How a layer or feature is set up, which the project keeps as a text of JSON."""
    try:
        found = json.loads(layer.get("traits") or "{}")
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _documents(
    files: Sequence[File],
    states: Mapping[tuple[str, str], str],
    curated: set[str],
    options: Options,
    to: Records,
) -> Iterator[tuple[str, str | None, Status, Document]]:
    parse = None
    for file in files:
        parts = file.path.parts
        at = next(
            (k for k in reversed(range(len(parts) - 2)) if parts[k] in ("annotation", "curation")),
            None,
        )
        if at is None or file.path.name.lower() == "typesystem.xml":
            continue
        document, user = parts[at + 1], file.path.stem
        gold = parts[at] == "curation" or user == GOLD
        state = STATES.get(states.get((document, user), "NEW"), Status.DRAFT)
        if user in NOBODY:
            to.leave_out("texts as they were before annotation")
        elif gold and document not in curated:
            to.leave_out("curations that are not finished")
        elif file.suffix not in FORMATS or not (is_tsv(file) or is_cas(file)):
            to.leave_out("files of a format that is not read: export as TSV 3, XMI or CAS JSON")
        elif not gold and state == Status.NOT_ASSIGNED:
            to.leave_out(TOLD[state])
        else:
            if is_tsv(file):
                found = parsed(file.text(options), file.source)
            else:
                parse = parse or loader(files)
                found = parse(file)
            if gold:
                to.leave_out("curated documents, kept as known labels")
            elif state != Status.ANSWERED:
                to.leave_out(TOLD[state])
            yield document, None if gold else user, Status.ANSWERED if gold else state, found


def _read_listed(file: File, options: Options) -> Import:
    """The annotations of one layer as the agreement page lists them.

    Raises
    ------
    InputError
        If it is the table of differences, which holds the positions alone that INCEpTION compared.
    """
    if DIFF.match(file.head):
        raise InputError(
            "this is the table of differences of INCEpTION's agreement page: a row for each place "
            "that somebody annotated, not for each text. To read the annotations, export JSON "
            f"there, or {INSTEAD}",
            file=file.source,
        )
    columns = {"item": "doc", "coder": "user", "label": "label"}
    to = Records("INCEpTION agreement page (JSON)", file.source, columns, options.spans)
    for row, record in file.records(options):
        record = record if isinstance(record, dict) else {}
        item, user, start, end, label = map(record.get, ("doc", "user", "begin", "end", "label"))
        if item is None or user is None or not (type(start) is type(end) is int):
            to.leave_out("records that are no spans")
            continue
        coder = None if user == GOLD else user
        to.looked(item, coder, row=row)
        to.span(item, coder, start, end, NO_VALUE if label in (None, "") else str(label))
    to.warnings.append(
        "this export lists annotations only: a coder who marked nothing in a text counts as one "
        f"who has not seen it. To know who finished which text, {INSTEAD}"
    )
    return to.done()


FORMAT = Format("INCEpTION", _takes, _read)
