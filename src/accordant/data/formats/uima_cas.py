"""UIMA: CAS XMI with its type system, and CAS JSON 0.4, by dkpro-cassis."""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from ...errors import InputError, RequestError
from ..annotations import Annotations
from ..options import Options
from ..sheet import persons_lost
from ..table import plain
from .documents import Document, Mark, read_documents
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
UNSAFE = re.compile(r"[\\/:*?\"<>|\x00-\x1f]|^[. ]+|[. ]+$")  # in names of files
GOLD = "CURATION_USER"
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
    tokens, links = list[tuple[int, int]](), dict[str, set[str]]()
    for structure in cas.select_all_fs():
        kind = structure.type
        features: dict[str, Any] = {
            f.name: getattr(structure, f.name, None) for f in kind.all_features
        }
        if kind.name not in links:
            links[kind.name] = _links(kind)
        linked = links[kind.name]
        given = {k: _labels(v) for k, v in features.items() if k not in OWN | linked}
        begin: Any = features.get("begin")
        end: Any = features.get("end")
        placed = isinstance(begin, int) and isinstance(end, int)
        if {"Governor", "Dependent"} <= linked:
            found.left_out["relations"] += 1
        elif {"first", "next"} & linked:
            found.left_out["links of chains"] += "next" in linked
        elif UNITS.fullmatch(kind.name):
            if placed and kind.name.endswith("Token"):
                tokens.append((begin, end))
                found.marks += [Mark(begin, end, kind.name, given)] * any(given.values())
        elif placed:
            found.left_out["links of slots"] += sum(
                bool(getattr(features[k], "elements", 0)) for k in linked
            )
            found.marks.append(Mark(begin, end, kind.name, given))
        elif "sofa" in features and not {"begin", "end"} & features.keys():
            found.labels.append((kind.name, given))
    found.left_out["annotations in further views"] += sum(
        len(view.get_all_fs()) for view in cas.views if view.sofa.sofaID != "_InitialView"
    )
    found.tokens = sorted(tokens) or None
    return found


def _links(kind: Any) -> set[str]:
    """The features of a type that point to other annotations."""
    from cassis.typesystem import is_primitive, is_primitive_array

    ranges = {f.name: f.rangeType for f in kind.all_features if f.name != "sofa"}
    return {f for f, of in ranges.items() if not (is_primitive(of) or is_primitive_array(of))}


def _labels(value: Any) -> tuple[str, ...]:
    """The labels of a feature, which may hold several."""
    held = getattr(value, "elements", value)
    return tuple(
        str(x) for x in (held if isinstance(held, list) else [held]) if x not in (None, "")
    )


# ------------------------------------------------------------------ back to the platform


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """A folder for each coder with a CAS of each text, as INCEpTION imports documents.

    Known labels are documents of the curator, in which those that coders dispute are marked.
    """
    try:
        import cassis
    except ImportError:
        raise RequestError("a CAS is written by dkpro-cassis: install accordant[uima]") from None
    spans = [] if data.spans is None else data.spans.to_rows()
    marked, types = {r.get("question", "") for r in spans}, cassis.TypeSystem()
    layers = dict[str | None, Any]()  # of each question, and of what is disputed
    for question in (*data.questions, None):
        name = "Disputed" if question is None else question or "Label"
        name = f"webanno.custom.{re.sub('[^A-Za-z0-9]+', '_', name).strip('_') or 'Label'}"
        while types.contains_type(name):
            name += "_"
        above = "uima.tcas.Annotation" if question in marked else "uima.cas.AnnotationBase"
        layers[question] = types.create_type(name, above)
        types.create_feature(layers[question], "value", "uima.cas.String")
    found, lost = _marks(data, spans, marked)
    texts = dict(zip(map(plain, data.items), data.texts or (), strict=False))
    for number, ((coder, item), marks) in enumerate(found.items()):
        cas = cassis.Cas(types)
        cas.sofa_string, cas.sofa_mime = texts.get(item) or item, "text/plain"
        cas.add_all([layers[question](**values) for question, values in marks])
        folder, name = (UNSAFE.sub("_", x)[:80] for x in (coder, item))
        (path / folder).mkdir(parents=True, exist_ok=True)
        file = path / folder / f"{name}.json"
        cas.to_json(file if not file.exists() else file.with_stem(f"{name} {number}"))
    if not all(map(texts.get, map(plain, data.items))):
        lost.append("a document whose text is not known holds the name of its item")
    return (*lost, *persons_lost(data))


def _marks(
    data: Annotations, spans: Sequence[Mapping[str, Any]], marked: set[str]
) -> tuple[dict[tuple[str, str], list[tuple[str | None, dict[str, Any]]]], list[str]]:
    """What each coder, and the curator, marked in each item: the layer and its features."""
    found = defaultdict[tuple[str, str], list[tuple[str | None, dict[str, Any]]]](list)
    said, lost = defaultdict[tuple[str, str], set[Any]](set), Counter[str]()
    for row in data.to_rows():
        item, question, label = plain(row["item"]), row.get("question", ""), row["label"]
        if row["status"] not in ("answered", "answered_empty"):
            lost[row["status"].replace("_", " ")] += row["status"] != "not_assigned"
            continue
        said[item, question].add(label)
        into = found[row["coder"], item]
        if question not in marked:
            labels = label if isinstance(label, tuple) else (label,)
            into += [(question, {"value": plain(x)}) for x in labels]
    for mark in spans:
        place = {"begin": mark["start"], "end": mark["end"], "value": mark["label"]}
        found[mark["coder"], mark["item"]].append((mark.get("question", ""), place))
    for question, scheme in zip(data.questions, data.schemes, strict=True):
        known = data.metadata.get(f"gold: {question}" if question else "gold", ())
        cells = () if question in marked else known
        for item, label in zip(map(plain, data.items), cells, strict=False):
            every = plain(label).split("; ") if scheme.max_labels != 1 else [plain(label)]
            if label is not None:
                found[GOLD, item] += [(question, {"value": x}) for x in every]
    for (item, question), answers in said.items():
        if len(answers) > 1:
            found[GOLD, item].append((None, {"value": question or "label"}))
    return found, [f"left out: {n:,} annotations that are {s}" for s, n in lost.items() if n]


FORMAT = Format("UIMA CAS", is_cas, read_documents("UIMA CAS", "types", is_cas, _documents), _write)
