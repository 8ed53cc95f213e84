"""CoNLL and BIO: a row for each token, a file for each coder."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import InputError
from ..options import Options
from .documents import chosen, is_gold, owners
from .format import File, Format
from .import_report import Import
from .records import Label, Records

SUFFIXES = (".conll", ".conllu", ".conllx", ".conll03", ".iob", ".iob2", ".bio", ".bioes")
TREE = re.compile(r"\d+\t[^\t]+\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t(\d+|_|-1)\t[^\t]*(\t[^\t]*){0,2}")
OTHER_ROW = re.compile(r"\d+[-.]\d+\t")
TAG = re.compile(r"([BIESLUM])-([^\W\d]\S*)")
OUTSIDE = {"O", "_", ""}
UNSEEN = {"?", ""}
UNIVERSAL = {3: "UPOS", 4: "XPOS", 5: "FEATS", 7: "DEPREL"}
DEPENDENCY = {3: "CPOSTAG", 4: "POSTAG", 5: "FEATS", 7: "DEPREL"}
PLAIN = {2: {1: ""}, 3: {1: "POS", 2: "chunk"}, 4: {1: "POS", 2: "chunk", 3: "NER"}}


@dataclass
class _Sentence:
    """Rows of cells, with their lines."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass
class _Content:
    """The sentences of a file, the column of the tokens, and the names of those with labels."""

    sentences: list[_Sentence]
    token: int
    columns: Mapping[int, str]
    left_out: Counter[str]

    def words(self, sentence: _Sentence) -> tuple[str, ...]:
        """The tokens of a sentence."""
        return tuple(row[self.token] for row in sentence.rows)

    def tags(self, k: int) -> set[str]:
        """The distinct cells of a column."""
        return {row[k] for s in self.sentences for row in s.rows}


def _takes(file: File) -> bool:
    lines = [x.rstrip("\r") for x in file.head.split("\n")]
    said = [x for x in lines if x.startswith(("#", "-DOCSTART-")) and not x.startswith("#\t")]
    rows = [x for x in lines if x.strip() and x not in said][:200]
    rows = [x for x in rows if not OTHER_ROW.match(x)]
    if not rows:
        return False
    if rows[0].startswith("1\t") and all(map(TREE.fullmatch, rows)):
        return True
    cells = [_cells(x) for x in rows]
    width, times = Counter(map(len, cells)).most_common(1)[0]
    if file.suffix in SUFFIXES and width > 1 and 2 * times > len(cells):
        return True
    if width < 2 or times < len(cells):
        return False
    parted = any(not x.strip() for x in lines[:-1]) or any(
        x.startswith("-DOCSTART-") for x in lines
    )
    bio = any(_is_bio({c[k] for c in cells}) for k in range(1, width))
    return parted and bio


