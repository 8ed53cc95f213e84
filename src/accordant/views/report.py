"""The report of annotations: one page that answers, and chapters behind it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from .._version import __version__
from ..actions import Action
from ..api.diagnosis import decompose
from ..api.model_use import model_as_coder
from ..data.annotations import Annotations
from ..data.read import read
from ..decomposition.decompositions import Explored
from ..decomposition.partition import abridged
from ..diagnosis.agreement_table import AgreementTable
from ..diagnosis.diagnose import Diagnosis, Part, diagnose
from ..diagnosis.item_agreement import ItemAgreement
from ..errors import AccordantError, RequestError, unknown
from ..literature import LITERATURE, cite
from ..messages import quoted
from ..models.alternative_test import ModelAsCoder
from ..models.call import fitted as fitted_model
from ..models.gold import Gold, coder_beside, gold_labels, gold_of_question
from ..models.model import DEFAULT, Model, model_of
from ..models.posterior import Posterior
from ..models.set_posterior import SetPosterior
from ..numbers import count_of, percent
from ..scheme import Value
from .answer import FirstPage, answer
from .blocks import Finding, Prose, References
from .cell_items import Collector, gathered
from .chapters import CHAPTERS, ChapterPart, chapters, in_short
from .coefficient_names import measurements
from .coefficient_tables import basis_of
from .document import Document, Section
from .fit_part import FitPart
from .methods import references_section
from .next_steps import followed, with_source
from .view import named

CATEGORIES = range(4, 21)  # so many are taken apart; of fewer or more none
MOST_STATES = 64  # different sets of labels
MOST_WORK = 1_500_000  # patterns of annotation x pairs of coders: a quarter of a second
MOST_PARTITIONS = 8


@dataclass(frozen=True, eq=False, repr=False)
class Report(Document):
    """What is known about the reliability of annotations, as a document; see `accordant.report`."""

    def printed(self, *, full: bool) -> tuple[Section, ...]:
        """Each chapter with its sentence and one table, or in full."""
        return self.sections if full else tuple(map(in_short, self.sections))


def report_of(
    table: AgreementTable,
    *,
    title: str | None,
    gold: Gold | None,
    fit: Fit,
    models: Any,
    benchmark: str,
) -> Report:
    """The report of measured data; `accordant.report` explains the parameters."""
    named = {True: "all", False: "none"}.get(fit, fit) if isinstance(fit, bool) else fit
    own = {"gold": gold, "fit": named, "models": models}
    said = {name: x for name, x in own.items() if x is not None}
    said |= {"benchmark": benchmark} if benchmark != "krippendorff" else {}
    called = replace(table.called, name="report", options={**table.called.options, **said})
    first = answer(table, benchmark)
    found = _diagnosed(table, gold)
    made = fits(found, {"none": False, "all": True}.get(str(fit), fit), gold)
    beside = standing(found, models)
    levels = tuple(_hierarchies(found))
    found = _named_elsewhere(found, levels)
    told = chapters(_told(table, found, made, beside, levels), first.rising, first.few)
    kept = Collector()
    sections = tuple(gathered(section, kept) for section in _sections(told, first, made))
    opening = tuple(_opening(told, first))
    whole = followed((*opening, *sections), called)
    whole = whole if called.files else tuple(with_source(whole))
    return Report(
        title=title or first.headline,
        overline=f"Agreement between coders · Accordant {__version__}",
        verdict=(first.headline,) if title else (),
        figures=(),
        sections=whole[len(opening) :],
        evidence=kept.evidence(),
        table=table,
        basis=_basis(first),
        opening=whole[: len(opening)],
    )


def _diagnosed(table: AgreementTable, gold: Gold | None) -> Diagnosis:
    if gold is None:
        return table.diagnosis
    coder, beside = coder_beside(gold, table.data)
    return diagnose(
        table.data,
        weights=table.weights,
        level=table.diagnosis.pooled.level,
        gold=coder,
        beside=beside,
        measured=table.rows,
    )


def _told(
    table: AgreementTable,
    found: Diagnosis,
    made: Sequence[Fitted],
    beside: Sequence[ModelAsCoder],
    levels: Sequence[Explored],
) -> Iterator[ChapterPart]:
    """Every result of which there are chapters, question by question, the whole last."""
    yield from (ChapterPart("compare-models", one) for one in beside)
    alike = len(found.each) == 1 or found.same_scheme
    listed = frozenset({"references"})  # with those of everything else, at the end
    for row in table.told_parts:
        yield ChapterPart("agreement", row, {}, listed, alike or row.question is not None)
    for kind in ("diagnose", "describe"):
        if kind == "diagnose" and not found.pooled.coverage.n_pairable:
            continue
        for part in found.parts:
            yield ChapterPart(kind, part, beside=alike or part.question is not None)
    for one in made:
        if one.fitted is not None:
            yield one.told
    yield from (ChapterPart("decompose", one) for one in levels)


def _sections(
    told: Mapping[str, Section], first: FirstPage, made: Sequence[Fitted]
) -> Iterator[Section]:
    """All chapters in the order of reading; with few items every one says so."""
    own = dict(told)
    for key, section in _about_models(told, made):
        own[key] = section
    own["data"] = replace(own["data"], lead=f"{', '.join(_basis(first))}.")
    yield from (own[key] for key in CHAPTERS if key in own)
    cited = references_section(first.table, _sources(own.values(), made))
    yield replace(cited, blocks=tuple(b for b in cited.blocks if isinstance(b, References)))


def _about_models(
    told: Mapping[str, Section], made: Sequence[Fitted]
) -> Iterator[tuple[str, Section]]:
    """Estimated labels with what the model cannot say, or why there is no model."""
    key = "estimated_labels"
    reasons = tuple(dict.fromkeys(one.reason for one in made if one.reason))
    unused = dict.fromkeys(name for one in made for name in one.unused)
    offered = (
        Prose(
            f"The column {quoted(name)} seems to hold known labels; they were not used.",
            do=(Action("report", {"gold": name}, "score by them"),),
        )
        for name in unused
    )
    if key in told:
        yield key, replace(told[key], blocks=(*told[key].blocks, *map(Prose, reasons), *offered))
    elif reasons:
        yield key, Section(key, CHAPTERS[key], reasons[0])


def _sources(sections: Iterable[Section], made: Sequence[Fitted]) -> set[str]:
    """Keys of the literature that findings and models cite."""
    keys = {cite(key): key for key in LITERATURE}
    blocks = (block for section in sections for block in section.every_block())
    cited = {text for block in blocks if isinstance(block, Finding) for text in block.sources}
    of_models = {key for one in made if one.fitted is not None for key in one.model.sources}
    return of_models | {keys[text] for text in cited if text in keys}


def _opening(told: Mapping[str, Section], first: FirstPage) -> Iterator[Section]:
    """The first page; humans against models come first, the chapter follows in full."""
    if "alt_test" in told:
        yield replace(told["alt_test"], blocks=(), key="models-first")
    yield from first.sections()
    paragraph = named("agreement", "methods-paragraph")
    blocks = paragraph.section(first.table.told_parts, benchmark=first.scale.key).blocks
    yield Section("paragraph", paragraph.title, "", blocks)


def _basis(first: FirstPage) -> tuple[str, ...]:
    """What the report rests on, with the name of the file and what is missing."""
    table = first.table
    data, n = table.data, table.told_parts[-1].rows[0].n_annotations
    cells = len(data.items) * len(data.coders) * len(data.questions)
    some = n < cells and not data.anonymous
    missing = [f"{percent(1 - n / cells)} missing"] if some else []
    *facts, annotations = basis_of(table)
    return (*filter(None, [first.file]), *facts, ", ".join([annotations, *missing]))


# ------------------------------------------------------------------ hierarchical agreement


def _hierarchies(found: Diagnosis) -> Iterator[Explored]:
    """The best partitions of the values of each question; none where there is no use."""
    for part in found.each:
        counts = part.counts
        work = counts.n_patterns * max(1, counts.n_coders * (counts.n_coders - 1) // 2)
        if work > MOST_WORK or not _worthwhile(part):
            continue
        try:
            made = decompose(part.data, most=MOST_PARTITIONS, level=part.level)
        except RequestError:  # all annotations alike, nobody compared
            continue
        if made.parts and made.rows:
            yield made.parts[0]


def _named_elsewhere(found: Diagnosis, levels: Sequence[Explored]) -> Diagnosis:
    """The diagnosis that says of no question that nothing stands out where a level does."""
    rules = {one.question: one.headline.rule for one in levels if one.headline is not None}
    each = []
    for part in found.each:
        rule = rules.get(part.question)
        none = rule is not None and any(f.code == "no_pattern" for f in part.patterns)
        named = f"hierarchical agreement ({abridged(rule or '')})"
        each.append(replace(part, elsewhere=(named,)) if none else part)
    pooled = each[0] if len(each) == 1 else found.pooled
    return replace(found, each=tuple(each), pooled=pooled)


def _worthwhile(part: Part) -> bool:
    """Whether the values of a question are few enough, and not too few, to be taken apart."""
    counts = part.counts
    if not part.items.n_disputed:
        return False
    if counts.of_sets:
        return 4 <= counts.n_values <= MOST_STATES
    return part.scheme.scale == "nominal" and counts.n_values in CATEGORIES


# ------------------------------------------------------------------ models behind a report


Fit: TypeAlias = str | bool | None

FEWEST = 3  # coders
QUICK = 10_000  # annotations x labels; with more only what is fast is done unasked
TOO_MANY = 3_000_000  # the same; with more nothing is done unasked
MOST_LABELS = 30  # of sets, each of which has a model of its own; the same
FEW_LABELS = 12  # of sets, with which everything is looked at
MOST_CELLS = 4_000_000  # of all confusion matrices


@dataclass(frozen=True, eq=False)
class Fitted(FitPart):
    """What a model makes of one question of a report, or why there is none.

    Parameters
    ----------
    part : Part
        The diagnosis of the question.
    reason : str
        Why there is no model: a sentence. Empty if there is one.
    thorough : bool
        Whether what takes longer is done too.
    known : mapping
        Item to right label, which the model has not seen.
    unused : tuple of str
        Columns about the items that look like known labels and were not asked for.
    """

    fitted: Posterior | SetPosterior | None
    part: Part
    reason: str = ""
    thorough: bool = True
    known: Mapping[Hashable, Value] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    @property
    def question(self) -> str | None:
        """That of the diagnosis."""
        return self.part.question

    @property
    def diagnosed(self) -> ItemAgreement:
        """The items as the report knows them."""
        return self.part.items

    @property
    def told(self) -> ChapterPart:
        """As the report tells it."""
        options = {"truth": dict(self.known) or None, "level": self.part.level}
        out = set() if self.known else {"scores", "calibration"}
        if not self.thorough or not self.believes:
            out.add("ambiguity")
        return ChapterPart("fit", self, options, frozenset(out))


def coder_of(gold: Gold | None, data: Annotations) -> str | None:
    """The coder who holds the known labels, if it is one."""
    coders = (*data.coders, *(data.persons or ()))
    return gold if isinstance(gold, str) and gold in coders else None


def fits(found: Diagnosis, fit: Fit, gold: Gold | None = None) -> tuple[Fitted, ...]:
    """A model for each question, or why there is none.

    Parameters
    ----------
    found : Diagnosis
    fit : str, bool or None
        The key of a model; True for the usual one; None for the usual one, but only what goes
        quickly; False for none.
    gold : str, path, mapping or frame, optional
        The coder whose labels are right, or known labels as in `gold_labels`.

    Raises
    ------
    InputError
        If known labels cannot be read.
    RequestError
        If there is no such model, or nothing to score by known labels.
    """
    if fit is False:
        if gold is not None and coder_of(gold, found.data) is None:
            raise RequestError(
                "known labels need a model: leave them out, or name the coder whose labels are "
                "right",
                parameter="gold",
            )
        return ()
    asked = fit is not None
    model = model_of(fit if isinstance(fit, str | Model) else DEFAULT)
    return tuple(_fitted(part, model, asked, gold, found.data) for part in found.each)


def _fitted(part: Part, model: Model, asked: bool, gold: Gold | None, every: Annotations) -> Fitted:
    data = part.data
    known: Mapping[Hashable, Value] = {}
    holder = coder_of(gold, data)
    if gold is not None and coder_of(gold, every) is None:
        own = gold_of_question(gold, str(part.question or every.questions[0]), every)
        known = {} if own is None else gold_labels(own, data).labels
    if reason := next(_against(part, data, asked), ""):
        return Fitted(None, part, reason)
    try:
        if holder is not None:
            known, holders, *_ = gold_labels(holder, data)
            persons = zip(data.coders, data.persons or data.coders, strict=True)
            data = data.of_coders([c for c, person in persons if not {c, person} & {*holders}])
            if reason := next(_against(part, data, asked), ""):
                return Fitted(
                    None, part, f"Without {holder}, whose labels count as right: {reason}"
                )
        quick = _labels(part) <= FEW_LABELS and len(data.answered) * _labels(part) <= QUICK
        raw = fitted_model(data, model, restarts=None if quick or asked else 0)
    except AccordantError as error:
        return Fitted(None, part, f"{model.name} could not be fitted: {error}.")
    if not isinstance(raw, Posterior | SetPosterior):
        return Fitted(None, part, "Each question has a model of its own.")
    unused = () if known else data.gold
    return Fitted(raw, part, "", asked or quick, known, unused)


def _labels(part: Part) -> int:
    """How many models there are: of sets one for each label."""
    return max(len(part.scheme.categories), 1) if part.counts.of_sets else 1


def _against(part: Part, data: Annotations, asked: bool) -> Iterator[str]:
    """Why no model of coders fits these annotations, if none does."""
    if data.anonymous:
        yield "The data do not say who annotated what."
        return
    if part.continuous:
        yield f"{measurements(part)} Models of coders are about labels from a list of categories."
    if not part.coverage.n_pairable:
        yield "No item has two annotations."
    if part.counts.n_values < 2:
        yield "All annotations are the same."
    n_coders = len(np.unique(data.answered.coder))
    if n_coders < FEWEST:
        yield (
            f"{'One coder' if n_coders == 1 else 'Two coders'} cannot show who is right: a third "
            "coder, or items whose label is known, would."
        )
    if asked:
        return
    late = "it takes long and was not asked for"
    k, n, n_models = len(part.scheme.categories), len(data.answered), _labels(part)
    if not part.counts.of_sets and len(data.coders) * k * k > MOST_CELLS:
        yield f"No model of {count_of(len(data.coders), 'coder')} with {k:,} categories: {late}."
    if n_models > MOST_LABELS:
        yield f"Each of {n_models:,} labels would have a model of its own: {late}."
    if n * n_models > TOO_MANY:
        yield f"No model of {count_of(n, 'annotation')}: {late}."


# ------------------------------------------------------------------ models beside humans


def standing(diagnosed: Diagnosis, models: Any) -> tuple[ModelAsCoder, ...]:
    """Every question's models beside its humans.

    Parameters
    ----------
    diagnosed : Diagnosis
    models : str, sequence of str, or a source
        As in `model_as_coder`; None for none.

    Raises
    ------
    RequestError
        If nobody is a model or a human.
    """
    if models is None:
        return ()
    names = [models] if isinstance(models, str) else models
    named = isinstance(names, list | tuple) and all(isinstance(x, str) for x in names)
    inside = named and (not names or any(x in diagnosed.data.coders for x in names))
    if named and not inside and not all(Path(name).exists() for name in names):
        hint = "Models are coders of the data, or a file"
        raise unknown("coder", names[0], diagnosed.data.coders, hint=hint, parameter="models")
    other = None if inside else read(models)
    each = [(part, names if other is None else _of(other, part)) for part in diagnosed.each]
    if not any(own is not None for _, own in each):
        raise RequestError("the file has none of the questions of the data", parameter="models")
    return tuple(
        model_as_coder(part.data, own, level=part.level) for part, own in each if own is not None
    )


def _of(other: Annotations, part: Part) -> Annotations | None:
    """The annotations of one question by models from another source."""
    if part.question is None:
        return other
    return other.of_question(part.question) if part.question in other.questions else None
