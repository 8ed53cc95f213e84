"""What people in random sessions do in steps 0 to 4."""

from __future__ import annotations

from accordant.resolution.guidelines import acknowledgement_holds
from accordant.resolution.progress import progress
from accordant.resolution.records import AMBIGUOUS, Concept, Guidelines, Items, Note, Rule, Task
from accordant.resolution.round_result import in_scope, labels_that_ask
from accordant.resolution.state import NONE
from accordant.resolution.toolbox import since_last_round
from accordant.resolution.words import CaseState, Change, Role, Step
from resolution.sessions import CODERS, QUESTIONS, Act, Given, Walker, makes

S = CaseState


# ---------------------------------------------------------------- people and set-up


@makes("person")
def _person(walk: Walker) -> Act:
    roles = [[Role.CODER], [Role.OBSERVER], [Role.CODER, Role.RESEARCHER]]
    return "R", {"name": walk.one(["A4", "O"]), "roles": walk.one(roles)}


@makes("training")
def _training(walk: Walker) -> Act:
    return "R", {"text": walk.text()}


@makes("adjudicator")
def _adjudicator(walk: Walker) -> Act:
    return "R", {"person": walk.one(["M", "R", "A1"])}


@makes("question")
def _question(walk: Walker) -> Act:
    return "R", {"text": walk.text(), "id": "1", "reason": walk.text()}


@makes("hypothesis")
def _hypothesis(walk: Walker) -> Act:
    return "R", {"text": walk.text(), "id": "h", "reason": walk.text()}


@makes("purpose")
def _purpose(walk: Walker) -> Act:
    return "R", {"purpose": walk.one(["ground truth", "ground truth", "elicit variation"])}


@makes("task")
def _task(walk: Walker) -> Act | None:
    if walk.state.epoch.task is not None and walk.random.random() < 0.95:
        return None
    return walk.anybody(), {"task": Task(QUESTIONS, walk.text())}


@makes("task change")
def _task_change(walk: Walker) -> Act | None:
    if walk.state.step != Step.ABANDONED and walk.random.random() < 0.9:
        return None
    return "R", {"task": Task(QUESTIONS, walk.text()), "reason": walk.text()}


@makes("guidelines")
def _guidelines(walk: Walker) -> Act | None:
    before = walk.state.epoch.guidelines
    changed = before and walk.state.epoch.begun and since_last_round(walk.state).changes
    if before and (changed or not walk.state.epoch.begun) and walk.random.random() < 0.9:
        return None
    rules = (Rule("R1", walk.text()), Rule("R2", "Prefer 1", ("Q",)))
    change = walk.one(
        [Change.EDITORIAL, Change.LOCAL, Change.EDITORIAL, Change.LOCAL, Change.DRASTIC]
    )
    if before and change is Change.EDITORIAL and walk.random.random() < 0.7:
        same = before[-1].rules
        rules = (Rule("R1", f"{same[0].text}, please", same[0].questions), *same[1:])
    policy = walk.here.log and next(
        (
            e.guidelines.ambiguity
            for e, _ in walk.here.log
            if hasattr(e, "guidelines") and isinstance(e.guidelines, Guidelines)
        ),
        None,
    )
    new = Guidelines("", {"Q": ("0", "1"), "P": ("x", "y", "z")}, policy, rules)
    given: Given = {"guidelines": new, "reason": walk.text(), "narrowed": walk.text()}
    if before and walk.state.epoch.begun:
        given["change"] = change
        if change is Change.LOCAL:
            given["questions"] = walk.one([["Q"], ["P"], ["Q", "P"]])
            given["items"] = walk.one([None, None, list(walk.state.items.ids[:4])])
    return "R", given


@makes("acknowledge")
def _acknowledge(walk: Walker) -> Act:
    epoch = walk.state.epoch
    waiting = [c for c in walk.state.coders if not acknowledgement_holds(epoch, c)]
    return walk.one(waiting) or "A1", {}


@makes("confirm editorial")
def _confirm(walk: Walker) -> Act:
    return walk.one(CODERS), {}


@makes("concept")
def _concept(walk: Walker) -> Act:
    name = walk.one(["claim", "scope"])
    uses = {"claim": ("Q",), "scope": ("P",)}[name]
    given: Given = {"concept": Concept(name, 0, walk.text(), uses), "reason": walk.text()}
    if walk.random.random() < 0.3:
        given |= {"items": list(walk.state.items.ids[:4]), "narrowed": walk.text()}
    return walk.anybody(), given


@makes("sign-off")
def _sign_off(walk: Walker) -> Act:
    epoch = walk.state.epoch
    waiting = [
        coder
        for name, versions in epoch.concepts.items()
        for coder in walk.state.coders
        if epoch.signed.get(name, {}).get(coder) != versions[-1].version
    ]
    return walk.one(waiting) or "A1", {}


@makes("object")
def _object(walk: Walker) -> Act:
    return walk.one(CODERS), {"concept": walk.one(["claim", "scope"]), "text": walk.text()}


