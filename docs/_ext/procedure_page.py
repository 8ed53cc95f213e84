"""Generated parts of the pages about the resolution procedure."""

from __future__ import annotations

import inspect

import models_page
from tables import table

from accordant.resolution import steps
from accordant.resolution.case_table import CASE_TABLE, VARIANTS
from accordant.resolution.causes import CAUSES
from accordant.resolution.command import COMMANDS
from accordant.resolution.ending import EndingKind as Kind
from accordant.resolution.procedure import KINDS
from accordant.resolution.standing import STEPS
from accordant.resolution.step_change import BY_COMMAND
from accordant.resolution.terms import CaseState, CellState, ReleaseStatus, Role, Step
from accordant.resolution.transitions import TRANSITIONS, Transition

STEP_NUMBER = {step: number for number, step in enumerate(STEPS)}
GUARDS = {
    "research_stated": "a research question and a purpose are stated",
    "reason": "a reason is given",
    "task_hash": "there is a task",
    "guidelines_complete": "there are guidelines with options for every question, and they say "
    "whether “ambiguous” may be answered, or why not",
    "all_acknowledged": "there are two coders or more, and each has signed task and guidelines",
    "concepts_defined": "there are key concepts, each with a definition, each complex one with "
    "sub-concepts and relations",
    "all_signed_off": "every coder has signed every concept in force, nobody objects, and coders "
    "who are no researchers were trained",
    "units_frozen": "the items are settled",
    "two_annotators": "every item has two coders or more",
    "all_submitted_or_declined": "everything that was asked is submitted or declined",
    "no_conflict": "no annotations conflict",
    "no_incomplete": "nobody who was asked owes an annotation, and every item was asked about",
    "no_open_order": "no re-annotation is owed, unless waived",
    "proved": "every answer has a proof: no cause is unmended, no consent lacking",
    "conflicts": "something conflicts, lacks an annotation or a proof, or is owed again",
    "purpose_ground_truth": "the purpose is a ground truth",
    "accepted_cause:a2|a1_task": "a case has the accepted cause a2 or a1-task",
    "accepted_cause:b|a1_concept": "a case has the accepted cause b or a1-concept",
    "concept_named": "the concept to look at again is named",
    "guideline_change:drastic": "the guidelines changed drastically since the last round",
    "guideline_change:local": "since the last round the guidelines changed locally or a concept "
    "did, and nothing drastically",
    "scope_stated": "it is said on which questions the change bears; a narrower scope has a reason",
    "task_changed": "another task is given",
    "a1_task_not_agreed": "a case with the cause a1-task came back from step 1 and is not agreed",
    "research_needed": "cases wait for research",
    "review_date": "a day is named on which to look again",
    "open_order": "a re-annotation is owed, or an annotation is missing",
    "guards_of:3": "the guards of 3",
    "guards_of:6": "the guards of 6",
    "all_cases_agreed": "every case is agreed or closed",
    "each_open_case_left_or_dictator": "every case that is not agreed was left or decided",
    "finding_recorded": "what the research found is recorded",
    "questions_named": "the question on which coders agree too little is named",
    "toolbox_unchanged": "the toolbox is as it was before the halt",
}
"""What must hold, in a few words; `accordant project status` says who and how many."""

