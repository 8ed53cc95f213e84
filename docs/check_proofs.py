"""Check the proofs of a resolved project against its log.

`python check_proofs.py project.json` takes the bundle that
`accordant project export project.json --bundle` writes. It shares no code with Accordant, and needs
nothing but Python. It computes the hash of every event again, and compares the last one with the
head that a report printed, if that is given too. From the log alone it works out who held which
answer when, when answers differed, who consented to what, what was changed and what was annotated
again, and names every chain that does not bear this out.
"""

import hashlib
import json
import re
import sys
from operator import itemgetter

MENDS = {"a1-concept": "concept", "b": "concept", "a1-task": "guidelines", "a2": "guidelines"}
SENT_BACK = 25  # the transition from the comparison to steps 1 and 2
OF_A_CHANGE = ("version", "change", "reason", "cases")  # what a version does not say
MARKS = re.compile(r"""(?:\\[ntr"]|[\s.,;:!?…'“”„‘’()])+""")
OWN = ("c", "e", "dependency")  # what a coder rescores alone; else it follows from an outcome


HASHED = ("seq", "id", "at", "actor", "kind", "stream", "version", "written", "prev")


def sealed(*values):
    """SHA-256 over a first line and all values, each with the number of its bytes."""
    fields = [str(value).encode() for value in values]
    text = b"".join(b"%d:%b," % (len(field), field) for field in fields)
    return hashlib.sha256(b"accordant event 1\n" + text).hexdigest()


def altered(entries, head):
    """Events that are not as they were written, and a log that does not end with the head.

    What is withheld from the reader of a bundle cannot be checked, and nothing is read of it; that
    it follows can.
    """
    prev = sealed("project", entries[0]["body"].get("project", "")) if entries else ""
    for number, e in enumerate(entries, 1):
        fits = sealed(*(e[name] for name in HASHED)) == e["hash"]
        hidden = e["withheld"] and not e["written"]
        if not (fits or hidden) or e["prev"] != prev or e["seq"] != number:
            yield f"event {e['seq']} is not as it was written, or does not follow the one before"
        prev = e["hash"]
    if not (head and prev.startswith(head)):
        yield f"the log ends with {prev}, and not with {head or 'a head'}"


def wording(body):
    """What guidelines or a concept say, whatever their punctuation, blanks and capital letters."""
    said = {name: fact for name, fact in body.items() if name not in OF_A_CHANGE}
    text = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return re.sub(' *" *', '"', MARKS.sub(" ", text).casefold())


def covers(scope, item, question):
    """Whether an order or a round is about a cell."""
    return question in scope["questions"] and item in (scope.get("items") or [item])


def label_set(answer):
    """An answer as what is compared."""
    return frozenset(answer.get("labels", [answer.get("special", "")]))


def said_as(held):
    """The labels of an answer that all hold."""
    return set("; ".join(next(iter(held.values()))[3]).split("; "))


