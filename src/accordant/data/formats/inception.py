"""INCEpTION and WebAnno: the archive of a whole project, with the state of every document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import InputError
from ..annotations import Status
from ..options import Options
from .documents import Document, put
from .format import File, Format
from .import_report import Import
from .records import Records
from .uima_cas import is_cas, loader
from .webanno_tsv import is_tsv, parsed

__all__ = ["FORMAT"]

PROJECT = re.compile(r"exportedproject\w*\.json$", re.I)
NOBODY = {"INITIAL_CAS", "project"}
GOLD = "CURATION_USER"
STATES = {
    "FINISHED": Status.ANSWERED,
    "IN_PROGRESS": Status.DRAFT,
    "NEW": Status.DRAFT,
    "IGNORE": Status.SKIPPED,
    "LOCKED": Status.SKIPPED,
}
FORMATS = (".tsv", ".xmi", ".json")


def _takes(file: File) -> bool:
    return PROJECT.search(file.path.name) is not None or (
        file.head[:1] == "{"
        and '"annotation_documents"' in file.head
        and '"source_documents"' in file.head
    )


def _read(files: Sequence[File], options: Options) -> Import:
    project = next(f for f in files if _takes(f))
    states, curated = _states(project, options)
    to = Records(
        "INCEpTION project",
        project.source.split(": ")[0],
        {"item": "document", "coder": "user", "label": "layers"},
        options.spans,
    )
    found = list(_documents(files, states, curated, options, to))
    if not any(status == Status.ANSWERED and who for _, who, status, _ in found):
        n = sum(status == Status.DRAFT for _, _, status, _ in found)
        raise InputError(
            f"nobody has finished a document of this INCEpTION project ({n:,} are in progress), "
            "and only what is finished is compared. Mark the documents as finished and export the "
            "project again; to compare what there is, give the folder 'annotation' of the unpacked "
            "archive",
            file=project.source,
        )
    put(to, found)
    return to.done()


def _states(file: File, options: Options) -> tuple[dict[tuple[str, str], str], set[str]]:
    """The state of each document for each user, and the documents whose curation is finished."""
    try:
        project = json.loads(file.text(options))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file is not JSON ({error})", file=file.source) from None
    if not isinstance(project, dict):
        raise InputError("the file does not describe a project", file=file.source)
    states = {
        (str(d.get("name")), str(d.get("user"))): str(d.get("state"))
        for d in _objects(project.get("annotation_documents"))
    }
    curated = {
        str(d.get("name"))
        for d in _objects(project.get("source_documents"))
        if d.get("state") == "CURATION_FINISHED"
    }
    return states, curated


def _objects(found: Any) -> list[Mapping[str, Any]]:
    return [x for x in found if isinstance(x, dict)] if isinstance(found, list) else []


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
        if user in NOBODY:
            to.leave_out("texts as they were before annotation")
        elif gold and document not in curated:
            to.leave_out("curations that are not finished")
        elif file.suffix not in FORMATS or not (is_tsv(file) or is_cas(file)):
            to.leave_out("files of a format that is not read: export as TSV 3, XMI or CAS JSON")
        else:
            if is_tsv(file):
                found = parsed(file.text(options), file.source)
            else:
                parse = parse or loader(files)
                found = parse(file)
            state = STATES.get(states.get((document, user), "NEW"), Status.DRAFT)
            if gold:
                to.leave_out("curated documents, kept as known labels")
            elif state != Status.ANSWERED:
                named = "in progress" if state == Status.DRAFT else "locked"
                to.leave_out(f"documents of a coder that are {named}")
            yield document, None if gold else user, Status.ANSWERED if gold else state, found


FORMAT = Format("INCEpTION project", _takes, _read)
