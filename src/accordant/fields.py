"""Every fact that is shown has one field: its heading, how its number is written, what it means.

Tables, sentences and axes write a value by its field, so that one number looks the same on a
terminal, on a page, in print and in a notebook. A column whose heading comes from the data (a
coder, a category) is a field called by another name: `Field.called`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from .numbers import NOTHING, decimal, interval, joined, p_value, percent

__all__ = ["FIELDS", "Field", "Kind", "cell", "columns", "shown"]

Kind: TypeAlias = Literal[
    "text", "list", "count", "value", "share", "bar", "percent", "ratio", "bits", "p", "interval"
]
"""How a value is written: estimates, shares and probabilities with three decimals, ``bar`` with a
bar beside it where there is room, ``percent`` for shares of the data at hand in sentences."""

DIGITS: Mapping[str, int] = {"value": 3, "share": 3, "bar": 3, "bits": 2}


@dataclass(frozen=True)
class Field:
    """One fact about something: a column of a table, a value in a sentence.

    Parameters
    ----------
    key : str
        What programs call it.
    heading : str
        What people call it.
    kind : Kind
    help : str
        What it means, where the heading cannot say it.
    ends : tuple of str
        Keys of the lower and the upper end: one cell for people, two keys for programs.
    of : str
        Key of the column without which this one is not shown, such as that of an estimate.
    names : mapping
        What people call the values of the field, by what programs call them.
    """

    key: str
    heading: str
    kind: Kind = "text"
    help: str = ""
    ends: tuple[str, ...] = ()
    of: str = ""
    names: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a row that it shows."""
        return self.ends or (self.key,)

    def called(self, heading: str, *, key: str | None = None, help: str | None = None) -> Field:
        """The field under a heading that comes from the data, such as the name of a coder."""
        return replace(
            self, heading=heading, key=self.key if key is None else key,
            help=self.help if help is None else help,
        )  # fmt: skip


def shown(what: Field | str, x: Any) -> str:
    """A value as people read it; of a field with ends, x holds both.

    Examples
    --------
    >>> shown("observed", 0.84612), shown("n_items", 1234), shown("p_value", 1e-9)
    ('0.846', '1,234', '< 0.001')
    >>> shown("interval", (0.7661, 0.8984)), shown("value", float("nan"))
    ('[0.766, 0.898]', '—')
    """
    known = FIELDS[what] if isinstance(what, str) else what
    if known.kind == "interval":
        return interval(*(x if x is not None else (None, None)))
    if known.kind == "list" and not isinstance(x, str):
        return joined(map(str, x))
    if known.kind in ("text", "list") or isinstance(x, str):
        return "" if x is None else known.names.get(x, str(x))
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return NOTHING
    return _number(known.kind, x)


def _number(kind: Kind, x: float) -> str:
    if kind == "count":
        return f"{x:,.0f}"
    if kind == "percent":
        return percent(x)
    if kind == "p":
        return p_value(x)
    if kind == "ratio":
        return f"{decimal(x, 1)} ×"
    return decimal(x, DIGITS[kind])


def cell(what: Field, row: Mapping[str, Any]) -> str:
    """The cell of a row; empty where the row has nothing of the kind, such as a row of means."""
    if not any(key in row for key in what.keys):
        return ""
    values = tuple(row.get(key) for key in what.keys)
    return shown(what, values if what.ends else values[0])


def columns(keys: str | tuple[str, ...]) -> tuple[Field, ...]:
    """The fields of some keys, in their order.

    Examples
    --------
    >>> [field.heading for field in columns("coder value interval")]
    ['coder', 'value', 'interval']
    """
    return tuple(FIELDS[key] for key in (keys.split() if isinstance(keys, str) else keys))