class Log:
    """The events of the current task."""

    def __init__(self, entries):
        self.at = {e["seq"]: e for e in entries}
        self.at = {seq: {**e, "kind": self.kind(e)} for seq, e in self.at.items()}
        entries = [*self.at.values()]
        moved = [e for e in entries if e["kind"] == "moved"]
        begun = max((e["seq"] for e in moved if e["body"]["transition"] == 16), default=0)
        self.now = [e for e in entries if e["seq"] > begun]
        self.case = {
            number: {"item": item, "question": question}
            for e in map(itemgetter("body"), self.of("cases opened"))
            for number, (item, question) in enumerate(
                zip(e["items"], e["questions"], strict=True), e["first"]
            )
        }
        self.opened = {e["body"]["number"]: e for e in self.of("round opened")}
        self.closed = {e["body"]["number"]: e["seq"] for e in self.of("round closed")}
        task = self.of("task written")[-1]["body"]["task"]
        self.parent = {q["id"]: q.get("asked_if") for q in task["questions"]}

    def kind(self, e):
        """The kind of an event, and of what kind is what it is about."""
        kind, body = e["kind"], e["body"]
        if kind == "toolbox written":
            return next(f"{k} written" for k in ("task", "guidelines", "concept") if k in body)
        if kind == "accepted":
            return f"{self.at[body['proposal']]['kind'].split()[0]} accepted"
        if kind == "said" and body.get("reason"):
            return "reason given"
        return "cause told" if body.get("told") else kind

    def of(self, *kinds):
        return [e for e in self.now if e["kind"] in kinds]

    def words(self, item, question):
        """All that was said: when it counts, number, coder, answer (None: declined), event."""
        found = []
        for e in self.of("annotated", "declined", "rescored"):
            body = e["body"]
            if body["question"] != question or item not in body.get("items", [body.get("item")]):
                continue
            if e["kind"] == "rescored":
                found.append((e["seq"], e["seq"], body["coder"], label_set(body["answer"]), e))
            elif body["round"] in self.closed:
                # Only what is left can be declined for another.
                said = any(
                    word[2] == body["coder"]
                    and word[3] is not None
                    and word[0] == self.closed[body["round"]]
                    for word in found
                )
                if said and e["kind"] == "declined" and e["actor"] != body["coder"]:
                    continue
                answer = None
                if e["kind"] == "annotated":
                    answer = body["answers"][body["codes"][body["items"].index(item)]]
                    answer = label_set(answer)
                found.append((self.closed[body["round"]], e["seq"], body["coder"], answer, e))
        return sorted(found, key=lambda word: word[:2])

    def held(self, item, question, until):
        """Coder → the word that counts, at a moment: of those who were asked and answered."""
        last = {word[2]: word for word in self.words(item, question) if word[0] <= until}
        found = {coder: word for coder, word in last.items() if word[3] is not None}
        if (above := self.parent[question]) is None:
            return found
        asking = set(above["labels"])
        now = self.held(item, above["question"], until)
        since = [w for w in self.words(item, above["question"]) if w[0] <= until]
        return {
            coder: word
            for coder, word in found.items()
            if coder in now
            and asking & now[coder][3]
            and not any(
                w[2] == coder and w[0] > word[0] and not asking & (w[3] or set()) for w in since
            )
        }

    def differed(self, item, question):
        """When answers last came to differ, or a person opened the case again; 0: never."""
        above, whens, last, was = question, set(), 0, False
        while above:
            whens |= {word[0]: word for word in self.words(item, above)}.keys()
            above = (self.parent[above] or {}).get("question")
        for when in sorted(whens):
            now = len({word[3] for word in self.held(item, question, when).values()}) > 1
            e = self.at[when]
            if e["kind"] == "round closed":
                again = covers(self.opened[e["body"]["number"]]["body"], item, question)
            else:
                again = e["body"]["because"] in OWN and not was
            last, was = (when if now and again else last), now
        mine = {n for n, c in self.case.items() if (c["item"], c["question"]) == (item, question)}
        reopened = [
            e["seq"]
            for e in self.of("case reopened")
            if e["body"]["case"] in mine
            and self.at.get(e["seq"] + 1, {}).get("kind") != "case agreed"
        ]
        return max([last, *reopened])

    def sent_back(self, item, question, since, of):
        """The question was sent back by the comparison, the toolbox changed, all answered again."""
        back = [
            e["seq"]
            for e in of.get("moved", [])
            if e["body"]["transition"] == SENT_BACK
            and e["seq"] > since
            and question in e["body"].get("questions", ())
        ]
        made = [
            e["seq"]
            for k in ("guidelines written", "concept written")
            for e in of.get(k, [])
            if back and e["seq"] > min(back) and self.reworded(e, since)
        ]
        orders = [
            e["seq"]
            for e in of.get("reannotation ordered", [])
            if made and e["seq"] > min(made) and covers(e["body"], item, question)
        ]
        held = self.held(item, question, max(self.at)).values()
        return bool(orders) and all(word[1] > min(orders) for word in held)

    def reworded(self, e, since):
        """Whether a change, and what is in force, say something else than after an event."""
        kind = e["kind"].removesuffix(" written")
        said = [
            (x["seq"], wording(x["body"][kind]))
            for x in self.of(e["kind"])
            if x["body"][kind].get("name") == e["body"][kind].get("name")
        ]
        before = [text for seq, text in said if seq <= since]
        return not before or before[-1] not in (wording(e["body"][kind]), said[-1][1])

    def bears(self, e, question):
        """Whether a change of the guidelines bears on a question, or one on which it depends."""
        versions = [x["body"]["guidelines"] for x in self.of(e["kind"]) if x["seq"] <= e["seq"]]
        old, new = versions[-2:]
        rules = [{json.dumps(r, sort_keys=True): r for r in v.get("rules", ())} for v in (old, new)]
        differ = [{**rules[0], **rules[1]}[key] for key in rules[0].keys() ^ rules[1].keys()]
        on = {q for rule in differ for q in rule.get("questions") or self.parent}
        on |= {q for q in self.parent if old["options"].get(q) != new["options"].get(q)}
        if any(old.get(part) != new.get(part) for part in ("text", "ambiguity")):
            on |= {*self.parent}
        while question and question not in on:
            question = (self.parent[question] or {}).get("question")
        return question is not None

    def bound(self, consent, proposal):
        """By the person and to this proposal, by its number."""
        body = consent["body"]
        return consent["actor"] == body["by"] and body["proposal"] == proposal["seq"]


