"""Tables of labels for `accordant diagnose --show`: what is hard, and what mending it would do."""

from __future__ import annotations

from ..diagnosis.diagnose import Part
from ..diagnosis.levers import CEILING
from ..numbers import count_of
from ..views.document import Column
from ..views.names import continued
from .asked import Asked
from .breakdown import Breakdown

__all__ = ["categories", "levers", "margins", "merging", "movements", "use"]

MOST_OF_KIND = 6  # levers of a kind that a reader sees


def categories(part: Part, asked: Asked) -> Breakdown:
    """Each category against all others."""
    found = part.categories
    n = found.left_out
    more = (f"{count_of(n, 'rare category is', 'rare categories are')} not shown",) if n else ()
    if not found.rows:
        return Breakdown([], (), ("there are too many different values, or none",))
    return Breakdown(
        found.to_rows(),
        (
            Column("category", "category"),
            Column("n_annotations", "times", "count"),
            Column("n_items", "items", "count"),
            Column("n_disputed", "disputed", "count"),
            Column("specific", "given again", "share"),
            Column("alpha", "α", "value"),
            Column("alpha_low", "from", "value"),
            Column("alpha_high", "to", "value"),
        ),
        ("given again: if one coder gave it, how likely another one did", *more),
    )


def levers(part: Part, asked: Asked) -> Breakdown:
    """What agreement would be if one thing were settled."""
    found = part.levers
    symbol = found.coefficient.symbol
    if not found.steps:
        why = "the coders agree on every item, so there is nothing to settle"
        if found.undefined:
            why = f"{symbol} is undefined: {found.undefined}"
        return Breakdown([], (), (why,))
    notes = [
        f"{symbol} then: {CEILING}",
        f"settled: {continued(found.rule)}",
        *([found.note] if found.note else []),
    ]
    fewer = [step for kind in found.kinds for step in found.of_kind(kind)[:MOST_OF_KIND]]
    hidden = len(found) - len(fewer)
    if hidden:
        notes.append(f"the first {MOST_OF_KIND} of each kind; --format csv has {hidden:,} more")
    return Breakdown(
        found.to_rows(),
        (
            Column("kind", "kind"),
            Column("settled", "settled"),
            Column("n_items", "items", "count"),
            Column("after", f"{symbol} then", "value"),
            Column("gain", "gain", "value"),
            Column("gain_per_ten_items", "per 10 items", "value"),
        ),
        tuple(notes),
        fewer=[row for step in fewer for row in step.to_rows()] if hidden else None,
    )


def merging(part: Part, asked: Asked) -> Breakdown:
    """What merging two categories would do, and what it would cost."""
    found = part.merging
    symbol = found.yardstick.coefficient.symbol
    if not found.merges:
        return Breakdown([], (), (found.reason or "no two categories are confused",))
    expected = (Column("percent_expected", "A_o anyway", "share"),) if found.expects else ()
    anyway = (
        "where A_o would be if the two were confused only as often as chance has it"
        if found.expects
        else "not told for sets of labels: two sets that differ in several labels do not say which "
        "pair of them the disagreement belongs to"
    )
    return Breakdown(
        found.to_rows(),
        (
            Column("first", "merged"),
            Column("second", "with"),
            Column("after", f"{symbol} then", "value"),
            Column("gain", "gain", "value"),
            Column("percent_after", "A_o then", "share"),
            *expected,
            Column("share_lost", "information lost", "share"),
            Column("n_given_up", "agreements no longer told apart", "count"),
        ),
        (
            *(f"— {continued(told)}" for told in found.no_ways_out),
            f"A_o anyway: {anyway}",
            "information lost: the share of what the labels tell (their entropy) that is given up",
            "agreements no longer told apart: pairs of annotations that agree on one of the two, "
            "and would no longer be told from those that agree on the other",
            *([found.reason] if found.reason else []),
        ),
    )


def margins(part: Part, asked: Asked) -> Breakdown:
    """What the distributions of two coders do to κ, and whether they are equal."""
    tests = {(m.first, m.second): m for m in part.margins}
    rows = []
    for each in part.indices:
        test = tests[each.first, each.second]
        p_values = {
            f"{name}_p": getattr(test, name).p_value
            for name in ("stuart_maxwell", "bhapkar", "bowker")
        }
        rows.append(each.to_rows()[0] | p_values)
    two = any(row["bias"] == row["bias"] for row in rows)
    of_two = (Column("prevalence", "prevalence", "value"), Column("bias", "bias", "value"))
    return Breakdown(
        rows,
        (
            Column("first", "coder"),
            Column("second", "and"),
            Column("kappa", "κ", "value"),
            Column("kappa_max", "κ max", "value"),
            Column("pabak", "PABAK", "value"),
            *(of_two if two else ()),
            Column("marginal_difference", "differ by", "share"),
            Column("stuart_maxwell_p", "p", "p"),
            *(() if two else (Column("bowker_p", "p one way", "p"),)),
        ),
        (
            "κ max: the largest κ that these distributions allow; PABAK: κ if all labels were "
            "equally frequent; p: equal distributions (Stuart & Maxwell)"
            + ("" if two else "; p one way: each confusion goes both ways equally often (Bowker)"),
        )
        if rows
        else ("of use for two coders and single labels only",),
    )


def use(part: Part, asked: Asked) -> Breakdown:
    """How often two coders give each label to the items of both."""
    whole = {"stuart_maxwell", "bhapkar", "bowker"}
    rows = [
        {k: x for k, x in row.items() if k.removesuffix("_df").removesuffix("_p") not in whole}
        for each in part.margins
        for row in each.to_rows()
    ]
    return Breakdown(
        sorted(rows, key=lambda row: row["p_value"] if row["p_value"] == row["p_value"] else 2),
        (
            Column("first_coder", "coder"),
            Column("second_coder", "and"),
            Column("category", "label"),
            Column("first", "first", "count"),
            Column("second", "second", "count"),
            Column("only_first", "only first", "count"),
            Column("only_second", "only second", "count"),
            Column("p_value", "p", "p"),
        ),
        ("p: exact test of McNemar, not corrected for the number of labels",)
        if rows
        else ("it is not known who gave which label, or there are too many values",),
    )


def movements(part: Part, asked: Asked) -> Breakdown:
    """How far prevalence and bias move each coefficient."""
    found = part.movements
    if found is None:
        return Breakdown([], (), ("of use for single labels that several coders gave",))
    return Breakdown(
        found.to_rows(),
        (
            Column("symbol", "coefficient"),
            Column("value", "value", "value"),
            Column("expected", "A_e", "value"),
            Column("by_prevalence", "prevalence", "value"),
            Column("by_bias", "bias", "value"),
            Column("by_sample", "sample", "value"),
            Column("moved", "from S", "value"),
        ),
        (found.sentence,),
    )