def _cells(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _is_bio(tags: set[str]) -> bool:
    """Whether a column holds BIO, IOB or BIOES tags, at least one of which begins a span."""
    return all(t in OUTSIDE or t in UNSEEN or TAG.fullmatch(t) for t in tags) and any(
        TAG.fullmatch(t) for t in tags
    )


def _read(files: Sequence[File], options: Options) -> Import:
    to = Records(
        "CoNLL", "", {"item": "sentence:token", "coder": "file", "label": "columns"}, "tokens"
    )
    taken = chosen(files, _takes, to, (".txt",))
    contents = [_parsed(f, options) for f in taken]
    for content in contents:
        for why, n in content.left_out.items():
            to.leave_out(why, n)
    _same_columns(taken, contents)
    firsts = [" ".join(c.words(c.sentences[0])) if c.sentences else None for c in contents]
    whose = owners([f.path for f in taken], firsts)
    if len(taken) > 1 and len({c for _, c in whose}) < 2:
        raise InputError(
            f"the {len(taken):,} files begin with different sentences, and neither their folders "
            "nor their names say which coder each is of. Name them by text and coder, such as "
            "'talk_anna.conll' and 'talk_bob.conll'",
            file=to.source,
        )
    _read_files(contents, whose, to)
    return to.done()


def _parsed(file: File, options: Options) -> _Content:
    text = file.text(options).removeprefix("\ufeff")
    sentences, left_out = [_Sentence("")], Counter[str]()
    marked = False
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip() or line.startswith("-DOCSTART-"):
            if sentences[-1].rows:
                sentences.append(_Sentence(""))
        elif line.startswith("#") and (line.startswith("# ") or not sentences[-1].rows):
            marked = True
            name, _, value = line[1:].partition("=")
            if name.strip() == "sent_id":
                sentences[-1].name = value.strip()
        elif OTHER_ROW.match(line):
            left_out["multi-word tokens and empty nodes"] += 1
            marked = True
        else:
            sentences[-1].rows.append(_cells(line))
            sentences[-1].lines.append(number)
    sentences = [s for s in sentences if s.rows]
    widths = Counter(len(row) for s in sentences for row in s.rows)
    width = widths.most_common(1)[0][0] if widths else 0
    for s in sentences:
        fits = [k for k, row in enumerate(s.rows) if len(row) == width]
        left_out["rows with another number of cells"] += len(s.rows) - len(fits)
        s.rows, s.lines = [s.rows[k] for k in fits], [s.lines[k] for k in fits]
    tree = width >= 8 and all(TREE.fullmatch("\t".join(r)) for s in sentences[:20] for r in s.rows)
    if tree:
        columns = dict(UNIVERSAL if marked else DEPENDENCY)
    else:
        columns = dict(PLAIN.get(width) or {k: f"column {k + 1}" for k in range(1, width)})
    return _Content([s for s in sentences if s.rows], int(tree), columns, left_out)


def _same_columns(files: Sequence[File], contents: Sequence[_Content]) -> None:
    for file, content in zip(files, contents, strict=True):
        if {*content.columns} != {*contents[0].columns} or content.token != contents[0].token:
            raise InputError(
                f"the file has other columns ({len(content.columns)} with labels) than "
                f"{files[0].source!r} ({len(contents[0].columns)})",
                file=file.source,
            )


def _read_files(
    contents: Sequence[_Content], whose: Sequence[tuple[str, str]], to: Records
) -> None:
    names = _sentences(contents, whose, to)
    texts = len({text for text, _ in whose}) > 1
    kinds = {}
    for k, name in contents[0].columns.items():
        tags = set[str]().union(*(c.tags(k) for c in contents))
        if not tags <= {"_"}:
            kinds[k] = "bio" if _is_bio(tags) else "set" if name == "FEATS" else "one"
    if contents[0].token:
        to.notes.append("lemmas, heads and further columns are not compared: they are no labels")
    for content, (text, coder), known in zip(contents, whose, names, strict=True):
        for sentence, name in zip(content.sentences, known, strict=True):
            item = f"{text}/{name}" if texts else name
            _enter(content, sentence, item, None if is_gold(coder) else coder, kinds, to)


def _sentences(
    contents: Sequence[_Content], whose: Sequence[tuple[str, str]], to: Records
) -> list[list[str]]:
    """A name for each sentence, the same where coders have the same tokens."""
    known = defaultdict[str, dict[tuple[object, ...], str]](dict)
    coders = defaultdict[tuple[str, str], int](int)
    out = list[list[str]]()
    for content, (text, _) in zip(contents, whose, strict=True):
        times, found = Counter[tuple[str, ...]](), list[str]()
        for number, sentence in enumerate(content.sentences, 1):
            words = content.words(sentence)
            times[words] += 1
            key = (sentence.name, *words, times[words])
            taken = set(known[text].values())
            name = sentence.name or str(number)
            if key not in known[text] and name in taken:
                name = next(n for n in (f"{name}+{k}" for k in range(1, 10**6)) if n not in taken)
            found.append(known[text].setdefault(key, name))
            coders[text, found[-1]] += 1
        out.append(found)
    n = Counter(text for text, _ in whose)
    alone = sum(times == 1 and n[text] > 1 for (text, _), times in coders.items())
    if alone and alone == sum(n[text] > 1 for text, _ in coders):
        first, second = contents[0], contents[1]
        ours, theirs = (" ".join(c.words(c.sentences[0]))[:60] for c in (first, second))
        raise InputError(
            f"no two files have a sentence of the same tokens: the first begins {ours!r}, the "
            f"second {theirs!r}. Only annotations of the same tokens can be compared",
            file=to.source,
        )
    if alone:
        to.warnings.append(
            f"{alone:,} sentences are in one file only, or have other tokens there: nothing is "
            "compared with them"
        )
    return out


def _enter(
    content: _Content,
    sentence: _Sentence,
    item: str,
    coder: str | None,
    kinds: Mapping[int, str],
    to: Records,
) -> None:
    """The labels of one sentence: tags as spans, other columns token by token."""
    words, row = content.words(sentence), sentence.lines[0]
    spots = _spots(words)
    if "bio" in kinds.values():
        to.looked(item, coder, text=" ".join(words), tokens=spots, row=row)
    for k, kind in kinds.items():
        question = content.columns[k]
        cells = [r[k] for r in sentence.rows]
        if kind == "bio":
            for first, last, label in _decoded(cells):
                to.span(item, coder, spots[first][0], spots[last][1], label, question)
            continue
        for n, (cell, word) in enumerate(zip(cells, words, strict=True), 1):
            token = f"{item}:{n}"
            to.about(token, None, {"document": item, "token": word})
            given: Label = None if cell in ("_", "") else cell
            if coder is None:
                to.gold(token, given, question)
                continue
            if kind == "set":
                given = cell.split("|") if given else []
            to.add(token, coder, given, question=question, row=sentence.lines[n - 1])


def _spots(words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the tokens stand in the sentence, with a blank between them."""
    at, out = 0, []
    for word in words:
        out.append((at, at + len(word)))
        at += len(word) + 1
    return out


def _decoded(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """First and last token and label of each span, of IOB1, IOB2 and BIOES alike."""
    first, label, over = -1, "", True
    for k, tag in enumerate([*tags, "O"]):
        found = TAG.fullmatch(tag)
        begins = found is None or found[1] in "BSU" or found[2] != label or over
        if begins and first >= 0:
            yield first, k - 1, label
        if found is None:
            first, label, over = -1, "", True
        else:
            first, label = (k if begins else first), found[2]
            over = found[1] in "ESLU"


FORMAT = Format("CoNLL", _takes, _read)