GENERAL = (
    Field("question", "question"),
    Field("item", "item"),
    Field("coder", "coder"),
    Field("coders", "coders", "list"),
    Field("model", "model"),
    Field("category", "category"),
    Field("label", "label"),
    Field("labels", "labels by coder"),
    Field("text", "text"),
    Field("pair", "coders"),
    Field("first", "first coder"),
    Field("second", "second coder"),
    Field("name", "name"),
    Field("kind", "kind"),
    Field("what", "what"),
    Field("source", "source"),
    Field("title", "title"),
    Field("scale", "scale", "text", "what the order and the size of the labels mean"),
    Field("n", "number", "count"),
    Field("n_items", "items", "count"),
    Field("n_coders", "coders", "count"),
    Field("n_annotations", "annotations", "count"),
    Field("n_pairable", "items", "count", "items with at least two annotations"),
    Field("share", "share", "share"),
    Field("value", "value", "value", "(A_o − A_e) / (1 − A_e)"),
    Field("observed", "A_o", "value", "observed agreement"),
    Field("expected", "A_e", "value", "expected agreement: what chance alone would give"),
    Field("se", "std. error", "value"),
    Field(
        "interval", "interval", "interval", "where the value of all such items plausibly lies",
        ends=("low", "high"),
    ),
    Field("p_value", "p", "p"),
    Field("precision", "precision", "share", "how much of what the coder gave was correct"),
    Field("recall", "recall", "share", "how much of what was correct the coder gave"),
    Field("probability", "probability", "bar"),
)  # fmt: skip

AGREEMENT = (
    Field("coefficient", "coefficient"),
    Field("measure", "measure"),
    Field("weights", "weights", "text", "what counts as agreement"),
    Field("agrees", "what counts as agreement"),
    Field("band", "band"),
    Field("counts_as", "what counts", "text", "as agreement of two sets of labels"),
    Field(
        "pairing",
        "pairing",
        names={
            "asked": "treated as different items, as requested",
            "shared items": "the same items",
            "generated ids": "treated as different items: the data name no items",
            "few shared items": "treated as different items: too few are in both to pair them",
            "no shared items": "no item is in both",
        },
    ),
    Field("n_apart", "in one only", "count"),
    Field("only", "only there", "list"),
    Field("sets_in", "sets of labels in"),
    Field("labels_in", "single labels in"),
    Field("cumulative", "at least", "share", "that it lies in this band or a higher one"),
    Field("from", "from", "value", "lowest value of the band"),
    Field("base", "expected agreement of"),
    Field("option", "option"),
    Field("default", "default"),
    Field("allowed", "values"),
    Field("meaning", "meaning"),
    Field("role", "role", names={"report": "report this", "beside": "with it"}),
)

DATA = (
    Field("alone", "decides", "count", "items on which everybody else gave more labels"),
    Field("categories", "which", "text"),
    Field("entropy_share", "of the largest possible", "share", "entropy as a share of log2 K"),
    Field("held", "of annotations", "share", "annotations that hold the label"),
    Field("high", "highest", "value"),
    Field("known", "where from", "text"),
    Field("low", "lowest", "value"),
    Field("mean", "mean", "value", "labels of an annotation"),
    Field("mean_labels", "labels each", "bits"),
    Field("middle", "median", "value"),
    Field("n_alone", "alone", "count"),
    Field("n_empty", "by nobody", "count"),
    Field("n_fewer", "first fewer", "count"),
    Field("n_final", "items", "count", "of the coder whose coders all share a label"),
    Field("n_given", "given", "count", "labels that coders gave to items of two or more"),
    Field("n_more", "first more", "count", "items to which the first gave more labels"),
    Field("n_same", "as many", "count"),
    Field("n_values", "labels", "count"),
    Field("ratio", "ratio", "bits", "share of final labels by share of labels given"),
    Field("sd", "std. deviation", "value"),
    Field("share_final", "share", "share", "of all final labels"),
    Field("share_given", "share", "share", "of all labels given"),
    Field("top", "most frequent", "text"),
    Field("top_share", "its share", "share", "of the coder's annotations"),
    Field("values", "labels used", "count"),
)

