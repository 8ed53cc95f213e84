"""UIMA: CAS XMI with its type system, and CAS JSON 0.4, by dkpro-cassis."""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from ...errors import InputError, RequestError
from ..annotations import Annotations
from ..options import Options
from ..table import plain
from .answers import facts_of, majorities, not_written
from .documents import Document, Mark, read_documents
from .format import File, Format
from .records import Records

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
    """A CAS of each text with what most coders said and marked, and what they dispute."""
    try:
        import cassis
    except ImportError:
        raise RequestError("a CAS is written by dkpro-cassis: install accordant[uima]") from None
    types, layers = cassis.TypeSystem(), dict[tuple[str, bool], Any]()

    def layer(name: str, placed: bool) -> Any:
        if (name, placed) not in layers:
            full = f"webanno.custom.{re.sub('[^A-Za-z0-9]+', '_', name).strip('_') or 'Label'}"
            while types.contains_type(full):
                full += "_"
            above = "uima.tcas.Annotation" if placed else "uima.cas.AnnotationBase"
            made = layers[name, placed] = types.create_type(full, above)
            types.create_feature(made, "value", "uima.cas.String")
        return layers[name, placed]

    whole, parts = dict(majorities(data)), _marked(data)
    tied = 0
    path.mkdir()
    for i, name in enumerate(map(plain, data.items)):
        cas = cassis.Cas(types)
        cas.sofa_string, cas.sofa_mime = facts_of(data, i)["text"], "text/plain"
        for question, labels, share in whole.get(i, ()):
            cas.add_all([layer(question, False)(value=x) for x in labels or ()])
            tied += labels is None
            if share < 1:
                cas.add(layer("Disputed", False)(value=question or "label"))
        for (question, start, end, label), share in parts.get(name, {}).items():
            kind = layer(question if share > 0.5 else f"{question} disputed", True)
            cas.add(kind(begin=start, end=end, value=label))
        file = path / f"{UNSAFE.sub('_', name)[:80]}.json"
        cas.to_json(file if not file.exists() else file.with_stem(f"{file.stem} {i + 1}"))
    lost = [note for note in not_written(data, tied) if "spans" not in note]
    return (*lost, "layers that a project of INCEpTION does not have are not imported")


def _marked(data: Annotations) -> dict[str, dict[tuple[str, int, int, str], float]]:
    """Of each text the spans, and the share of those who looked that marked them."""
    found = defaultdict[str, Counter[tuple[str, int, int, str]]](Counter)
    if data.spans is None:
        return {}
    s = data.spans
    for row in s.to_rows():
        found[row["item"]][row.get("question", ""), row["start"], row["end"], row["label"]] += 1
    looked = Counter((s.items[i], s.questions[q]) for i, q, _ in s.looked.tolist())
    return {
        item: {mark: n / max(looked[item, mark[0]], n) for mark, n in marks.items()}
        for item, marks in found.items()
    }


FORMAT = Format("UIMA CAS", is_cas, read_documents("UIMA CAS", "types", is_cas, _documents), _write)