def faults(log, proof, proofs):
    """Everything in one chain that the log does not bear out."""
    item, question, kind = proof["item"], proof["question"], proof["kind"]
    if question not in log.parent:
        yield "no such question is asked"
        return
    if kind == "not asked":
        above = log.parent[question]
        over = proofs.get((item, above["question"])) if above else None
        asks = set(above["labels"]) & set(over["answer"].split("; ")) if over else True
        if asks or over["missing"]:
            yield "the question on which it depends has no proof, or asks it"
        return
    numbers = [n for link in proof["chain"] for n in link["events"]]
    if unread := [n for n in numbers if n not in log.at]:
        yield f"events {unread} cannot be read"
        return
    used = [log.at[n] for n in numbers]
    of = {k: [e for e in used if e["kind"] == k] for k in {e["kind"] for e in used}}
    words, held = log.words(item, question), log.held(item, question, max(log.at))
    source = kind.startswith("imported")
    if len(held) < 2 or len({word[3] for word in held.values()}) > 1:
        yield "fewer than two coders, or different answers"
    elif {*proof["answer"].split("; ")} != said_as(held):
        yield f"the coders do not say {proof['answer']!r}"
    if any(word[4] not in used for word in held.values()):
        yield "the chain leaves out what a coder said"
    accepted = {
        e["body"]["coder"]: e["seq"]
        for e in log.of("import accepted")
        if e["actor"] == e["body"]["coder"]
    }
    for coder, (_, seq, _, _, e) in held.items():
        # Others follow an outcome, or came with an import: then their consent speaks for them.
        followed = e["kind"] == "rescored" and e["body"]["because"] not in OWN
        came = e["kind"] == "annotated" and log.opened[e["body"]["round"]]["body"].get("imported")
        came = came or e["body"].get("because") == "imported"
        if kind == "imported, accepted" and came and accepted.get(coder, 0) < seq:
            yield f"{coder} has not accepted what was imported in event {seq}"
        consented = any(x["actor"] == coder for x in of.get("outcome accepted", []))
        if e["actor"] != coder and not (source or followed or (came and consented)):
            yield f"event {seq} is not by {coder}"
        own = [w for w in words if w[2] == coder and w[3] is not None]
        unseen = [w[1] for w in own if w[4]["body"].get("because", "dependency") == "dependency"]
        blind = max(unseen, default=0)
        for order in log.of("reannotation ordered"):
            number = order["body"]["order"]
            waived = any(w["body"]["order"] == number for w in log.of("order waived"))
            if not waived and covers(order["body"], item, question) and blind < order["seq"]:
                yield f"{coder} has not annotated it again under order {number}"
    for e in of.get("rescored", []):
        if e["body"]["because"] in OWN and e["actor"] != e["body"]["coder"]:
            yield f"event {e['seq']} is not by {e['body']['coder']}"
    since = log.differed(item, question)
    drastic = [
        e
        for e in of.get("guidelines written", [])
        if e["seq"] > since
        and e["body"]["guidelines"].get("change") == "drastic"
        and log.reworded(e, since)
    ]
    if kind in ("blind", "anew") and since:
        if kind == "blind" or not (drastic or log.sent_back(item, question, since, of)):
            yield f"the answers differed, and it is called {kind}"
        return
    if not since:
        return
    causes = ("cause proposed", "cause told")
    proposed = [e for e in used if e["kind"] in causes]
    if not proposed:
        yield "no cause was accepted after the answers last differed"
        return
    cause = proposed[0]
    body, number = cause["body"], cause["body"]["case"]
    said = [e for e in of.get("cause accepted", []) if e["body"]["case"] == number]
    if max(e["seq"] for e in (cause, *said)) < since:
        yield "the cause was accepted before the answers last differed"
    asked = set(log.held(item, question, cause["seq"])) & set(held)
    # Whoever was not asked the question when the last consented is not waited for.
    then = set(log.held(item, question, max(e["seq"] for e in (cause, *said))))
    named = {body["evidence"].get("coder")} if body["cause"] in ("c", "e") else asked & then
    if cause["kind"] == "cause proposed" and not source:
        persons = {e["actor"] for e in said if log.bound(e, cause)}
        if not named <= persons:
            yield f"the consents to event {cause['seq']} are not those of {sorted(named)}"
    if kind == "reannotated" and body["cause"] not in ("c", "e"):
        imported = cause["kind"] == "cause told"
        change = [
            e
            for k in ("guidelines", "concept")
            for e in of.get(f"{k} written", [])
            if e["seq"] > cause["seq"]
            and number in e["body"][k].get("cases", ())
            and (imported or k == MENDS.get(body["cause"]))
            and (imported or k == "concept" or log.bears(e, question))
            and log.reworded(e, cause["seq"])
        ]
        order = [e for e in of.get("reannotation ordered", []) if covers(e["body"], item, question)]
        if not change or not order or any(w[1] < change[-1]["seq"] for w in held.values()):
            yield "no change of the right kind names the case, is ordered, and was followed blind"
    if kind == "consented":
        outcome, said = of.get("outcome proposed", [None])[-1], of.get("outcome accepted", [])
        persons = {e["actor"] for e in said if outcome and log.bound(e, outcome)}
        if outcome is None or not outcome["body"]["cites"] or not asked <= persons:
            yield "the outcome is not consented to by each, with a citation"
        elif any(
            word[3] != label_set(outcome["body"]["answer"])
            for word in held.values()
            if word[1] < outcome["seq"] or word[4]["kind"] == "rescored"
        ):
            yield "the outcome is another answer"  # and nobody has annotated blind since
        citing = {
            e["actor"]
            for e in log.of("reason given")
            if e["body"]["case"] == number and e["body"].get("cites")
        }
        if body["cause"] == "d" and not asked <= citing:
            yield "not every coder gave a reason that cites something"
    if kind == "rescored" and body["cause"] not in ("c", "e"):
        yield f"cause {body['cause']} is not settled by a correction"
    agreed = [e["body"] for e in log.of("case agreed") if e["body"]["case"] == number]
    said = any(b["cites"] or b.get("text") for b in agreed)
    if source and body["cause"] not in MENDS and not said:
        yield "the source gives neither a discussion nor a citation"


