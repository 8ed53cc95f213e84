"""A task after Oortwijn et al. (2021, section 5.1), walked from step 0 to a ground truth.

Three coders score paragraphs for the evidence they hold on epistemology in Quine: 1, 0 or −1. Each
cause of disagreement occurs as in the five examples of the paper. The paragraphs are short
descriptions of ours. Everything is typed on the command line.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cli.projects import Walk

CODERS = ("ana", "bob", "cleo")  # ana is a researcher too, as in the paper
TOOLBOX = """
[task]
text = "Score each paragraph for the evidence it holds for an answer to the research question."
item_definition = "one paragraph"

[[task.question]]
id = "evidence"
text = "How much evidence does the paragraph hold for some answer to the research question?"

[guidelines.options]
evidence = [1, 0, -1]

[guidelines.ambiguity]
allowed = false
reason = "who is not sure scores 0"

[[guidelines.rule]]
id = "R1"
text = "1: strong evidence for some answer."

[[guidelines.rule]]
id = "R2"
text = "0: mild evidence, or the coder is not sure whether it is enough."

[[guidelines.rule]]
id = "R3"
text = "-1: not enough evidence."

[[concept]]
name = "epistemology"
kind = "complex"
definition = "The study of how we come to have the science that we have."
questions = ["evidence"]
subconcepts = ["naturalised epistemology", "natural science"]
relations = [["naturalised epistemology", "is a part of", "natural science"]]
"""
RULE = """
[[guidelines.rule]]
id = "R4"
text = "Talk about the views of others is no evidence: -1."
"""
CONCEPT = """
[[concept]]
name = "first philosophy"
definition = "A foundation of science that is prior to science and stands outside it."
questions = ["evidence"]
"""
ITEMS = """\
item,text
p1,A summary of what two earlier philosophers thought about knowledge.
p2,Science is not answerable to a first philosophy.
p3,Nothing is lost by giving up first philosophy.
p4,Questions of what there is are of a piece with questions of natural science.
p5,No line parts claims about existence from claims of science.
p6,A view that is called the straightforward view is set out.
p7,Mathematical logic is named as an example of a hard science.
p8,The dream of a first philosophy is given up.
p9,An anecdote about a voyage.
p10,The senses are studied as a part of psychology.
"""
SCORES = {
    "p1": (0, -1, -1),
    "p2": (1, 0, 0),
    "p3": (0, 0, 1),
    "p4": (1, 1, 1),
    "p5": (1, 0, 1),
    "p6": (1, 0, 0),
    "p7": (1, 1, -1),
    "p8": (0, 0, 0),
    "p9": (-1, -1, -1),
    "p10": (1, 1, 1),
}
FINAL = {
    "p1": "-1",
    "p2": "0",
    "p3": "0",
    "p4": "1",
    "p5": "1",
    "p6": "0",
    "p7": "1",
    "p8": "0",
    "p9": "-1",
    "p10": "1",
}


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A folder with the files, and a command line in it."""
    walk = Walk.into(tmp_path, monkeypatch)
    Path("toolbox.toml").write_text(TOOLBOX)
    Path("new.toml").write_text(TOOLBOX + RULE + CONCEPT)
    Path("items.csv").write_text(ITEMS)
    for k, coder in enumerate(CODERS):
        rows = [f"{item},{scores[k]}\n" for item, scores in SCORES.items()]
        Path(f"{coder}.csv").write_text("item,label\n" + "".join(rows))
    return walk


def steps_0_to_4(say: Walk) -> None:
    """Set-up, toolbox, alignment, blind annotation, comparison."""
    say("new 'Epistemology in Quine'")
    missing = say.refused("go task")
    assert "no research question is stated" in missing
    assert "no purpose is stated" in missing
    say("question 'What is the nature of naturalistic epistemology?'")
    say("question --purpose 'ground truth'")
    say("person ana --role researcher --role coder")
    say("person bob")
    say("person cleo --role coder")
    say("go task")
    say("task toolbox.toml")
    say("guidelines toolbox.toml")
    assert "awaited: ana, bob and cleo" in " ".join(say("guidelines").split())
    assert "ana, bob and cleo" in say.refused("go alignment")
    say.all(CODERS, "sign-off guidelines")
    say("go alignment")
    say("concepts toolbox.toml")
    say("items items.csv --freeze")
    for coder in CODERS:
        say(f"person {coder} --training 'two afternoons with ten paragraphs'")
    assert "not signed by ana, bob and cleo" in say.refused("round open")
    say.all(CODERS, "sign-off")
    say("object 'naturalised is not defined' --to epistemology", "cleo")
    assert "cleo objects" in say.refused("round open")
    say("sign-off epistemology", "cleo")
    say("round open")
    say("annotate ana.csv", "ana")
    assert "bob has 10 of 10" in say.refused("round close")
    log = say("log -f json --kind annotated", "bob")
    assert json.loads(log)[0]["withheld"]
    assert "labels" not in log
    say("annotate bob.csv", "bob")
    say("annotate cleo.csv", "cleo")
    say("round close")


