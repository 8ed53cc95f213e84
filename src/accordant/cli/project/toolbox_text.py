"""The toolbox written as the file that it is read from, and a commented example of one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...resolution.records import Concept, Guidelines, Task

__all__ = ["CONCEPTS", "GUIDELINES", "TASK", "concepts_text", "guidelines_text", "task_text"]

TASK = """\
# The task: what is asked about what. It cannot change once a round has begun.
[task]
text = "Score each paragraph for what it says about the research question."
item_definition = "one paragraph"
context = "the article that the paragraph is from"   # what coders may use besides the item

[[task.question]]
id = "claim"
text = "Does the paragraph make a claim?"
# group = "claims"               # questions that are reported together
# answering = "one"              # "one" label, "several" labels or "spans" of the text

[[task.question]]
id = "scope"
text = "How wide is the claim?"
asked_if = { question = "claim", labels = ["yes"] }   # only of who answered so
"""

GUIDELINES = """\
# The guidelines: how the questions are answered. A new version says how far it reaches.
[guidelines]
text = "Read the whole paragraph before you answer."
# From the second version on:
# change = "local"               # "editorial" (no score changes), "local" or "drastic"
# reason = "paragraphs about other authors were not covered"
# cases = [3, 4]                 # that caused the change

[guidelines.options]             # what may be answered to each question
claim = ["yes", "no"]
scope = ["wide", "narrow"]

[guidelines.ambiguity]           # must be stated, even if there is no such answer
allowed = true                   # coders may answer "ambiguous" …
sources = ["lexical ambiguity", "missing context", "guidelines do not say",
           "concept unclear", "other"]                    # … and choose one of these
# reason = "…"                   # with allowed = false: why not

[[guidelines.rule]]              # justifications cite rules by their id
id = "R1"
text = "A question is no claim."
questions = ["claim"]            # left out: all questions
"""

CONCEPTS = """\
# The key concepts: what coders sign before they annotate. One [[concept]] for each.
[[concept]]
name = "claim"
definition = "A sentence that its author holds to be true and that could be false."
questions = ["claim", "scope"]   # that use it; left out: none
rules = ["R1"]                   # that mention it
examples = ["Letters were rarely dated."]
counter_examples = ["Were letters dated?"]

[[concept]]
name = "wide scope"
kind = "complex"                 # a complex concept needs an interpretive model:
definition = "A claim about decades, periods or movements rather than single cases."
questions = ["scope"]
subconcepts = ["period", "movement"]
relations = [["movement", "lasts for", "period"]]
# reason = "…"                   # from the second version on
# cases = [7]
"""


def task_text(task: Task) -> str:
    """The task as a file."""
    lines = ["[task]", *_pairs(text=task.text, item_definition=task.item_definition,
                               context=task.context)]  # fmt: skip
    for q in task.questions:
        lines += ["", "[[task.question]]", *_pairs(id=q.id, text=q.text, group=q.group)]
        if q.answering.value != "one":
            lines.append(f"answering = {_text(q.answering.value)}")
        if q.asked_if is not None:
            labels = _list(q.asked_if.labels)
            lines.append(
                f"asked_if = {{ question = {_text(q.asked_if.question)}, labels = {labels} }}"
            )
    return "\n".join([*lines, ""])


def guidelines_text(guidelines: Guidelines) -> str:
    """The guidelines as a file. What belonged to the last change is left out."""
    lines = [f"# version {guidelines.version}", "[guidelines]", *_pairs(text=guidelines.text)]
    lines += ["", "[guidelines.options]"]
    lines += [f"{_text(q)} = {_list(labels)}" for q, labels in guidelines.options.items()]
    policy = guidelines.ambiguity
    if policy is not None:
        lines += ["", "[guidelines.ambiguity]", f"allowed = {str(policy.allowed).lower()}",
                  f"sources = {_list(policy.sources)}", *_pairs(reason=policy.reason)]  # fmt: skip
    for rule in guidelines.rules:
        lines += ["", "[[guidelines.rule]]", *_pairs(id=rule.id, text=rule.text)]
        lines += _lists(questions=rule.questions)
    return "\n".join([*lines, ""])


def concepts_text(concepts: Iterable[Concept]) -> str:
    """Concepts as a file. What belonged to the last change is left out."""
    lines: list[str] = []
    for c in concepts:
        lines += [f"# version {c.version}", "[[concept]]"]
        lines += [f"name = {_text(c.name)}", *_pairs(definition=c.definition)]
        if c.kind.value != "simple":
            lines.append(f"kind = {_text(c.kind.value)}")
        lines += _lists(questions=c.questions, rules=c.rules, subconcepts=c.subconcepts)
        if c.relations:
            each = (_list((r.source, r.relation, r.target)) for r in c.relations)
            lines.append(f"relations = [{', '.join(each)}]")
        lines += [*_lists(examples=c.examples, counter_examples=c.counter_examples), ""]
    return "\n".join(lines)


def _pairs(**texts: str) -> list[str]:
    return [f"{key} = {_text(text)}" for key, text in texts.items() if text]


def _lists(**lists: tuple[str, ...]) -> list[str]:
    return [f"{key} = {_list(words)}" for key, words in lists.items() if words]


def _list(words: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, words))}]"


def _text(text: str) -> str:
    """A basic string of TOML: JSON's, but for the one sign that JSON leaves as it is."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
