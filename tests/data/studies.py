"""Small annotation studies drawn from a seed: items, coders, questions and what was answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from .judging import Annotation, Cell, Labels, Truth

SCALES: dict[str, tuple[tuple[Cell, ...], ...]] = {
    "words": (
        ("pro", "con", "neutral"),
        ("joy", "anger", "fear", "sadness", "surprise"),
        ("Fakten", "Meinung", "Gerücht", "Müll"),
        ("offensive", "not offensive"),
        ("claim", "premise", "background", "anecdote", "statistics", "testimony", "other"),
    ),
    "integers": ((1, 2, 3, 4, 5), (0, 1, 2), (1, 2, 3, 4, 5, 6, 7), (0, 1)),
    "half points": ((1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0),),
    "ten": ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10),),
    "yes/no": (("Yes", "No"), ("ja", "nein")),
    "agreement words": (
        ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
        ("low", "medium", "high"),
    ),
    "codes": (("A01", "A02", "B01", "C07"), (101, 102, 204, 310), ("Q12", "Q45", "Q7")),
}
ORDERED = ("integers", "ten", "half points", "agreement words")
QUESTIONS = ("role", "rating", "stance", "quality", "relevance", "tone")
PEOPLE = ("Anna", "Ben", "Cem", "Jürgen", "Zoë", "Fatima", "Lena", "Oskar")
MODELS = ("gpt-4o", "claude-3-opus", "llama-3-70b", "mistral-large", "gemini-pro")
SUBJECTS = ("The café owner", "A neighbour", "Frau Müller", "My sister", "The minister", "Nobody")
VERBS = ("said that", "never believed that", "wrote to us that", "was glad that", "denied that")
ENDS = ("the bus was late", "taxes would rise", "größere Häuser cost more", "it rained", "we won")


@dataclass(frozen=True)
class Question:
    """A question and its categories; ``many`` if an answer is a set of labels."""

    name: str
    scale: str
    categories: tuple[Cell, ...]
    many: bool = False


@dataclass(frozen=True)
class Study:
    """Latent data: ``labels[question, item, coder]`` of those that were answered."""

    ids: tuple[Cell, ...]
    texts: tuple[str, ...]
    coders: tuple[str, ...]
    questions: tuple[Question, ...]
    labels: Mapping[tuple[int, int, int], Labels]
    gold: Mapping[tuple[int, int], Labels]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Items and coders with an annotation."""
        return sorted({(i, j) for _, i, j in self.labels})

    def truth(self, known_by: Literal["name", "order", "any"] = "name") -> Truth:
        """Everything that was answered."""
        said = [
            Annotation(self.ids[i], self.questions[q].name, self.coders[j], x)
            for (q, i, j), x in self.labels.items()
        ]
        return Truth(tuple(said), self.coders, known_by)


class Design(Random):
    """The choices for one variant: a source of randomness that knows what was chosen before."""

    extras: frozenset[str] = frozenset()
    header: str = "plain"
    separator: str = "; "
    blank: Cell = None

    def chance(self, p: float) -> bool:
        return self.random() < p

    def pick(self, *options: Any) -> Any:
        return self.choice(options)


def coder_names(d: Design, n: int) -> tuple[str, ...]:
    """Names of coders as they stand in headers."""
    style = d.pick(
        *(
            "people",
            "people",
            "series",
            "series",
            "letters",
            "unlike",
            "mail",
            "doctors",
            "numbers",
        ),
        *("abroad",),
    )
    series = d.pick("rater", "annotator", "coder_", "Annotator ", "R")
    if style == "series":
        return tuple(f"{series}{k + 1}" for k in range(n))
    if style == "numbers":
        return tuple(str(k + 1) for k in range(n))
    if style == "abroad":
        return tuple(d.sample(("María", "Иван", "Ольга", "李雷", "José", "Αλέξης", "Łukasz"), n))
    if style == "letters":
        return tuple("ABCDEF"[:n])
    if style == "unlike" and n > 2:
        return (*(f"{series}{k + 1}" for k in range(n - 1)), d.pick("Maria", "chatgpt", "GPT-4"))
    if style == "doctors":
        return tuple(f"Dr {x}" if k < 2 else "nurse" for k, x in enumerate(d.sample(PEOPLE, n)))[:3]
    names = d.sample(PEOPLE, n)
    ascii_names = [x.replace("ü", "ue").replace("ë", "e") for x in names]
    return tuple(f"{x.lower()}@uni.de" for x in ascii_names) if style == "mail" else tuple(names)


def study(
    d: Design,
    *,
    questions: int = 1,
    scales: Sequence[str] = tuple(SCALES),
    items: tuple[int, int] = (12, 40),
    coders: tuple[int, int] = (2, 6),
    many: bool = False,
    full: bool = False,
    names: Callable[[Design, int], tuple[str, ...]] = coder_names,
) -> Study:
    """Labels of coders who are right by skill or draw from the shares; κ is about skill²."""
    n = d.randint(*items)
    who = names(d, d.randint(*coders))
    style = d.pick("t{:02}", "doc_{}", "{}", "17000{:05}", "S-{:03}")
    ids = tuple(style.format(k + 1) for k in range(n))
    sentences = [f"{a} {b} {c}." for a in SUBJECTS for b in VERBS for c in ENDS]
    asked: list[Question] = []
    while not asked or (questions > 1 and all(len(x.categories) == 2 for x in asked)):
        asked = []  # several questions of yes and no may as well be ticks
        for name in d.sample(QUESTIONS, questions):
            scale = "words" if many else d.choice(scales)
            sets = [x for x in SCALES[scale] if not many or len(x) > 3]
            asked.append(Question(name, scale, d.choice(sets), many))
    while True:
        missing = 0 if full or d.chance(0.5) else d.uniform(0.05, 0.25)
        skill = d.uniform(0.2, 0.9) ** 0.5
        labels, gold = {}, {}
        for q, question in enumerate(asked):
            k = len(question.categories)
            shares = [d.uniform(0.4, 1.6) for _ in range(k)]
            for i in range(n):
                true = d.choices(range(k), shares, k=d.randint(1, 2) if many else 1)
                gold[q, i] = tuple({question.categories[x] for x in true})
                for j in range(len(who)):
                    if (q and (0, i, j) not in labels) or (not q and d.chance(missing)):
                        continue
                    near = [min(k - 1, max(0, x + d.pick(-1, 1))) for x in true]
                    wrong = near if question.scale in ORDERED and d.chance(0.5) else None
                    said = [
                        x if d.chance(skill) else (wrong or d.choices(range(k), shares))[0]
                        for x in true
                    ]
                    labels[q, i, j] = tuple(question.categories[x] for x in sorted({*said}))
        made = Study(ids, tuple(d.sample(sentences, n)), who, tuple(asked), labels, gold)
        if _plain(made):
            return made


def _plain(s: Study) -> bool:
    """No question, coder or item is degenerate, so that a person would know what is what."""
    for q, question in enumerate(s.questions):
        by_coder = [
            tuple(s.labels.get((q, i, j)) for i in range(len(s.ids))) for j in range(len(s.coders))
        ]
        if any(len({*x} - {None}) < 2 for x in by_coder) or len({*by_coder}) < len(by_coder):
            return False
        if question.scale != "ten" and {x for said in s.labels.values() for x in said}.isdisjoint(
            question.categories[-1:]
        ):
            return False
    return len({i for i, _ in s.pairs}) == len(s.ids)