def d_argued(say: Walk) -> None:
    """d: one scored 1, two 0; the first is convinced that it cannot be said from the paragraph."""
    say("case 5 reason 'he defends the straightforward view' --cites 'rule R1'", "ana")
    assert "defends" not in say("case 5", "bob"), "reasons are read after one's own is given"
    assert "no reason of bob and cleo" in say.refused("case 5 cause d", "ana")
    say("case 5 reason 'whose view it is cannot be said' --cites 'rule R2'", "bob")
    say("case 5 reason 'it is only mentioned' --cites 'rule R2'", "cleo")
    assert "defends" in say("case 5", "bob")
    say("case 5 cause d", "bob")
    say.all(CODERS, "case 5 accept", but="bob")
    assert "the toolbox is incomplete" in say.refused("case 5 outcome 0 --text 'not clear'", "bob")
    say("case 5 outcome 0 --cites 'rule R2' --text 'whose view it is, is not clear'", "bob")
    say("case 5 accept", "cleo")
    assert "is agreed" not in say("case 5", "cleo")
    assert "case 5 is agreed: “0” (argued d)" in say("case 5 accept", "ana")


def resolved(say: Walk) -> None:
    """c, d and e are settled where they stand; a and b go back."""
    for item in (4, 6):
        say(f"case {item} reason 'it is strong evidence' --cites 'rule R1'", "cleo")
    same = "--same 'no line between what there is and science'"
    say(f"case 4 cause c --coder bob --other p4 {same}", "cleo")
    assert "ana has given no reason" in say.refused("case 4 accept", "ana")
    say("case 4 accept", "bob")
    assert "(rescored c)" in say("case 4 rescore 1 --cites 'rule R1'", "bob")
    d_argued(say)
    say("case 6 cause e --coder cleo --meant 1", "cleo")
    assert "(rescored e)" in say("case 6 rescore 1 --cites 'rule R1'", "cleo")
    say("case 1 reason 'only the views of others' --cites 'rule R3'", "bob")
    say("case 1 cause a2 --rule missing --wording 'the views of others score -1'", "bob")
    assert "has given no reason" in say.refused("case 1 accept", "ana")
    assert "score -1" not in say("case 1", "ana"), "causes are read after one's own reason"
    say.all(CODERS, "case 1 reason 'it may be either'", but="bob")
    say.all(CODERS, "case 1 accept", but="bob")
    say("case 2-3 reason 'the term is central' --cites 'concept epistemology'", "ana")
    knew = "--knowledge 'ana knew what the term stands for, bob and cleo did not'"
    say(f"case 2-3 cause b --concept 'first philosophy' {knew}", "ana")
    say.all(CODERS, "case 2-3 reason 'it is said in passing'", but="ana")
    say.all(CODERS, "case 2-3 accept", but="ana")


def toolbox_mended(say: Walk) -> None:
    """a: a rule is added; b: a concept is fixed. What they bear on is annotated again, blind."""
    say("case 1-3 return 'a rule and a concept are missing'")
    missing = say.refused("guidelines new.toml --change local")
    assert "no reason is given" in missing
    assert "on which the local change bears are not named" in missing
    why = "--reason 'views of others' --narrowed 'only p1 is about others'"
    say(f"guidelines new.toml --change local --bears-on evidence --only-item p1 {why}")
    say.all(CODERS, "sign-off guidelines")
    say("go alignment")
    items = "--only-item p2 --only-item p3 --only-item p8 --narrowed 'the others lack the term'"
    say(f"concepts new.toml --reason 'one meaning' {items}")
    assert "not signed by" in say.refused("round open --order 1 --order 2")
    say.all(CODERS, "sign-off")
    waits = say.refused("round open --order 1 --order 2")
    assert "ana, bob and cleo must still say whether the change of guidelines" in waits
    assert "--settles all" in say("status", "bob")
    say.all(CODERS, "sign-off --settles all")
    say("round open --order 1 --order 2")
    for coder in CODERS:
        assert (
            "p1" in say("annotate --sheet empty.csv --force", coder) + Path("empty.csv").read_text()
        )
        Path("again.csv").write_text("item,label\np1,-1\np2,0\np3,0\np8,0\n")
        assert "0 annotations of 4 left" in say("annotate again.csv --submit", coder)
    assert "withheld until round 2 closes" in say("case 1", "bob")
    told = say("round close")
    assert "case 1 is agreed: “-1” (reannotated a)" in told
    assert "(reannotated b)" in told


def test_from_step_0_to_ground_truth(say: Walk) -> None:
    steps_0_to_4(say)
    assert "comparison only" in say("release --check")
    assert "6 cases are open: 1 to 6" in say("go resolution")
    assert "6 cases neither agreed nor declared unresolved" in say.refused("release")
    assert "6 cases of 6 not agreed" in " ".join(say("status").split())
    resolved(say)
    causes = {row["case"]: row["cause"] for row in json.loads(say("cases -f json"))}
    assert causes == {1: "a2", 2: "b", 3: "b", 4: "c", 5: "d", 6: "e"}
    toolbox_mended(say)
    released = say("release")
    assert "release 1: ground truth" in released
    assert "both researcher and coder: ana" in released
    say("export labels.csv")
    rows = [line.split(",") for line in Path("labels.csv").read_text().splitlines()[1:]]
    assert {row[0]: row[2] for row in rows} == FINAL
    assert {row[-1].split(" (")[0] for row in rows} == {"ground truth"}
    assert "each as it was written" in say("verify")
    say("export project.json --bundle")
    bundle = json.loads(Path("project.json").read_text())
    kinds = Counter(proof["kind"] for proof in bundle["proofs"])
    assert kinds == {"blind agreement": 4, "re-annotated": 3, "corrected slip": 2, "consent": 1}
    assert not any(proof["missing"] for proof in bundle["proofs"])
    assert json.loads(say("status -f json"))["status"] == "ground truth"
