"""An outsider computes the hashes of a bundle again, with nothing of ours."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from accordant.resolution.exports import bundle
from accordant.resolution.records import canonical
from resolution.build import compared, open_blindly, ready_to_annotate, submit
from resolution.test_blindness import records_of

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from check_proofs import altered


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


def test_what_is_withheld_has_no_hash_on_which_to_try_answers() -> None:
    here = open_blindly(ready_to_annotate(2, 2))
    submit(here, "A1", "Q", "01")
    entries = bundle(here.state, records_of(here), "A2")["log"]
    first = next(k for k, one in enumerate(entries) if one["kind"] == "annotated")
    for one in entries[first:]:
        assert not any(one[name] for name in ("hash", "id", "version", "prev", "written"))
