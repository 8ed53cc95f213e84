"""Parts of pages that are written from the package itself, so that they cannot fall behind it.

A line ``<!-- generated: NAME -->`` in a page becomes what the function of that name returns.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import models_page
import numpy as np
import procedure_page
from sphinx.application import Sphinx
from tables import table

from accordant import COEFFICIENTS, Agreement, agreement, read
from accordant.counts.count import count
from accordant.diagnosis.caveats import CAVEATS, POOLED
from accordant.diagnosis.explanations import KINDS
from accordant.inference.benchmarks import BENCHMARKS
from accordant.literature import LITERATURE, reference
from accordant.measure.distances import ALIASES, NAMES, weights_for
from accordant.measure.measures import OF_LABEL_SETS, measures, shown
from accordant.measure.registry import Coefficient
from accordant.measure.sets import SCORES
from accordant.messages import CATALOGUE

PLACE = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


def filled(text: str) -> str:
    """A page with its generated parts."""
    return PLACE.sub(lambda found: PARTS[found[1]](), text)


# ------------------------------------------------------------------ coefficients


def glance() -> str:
    """One line for each coefficient of single labels."""
    return lines_of(of_sets=False)


def glance_of_sets() -> str:
    """One line for each coefficient that only sets of labels have."""
    return lines_of(of_sets=True)


def lines_of(*, of_sets: bool) -> str:
    """One line for each coefficient of a kind."""
    return table(
        ["type", "symbol", "name", "expected agreement: assumption"],
        [
            [f"`{c.key}`", symbol(c), f"[{c.name}](#coefficient-{c.key})", paragraphs(c)[0]]
            for c in COEFFICIENTS.values()
            if c.only_sets == of_sets
        ],
    )


def paragraphs(c: Coefficient) -> list[str]:
    """The assumption, a line for each paragraph; the first one stands alone."""
    return [" ".join(part.split()) for part in c.assumption.split("\n\n")]


def named_measures() -> str:
    """The measures of sets of labels: each a coefficient with its weights."""
    rows = []
    for key in OF_LABEL_SETS:
        (m,) = measures(key)
        c, weights = m.coefficient, m.weights or m.coefficient.of_sets or "identity"
        name = shown(c.key, weights, of_sets=True)
        agree = "each label given or not" if c.is_mean else f"`{weights}`"
        rows.append([f"`{key}`", name, f"[{symbol(c)}](#coefficient-{c.key})", agree])
    return table(["type", "name", "expected agreement as in", "two sets agree by"], rows)


def symbol(c: Coefficient) -> str:
    """The symbol; one with an index is a formula."""
    return f"${c.symbol}$" if "_" in c.symbol else c.symbol


def coefficients() -> str:
    """A section for each coefficient of single labels."""
    return "\n\n".join(section(c) for c in COEFFICIENTS.values() if not c.only_sets)


def coefficients_of_sets() -> str:
    """A section for each coefficient that only sets of labels have."""
    return "\n\n".join(section(c) for c in COEFFICIENTS.values() if c.only_sets)


def section(c: Coefficient) -> str:
    """Everything the registry says about a coefficient."""
    facts = [
        ("Also typed", ", ".join(f"`{name}`" for name in c.aliases)),
        ("In the literature", "; ".join(c.variants)),
        ("What is averaged", averaged(c)),
        ("Needs to know who annotated", "yes" if c.needs_coders else "no"),
        ("Sources", "<br>".join(reference(key) for key in c.sources)),
    ]
    return "\n\n".join(
        [
            f"(coefficient-{c.key})=\n### {symbol(c)}: {c.name}",
            "\n>\n".join(f"> {part}" for part in paragraphs(c)),
            "\n\n".join(f"$$\n{part}\n$$" for part in c.formula.split(r", \quad ")),
            table(["", ""], [[f"**{name}**", text] for name, text in facts if text]),
        ]
    )


def averaged(c: Coefficient) -> str:
    """Over what observed agreement is a mean."""
    if c.is_mean and c.only_sets:
        return "the coefficients of the labels, each label given or not; those without one left out"
    if c.is_mean:
        return "the coefficients of the pairs of coders, each on the items that both annotated"
    if c.per_value:
        return "annotations: an item counts once for each of its annotations, if it has two or more"
    return "items: each counts once, however many annotations it has, if it has two or more"


def literature() -> str:
    """Every reference that the package cites."""
    return "\n".join(f"- {text}" for text in sorted(map(reference, LITERATURE)))


# ------------------------------------------------------------------ weights

CATEGORIES = (1, 2, 3, 5)  # a gap, so that value and rank differ
UNMETRIC = ("identity", "ordinal", "ordinal-metric")  # have no form by value
SCHEME = read([list(CATEGORIES), [1, 2, 2, 5]], categories=CATEGORIES, scale="ordinal")


def weights_by_value() -> str:
    """How much each two categories agree, by their value where weights know one."""
    return weight_pairs([n if n in UNMETRIC else f"{n}-by-value" for n in NAMES])


def weights_by_rank() -> str:
    """How much each two categories agree, by their rank."""
    return weight_pairs([f"{n}-by-rank" for n in NAMES if n not in UNMETRIC])


def weight_pairs(names: Sequence[str]) -> str:
    """A row for each weights, a column for each two categories."""
    counts = count(SCHEME)
    every = [weights_for(name, counts) for name in names]
    pairs = list(combinations(range(len(CATEGORIES)), 2))
    return table(
        ["", *(f"{CATEGORIES[a]} and {CATEGORIES[b]}" for a, b in pairs)],
        [[f"`{w.name}`", *(f"{w.matrix[a, b]:.3f}" for a, b in pairs)] for w in every],
    )


SETS = {
    "A and A;B": (1, 2, 1),
    "A;B and B;C": (2, 2, 1),
    "A;B and A;B": (2, 2, 2),
    "A;B and A;B;C": (2, 3, 2),
    "A and B": (1, 1, 0),
    "A and ∅": (1, 0, 0),
    "∅ and ∅": (0, 0, 0),
}
"""Two sets: the size of each and of what they share. The first three are the paper's Table 1."""


