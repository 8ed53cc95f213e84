"""UIMA: CAS XMI with its type system, and CAS JSON 0.4, by dkpro-cassis."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from typing import Any

from ...errors import InputError
from ..options import Options
from .documents import Document, Mark, Values, read_documents
from .format import File, Format
from .records import Records

__all__ = ["FORMAT", "is_cas", "loader"]

NEEDED = (
    "this is a UIMA CAS, which the package dkpro-cassis reads: pip install 'accordant[uima]', or "
    "export as WebAnno TSV 3"
)
INSTANCE = re.compile(rb"<\0?!\0?(D\0?O\0?C\0?T|E\0?N\0?T)")
# What the program keeps about the text and the project, and no annotation.
UNITS = re.compile(
    r"(.*\.)?(Token|Sentence|Document(Annotation|MetaData)|MetaDataStringField|Paragraph|Div|Heading"
    r"|TagsetDescription|CASMetadata|(Layer|Feature)Definition|Xml\w+|Pdf(Page|Chunk))"
)
OWN = {"begin", "end", "sofa", "id", "order", "i7n_uiOrder"}


def is_cas(file: File) -> bool:
    """Whether a file is a CAS, not a type system."""
    return "<xmi:XMI" in file.head or (file.head[:1] == "{" and '"%TYPES"' in file.head)


def _documents(
    taken: Sequence[File], files: Sequence[File], _: Options, __: Records
) -> list[Document]:
    return list(map(loader(files), taken))


def loader(files: Sequence[File]) -> Callable[[File], Document]:
    """Reads one CAS; type systems are found among all files given.

    Raises
    ------
    InputError
        If dkpro-cassis is not installed; on reading, where a CAS is broken or lacks its types.
    """
    try:
        import cassis
    except ImportError:
        first = next((f for f in files if is_cas(f)), files[0])
        raise InputError(NEEDED, file=first.source) from None
    types = [f for f in files if "typeSystemDescription" in f.head]

    @cache
    def of(content: bytes) -> Any:
        return cassis.load_typesystem(BytesIO(content))

    def parse(file: File) -> Document:
        content = file.load()
        if INSTANCE.search(content):
            raise InputError("XML that declares a document type is not read", file=file.source)
        beside = [t for t in types if t.path.parent == file.path.parent] or types
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if file.head[:1] == "{":
                    cas = cassis.load_cas_from_json(BytesIO(content.removeprefix(b"\xef\xbb\xbf")))
                elif not beside:
                    raise InputError(
                        "the type system of this XMI is missing. Give TypeSystem.xml too, or the "
                        "folder or archive that holds both",
                        file=file.source,
                    )
                else:
                    system = beside[0].load()
                    if INSTANCE.search(system):
                        raise InputError(
                            "XML that declares a document type is not read", file=beside[0].source
                        )
                    cas = cassis.load_cas_from_xmi(BytesIO(content), typesystem=of(system))
                return _document(cas)
        except InputError:
            raise
        except Exception as error:  # cassis raises what its parsers and its own checks raise
            why = " ".join(str(error).split())[:120] or type(error).__name__
            raise InputError(
                f"the CAS cannot be read, it may be damaged ({why})", file=file.source
            ) from None

    return parse


def _document(cas: Any) -> Document:
    """What is in the index of the first view, with offsets in code points."""
    text = cas.sofa_string
    if text is not None and not isinstance(text, str):
        raise ValueError("its text is no text")
    found = Document(text)
    tokens = list[tuple[int, int]]()
    for structure in cas.select_all_fs():
        name = structure.type.name
        features: dict[str, Any] = {
            f.name: getattr(structure, f.name, None) for f in structure.type.all_features
        }
        values = {k: _labels(v) for k, v in features.items() if k not in OWN}
        given: Values = {k: v for k, v in values.items() if v is not None}
        begin, end = features.get("begin"), features.get("end")
        mark = None
        if isinstance(begin, int) and isinstance(end, int):
            mark = Mark(begin, end, name, given)
        if {"Governor", "Dependent"} <= features.keys():
            found.left_out["relations"] += 1
        elif "next" in features:
            found.left_out["links of chains"] += 1
        elif UNITS.fullmatch(name):
            if mark and name.endswith("Token"):
                tokens.append((mark.start, mark.end))
                found.marks += [mark] * any(given.values())
        elif mark or ("sofa" in features and not {"begin", "end"} & features.keys()):
            found.left_out["links of slots"] += sum(v is None for v in values.values())
            if mark:
                found.marks.append(mark)
            else:
                found.labels.append((name, given))
    found.left_out["annotations in further views"] += sum(
        len(view.get_all_fs()) for view in cas.views if view.sofa.sofaID != "_InitialView"
    )
    found.tokens = sorted(tokens) or None
    return found


def _labels(value: Any) -> tuple[str, ...] | None:
    """The labels of a feature, which may hold several; None if it links to other annotations."""
    held = getattr(value, "elements", None) or [] if hasattr(value, "elements") else [value]
    if not all(x is None or isinstance(x, str | int | float) for x in held):
        return None
    return tuple(str(x) for x in held if x is not None and x != "")


FORMAT = Format("UIMA CAS", is_cas, read_documents("UIMA CAS", "types", is_cas, _documents))
