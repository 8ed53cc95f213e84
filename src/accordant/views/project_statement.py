"""The data statement: what a project knows by itself, and what only its people can say.

Sections and their letters follow Bender & Friedman (2018); J (ethical approval) was added by
Oortwijn et al. in the statements of their own data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ..numbers import count_of, decimal, interval, joined
from ..resolution.commands.statement import SECTIONS
from ..resolution.words import Role
from .blocks import Block, Entry
from .document import Section
from .project_causes import causes_section
from .project_procedure import MEANING, flags
from .project_rounds import main_measure, rounds_of
from .project_subject import Subject

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
_ROLES_OF_COLUMNS = {
    "B": ("language", "lang", "bcp47", "bcp-47", "locale"),
    "F": ("domain", "genre", "topic", "register", "source", "year", "venue"),
}


def statement_section(subject: Subject) -> Section:
    """Sections A to J, each with what is known and what was answered."""
    open_ = [letter for letter in SECTIONS if not _answer(subject, letter)]
    lead = (
        f"Not answered yet: {joined(open_, most=10)}."
        if open_
        else "Every section has been answered."
    )
    entries: tuple[Block, ...] = tuple(_entry(subject, letter) for letter in SECTIONS)
    return Section(
        "statement", "Data statement", f"After Bender & Friedman (2018). {lead}", entries
    )


def _answer(subject: Subject, letter: str) -> str:
    return subject.state.statement.get(letter, "").strip()


def _entry(subject: Subject, letter: str) -> Entry:
    known = _KNOWN.get(letter)
    text = [*(known(subject) if known else ())]
    answer = _answer(subject, letter)
    text.append(answer or f"Not answered: {ASKED[letter]}.")
    return Entry(f"statement-{letter}", f"{letter}. {SECTIONS[letter]}", "", tuple(text))


# ------------------------------------------------------------------ what the project knows


def _curation(subject: Subject) -> Iterator[str]:
    state, epoch = subject.state, subject.epoch
    questions = {v.id: v.text for v in state.research_questions}
    if questions:
        yield f"Research {'question' if len(questions) == 1 else 'questions'}: " \
              f"{' '.join(questions.values())}"  # fmt: skip
    if state.purpose:
        yield f"Purpose: {state.purpose.value}."
    if epoch.task is not None:
        about = f" An item is: {epoch.task.item_definition}." if epoch.task.item_definition else ""
        context = f" Coders could use: {epoch.task.context}." if epoch.task.context else ""
        text = epoch.task.text.rstrip(".") or count_of(len(epoch.task.questions), "question")
        yield f"Task: {text}.{about}{context}"
        for question in epoch.task.questions:
            yield f"Question {question.id}: {question.text}"
    coders = len(state.coders)
    yield f"{count_of(len(state.items.ids), 'item')}, {count_of(coders, 'coder')}."
    causes = causes_section(subject)
    if causes is not None:
        yield f"Overview of the disagreements. {causes.lead}"
    for figures in rounds_of(subject):
        if figures.study is None:
            continue
        row = figures.study.whole.get(main_measure(figures)) or figures.study.whole.main
        name = figures.study.whole.name(row)
        value = (
            f"undefined ({row.undefined})"
            if row.undefined
            else f"{decimal(row.value)} {interval(row.low, row.high)}"
        )
        yield (
            f"Agreement in round {figures.round.number}, before resolution: {name} {value}, from "
            f"{row.n_pairable:,} answers that two coders or more gave."
        )


def _metadata(subject: Subject, letter: str) -> Iterator[str]:
    """Columns about the items whose name says that they belong here."""
    for name, values in subject.state.items.metadata.items():
        if name.lower() in _ROLES_OF_COLUMNS[letter]:
            n = Counter(value or "(none)" for value in values)
            shown = [f"{value} ({k:,})" for value, k in n.most_common(FEW_VALUES)]
            more = len(n) - len(shown)
            yield f"{name}: {joined(shown, most=FEW_VALUES)}" + (f" and {more:,} more." if more > 0
                                                                  else ".")  # fmt: skip


def _language(subject: Subject) -> Iterator[str]:
    yield from _metadata(subject, "B")


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
    texts = [len(t) for t in table.texts if t]
    if texts:
        texts.sort()
        yield (
            f"{count_of(len(texts), 'text')} of {texts[0]:,} to {texts[-1]:,} characters, half of "
            f"them of {texts[(len(texts) - 1) // 2]:,} or fewer."
        )
    batches = Counter(b for b in table.batches if b)
    if batches:
        yield f"Batches: {joined((f'{b} ({n:,})' for b, n in batches.items()), most=FEW_VALUES)}."
    yield from _metadata(subject, "F")


def _other(subject: Subject) -> Iterator[str]:
    yield f"Release status: {subject.status} {MEANING[subject.now.status]}"
    for flag in flags(subject):
        yield f"{flag[:1].upper()}{flag[1:]}."
    if subject.toolbox:
        yield f"Hash of the toolbox: {subject.toolbox}."
    if subject.state.toolboxes:
        yield "The procedure statement is a chapter of this report."


def _provenance(subject: Subject) -> Iterator[str]:
    for one in subject.state.imports:
        files = joined(
            (f"{name} (SHA-256 {value})" for name, value in one.digests.items()), most=20
        )
        yield (
            f"Imported {one.at[:10]} from {one.source}."
            + (f" Files: {files}." if files else "")
            + f" Licence: {one.licence or 'none stated'}."
        )
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
    "A": _curation, "B": _language, "D": _coders, "F": _texts, "H": _other, "I": _provenance,
}  # fmt: skip
