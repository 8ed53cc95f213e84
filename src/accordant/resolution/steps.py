"""Everything that people can do in a project, in one place to import from.

Each is a command for `Project.do`: ``project.do(steps.sign_off, by="ana", concept="letter")``.
"""

from __future__ import annotations

from .commands.annotating import annotate, annotate_sheet, decline
from .commands.cases import give_reason, group_cases, reopen
from .commands.causes import (
    accept_cause,
    dispute_cause,
    propose_cause,
    refuse_cause,
    withdraw_cause,
)
from .commands.concepts import object_to, sign_off, withdraw_objection, write_concept
from .commands.ending import abandon, finish
from .commands.going import begin_resolution, go
from .commands.guidelines import acknowledge, confirm_editorial, write_guidelines
from .commands.items import add_items, assign, freeze_items
from .commands.orders import waive_order
from .commands.outcomes import accept_outcome, defer, propose_outcome, refuse_outcome
from .commands.people import add_person, appoint_adjudicator, record_training
from .commands.rescoring import annotate_dependent, rescore
from .commands.returning import halt, postpone, record_finding, resume, return_cases
from .commands.rounds import close_round, open_round
from .commands.setup import new_project, state_hypothesis, state_purpose, state_question
from .commands.statement import record_deviation, write_statement
from .commands.task import change_task, write_task
from .commands.unresolved import aggregate, decide, leave_disagreed
from .importing.command import import_finished

__all__ = [
    "abandon",
    "accept_cause",
    "accept_outcome",
    "acknowledge",
    "add_items",
    "add_person",
    "aggregate",
    "annotate",
    "annotate_dependent",
    "annotate_sheet",
    "appoint_adjudicator",
    "assign",
    "begin_resolution",
    "change_task",
    "close_round",
    "confirm_editorial",
    "decide",
    "decline",
    "defer",
    "dispute_cause",
    "finish",
    "freeze_items",
    "give_reason",
    "go",
    "group_cases",
    "halt",
    "import_finished",
    "leave_disagreed",
    "new_project",
    "object_to",
    "open_round",
    "postpone",
    "propose_cause",
    "propose_outcome",
    "record_deviation",
    "record_finding",
    "record_training",
    "refuse_cause",
    "refuse_outcome",
    "reopen",
    "rescore",
    "resume",
    "return_cases",
    "sign_off",
    "state_hypothesis",
    "state_purpose",
    "state_question",
    "waive_order",
    "withdraw_cause",
    "withdraw_objection",
    "write_concept",
    "write_guidelines",
    "write_statement",
    "write_task",
]
