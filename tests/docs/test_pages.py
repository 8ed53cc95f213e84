"""Every example in README and documentation runs and prints what the page says."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

import accordant as ac
from docs.blocks import FENCE, PAGES, ROOT, Page, matches
from papers.test_golden import MEASURES, NOT_REPRODUCED

DOCS = ROOT / "docs"
README = ROOT / "README.md"
sys.path.insert(0, str(DOCS / "_ext"))
generated = pytest.importorskip("generated", reason="needs Sphinx (the group docs)")

WITH_EXAMPLES = [p for p in PAGES if FENCE.search(p.read_text(encoding="utf-8"))]


def page(name: str) -> str:
    """A page with its generated parts."""
    return str(generated.filled((DOCS / f"{name}.md").read_text(encoding="utf-8")))


def quoted(name: str) -> str:
    """The paragraph to write that a tutorial gives."""
    return " ".join(re.findall(r"^> (.*)$", page(f"tutorials/{name}"), re.MULTILINE))


def bare(x: float, digits: int = 3) -> str:
    return f"{x:.{digits}f}".lstrip("0")


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
    assert not matches("a\n...\nd\n", "a\nb\nc\n")
    assert not matches("a\nb\n", "a\nb\nc\n")


def test_the_readme_is_short_and_names_how_to_begin() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.split()) <= 1200
    assert "`make demo`" in text
    assert "`make test`" in text
    assert "$ accordant agreement" in "\n".join(text.splitlines()[:25])
    assert set(re.findall(r"\| `(\w+)`[^|]* \| `", text)) <= set(ac.__all__)


def test_what_programs_write_is_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "benchmarks_page.py"))
    text = page("reference/benchmarks")
    assert made["filled"](text) == text, "run: python docs/benchmarks_page.py"
    n = len(MEASURES)
    assert f"{n - len(NOT_REPRODUCED)} of {n} worked examples" in text
    figure = runpy.run_path(str(DOCS / "figure.py"))
    text = (DOCS / "reference" / "simulation.md").read_text(encoding="utf-8")
    assert figure["page"](text) == text, "run: python docs/figure.py"


# ------------------------------------------------------------------ nothing is forgotten


def test_everything_public_is_documented() -> None:
    text = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    described = set(re.findall(r":: accordant\.(\w+)$", text, re.MULTILINE))
    described |= set(re.findall(r"`ac\.(\w+)`", text))
    assert described == set(ac.__all__) - {"__version__"}


def test_every_coefficient_and_model_stands_on_its_page() -> None:
    words = " ".join(page("reference/coefficients").replace("\n>", "\n").split())
    for c in ac.COEFFICIENTS.values():
        assert " ".join(c.assumption.split()) in words
    text = page("reference/models")
    for row in ac.list_models().to_rows():
        assert f"(model-{row['model'].replace('_', '-')})=" in text


def test_no_page_is_broken() -> None:
    for path in (*PAGES, ROOT / "CONTRIBUTING.md"):
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
    for path in (DOCS / "reference").glob("*.md"):
        for line in re.findall(r"^\| .*", page(f"reference/{path.stem}"), re.MULTILINE):
            assert line.endswith("|"), f"{path.name}: {line}"


def test_the_glossary_explains_each_word_once() -> None:
    words = re.findall(r"^\| ([^|]+) \| ", page("reference/glossary"), re.MULTILINE)
    explained = [word for word in words if word not in ("here", "---")]
    assert len(explained) == len(set(explained)) >= 60


# ------------------------------------------------------------------ paragraphs to write


def test_the_paragraph_on_agreement_has_the_numbers_of_the_example() -> None:
    said = quoted("reliability")
    table = ac.agreement(ac.example("visitors"), scale={"mood": "ordinal"})
    topic, mood = table["topic", "alpha"], table["mood", "alpha"]
    for x in (topic.value, topic.low, topic.high, mood.value, mood.low, mood.high):
        assert bare(x) in said
    assert f"{100 * table['topic', 'percent'].value:.1f} %" in said
    assert f"{topic.n_pairable} remarks" in said


def test_the_paragraph_on_label_sets_has_the_numbers_of_the_example() -> None:
    said = quoted("several-labels")
    table = ac.agreement(ac.example("marchal2022_case"))
    match, f1 = table["boot_match"], table["boot_f1"]
    for x in (match.value, match.low, match.high, f1.value, f1.low, f1.high):
        assert bare(x) in said
    for x in (match.observed, match.expected):
        assert f"{100 * x:.1f} %" in said
    assert f"{match.n_items} items" in said


def test_the_paragraph_on_models_has_the_numbers_of_the_example() -> None:
    said, data = quoted("truth"), ac.example("crowd")
    alpha, known = ac.agreement(data, "alpha")["alpha"], ac.fit(data, gold="gold")
    kept = known.keep(confidence=0.9)
    shares = (alpha.value, alpha.low, alpha.high, known.confidence[kept.chosen].mean())
    assert all(bare(x) in said for x in shares)
    assert f"{len(kept)} of {len(data.items)}" in said
