"""The bibliography, and that everything cited stands in it."""

from __future__ import annotations

import re

import pytest

from accordant.errors import RequestError
from accordant.inference import benchmarks
from accordant.literature import LITERATURE, bibtex, cite, reference
from accordant.measure.coefficients import COEFFICIENTS, find


@pytest.mark.parametrize(
    "key, expected",
    [
        ("krippendorff2011", "Krippendorff (2011)"),
        ("artstein2008", "Artstein & Poesio (2008)"),
        ("byrt1993", "Byrt et al. (1993)"),
        ("krippendorff2004", "Krippendorff (2004a)"),
        ("krippendorff2004b", "Krippendorff (2004b)"),
    ],
)
def test_in_running_text(key: str, expected: str) -> None:
    assert cite(key) == expected


def test_citations_tell_works_apart() -> None:
    assert len({w.cite for w in LITERATURE.values()}) == len(LITERATURE)


def test_everything_cited_is_in_the_bibliography() -> None:
    for c in COEFFICIENTS.values():
        assert set(c.sources) <= set(LITERATURE), c.key
    scales = vars(benchmarks).values()
    each = [s for x in scales for s in (x.values() if isinstance(x, dict) else ())]
    sources = {s.source for s in each if hasattr(s, "source")}
    assert sources <= set(LITERATURE)


def test_names_are_greek_and_what_users_type_is_not() -> None:
    for c in COEFFICIENTS.values():
        assert not re.search(r"\b(kappa|alpha|pi)\b", c.name), c.key
        assert all(text.isascii() for text in (*c.variants, *c.aliases)), c.key
        assert all(find(name) is c for name in c.name.split(", ")), c.key


def test_sorted_by_key() -> None:
    assert list(LITERATURE) == sorted(LITERATURE)


@pytest.mark.parametrize("key", LITERATURE)
def test_every_entry_can_be_printed(key: str) -> None:
    w = LITERATURE[key]
    assert w["year"] in key
    assert re.search(rf"\({w.year}[ab]?\)\. .+\.( https://doi\.org/10\.\S+)?$", reference(key))
    assert w["doi"] == "" or re.fullmatch(r"10\.\d{4,}/\S+", w["doi"])
    entry = bibtex(key)
    assert entry.startswith(f"@{w.kind}{{{key},")
    assert entry.count("{") == entry.count("}")
    assert not re.search(r"(?<!\\)&", entry)


def test_bibtex_fields() -> None:
    lines = bibtex("byrt1993").splitlines()
    assert "  author = {Byrt, Ted and Bishop, Janet and Carlin, John B}," in lines
    assert "  volume = {46}," in lines
    assert "  number = {5}," in lines
    assert "  pages = {423--429}," in lines


def test_unknown_key_has_a_hint() -> None:
    with pytest.raises(RequestError, match="did you mean 'cohen1960'"):
        cite("cohen-1960")
