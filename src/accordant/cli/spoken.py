"""Sentences with Python keywords, as options; for the commands that are not generated yet."""

from __future__ import annotations

import ast
import re
import shlex
from dataclasses import fields
from typing import Any

from ..data.options import Options
from .lists import as_listed

__all__ = ["spoken"]

_OPTIONS = [field.name for field in fields(Options)] + [
    "weights",
    "interval",
    "agreement",
    "shares",
    "by",
    "over",
    "rank",
    "search",
    "rounding",
    "minimum_share",
    "hierarchy",
    *("gold", "truth", "model", "models", "abstentions", "restarts", "max_iterations", "sets"),
    *("decide", "tau", "level", "rng", "n_resamples", "of", "smoothing", "ties", "floor", "unit"),
    *("humans", "epsilon", "alignment", "q", "min_items", "few", "coefficient", "folds"),
    *("per_item", "accuracy", "ambiguous", "misleading", "disputed", "difficulty", "uneven"),
]
_OF_MODELS = (
    *("prior", "strength", "diagonal", "off", "prevalence", "one_vote_per_coder", "draws"),
    *("warm_up", "chains", "subtypes", "sharing", "order"),
)
"""Options of single models, which are given with --set."""
_RENAMED = {"rng": "seed", "n_resamples": "resamples", "humans": "human"}
_CALLS = {
    "diagnose()": "accordant diagnose", "fit()": "accordant fit",
    "See beside_each": "See --show beside-humans",
    "(`side_by_side()`)": "(--show readings)",
    "; leave_out= says how many": "",
    "ac.fit(data).keep(share=0.9)": "accordant fit --keep-share 0.9",
    "ac.coders(data).schools.posterior_of(2) fits": "accordant fit with its coders as "
    "--only-coder fits",
    "ac.coders(data).confusion_of(name)": "accordant fit --of CODER",
    "ac.coders(data)": "accordant fit --show leaving-out",
    "ac.which_model(data)": "accordant fit --which",
    "ac.soft_labels(data)": "accordant soft",
    "ac.score_predictions": "accordant soft --predictions",
    "ac.ambiguity(data)": "accordant soft --ambiguity",
    "ac.fit": "accordant fit",
    "fit=True": "--fit all", "fit=False": "--fit none",
}  # fmt: skip
"""What is called in Python, as it is typed; the longer ones first."""
_PATTERNS = (
    (re.compile(r"\((?:`posterior_of\(\d+\)`(?:, | and )?)+\)"), "(--only-coder)"),
    (re.compile(r"\bac\.coders\(data, leave_out=\d+\)"), "accordant fit --show leaving-out"),
    (re.compile(r"\b(coders|checks)\(\)"), r"accordant fit --show \1"),
    (re.compile(r"""\bfit=(["'])(.+?)\1"""), r"--fit \2"),
)
"""The same where what is called has parts of its own."""
_LISTED = ("categories",)  # one option, its values between commas
_FLAGS = ("ranked", "header")
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""  # as `repr` writes it
_ITEM = rf"(?:{_TEXT}|[-\w.]+)"
_KEYWORD = re.compile(
    rf"(?<![-\w])({'|'.join([*_OPTIONS, *_OF_MODELS])})=("
    rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]|\[(?:\.\.\.|…)\]"  # a list
    rf"|(?:{_TEXT})(?:, (?:{_TEXT})(?!=))*(?: or (?:{_TEXT}))?"  # a value, or some to choose from
    r"|\{[^{}]+\}"  # one for each question
    r"|True|False|\d+)?"
)


def spoken(message: str) -> str:
    """A message of the library with its keywords as options of the command line.

    Examples
    --------
    >>> spoken("say duplicates='first' or give categories=[...] in order")
    'say --duplicates first or give --categories a,b,c in order'
    >>> print(spoken("say coder=['Ann', 'Bob'] or ranked=True or separator=';'"))
    say --coder Ann --coder Bob or --ranked or --separator ';'
    """

    def option(found: re.Match[str]) -> str:
        return _spoken(found[1], found[2] or "")

    message = message.replace("paired=False", "--unpaired").replace("paired=True", "--paired")
    message = re.sub(r"\bof_questions?\b(\(\))?", "--only-question", message)
    for call, typed in _CALLS.items():
        message = message.replace(call, typed)
    for pattern, typed in _PATTERNS:
        message = pattern.sub(typed, message)
    return _KEYWORD.sub(option, message)


def _spoken(name: str, value: str) -> str:
    """One keyword with its value as an option: a flag, a list, a word that a shell keeps whole."""
    if name in _OF_MODELS:
        return f"--set {name}={_word(value) or '…'}"
    option = f"--{_RENAMED.get(name, name).replace('_', '-')}"
    if name in _FLAGS:
        return f"--no-{name}" if value == "False" else option
    if value in ("[...]", "[…]"):
        return f"{option} a,b,c"
    if value.startswith("{"):
        return option if "…" in value else _by_question(option, ast.literal_eval(value))
    if value.startswith("["):
        words = [_word(w) for w in re.findall(_ITEM, value)]
        if name not in _LISTED:
            return " ".join(f"{option} {shlex.quote(w)}" for w in words)
        return f"{option} {shlex.quote(as_listed(words))}"
    words = [shlex.quote(_word(w)) for w in re.findall(_TEXT, value)]
    if not words:
        return f"{option} {value}".rstrip()
    start = ", ".join(words[:-1]) if " or " in value else ", ".join(words)
    return f"{option} {start} or {words[-1]}" if " or " in value else f"{option} {start}"


def _by_question(option: str, given: dict[str, Any]) -> str:
    """An option for each question: --scale q1=ordinal --scale q2=ratio."""
    words = {q: v if isinstance(v, str) else as_listed(map(str, v)) for q, v in given.items()}
    return " ".join(f"{option} {shlex.quote(f'{q}={v}')}" for q, v in words.items())


def _word(shown: str) -> str:
    """What `repr` showed; a line break stays as it is typed."""
    if not shown.startswith(("'", '"')):
        return shown
    return str(ast.literal_eval(shown)).replace("\n", "\\n").replace("\t", "\\t")