def set_weights() -> str:
    """How much two sets agree, by every weights of sets."""
    sizes = np.array(list(SETS.values())).T
    return table(
        ["", *SETS],
        [[f"`{name}`", *(f"{x:.3f}" for x in score(*sizes))] for name, score in SCORES.items()],
    )


def weight_aliases() -> str:
    """The other names of weights."""
    return table(["you may type", "for"], [[f"`{a}`", f"`{n}`"] for a, n in ALIASES.items()])


# ------------------------------------------------------------------ undefined

UNDEFINED: tuple[Callable[[], Agreement], ...] = (
    lambda: agreement([[None, None], [None, None]], "alpha", categories=["a", "b"])["alpha"],
    lambda: agreement([["a", "b", "a"]], "alpha")["alpha"],
    lambda: agreement([["a", "b", None], [None, None, "a"]], "alpha")["alpha"],
    lambda: agreement({"a": [2, 1, 0], "b": [0, 1, 2]}, "kappa", layout="counts")["kappa"],
    lambda: agreement([["a", "a"], ["a", "a"]], "ac")["ac"],
    lambda: agreement([["a", "a"], ["a", "a"]], "alpha", categories=["a", "b"])["alpha"],
    lambda: agreement([["a", "a", "b"], ["a", "a", None]], "alpha")["alpha"],
    lambda: agreement([["a", "b"], ["b", "b"]], "s", weights=[[1, 1], [1, 1]])["s"],
    lambda: agreement([[["a", "b"], ["a", "b"]], [["a"], ["b"]]], "boot_match")["boot"],
    lambda: agreement([[["a", "b"], ["a"]], [["a"], ["a", "c"]]], "soft_match")["soft_match"],
    lambda: agreement(
        [[["a"], ["a"], ["b"]], [["a"], ["a"], None]], "label_alpha", layout="ranked"
    )["label_alpha"],
)
"""A call for each reason."""


