"""Every example in README and documentation runs and prints what the page says."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import accordant
from accordant import COEFFICIENTS
from accordant.data import examples
from accordant.diagnosis.explanation import KINDS
from accordant.literature import reference
from accordant.measure.distances import NAMES, OF_SETS
from accordant.measure.measures import OF_LABEL_SETS
from docs.benchmarks_page import PAGE as BENCHMARKS
from docs.benchmarks_page import PEERS, filled
from docs.blocks import FENCE, PAGES, ROOT, Page, matches

DOCS = ROOT / "docs"
README = ROOT / "README.md"
sys.path.insert(0, str(DOCS / "_ext"))
generated = pytest.importorskip("generated", reason="needs Sphinx (the group docs)")

WITH_EXAMPLES = [p for p in PAGES if FENCE.search(p.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda p: str(p.relative_to(ROOT)))
def test_examples(path: Path, tmp_path: Path) -> None:
    wrong = [
        f"{step.typed}--- the page says\n{step.printed}--- it prints\n{step.got}"
        for _, steps in Page(path, tmp_path).run()
        for step in steps
        if not step.right
    ]
    assert not wrong, "\n".join(wrong) + "\nwrite it anew: cd tests; python -m docs.blocks"


def test_dots_stand_for_any_lines() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert matches("a\n...\n", "a\nb\n")
    assert not matches("a\n...\nd\n", "a\nb\nc\n")
    assert not matches("a\nb\n", "a\nb\nc\n")


def test_the_readme_is_short_and_names_how_to_begin() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.split()) <= 1200
    assert "`make demo`" in text
    assert "`make test`" in text
    assert "$ accordant agreement" in "\n".join(text.splitlines()[:25])


def test_the_page_on_benchmarks_has_what_was_measured() -> None:
    text = BENCHMARKS.read_text(encoding="utf-8")
    assert filled(text) == text, "write it anew: cd tests; python -m docs.benchmarks_page"


def test_every_peer_that_is_named_has_a_test() -> None:
    tests = {p.stem for p in (ROOT / "tests" / "oracle").glob("test_*.py")}
    names = {
        "scikit-learn": "sklearn",
        "agreement": "agreement_package",
        "crowd-kit": "crowdkit",
    }
    assert {f"test_{names.get(p, p).lower()}" for p in PEERS} <= tests


# ------------------------------------------------------------------ nothing is forgotten


def test_every_weight_has_its_formula() -> None:
    text = (DOCS / "reference" / "weights.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \| .* \| .* \|$", text, re.MULTILINE)) >= {
        *NAMES,
        *OF_SETS,
    }


def test_every_interval_is_explained() -> None:
    text = (DOCS / "reference" / "intervals.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)`", text, re.MULTILINE)) == {
        "auto",
        "analytic",
        "bootstrap",
        "none",
    }


def test_every_reason_is_explained() -> None:
    source = (ROOT / "src/accordant/measure/undefined.py").read_text(encoding="utf-8")
    page = (DOCS / "reference" / "coefficients.md").read_text(encoding="utf-8")
    explained = generated.filled(page)
    for reason in re.findall(r'Undefined\(\s*"(\w+)"', source):
        assert f"`{reason}`" in explained


def test_every_coefficient_stands_on_the_page_with_its_sources() -> None:
    page = (DOCS / "reference" / "coefficients.md").read_text(encoding="utf-8")
    text = generated.filled(page)
    words = " ".join(text.replace("\n>", "\n").split())  # without the marks of a quotation
    for c in COEFFICIENTS.values():
        assert " ".join(c.assumption.split()) in words
        assert all(part in text for part in c.formula.split(r", \quad "))  # a line each
        for key in c.sources:
            assert reference(key) in text


def test_every_measure_of_label_sets_stands_on_the_page() -> None:
    text = generated.filled((DOCS / "reference" / "coefficients.md").read_text(encoding="utf-8"))
    for key in OF_LABEL_SETS:
        assert re.search(rf"^\| `{key}` \|.*\| (`[\w-]+`|each label given or not) \|$", text, re.M)


def test_every_pattern_stands_on_the_page_with_its_remedy() -> None:
    text = generated.filled((DOCS / "reference" / "patterns.md").read_text(encoding="utf-8"))
    sections = re.split(r"^\(pattern-[\w-]+\)=$", text, flags=re.MULTILINE)[1:]
    others = [find.__name__ for find in generated.OTHERS]
    codes = [*KINDS, *others]
    assert len(sections) == len(codes) > 20
    for code, section in zip(codes, sections, strict=True):
        assert f"`{code}`" in section
        assert re.search(r"remedy\*\* \| `\w+`", section), f"{code}: no remedy"
        assert "``" not in section, f"{code}: a sentence about an argument of the function"
        assert "{" not in section, f"{code}: a name is not filled in"
        if code in others:
            assert len(section.split("\n\n")) >= 4, f"{code}: nothing is said on how it is found"
    former = (DOCS.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert all(f"`{code}`" in former for code in KINDS)


def test_no_table_of_a_page_is_broken() -> None:
    for page in (DOCS / "reference").glob("*.md"):
        text = generated.filled(page.read_text(encoding="utf-8"))
        for line in re.findall(r"^\| .*", text, re.MULTILINE):
            assert line.endswith("|"), f"{page.name}: {line}"


def test_links_lead_somewhere() -> None:
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_everything_public_is_documented() -> None:
    text = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    described = set(re.findall(r":: accordant\.(\w+)$", text, re.MULTILINE)) | set(
        re.findall(r"`ac\.(\w+)`", text)
    )
    assert described == set(accordant.__all__) - {"__version__"}


def test_the_paragraph_to_write_has_the_numbers_of_the_example() -> None:
    text = (DOCS / "tutorials" / "reliability.md").read_text(encoding="utf-8")
    paragraph = " ".join(re.findall(r"^> (.*)$", text, re.MULTILINE))
    table = accordant.agreement(examples.path("visitors"), scale={"mood": "ordinal"})
    topic, mood, percent = (
        table["topic", "alpha"],
        table["mood", "alpha"],
        table["topic", "percent"],
    )
    for x in (topic.value, topic.low, topic.high, mood.value, mood.low, mood.high):
        assert f"{x:.3f}".lstrip("0") in paragraph
    assert f"{percent.value:.1%}".replace("%", " %") in paragraph
    assert f"{topic.n_pairable} remarks" in paragraph
    assert f"Accordant {accordant.__version__}" in paragraph


def test_the_paragraph_about_label_sets_has_the_numbers_of_the_example() -> None:
    text = (DOCS / "tutorials" / "several-labels.md").read_text(encoding="utf-8")
    paragraph = " ".join(re.findall(r"^> (.*)$", text, re.MULTILINE))
    data = examples.load("marchal2022_case")
    table = accordant.agreement(data)
    match, f1 = table["boot_match"], table["boot_f1"]
    others = (table["boot_precision"].value, table["boot_recall"].value)
    for x in (match.value, match.low, match.high, f1.value, f1.low, f1.high, *others):
        assert f"{x:.3f}".lstrip("0") in paragraph
    found = accordant.diagnose(data).pooled.structure
    assert found is not None
    shares = (match.observed, match.expected, *(c.share_several for c in found.coders))
    for share in shares:
        assert f"{share:.1%}".replace("%", " %") in paragraph
    assert f"{found.coders[0].n_decides_alone} of the {found.final.n_with_label} items" in paragraph
    assert f"{match.n_items} items" in paragraph
    assert f"Accordant {accordant.__version__}" in paragraph
