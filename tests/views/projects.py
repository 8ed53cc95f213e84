"""Projects whose reports are looked at: a small one in which everything happened."""

from __future__ import annotations

from pathlib import Path

from resolution.team import Team, kept, resolving

FIRST = {
    "Q": {"A1": "01010101", "A2": "01110101", "A3": "00010111"},
    "P": {"A1": "00000000", "A2": "00000000", "A3": "00000000"},
}
"""Cases of Q: i2 (1, 1, 0), i3 (0, 1, 0) and i7 (0, 0, 1). On P nothing varies."""
SECOND = {"Q": {"A1": "11010101", "A2": "11010101", "A3": "11010111"}}
"""After the concept is refined: i1 agreed on 0 before and on 1 now; i2 and i3 agree; i7 does not."""


def at_work(folder: Path) -> Team:
    """Step 5: three cases about eight items, three coders, two questions."""
    return resolving(folder, FIRST, texts=[f"Text number {k}." for k in range(1, 9)])


def deprecated(folder: Path) -> Team:
    """Case 1 argued, case 2 returned and annotated again, case 3 left and then decided."""

    def make() -> Team:
        team = at_work(folder)
        team.do("person", name="Dee", roles=["observer"])
        team.do("person", name="Dee", roles=["adjudicator"])
        team.agreed(1, "1")
        team.accepted("b", 2).do("case return", cases=2)
        team.refined()
        team.aligned().round(SECOND)
        team.do("go", to="resolution")
        team.do("case leave", cases=3, reason="the passage cannot be read either way")
        team.do("case decide", "Dee", cases=3, answer="0", reason="the title says so")
        team.do("statement", section="A", text="All letters of one archive.")
        team.do("finish", reason="no more time")
        return team

    return kept(folder, ("deprecated",), make)


def ground_truth(folder: Path) -> Team:
    """Every case argued until all agree."""
    team = at_work(folder)
    for number, answer in ((1, "1"), (2, "0"), (3, "0")):
        team.agreed(number, answer)
    team.do("finish")
    return team