def undefined_reasons() -> str:
    """Reason codes with the sentence of an example."""
    rows: dict[str, str] = {}
    for example in UNDEFINED:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that nothing can be compared is what is shown
            why = example().undefined
        if why is not None:
            rows[why.reason] = why.sentence
    return table(
        ["`reason`", "`undefined`, here of a small example"],
        [[f"`{code}`", text] for code, text in rows.items()],
    )


# ------------------------------------------------------------------ benchmarks


def benchmark_scales() -> str:
    """The published scales, with their words and what their authors say."""
    return table(
        ["type", "scale", "bands", "caveat", "source"],
        [[f"`{s.key}`", s.name, bands(s.bands), s.caveat, s.place] for s in BENCHMARKS.values()],
    )


def bands(found: Sequence[Any]) -> str:
    """The words of a scale with their lower limits."""
    return ", ".join(
        f"{b.name} from {b.low:.3g}" if np.isfinite(b.low) else f"{b.name} below" for b in found
    )


# ------------------------------------------------------------------ diagnosis, decomposition


def patterns() -> str:
    """A section for each kind of cause, and for what else is told of disagreement."""
    from accordant.diagnosis import consistency
    from accordant.diagnosis.explanations import no_pattern

    found = [(code, kind.find, kind.remedy) for code, kind in KINDS.items()]
    found.append(("contradictions", consistency.contradictions, "guideline"))
    found.append(("no_pattern", no_pattern, "task"))
    return "\n\n".join(message_section(code, test, remedy) for code, test, remedy in found)


def caveats() -> str:
    """A table of the caveats: when they are told, and what is said."""
    tests: dict[str, Callable[..., Any]] = {**CAVEATS, **POOLED}
    rows = [
        [f"`{code}`", CATALOGUE[code].severity, first_line(test), said(CATALOGUE[code].text)]
        for code, test in tests.items()
    ]
    return table(["code", "severity", "when", "what is said"], rows)


def message_section(code: str, test: Callable[..., Any], remedy: str) -> str:
    """What a kind of finding is, how it is told and what to do."""
    kind = CATALOGUE[code]
    facts = [
        ("Code", f"`{code}`"),
        ("What is said", said(kind.text)),
        ("What to do", said(kind.advice)),
        ("Where to look for the remedy", f"`{remedy}`"),
        ("Sources", "<br>".join(reference(key) for key in kind.sources)),
    ]
    heading = f"(pattern-{code.replace('_', '-')})=\n### {first_line(test).rstrip('.')}"
    return "\n\n".join(
        [heading, table(["", ""], [[f"**{name}**", text] for name, text in facts if text])]
    )


def first_line(test: Callable[..., Any]) -> str:
    """What a test says of itself."""
    return " ".join(inspect.cleandoc(test.__doc__ or "").split("\n\n")[0].split())


def said(template: str) -> str:
    """A template with the names of its facts."""
    return re.sub(r"{(\w+)[^}]*}", r"*\1*", template)


PARTS: dict[str, Callable[[], str]] = (
    {
        f.__name__: f
        for f in (
            glance,
            glance_of_sets,
            named_measures,
            coefficients,
            coefficients_of_sets,
            literature,
            weights_by_value,
            weights_by_rank,
            set_weights,
            weight_aliases,
            undefined_reasons,
            benchmark_scales,
            patterns,
            caveats,
        )
    }
    | models_page.PARTS
    | procedure_page.PARTS
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill in the pages when they are read."""

    def fill(app: Sphinx, name: str, source: list[str]) -> None:
        source[0] = filled(source[0])

    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