DIAGNOSIS = (
    Field("gain", "α gain", "value", "rise of α if it were resolved, at most"),
    Field("before", "α now", "value"),
    Field("after", "α then", "value", "if it were resolved"),
    Field("other_share", "by chance", "share"),
    Field("advice", "what to do"),
    Field("ac", "AC1", "value", "AC1 of the category against all others"),
    Field("agreement", "agreement", "share", "mean over the items of the group"),
    Field("alpha", "α", "value", "α of the category against all others"),
    Field("alpha_change", "change", "value"),
    Field("alpha_high", "to", "value"),
    Field("alpha_low", "from", "value"),
    Field("alpha_without", "α without", "value", "α if the coder is left out"),
    Field("assumption", "assumption", "text", "about agreement by chance"),
    Field("between", "with the others", "share"),
    Field("bias", "bias", "value", "difference of the two cells of disagreement"),
    Field("bias_text", "differs most in", "text"),
    Field("bias_value", "unlike others", "text"),
    Field("bits_lost", "bits lost", "bits", "the information lost, in bits"),
    Field("boot_match", "boot-match", "value", "(observed − expected) / (1 − expected)"),
    Field("boot_precision", "precision", "value", "boot-precision"),
    Field("boot_recall", "recall", "value", "boot-recall"),
    Field("bowker_p", "p one way", "p"),
    Field("by_bias", "bias", "value", "what the difference of the coders adds"),
    Field("by_item", "p by item", "p", "an item counting once"),
    Field("by_prevalence", "prevalence", "value", "what the frequency of categories adds"),
    Field("by_sample", "sample", "value", "what the correction for a small sample adds"),
    Field("camp", "camp", "count"),
    Field("cite", "source", "text"),
    Field("column", "the other gave", "text"),
    Field("disputed", "disputed", "count", "items to which some gave it and others did not"),
    Field("down", "down", "count", "the first coder gave the higher value"),
    Field("effect", "carried over", "value", "beyond items further back; below 0: avoided"),
    Field("elsewhere", "elsewhere", "share", "mean over all other items"),
    Field("f1", "F1", "value", "2 × precision × recall / (precision + recall)"),
    Field("first_coder", "coder", "text"),
    Field("fn", "missed", "count"),
    Field("fp", "wrong", "count"),
    Field("gain_per_ten_items", "per ten items", "value", "gain for every ten items"),
    Field("given", "given", "count", "how often the coder gave it"),
    Field("kappa", "Cohen's κ", "value", "labels equal or not"),
    Field("kappa_max", "κ max", "value", "the largest κ that these distributions allow"),
    Field("kappa_ratio", "κ / κ max", "value"),
    Field("marginal_difference", "difference", "share", "of the coders' distributions"),
    Field("marginal_p", "p", "p", "of equal distributions"),
    Field("n_categories", "categories left", "count"),
    Field("n_common", "items", "count", "that both annotated"),
    Field("n_contradicted", "labelled otherwise", "count"),
    Field("n_disputed", "disputed", "count"),
    Field(
        "n_given_up",
        "agreements no longer told apart",
        "count",
        "pairs that agree on one of the two",
    ),
    Field("n_shared", "shared", "count", "items that somebody else annotated too"),
    Field("n_steps", "steps", "count", "from an item to the next"),
    Field("n_texts", "texts seen again", "count"),
    Field("negative", "negative", "value", "if one does not give it, how likely another does not"),
    Field("only_first", "only first", "count"),
    Field("only_second", "only second", "count"),
    Field("others", "by others", "share", "share of the others who give it this label"),
    Field("others_first", "others first", "share"),
    Field("others_last", "others last", "share"),
    Field("pabak", "PABAK", "value", "κ if all labels were equally frequent"),
    Field("percent", "agreement", "share"),
    Field("percent_after", "A_o then", "share"),
    Field("percent_expected", "A_o anyway", "share"),
    Field("prevalence", "prevalence", "value", "difference of the two cells of agreement"),
    Field("repeats", "same label", "share", "as the coder gave to the item before"),
    Field("right", "right", "count", "how often it was right"),
    Field("row", "one gave", "text"),
    Field("row_share", "of the row", "share"),
    Field("second_coder", "and", "text"),
    Field("sentence", "what is so", "text"),
    Field("severity", "severity", "text"),
    Field("share_lost", "information lost", "share", "of what the labels tell (their entropy)"),
    Field("specific", "specific", "value", "if one coder gives it, how likely another does"),
    Field("stake", "stake", "value"),
    Field("stuart_maxwell_p", "p", "p"),
    Field("symbol", "coefficient", "text"),
    Field("tp", "right", "count"),
    Field("up", "up", "count", "the second coder gave the higher value"),
    Field("use", "use that changes most", "text"),
    Field("within", "agree within", "share"),
)

