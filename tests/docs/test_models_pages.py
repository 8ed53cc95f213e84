"""The pages about models of coders say everything that the registry and the code know."""

from __future__ import annotations

import ast
import re
import sys

import pytest

import accordant as ac
from accordant.data import examples
from accordant.literature import reference
from accordant.models.coder_reliability import VERDICTS
from accordant.models.model_list import MODELS
from docs.blocks import ROOT

DOCS = ROOT / "docs"
PAGES = ("models", "coders", "crowdtruth", "soft-labels", "model-coders")
sys.path.insert(0, str(DOCS / "_ext"))
generated = pytest.importorskip("generated", reason="needs Sphinx (the group docs)")
models_page = pytest.importorskip("models_page")


def page(name: str) -> str:
    text = (DOCS / "reference" / f"{name}.md").read_text(encoding="utf-8")
    return str(generated.filled(text))


def test_every_model_has_a_section_with_assumption_formula_options_and_sources() -> None:
    assert set(models_page.FORMULAS) == set(MODELS)
    parts = re.split(r"^\(model-([\w-]+)\)=$", page("models"), flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert list(sections) == [key.replace("_", "-") for key in MODELS]
    whole = {MODELS[key].fitting: sections[key.replace("_", "-")] for key in reversed(MODELS)}
    for m, text in zip(MODELS.values(), sections.values(), strict=True):
        assert f"### {m.name}\n" in text
        assert models_page.marked(m.assumption) in text
        assert "$$" in text
        for key in m.sources:
            assert reference(key) in text
        told = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", whole[m.fitting], re.MULTILINE)
        assert {x for head in told for x in re.findall(r"`(\w+)`", head)} >= set(m.takes)
        assert "``" not in text


def test_models_and_other_names_stand_in_the_tables() -> None:
    text = page("models")
    for key in MODELS:
        assert re.search(rf"^\| `{key}` \| \[", text, re.MULTILINE)
    for key, alias in ((one.key, alias) for one in MODELS.values() for alias in one.aliases):
        assert f"| `{alias}` | `{key}` |" in text
    words = page("coders")
    assert all(f"| `{v}` | {says} |" in words for v, says in VERDICTS.items())


def codes() -> set[str]:
    """Every code that a finding of the models may have."""
    found = set()
    for path in (ROOT / "src" / "accordant" / "models").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.FunctionDef):  # a rule is called as its findings are
                marks = [mark.func for mark in call.decorator_list if isinstance(mark, ast.Call)]
                if any("rule" in (getattr(m, "attr", ""), getattr(m, "id", "")) for m in marks):
                    found.add(call.name)
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Finding":
                first = call.args[0] if call.args else None
                given = first or next((k.value for k in call.keywords if k.arg == "code"), None)
                if isinstance(given, ast.Constant):
                    found.add(str(given.value))
    return found


def test_every_finding_of_the_models_is_explained() -> None:
    assert len(codes()) > 12
    text = "".join(map(page, PAGES))
    assert not {code for code in codes() if f"`{code}`" not in text}


def test_the_paragraph_to_write_has_the_numbers_of_the_example() -> None:
    text = (DOCS / "tutorials" / "truth.md").read_text(encoding="utf-8")
    paragraph = " ".join(re.findall(r"^> (.*)$", text, re.MULTILINE))
    data = examples.load("crowd")
    alpha = ac.agreement(data, "alpha")["alpha"]
    found = ac.fit(data)
    known = found.recalibrated(gold="gold")
    kept = known.keep(confidence=0.9)
    votes = ac.fit(data, "majority")
    figures = (
        *(f"{x:.3f}" for x in (alpha.value, alpha.low, alpha.high)),
        f"counts {known.worth:.2f}",
        f"{known.confidence[kept.chosen].mean():.3f}",
    )
    for figure in figures:
        assert figure.replace("0.", ".", 1) in paragraph, figure
    assert f"{len(kept)} of {len(data.items)}" in paragraph
    n = sum(a != b for a, b in zip(found.labels, votes.labels, strict=True))
    assert f"on {n} items, {int(votes.tied.sum())} of them ties" in paragraph
    assert f"Accordant {ac.__version__}" in paragraph
    assert found.converged
