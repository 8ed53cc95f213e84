"""The procedure as a picture: its steps, the ways back, and where a project has been.

Plain SVG in the colours of `charts`, which the page of a report exchanges on a dark screen. Nothing
is said by colour alone: where a project stands is filled and says so, ways that were taken are bold
and numbered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from typing import NamedTuple

from ..numbers import how_often, joined
from ..resolution.standing import STEPS, standing
from ..resolution.state import State
from ..resolution.transitions import TRANSITIONS
from ..resolution.words import Step
from .blocks import Prose
from .charts import BLUE, GREY, INK, LINE, VERMILION

__all__ = ["STEP_NUMBER", "WAYS", "not_performed", "procedure_picture", "procedure_svg", "states"]

WIDTH, HEIGHT = 628, 690
FONT = "Helvetica, Arial, sans-serif"
WHITE = "#fefefe"  # exchanged for a dark colour on a dark screen
LEFT, RIGHT = 168, 388  # sides of the boxes of the steps
SMALL, USUAL = 11.5, 13
RESTS = 1.3  # width of a line

STEP_NUMBER = {step: number for number, step in enumerate(STEPS)}
"""The number of each of the six steps."""
HERE, SKIPPED_HERE, NOT_PERFORMED = "here now", "here now; skipped before", "not performed"
_DARK = {
    INK: "#e4e7ea",
    GREY: "#a0a9b3",
    LINE: "#363d45",
    BLUE: "#5aa9e6",
    WHITE: "#10151a",
    VERMILION: "#f08a4b",
}
Points = tuple[tuple[float, float], ...]


class _Box(NamedTuple):
    """A step: its title, its top edge and height, its sides."""

    title: str
    y: float
    height: float = 46
    left: float = LEFT
    right: float = RIGHT


BOXES: dict[Step, _Box] = {
    Step.SETUP: _Box("Research set-up", 14),
    Step.TASK: _Box("Task and guidelines", 96),
    Step.ALIGNMENT: _Box("Conceptual alignment", 178),
    Step.ANNOTATION: _Box("Individual annotation", 260),
    Step.COMPARISON: _Box("Comparison", 342),
    Step.RESOLUTION: _Box("Resolution of cases", 424, 160),
    Step.FINISHED: _Box("Finished: released", 634),
    Step.HALTED: _Box("Halted", 520, 36, 456, 596),
    Step.ABANDONED: _Box("Abandoned", 572, 36, 456, 596),
}


class Way(NamedTuple):
    """One line of the picture.

    Parameters
    ----------
    transitions : tuple of (int, Step)
        Numbers of the arrows of the procedure that it stands for, with the step each leads to.
    points : tuple of (float, float)
        Its corners.
    label : str
        What stands beside it, line by line.
    at : (float, float, str)
        Where the first line stands, and its anchor.
    faint : bool
        Whether it is dotted as long as it was not taken.
    """

    transitions: tuple[tuple[int, Step], ...]
    points: Points
    label: str
    at: tuple[float, float, str]
    faint: bool = False


def _down(source: Step, target: Step, numbers: tuple[int, ...], label: str) -> Way:
    """The way from one step to the next."""
    start, end, middle = BOXES[source].y + BOXES[source].height, BOXES[target].y, (LEFT + RIGHT) / 2
    arrows = tuple((number, target) for number in numbers)
    place = (middle + 9, (start + end) / 2 + 3, "start")
    return Way(arrows, ((middle, start), (middle, end)), label, place)


def _turn(x: float, start: float, end: float) -> Points:
    """From a side of the boxes to a line beside them, along it and back."""
    side = LEFT if x < LEFT else RIGHT
    return ((side, start), (x, start), (x, end), (side, end))


S = Step
WAYS: dict[str, Way] = {
    "0-1": _down(S.SETUP, S.TASK, (1,), "question, purpose"),
    "1-2": _down(S.TASK, S.ALIGNMENT, (3,), "both are ready"),
    "2-3": _down(S.ALIGNMENT, S.ANNOTATION, (6, 13, 14), "all have signed"),
    "3-4": _down(S.ANNOTATION, S.COMPARISON, (7,), "the round closes"),
    "4-5": _down(S.COMPARISON, S.RESOLUTION, (10,), "conflicts"),
    "5-F": _down(S.RESOLUTION, S.FINISHED, (20, 21), "agreed, or left"),
    "4-F": Way(
        ((8, S.FINISHED), (9, S.FINISHED)),
        _turn(128, 365, 648),
        "all agreed,\nor not\nresolved",
        (122, 470, "end"),
    ),
    "1-0": Way(
        ((2, S.SETUP), (5, S.SETUP)), _turn(148, 190, 44), "research\nneeded", (142, 66, "end")
    ),
    "2-1": Way(((4, S.TASK),), _turn(128, 208, 128), "guidelines\nunclear", (122, 164, "end")),
    "4-1": Way(
        ((25, S.TASK), (25, S.ALIGNMENT)),
        _turn(148, 354, 216),
        "question\nunclear",
        (142, 250, "end"),
        faint=True,
    ),
    "5-3": Way(((19, S.ANNOTATION),), _turn(504, 440, 283), "annotate again", (394, 435, "start")),
    "5-2": Way(((12, S.ALIGNMENT),), _turn(530, 462, 208), "b, a1-concept", (394, 457, "start")),
    "5-1": Way(((11, S.TASK),), _turn(556, 484, 134), "a2, a1-task", (394, 479, "start")),
    "1-5": Way(
        ((14, S.RESOLUTION), (15, S.RESOLUTION)),
        _turn(582, 118, 502),
        "nothing to annotate again",
        (576, 112, "end"),
        faint=True,
    ),
    "5-H": Way(((18, S.HALTED),), ((RIGHT, 530), (456, 530)), "research", (394, 525, "start")),
    "H-5": Way(
        ((23, S.SETUP), (23, S.TASK), (23, S.ALIGNMENT), (24, S.RESOLUTION)),
        ((456, 546), (RIGHT, 546)),
        "done",
        (394, 559, "start"),
        faint=True,
    ),
    "5-X": Way(((17, S.ABANDONED),), ((RIGHT, 578), (456, 578)), "no task", (394, 573, "start")),
    "X-1": Way(
        ((16, S.TASK),),
        ((596, 590), (612, 590), (612, 100), (RIGHT, 100)),
        "new task",
        (606, 93, "end"),
        faint=True,
    ),
    "F-0": Way(
        ((22, S.SETUP), (22, S.TASK), (22, S.ALIGNMENT), (22, S.COMPARISON)),
        _turn(28, 668, 28),
        "reopened",
        (36, 300, "start"),
        faint=True,
    ),
}
"""Every line of the picture by its name; together they are the arrows of the procedure."""


def procedure_picture(state: State, title: str) -> Prose:
    """The procedure with the way that a project took.

    Parameters
    ----------
    state : State
    title : str
        What the picture shows, as a sentence.
    """
    moves = Counter((number, target) for _, number, target, _ in state.moves)
    words = [f"Where the project stands: {state.step.value}."]
    if left_out := [f"step {STEP_NUMBER[step]} ({step.value})" for step in not_performed(state)]:
        words.append(f"Not performed: {joined(left_out)}.")
    words += [
        f"{TRANSITIONS[number].does}, to “{target}” ({how_often(n)})"
        for (number, target), n in moves.items()
    ]
    return Prose(" ".join(words), title=title)


def states(state: State) -> dict[Step, str]:
    """In words, how far each of the six steps has come."""
    found = {s.step: HERE if s.step is state.step else s.state for s in standing(state).steps}
    skipped = not_performed(state)
    return found | {s: SKIPPED_HERE if s is state.step else NOT_PERFORMED for s in skipped}


def not_performed(state: State) -> tuple[Step, ...]:
    """Steps of which a deviation says that they were not performed, in their order."""
    codes = {deviation.code for deviation in state.deviations}
    return tuple(s for s, k in STEP_NUMBER.items() if f"step {k} not performed" in codes)


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
        What is said of each step, as `states` gives it.
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
    marks, taken = marks or {}, taken or {}
    lines = [line for key, way in WAYS.items() for line in _way(way, taken.get(key, 0))]
    boxes = [line for step in BOXES for line in _box(step, step is here, marks.get(step, ""))]
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


def _box(step: Step, now: bool, mark: str) -> Iterator[str]:
    box, says = BOXES[step], mark or (HERE if now else "")
    skipped = mark in (NOT_PERFORMED, SKIPPED_HERE)
    dash = ' stroke-dasharray="5 4"' if skipped else ""
    edge = BLUE if now else VERMILION if skipped else INK
    yield (
        f'<rect x="{box.left}" y="{box.y}" width="{box.right - box.left}" height="{box.height}" '
        f'rx="6" fill="{BLUE if now else WHITE}" stroke="{edge}" stroke-width="1.4"{dash}/>'
    )
    middle = box.y + min(box.height, 46) / 2
    ink, small = (WHITE, WHITE) if now else (INK, GREY)
    x = box.left + 14
    if step in STEP_NUMBER:
        yield _text(x, middle + 5, f"{STEP_NUMBER[step]}", ink, 17, bold=True)
        x += 24
    yield _text(x, middle + (-2 if says else 4.5), box.title, ink, USUAL, bold=True)
    if says:
        yield _text(x, middle + 13, says, small, SMALL)
    if step is Step.RESOLUTION:
        for k, line in enumerate(("reasons → cause → consent", "c, d, e are settled here")):
            yield _text(box.left + 14, box.y + 74 + 18 * k, line, small, SMALL)


def _way(way: Way, n: int) -> Iterator[str]:
    yield _line(
        way.points, BLUE if n else GREY, RESTS + (1.4 if n else 0), dashed=way.faint and not n
    )
    x, y, anchor = way.at
    times = f" ({n} ×)" if n > 1 else ""
    for k, line in enumerate(f"{way.label}{times}".splitlines()):
        yield _text(x, y + 14 * k, line, INK if n else GREY, SMALL, anchor, bold=bool(n))


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
    x: float,
    y: float,
    text: str,
    colour: str,
    size: float,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size:g}" '
        f'text-anchor="{anchor}"{weight}>{escape(text, quote=False)}</text>'
    )