CELLS = {
    CellState.AGREED: "two coders or more annotated it, and all answers are equal",
    CellState.CONFLICTING: "two answers differ, or one coder finds the question not applicable",
    CellState.INCOMPLETE: "somebody who was asked has not answered, or declined",
    CellState.ONE_NOT_APPLICABLE: "a dependent question that only some were asked; it follows its "
    "parent and has no case of its own",
    CellState.NOT_APPLICABLE: "nobody was asked, or all find the question not applicable",
    CellState.OUT_OF_SCOPE: "the round did not ask about it",
}
STATES = {
    CaseState.OPEN: "annotations differ; nobody has spoken",
    CaseState.REASONS: "coders say why they answered so; each sees the others' reasons after their "
    "own",
    CaseState.CAUSE_PROPOSED: "a cause with its record waits for consent",
    CaseState.CAUSE_ACCEPTED: "under a or b: all have consented, and the case can be returned",
    CaseState.RESCORING: "under c or e the coder concerned corrects an annotation",
    CaseState.ARGUED: "the coders settle on one answer: it is proposed, and waits for all who "
    "annotated the item",
    CaseState.RETURNED: "waits for the toolbox to be mended, and for re-annotation",
    CaseState.POSTPONED: "waits for research; no ground truth before that",
    CaseState.AGREED: "all who annotated the item accept one answer, which cites the toolbox",
    CaseState.UNRESOLVED: "left as it is, or decided: recorded as such for ever",
    CaseState.CLOSED: "superseded: nothing conflicts any more for another reason, or its task has "
    "ended",
}
PROOFS = {
    Kind.BLIND: "all coders gave it, each alone in a round, and never disagreed",
    Kind.OPENLY: "never disputed; a question that was asked since its parent was corrected",
    Kind.SLIP: "c or e, accepted by the coder whom it names; then their own correction, citing the "
    "toolbox, ended it; no answer was changed without a cause",
    Kind.REANNOTATED: "a or b, accepted by all who held an answer; then a change of its kind "
    "(b: of the concept it names) that a reader sees and that is in force; **they say that it "
    "settles their case**; then all answered blind, in a round that closed later",
    Kind.WAIVED: "the same, but annotating again was waived with a reason, and all who held an "
    "answer accepted an outcome that cites the toolbox",
    Kind.CONSENT: "d, accepted by all who held an answer; a reason of each that cites the toolbox; "
    "then an outcome that cites it, accepted by all of them",
    Kind.ANEW: "without a cause: a drastic change, or a question that the comparison sent back "
    "and a change after that; seen, in force and confirmed as above; then the whole question blind",
    Kind.ACCEPTED: "a document says how it was made; where coders differed, with a cause c, d or e "
    "and a discussion; each coder has accepted it here in person",
    Kind.NOT_ASKED: "nobody is asked, because of the answer to another question, which has one",
    Kind.DOCUMENTED: "no proof yet: as above, and a coder has not accepted it",
    Kind.UNDOCUMENTED: "no proof: no document, or no cause and discussion where coders differed",
    Kind.AGAIN: "no proof: the coders were asked again and are equal, and nothing says why they "
    "differed",
    Kind.NONE: "no proof: anything else; `accordant project status` says what is missing, and whom "
    "it asks",
}
STATUSES = {
    ReleaseStatus.GROUND_TRUTH: (
        "every answer has a proof",
        "how many departures; that all agree by construction; deviations; waived and narrowed "
        "re-annotation; who was both researcher and coder",
    ),
    ReleaseStatus.DEPRECATED: (
        "a case was left disagreed, or decided by an adjudicator or a rule; before the release "
        "also while a case is open or something is owed",
        "how many of each, with their items; all answers are kept; the interpretive cases (d)",
    ),
    ReleaseStatus.COMPARISON_ONLY: (
        "conflicts were not resolved, or variation was the purpose",
        "“no attempt at resolution; no check of inconsistent scoring”",
    ),
    ReleaseStatus.DOCUMENTED: (
        "agreed answers came with the data, each with how it was reached; the coders have not "
        "accepted them here",
        "that the coders have not accepted them",
    ),
    ReleaseStatus.IMPORTED: (
        "agreed answers came with the data, and for some nothing says how they were reached",
        "“the procedure is unknown”, and for how many",
    ),
    ReleaseStatus.ABANDONED: (
        "the coders could not agree on what the task is",
        "not to be used as labels",
    ),
    ReleaseStatus.UNRELEASED: (
        "nothing is compared yet, or a round is open",
        "nothing of the annotations that are being made",
    ),
}
ROLES = {
    Role.RESEARCHER: (
        "states question and purpose, writes the toolbox, opens and closes rounds, returns cases, "
        "releases",
        "change an annotation; accept in place of a coder",
    ),
    Role.CODER: (
        "helps with the toolbox, signs or objects, annotates blind, gives reasons, proposes "
        "causes and outcomes, accepts or refuses, corrects own annotations",
        "see others' annotations before the round closes; correct another's",
    ),
    Role.MODERATOR: (
        "leads the discussion: proposes, returns cases",
        "decide",
    ),
    Role.ADJUDICATOR: (
        "decides cases that were declared unresolved (the paper's “dictator”)",
        "act before that",
    ),
    Role.OBSERVER: ("reads", "act"),
}
OF_EVENTS = {
    "The project": "setup transitions statement imports completion",
    "The toolbox": "toolbox concepts",
    "Items and rounds": "items rounds annotation orders",
    "Cases": "cases proposals corrections returns",
}
"""Subjects, each a module of `accordant.resolution`."""


def of(step: Step) -> str:
    """A step with its number."""
    number = STEP_NUMBER.get(step)
    return step.value if number is None else f"{number} {step.value}"


