"""Step 2: concepts, models, signatures, objections."""

from __future__ import annotations

import pytest

from accordant.errors import RequestError
from accordant.resolution.concepts import object_to, sign_off, withdraw_objection, write_concept
from accordant.resolution.records import Concept, Relation
from accordant.resolution.rounds import open_round
from accordant.resolution.words import ConceptKind
from resolution.build import Session, ready_to_annotate, refusal

COMPLEX = Concept("epistemology", 0, "theory of knowledge", ("Q",), kind=ConceptKind.COMPLEX)


def test_signing_all_or_one() -> None:
    here = ready_to_annotate()
    here.do(write_concept, "A1", Concept("scope", 0, "how much it is about"))
    here.do(write_concept, "R", Concept("claim", 0, "what a text argues for"))
    happened = here.do(sign_off, "A1")
    assert [(e.concept, e.version) for e in happened] == [("claim", 2), ("scope", 1)]
    assert refusal(here, sign_off, "A1") == {"signed"}
    here.do(sign_off, "A2", concept="scope")
    assert refusal(here, sign_off, "A2", concept="scope") == {"signed"}
    with pytest.raises(RequestError, match="did you mean 'scope'"):
        here.do(sign_off, "A2", concept="scop")
    assert refusal(here, sign_off, "R") == {"role"}
    assert here.state.epoch.signed["claim"] == {"A1": 2, "A2": 1, "A3": 1}


def test_a_new_version_voids_every_signature_and_objection() -> None:
    here = ready_to_annotate()
    here.do(object_to, "A1", "too broad", concept="claim")
    assert refusal(here, open_round, "R") == {"no_objection", "all_signed_off"}
    here.do(write_concept, "R", Concept("claim", 0, "what a text argues for"))
    assert refusal(here, open_round, "R") == {"all_signed_off"}
    for coder in here.state.coders:
        here.do(sign_off, coder)
    here.do(open_round, "R")


def test_who_objects_no_longer_agrees_and_who_signs_no_longer_objects() -> None:
    here = ready_to_annotate()
    here.do(object_to, "A1", "too broad", concept="claim")
    assert refusal(here, sign_off, "A1") == {"signed"}  # all that one does not object to
    happened = here.do(sign_off, "A1", concept="claim")
    assert [event.kind for event in happened] == ["objection withdrawn", "signed off"]
    here.do(open_round, "R")


def test_withdrawing_an_objection_does_not_sign() -> None:
    here = ready_to_annotate()
    here.do(object_to, "A1", "too broad", concept="claim")
    assert refusal(here, withdraw_objection, "A2", concept="claim") == {"objection"}
    here.do(withdraw_objection, "A1", concept="claim")
    assert refusal(here, open_round, "R") == {"all_signed_off"}


def test_an_objection_to_the_guidelines() -> None:
    here = ready_to_annotate()
    here.do(object_to, "A2", "R1 says nothing")
    assert refusal(here, open_round, "R") == {"no_objection"}
    here.do(withdraw_objection, "A2")
    here.do(open_round, "R")
    with pytest.raises(RequestError, match="is empty"):
        ready_to_annotate().do(object_to, "A1", " ")


def test_a_concept_without_definition_cannot_be_signed() -> None:
    here = ready_to_annotate()
    here.do(write_concept, "R", Concept("scope", 0, ""))
    assert refusal(here, sign_off, "A1") == {"all_concepts_defined"}
    assert refusal(here, open_round, "R") == {"all_concepts_defined", "all_signed_off"}


def agreed(here: Session) -> Session:
    for coder in here.state.coders:
        here.do(sign_off, coder)
    return here


def test_a_complex_concept_needs_a_model() -> None:
    here = ready_to_annotate()
    here.do(write_concept, "R", COMPLEX)
    assert refusal(agreed(here), open_round, "R") == {"models_for_complex"}
    parts = Concept(
        "epistemology",
        0,
        "theory of knowledge",
        ("Q",),
        (),
        ConceptKind.COMPLEX,
        ("knowledge", "belief"),
        (Relation("knowledge", "implies", "belief"),),
    )
    here.do(write_concept, "R", parts)
    agreed(here).do(open_round, "R")
