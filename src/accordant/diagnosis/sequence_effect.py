"""Labels that are carried over from the item before, or avoided because of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..numbers import count_of, p_text, percent
from .cause_evidence import MOST_LINES
from .causes import WORTH
from .finding import Contrast, Evidence, Finding
from .sequence import Sequence
from .view import View
from .words import quoted

__all__ = ["sequence_effect"]

LEVEL = 0.01  # of the tests of all coders together
CLEAR = 0.03  # steps in which the label before decides; our convention
MOST_TOLD = 3
FEWEST = 3  # coders; of two nobody can say who of them is swayed


def sequence_effect(view: View) -> Iterator[Finding]:
    """Sequence effect.

    The label of the item before is given again more, or less, often than the others give it to
    the same items, and than labels from further back (corrected for the number of coders). Only
    where the order of annotation is known, and neighbouring items are not alike by themselves.
    Coders who have a finding of their own are left out.
    """
    told = set(view.causes.coders)
    rest = [c for c in view.counts.coders if c not in told]
    part = view.of_coders(rest) if told and len(rest) >= FEWEST else view
    for _ in range(MOST_TOLD):
        found = part.sequence if len(rest) >= FEWEST else None
        if found is None or not found.mixed:
            return
        p = np.nan_to_num(found.p_value, nan=1.0) * view.counts.n_coders
        clear = (p < LEVEL) & (np.nan_to_num(np.abs(found.effect)) >= CLEAR)
        if not clear.any():
            return
        c = int(np.where(clear, np.abs(found.effect), 0).argmax())
        yield _finding(view, found, c, min(1.0, float(p[c])))
        rest.remove(found.coders[c])  # with it among the others, these seem to avoid labels
        part = view.of_coders(rest)


def _finding(view: View, found: Sequence, c: int, p: float) -> Finding:
    coder, n = found.coders[c], float(found.n_steps[c])
    swayed = abs(float(found.effect[c]))
    stake = view.stake_of(n * swayed)
    again = bool(found.effect[c] > 0)
    where = (
        f"in the order of {quoted(found.order.name)}"
        if found.order.known
        else "in the order of the item ids"
    )
    return Finding(
        "sequence_effect", "warning" if stake >= WORTH else "note",
        f"{quoted(coder)} repeats the label of the previous item in "
        f"{percent(float(found.repeats[c]))} of {count_of(n, 'step')}, {100 * swayed:.1f} "
        f"percentage points {'more' if again else 'less'} than expected ({where}; {p_text(p)}).",
        "Give each coder the items in a random order, and have labels chosen, not kept from the "
        "previous item. If these items were labelled in a row, check them one by one.",
        {"coder": coder, "repeats": float(found.repeats[c]), "others": float(found.others[c]),
         "effect": float(found.effect[c]), "n_steps": int(n), "order": found.order.name,
         "p_value": p},
        ("artstein2008",), view.question, stake, "task",
        Evidence(
            tuple(
                Contrast(
                    quoted(found.coders[k]), int(found.n_steps[k]), float(found.repeats[k]),
                    float(found.repeats[k] - found.effect[k]),
                )
                for k in [c, *(k for k in range(len(found.coders)) if k != c)][:MOST_LINES]
                if found.n_steps[k]
            ),
            "coder", "steps", "label of the previous item repeated",
            "expected",
        ),
        title=f"{quoted(coder)} {'repeats' if again else 'avoids'} the previous label",
    )  # fmt: skip
