"""A change that is called editorial shows what it changes, and says where it touches the meaning."""

from __future__ import annotations

import pytest

from accordant.resolution.editorial import confirmations_awaited, meaning_terms, rewording
from accordant.resolution.guidelines import confirm_editorial, write_guidelines
from accordant.resolution.records import AmbiguityPolicy, Guidelines, Rule
from accordant.resolution.release import status_now
from accordant.resolution.step_change import go
from accordant.resolution.words import Step
from resolution.build import Session, refusal, resolving

DISAGREE = {"Q": {"A1": "01", "A2": "00"}}


@pytest.mark.parametrize(
    "before, after, terms",
    [
        ("1 if it is a claim", "NEVER 1 if it is a claim", ["never"]),
        ("Score titles", "Do not score titles", ["not"]),
        ("Don't score titles", "Score titles", ["don't"]),
        ("At least two words", "At least three words", ["two", "three"]),
        ("More than 5 %", "More than 50 %", ["5", "50"]),
        ("not A, but B", "A, but not B", ["not"]),
        ("A and B", "A or B", ["or"]),
        ("some must agree", "all may agree", ["some", "must", "all", "may"]),
        ("Ja, wenn es behauptet wird", "Ja, nur wenn es behauptet wird", ["nur"]),
        ("Alle Sätze", "Keine Sätze", ["alle", "keine"]),
        ("Oui si c'est dit", "Oui, sauf si ce n'est pas dit", ["sauf", "n'est", "pas"]),
        ("Read the hole text", "Read the whole text", []),
        ("Titles count.", "Headings count", []),
        ("score it yes", "score it no", ["no"]),
    ],
)
def test_words_on_which_meaning_hangs(before: str, after: str, terms: list[str]) -> None:
    assert meaning_terms(before, after) == terms


def written(change_of: str, *more: Rule) -> Session:
    """Step 1, with a version of the guidelines that is called editorial."""
    here = resolving(DISAGREE).move(11, Step.TASK)
    old = here.state.epoch.guidelines[-1]
    rules = (Rule("R1", change_of), *old.rules[1:], *more)
    new = Guidelines("", old.options, old.ambiguity, rules, old.text)
    here.do(write_guidelines, "R", new, change="editorial", reason="a slip")
    return here


def test_wording_alone_is_confirmed_by_one_coder() -> None:
    here = written("Read the entire item")
    new = rewording(here.state.epoch, "1.0.1")
    assert [(c.what, c.before, c.after) for c in new.changed] == [
        ("rule R1", "Read the whole item", "Read the entire item")
    ]
    assert not new.terms
    assert refusal(here, go, "R", Step.RESOLUTION) == {"confirmed_no_score_change"}
    here.do(confirm_editorial, "A1")
    assert refusal(here, confirm_editorial, "A2") == {"confirmed"}
    here.do(go, "R", Step.RESOLUTION)
    assert not any("editorial" in flag for flag in status_now(here.state).flags)


def test_meaning_is_confirmed_by_every_coder_and_flagged_for_ever() -> None:
    here = written("NEVER read the whole item")
    assert rewording(here.state.epoch, "1.0.1").terms == ("never",)
    here.do(confirm_editorial, "A1")
    assert refusal(here, go, "R", Step.RESOLUTION) == {"confirmed_no_score_change"}
    assert confirmations_awaited(here.state, "1.0.1") == ("A2",)
    assert refusal(here, confirm_editorial, "A1") == {"confirmed"}
    here.do(confirm_editorial, "A2")
    here.do(go, "R", Step.RESOLUTION)
    [flag] = [flag for flag in status_now(here.state).flags if "editorial" in flag]
    assert "“never”" in flag
    assert "A1 and A2" in flag


def test_a_new_rule_and_another_scope_are_no_wording() -> None:
    here = written("Read the whole item", Rule("R9", "Consider the title"))
    assert rewording(here.state.epoch, "1.0.1").terms == ("rule R9 is new",)
    here = resolving({**DISAGREE, "P": DISAGREE["Q"]}).move(11, Step.TASK)
    old = here.state.epoch.guidelines[-1]
    rules = (old.rules[0], Rule("R2", old.rules[1].text, ("P",)))
    policy = AmbiguityPolicy(True, ("other",))
    new = Guidelines("", old.options, policy, rules, old.text)
    here.do(write_guidelines, "R", new, change="editorial", reason="a slip")
    assert rewording(here.state.epoch, "1.0.1").terms == ("ambiguity", "rule R2, questions")


def test_what_may_be_answered_counts_among_them() -> None:
    assert meaning_terms("score wide", "score narrow", {"wide", "narrow"}) == ["wide", "narrow"]
