"""Coders: agreement with the others, scores, pairs, groups, and how consistent they are."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..diagnosis.coder_pairs import CoderPairs
from ..diagnosis.diagnose import Part
from ..diagnosis.scores import Scores
from ..fields import FIELDS, Field
from ..measure.measures import weights_text
from ..messages import isolated, label_text, quoted
from ..numbers import NOTHING, count_of, decimal, percent, tied
from .blocks import Block, Cell, Keys, Matrix, Prose, Table, renamed
from .coefficient_names import UNKNOWN, begun, in_part, measured_by, ranging
from .view import view

COMMON = "number of common items"
MOST_NAMES = 24  # of a matrix that a page can show
FEW = 5  # a category that is right less often is not named
NOT_CORRECTED = "p is not corrected for the number of coders."


# ------------------------------------------------------------------ each coder


@view(
    "coders",
    of="diagnose",
    title="Agreement of each coder with the others",
    chapter="coders",
    place=230,
)
def coders(part: Part) -> Iterator[Block]:
    """Agreement of each coder with the others, and α without the coder."""
    found = part.coders
    if not found.coders:
        yield Prose(UNKNOWN)
        return
    rows = [renamed(row, bias_value="biased_label", bias="label_bias") for row in found.to_rows()]
    without = any(not math.isnan(row["alpha_without"]) for row in rows)
    note = "α without a coder needs three coders or more."
    if without:
        note = (
            f"α of all coders: {decimal(found.alpha)}. A change in α without a coder is no "
            "reason to exclude anybody."
        )
    yield Table.of(
        "coder* n_items n_shared* agreement* alpha_without?* alpha_change? biased_label* "
        "label_bias*",
        rows,
        (note, *in_part(part)),
        title=_ends(part),
        by="-agreement",
        called={"agreement": measured_by(part, "with others")},
    )


def _ends(part: Part) -> str:
    found = part.coders
    each = list(zip(map(isolated, found.coders), found.agreement.tolist(), strict=True))
    if len(each) == 2 and not math.isnan(each[0][1]):  # each has the other one only
        what = measured_by(part, "agreement of the two coders")
        return f"{begun(what)}: {decimal(each[0][1])}"
    what = measured_by(part, "agreement with the other coders")
    return ranging(f"Mean {what}", each) or "No two coders annotated the same item"


# ------------------------------------------------------------------ scores


@view("scores", of="diagnose", title="Precision, recall and F1", chapter="coders", place=250)
def scores(part: Part) -> Iterator[Block]:
    """Precision, recall and F1 of each coder on each category."""
    found = part.scores
    every = () if found is None else tuple(found.to_rows())
    rows = tuple(row for row in every if row["tp"] + row["fp"] + row["fn"])
    if found is None or not rows:
        yield Prose("It is not known who gave which label, or there are too many values.")
        return
    right = "labels that another coder of the item gave too"
    if found.gold is not None:
        right = f"labels that {isolated(found.gold)} gave too"
    note = (
        f"True positives: {right}. Precision below recall: the category is given too often; "
        "above: too rarely."
    )
    keys = "coder* category* tp fp fn precision* recall* f1*"
    yield Table.of(keys, rows, (note,), title=_lowest(found), every=every)


def _lowest(found: Scores) -> str:
    """The coder and category with the lowest F1 among those that are not too rare."""
    often = np.where(found.tp + found.fn >= FEW, found.f1, np.nan)
    if np.isnan(often).all():
        return ""
    c, k = divmod(int(np.nanargmin(tied(often))), len(found.categories))
    return (
        f"F1 is lowest for {isolated(found.coders[c])} on {quoted(found.categories[k])}: "
        f"{decimal(float(found.f1[c, k]))}"
    )


# ------------------------------------------------------------------ pairs


@view("pairs", of="diagnose", title="Agreement of pairs of coders", chapter="coders", place=240)
def pairs(part: Part) -> Iterator[Block]:
    """Observed agreement and κ of each pair of coders."""
    found = part.pairs
    if not len(found.coders):
        yield Prose(UNKNOWN)
        return
    rows = found.to_rows()
    each = [
        (f"{_both(row['first'], row['second'])}, {count_of(row['n_common'], 'item')}", row["kappa"])
        for row in rows
    ]
    yield Table.of(
        "first* second* n_common* percent* kappa*"
        + " boot_match* observed expected boot_precision boot_recall" * part.counts.of_sets,
        rows,
        _pair_notes(part),
        by="kappa",
        title=ranging("κ of pairs of coders", each) or "κ is undefined for every pair of coders",
    )
    if len(found.coders) > 2:
        yield _pair_matrix(part)


def _both(first: str, second: str) -> str:
    return f"{isolated(first)} and {isolated(second)}"


def _pair_notes(part: Part) -> Iterator[str]:
    found = part.pairs
    n = found.n_pairs - found.n_without_kappa
    if n and found.n_pairs > 1:
        of = f" over {n:,} of {count_of(found.n_pairs, 'pair')}" if found.n_without_kappa else ""
        yield f"Mean of the pairwise κ (Light 1971): {decimal(found.light)}{of}."
    if found.weights != "identity":
        yield f"Weights: {weights_text(found.weights)}."
    if found.n_without_overlap:
        yield f"{count_of(found.n_without_overlap, 'pair')} without an item in common."
    if found.left_out:
        yield f"The {count_of(found.left_out, 'coder')} with the fewest annotations left out."
    if found.boot:
        yield (
            "Boot-match: label draw, from the items of the pair. Precision: share of the first "
            "coder's labels that the second gave too; recall: of the second coder's that the "
            "first gave too; both corrected for chance."
        )
        why = dict.fromkeys(str(row["undefined"]) for row in found.boot.values())
        yield from (f"{NOTHING} {each}." for each in why if each != "None")


def _pair_matrix(part: Part) -> Matrix:
    """κ above the diagonal, observed agreement below it."""
    found = part.pairs
    mean = found.mean_of_coder(found.percent)
    order = np.argsort(-np.where(np.isnan(mean), -1, tied(mean)), kind="stable")[
        :MOST_NAMES
    ].tolist()
    names = tuple(found.coders[c] for c in order)
    cells = tuple(
        tuple(_pair(found, a, b, upper=i < j) for j, b in enumerate(order))
        for i, a in enumerate(order)
    )
    notes = ["Above the diagonal: κ. Below: observed agreement. “·”: no common item."]
    hidden = len(part.coders.coders) - len(order)
    if hidden:
        notes.append(f"The {len(order)} coders who agree most; {hidden:,} more are not shown.")
    return Matrix("", "coder", "coder", names, names, cells, notes=tuple(notes), second=COMMON)


def _pair(found: CoderPairs, a: int, b: int, *, upper: bool) -> Cell:
    n = int(found.n_common[a, b])
    if a == b:
        return Cell("", math.nan)
    who = _both(found.coders[a], found.coders[b])
    if n == 0:
        return Cell("·", math.nan, spoken=f"{who}: no item in common")
    value = float((found.kappa if upper else found.percent)[a, b])
    spoken = f"{who}: {'κ' if upper else 'agreement'} {decimal(value)}, {count_of(n, 'item')}"
    level = 0 if math.isnan(value) else max(0, min(10, round(10 * value)))
    small = "" if upper else f"{n:,}"
    return Cell(decimal(value), value, level, "agree", spoken=spoken, small=small)


# ------------------------------------------------------------------ groups


@view("coder-groups", of="diagnose", title="Coder groups", chapter="coders", place=255)
def coder_groups(part: Part) -> Iterator[Block]:
    """Groups of coders who agree among themselves more than with the others."""
    found = part.coder_groups
    if not found:
        yield Prose("No group of coders reads a label differently from the others.")
        return
    rows = [
        row | {k: label_text(row[k]) for k in ("label", "instead") if row[k] is not None}
        for group in found
        for row in group.to_rows()
    ]
    note = (
        f"Agreement within: of two coders of the group (exact {percent(part.level, 0)} "
        "interval); between: of one of them and one of the other group. Groups are beyond "
        "errors of coders who differ in accuracy."
    )
    labels: tuple[Field, ...] = ()
    if found[0].label is not None:
        instead = FIELDS["label"].called("where others give", key="instead")
        labels = (FIELDS["label"], instead)
    keys: Keys = ("coder_group* coders*", *labels, "n_pairs within* interval* between*")
    yield Table.of(keys, rows, (note,), title=f"{count_of(len(found), 'group')} of coders")


# ------------------------------------------------------------------ identical texts


@view("consistency", of="diagnose", title="Consistency of each coder", chapter="coders", place=270)
def consistency(part: Part) -> Iterator[Block]:
    """Whether coders give the same text the same label each time."""
    found = part.consistency
    if found is None:
        yield Prose("No coder annotated the same text twice.")
        return
    stand = "stands" if found.n_repeated == 1 else "stand"
    note = (
        f"{count_of(found.n_repeated, 'text')} {stand} under several item ids. Exact "
        f"{percent(part.level, 0)} intervals. p: more contradictions than the other coders. "
        f"{NOT_CORRECTED}"
    )
    keys = "coder* n_texts* n_contradicted* share* interval* p_value*"
    yield Table.of(keys, found.to_rows(), (note,), by="-share")
