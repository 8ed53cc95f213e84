"""Every export damaged in many ways: annotations or an error of ours, in a sentence, and no more."""

from __future__ import annotations

import gzip
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordant import AccordantError, read

SEEDS = (
    "platform_exports/argilla_to_json",
    "platform_exports/brat_spec",
    "platform_exports/doccano_spans",
    "platform_exports/google_forms_csv",
    "platform_exports/hf_parallel_lists",
    "platform_exports/inception_agreement_json",
    "platform_exports/inception_doclevel",
    "platform_exports/inception_xmi_nested",
    "platform_exports/ls_mixed_csv",
    "platform_exports/ls_mixed_json",
    "platform_exports/potato_folder",
    "platform_exports/qualtrics_csv",
    "platform_exports/redcap_csv",
    "platform_exports/refi_qda_spec",
    "platform_exports/spss_wide_labels",
    "platform_exports/uima_doclevel",
    "platform_exports/xlsx_sheets",
    "samples/conll_bio",
    "samples/inception_webanno/curation_testsuite/relationLabelTest",
    "samples/prodigy",
    "samples/uima_cas",
    "samples/wide_csv",
)
PIECES = (b"\t", b"\n", b",", b"[", b"]", b"{", b'"', b"\x00", b"\xff\xfe", b"999999999", b"null")
HUGE = (b"[" * 60_000, b'{"a":' * 30_000, b"9" * 5_000, b"," * 50_000, b'"' + b"y\n" * 50_000)


def cut(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content[:at]


def gone(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content[:at] + content[end:]


def noise(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content[:at] + rng.randbytes(end - at) + content[end:]


def piece(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content[:at] + rng.choice(PIECES) + content[at:]


def huge(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content[:at] + rng.choice(HUGE) + content[at:]


def again(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content[:end] + content[at:end] * 3 + content[end:]


def other_letters(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return content.decode("latin-1").encode(rng.choice(("utf-16", "utf-8-sig", "utf-32")))


def packed(content: bytes, at: int, end: int, rng: random.Random) -> bytes:
    return gzip.compress(content)[: rng.choice((None, -5))]


WAYS = (cut, gone, noise, piece, huge, again, other_letters, packed)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.rpartition("/")[2])
def test_read_or_refused(
    seed: str, way: Callable[..., bytes], real_data: Any, tmp_path: Path
) -> None:
    rng, source = random.Random(f"{seed} {way.__name__}"), real_data(seed)
    files = sorted(p for p in source.rglob("*") if p.is_file() and p.name != "truth.json")[:6]
    for k in range(4):
        victim, place = rng.choice(files), tmp_path / f"{k}"
        for path in files:
            content = path.read_bytes()[:200_000]
            if path == victim:
                at = rng.randrange(len(content) + 1)
                content = way(content, at, min(len(content), at + rng.choice((1, 8, 300))), rng)
            to = place / path.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(content)
        before = sorted(tmp_path.rglob("*"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                said = repr(read(place if len(files) > 1 else place / victim.name))
            except AccordantError as error:
                said = str(error)
        assert said
        assert "\n" not in said
        assert sorted(tmp_path.rglob("*")) == before


def test_entities_and_paths_of_archives_reach_no_other_file(tmp_path: Path) -> None:
    import zipfile

    secret = "k7-not-to-be-read"
    (tmp_path / "secret.txt").write_text(secret)
    project = (
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "{tmp_path}/secret.txt">]>'
        '<Project xmlns="urn:QDA-XML:project:1.0" name="&e;"><Users/></Project>'
    )
    path = tmp_path / "p.qdpx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.qde", project)
    with pytest.raises(AccordantError) as caught:
        read(path)
    assert secret not in str(caught.value)
    path = tmp_path / "in" / "a.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../slip.csv", "item,A,B\n1,x,y\n2,y,y\n3,x,x\n")
    with pytest.raises(AccordantError, match="no table was found"):
        read(path)
    assert not list(tmp_path.rglob("slip.csv"))


def test_an_archive_that_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(bytes(300_000_000), 1))
    with pytest.raises(AccordantError, match="unpacks to more than is read"):
        read(tmp_path / "a.csv.gz")


@pytest.mark.parametrize("damage", ["ring", "directory", "far cell", "size of the sheet"])
def test_an_old_workbook_that_would_take_all_memory_is_refused(damage: str, tmp_path: Path) -> None:
    import struct

    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for row, cells in enumerate([("item", "A", "B"), *((f"i{k}", "x", "y") for k in range(200))]):
        for column, cell in enumerate(cells):
            sheet.write(row, column, cell)
    book.save(str(tmp_path / "a.xls"))
    assert len(read(tmp_path / "a.xls")) == 400
    content = bytearray((tmp_path / "a.xls").read_bytes())
    table = 512 * (1 + struct.unpack_from("<I", content, 76)[0])
    first = struct.unpack_from("<I", content, 48)[0]
    if damage == "ring":
        struct.pack_into("<I", content, table + 4 * 5, 2)
    elif damage == "directory":
        struct.pack_into("<I", content, table + 4 * first, first)
    elif damage == "far cell":
        at = content.index(b"\xfd\x00\x0a\x00\x05\x00")
        struct.pack_into("<H", content, at + 6, 60_000)
    else:
        at = content.index(b"\x00\x02\x0e\x00")
        struct.pack_into("<IIHH", content, at + 4, 0, 1 << 31, 0, 65_535)
    (tmp_path / "a.xls").write_bytes(content)
    with pytest.raises(AccordantError, match=r"a\.xls: the workbook cannot be opened"):
        read(tmp_path / "a.xls")
