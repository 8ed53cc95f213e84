"""The procedure as a picture: its steps, the ways back, and where a project has been.

Plain SVG in the colours of `charts`, which the page of a report exchanges on a dark screen. Nothing
is said by colour alone: where a project stands is filled and says so, ways that were taken are bold
and numbered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from ..numbers import joined
from ..resolution.standing import STEPS, standing
from ..resolution.state import State
from ..resolution.words import Step
from .blocks import Picture
from .charts import BLUE, GREY, INK, LINE, VERMILION

__all__ = ["STEP_NUMBER", "WAYS", "Way", "not_performed", "procedure_picture", "procedure_svg"]

WIDTH, HEIGHT = 628, 690
FONT = "Helvetica, Arial, sans-serif"
WHITE = "#fefefe"  # exchanged for a dark colour on a dark screen
LEFT, RIGHT = 168, 388  # sides of the boxes of the steps
SMALL, USUAL = 11.5, 13
RESTS = 1.3  # width of a line

STEP_NUMBER = {step: number for number, step in enumerate(STEPS)}
"""The number of each of the six steps."""
_DARK = {INK: "#e4e7ea", GREY: "#a0a9b3", LINE: "#363d45", BLUE: "#5aa9e6", WHITE: "#10151a",
         VERMILION: "#f08a4b"}  # fmt: skip


@dataclass(frozen=True)
class _Box:
    """A step: its title, its top edge and height, its sides."""

    title: str
    y: float
    height: float = 46
    left: float = LEFT
    right: float = RIGHT
    number: str = ""


BOXES: dict[Step, _Box] = {
    Step.SETUP: _Box("Research set-up", 14, number="0"),
    Step.TASK: _Box("Task and guidelines", 96, number="1"),
    Step.ALIGNMENT: _Box("Conceptual alignment", 178, number="2"),
    Step.ANNOTATION: _Box("Individual annotation", 260, number="3"),
    Step.COMPARISON: _Box("Comparison", 342, number="4"),
    Step.RESOLUTION: _Box("Resolution of cases", 424, 160, number="5"),
    Step.FINISHED: _Box("Finished: released", 634),
    Step.HALTED: _Box("Halted", 520, 36, 456, 596),
    Step.ABANDONED: _Box("Abandoned", 572, 36, 456, 596),
}


@dataclass(frozen=True)
class Way:
    """One line of the picture.

    Parameters
    ----------
    key : str
        Its name.
    transitions : tuple of (int, Step)
        Numbers of the arrows of the procedure that it stands for, with the step each leads to.
    words : str
        When it is taken, for those who do not see the picture.
    """

    key: str
    transitions: tuple[tuple[int, Step], ...]
    words: str


S = Step
WAYS: dict[str, Way] = {
    way.key: way
    for way in (
        Way("0-1", ((1, S.TASK),), "step 0 to 1: a research question and a purpose are stated"),
        Way("1-2", ((3, S.ALIGNMENT),), "step 1 to 2: task and guidelines are ready"),
        Way("2-3", ((6, S.ANNOTATION), (13, S.ANNOTATION), (14, S.ANNOTATION)),
            "step 2 to 3: everybody has signed every key concept; a blind round opens"),
        Way("3-4", ((7, S.COMPARISON),), "step 3 to 4: the round closes"),
        Way("4-5", ((10, S.RESOLUTION),), "step 4 to 5: a case opens for each conflict"),
        Way("5-F", ((20, S.FINISHED), (21, S.FINISHED)),
            "step 5 to the end: every case is agreed, or declared unresolved"),
        Way("4-F", ((8, S.FINISHED), (9, S.FINISHED)),
            "step 4 to the end: nothing conflicts, or conflicts are not resolved"),
        Way("1-0", ((2, S.SETUP), (5, S.SETUP)), "back to step 0: research is needed first"),
        Way("2-1", ((4, S.TASK),), "step 2 back to 1: a concept needs clearer guidelines"),
        Way("5-3", ((19, S.ANNOTATION),), "step 5 back to 3: a round of re-annotation"),
        Way("5-2", ((12, S.ALIGNMENT),),
            "step 5 back to 2: knowledge was unequal or a concept unclear (causes b, a1-concept)"),
        Way("5-1", ((11, S.TASK),),
            "step 5 back to 1: task or guidelines unclear (causes a2, a1-task)"),
        Way("1-5", ((14, S.RESOLUTION), (15, S.RESOLUTION)),
            "step 1 back to 5: the guidelines changed, and nothing is annotated again"),
        Way("5-H", ((18, S.HALTED),), "step 5 halted: cases wait for research"),
        Way("H-5", ((23, S.SETUP), (23, S.TASK), (23, S.ALIGNMENT), (24, S.RESOLUTION)),
            "back from the halt: the research is done"),
        Way("5-X", ((17, S.ABANDONED),), "step 5 abandoned: no agreement on what the task is"),
        Way("X-1", ((16, S.TASK),), "a new task: everything begins again at step 1"),
        Way("F-0", ((22, S.SETUP), (22, S.TASK), (22, S.ALIGNMENT)), "reopened after a release"),
    )
}  # fmt: skip
"""Every line of the picture by its name; together they are the arrows of the procedure."""


def procedure_picture(state: State, title: str) -> Picture:
    """The procedure with the way that a project took.

    Parameters
    ----------
    state : State
    title : str
        What the picture shows, as a sentence.
    """
    left_out = not_performed(state)
    marks = {s.step: s.state for s in standing(state).steps}
    marks |= dict.fromkeys(left_out, "skipped")
    taken = _taken(state)
    words = [f"Where the project stands: {state.step.value}."]
    skipped = [f"step {STEP_NUMBER[step]} ({step.value})" for step in left_out]
    words += [f"Not performed: {joined(skipped)}."] if skipped else []
    words += [f"{WAYS[key].words} ({_times(n)})" for key, n in taken.items()]
    return Picture(title, procedure_svg(state.step, marks, taken), tuple(words))


def not_performed(state: State) -> tuple[Step, ...]:
    """Steps of which a deviation says that they were not performed, in their order."""
    codes = {deviation.code for deviation in state.deviations}
    return tuple(s for s, k in STEP_NUMBER.items() if f"step {k} not performed" in codes)


def _taken(state: State) -> dict[str, int]:
    """How often each line was taken, in the order of the picture."""
    moves = Counter((number, target) for _, number, target, _ in state.moves)
    n = {
        key: sum(moves[number, target.value] for number, target in way.transitions)
        for key, way in WAYS.items()
    }
    return {key: times for key, times in n.items() if times}


def _times(n: int) -> str:
    return "once" if n == 1 else "twice" if n == 2 else f"{n} times"


def procedure_svg(
    here: Step | None = None,
    marks: Mapping[Step, str] | None = None,
    taken: Mapping[str, int] | None = None,
    *,
    standalone: bool = False,
) -> str:
    """The picture as SVG.

    Parameters
    ----------
    here : Step, optional
        Where a project stands; filled.
    marks : mapping of Step to str, optional
        'done', 'skipped' … of the steps (`standing.StepDone.state`).
    taken : mapping of str to int, optional
        Name in `WAYS` → how often it was taken; these are bold.
    standalone : bool
        For a file of its own, which changes its colours on a dark screen by itself.

    Returns
    -------
    str

    Notes
    -----
    After the flowchart of Oortwijn et al. (2021, figure 1); where paper and chart differ it follows
    the paper.

    Examples
    --------
    >>> procedure_svg()[:29], procedure_svg() == procedure_svg()
    ('<svg role="img" aria-label="T', True)
    """
    done = dict(marks or {})
    lines = [line for key in WAYS for line in _way(key, dict(taken or {}))]
    boxes = [line for step in BOXES for line in _box(step, here, done.get(step, ""))]
    style = [_style()] if standalone else []
    label = "The procedure: six steps, and the ways back"
    head = (
        f'<svg role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg" '
        f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}">'
    )
    return "\n".join([head, *style, *lines, *boxes, "</svg>"])


def _style() -> str:
    rules = " ".join(
        f'[{what}="{light}"] {{ {what}: {dark}; }}'
        for light, dark in _DARK.items()
        for what in ("fill", "stroke")
    )
    return f"<style>@media (prefers-color-scheme: dark) {{ {rules} }}</style>"


# ------------------------------------------------------------------ boxes


def _box(step: Step, here: Step | None, mark: str) -> Iterator[str]:
    box, now = BOXES[step], step is here
    skipped = mark == "skipped"
    dash = ' stroke-dasharray="5 4"' if skipped else ""
    edge = BLUE if now else VERMILION if skipped else INK
    yield (
        f'<rect x="{box.left}" y="{box.y}" width="{box.right - box.left}" height="{box.height}" '
        f'rx="6" fill="{BLUE if now else WHITE}" stroke="{edge}" stroke-width="1.4"{dash}/>'
    )
    middle = box.y + min(box.height, 46) / 2
    ink = WHITE if now else INK
    says = {"done": "done", "skipped": "not performed"}.get(mark, "")
    if now:
        says = "here now; skipped before" if skipped else "here now"
    x = box.left + 14
    if box.number:
        yield _text(x, middle + 5, box.number, ink, 17, bold=True)
        x += 24
    yield _text(x, middle + (-2 if says else 4.5), box.title, ink, USUAL, bold=True)
    if says:
        yield _text(x, middle + 13, says, ink if now else GREY, SMALL)
    if step is Step.RESOLUTION:
        for k, line in enumerate(("reasons → cause → consent", "c, d, e are settled here")):
            yield _text(box.left + 14, box.y + 74 + 18 * k, line, ink if now else GREY, SMALL)


# ------------------------------------------------------------------ lines

_STRAIGHT = {
    "0-1": (S.SETUP, S.TASK), "1-2": (S.TASK, S.ALIGNMENT), "2-3": (S.ALIGNMENT, S.ANNOTATION),
    "3-4": (S.ANNOTATION, S.COMPARISON), "4-5": (S.COMPARISON, S.RESOLUTION),
    "5-F": (S.RESOLUTION, S.FINISHED),
}  # fmt: skip
_DOWN = {
    "0-1": "question, purpose", "1-2": "both are ready", "2-3": "all have signed",
    "3-4": "the round closes", "4-5": "conflicts", "5-F": "agreed, or left",
}  # fmt: skip
_MIDDLE = (LEFT + RIGHT) / 2
Points = tuple[tuple[float, float], ...]
_Place = tuple[float, float, str, tuple[str, ...]]


def _at(step: Step, dy: float = 23) -> float:
    return BOXES[step].y + dy


# Lines that turn: their corners, and where their words stand (x, y, anchor, lines).
_TURNS: dict[str, tuple[Points, _Place]] = {
    "1-0": (
        ((LEFT, _at(S.ALIGNMENT, 12)), (148, _at(S.ALIGNMENT, 12)), (148, _at(S.SETUP, 30)),
         (LEFT, _at(S.SETUP, 30))),
        (142, 66, "end", ("research", "needed")),
    ),
    "2-1": (
        ((LEFT, _at(S.ALIGNMENT, 30)), (128, _at(S.ALIGNMENT, 30)), (128, _at(S.TASK, 32)),
         (LEFT, _at(S.TASK, 32))),
        (122, 164, "end", ("guidelines", "unclear")),
    ),
    "4-F": (
        ((LEFT, _at(S.COMPARISON)), (128, _at(S.COMPARISON)), (128, _at(S.FINISHED, 14)),
         (LEFT, _at(S.FINISHED, 14))),
        (122, 470, "end", ("all agreed,", "or not", "resolved")),
    ),
    "F-0": (
        ((LEFT, _at(S.FINISHED, 34)), (28, _at(S.FINISHED, 34)), (28, _at(S.SETUP, 14)),
         (LEFT, _at(S.SETUP, 14))),
        (36, 300, "start", ("reopened",)),
    ),
    "5-3": (
        ((RIGHT, 440), (504, 440), (504, _at(S.ANNOTATION)), (RIGHT, _at(S.ANNOTATION))),
        (394, 435, "start", ("annotate again",)),
    ),
    "5-2": (
        ((RIGHT, 462), (530, 462), (530, _at(S.ALIGNMENT, 30)), (RIGHT, _at(S.ALIGNMENT, 30))),
        (394, 457, "start", ("b, a1-concept",)),
    ),
    "5-1": (
        ((RIGHT, 484), (556, 484), (556, _at(S.TASK, 38)), (RIGHT, _at(S.TASK, 38))),
        (394, 479, "start", ("a2, a1-task",)),
    ),
    "1-5": (
        ((RIGHT, _at(S.TASK, 22)), (582, _at(S.TASK, 22)), (582, 502), (RIGHT, 502)),
        (576, 112, "end", ("nothing to annotate again",)),
    ),
    "5-H": (((RIGHT, 530), (456, 530)), (394, 525, "start", ("research",))),
    "H-5": (((456, 546), (RIGHT, 546)), (0, 0, "start", ())),
    "5-X": (((RIGHT, 578), (456, 578)), (394, 573, "start", ("no task",))),
    "X-1": (
        ((596, 590), (612, 590), (612, _at(S.TASK, 4)), (RIGHT, _at(S.TASK, 4))),
        (606, 93, "end", ("new task",)),
    ),
}  # fmt: skip


def _way(key: str, taken: Mapping[str, int]) -> Iterator[str]:
    n = taken.get(key, 0)
    faint = not n and key in ("F-0", "1-5", "X-1", "H-5")
    colour = BLUE if n else GREY
    if key in _STRAIGHT:
        source, target = (BOXES[step] for step in _STRAIGHT[key])
        points: Points = ((_MIDDLE, source.y + source.height), (_MIDDLE, target.y))
        place: _Place = (_MIDDLE + 9, (points[0][1] + points[1][1]) / 2 + 3, "start", (_DOWN[key],))
    else:
        points, place = _TURNS[key]
    yield _line(points, colour, RESTS + (1.4 if n else 0), dashed=faint)
    x, y, anchor, lines = place
    for k, line in enumerate(lines):
        last = k == len(lines) - 1
        times = f" ({n} ×)" if n > 1 and last else ""
        yield _text(x, y + 14 * k, line + times, INK if n else GREY, SMALL, anchor, bold=bool(n))


def _line(points: Points, colour: str, width: float, *, dashed: bool) -> str:
    path = "M" + "L".join(f"{x:g},{y:g}" for x, y in points)
    dash = ' stroke-dasharray="2 3"' if dashed else ""
    (x0, y0), (x, y) = points[-2], points[-1]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    long, half = 8, 4
    tip = (
        f"M{x},{y}L{x - long * dx - half * dy:g},{y - long * dy - half * dx:g}"
        f"L{x - long * dx + half * dy:g},{y - long * dy + half * dx:g}Z"
    )
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}/>'
        f'<path d="{tip}" fill="{colour}"/>'
    )


def _text(
    x: float, y: float, text: str, colour: str, size: float, anchor: str = "start",
    bold: bool = False,
) -> str:  # fmt: skip
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size:g}" '
        f'text-anchor="{anchor}"{weight}>{escape(text, quote=False)}</text>'
    )
