"""Every fact that is shown has one field: its heading, how its number is written, what it means.

Tables, sentences and axes write a value by its field, so that one number looks the same on a
terminal, on a page, in print and in a notebook. A column whose heading comes from the data (a
coder, a category) is a field called by another name: `Field.called`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from .numbers import NOTHING, decimal, interval, joined, p_value, percent

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
    names: Mapping[Any, str] = field(default_factory=dict, hash=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a row that it shows."""
        return self.ends or (self.key,)

    def called(self, heading: str, *, key: str | None = None, help: str | None = None) -> Field:
        """The field under a heading that comes from the data, such as the name of a coder."""
        return replace(
            self,
            heading=heading,
            key=self.key if key is None else key,
            help=self.help if help is None else help,
        )

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether a row has something under it: no empty text, undefined number or count of 0."""
        values = [row.get(key) for key in self.keys]
        return any(
            x is not None and x != "" and x == x and (x != 0 or self.kind != "count")
            for x in values
        )

    def shown(self, x: Any) -> str:
        """A value as people read it; of a field with ends, x holds both."""
        if self.kind == "interval":
            return interval(*(x if x is not None else (None, None)))
        if self.kind == "list" and not isinstance(x, str):
            return joined(map(str, x))
        if self.kind in ("text", "list") or isinstance(x, str):
            return "" if x is None else self.names.get(x, str(x))
        if x is None or (isinstance(x, float) and math.isnan(x)):
            return NOTHING
        return _number(self.kind, x)


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
    return what.shown(values if what.ends else values[0])


def telling(shown: Iterable[Field], rows: Sequence[Mapping[str, Any]]) -> tuple[Field, ...]:
    """The columns without texts that are empty in every row, and without what belongs to those.

    The first says what the rows are about and stays.

    Examples
    --------
    >>> shown = [Field(key, key) for key in ("coder", "note")]
    >>> [field.key for field in telling(shown, [{"coder": "A", "note": ""}])]
    ['coder']
    """
    found: list[Field] = []
    silent: set[str] = set()
    for one in shown:
        empty = one.kind in ("text", "list") and not any(cell(one, row) for row in rows)
        if found and rows and (empty or one.of in silent):
            silent.add(one.key)
        else:
            found.append(one)
    return tuple(found)


def shown(what: Field | str, x: Any) -> str:
    """A value as people read it; of a field with ends, x holds both.

    Examples
    --------
    >>> shown("observed", 0.84612), shown("n_items", 1234), shown("p_value", 1e-9)
    ('0.846', '1,234', '< 0.001')
    >>> shown("interval", (0.7661, 0.8984)), shown("value", float("nan"))
    ('[0.766, 0.898]', '—')
    """
    return (FIELDS[what] if isinstance(what, str) else what).shown(x)


def columns(
    keys: str | Iterable[str], rows: Sequence[Mapping[str, Any]] = (), **headings: str | Field
) -> tuple[Field, ...]:
    """The fields of some keys, in their order, some of them under other headings.

    A key with a question mark is left out where no row holds anything under it. Instead of a
    heading there may be a field; a heading makes a text of a key that has none.

    Examples
    --------
    >>> [field.heading for field in columns("coder value interval", value="κ")]
    ['coder', 'κ', 'interval']
    >>> [field.heading for field in columns("item text? n_tied?", [{"item": 1, "n_tied": 2}])]
    ['item', 'ties']
    """
    wanted = keys.split() if isinstance(keys, str) else keys
    found = []
    for key in wanted:
        name = key.removesuffix("?")
        one = headings.get(name) or FIELDS[name]
        if isinstance(one, str):
            one = FIELDS.get(name, Field(name, "")).called(one)
        if name == key or any(one.holds(row) for row in rows):
            found.append(one)
    return tuple(found)


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
    Field("chosen", "chosen"),
    Field("pair", "coders"),
    Field("first", "first coder"),
    Field("second", "second coder"),
    Field("name", "name"),
    *(Field(key, key, "text") for key in ("sources", "options", "basis")),
    Field("kind", "kind"),
    Field("what", "what"),
    Field("code", "code"),
    Field("source", "source"),
    Field("title", "title"),
    Field("scale", "scale", "text", "what the order and the size of the labels mean"),
    Field("n", "number", "count"),
    Field("n_items", "items", "count"),
    Field("n_coders", "coders", "count"),
    Field("n_annotations", "annotations", "count"),
    Field("n_pairs", "pairs", "count", "pairs of annotations of one item by two coders"),
    Field("n_pairable", "items", "count", "items with at least two annotations"),
    Field("share", "share", "share"),
    Field("value", "value", "value", "(A_o − A_e) / (1 − A_e)"),
    Field("observed", "A_o", "value", "observed agreement"),
    Field("expected", "A_e", "value", "expected agreement: what chance alone would give"),
    Field("se", "std. error", "value"),
    Field(
        "interval",
        "interval",
        "interval",
        "where the value of all such items plausibly lies",
        ends=("low", "high"),
    ),
    Field("p_value", "p", "p"),
    Field("precision", "precision", "share", "how much of what the coder gave was correct"),
    Field("recall", "recall", "share", "how much of what was correct the coder gave"),
    Field("probability", "probability", "bar"),
)

AGREEMENT = (
    Field(
        "threshold_probability",
        "P",
        "p",
        "that the true value reaches the nearest threshold",
    ),
    Field("coefficient", "coefficient"),
    Field("measure", "measure"),
    Field("rated_higher", "higher by", "value"),
    Field("bias_interval", "interval", "interval", ends=("bias_low", "bias_high")),
    Field("limits", "limits of agreement", "interval", ends=("low", "high")),
    Field("slope", "trend", "value", "change of the difference by what is rated"),
    Field("slope_p", "p of trend", "p"),
    Field("share_within", "within limits", "share", "of the differences at hand"),
    Field("weights", "weights", "text", "what counts as agreement"),
    Field("agrees", "what counts as agreement"),
    Field("band", "band"),
    Field("counts_as", "what counts", "text", "as agreement of two sets of labels"),
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
    Field("condition", "condition"),
    Field("limit", "threshold", "value"),
    Field("certainty", "certainty"),
)

DATA = (
    Field("categories", "categories", "text"),
    Field("counts", "annotations", "count", "how many coders annotated the item"),
    Field("entropy_share", "relative entropy", "share", "entropy as a share of log2 K"),
    Field("held", "share of annotations", "share", "annotations that hold the label"),
    Field("highest", "highest", "value"),
    Field("known", "categories from", "text"),
    Field("labels_each", "labels each", "text"),
    Field("lowest", "lowest", "value"),
    Field("mean", "mean", "value"),
    Field("mean_labels", "labels each", "bits", "mean number"),
    Field("median", "median", "value"),
    Field("missing_share", "missing", "share", "annotated items × coders without an annotation"),
    Field("n_alone", "only this coder", "count"),
    Field("n_as_final", "as final label", "count", "items whose coders all gave it"),
    Field("n_decides_alone", "decided alone", "count", "everybody else gave more labels"),
    Field("n_decides_together", "decided with others", "count", "several gave the fewest labels"),
    Field("n_empty", "not annotated", "count"),
    Field("n_fewer", "first gave fewer", "count"),
    Field("n_final", "items", "count", "of the coder whose coders all share a label"),
    Field("n_given", "given", "count", "to items with two annotations or more"),
    Field("n_more", "first gave more", "count"),
    Field("n_same", "equally many", "count"),
    Field("n_values", "labels used", "count"),
    Field("ratio", "ratio", "bits", "share of final labels by share of labels given"),
    Field("sd", "s.d.", "value"),
    Field("share_decides_alone", "share decided alone", "share", "of the coder's items"),
    Field("share_final", "share of final", "share"),
    Field("share_given", "share of given", "share"),
    Field("share_of_annotations", "share of annotations", "share", "annotations with the label"),
    Field("shared_labels", "shared labels", "text"),
    Field("top", "most frequent label", "text"),
    Field("top_share", "its share", "share", "of the coder's annotations"),
)

CATEGORIES = (
    Field("ac", "AC1", "value", "the category against all others"),
    Field("alpha", "α", "value", "Krippendorff's α"),
    Field("alpha_after", "projected α", "value", "α if it were resolved or merged"),
    Field("alpha_before", "α", "value", "α as it is"),
    Field("alpha_change", "change in α", "value"),
    Field("bias", "bias index", "value", "difference of the two cells of disagreement"),
    Field("column", "label of the other", "text"),
    Field("kappa", "κ", "value"),
    Field("kappa_max", "κ max", "value", "the largest κ that these distributions allow"),
    Field("kappa_ratio", "κ / κ max", "value"),
    Field("marginal_difference", "difference", "share", "of the two distributions"),
    Field("n_categories", "categories left", "count"),
    Field("n_disputed", "disputed", "count", "items to which some gave it and others did not"),
    Field("n_first", "given by first", "count"),
    Field("n_matched", "matched", "count", "spans of one coder that match one of the other"),
    Field("n_second", "given by second", "count"),
    Field(
        "negative",
        "negative agreement",
        "value",
        "if one coder does not give it, the probability that another does not",
    ),
    Field("pabak", "PABAK", "value", "κ if all labels were equally frequent"),
    Field("prevalence", "prevalence index", "value", "difference of the two cells of agreement"),
    Field("row", "label of one coder", "text"),
    Field("row_share", "share of the row", "share"),
    Field(
        "specific",
        "specific agreement",
        "value",
        "if one coder gives it, the probability that another does",
    ),
    Field(
        "specific_interval",
        "interval",
        "interval",
        "",
        ("specific_low", "specific_high"),
        "specific",
    ),
    Field("stuart_maxwell_p", "p (Stuart–Maxwell)", "p", "equal distributions"),
)

CODERS = (
    Field("agreement", "agreement", "share", "mean over pairs of annotations of an item"),
    Field("alpha_without", "α without", "value", "α if the coder is left out"),
    Field("between", "with other groups", "share"),
    Field("biased_label", "most biased label", "text"),
    Field("boot_match", "boot-match", "value", "(A_o − A_e) / (1 − A_e)"),
    Field("boot_precision", "boot-precision", "value"),
    Field("boot_recall", "boot-recall", "value"),
    Field("coder_group", "group", "count"),
    Field("f1", "F1", "value", "2 × precision × recall / (precision + recall)"),
    Field("fn", "false negatives", "count"),
    Field("fp", "false positives", "count"),
    Field("label_bias", "more often by", "value", "than the others on the same items; a share"),
    Field("n_common", "items", "count", "that both annotated"),
    Field("n_contradicted", "contradicted", "count"),
    Field("n_shared", "shared items", "count", "that somebody else annotated too"),
    Field("n_texts", "repeated texts", "count"),
    Field("others", "others give it", "share"),
    Field("percent", "A_o", "share", "observed agreement"),
    Field("tp", "true positives", "count"),
    Field("within", "within the group", "share"),
)

ITEMS = (
    Field("annotations", "annotations"),
    Field("elsewhere", "agreement elsewhere", "share", "mean over all other items"),
    Field(
        "excess_disagreement",
        "excess",
        "share",
        "of all disagreement, gone if coders agreed here as elsewhere",
    ),
    Field("level", "agreement", "text"),
    Field("metadata", "metadata", "text"),
    Field("metadata_value", "value", "text"),
    Field("share_of_disagreement", "of all disagreement", "share"),
)

DIAGNOSIS = (
    Field("gain", "α gain", "value", "rise of α if it were resolved"),
    Field("other_share", "by chance", "share"),
    Field("advice", "what to do"),
    Field("assumption", "assumption", "text", "about agreement by chance"),
    Field("cite", "source", "text"),
    Field("gain_per_ten_items", "per ten items", "value", "gain for every ten items"),
    Field("sentence", "what is so", "text"),
    Field("severity", "severity", "text"),
    Field("stake", "stake", "value"),
    Field("symbol", "coefficient", "text"),
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
    Field("level_2_open", "other labels", "value", "level 2 of labels that level 1 leaves open"),
    Field("level_2_by_slips", "level 2 of random errors", "value", "level 2 if errors are random"),
    Field("level_2_gain", "gain", "value", "level 2 less that of random errors alone"),
    Field("explained", "explained", "share", "share of the disagreeing pairs that it separates"),
    Field("chance", "by chance", "share", "what draws by chance would separate"),
    Field("excess", "excess", "share", "explained less by chance"),
    Field("explained_by_slips", "random errors", "share", "what these alone would separate"),
    Field("beyond_slips", "beyond random errors", "share", "explained less that of random errors"),
    Field("beyond", "beyond bound", "value", "nats beyond the best of as many by random errors"),
    Field("flip_baseline", "any error", "share", "errors in one label that it separates"),
    Field("lift", "lift", "value", "explained over by chance"),
    Field("n_level_1", "disputed on level 1", "count"),
    Field("n_kept", "in level 2", "count"),
    Field("side_0", "side 0"),
    Field("side_1", "side 1"),
    Field("coefficient_over_all", "over all", "value"),
    Field("agreement_given", "among agreed", "value"),
)

MODELS = (
    Field("competence", "accuracy", "share", "probability of a correct label"),
    Field("skill", "skill", "value", "κ of the coder with the estimated labels; 0 is chance"),
    Field("skill_interval", "interval", "interval", ends=("skill_low", "skill_high"), of="skill"),
    Field("verdict", "verdict", "text", "rests on skill and agreement"),
    Field("sensitivity", "sensitivity", "share", "the coder gives the label where it is true"),
    Field("specificity", "specificity", "share", "the coder leaves it out where it is not true"),
    Field("accuracy", "accuracy on known", "share", "share of labels that equal the known ones"),
    Field(
        "accuracy_interval",
        "interval",
        "interval",
        ends=("accuracy_low", "accuracy_high"),
        of="accuracy",
    ),
    Field("n_known", "known", "count", "annotations of items whose label is known"),
    Field("n_tied", "ties", "count", "items that become a tie"),
    Field("true", "estimated label", "text"),
    Field("against", "outvoted", "share", "items whose estimated label most of them did not give"),
    Field("confidence", "probability", "share", "of the estimated label"),
    Field("alternative", "second label", "text", "with its probability"),
    Field("expected_errors", "expected errors", "bits", "labels expected to be wrong"),
    Field("estimated_share", "prevalence", "share", "share of the items, as estimated"),
    Field("n_labels", "items", "count", "with this estimated label"),
    Field("n_true", "known", "count", "items whose known label it is"),
    Field("n_scored", "known", "count", "items whose label is known"),
    Field("threshold", "least probability", "share", "of a label that is kept"),
    Field("expected_accuracy", "expected accuracy", "share", "mean probability of the labels"),
    Field("edges", "probability", "interval", ends=("low_edge", "high_edge")),
    Field("cell", "of", "text"),
    Field("moved", "moved", "share", "share that would have to change to match the model"),
    Field("start", "start", "text"),
    Field("objective", "objective", "text"),
    Field("reached", "value in the end", "value"),
    Field("n_iterations", "iterations", "count"),
    Field("converged", "converged", "text", names={True: "yes", False: "no"}),
    Field("score", "log probability", "value", "mean of hidden annotations, in nats"),
    Field("seconds", "seconds", "bits"),
)

SOFT_LABELS = (
    Field("most_probable", "most probable"),
    Field("entropy", "entropy", "bits", "in bits"),
    Field("entropy_by_errors", "by errors alone", "bits", "what errors of coders would give"),
    Field("best", "best", "value", "what the soft labels themselves get"),
    Field("n_missing", "missing", "count", "items without a prediction"),
    Field("frequencies", "base rate", "value", "how frequent each category is, for every item"),
    Field("majority_label", "majority", "value", "the most frequent label with certainty"),
    Field("total", "differing pairs", "share", "share of the pairs of annotations that differ"),
    Field("readings", "readings"),
    Field("disagreement", "differing pairs", "share", "of the annotations of the item"),
)

ALT_TEST = (
    Field("human", "human"),
    Field("who", "who"),
    Field("test_outcome", "test"),
    Field("beaten", "humans", "text", "for how many humans the model may stand in"),
    Field("winning_rate", "winning rate ω", "share", "share of the humans it may stand in for"),
    Field(
        "advantage",
        "advantage ρ",
        "value",
        "advantage probability: agrees with the other humans at least as well as a human",
    ),
    Field(
        "advantage_interval",
        "interval",
        "interval",
        ends=("advantage_low", "advantage_high"),
        of="advantage",
    ),
    Field("human_advantage", "ρ of humans", "value", "the same of the human beside the model"),
    Field("difference", "difference", "value"),
    Field("epsilon", "ε", "value", "how much worse than a human a model may be"),
    Field("test", "kind of test"),
    Field("p_adjusted", "p (adjusted)", "p", "corrected for the number of comparisons"),
    Field("stands_in", "stands in"),
    Field("n_humans", "humans", "count"),
    Field("n_items_cautious", "items, cautiously", "count"),
    Field("width", "width", "value", "of the interval, from end to end"),
)

CROWDTRUTH = (
    Field("of", "of", "text"),
    Field("quality", "quality", "value"),
    Field("agreement_with_coders", "with coders", "value", "mean likeness to each other coder"),
    Field("agreement_with_items", "with items", "value", "likeness to all others of an item"),
    Field("clarity", "clarity", "value"),
    Field("ambiguity", "ambiguity", "value", "the highest similarity to another category"),
    Field("disagreement_with_items", "unlike items", "value", "mean distance to the others' sum"),
    Field("disagreement_with_coders", "unlike coders", "value", "mean distance to another coder"),
    Field("labels_per_item", "labels per item", "value"),
)

SIMULATION = (
    Field("double", "double labels", "share", "annotations with two labels"),
    Field("value_sd", "std. deviation", "value", "of adjusted agreement over data sets"),
    Field("value_se", "std. error", "value", "Monte Carlo standard error of the mean adjusted"),
)

PROJECT = (
    Field("about", "what"),
    Field("after", "after"),
    Field("agreed", "agreed before", "count"),
    Field("answer", "answer"),
    Field("answering", "answered by"),
    Field("answers", "answers"),
    Field("asked_if", "asked where"),
    Field("at", "when (UTC)"),
    Field("became", "what became of it"),
    Field("before", "before"),
    Field("case", "case", "count"),
    Field("cases", "cases"),
    Field("cause", "cause"),
    Field("change", "change"),
    Field("conflicting", "in conflict before", "count"),
    Field("cites", "rests on"),
    Field("concept", "concept"),
    Field("consent", "who consents"),
    Field("decided_by", "decided by"),
    Field("does", "what happened"),
    Field("first_answers", "answers when compared"),
    Field("flags", "to be said with it"),
    Field("group", "group"),
    Field("id", "no."),
    Field("items", "items", "count", "items to which somebody gave it"),
    Field("kept", "same answer", "count"),
    Field("leads_to", "leads to"),
    Field("left_out", "left out", "count", "not compared, see below"),
    Field("lost", "not compared now", "count", "declined, or no longer asked"),
    Field("means", "what it means"),
    Field("minute", "when (UTC)"),
    Field("note", "narrowed or waived, because"),
    Field("number", "no.", "count"),
    Field("objected", "objected"),
    Field("order", "order", "count"),
    Field("other", "another answer", "count", "agreed again, on another answer"),
    Field("lacks", "what is missing"),
    Field("outcome", "answer"),
    Field("part", "part"),
    Field("proof", "proof"),
    Field("provenance", "how it came about"),
    Field("questions", "questions"),
    Field("reason", "reason"),
    Field("record", "what must be recorded"),
    Field("release", "release", "count"),
    Field("reverse", "the other way", "count"),
    Field("roles", "roles"),
    Field("rounds", "carried out in"),
    Field("same", "same", "share", "observed agreement"),
    Field("says", "what there is"),
    Field("section", "section"),
    Field("settled", "agreed now", "count", "of those in conflict before"),
    Field("signed", "agreed"),
    Field("state", "state"),
    Field("status", "status"),
    Field("step", "step"),
    Field("times", "entered", "count", "how often"),
    Field("to", "to"),
    Field("way", "more often"),
    Field("training", "training"),
    Field("trigger", "because of"),
    Field("waits_for", "waits for"),
    Field("when", "when (UTC)"),
)


FIELDS: dict[str, Field] = {
    known.key: known
    for part in (
        GENERAL,
        AGREEMENT,
        DATA,
        CATEGORIES,
        CODERS,
        ITEMS,
        DIAGNOSIS,
        DECOMPOSITION,
        MODELS,
        SOFT_LABELS,
        ALT_TEST,
        CROWDTRUTH,
        SIMULATION,
        PROJECT,
    )
    for known in part
}
"""Every field by its key."""
