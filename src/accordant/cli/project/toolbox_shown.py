"""The toolbox on a terminal: what coders read before they annotate."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from ...diagnosis.words import quoted
from ...numbers import joined
from ..terminal import COLOUR, MARGIN, width
from .happened import questions

if TYPE_CHECKING:
    from ...resolution.records import Concept, Guidelines, Question, Task
    from ...resolution.state import State

__all__ = ["heading", "paragraph", "print_concepts", "print_guidelines", "print_task"]


def heading(text: str, aside: str = "") -> None:
    """A line in bold, something dim behind it."""
    told = click.style(text, bold=True) + (click.style(f"  {aside}", dim=True) if aside else "")
    click.echo(" " * MARGIN + told, color=COLOUR)


def paragraph(text: str, *, indent: int = MARGIN, mark: str = "", dim: bool = False) -> None:
    """A text, wrapped; its own line breaks stay."""
    for line in text.splitlines() or [""]:
        first, rest = " " * indent + mark, " " * (indent + len(mark))
        wrapped = textwrap.fill(line, width(), initial_indent=first, subsequent_indent=rest,
                                break_on_hyphens=False)  # fmt: skip
        click.echo(click.style(wrapped, dim=True) if dim else wrapped, color=COLOUR)
        mark = " " * len(mark)


def print_task(task: Task, state: State) -> None:
    """The task: questions and what belongs to them."""
    epoch = f"epoch {state.epoch.number}" if len(state.epochs) > 1 else ""
    heading("Task", epoch)
    for text in (task.text, f"Item: {task.item_definition}", f"Context: {task.context}"):
        if text and not text.endswith(": "):
            paragraph(text)
    for question in task.questions:
        click.echo()
        heading(f"Question {question.id}", _about(question))
        paragraph(question.text)


def _about(question: Question) -> str:
    asked = question.asked_if
    told = [
        question.group,
        "" if question.answering.value == "one" else question.answering.value,
        f"asked where {asked.question} is {joined(asked.labels, last='or')}" if asked else "",
    ]
    return "; ".join(filter(None, told))


def print_guidelines(guidelines: Guidelines, state: State) -> None:
    """The guidelines in force, and who has read them."""
    change = f"{guidelines.change.value} change" if guidelines.change else ""
    heading(f"Guidelines {guidelines.version}", change)
    for text in (guidelines.text, f"Why: {guidelines.reason}" if guidelines.reason else ""):
        if text:
            paragraph(text)
    click.echo()
    for question, labels in guidelines.options.items():
        paragraph(f"{joined(map(quoted, labels), last='or')}", mark=f"question {question}: ")
    policy = guidelines.ambiguity
    if policy is None:
        paragraph("whether an item may be called ambiguous is not stated yet")
    elif policy.allowed:
        paragraph(f"or “ambiguous”, because of {joined(policy.sources, last='or')}")
    else:
        paragraph(f"“ambiguous” is no answer{f': {policy.reason}' if policy.reason else ''}")
    if guidelines.rules:
        click.echo()
    for rule in guidelines.rules:
        of = f" ({questions(rule.questions)})" if rule.questions else ""
        paragraph(rule.text + of, mark=f"rule {rule.id}  ")
    click.echo()
    read = [c for c, (_, version) in state.epoch.acknowledged.items()
            if version == guidelines.version and c in state.coders]  # fmt: skip
    missing = [coder for coder in state.coders if coder not in read]
    told = f"read by {joined(read)}" if read else "read by nobody yet"
    paragraph(told + (f"; awaited: {joined(missing)}" if missing else ""), dim=True)


def print_concepts(state: State) -> None:
    """The key concepts in force, each with who has signed it."""
    for k, versions in enumerate(state.epoch.concepts.values()):
        if k:
            click.echo()
        _print_concept(versions[-1], state)


def _print_concept(concept: Concept, state: State) -> None:
    kind = "complex, " if concept.kind.value == "complex" else ""
    used = questions(concept.questions) if concept.questions else "no question"
    heading(concept.name, f"{kind}version {concept.version}; {used}")
    paragraph(concept.definition or "no definition yet")
    if concept.subconcepts:
        paragraph(f"Sub-concepts: {joined(concept.subconcepts)}")
    for r in concept.relations:
        paragraph(f"{r.source} — {r.relation} — {r.target}", indent=MARGIN + 2)
    for name, texts in (("e.g.", concept.examples), ("not", concept.counter_examples)):
        for text in texts:
            paragraph(text, mark=f"{name} ", indent=MARGIN + 2)
    signed = state.epoch.signed.get(concept.name, {})
    done = [coder for coder in state.coders if signed.get(coder) == concept.version]
    missing = [coder for coder in state.coders if coder not in done]
    told = f"signed by {joined(done)}" if done else "signed by nobody yet"
    paragraph(told + (f"; awaited: {joined(missing)}" if missing else ""), dim=True)
    for objection in state.epoch.objections:
        if objection.concept == concept.name:
            paragraph(objection.text, mark=f"{objection.coder} objects: ")
