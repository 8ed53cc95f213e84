"""Texts with marked spans and labels of the whole: a file for each text and coder."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ...errors import InputError
from ..annotations import Status
from ..names import consensus_like
from ..options import Options
from ..spans import Offsets
from .format import File
from .import_report import Import
from .records import Records

NO_VALUE = "*"
"""The label of a span without one."""
UNTOUCHED = "INITIAL_CAS"
GOLD = re.compile(r"curat|^gold(en)?$|^reference$|^consensus", re.I)
PERSON = re.compile(r"^(user|coder|annotator|rater|anno?|ann)[ _.-]?\w{0,3}$", re.I)
SUFFIX = re.compile(r"^(.+)[ _.-]([^ _.-]+)$")


Values = dict[str, tuple[str, ...]]  # of each feature of a layer; () where it has none


@dataclass(frozen=True)
class Mark:
    """A span on a layer with the values of the features of the layer."""

    start: int
    end: int
    layer: str
    values: Values


@dataclass
class Document:
    """What one coder marked in one text.

    ``tokens`` are those of the platform; ``labels`` the layers and values of annotations of the
    whole text; ``left_out`` what is in the file but not read.
    """

    text: str | None = None
    tokens: list[tuple[int, int]] | None = None
    marks: list[Mark] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    labels: list[tuple[str, Values]] = field(default_factory=list)

    def converted(self, to: Offsets) -> Document:
        """The same with other offsets, spans and tokens outside of the text counted."""
        tokens = [(to(a), to(b)) for a, b in self.tokens or ()]
        kept = [(a, b) for a, b in tokens if a is not None and b is not None]
        made = Document(self.text, kept or None, [], Counter(self.left_out))
        for mark in self.marks:
            start, end = to(mark.start), to(mark.end)
            if start is None or end is None:
                made.left_out["spans that end before they begin, or outside of their text"] += 1
            else:
                made.marks.append(Mark(start, end, mark.layer, mark.values))
        return made


def put(
    to: Records,
    found: Iterable[tuple[str, str | None, Status, Document]],
    free: Collection[tuple[str, str]] = (),
    once: Mapping[str, bool] | None = None,
) -> None:
    """Enter (text, coder, status, document); coder None for what is known to be right.

    A layer is a question; of several features that have values each is one, 'layer.feature'.
    A layer or feature that a file lacks is one in which its coder marked nothing.

    Parameters
    ----------
    free : collection of (str, str)
        Layers and features that hold text in the coder's own words.
    once : mapping of str to bool
        Whether a text has one annotation of a layer that labels it as a whole. Of those not named
        it has, if they have values and no text has several: then a text without is not labelled.
    """
    every = list(found)
    features = defaultdict[str, dict[str, None]](dict)
    for *_, document in every:
        for layer, values in (*((m.layer, m.values) for m in document.marks), *document.labels):
            features[layer].update(dict.fromkeys(f for f, labels in values.items() if labels))
    short = _short(features)

    def answers(layer: str, values: Values) -> Iterator[tuple[str, str]]:
        """The questions and labels of an annotation."""
        asked = features[layer] or {"": None}
        given = [(f, label) for f in asked for label in values.get(f, ())]
        for feature, label in given or [(f, NO_VALUE) for f in asked]:
            if (layer, feature) in free:
                to.leave_out("answers in the coders' own words")
            else:
                yield f"{short[layer]}.{feature}" if len(asked) > 1 else short[layer], label

    for item, coder, status, document in every:
        to.looked(item, coder, text=document.text, tokens=document.tokens, status=status)
        for why, n in document.left_out.items():
            to.leave_out(why, n)
        for mark in document.marks:
            for question, label in answers(mark.layer, mark.values):
                to.span(item, coder, mark.start, mark.end, label, question)
    whole = dict.fromkeys(layer for *_, d in every for layer, _ in d.labels)
    for layer in whole:
        said = [[a for n, v in d.labels if n == layer for a in answers(n, v)] for *_, d in every]
        asked = dict.fromkeys(q for labels in said for q, _ in labels)
        for question in asked:
            own = [[label for q, label in labels if q == question] for labels in said]
            given = any(labels for (_, who, *_), labels in zip(every, own, strict=True) if who)
            single = max(map(len, own)) < 2 and features[layer] and (once or {}).get(layer, True)
            for (item, coder, status, _), labels in zip(every, own, strict=True):
                if coder is None:
                    to.gold(item, labels, question)
                elif given and (labels or status != Status.ANSWERED or not single):
                    to.add(item, coder, labels, question=question, status=status, sets=not single)


def _short(layers: Iterable[str]) -> dict[str, str]:
    """Names of types without their packages, where that leaves them different."""
    last = {name: name.rpartition(".")[2] for name in layers}
    times = Counter(last.values())
    return {name: s if times[s] == 1 else name for name, s in last.items()}


def _put_files(to: Records, files: Sequence[File], found: Sequence[Document]) -> None:
    """Enter a document for each file, whose text and coder follow from where it is."""
    whose = owners([f.path for f in files], [d.text for d in found])
    named = {c for _, c in whose if c != UNTOUCHED}
    gold = {c for c in named if is_gold(c)}
    if gold == named:  # 'final_anna', 'final_bob': what all are called tells nobody apart
        gold = set()
    coders = named - gold
    if len(files) > 1 and len(coders) < 2:
        raise InputError(
            f"all {len(files):,} files seem to be of one coder ({', '.join(sorted(coders))!r}). "
            "Who the coder is follows from the folder ('anna/talk.tsv', 'bob/talk.tsv') or from "
            "the name of the file ('talk_anna.tsv', 'talk_bob.tsv')",
            file=to.source,
        )
    put(
        to,
        (
            (item, None if coder in gold else coder, Status.ANSWERED, document)
            for (item, coder), document in zip(whose, found, strict=True)
            if coder != UNTOUCHED
        ),
    )
    to.leave_out("files of a curator, kept as known labels", sum(c in gold for _, c in whose))
    to.leave_out("texts as they were before annotation", sum(c == UNTOUCHED for _, c in whose))


def read_documents(
    layout: str,
    label: str,
    takes: Callable[[File], bool],
    parse: Callable[[Sequence[File], Sequence[File], Options, Records], Sequence[Document]],
) -> Callable[[Sequence[File], Options], Import]:
    """The reader of a format with a file for each text and coder, of which ``parse`` gets all."""

    def read(files: Sequence[File], options: Options) -> Import:
        columns = {"item": "text", "coder": "file or folder", "label": label}
        to = Records(layout, "", columns, options.spans)
        taken = chosen(files, takes, to)
        _put_files(to, taken, parse(taken, files, options, to))
        return to.done()

    return read


def chosen(
    files: Sequence[File], takes: Callable[[File], bool], to: Records, beside: Collection[str] = ()
) -> list[File]:
    """The files of a format; others of their suffix are counted, unless that is in ``beside``."""
    taken = [f for f in files if takes(f)]
    suffixes = {f.suffix for f in taken} - {"", *beside}
    other = [f.path.name for f in files if f.suffix in suffixes and not takes(f)]
    shown = ", ".join(map(repr, other[:3])) + (", …" if len(other) > 3 else "")
    to.leave_out(f"files that are not {to.layout}, or damaged ({shown})", len(other))
    to.source = taken[0].source if len(taken) == 1 else f"{len(taken)} files"
    return taken


# ------------------------------------------------------------------ whose file of which text


def is_gold(name: str) -> bool:
    """Whether a name says that its file holds what was agreed on."""
    return consensus_like(name) or GOLD.search(name) is not None


def owners(
    paths: Sequence[PurePosixPath], texts: Sequence[Hashable | None]
) -> list[tuple[str, str]]:
    """The text and the coder of each file, by folders, names and what was annotated.

    A folder holds the files of a coder, or the coders of a text: what its files have in common
    tells which. In one folder the names end with the coder, 'talk_anna', 'talk_bob', or the file
    is a coder's if all have one text; else all are one coder's.

    Parameters
    ----------
    paths : sequence of path
        Inside the folder or archive.
    texts : sequence
        What was annotated in each; None where it is not known.
    """
    stems = [_stem(p) for p in paths]
    folders = [str(p.parent) if p.parent.name else "" for p in paths]
    if len(set(folders)) > 1:
        last = _distinct(folders)
        if _of_coders(stems, folders, texts):
            return list(zip(stems, last, strict=True))
        return list(zip(last, stems, strict=True))
    where = paths[0].parent.name if paths else ""
    if (
        len(stems) == 1
        or all(map(_known, stems))
        or (len(set(texts)) == 1 and texts[0] is not None and not _parted(stems, texts))
    ):
        return [(where or "text", stem) for stem in stems]
    return _parted(stems, texts) or [(stem, where or "coder") for stem in stems]


def _parted(stems: Sequence[str], texts: Sequence[Hashable | None]) -> list[tuple[str, str]] | None:
    """Names that end with their coder: every text by several, with one text each."""
    parts = [m.groups() if (m := SUFFIX.match(s)) else (s, "") for s in stems]
    by_text, coders = defaultdict[str, list[Hashable | None]](list), Counter(c for _, c in parts)
    for (start, _), text in zip(parts, texts, strict=True):
        by_text[start].append(text)
    fits = (
        "" not in coders
        and len(set(parts)) == len(stems)
        and 2 * sum(len(found) > 1 for found in by_text.values()) >= len(by_text)
        and all(len(set(found)) == 1 for found in by_text.values())
        and (len(by_text) == 1 or len(coders) < len(stems))
        and not (None in texts and all(c.isdigit() for c in coders))
    )
    return [(start, coder) for start, coder in parts] if fits else None


def _of_coders(
    stems: Sequence[str], folders: Sequence[str], texts: Sequence[Hashable | None]
) -> bool:
    """Whether each folder is a coder's, rather than a text's."""
    names = [PurePosixPath(f).name for f in folders]
    if any(map(_known, stems)) != any(map(_known, names)):
        return any(map(_known, names))
    inside, across = defaultdict[str, list[Hashable]](list), defaultdict[str, list[Hashable]](list)
    for stem, folder, text in zip(stems, folders, texts, strict=True):
        if text is not None:
            inside[folder].append(text)
            across[stem].append(text)
    if (torn := _torn(inside.values())) != (split := _torn(across.values())):
        return split < torn
    return _repeats(across.values()) > 0 or _repeats(inside.values()) == 0


def _known(name: str) -> bool:
    return is_gold(name) or PERSON.match(name) is not None or name == UNTOUCHED


def _torn(groups: Iterable[Sequence[Hashable]]) -> int:
    """How many groups hold different texts."""
    return sum(len(set(g)) > 1 for g in groups)


def _repeats(groups: Iterable[Sequence[Hashable]]) -> int:
    """How many texts occur again in their group."""
    return sum(len(g) - len(set(g)) for g in groups)


def _distinct(folders: Sequence[str]) -> list[str]:
    """The last part of each folder, or all of it where folders of one name are meant apart."""
    last = [PurePosixPath(f).name for f in folders]
    apart = len(set(last)) == len(set(folders))
    return last if apart else list(folders)


def _stem(path: PurePosixPath) -> str:
    """The name without the suffixes of formats: 'talk.txt.tsv' is 'talk'."""
    name = path.stem
    return name[:-4] if name.lower().endswith((".txt", ".ann", ".tsv")) else name
