"""Every reader on damaged files: annotations or an error of ours, and nothing else happens.

``python -m data.formats.fuzz --n 10000`` from the folder of the tests, with the package and that
folder on the path. Watched besides: no file is written outside of the sandbox or left in it, no
address is called, nothing takes 10 s or 1 GB, no XML entity brings the content of another file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from accordant import read
from accordant.errors import AccordantError, ReadingWarning
from conftest import DATA
from data.formats import mutations
from data.formats.test_alt_test import CODERS
from data.formats.test_argilla import FIRST, HUB
from data.formats.test_brat import ANN, TEXT
from data.formats.test_conll import BIO, UNIVERSAL
from data.formats.test_gate_teamware import TWO
from data.formats.test_hugging_face import FEATURES, LISTS, folder, parquet
from data.formats.test_inception import project
from data.formats.test_label_studio_table import as_csv, as_min
from data.formats.test_pdtb import line
from data.formats.test_potato import NEW
from data.formats.test_qda_tables import ROWS, text
from data.formats.test_refi_qda import QDE, qdpx
from data.formats.test_spans import export
from data.formats.test_uima_cas import cas
from data.formats.test_webanno_tsv import tsv
from data.test_spreadsheets import workbook

Files = Mapping[str, bytes]  # path in the sandbox -> content
SECONDS, MEMORY = 10, 1_000_000  # kB
WIDE = [["item", "Anna", "Ben"], ["t1", "x", "y"], ["t2", "y", "y"], ["t3", "x", "x"]]
LONG = "item,coder,label,text\n" + "".join(
    f'{i},{c},{x},"a ""text"", {i}"\n' for i in range(4) for c, x in (("Anna", "x"), ("Ben", "y"))
)
QUESTIONS = b"id,role,tone\n1,a,x\n2,b,y\n3,a,y\n"


def _sample(name: str, lines: int | None = None) -> bytes:
    content = (DATA / "samples" / name).read_bytes()
    return b"".join(content.splitlines(keepends=True)[:lines])


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _lines(records: list[Any]) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


def _made(*paths: Callable[[Path], Any]) -> list[Files]:
    """What functions write that get a folder: each a seed."""
    found = []
    for write in paths:
        with tempfile.TemporaryDirectory() as place:
            write(Path(place))
            found.append(
                {
                    p.relative_to(place).as_posix(): p.read_bytes()
                    for p in sorted(Path(place).rglob("*"))
                    if p.is_file()
                }
            )
    return found


def _both(name: str, content: bytes | str, **more: bytes) -> Files:
    """The same file of two coders."""
    one = content.encode() if isinstance(content, str) else content
    return {f"anna/{name}": one, f"bob/{name}": one} | more


def _statistics(place: Path) -> None:
    import pyreadstat

    frame = pd.DataFrame(WIDE[1:], columns=WIDE[0])
    pyreadstat.write_sav(frame, str(place / "a.sav"))


def _stata(place: Path) -> None:
    pd.DataFrame(WIDE[1:], columns=WIDE[0]).to_stata(place / "a.dta", write_index=False)


def _old_workbook(place: Path) -> None:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("S")
    for i, row in enumerate(WIDE):
        for k, cell in enumerate(row):
            sheet.write(i, k, cell)
    book.save(str(place / "a.xls"))


def _coloured(place: Path) -> None:
    from openpyxl.styles import PatternFill

    def colour(sheet: Any) -> None:
        sheet["B2"].fill = PatternFill("solid", fgColor="FFFF00")
        sheet.merge_cells("B3:B4")

    workbook(place / "a.xlsx", WIDE, colour)


def _frame(place: Path) -> pd.DataFrame:
    return pd.DataFrame(WIDE[1:], columns=WIDE[0])


SEEDS: dict[str, Callable[[], list[Files]]] = {
    "label_studio": lambda: [
        {"a.json": _json(export())},
        {"a.json": _sample("label_studio/sublabels_export.json")},
    ],
    "label_studio_table": lambda: _made(
        lambda p: as_csv(p / "a.csv"), lambda p: as_min(p / "a.json")
    ),
    "prodigy": lambda: [
        {
            "a.jsonl": _sample("constructed/prodigy_choice_three_sessions.jsonl")
            + _sample("prodigy/annotated_news_headlines_ner_head200.jsonl", 2)
        },
        {"a.jsonl": _sample("constructed/prodigy_review_versions.jsonl")},
    ],
    "argilla": lambda: [
        *(
            {"a.json": _sample(f"argilla/v2_records_{x}_CONSTRUCTED.json")}
            for x in ("flattened", "to_json")
        ),
        {"a.parquet": _sample("argilla/v2_to_datasets_CONSTRUCTED.parquet")},
        {"a.jsonl": _lines(FIRST)},
        {"a.jsonl": _lines(HUB)},
    ],
    "gate_teamware": lambda: [{"a.jsonl": _lines(TWO)}],
    "potato": lambda: [
        {f"{u}/user_state.json": _sample(f"potato/{u}/user_state.json") for u in ("alice", "bob")}
        | {"items.json": _sample("potato/items.json")},
        {"a.jsonl": _lines(NEW)},
    ],
    "hugging_face": lambda: _made(
        lambda p: folder(p / "set", LISTS, FEATURES),
        lambda p: parquet(p / "a.parquet", LISTS, FEATURES),
    ),
    "le_wi_di": lambda: [
        {"a.json": _json(dict(list(json.loads(_sample(f"hf_label_distribution/{n}")).items())[:3]))}
        for n in ("HS-Brexit_dev.json", "VariErrNLI_dev.json")
    ],
    "alt_test": lambda: [{"a.json": _json(CODERS)}],
    "doccano": lambda: [
        {
            f"{u}.jsonl": _sample(f"constructed/doccano_individual_export/{u}.jsonl")
            for u in ("ann", "bob")
        },
        {f"{u}.csv": _sample("doccano/text_classification.csv") for u in ("ann", "bob")},
        {f"{u}.jsonl": _sample("doccano/relation_extraction_pretty.jsonl") for u in ("ann", "bob")},
        {f"{u}.jsonl": _sample("doccano/sequence_labeling.jsonl") for u in ("ann", "bob")},
        {
            "a.jsonl": _lines(
                [
                    {
                        "id": 6,
                        "text": "a",
                        "annotations": [{"label": 1, "user": 1}, {"label": 1, "user": 2}],
                    }
                ]
            )
        },
    ],
    "inception": lambda: _made(
        lambda p: project(p / "p.zip", {"anna": "FINISHED", "bob": "FINISHED"})
    ),
    "webanno_tsv": lambda: [
        {
            "anna.tsv": tsv("A[1]", "A[1]|B[2]", "_", r"\*").encode(),
            "bob.tsv": tsv("A", "*", "_", "C").encode(),
        },
        _both("a.tsv", _sample("inception_webanno/tsv3_edge_cases/sampleSlotAnnotation1.tsv")),
    ],
    "uima_cas": lambda: [
        _both("t.json", cas((0, 1, "A"), (7, 9, "B"))),
        _both(
            "t.xmi",
            _sample("uima_cas/small_cas.xmi"),
            **{"TypeSystem.xml": _sample("uima_cas/small_typesystem.xml")},
        ),
    ],
    "brat": lambda: [
        _both("t.ann", ANN, **{"anna/t.txt": TEXT.encode(), "bob/t.txt": TEXT.encode()})
    ],
    "pdtb": lambda: [
        _both(
            "t.txt",
            line("Explicit", "1..20;22..25", "27..40", "A.B", "C")
            + line("EntRel", "50..60", "61..70"),
        ),
        _both("t.txt", _sample("pdtb/Turkish_ann_talk_2150_tr.txt", 6)),
    ],
    "refi_qda": lambda: _made(lambda p: qdpx(p / "p.qdpx", QDE.format(2, 6, 17, 23))),
    "conll": lambda: [
        {"anna.bio": BIO.encode(), "bob.bio": BIO.encode()},
        {"anna.conllu": UNIVERSAL.encode(), "bob.conllu": UNIVERSAL.encode()},
        _both("a.conll", _sample("conll_bio/conll2006_someDifferences_user1.conll")),
    ],
    "appen": lambda: [
        {"a.csv": _sample("appen_crowdflower/platform_cf2.csv")},
        {"a.csv": _sample("appen_crowdflower/relex-multiple-choice.csv", 20)},
    ],
    "toloka": lambda: [{"a.tsv": _sample("constructed/toloka_assignments.tsv")}],
    "mturk": lambda: [
        {"a.csv": _sample("mturk/platform_amt2.csv")},
        {"a.csv": _sample("mturk/opinion_mining_spanish_batch.csv", 8)},
        {"a.csv": _sample("mturk/generics_list_in_cell_head40.csv", 6)},
    ],
    "qda_tables": lambda: [{"a.txt": text(ROWS).encode()}],
    "text": lambda: [
        {"a.csv": LONG.encode()},
        {"a.csv": "\n".join(map(";".join, WIDE)).encode("cp1252")},
        {f"{c}.csv": QUESTIONS for c in ("anna", "ben")},
        {"a.csv": _sample("wide_csv/mace_pos.csv")},
    ],
    "json_lines": lambda: [
        {
            "a.jsonl": _lines(
                [
                    {"item": i, "coder": c, "label": [x], "meta": {"a": i}}
                    for i in range(3)
                    for c, x in (("A", "x"), ("B", "y"))
                ]
            )
        },
        {"a.json": _json([dict(zip(WIDE[0], row, strict=True)) for row in WIDE[1:]])},
        {"a.json": _json(dict(zip(WIDE[0], zip(*WIDE[1:], strict=True), strict=True)))},
    ],
    "excel": lambda: _made(
        _coloured, _old_workbook, lambda p: _frame(p).to_excel(str(p / "a.ods"), index=False)
    ),
    "parquet": lambda: [
        *_made(lambda p: _frame(p).to_parquet(p / "a.parquet")),
        {"a.parquet": _sample("derived/bjhp_annotations_long.parquet")},
    ],
    "statistics": lambda: _made(_statistics, _stata),
    "archives": lambda: [
        {
            "a.zip": mutations.zipped(
                [mutations.Entry.of(f"{c}.csv", QUESTIONS) for c in ("anna", "ben")]
            )
        },
        {
            "a.zip": mutations.zipped(
                [
                    mutations.Entry.of("x/readme.txt", b"A text."),
                    mutations.Entry.of("x/a.csv", LONG.encode()),
                ]
            )
        },
    ],
}
"""Files that each reader understands, by its name."""


@cache
def seeds(reader: str) -> list[Files]:
    return SEEDS[reader]()


# ------------------------------------------------------------------ one damaged file


class Slow(BaseException):
    """Not caught by anything that catches exceptions."""


class Watch:
    """What a read does besides: files written elsewhere, addresses called, shells started."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.inside = ""
        sys.addaudithook(self._see)

    def _see(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.inside:
            return
        if event == "open":
            path, _, flags = args
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if writes and isinstance(path, str) and not self._ours(path):
                self.found.append(f"wrote {path}")
        elif event in ("os.mkdir", "os.rename", "os.symlink", "os.link"):
            if isinstance(args[0], str) and not self._ours(args[0]):
                self.found.append(f"{event} {args[0]}")
        elif event in ("socket.connect", "os.system", "os.exec"):
            self.found.append(event)

    def _ours(self, path: str) -> bool:
        return os.path.realpath(path).startswith(self.inside) or path == os.devnull


@cache
def watch() -> Watch:
    return Watch()  # an audit hook stays until the process ends


@contextmanager
def _sandbox() -> Iterator[Path]:
    """A folder in a folder, the outer one with a secret; temporary files go beside them."""
    with tempfile.TemporaryDirectory(prefix="fuzz.") as place:
        outer = Path(os.path.realpath(place))
        (outer / "in").mkdir()
        (outer / "tmp").mkdir()
        (outer / "secret.txt").write_text(mutations.SECRET)
        (outer / "in" / "secret.txt").write_text(mutations.SECRET)
        before = tempfile.tempdir
        tempfile.tempdir = str(outer / "tmp")
        watch().found, watch().inside = [], str(outer)
        try:
            yield outer / "in"
        finally:
            tempfile.tempdir, watch().inside = before, ""


def damaged(reader: str, k: int) -> dict[str, bytes]:
    """The k-th damaged copy of the files of a reader: always the same."""
    rng = random.Random(f"{reader} {k}")
    files = dict(rng.choice(seeds(reader)))
    victim = rng.choice(sorted(files))
    files[victim] = mutations.damaged(files[victim], rng)
    if rng.random() < 0.03:
        files[victim] = mutations.packed(files[victim], victim, rng)
    if rng.random() < 0.03:
        other = f"{victim.rpartition('.')[0]}{rng.choice(('.csv', '.json', '.xlsx', '.txt', ''))}"
        files[other] = files.pop(victim)
    return files


def outcome(reader: str, k: int) -> str:
    """'read', 'refused', or what went wrong."""
    spans = "tokens" if k % 3 == 0 else "labels"
    with _sandbox() as place:
        for name, content in damaged(reader, k).items():
            path = place / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        made = sorted(p for p in place.parent.rglob("*"))
        files = [p for p in made if (place / "data") in p.parents and p.is_file()]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", ReadingWarning)
                data = read(files[0] if len(files) == 1 else place / "data", spans=spans)
                said = f"{data.reading} {data.texts} {data.metadata} {data.values} {data.items}"
            found = "read"
        except AccordantError as error:
            said, found = str(error), "refused"
            if "\n" in said:
                found = f"an error of several lines: {said!r}"
        except Slow:
            found, said = f"slower than {SECONDS} s", ""
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            own = [
                t for t in traceback.extract_tb(error.__traceback__) if "accordant" in t.filename
            ]
            at = own[-1] if own else where
            found, said = (
                f"{type(error).__name__}: {str(error)[:80]} ({at.filename}:{at.lineno})",
                "",
            )
        if mutations.SECRET in said:
            found = "the content of another file was read"
        if watch().found:
            found = f"besides: {watch().found[0]}"
        elif sorted(p for p in place.parent.rglob("*")) != made:
            found = "left files behind"
    return found


# ------------------------------------------------------------------ the script


def _stop(*_: object) -> None:
    raise Slow


def _part(reader: str, numbers: range) -> list[tuple[int, str, float, int]]:
    signal.signal(signal.SIGPROF, _stop)
    out = []
    for k in numbers:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of this process, whatever else runs
        found = outcome(reader, k)
        signal.setitimer(signal.ITIMER_PROF, 0)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if memory > MEMORY:
            found = f"more than 1 GB of memory ({found})"
        out.append((k, found, time.process_time() - start, memory))
        if memory > MEMORY:
            break  # what comes after would be blamed; the next part is a process of its own
    return out


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000, help="damaged files for each reader")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the first of them")
    parser.add_argument("--reader", action="append", choices=list(SEEDS), help="default: all")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder for the files of failures")
    given = parser.parse_args()
    bad = 0
    mutations.bomb("")  # made once, before the processes part
    for reader in given.reader or SEEDS:
        seeds(reader)
        numbers = range(given.start, given.start + given.n)
        parts = [numbers[k : k + 250] for k in range(0, len(numbers), 250)]
        counted, slowest, most, failures = Counter[str](), 0.0, 0, dict[str, list[int]]()
        start = time.perf_counter()
        with multiprocessing.get_context("fork").Pool(given.processes, maxtasksperchild=1) as pool:
            for part in pool.imap_unordered(partial(_part, reader), parts):
                for k, found, seconds, memory in part:
                    slowest, most = max(slowest, seconds), max(most, memory)
                    counted[found if found in ("read", "refused") else "FAILED"] += 1
                    if found not in ("read", "refused"):
                        failures.setdefault(found, []).append(k)
        shown = ", ".join(f"{n:,} {what}" for what, n in sorted(counted.items()))
        print(
            f"{reader:20s} {shown}; slowest {slowest:.1f} s, {most / 1000:,.0f} MB, "
            f"{time.perf_counter() - start:.0f} s in all",
            flush=True,
        )
        for found, ks in failures.items():
            print(f"    {len(ks)} times, such as {ks[:3]}: {found}", flush=True)
            if given.keep:
                for name, content in damaged(reader, ks[0]).items():
                    path = given.keep / f"{reader}-{ks[0]}" / name
                    shutil.rmtree(path, ignore_errors=True)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
        bad += len(failures)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