def transitions() -> str:
    """Every arrow with what must hold for it."""
    head = ["", "from", "to", "when", "what must hold"]
    return table(head, [_transition(row) for row in TRANSITIONS.values()])


def _transition(row: Transition) -> list[str]:
    source = of(row.source) if row.source else "any"
    if row.via is not None:
        source += f", or {of(row.via)}"
    does = row.does
    # `go` takes the arrows that have no command of their own
    does += f" (`{typed(BY_COMMAND.get(row.number, 'go'))}`)"
    needs = "; ".join(GUARDS[guard] for guard in row.guards)
    return [str(row.number), source, " or ".join(map(of, row.targets)), does, needs]


def typed(name: str) -> str:
    """A command as the command line has it."""
    return COMMANDS[name].words


def causes() -> str:
    """What each cause asks for and where it leads."""
    rows = []
    for one in CAUSES.values():
        leads = (
            f"step {STEP_NUMBER[one.returns_to]}, then a blind round" if one.returns_to else "here"
        )
        consent = "all who annotated the item" if one.everybody else "the coder it names"
        rows.append([f"**{one.cause}**", one.label, one.asks, consent, leads, one.fails])
    return table(["", "why", "must be recorded", "who consents", "settled", "else"], rows)


def cause_help() -> str:
    """When to choose which cause."""
    return "\n".join(f"{one.cause}: {one.label}\n: {one.help}\n" for one in CAUSES.values())


def release_statuses() -> str:
    """What a release may be, when, and what is printed with it."""
    rows = [[f"**{status.value}**", *STATUSES[status]] for status in ReleaseStatus]
    return table(["status", "when", "what every export says"], rows)


def case_states() -> str:
    """Where a case may stand."""
    return table(["state", ""], [[f"**{state.value}**", STATES[state]] for state in CaseState])


def cell_states() -> str:
    """How the annotations of an item on a question compare."""
    return table(["state", ""], [[f"**{state.value}**", CELLS[state]] for state in CellState])


def proofs() -> str:
    """Every way in which an answer came about, and what it requires, in this order."""
    return table(["kind", ""], [[f"**{kind.value}**", PROOFS[kind]] for kind in Kind])


def roles() -> str:
    """Who may do what."""
    rows = [[f"**{role.value}**", *ROLES[role]] for role in Role]
    return table(["role", "may", "may not"], rows)


def case_acts() -> str:
    """What is done in a case, where, and where it leads."""
    rows = []
    for name, row in CASE_TABLE.items():
        what = COMMANDS[VARIANTS.get(name, name)]
        of = f" (a {name.split()[0]})" if name in VARIANTS else ""
        where = " · ".join(row.at) if len(row.at) < len(CaseState) else "anywhere"
        goes = "; ".join(filter(None, (row.to, row.then)))
        who = " · ".join(what.roles)
        rows.append([f"`{what.words}`{of}", who, where, goes])
    return table(["act", "who", "where the case stands", "where it goes, what follows"], rows)


def events() -> str:
    """Everything that can stand in a log."""
    parts = []
    for title, subjects in OF_EVENTS.items():
        rows = []
        for subject in subjects.split():
            for name, kind in KINDS.items():
                if kind.__module__ == f"accordant.resolution.{subject}":
                    first = models_page.marked((inspect.getdoc(kind) or "").split("\n\n")[0])
                    rows.append([f"`{name}`", first])
        parts.append(f"### {title}\n\n{table(['kind', 'what happened'], rows)}")
    return "\n\n".join(parts)


def commands() -> str:
    """What people can do: the function, what it takes, who may and when."""
    names = {command.run: command for command in COMMANDS.values()}
    rows = []
    for name in sorted(steps.__all__):
        function = getattr(steps, name)
        what = names[function]
        given = list(inspect.signature(function).parameters.values())[2:]
        takes = ", ".join(
            f"`{one.name}`" + ("" if one.default is one.empty else "?") for one in given
        )
        numbers = [str(STEP_NUMBER.get(step, step.value)) for step in what.steps]
        who = ", ".join(what.roles) or "anybody"
        rows.append([f"`{name}`", what.does, takes, who, ", ".join(numbers) or "any"])
    return table(["`steps.`", "to …", "takes", "who", "at step"], rows)


PARTS = {
    f.__name__: f
    for f in (
        transitions,
        causes,
        cause_help,
        release_statuses,
        case_states,
        case_acts,
        cell_states,
        proofs,
        roles,
        events,
        commands,
    )
}