def check(entries, rows):
    """Cell → faults, for every proof that is claimed; empty if each chain holds."""
    log, proofs = Log(entries), {(row["item"], row["question"]): row for row in rows}
    claimed = {cell: row for cell, row in proofs.items() if not row["missing"]}
    found = {cell: [*faults(log, row, proofs)] for cell, row in claimed.items()}
    rows = [*rows] if len(rows) > len(proofs) else []
    found |= {
        cell: ["two proofs are given"]
        for cell in proofs
        if sum((row["item"], row["question"]) == cell for row in rows) > 1
    }
    return {cell: what for cell, what in found.items() if what}


def overstated(bundle, entries, asked):
    """What a bundle says beyond its log and its proofs."""
    proofs = {(row["item"], row["question"]): row for row in bundle["proofs"] if not row["missing"]}
    for row in bundle["final"]:
        proof = proofs.get((row["item"], row["question"]))
        told = proof and (proof["kind"], {*proof["answer"].split("; ")})
        claims = proof or "ground truth" in row["status"]
        if claims and told != (row["proof"], {*row["answer"].split("; ")}):
            yield f"{row['item']}, {row['question']}: another answer than is proved"
    done = sum(row["kind"] != "imported, as documented" for row in proofs.values())
    said = [bundle["status"], *(row["status"] for row in bundle["final"])]
    if done < asked and any("ground truth" in status for status in said):
        yield f"it is called ground truth, and {asked - done} answers are none"
    for e in entries:
        if {"type": e["kind"], **e["body"]} != json.loads(e["written"]):
            yield f"event {e['seq']} is shown otherwise than it was written"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        bundle = json.load(file)
    if bundle["withheld"]:
        sys.exit(f"the proofs are {bundle['withheld']}")
    log, heads = bundle["log"], {bundle["head"], *sys.argv[2:3]}
    broken = [what for head in heads for what in altered(log, head)]
    entries = [e for e in log if e["written"]]
    frozen = [e["body"]["n_items"] for e in entries if e["kind"] == "items frozen"]
    asked = sum(frozen[-1:]) * len(Log(entries).parent)
    broken += [] if broken else overstated(bundle, entries, asked)
    n, unread = len(entries), len(log) - len(entries)
    wrong = {} if broken else check(entries, bundle["proofs"])
    print(*broken or [f"{n} of {len(log)} events can be read, each as it was written"], sep="\n")
    n = sum(not row["missing"] for row in bundle["proofs"])
    print(f"{n} of {asked} answers have a proof; {len(wrong)} do not hold")
    for (item, question), what in wrong.items():
        print(f"{item}, {question}: {'; '.join(what)}")
    sys.exit(bool(broken or wrong or unread))
