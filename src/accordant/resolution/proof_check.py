"""Check a proof that Accordant has exported: `python check_proof.py proof.json HEAD`.

HEAD is the hash that stands in the report or paper, 12 digits or more. This file needs Python alone
and shares nothing with the program: it reads the events one after another, works out who held which
answer when, and looks whether what each ending names is what its kind requires.
"""
# ruff: noqa: E501

import hashlib
import json
import re
import sys
import unicodedata
from collections import defaultdict

FORMAT = "accordant proof 1"
MENDS = {"a1-concept": "concept", "a1-task": "guidelines", "a2": "guidelines", "b": "concept"}
KINDS = {
    "blind agreement": (),
    "answered openly": (),
    "corrected slip": "ce",
    "re-annotated": MENDS,
    "re-annotation waived": MENDS,
    "consent": "d",
    "anew": (),
    "imported, accepted": (),
    "not asked": (),
}  # kind: causes that lead to it
HOWS = {"answered openly": {"open"}, "imported, accepted": {"import"}}
NEW_EPOCH, SENT_BACK = 16, 25  # numbers of transitions
SOURCES = [
    "lexical ambiguity",
    "missing context",
    "guidelines do not say",
    "concept unclear",
    "other",
]  # of ambiguity, where the guidelines name none
ALIKE = "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl вb кk мm нh тt αa οo νv ρp υu ιi κk τt ηn"


def sealed(*values):
    """SHA-256 over a line and all values, each with the number of its bytes."""
    parts = [str(value).encode() for value in values]
    text = b"".join(b"%d:%b," % (len(part), part) for part in parts)
    return hashlib.sha256(b"accordant event 1\n" + text).hexdigest()


