"""The report of annotations: one page that answers, and chapters behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._version import __version__
from ..api.diagnosis import decompose
from ..decomposition.decompositions import Explored
from ..diagnosis.agreement import AgreementTable
from ..diagnosis.diagnose import Diagnosis, Part, diagnose
from ..diagnosis.words import quoted
from ..errors import RequestError
from ..literature import LITERATURE, cite
from ..models.alternative_test import ModelAsCoder
from ..models.gold import Gold
from ..numbers import percent
from .answer import Answer, answer
from .blocks import Finding, Prose, References
from .chapters import CHAPTERS, Told, chapters, in_short
from .coefficients import basis_of
from .document import Document, Section
from .evidence import Collector, gathered
from .methods import references_section
from .next_steps import followed, with_source
from .report_models import Fit, Fitted, coder_of, fits, standing
from .view import named

__all__ = ["Report", "report_of"]

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
    own = {"gold": gold, "fit": fit, "models": models, "benchmark": benchmark}
    said = {name: x for name, x in own.items() if x is not None and x != "krippendorff"}
    called = replace(table.called, name="report", options={**table.called.options, **said})
    first = answer(table, benchmark)
    found = _diagnosed(table, coder_of(gold, table.data))
    made = fits(found, {"none": False, "all": True}.get(str(fit), fit), gold)
    beside = standing(found, models)
    told = chapters(_told(table, found, made, beside), first.rising, first.few)
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


def _diagnosed(table: AgreementTable, gold: str | None) -> Diagnosis:
    if gold is None:
        return table.diagnosis
    return diagnose(
        table.data,
        weights=table.weights,
        level=table.diagnosis.pooled.level,
        gold=gold,
        measured=table.rows,
    )


def _told(
    table: AgreementTable, found: Diagnosis, made: Sequence[Fitted], beside: Sequence[ModelAsCoder]
) -> Iterator[Told]:
    """Every result of which there are chapters, question by question, the whole last."""
    yield from (Told("compare-models", one) for one in beside)
    alike = len(found.each) == 1 or found.same_scheme
    listed = frozenset({"references"})  # with those of everything else, at the end
    for row in table.told_parts:
        yield Told("agreement", row, {}, listed, alike or row.question is not None)
    for kind in ("diagnose", "describe"):
        if kind == "diagnose" and not found.pooled.coverage.n_pairable:
            continue
        for part in found.parts:
            yield Told(kind, part, beside=alike or part.question is not None)
    for one in made:
        if one.fitted is not None:
            yield one.told
    yield from (Told("decompose", one) for one in _hierarchies(found))


def _sections(
    told: Mapping[str, Section], first: Answer, made: Sequence[Fitted]
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
    more = [
        *reasons,
        *(
            f"The column {quoted(name)} seems to hold known labels; they were not used."
            for name in unused
        ),
    ]
    if key in told:
        yield key, replace(told[key], blocks=(*told[key].blocks, *map(Prose, more)))
    elif reasons:
        yield key, Section(key, CHAPTERS[key], reasons[0])


def _sources(sections: Iterable[Section], made: Sequence[Fitted]) -> set[str]:
    """Keys of the literature that findings and models cite."""
    keys = {cite(key): key for key in LITERATURE}
    blocks = (block for section in sections for block in section.every_block())
    cited = {text for block in blocks if isinstance(block, Finding) for text in block.sources}
    of_models = {key for one in made if one.fitted is not None for key in one.model.sources}
    return of_models | {keys[text] for text in cited if text in keys}


def _opening(told: Mapping[str, Section], first: Answer) -> Iterator[Section]:
    """The first page; humans against models come first, the chapter follows in full."""
    if "alt_test" in told:
        yield replace(told["alt_test"], blocks=(), key="models-first")
    yield from first.sections()
    paragraph = named("agreement", "methods-paragraph")
    blocks = paragraph.section(first.table.told_parts, benchmark=first.scale.key).blocks
    yield Section("paragraph", paragraph.title, "", blocks)


def _basis(first: Answer) -> tuple[str, ...]:
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


def _worthwhile(part: Part) -> bool:
    """Whether the values of a question are few enough, and not too few, to be taken apart."""
    counts = part.counts
    if not part.items.n_disputed:
        return False
    if counts.of_sets:
        return 4 <= counts.n_values <= MOST_STATES
    return part.scheme.scale == "nominal" and counts.n_values in CATEGORIES