@makes("withdraw objection")
def _withdraw_objection(walk: Walker) -> Act | None:
    stands = walk.one(walk.state.epoch.objections)
    return stands and (stands.coder, {"concept": stands.concept})


@makes("items add")
def _items_add(walk: Walker) -> Act | None:
    n = len(walk.state.items.ids)
    return ("R", {"items": Items((f"i{n + 1}",))}) if n < 8 else None


@makes("items freeze")
def _items_freeze(walk: Walker) -> Act:
    return "R", {}


@makes("assign")
def _assign(walk: Walker) -> Act | None:
    if walk.random.random() < 0.8:
        return None
    ids = list(walk.state.items.ids)
    return "R", {"coder": "A4", "items": walk.random.sample(ids, max(1, len(ids) - 1))}


@makes("go")
def _go(walk: Walker) -> Act:
    forward = {
        Step.SETUP: [Step.TASK],
        Step.TASK: [Step.ALIGNMENT, Step.ALIGNMENT, Step.RESOLUTION],
        Step.ALIGNMENT: [Step.TASK, Step.RESOLUTION, Step.RESOLUTION],
    }
    steps = [*forward.get(walk.state.step, []) * 5, Step.SETUP, Step.TASK, Step.ALIGNMENT]
    back = walk.state.step is Step.COMPARISON
    asked = [walk.one(walk.state.epoch.questions)] if back and walk.state.epoch.questions else []
    return "R", {"to": walk.one(steps), "reason": walk.text(), "questions": asked}


@makes("statement")
def _statement(walk: Walker) -> Act:
    return "R", {"section": walk.one("AB"), "text": walk.text()}


@makes("deviation")
def _deviation(walk: Walker) -> Act:
    return "R", {"text": walk.text()}


# ---------------------------------------------------------------- rounds


@makes("round open")
def _open(walk: Walker) -> Act:
    """Mostly what is owed; sometimes another scope, and not everybody."""
    ids, given = list(walk.state.items.ids), Given()
    if walk.random.random() < 0.15:
        given["coders"] = walk.random.sample(CODERS, walk.random.choice([2, 3]))
    if walk.random.random() < 0.15:
        given["items"] = walk.random.sample(ids, walk.random.randint(1, len(ids)))
    if walk.random.random() < 0.15:
        given["questions"] = walk.one([["Q"], ["P"]])
    return "R", given


@makes("annotate")
def _annotate(walk: Walker) -> Act | None:
    """Everything that a coder still owes to one question."""
    some = walk.state.epoch.round
    if some is None:
        return None
    coder, epoch = walk.one(some.coders), walk.state.epoch
    for question in [q for q in epoch.questions.values() if q.id in some.questions]:
        sheet = some.sheet.get(question.id, {}).get(coder, {})
        declined = some.declined.get(question.id, {}).get(coder, {})
        left = [
            i for i in in_scope(walk.state, some, coder) if i not in sheet and i not in declined
        ]
        if question.asked_if is not None:
            asking, parent = labels_that_ask(epoch, question), question.asked_if.question
            own = some.sheet.get(parent, {}).get(coder, {})
            column = epoch.current.get(parent, {}).get(coder, [])
            if parent not in some.questions:
                own = dict(enumerate(column))
            left = [i for i in left if own.get(i, NONE) in asking]
        if left:
            answers, notes = {}, {}
            for item in left:
                id = walk.state.items.ids[item]
                usual = ("0", "1")[item % 2] if question.id == "Q" else "x"
                odd = walk.random.random() < walk.disagree
                answers[id] = walk.label(question.id) if odd else usual
                if odd and walk.random.random() < 0.1:
                    answers[id], notes[id] = AMBIGUOUS, Note(source="lexical ambiguity")
            return coder, {"question": question.id, "answers": answers, "notes": notes}
    return None


@makes("annotate sheet")
def _annotate_sheet(walk: Walker) -> Act | None:
    """The same as a sheet, of a question that others may follow."""
    made = _annotate(walk)
    if made is None:
        return None
    coder, given = made
    question = given["question"]
    return coder, {"answers": {question: given["answers"]}, "notes": {question: given["notes"]}}


@makes("decline")
def _decline(walk: Walker) -> Act:
    given = {"question": walk.one(["Q", "P"]), "items": [walk.one(walk.state.items.ids)]}
    coder = walk.one([None, None, *CODERS])
    return walk.one(CODERS if coder is None else ["R"]), {
        **given,
        "reason": walk.text(),
        "coder": coder,
    }


@makes("submit")
def _submit(walk: Walker) -> Act | None:
    some = walk.state.epoch.round
    if some is None:
        return None
    left = [one.coder for one in progress(walk.state, some) if not one.done] or list(some.coders)
    coder = walk.one(left)
    if walk.random.random() < 0.1:
        return walk.one(["R", *CODERS]), {"coder": coder, "reason": walk.text()}
    return coder, {}


@makes("round close")
def _close(walk: Walker) -> Act:
    return "R", {}


@makes("resolve")
def _resolve(walk: Walker) -> Act:
    return "R", {}
