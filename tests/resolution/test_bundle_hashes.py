"""An outsider computes the hashes of a bundle again, with nothing of ours."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordant.resolution.exports import bundle
from accordant.resolution.records import canonical
from resolution.build import compared, open_blindly, ready_to_annotate, submit
from resolution.test_blindness import records_of

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from check_proofs import altered, check, overstated


@pytest.mark.parametrize("change", [None, "written", "at", "prev", "drop", "cut", "hide"])
def test_the_hashes_of_a_bundle_can_be_computed_again(change: str | None) -> None:
    here = compared({"Q": {"A1": "01", "A2": "00"}})
    found = json.loads(canonical(bundle(here.state, records_of(here))))
    log, head = found["log"], found["head"]
    assert all(one["written"] and one["id"] and one["version"] for one in log)
    if change == "hide":  # what is called withheld is not excused from being as it was written
        log[5] |= {"withheld": "until later", "written": log[5]["written"] + " "}
    elif change in ("drop", "cut"):
        log.pop(5 if change == "drop" else -1)
    elif change:
        log[5][change] += "0"
    assert bool([*altered(log, head)]) is bool(change)
    assert [*altered(log, "")]


CLAIMS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another answer": lambda found: found["final"][0].update(answer="1"),
    "another kind": lambda found: found["final"][0].update(proof="consented"),
    "another item": lambda found: found["final"][0].update(item="i9"),
    "a proof less": lambda found: found["proofs"].pop(),
    "a proof that is only documented": lambda found: found["proofs"][0].update(
        kind="imported, as documented"
    ),
    "an event as it was not": lambda found: found["log"][5]["body"].update(name="somebody"),
}


@pytest.mark.parametrize("claim", [None, *CLAIMS])
def test_a_bundle_says_no_more_than_its_proofs(claim: str | None) -> None:
    here = compared({"Q": {"A1": "01", "A2": "01"}})
    found = json.loads(canonical(bundle(here.state, records_of(here))))
    assert found["status"].endswith("ground truth")
    if claim:
        CLAIMS[claim](found)
    assert bool([*overstated(found, found["log"], 2)]) is bool(claim)


def test_a_proof_about_a_question_that_is_not_asked() -> None:
    here = compared({"Q": {"A1": "01", "A2": "01"}})
    found = json.loads(canonical(bundle(here.state, records_of(here))))
    found["proofs"][0]["question"] = "another"
    assert check(found["log"], found["proofs"])["i1", "another"]


def test_what_is_withheld_has_no_hash_on_which_to_try_answers() -> None:
    here = open_blindly(ready_to_annotate(2, 2))
    submit(here, "A1", "Q", "01")
    entries = bundle(here.state, records_of(here), "A2")["log"]
    first = next(k for k, one in enumerate(entries) if one["kind"] == "annotated")
    for one in entries[first:]:
        assert not any(one[name] for name in ("hash", "id", "version", "prev", "written"))