DECOMPOSITION = (
    Field("rule", "level 1 asks"),
    Field("level_1", "level 1", "value", "agreement on the block, mean over pairs of coders"),
    Field(
        "level_1_interval",
        "interval of level 1",
        "interval",
        ends=("level_1_low", "level_1_high"),
        of="level_1",
    ),
    Field("level_2", "level 2", "value", "agreement on the value, where coders agree on the block"),
    Field(
        "level_2_interval",
        "interval of level 2",
        "interval",
        ends=("level_2_low", "level_2_high"),
        of="level_2",
    ),
    Field("level_2_open", "other labels", "value", "level 2 without labels that level 1 settles"),
    Field("level_2_gain", "gain", "value", "level 2 less that of independent slips"),
    Field("explained", "explained", "share", "share of the disagreeing pairs that it separates"),
    Field("chance", "by chance", "share", "what draws by chance would separate"),
    Field("excess", "excess", "share", "explained less by chance"),
    Field("explained_by_slips", "by slips", "share", "what independent slips would separate"),
    Field("beyond_slips", "beyond slips", "share", "explained less by slips"),
    Field("flip_baseline", "any slip", "share", "slips in one label that it separates"),
    Field("first_share", "first", "share", "of resamples of the items in which it is the first"),
    Field("top_ten", "top ten", "share", "of resamples in which it is among the best ten"),
    Field("lift", "lift", "value", "explained over by chance"),
    Field("information", "information", "value", "share of the uncertainty between the blocks"),
    Field("n_level_1", "disputed on level 1", "count"),
    Field("n_kept", "in level 2", "count"),
    Field("side_0", "side 0"),
    Field("side_1", "side 1"),
    Field("coefficient_over_all", "over all", "value"),
    Field("agreement_given", "among agreed", "value"),
)

MODELS = (
    Field("accuracy", "right", "share", "of the labels that are known"),
    Field("advised", "", "text"),
    Field(
        "against",
        "outvoted",
        "share",
        "items whose label most of them did not give",
    ),
    Field("behind", "behind the best", "value"),
    Field("changed", "other labels", "count"),
    Field("clear", "worse", "text"),
    Field("competence", "right", "value", "as the model with one truth has it"),
    Field("edges", "confidence", "text"),
    Field("ended", "ended", "text"),
    Field("fits", "the model", "text"),
    Field("hanging", "hang on it", "share", "labels that change without this coder"),
    Field("kappa_between", "κ with others", "value", "with a coder of another school"),
    Field("kappa_within", "κ within", "value", "mean kappa of two of its coders"),
    Field("known_right", "right by known labels", "share"),
    Field("leans", "overuses", "text", "how many times as often as it is true"),
    Field("moved", "moved", "share"),
    Field("n_iterations", "iterations", "count"),
    Field("n_known", "known", "count"),
    Field("n_labels", "labels", "count"),
    Field("n_scored", "known", "count"),
    Field("n_true", "true", "count"),
    Field("objective", "objective", "text"),
    Field("rise", "change", "value"),
    Field("said", "verdict", "text"),
    Field("school", "school", "count"),
    Field("score", "log probability", "value", "mean of hidden annotations, in nats"),
    Field("seconds", "seconds", "bits"),
    Field("sensitivity", "gives it if true", "value", "gives it where it is true"),
    Field("share_of_annotations", "of annotations", "share"),
    Field("skill", "skill", "value", "κ of the coder with what is believed to be true"),
    Field("specificity", "not if false", "value", "where it is not true"),
    Field("start", "start", "text"),
    Field("threshold", "probability of", "value", "least probability of a label kept"),
    Field("tied", "ties", "count"),
    Field("true", "true", "text"),
    Field("verdict", "verdict", "text"),
    Field("wrong", "expected wrong", "bits", "of these labels"),
)

SOFT_LABELS = (
    Field("most_probable", "most probable"),
    Field("entropy", "entropy", "bits", "in bits"),
    Field("better", "better", names={"lower": "low", "higher": "high", "zero": "0"}),
    Field("perfect", "perfect", "value", "a model that knows the true distribution of each item"),
    Field("frequencies", "base rate", "value", "how frequent each category is, for every item"),
    Field("majority_label", "majority", "value", "the most frequent label with certainty"),
    Field("one_coder", "one coder", "value", "against the labels of the other coders"),
    Field("against_others", "model vs. coders", "value", "the model against the same labels"),
    Field("total", "differing pairs", "share", "share of the pairs of annotations that differ"),
    Field("by_coders", "errors", "share", "what error rates of coders produce alone"),
    Field("between_schools", "coder groups", "share", "pairs of coders of different groups"),
    Field("by_items", "items", "share", "what remains with the items"),
    Field("by_ambiguous", "of which ambiguous", "share"),
    Field("n_ambiguous", "ambiguous", "count", "items that can be called so"),
    Field("n_unclear", "ambiguous or hard", "count", "items of which no more can be said"),
    Field("readings", "readings"),
    Field("disagreement", "differing pairs", "share", "of the annotations of the item"),
    Field("expected_by_errors", "by errors alone", "share"),
)

