"""The annotation toolbox (Oortwijn et al. 2021, section 4): task, guidelines, key concepts.

What can be cited from it, what one version changes in another, and which questions that touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ..errors import unknown
from .cells import dependents
from .event import Event, Stamp, on
from .state import Epoch, State, Toolbox
from .terms import Change, Concept, Guidelines, Question, Rule, Task, digest
from .wording import all_known


@dataclass(frozen=True)
class Element:
    """Something in the toolbox that a justification can cite.

    Parameters
    ----------
    id : str
        As it is cited: "question 5a", "rule R3", "concept wide-scope claim v2".
    kind : str
        "question", "rule" or "concept".
    name : str
    text : str
        What it says.
    """

    id: str
    kind: str
    name: str
    text: str


def elements(state: State) -> dict[str, Element]:
    """Everything in the toolbox in force that can be cited, by its id."""
    epoch = state.epoch
    found = [
        Element(f"question {q.id}", "question", q.id, q.text) for q in epoch.questions.values()
    ]
    found += [Element(f"rule {r.id}", "rule", r.id, r.text) for r in epoch.rules.values()]
    for name, versions in epoch.concepts.items():
        last = versions[-1]
        id = f"concept {name} v{last.version}"
        found.append(Element(id, "concept", name, last.definition))
    return {element.id: element for element in found}


def texts_at(state: State, epoch: int, ordinal: int) -> dict[str, str]:
    """The words of everything that could be cited when a toolbox was in force.

    Parameters
    ----------
    state : State
    epoch : int
        Number of the epoch.
    ordinal : int
        Number of the toolbox; 0: the last of the epoch.

    Returns
    -------
    dict of str to str
        Id of the element → its text. Concepts are there in each version.

    Examples
    --------
    >>> from accordant.resolution.state import State
    >>> texts_at(State(), 1, 0)
    {}
    """
    of = state.epochs[epoch - 1]
    found = {f"question {q.id}": q.text for q in of.questions.values()}
    version = next((t.guidelines for t in state.toolboxes if t.ordinal == ordinal), "")
    written = [g for g in of.guidelines if g.version == version] or of.guidelines[-1:]
    found |= {f"rule {rule.id}": rule.text for g in written for rule in g.rules}
    for name, versions in of.concepts.items():
        found |= {f"concept {name} v{one.version}": one.definition for one in versions}
    return found


def cited(state: State, texts: Sequence[str]) -> tuple[str, ...]:
    """Ids of the elements that are cited, each once; a concept without version is the current one.

    Raises
    ------
    RequestError
        If something is cited that the toolbox in force does not have.
    """
    known = elements(state)
    found: dict[str, None] = {}
    for text in map(str.strip, texts):
        each = known.values()
        fits = [e.id for e in each if text in (e.id, f"{e.kind} {e.name}")]
        fits = fits or [e.id for e in each if text == e.name]
        if len(fits) != 1:  # a name that only one element has says enough: “R3”
            raise unknown("element of the toolbox", text, known, "it has")
        found[fits[0]] = None
    return tuple(found)


# ---------------------------------------------------------------- versions


def next_version(before: str, change: Change) -> str:
    """The number of the next version: minor or major by how far the change reaches.

    Examples
    --------
    >>> [next_version("1.4.2", change) for change in Change]
    ['1.5.0', '2.0.0']
    """
    major, minor, _ = map(int, before.split("."))
    return f"{major}.{minor + 1}.0" if change is Change.LOCAL else f"{major + 1}.0.0"


def affected(before: Guidelines, after: Guidelines, task: Task) -> tuple[str, ...]:
    """Questions on which new guidelines bear: of the rules and options that differ.

    A rule without questions, the free text and the policy about ambiguity bear on all of them.

    Examples
    --------
    >>> from accordant.resolution.terms import Rule
    >>> task = Task((Question("1", "Is there a claim?"), Question("2", "Is it true?")))
    >>> before = Guidelines("1.0.0", {}, rules=(Rule("R1", "Read it all"),))
    >>> affected(before, Guidelines("", {}, rules=(*before.rules, Rule("R2", "Ask", ("2",)))), task)
    ('2',)
    """
    ids = [question.id for question in task.questions]
    if before.text != after.text or _policy(before) != _policy(after):
        return tuple(ids)
    found = {q for q in ids if before.options.get(q) != after.options.get(q)}
    old, new = ({rule.id: rule for rule in version.rules} for version in (before, after))
    for id in old.keys() | new.keys():
        if old.get(id) != new.get(id):
            for rule in (old.get(id), new.get(id)):
                found.update((rule.questions or ids) if rule else ())
    return tuple(q for q in ids if q in found)


def _policy(guidelines: Guidelines) -> tuple[str, ...] | None:
    """What the policy about ambiguity lets coders answer; why it is so bears on nothing."""
    policy = guidelines.ambiguity
    return policy.sources if policy is not None and policy.allowed else None


def using(epoch: Epoch, concept: Concept) -> tuple[str, ...]:
    """Questions that use a concept: those it names, those of the rules that mention it, or all.

    Questions that depend on them are among them, since these may be asked of others then.
    """
    named = set(concept.questions)
    for id in concept.rules:
        if id in epoch.rules and not concept.questions:
            named.update(epoch.rules[id].questions or epoch.questions)
    return tuple(dependents(epoch, named or epoch.questions))


@dataclass(frozen=True)
class Since:
    """What has changed in the toolbox since the last round of the epoch opened.

    Parameters
    ----------
    changes : frozenset of Change
        Of the versions of the guidelines since.
    concepts : tuple of str
        Names of concepts with a new version.
    """

    changes: frozenset[Change]
    concepts: tuple[str, ...]


def since_last_round(state: State) -> Since:
    """What has changed since the last round of the epoch opened; nothing before the first."""
    epoch = state.epoch
    if not epoch.rounds:
        return Since(frozenset(), ())
    ordinal = epoch.rounds[-1].toolbox
    box = next((t for t in state.toolboxes if t.ordinal == ordinal), None)
    if box is None:
        return Since(frozenset(), ())
    versions = [g.version for g in epoch.guidelines]
    seen = versions.index(box.guidelines) + 1 if box.guidelines in versions else 0
    later = epoch.guidelines[seen:]
    changes = frozenset(g.change for g in later if g.change is not None)
    newer = [n for n, v in epoch.concepts.items() if v[-1].version > box.concepts.get(n, 0)]
    return Since(changes, tuple(newer))


@dataclass(frozen=True)
class Snapshot:
    """The content of the toolbox at some moment."""

    ordinal: int
    hash: str
    at: str
    task: Task | None
    guidelines: Guidelines | None
    concepts: dict[str, Concept]


def snapshot(state: State, ordinal: int) -> Snapshot:
    """The content of a toolbox, by its number.

    Raises
    ------
    RequestError
        If there is no toolbox with this number.
    """
    boxes = {box.ordinal: box for box in state.toolboxes}
    all_known("toolbox", [ordinal], boxes)
    box = boxes[ordinal]
    epoch = next(e for e in state.epochs if e.number == box.epoch)
    tasks = {digest(task): task for task in epoch.tasks}
    versions = {g.version: g for g in epoch.guidelines}
    concepts = {
        name: next(c for c in epoch.concepts[name] if c.version == version)
        for name, version in box.concepts.items()
    }
    return Snapshot(
        ordinal, box.hash, box.at, tasks.get(box.task), versions.get(box.guidelines), concepts
    )


@dataclass(frozen=True)
class Changed:
    """A part of the toolbox that differs: `before` is empty if it is new, `after` if gone."""

    what: str
    before: str
    after: str


def diff(before: Snapshot | None, after: Snapshot) -> list[Changed]:
    """What differs between two toolboxes, part by part.

    Parameters
    ----------
    before : Snapshot or None
        None: nothing, so that every part is new.
    after : Snapshot

    Returns
    -------
    list of Changed
        In the order of task, guidelines, concepts.
    """
    old, new = _parts(before) if before else {}, _parts(after)
    return [
        Changed(what, old.get(what, ""), new.get(what, ""))
        for what in [*new, *(w for w in old if w not in new)]
        if old.get(what, "") != new.get(what, "")
    ]


def _parts(box: Snapshot) -> dict[str, str]:
    parts: dict[str, str] = {}
    if box.task is not None:
        parts |= {"task": box.task.text, "item": box.task.item_definition}
        parts["context"] = box.task.context
        for question in box.task.questions:
            parts[f"question {question.id}"] = _question_text(question)
    if box.guidelines is not None:
        parts["guidelines"] = box.guidelines.text
        for id, labels in box.guidelines.options.items():
            parts[f"options of question {id}"] = ", ".join(labels)
        policy = box.guidelines.ambiguity
        if policy is not None:
            allowed = f"“ambiguous”, with a source: {', '.join(policy.sources)}"
            no = f"no answer “ambiguous”: {policy.reason}"
            parts["ambiguity"] = allowed if policy.allowed else no
        parts |= {f"rule {rule.id}": rule.text for rule in box.guidelines.rules}
    for name, concept in box.concepts.items():
        parts |= {f"concept {name}{what}": text for what, text in _concept_parts(concept).items()}
    return {what: text for what, text in parts.items() if text}


def _question_text(question: Question) -> str:
    when = question.asked_if
    asked = f" (asked if {when.question} = {' or '.join(when.labels)})" if when else ""
    return f"{question.text}{asked}"


def _concept_parts(concept: Concept) -> dict[str, str]:
    relations = (f"{r.source} {r.relation} {r.target}" for r in concept.relations)
    return {
        "": concept.definition,
        ", kind": concept.kind.value,
        ", sub-concepts": ", ".join(concept.subconcepts),
        ", relations": "; ".join(relations),
        ", examples": "; ".join(concept.examples),
        ", counter-examples": "; ".join(concept.counter_examples),
        ", questions": ", ".join(concept.questions),
    }


# ---------------------------------------------------------------- what bears on a question


def texts_about(state: State, question: str, ordinal: int) -> tuple[str, ...]:
    """All texts of a toolbox that bear on a question, as they stand, in alphabetical order.

    Those about it, about all questions, or about one on which it depends; without the names of
    their parts.
    """
    box = snapshot(state, ordinal) if ordinal else None
    if box is None or box.task is None:
        return ()
    asked = {one.id: one for one in box.task.questions}
    own, up = {question}, asked.get(question)
    while up is not None and up.asked_if is not None:
        own.add(up.asked_if.question)
        up = asked.get(up.asked_if.question)
    found, rules = list[str](), dict[str, Rule]()
    if (made := box.guidelines) is not None:
        rules = {rule.id: rule for rule in made.rules}
        found += [made.text, *(label for q in own for label in made.options.get(q, ()))]
        found += _policy(made) or ()
        found += [r.text for r in made.rules if not r.questions or own & {*r.questions}]
    for one in box.concepts.values():
        named = {*one.questions} or {
            q for id in one.rules if id in rules for q in rules[id].questions or asked
        }
        if not named or own & named:
            found += [text for what, text in _concept_parts(one).items() if what in SEEN]
    return tuple(sorted(filter(None, found)))


SEEN = ("", ", sub-concepts", ", relations", ", examples", ", counter-examples")


def change_shown(state: State, question: str, box: Toolbox) -> str:
    """SHA-256 of what bears on a question before and after a change: what was shown of it."""
    before, after = (texts_about(state, question, box.ordinal - k) for k in (1, 0))
    return digest([question, before, after])


def written_with(epoch: Epoch, box: Toolbox) -> Guidelines | Concept | None:
    """What was written with a toolbox; None: the task."""
    if box.changed == "guidelines":
        return next((g for g in epoch.guidelines if g.version == box.guidelines), None)
    name = box.changed.removeprefix("concept ")
    return epoch.concepts[name][box.concepts[name] - 1] if name in box.concepts else None


class ToolboxEvent(Event, frozen=True):
    """Something that changes the toolbox, or consents to it."""

    within = "toolbox"


class ToolboxWritten(ToolboxEvent, frozen=True, tag="toolbox written"):
    """A task (before its first round), or a new version of the guidelines or of a key concept."""

    task: Task | None = None
    guidelines: Guidelines | None = None
    concept: Concept | None = None
    reason: str = ""

    def sentence(self) -> str:
        """Which part, and its version."""
        if self.guidelines is not None:
            return f"guidelines {self.guidelines.version} are written"
        if self.concept is not None:
            return f"concept “{self.concept.name}”, version {self.concept.version}, is written"
        return "the task is written"


@on(ToolboxWritten)
def _toolbox_written(state: State, event: ToolboxWritten, stamp: Stamp) -> None:
    epoch, task, rules, concept = state.epoch, event.task, event.guidelines, event.concept
    if task is not None:
        epoch.task, epoch.task_hash = task, digest(task)
        epoch.tasks.append(task)
        new_toolbox(state, stamp[0], "task")
    if rules is not None:
        # In the order of the task, in memory as after it was read again from the log.
        known = [*epoch.questions, *sorted(rules.options)]
        listed = {q: rules.options[q] for q in known if q in rules.options}
        epoch.guidelines.append(msgspec.structs.replace(rules, options=listed))
        epoch.objections = [o for o in epoch.objections if o.concept]
        new_toolbox(state, stamp[0], "guidelines")
    if concept is not None:  # every signature of the version before is void
        epoch.concepts.setdefault(concept.name, []).append(concept)
        epoch.objections = [o for o in epoch.objections if o.concept != concept.name]
        new_toolbox(state, stamp[0], f"concept {concept.name}")


def new_toolbox(state: State, at: str, changed: str) -> None:
    """Note that another toolbox is in force from this event on."""
    epoch = state.epoch
    guidelines = epoch.guidelines[-1] if epoch.guidelines else None
    concepts = {name: versions[-1] for name, versions in epoch.concepts.items()}
    content = {
        "task": epoch.task_hash,
        "guidelines": digest(guidelines) if guidelines else "",
        "concepts": {name: digest(concept) for name, concept in concepts.items()},
    }
    state.toolboxes.append(
        Toolbox(
            len(state.toolboxes) + 1,
            digest(content),
            epoch.number,
            epoch.task_hash,
            guidelines.version if guidelines else "",
            {name: concept.version for name, concept in concepts.items()},
            at,
            changed,
            state.seq,
        )
    )
