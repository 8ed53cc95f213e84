"""The parts of the page about models of coders that come from their registry and docstrings."""

from __future__ import annotations

import re

from tables import table

from accordant.literature import reference
from accordant.models.coder_reliability import VERDICTS
from accordant.models.model import Model
from accordant.models.model_list import MODELS, options_of, sections_of

MATRIX = r"P(\text{answer } o \mid \text{coder } c, \text{true } k) = "
FORMULAS: dict[str, str] = {
    "blend": r"q_{ik} = \sum_a \sum_\rho w(a, \rho) \; \mathrm{softmax}_k \left( "
    r"\frac{L_{ik}^{(a)}}{1 + \rho (n_i - 1)^{.65}} \right)",
    "majority": r"q_{ik} = \frac{n_{ik}}{\sum_l n_{il}}",
    "weighted": r"q_{ik} = \frac{\sum_{c \to k} w_c}{\sum_c w_c}",
    "dawid_skene": MATRIX + r"\theta_{cko}, \quad "
    r"q_{ik} \propto \pi_k \prod_{(c, o) \text{ of } i} \theta_{cko}",
    "pooled": r"\theta_{cko} = \frac{n_{cko} + s \, \bar\theta_{ko}}{\sum_o n_{cko} + s}",
    "map": r"\theta_{cko} = \frac{n_{cko} + 0.01}{\sum_o (n_{cko} + 0.01)}",
    "one_coin": MATRIX + r"\begin{cases} p_c & o = k \\ \frac{1 - p_c}{K - 1} & o \neq k "
    r"\end{cases}",
    "mace": MATRIX + r"p_c \, [o = k] + (1 - p_c) \, \xi_{co}",
    "glad": r"P(\text{right} \mid c, i) = \frac{1}{1 + e^{-\alpha_c \beta_i}}, \quad "
    r"\beta_i = \frac{1}{\text{difficulty}_i} > 0",
}
"""How each model explains an answer, or makes a label; a line for each part."""


def model_glance() -> str:
    """One line for each model."""
    rows = [[f"`{m.key}`", f"[{m.name}](#{anchor(m)})", m.assumption] for m in MODELS.values()]
    return table(["type", "model", "what it assumes"], rows)


def model_aliases() -> str:
    """The other names of models."""
    rows = [[f"`{alias}`", f"`{one.key}`"] for one in MODELS.values() for alias in one.aliases]
    return table(["you may type", "for"], rows)


def model_sections() -> str:
    """A section for each model."""
    return "\n\n".join(section(m) for m in MODELS.values())


def coder_verdicts() -> str:
    """The words for coders."""
    return table(["`verdict`", "in words"], [[f"`{v}`", text] for v, text in VERDICTS.items()])


def anchor(m: Model) -> str:
    """Where the page tells about a model."""
    return f"model-{m.key.replace('_', '-')}"


def section(m: Model) -> str:
    """What the registry and the docstring say about a model."""
    parts = sections_of(m)
    base = next(k for k, x in MODELS.items() if x.fitting is m.fitting)
    facts = [("Also typed", ", ".join(f"`{alias}`" for alias in m.aliases))]
    if base != m.key:
        given = ", ".join(f"{k}={v!r}" for k, v in m.options.items())
        facts.append(("Short for", f"`{base}` with `{given}`"))
    probabilities = "posterior probabilities" if m.probabilistic else "shares of votes"
    facts.append(("Its probabilities are", probabilities))
    facts.append(("Sources", "<br>".join(reference(key) for key in m.sources)))
    formula = FORMULAS[m.key].split(r", \quad ")
    text = [f"({anchor(m)})=\n### {m.name}", f"> {marked(m.assumption)}"]
    if base == m.key:
        text += [marked(x) for x in parts[""].split("\n\n")[1:]]
    text += [f"$$\n{line}\n$$" for line in formula]
    if base == m.key:
        if "Notes" in parts:
            text += [marked(x) for x in parts["Notes"].split("\n\n")]
        if options := options_table(m):
            text.append(table(["option", "default", "what it is"], options))
        if found := parts.get("Returns"):
            told = found.partition("\n")[2]
            if told.strip():
                text.append(f"**What it finds.** {marked(told)}")
    text.append(table(["", ""], [[f"**{name}**", x] for name, x in facts if x]))
    return "\n\n".join(text)


def options_table(m: Model) -> list[list[str]]:
    """A row for each option: its name, its default, and what the docstring says."""
    return [[f"`{x.name}`", f"`{x.default!r}`", marked(x.meaning)] for x in options_of(m)]


def marked(text: str) -> str:
    """A paragraph in one line, its names set as code."""
    one = " ".join(text.split()).replace("``", "`").replace("|", r"\|")
    one = re.sub(r",? see `[a-z_]+\.[\w.]+`", "", one)  # of the code, and nothing to a reader
    said = one.split("`")  # every second part is code already
    # 'none' and other words to be typed; an apostrophe within a word is none
    said[::2] = [re.sub(r"(?<!\w)'([\w .]+)'(?!\w)", r"`'\1'`", part) for part in said[::2]]
    return "`".join(said)


PARTS = {f.__name__: f for f in (model_glance, model_aliases, model_sections, coder_verdicts)}
