"""The data statement: what a project knows by itself, and what only its people can say.

Sections and their letters follow Bender & Friedman (2018); J (ethical approval) was added by
Oortwijn et al. in the statements of their own data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ..numbers import count_of, decimal, interval, joined
from ..resolution.commands.statement import SECTIONS
from ..resolution.words import Role
from .blocks import Entry
from .names import begun
from .project_causes import causes_in_short
from .project_procedure import MEANING
from .project_rounds import rounds_of
from .project_subject import Subject, Told, chapter

__all__ = ["statement_section"]

FEWEST = 3  # people who must be alike before something is told about them
FEW_VALUES = 12  # of a column about the items that is told by its values
ASKED = {
    "A": "why these texts were chosen",
    "B": "which variety of the language, in words",
    "C": "who wrote or spoke the texts",
    "D": "age, gender, first language, background of the coders",
    "E": "time and place, written or spoken, edited or not, for whom",
    "F": "genre, topic, structure, known damage",
    "G": "for recordings: how they were made; otherwise that it does not apply",
    "H": "anything else that a user should know",
    "I": "links to the statements of the data these come from",
    "J": "who approved, or why no approval was needed",
}
"""What is asked of the researchers, by the letter of the section."""
OF_LANGUAGE = ("language", "lang", "bcp47", "bcp-47", "locale")
OF_TEXTS = ("domain", "genre", "topic", "register", "source", "year", "venue")
"""Names of columns about the items that belong to section B, and to section F."""


@chapter("statement", "Data statement")
def statement_section(subject: Subject) -> Told:
    """Sections A to J, each with what is known and what was answered."""
    said = {letter: text.strip() for letter, text in subject.state.statement.items()}
    missing = [letter for letter in SECTIONS if not said.get(letter)]
    open_ = f"Not answered yet: {joined(missing, most=10)}."
    lead = open_ if missing else "Every section has been answered."
    yield f"After Bender & Friedman (2018). {lead}"
    for letter, title in SECTIONS.items():
        known = _KNOWN[letter](subject) if letter in _KNOWN else ()
        answer = said.get(letter) or f"Not answered: {ASKED[letter]}."
        yield Entry(f"statement-{letter}", f"{letter}. {title}", "", (*known, answer))


# ------------------------------------------------------------------ what the project knows


def _curation(subject: Subject) -> Iterator[str]:
    state, task = subject.state, subject.epoch.task
    if questions := {v.id: v.text for v in state.research_questions}:
        yield f"Research question{'s' * (len(questions) > 1)}: {' '.join(questions.values())}"
    if state.purpose:
        yield f"Purpose: {state.purpose.value}."
    if task is not None:
        text = task.text.rstrip(".") or count_of(len(task.questions), "question")
        about = f" An item is: {task.item_definition}." if task.item_definition else ""
        context = f" Coders could use: {task.context}." if task.context else ""
        yield f"Task: {text}.{about}{context}"
        yield from (f"Question {question.id}: {question.text}" for question in task.questions)
    yield f"{count_of(len(state.items.ids), 'item')}, {count_of(len(state.coders), 'coder')}."
    if causes := causes_in_short(subject):
        yield f"Overview of the disagreements. {causes}"
    for one in rounds_of(subject):
        main = one.main
        value = f"{decimal(main.value)} {interval(main.low, main.high)}"
        yield (
            f"Agreement in round {one.round.number}, before resolution: {one.names[one.key]} "
            f"{f'undefined ({main.undefined})' if main.undefined else value}, from "
            f"{main.n_pairable:,} answers that two coders or more gave."
        )


def _metadata(subject: Subject, names: Sequence[str]) -> Iterator[str]:
    """Columns about the items that have one of some names."""
    for name, values in subject.state.items.metadata.items():
        if name.lower() in names:
            n = Counter(value or "(none)" for value in values)
            each = (f"{value} ({k:,})" for value, k in n.most_common())
            yield f"{name}: {joined(each, most=FEW_VALUES)}."


def _coders(subject: Subject) -> Iterator[str]:
    """Counts only: what few people have in common is not told."""
    people = [p for p in subject.state.people.values() if Role.CODER in p.roles]
    if not people:
        return
    trained = sum(bool(p.training) for p in people)
    both = sum(Role.RESEARCHER in p.roles for p in people)
    yield (
        f"{count_of(len(people), 'coder')}, of whom {both or 'none'} also researched and "
        f"{trained or 'none'} were trained by the researchers."
    )
    about = Counter(p.about.strip() for p in people if p.about.strip())
    told = [f"{text} ({n:,})" for text, n in about.items() if n >= FEWEST]
    hidden = sum(n for n in about.values() if n < FEWEST)
    if told:
        yield f"{joined(told, most=20)}."
    if hidden:
        yield (
            f"What {count_of(hidden, 'coder')} said about themselves is not shown, since fewer "
            f"than {FEWEST} said the same."
        )


def _texts(subject: Subject) -> Iterator[str]:
    table = subject.state.items
    if lengths := sorted(len(text) for text in table.texts if text):
        yield (
            f"{count_of(len(lengths), 'text')} of {lengths[0]:,} to {lengths[-1]:,} characters, "
            f"half of them of {lengths[(len(lengths) - 1) // 2]:,} or fewer."
        )
    if batches := Counter(batch for batch in table.batches if batch):
        yield f"Batches: {joined((f'{b} ({n:,})' for b, n in batches.items()), most=FEW_VALUES)}."
    yield from _metadata(subject, OF_TEXTS)


def _other(subject: Subject) -> Iterator[str]:
    yield f"Release status: {subject.status} {MEANING[subject.now.status]}"
    yield from (f"{begun(flag)}." for flag in subject.now.flags)
    if subject.toolbox:
        yield f"Hash of the toolbox: {subject.toolbox}."
    if subject.state.toolboxes:
        yield "The procedure statement is a chapter of this report."


def _provenance(subject: Subject) -> Iterator[str]:
    for one in subject.state.imports:
        files = joined((f"{name} (SHA-256 {x})" for name, x in one.digests.items()), most=20)
        told = f" Files: {files}." if files else ""
        licence = one.licence or "none stated"
        yield f"Imported {one.at[:10]} from {one.source}.{told} Licence: {licence}."
        if one.skipped:
            yield f"Left out: {joined(one.skipped, most=20)}."
        if one.warnings and subject.sight.round:
            yield f"What the import warned of is {subject.sight.until}."
        elif one.warnings:
            yield f"The import gave {count_of(len(one.warnings), 'warning')}:"
            yield from (f"{k + 1}. {text}." for k, text in enumerate(one.warnings))
    if not subject.state.imports:
        yield "Annotated in this project; nothing was imported."


_KNOWN: dict[str, Callable[[Subject], Iterator[str]]] = {
    "A": _curation,
    "B": partial(_metadata, names=OF_LANGUAGE),
    "D": _coders,
    "F": _texts,
    "H": _other,
    "I": _provenance,
}