def digest(thing):
    """SHA-256 of canonical JSON."""
    text = json.dumps(thing, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def reads(text):
    """What a reader sees: no layout, no capitals, look-alikes as one letter; signs are kept."""
    text = re.sub("[‐-―−]", "-", unicodedata.normalize("NFKC", text).casefold())
    for pair in ALIKE.split():
        text = text.replace(*pair)
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C" or c.isspace())
    text = re.sub(r"-(?=\d)", " −", text)
    return " ".join(re.sub("[^\\w\\s<>=≤≥≠±×÷+%&/−$€£\u0300-\u036f]|_", " ", text).split())


def label(answer):
    """An answer as it is printed."""
    return answer.get("special") or "; ".join(answer.get("labels", ())) or "none"


class Cell:
    """One question about one item: who was asked, who holds what, and all that happened to it."""

    def __init__(self):
        self.asked, self.declined, self.words, self.steps = set(), set(), {}, []

    def step(self, n, kind, own=True):
        """What is held now; what happens at one moment is one step."""
        if self.steps and self.steps[-1][0] == n:
            own = self.steps.pop()[2] or own
        self.steps.append((n, kind, own, {k: w["label"] for k, w in self.words.items()}))

    def another(self, n, answer):
        """Whether anybody has held another answer since a moment."""
        return any(s[0] >= n and {*s[3].values()} != {answer} for s in self.steps)


class Project:
    """The events of the current task, read one after another."""

    def __init__(self, events):
        begins = [e["n"] for e in events if e["kind"] == "moved" and e["transition"] == NEW_EPOCH]
        self.start, self.at = max(begins, default=0), {e["n"]: e for e in events}
        self.cells, self.case, self.of = defaultdict(Cell), {}, defaultdict(list)
        self.consents, self.judged, self.imports = defaultdict(dict), defaultdict(dict), {}
        self.items, self.n_items, self.assigned, self.asks, self.texts = [], 0, {}, {}, {}
        self.guide, self.concepts, self.changes, self.order, self.round = {}, {}, [], {}, {}
        for e in events:
            if e["n"] > self.start or e["kind"] in ("items added", "items frozen", "assigned"):
                self.of[e["kind"]].append(e)
                getattr(self, "_" + e["kind"].replace(" ", "_"), lambda e: None)(e)
        self.oldest = defaultdict(lambda: len(events))
        for (_, q), cell in self.cells.items():
            self.oldest[q] = min([self.oldest[q], *(w["since"] for w in cell.words.values())])

    # ------------------------------------------------------------ what is asked, and the toolbox

    def _items_added(self, e):
        self.items += e["items"]["ids"]

    def _items_frozen(self, e):
        self.n_items = e["n_items"]

    def _assigned(self, e):
        self.assigned[e["coder"]] = {*e["items"]}

    def _toolbox_written(self, e):
        if "task" in e:
            self.asks = {q["id"]: q.get("asked_if") for q in e["task"]["questions"]}
        self.guide = e.get("guidelines", self.guide)
        self.concepts |= {e["concept"]["name"]: e["concept"]} if "concept" in e else {}
        self.changes.append(e)
        self.texts[e["n"]] = {q: self.about(q) for q in self.asks}

    def _reannotation_ordered(self, e):
        self.order[self.changes[-1]["n"]] = e

    def above(self, q):
        """A question with those on which it depends."""
        return {q} | (self.above(self.asks[q]["question"]) if self.asks[q] else set())

    def about(self, q):
        """All texts that bear on a question, in alphabetical order, without names of parts."""
        own, guide = self.above(q), self.guide
        rules = {r["id"]: {*r.get("questions", self.asks)} for r in guide.get("rules", ())}
        policy, options = guide.get("ambiguity") or {"allowed": False}, guide.get("options", {})
        found = [guide.get("text", ""), *(x for k in own for x in options.get(k, ()))]
        found += policy.get("sources", SOURCES) if policy["allowed"] else []
        found += [r["text"] for r in guide.get("rules", ()) if own & rules[r["id"]]]
        for c in self.concepts.values():
            on = c.get("questions") or [k for r in c.get("rules", ()) for k in rules.get(r, ())]
            ties = [
                " ".join((r["source"], r["relation"], r["target"])) for r in c.get("relations", ())
            ]
            if not on or own & {*on}:
                found += [c["definition"], ", ".join(c.get("subconcepts", ())), "; ".join(ties)]
                found += ["; ".join(c.get(k, ())) for k in ("examples", "counter_examples")]
        return sorted(filter(None, found))

    def says(self, q, n):
        """What a reader of the toolbox of a moment saw about a question."""
        last = max((w["n"] for w in self.changes if w["n"] <= n), default=0)
        if (last, q) not in self.texts:
            self.texts[last, q] = {*map(reads, self.texts.get(last, {}).get(q, ()))} - {""}
        return self.texts[last, q]

    def seen(self, w, q):
        """What a reader saw changed about a question."""
        return self.says(q, w["n"] - 1) ^ self.says(q, w["n"])

    def shown(self, w, q):
        """The hash of what somebody was shown of a change."""
        last = max((x["n"] for x in self.changes if x["n"] < w["n"]), default=0)
        return digest([q, *(self.texts.get(n, {}).get(q, []) for n in (last, w["n"]))])

    def free(self, w, item, q):
        """Whether a change need not be followed here: its order was waived, or narrowed."""
        order = self.order.get(w["n"], {"order": 0})
        waived = any(x["order"] == order["order"] for x in self.of["order waived"])
        return waived or (not self.covers(w, item, q) and bool(order.get("narrowed")))

    def covers(self, w, item, q):
        """Whether an order of a change is about a question and an item."""
        order = self.order.get(w["n"], {"questions": ()})
        return q in order["questions"] and item in (order.get("items") or [item])

    # ------------------------------------------------------------ who says what

    def _round_opened(self, e):
        self.round = {**e, "items": e.get("items") or self.items[: self.n_items], "said": {}}

    def _annotated(self, e):
        own, some = e["who"] == e["coder"], self.round
        if e["round"] == some.get("number") and e["coder"] in some["coders"]:
            how = "import" if some.get("imported") else "blind" if own else "another"
            for k, item in enumerate(e["items"]):
                sheet = some["said"].setdefault((item, e["question"]), {})
                if "answers" in e:
                    sheet[e["coder"]] = label(e["answers"][e["codes"][k]]), e["n"], how, some["n"]
                elif own or e["coder"] not in sheet:
                    sheet[e["coder"]] = None

    _declined = _annotated

    def _round_closed(self, e):
        some, self.round = self.round, {}
        for q in sorted(some["questions"], key=lambda q: len(self.above(q))):
            for item in some["items"]:
                cell, sheet = self.cells[item, q], some["said"].get((item, q), {})
                cell.asked |= {k for k in some["coders"] if item in self.assigned.get(k, [item])}
                for coder, said in sheet.items():
                    self.hold(item, q, coder, said)
                self.moves(some["n"] if some.get("imported") else e["n"], item, q, "close")

    def hold(self, item, q, coder, said):
        """A coder has another word from now on, or none."""
        cell = self.cells[item, q]
        cell.words.pop(coder, None)
        cell.declined = cell.declined - {coder} if said else cell.declined | {coder}
        if said and (not self.asks[q] or coder in self.asked(item, q)):
            cell.words[coder] = dict(zip(("label", "n", "how", "since"), said, strict=True))

    def asked(self, item, q):
        """Who is asked a question about an item, and has not declined."""
        cell, above = self.cells[item, q], self.asks[q]
        held = self.cells[item, above["question"]].words.items() if above else ()
        asks = {k for k, w in held if {*above["labels"]} & {*w["label"].split("; ")}}
        return (asks if above else cell.asked) - cell.declined

    def moves(self, n, item, q, kind, own=True):
        """Answers may have come to differ or to be equal, and so may those that depend on them."""
        cell, before = self.cells[item, q], len(self.cells[item, q].words)
        asked = self.asked(item, q) if self.asks[q] else cell.words.keys()
        cell.words = {k: w for k, w in cell.words.items() if k in asked}
        if own or len(cell.words) < before:
            cell.step(n, kind, own)
        for child, above in self.asks.items():
            if above and above["question"] == q and (item, child) in self.cells:
                self.moves(n, item, child, kind, own=False)

    def _cases_opened(self, e):
        self.case |= dict(enumerate(zip(e["items"], e["questions"], strict=True), e["first"]))

    def _case_reopened(self, e):
        if e.get("by"):
            self.cells[self.case[e["case"]]].step(e["n"], "reopen")

    def _rescored(self, e):
        at, coder, said, told = (
            (e["item"], e["question"]),
            e["coder"],
            label(e["answer"]),
            e["because"],
        )
        how = {"c": "correct", "e": "correct", "dependency": "open"}.get(told, "another")
        known = self.cells[at].words.get(coder, {"how": "", "label": ""})
        if how == "another" and (known["how"], known["label"]) == ("outcome", said):
            return  # it follows from the consents
        how = "import" if told == "imported" else how if e["who"] == coder else "another"
        self.hold(*at, coder, (said, e["n"], how, e["n"]))
        self.moves(self.of["round opened"][0]["n"] if how == "import" else e["n"], *at, "correct")

    def _accepted(self, e):
        one, at = self.at[e["proposal"]], self.case[e["case"]]
        if e["who"] == e["by"] and one["n"] < e["n"] and one.get("case") == e["case"]:
            self.consents[one["n"]][e["by"]] = e["n"]
            words, said = self.cells[at].words, label(one.get("answer", {}))
            if one["kind"] == "outcome proposed" and {*words} <= {*self.consents[one["n"]]}:
                for coder, w in [*words.items()]:
                    kept = (w["how"], w["label"]) == ("another", said)
                    self.hold(
                        *at, coder, (said, one["n"], "another" if kept else "outcome", e["n"])
                    )
                self.moves(e["n"], *at, "outcome")

    def _change_judged(self, e):
        for item in e["items"] if e["who"] == e["coder"] else ():
            self.judged[e["change"], item, e["question"]][e["coder"]] = e

    def _import_accepted(self, e):
        self.imports |= {e["coder"]: e["n"]} if e["who"] == e["coder"] else {}


# ---------------------------------------------------------------- what an ending must show


def lacks(p, c, claims):
    """What one claim lacks; only the events that it names count."""
    at, kind, named = (c["item"], c["question"]), c["kind"], {*c["events"]}
    (item, q), above = at, p.asks.get(c["question"])
    if kind not in KINDS or q not in p.asks or (kind == "not asked" and not above):
        yield f"{kind} is no proof"
    elif kind == "not asked":
        parent = claims.get((item, above["question"]), {"answer": above["labels"][0]})
        if c["answer"] or {*above["labels"]} & {*parent["answer"].split("; ")}:
            yield "the question on which it depends asks it, or has no ending"
    elif (
        {w["label"] for w in p.cells[at].words.values()} != {c["answer"]}
        or len(p.cells[at].words) < 2
        or p.asked(*at) - {*p.cells[at].words}
    ):
        yield "it is not the answer of all who are asked"
    else:
        for coder, w in p.cells[at].words.items():
            yield from own(p, c, coder, w)
        hows = {w["how"] for w in p.cells[at].words.values()}
        if hows - {"blind"} if kind == "blind agreement" else hows.isdisjoint(HOWS.get(kind, hows)):
            yield "the answers came about in another way"
        torn = [
            s for s in p.cells[at].steps if s[1] == "reopen" or (s[2] and len({*s[3].values()}) > 1)
        ]
        if bool(torn) == (kind in ("blind agreement", "answered openly", "imported, accepted")):
            yield "the coders differed" if torn else "the coders never differed"
        elif torn:
            of = defaultdict(list)
            for e in (p.at[n] for n in sorted(named) if p.start < n <= len(p.at)):
                of[e["kind"]] += [e] if p.case.get(e.get("case"), at) == at else []
            yield from ended(p, c, of, torn[-1][0], torn[-1][3])


def own(p, c, coder, w):
    """What a word lacks to be the coder's own, under what the toolbox says now."""
    item, q = c["item"], c["question"]
    causes = [e for e in p.of["cause proposed"] if p.case[e["case"]] == (item, q)]
    if w["n"] not in c["events"] and w["how"] != "outcome":
        yield f"the answer of {coder} is not named"
    if w["how"] == "another":
        yield f"somebody else answered for {coder}"
    if w["how"] == "import":
        agreed = [e for e in p.of["case agreed"] if p.case[e["case"]] == (item, q)]
        told = [e for e in causes if e.get("told") and e["cause"] in "cde"]
        came = [e for e in p.of["cases opened"] if all(e["n"] < x["n"] for x in p.of["imported"])]
        torn = any((item, q) in zip(e["items"], e["questions"], strict=True) for e in came)
        whole = not torn or (told and agreed and agreed[0].get("text"))
        if (
            not whole
            or not any(e.get("document") for e in p.of["imported"])
            or p.imports.get(coder, 0) < w["since"]
            or c["kind"] == "blind agreement"
        ):
            yield f"{coder} has not accepted a documented import"
    if w["how"] == "correct" and not any(
        x["case"] == p.at[w["n"]]["case"]
        and x["evidence"].get("coder") == coder
        and p.consents[x["n"]].get(coder, w["n"]) < w["n"]
        for x in p.of["cause proposed"]
    ):
        yield f"{coder} corrected without a cause that names them"
    for x in p.changes:
        due = p.seen(x, q) or p.covers(x, item, q)
        if x["n"] > w["since"] and due and not p.free(x, item, q):
            yield f"{coder} has not answered since the change in event {x['n']}"


def ended(p, c, of, t0, held):
    """What it lacks that answers, which differed since t0 among those who held one, are equal."""
    at, kind, cell = (c["item"], c["question"]), c["kind"], p.cells[c["item"], c["question"]]
    causes = [e for e in p.of["cause proposed"] if p.case[e["case"]] == at and e["n"] > t0]
    cause = causes[-1] if KINDS[kind] and causes and causes[-1] in of["cause proposed"] else None

    def agreed(e, who):
        given = p.consents[e["n"]]
        return all(given.get(k) in c["events"] for k in who)

    if KINDS[kind]:
        letter = cause["cause"] if cause else "none"
        if letter not in KINDS[kind]:
            yield f"cause {letter} does not lead to it"
            return
        if not agreed(cause, [cause["evidence"].get("coder")] if letter in "ce" else held):
            yield "the cause is not agreed"
    last = cause["n"] if cause else t0
    if kind == "corrected slip":
        named = cause["evidence"].get("coder")
        done = [e for e in of["rescored"] if e["who"] == e["coder"] == named and e["n"] > last]
        then = [s[0] for s in cell.steps if s[0] > t0]
        if (
            not done
            or not done[0].get("cites")
            or then[:1] != [done[0]["n"]]
            or cell.another(done[0]["n"], c["answer"])
            or repeated(p, at)
        ):
            yield "what ended it is no correction that cites, by the coder whom the cause names"
    if kind in ("re-annotated", "re-annotation waived", "anew"):
        for w in [w for w in of["toolbox written"] if w["n"] > last and fits(p, c, w, cause, t0)]:
            yes = {
                k: e["n"]
                for k, e in p.judged[w["n"], *at].items()
                if e["n"] in c["events"]
                and not e.get("because")
                and e["shown"] == p.shown(w, at[1])
            }
            after = max([w["n"], *yes.values()])
            closed = [s[0] for s in cell.steps if s[1] == "close" and s[0] > after and s[2]]
            fresh = all(
                x["since"] > w["n"] and x["how"] in ("blind", "open") for x in cell.words.values()
            )
            again = fresh and closed and not cell.another(closed[0], c["answer"])
            whole = kind != "anew" or (p.oldest[at[1]] > w["n"] and not p.free(w, *at))
            if {*held, *c["confirmed_by"]} <= {*yes} and (
                p.free(w, *at) if kind == "re-annotation waived" else again and whole
            ):
                last = after
                break
        else:
            yield "no visible change of the right kind that all who differed confirm, then answers"
    if kind in ("consent", "re-annotation waived"):
        why = {
            e["by"]: e["n"]
            for e in of["said"][::-1]
            if e["who"] == e["by"] and e.get("reason") and e.get("cites") and e["n"] > t0
        }
        last = max([last, *why.values()]) if kind == "consent" else last
        good = [
            max([e["n"], *(p.consents[e["n"]][k] for k in held)])
            for e in of["outcome proposed"]
            if e["n"] > last
            and e["cites"]
            and label(e["answer"]) == c["answer"]
            and agreed(e, held)
        ]
        if (
            not good
            or (kind == "consent" and {*held} - {*why})
            or cell.another(min(good), c["answer"])
        ):
            yield "no outcome with this answer, after reasons of each, to which each consents"


def repeated(p, at):
    """Whether who differed were asked once more, and nothing had changed for a reader."""
    steps = p.cells[at].steps
    last = max((k for k, s in enumerate(steps) if s[1] == "close" and s[2]), default=0)
    torn = [s[0] for s in steps[:last] if s[2] and len({*s[3].values()}) > 1]
    if not torn or len({*steps[last - 1][3].values()}) < 2:
        return False
    opened = max(e["n"] for e in p.of["round opened"] if e["n"] < steps[last][0])
    return p.says(at[1], torn[-1]) == p.says(at[1], opened)


def fits(p, c, w, cause, t0):
    """Whether a reader sees a change that is still there, and it is of the kind that is asked for."""
    q = c["question"]
    if not p.seen(w, q) & (p.says(q, t0) ^ p.says(q, len(p.at))):
        return False
    if cause is None:
        back = [e for e in p.of["moved"] if e["transition"] == SENT_BACK and q in e["questions"]]
        sent = any(t0 < e["n"] < w["n"] for e in back)
        return sent or w.get("guidelines", {}).get("change") == "drastic"
    waits = [
        e["concept"] for e in p.of["case waits"] if e["case"] == cause["case"] and e.get("concept")
    ]
    named = cause["evidence"].get("concept") or (waits or [""])[-1]
    part = MENDS[cause["cause"]]
    return part in w and (part == "guidelines" or w["concept"]["name"] == named)


# ---------------------------------------------------------------- the bundle


def events_of(records):
    """The events, if each is as it was written and follows the one before."""
    prev, versions, events = "", defaultdict(int), []
    for n, (seq, id, at, who, kind, stream, version, body, before, own) in enumerate(records, 1):
        told = json.loads(body)
        prev, versions[stream] = prev or sealed("project", told["project"]), versions[stream] + 1
        fields = (n, id, at, who, told["type"], stream, versions[stream], body, prev)
        if (seq, kind, version, before, own) != (
            *fields[:1],
            *fields[4:7:2],
            prev,
            sealed(*fields),
        ):
            raise ValueError(f"event {n} is not as it was written")
        events.append(told | {"n": n, "who": who, "kind": kind})
        prev = own
    return events, prev


def check(bundle, head=""):
    """Everything that the events do not bear out; nothing if all of it holds."""
    try:
        events, last = events_of(bundle["log"])
        if head and not (len(head) >= 12 and last.startswith(head)):
            return [f"the events end with {last[:12]}, and not with {head}"]
        return [*faults(bundle, events[:-1], events[-1])]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return [f"it cannot be read as a proof: {error!r}"]


def faults(bundle, events, release):
    """What is altered, and each claim that lacks something."""
    if release["kind"] != "released" or bundle["format"] != FORMAT:
        yield "it does not end with a release"
        return
    for name in sorted({*release["seals"], *bundle} - {"log", "format"}):
        if name not in bundle or digest(bundle[name]) != release["seals"].get(name):
            yield f"{name} is not as it was released"
    p, claims = Project(events), {(c["item"], c["question"]): c for c in bundle["endings"]}
    for (item, q), c in claims.items():
        yield from (f"{item}, {q}, {c['kind']}: {what}" for what in lacks(p, c, claims))
    final = {(f["item"], f["question"]): f["answer"] for f in bundle["final"] if f["proof"]}
    if final != {at: c["answer"] for at, c in claims.items()} or len(claims) < len(
        bundle["endings"]
    ):
        yield "the final answers are not those of the endings"
    asked = {(item, q) for item in p.items[: p.n_items] for q in p.asks}
    if (bundle["status"] == "ground truth" and {*claims} != asked) or bundle["status"] != release[
        "status"
    ]:
        yield "it is called what it is not"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        bundle = json.load(file)
    found = check(bundle, *sys.argv[2:3])
    print(*found, f"{len(bundle['endings'])} endings, {len(found)} faults", sep="\n")
    if len(sys.argv) < 3:
        print("No head is given: all of it may have been written anew. Give the one in the report.")
    sys.exit(bool(found))
