"""Suggestions: what the data say about causes, with evidence; never a decision."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from accordant.errors import RequestError
from accordant.resolution import steps
from accordant.resolution.annotation import Annotated
from accordant.resolution.assessment import CauseAccepted, CauseProposed
from accordant.resolution.cases import give_reason
from accordant.resolution.consequences import cases_to_open
from accordant.resolution.directions import direction_question, directions, sign_test
from accordant.resolution.likely_causes import LikelyCause, likely_causes
from accordant.resolution.records import AMBIGUOUS, Answer, Concept, Evidence, Note
from accordant.resolution.sight import first_answers
from accordant.resolution.similar_texts import (
    alike_cases,
    hanging_together,
    similar_items,
    similar_to,
)
from accordant.resolution.state import ItemTable, State
from accordant.resolution.words import Cause, Step
from resolution.bjhp import bjhp_project
from resolution.build import Session, close, open_blindly, ready_to_annotate, resolving, submit

NO_CONCEPT: Sequence[Concept] = ()


def causes(here: Session, *numbers: int, **options: Any) -> list[tuple[int, Cause]]:
    return [(s.case, s.cause) for s in suggested(here, *numbers, **options)]


def suggested(here: Session, *numbers: int, **options: Any) -> list[LikelyCause]:
    return likely_causes(here.state, "R", numbers or None, **options)


# ------------------------------------------------------------------ c, e


def test_nearly_identical_items_answered_differently() -> None:
    texts = (
        "The judge denied the motion.",
        "the judge  denied the motion!",
        "Nothing to see",
        "A dog",
    )
    here = resolving({"Q": {"A1": "0110", "A2": "1110"}}, texts=texts, concepts=NO_CONCEPT)
    found, _ = suggested(here)
    assert (found.case, found.cause, found.coder, found.items) == (1, Cause.C, "A1", ("i2",))
    assert found.because == (
        "A1 answered “0” here and “1” about “i2”, whose text is 96\N{NO-BREAK SPACE}% the same"
    )


def test_no_inconsistency_where_texts_differ_or_answers_are_the_same() -> None:
    texts = ("A red fox", "A red fox", "Something else altogether", "A dog")
    here = resolving({"Q": {"A1": "0010", "A2": "1110"}}, texts=texts, concepts=NO_CONCEPT)
    assert causes(here) == []  # each coder said the same about both foxes
    other = resolving(
        {"Q": {"A1": "0110", "A2": "1110"}}, texts=("a", "b", "c", "d"), concepts=NO_CONCEPT
    )
    assert causes(other) == []


FOX = "A quick red fox jumped over the fence of the old farm at night, version {}"
ODD = "Something else altogether"


def mistaken(here: Session, **options: Any) -> list[LikelyCause]:
    return [s for s in suggested(here, **options) if s.cause == Cause.E]


@pytest.mark.parametrize("n", [2, 7])
def test_who_stands_alone_is_not_mistaken_for_that(n: int) -> None:
    """Cases that are split 3:1 are no slips of the one: the majority is no evidence."""
    values = {f"A{k}": "1101" * 21 for k in range(1, n + 1)} | {"B": "0000" * 21}
    here = resolving({"Q": values, "P": dict.fromkeys(values, "1101" * 21)}, concepts=NO_CONCEPT)
    assert len(here.state.epoch.cases) == 63
    assert mistaken(here) == []


def test_an_answer_unlike_ones_own_about_an_item_with_the_same_text() -> None:
    texts = (FOX.format("a"), FOX.format("b"), ODD, "A dog")
    here = resolving({"Q": {"A1": "0110", "A2": "1110"}}, texts=texts, concepts=NO_CONCEPT)
    [found] = mistaken(here)
    assert (found.case, found.coder) == (1, "A1")
    assert found.because.startswith("A1 answered “0”; all agree on “1” about “i2”")
    assert found.against == "nothing that the data show"


def test_it_may_as_well_be_the_majority_that_slipped() -> None:
    texts = (FOX.format("a"), FOX.format("b"), ODD, "A dog")
    values = {"A1": "0010", "A2": "1010", "A3": "1010"}
    here = resolving({"Q": values}, texts=texts, concepts=NO_CONCEPT)
    assert [s.coder for s in mistaken(here)] == ["A2", "A3"]
    assert "A3 answered “1” too" in mistaken(here)[0].against


def test_an_easy_neighbourhood() -> None:
    texts = tuple(FOX.format(name * 3) for name in ("one", "two", "three", "four"))
    here = resolving({"Q": {"A1": "0111", "A2": "1111"}}, texts=texts, concepts=NO_CONCEPT)
    [found] = mistaken(here, threshold=99.9)
    assert found.because == "A1 answered “0”; all agree on “1” about 3 items with similar texts"
    torn = resolving({"Q": {"A1": "0111", "A2": "1110"}}, texts=texts, concepts=NO_CONCEPT)
    assert mistaken(torn, threshold=99.9) == []


def timed(seconds: float, n: int = 40, **note: Any) -> Session:
    """A1 needs 10 to 14 seconds for each answer, and so many for the first."""
    here = open_blindly(ready_to_annotate(n, 2, ("Q",), concepts=NO_CONCEPT))
    items = tuple(here.state.items.ids)
    notes = {item: Note(seconds=10.0 + k % 5) for k, item in enumerate(items)}
    notes["i1"] = Note(seconds=seconds, **note)
    answers, codes = (Answer(("0",)), Answer(("1",))), (0, *(1 for _ in items[1:]))
    here.tell(Annotated(1, "A1", "Q", items, answers, codes, notes), by="A1")
    submit(here, "A2", "Q", "1" * n)
    close(here).move(10, Step.RESOLUTION)
    return here.tell(*cases_to_open(here.state))


def test_an_answer_far_quicker_than_usual() -> None:
    [found] = mistaken(timed(0.8))
    assert found.because == "A1 answered “0” in 0.8 s, their median being 12.0 s (40 answers)"
    assert mistaken(timed(4.0)) == []
    assert mistaken(timed(0.8, n=12)) == []  # too few to know what is usual


def test_each_suggestion_says_what_speaks_against_it() -> None:
    [found] = mistaken(timed(0.8, comment="clearly ironic", confidence=0.95))
    assert "A1 commented on the answer; A1 was 95.0\N{NO-BREAK SPACE}% sure" in found.against
    texts = ("The judge denied the motion.", "The judge never denied the motion.", ODD, "A dog")
    here = resolving({"Q": {"A1": "0110", "A2": "1110"}}, texts=texts, concepts=NO_CONCEPT)
    assert {s.cause for s in suggested(here)} == {Cause.C, Cause.E}
    assert all("“i2” differs in “never”" in s.against for s in suggested(here))
    here.do(give_reason, "A1", case=1, text="it is denied", cites=["rule R1"])
    [found] = mistaken(here)
    assert "A1 gave a reason that cites rule R1" in found.against
    reader = [s for s in likely_causes(here.state, "A2") if s.cause == Cause.E]
    assert "gave a reason" not in reader[0].against, "whose own reason is not stated yet"


# ------------------------------------------------------------------ a2, b


def test_question_that_is_disputed_much_more_often() -> None:
    n = 40
    values = {
        "Q": {"A1": "01" * (n // 2), "A2": "0" * n},
        "P": {"A1": "0" * n, "A2": "0" * (n - 1) + "1"},
    }
    here = resolving(values, concepts=NO_CONCEPT)
    found = suggested(here)
    assert {(s.cause, here.state.epoch.cases[s.case].question) for s in found} == {(Cause.A2, "Q")}
    assert found[0].because == (
        "coders agreed on “Q” in 50.0\N{NO-BREAK SPACE}% of 40 items, on the other questions in "
        "97.5\N{NO-BREAK SPACE}%"
    )


def test_few_items_are_no_sign() -> None:
    values = {"Q": {"A1": "0101", "A2": "0000"}, "P": {"A1": "0000", "A2": "0000"}}
    assert causes(resolving(values, concepts=NO_CONCEPT)) == []


def noted(source: str, concepts: Sequence[Concept] = ()) -> Session:
    here = ready_to_annotate(3, 2, ("Q",), concepts=concepts)
    open_blindly(here)
    notes = {"i1": Note(source=source), "i2": Note(source=source)}
    here.tell(Annotated(1, "A1", "Q", ("i1", "i2"), (AMBIGUOUS,), (0, 0), notes), by="A1")
    submit(here, "A1", "Q", "1", items=("i3",))
    submit(here, "A2", "Q", "111")
    close(here).move(10, Step.RESOLUTION)
    return here.tell(*cases_to_open(here.state))


def test_guidelines_do_not_say() -> None:
    found = suggested(noted("guidelines do not say"))
    assert [(s.case, s.cause) for s in found] == [(1, Cause.A2), (2, Cause.A2)]
    assert found[0].because == "2 answers to “Q” were “ambiguous: guidelines do not say”"


def test_concept_unclear() -> None:
    here = noted("concept unclear", (Concept("claim", 1, "what is asserted", ("Q",)),))
    found = suggested(here)
    assert {(s.cause, s.concept) for s in found} == {(Cause.B, "claim")}
    assert "2 answers were “ambiguous: concept unclear”" in found[0].because


def test_a_lever_is_handed_in() -> None:
    here = resolving({"Q": {"A1": "0101", "A2": "0000"}}, concepts=NO_CONCEPT)
    lever = "settling 0 against 1 would raise α to .9"
    assert {s.because for s in suggested(here, levers={"Q": lever})} == {lever}


def test_concept_drawn_differently_by_coders() -> None:
    here = resolving(
        {"Q": {"A1": "0" * 8, "A2": "1" * 7 + "0"}}, concepts=(Concept("claim", 1, "x", ("Q",)),)
    )
    found = suggested(here, 1)
    assert [(s.cause, s.concept) for s in found] == [(Cause.B, "claim")]
    assert "7 of 7 cases go the same way" in found[0].because


def test_suggestions_write_nothing() -> None:
    here = resolving({"Q": {"A1": "0101", "A2": "0000"}}, texts=("a", "a", "b", "b"))
    before = (len(here.log), repr(here.state))
    suggested(here)
    directions(here.state, "R")
    alike_cases(here.state, "R")
    similar_items(here.state, "R")
    assert (len(here.log), repr(here.state)) == before


def test_unknown_case() -> None:
    here = resolving({"Q": {"A1": "01", "A2": "00"}})
    with pytest.raises(RequestError, match="no case 9"):
        suggested(here, 9)


# ------------------------------------------------------------------ direction


@given(st.integers(0, 14), st.integers(0, 14))
def test_sign_test_is_a_count_of_sequences(n: int, reverse: int) -> None:
    total = n + reverse
    if total > 10:
        total, n = 10, min(n, 10)
        reverse = total - n
    as_far = abs(n - reverse)
    extreme = sum(abs(2 * sum(s) - total) >= as_far for s in product((0, 1), repeat=total))
    assert sign_test(n, reverse) == pytest.approx(extreme / 2**total)


def test_published_directions() -> None:
    """BJHP: 26 to 6, 17 to 2, 13 to 2."""
    assert [round(sign_test(*pair), 4) for pair in ((26, 6), (17, 2), (13, 2))] == [
        0.0005,
        0.0007,
        0.0074,
    ]


@given(st.integers(0, 200), st.integers(0, 200))
def test_sign_test_against_scipy(n: int, reverse: int) -> None:
    from scipy.stats import binomtest

    expected = binomtest(n, n + reverse).pvalue if n + reverse else 1.0
    assert sign_test(n, reverse) == pytest.approx(expected, rel=1e-9)


def test_directions_need_six() -> None:
    five = resolving({"Q": {"A1": "00000", "A2": "11111"}})
    assert directions(five.state, "R") == []
    here = resolving({"Q": {"A1": "0000011", "A2": "1111100"}})
    found = directions(here.state, "R")
    assert [(d.about, d.n, d.n_reverse) for d in found] == [
        ("all cases", 5, 2),
        ("question 'Q'", 5, 2),
    ]
    assert str(found[0]) == (
        "all cases: 5 of 7 cases go the same way: A1 “0”, A2 “1” (sign test, p = 0.453)"
    )


def test_direction_is_asked_before_the_third_inconsistency() -> None:
    here = resolving({"Q": {"A1": "0001", "A2": "1110"}})
    evidence = Evidence(coder="A1", others=("i4",), same="alike")

    def under_c(number: int) -> None:
        here.tell(CauseProposed(number, Cause.C, evidence, "A1"), CauseAccepted(number, "A1"))

    assert direction_question(here.state, "R", 1) == ""
    under_c(1)
    assert direction_question(here.state, "R", 2) == ""
    under_c(2)
    asked = direction_question(here.state, "R", 3)
    assert asked.startswith("3 of 3 cases under c go the same way (A1 “0”, A2 “1”;")
    assert direction_question(here.state, "R", 4) == ""  # the other way


# ------------------------------------------------------------------ texts, groups


WORDS = ("fox", "hare", "hen", "Fox", "red", "old", "é", "e\u0301", "  ", "the", "a")
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=2, max_size=30
)


@given(TEXTS, st.sampled_from([50.0, 70.0, 90.0, 100.0]), st.data())
def test_similar_is_what_comparing_all_pairs_finds(
    texts: list[str], threshold: float, data: st.DataObject
) -> None:
    """Counting letters and lengths first leaves nothing out."""
    import unicodedata

    wanted = data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True))
    plain = [" ".join(unicodedata.normalize("NFC", t).casefold().split()) for t in texts]
    found = similar_to(texts, wanted, threshold)
    assert set(found) <= set(wanted)
    for i in wanted:
        expected = {
            j: fuzz.ratio(plain[i], plain[j])
            for j in range(len(texts))
            if j != i and plain[i] and plain[j] and fuzz.ratio(plain[i], plain[j]) >= threshold
        }
        got = dict(found.get(i, []))
        sure = {j for j, s in expected.items() if s > threshold + 1e-4}
        assert sure <= set(got) <= set(expected)
        assert all(math.isclose(got[j], expected[j], abs_tol=0.051) for j in got)


def test_similar_items_each_pair_once() -> None:
    rng = random.Random(1)
    texts = ["".join(rng.choices("abcdefgh ", k=60)) for _ in range(600)]
    texts[300:310] = [t[:-1] + "x" for t in texts[:10]]
    done = []
    state = State(items=ItemTable([f"i{k}" for k in range(600)], texts))
    pairs = similar_items(state, "", progress=lambda d, t: done.append((d, t)))
    assert {(p.first, p.second) for p in pairs} == {(f"i{k}", f"i{k + 300}") for k in range(10)}
    assert len(pairs) == 10
    assert done[-1][0] == done[-1][1]


def test_similar_items_need_texts_and_a_percentage() -> None:
    with pytest.raises(RequestError, match="no texts"):
        similar_items(State(items=ItemTable(["a"])), "")
    with pytest.raises(RequestError, match="threshold=0"):
        similar_items(State(items=ItemTable(["a", "b"], ["x", "y"])), "", threshold=0)


def test_groups_of_cases() -> None:
    texts = (
        "one big fox",
        "one big fog",
        "one big fix",
        "seen from here it is nothing",
        "one big fox",
    )
    here = resolving({"Q": {"A1": "00001", "A2": "11110"}}, texts=texts)
    [group] = alike_cases(here.state, "R")
    assert group.cases == (1, 2, 3)
    assert group.because == (
        "3 cases on “Q” with A1 “0” and A2 “1”, and the texts are at least 70\N{NO-BREAK SPACE}% the same"
    )
    bare = resolving({"Q": {"A1": "00001", "A2": "11110"}})
    assert [g.cases for g in alike_cases(bare.state, "R")] == [(1, 2, 3, 4)]


def components(texts: Sequence[str], threshold: float) -> list[list[int]]:
    """What hangs together, by comparing all pairs."""
    alike = similar_to(texts, range(len(texts)), threshold)
    parts: dict[int, list[int]] = {k: [k] for k in range(len(texts))}
    for k, others in alike.items():
        for other, _ in others:
            if parts[k] is not parts[other]:
                parts[k] += parts[other]
                for member in parts[other]:
                    parts[member] = parts[k]
    return sorted({id(part): sorted(set(part)) for part in parts.values()}.values())


@settings(max_examples=150)
@given(
    st.lists(st.text("ab c", max_size=14), max_size=14), st.sampled_from([50.0, 70.0, 90.0, 100.0])
)
def test_texts_that_hang_together_are_those_of_all_pairs(
    texts: list[str], threshold: float
) -> None:
    assert hanging_together(texts, threshold) == components(texts, threshold)


def test_longer_texts_that_hang_together() -> None:
    rng = random.Random(5)
    words = [
        "the",
        "letter",
        "says",
        "that",
        "nobody",
        "came",
        "because",
        "of",
        "snow",
        "and",
        "wind",
        "in",
        "winter",
    ]
    for threshold in (70.0, 85.0):
        texts = [" ".join(rng.choices(words, k=rng.randint(6, 14))) for _ in range(120)]
        texts += [text.replace("snow", "rain").replace("of", "off") for text in texts[:60]]
        assert hanging_together(texts, threshold) == components(texts, threshold)


def test_groups_that_are_kept_are_those_that_are_made_anew() -> None:
    """Cases leave their group one after another, and one comes back."""
    texts = ["a red fox ran", "a red fox run", "a red ox run", "a bed ox run", "no", "a bed ox rum"]
    here = resolving({"Q": {"A1": "000000", "A2": "111111"}}, texts=texts)
    for acts in (["leave", 3], ["group", 1], ["leave", 5], ["reopen", 3], ["leave", 1]):
        alike_cases(here.state, "R")
        what, number = acts
        if what == "leave":
            here.do(steps.leave_disagreed, "R", cases=number, reason="no time")
        elif what == "reopen":
            here.do(steps.reopen, "R", cases=number, reason="there is time")
        else:
            here.do(steps.group_cases, "R", name="two", cases=[number, 5])
        copy = msgspec.msgpack.decode(msgspec.msgpack.encode(here.state), type=State)
        assert alike_cases(here.state, "R") == alike_cases(copy, "R")
    assert here.state.epoch.lasting["alike"]


def test_groups_of_bjhp_are_those_of_all_pairs(real_data: Callable[[str], Path]) -> None:
    """The published data have no texts: the names of the articles stand for them here."""
    here = bjhp_project(real_data)
    texts = [f"{id} {id[:4]} article" for id in here.state.items.ids]
    here.state.items.texts = texts
    found = {group.cases for group in alike_cases(here.state, "R")}
    epoch = here.state.epoch
    same: dict[object, list[int]] = {}
    for case in epoch.cases.values():
        answers = tuple(sorted((c, str(a)) for c, a in first_answers(epoch, case).items()))
        if case.live and not case.group:
            same.setdefault((case.question, answers), []).append(case.number)
    wanted = {
        tuple(numbers[k] for k in part)
        for numbers in same.values()
        for part in components([texts[epoch.cases[n].item] for n in numbers], 70.0)
        if len(part) > 1
    }
    assert found == wanted