ALT_TEST = (
    Field("human", "human"),
    Field("who", "who"),
    Field("outcome", "test"),
    Field("beaten", "humans", "text", "for how many humans the model may stand in"),
    Field("winning_rate", "winning rate ω", "share", "share of the humans it may stand in for"),
    Field(
        "advantage",
        "advantage ρ",
        "value",
        "advantage probability: as near to the other humans as a human, or nearer",
    ),
    Field(
        "advantage_interval",
        "interval",
        "interval",
        ends=("advantage_low", "advantage_high"),
        of="advantage",
    ),
    Field("human_advantage", "ρ of humans", "value", "the same of the human beside the model"),
    Field("first_advantage", "ρ of the first", "value"),
    Field("second_advantage", "ρ of the second", "value"),
    Field("difference", "difference", "value"),
    Field("epsilon", "ε", "value", "how much worse than a human a model may be"),
    Field("test", "kind of test"),
    Field("p_adjusted", "p (adjusted)", "p", "corrected for the number of comparisons"),
    Field("stands_in", "stands in"),
    Field("of_human", "human", "value", "agreement of the human with the others"),
    Field("of_model", "model", "value", "agreement of the model with the others"),
    Field("n_humans", "humans", "count"),
    Field("power", "power", "share"),
    Field("n_items_cautious", "items, cautiously", "count"),
    Field("width", "width", "value", "of the interval, from end to end"),
)

CROWDTRUTH = (
    Field("agreement_with_coders", "with coders", "value"),
    Field("agreement_with_items", "with items", "value"),
    Field("ambiguity", "ambiguity", "value"),
    Field("clarity", "clarity", "value"),
    Field("disagreement_with_coders", "with coders", "value"),
    Field("disagreement_with_items", "with items", "value"),
    Field("labels_per_item", "labels", "value"),
    Field("of", "of", "text"),
    Field("quality", "quality", "value"),
)

SIMULATION = (
    Field("double", "double labels", "share", "annotations with two labels"),
    Field("value_sd", "std. deviation", "value", "of adjusted agreement over data sets"),
    Field("value_se", "std. error", "value", "Monte Carlo standard error of the mean adjusted"),
)

PROJECT = (
    Field("about", "cases", "text"),
    Field("agreed", "agreed before", "count"),
    Field("answer", "answer", "text"),
    Field("answers", "answers when compared", "text"),
    Field("at", "when (UTC)", "text"),
    Field("case", "case", "count"),
    Field("cases", "cases behind it", "text"),
    Field("cause", "cause", "text"),
    Field("conflicting", "in conflict before", "count"),
    Field("does", "what happened", "text"),
    Field("group", "group", "text"),
    Field("items", "items", "count", "items to which somebody gave it"),
    Field("kept", "same answer", "count"),
    Field("left_out", "left out", "count", "not compared, see below"),
    Field("lost", "not compared now", "count", "declined, or no longer asked"),
    Field("means", "what it means", "text"),
    Field("note", "narrowed or waived, because", "text"),
    Field("number", "order", "count"),
    Field("objected", "objected", "text"),
    Field("other", "another answer", "count", "agreed again, on another answer"),
    Field("pairs", "differing pairs", "count", "pairs of coders whose answers differed"),
    Field("part", "part", "text"),
    Field("questions", "questions", "text"),
    Field("reason", "reason", "text"),
    Field("reverse", "the other way", "count"),
    Field("roles", "roles", "text"),
    Field("rounds", "carried out in", "text"),
    Field("same", "same", "share", "observed agreement"),
    Field("says", "what there is", "text"),
    Field("settled", "agreed now", "count", "of those in conflict before"),
    Field("signed", "agreed", "text"),
    Field("state", "state", "text"),
    Field("step", "step", "text"),
    Field("stood", "answer stood", "count"),
    Field("times", "entered", "count", "how often"),
    Field("to", "to", "text"),
    Field("torn", "conflict now", "count"),
    Field("training", "training", "text"),
    Field("trigger", "because of", "text"),
    Field("way", "more often", "text"),
)


FIELDS: dict[str, Field] = {
    known.key: known
    for part in (
        GENERAL, AGREEMENT, DATA, DIAGNOSIS, DECOMPOSITION, MODELS, SOFT_LABELS, ALT_TEST,
        CROWDTRUTH, SIMULATION, PROJECT,
    )
    for known in part
}  # fmt: skip
"""Every field by its key."""
