"""Surveys and forms: what the programs say of a row, and of what a column asks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..actions import Action
from ..errors import InputError
from .names import coder_like, role_of, tidy
from .options import Options
from .table import Column, Table, encode, plain

__all__ = ["GRID", "IMPORT_ID", "asked_of", "of_survey"]

Row = dict[str, Any]
IMPORT_ID = '{"ImportId"'
_PLACE, _STATUS = "\0", "annotation_status"  # keys of a row that are no columns of the file
_STATES = {"0": "draft", "1": "draft", "2": "answered"}
_STATES |= {"incomplete": "draft", "unverified": "draft", "complete": "answered"}
_STATE = re.compile(r"\w+_complete|Complete\?( \(\d+\))?")
_BOX = re.compile(r"\w+___\w+|.+ \(choice=.+\)")
_ENTRY = re.compile(r"(.+)--([12])")
_SYSTEM = ("event_name", "repeat_instance", "repeat_instrument")
_PREVIEWS = ("survey preview", "survey test", "spam", "1", "2", "8", "9", "12", "17")
_ENDED = ("true", "1", "yes", "100")
GRID = re.compile(r"(.*?)\s*\[([^\[\]]+)\]")  # a question to several items, as forms write it
_LOOP, _MATRIX = re.compile(r"(\d+)_(.+)"), re.compile(r"(.+)_\d+")  # as Qualtrics names them
_MAKING = re.compile(
    "StartDate|EndDate|Status|IPAddress|Progress|Duration.*|Finished|RecordedDate|Recipient.*Name"
    "|RecipientEmail|ExternalReference|Location(Lat|Long)itude|DistributionChannel|UserLanguage"
    "|.+_(First Click|Last Click|Page Submit|Click Count|TEXT)|.+_DO(_.+)?"
)


def of_survey(table: Table, options: Options) -> Table:
    """The table with a status for each row, and without the columns about how it was made.

    Raises
    ------
    InputError
        If a table of REDCap does not say who the coders are.
    """
    said, names = {*options.columns_said, *options.coder}, {*table.names}
    imports = any(str(w).startswith(IMPORT_ID) for c in table.columns for w in c.words[:2])
    if not len(table):
        return table
    if imports or ("ResponseId" in names and names & {"Finished", "Progress"}):
        return _of_qualtrics(table, said)
    states = [
        c.name
        for c in table.columns
        if _STATE.fullmatch(c.name) and {w.casefold() for w in c.text} <= _STATES.keys()
    ]
    known = {n.casefold().replace(" ", "_").removeprefix("redcap_"): n for n in table.names}
    system = [known.get(k, "") for k in _SYSTEM]
    if (
        any(n.startswith("redcap_") for n in names)
        or system[2]
        or (states and any(map(_BOX.fullmatch, names)))
        or _entered_twice(table.columns[0], states)
    ):
        return _of_redcap(table, options, [n for n in states if n not in said], system)
    return table


def _entered_twice(record: Column, states: Sequence[str]) -> bool:
    """Whether records are named as REDCap names what two persons entered: '7--1' and '7--2'."""
    entries = [e[1] for w in record.text if (e := _ENTRY.fullmatch(w))]
    named = bool(states) or tidy(record.name) == "recordid"
    return named and 2 * len(entries) > len(record.text) and 2 in Counter(entries).values()


def _rows(table: Table) -> list[Row]:
    rows = zip(*(c.cells() for c in table.columns), strict=True)
    return [{_PLACE: at, **dict(zip(table.names, row, strict=True))} for at, row in enumerate(rows)]


def _said(cell: Any) -> str:
    return plain(cell).casefold()


def _table(table: Table, rows: Sequence[Row], gone: set[str], *notes: str) -> Table:
    """Some rows of a table without some columns."""
    places, at = [r[_PLACE] for r in rows], table.row
    names = dict.fromkeys(n for row in rows for n in row if n not in {*gone, _PLACE})
    columns = tuple(encode(n, [row.get(n) for row in rows]) for n in names)
    shown = ", ".join(map(repr, sorted(n for n in gone if n in table and not table[n].blank)))
    what = "columns about how rows were made, of free text or of boxes to tick"
    told = (f"{what}: {shown}",) * bool(shown)
    notes = (*table.notes, *filter(None, notes), *told)
    return replace(table, columns=columns, row=lambda k: at(places[k]), notes=notes)


def _of_qualtrics(table: Table, said: set[str]) -> Table:
    """Responses without previews, tests and spam; those that were not finished are drafts."""
    rows = _rows(table)
    described = dict(table.described)
    while rows and any(str(v).startswith(IMPORT_ID) for r in rows[:2] for v in r.values()):
        further = rows.pop(0)  # headers, in a frame
        described = described or {n: plain(further[n] or "") for n in table.names}
    table = replace(table, described=described or dict.fromkeys(table.names, ""))
    kept = [r for r in rows if _said(r.get("Status")) not in _PREVIEWS]
    ended = [_said(r.get("Finished", r.get("Progress", "100"))) in _ENDED for r in kept]
    if not kept or {"Finished", "Status"} & said:
        return table
    for row, there in zip(kept, ended, strict=True):
        row |= {} if all(ended) else {_STATUS: "answered" if there else "draft"}
    gone = {n for n in table.names if _MAKING.fullmatch(n) and n not in said}
    gone |= _boxes(table) - said
    n = len(rows) - len(kept)
    return _table(table, kept, gone, f"left out: previews, tests or spam ({n:,})" if n else "")


def _boxes(table: Table) -> set[str]:
    """The columns of questions with several answers: each holds its own, or nothing."""
    of = {c.name: m[1] for c in table.columns if (m := _MATRIX.fullmatch(c.name))}
    words = {q: [table[n].text for n, of_n in of.items() if of_n == q] for q in of.values()}
    boxes = {
        q
        for q, cells in words.items()
        if len(cells) > 1 == max(map(len, cells)) and len({*map(tuple, cells)}) == len(cells)
    }
    return {n for n, q in of.items() if q in boxes}


def asked_of(names: Sequence[str], described: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The question and the item of each column of a grid, a matrix or a loop.

    ``described`` is how Qualtrics puts each column in full. The parts of which there are fewer are
    the questions; the passes of a loop are items.

    Examples
    --------
    >>> asked_of(["age", "How good? [A]", "How good? [B]"], {})
    {'How good? [A]': ('', 'A'), 'How good? [B]': ('', 'B')}
    >>> asked_of(["1_Q5", "2_Q5"], {"1_Q5": "Tone?", "2_Q5": "Tone?"})
    {'1_Q5': ('', '1'), '2_Q5': ('', '2')}
    """
    loops = {n: (m[2], m[1]) for n in names if described and (m := _LOOP.fullmatch(n))}
    if len({item for _, item in loops.values()}) > 1 and 2 * len(loops) > len(names):
        one = len({question for question, _ in loops.values()}) == 1
        return {n: ("" if one else question, item) for n, (question, item) in loops.items()}
    parts = (
        _of_matrices(names, described)
        if described
        else {n: (m[1], m[2]) for n in names if (m := GRID.fullmatch(n))}
    )
    befores, insides = ({p[k] for p in parts.values()} for k in (0, 1))
    if min(len(befores), len(insides)) > 1:
        turned = len(befores) > len(insides)
        return {n: (p[turned], p[not turned]) for n, p in parts.items()}
    return {n: ("", p[1] if befores != {""} and len(befores) == 1 else n) for n, p in parts.items()}


def _of_matrices(names: Sequence[str], described: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The matrix and the statement of each column, if there are several matrices.

    Statements that differ, or are not known, are items of their own.
    """
    of = {n: m[1] for n in names if (m := _MATRIX.fullmatch(n))}
    rows = {q: [n for n in of if of[n] == q] for q in of.values()}
    rows = {q: own for q, own in rows.items() if len(own) > 1}
    if len(rows) < 2 or 2 * sum(map(len, rows.values())) < len(names):
        return {}
    asked, said = dict[str, str](), dict[str, str]()
    for q, own in rows.items():
        asked[q] = _before([described.get(n, "") for n in own])
        said |= {n: described.get(n, "")[len(asked[q]) :].removeprefix(" - ") for n in own}
    first, *others = ({said[n] for n in own} for own in rows.values())
    shared = all(asked.values()) and all(2 * len(first & x) > len(first | x) for x in others)
    if not shared and len({*asked.values()} - {""}) == 1:
        return {n: ("", n) for own in rows.values() for n in own}
    return {n: (q, said[n] if shared else n) for q, own in rows.items() for n in own}


def _before(texts: Sequence[str]) -> str:
    """What all texts begin with before a dash: the question of a matrix."""
    first, last = min(texts), max(texts)
    cut = next((k for k, c in enumerate(first) if c != last[k : k + 1]), len(first))
    return first[:cut].rpartition(" - ")[0]


def _of_redcap(
    table: Table, options: Options, states: Sequence[str], system: Sequence[str]
) -> Table:
    """Rows with the state of their form, named by record, and by event and instance if needed."""
    record, (event, instance, _) = table.names[0], system
    rows, notes = _rows(table), [""]
    if lost := _with_states(rows, states):
        notes.append(f"left out: cells of forms that are not complete ({lost:,})")
    rows = _without_base(rows, [record, event] if event else [record], instance, states)
    named = [n for n in table.names[1:] if role_of(n) == "coder"]
    events = {plain(r[event]) for r in rows if r[event] is not None} if event else set()
    raters = [event] if events and all(map(coder_like, events)) else []
    who = next(iter([*options.coder, *named, *raters]), "")
    entries = [_ENTRY.fullmatch(plain(r[record])) for r in rows]
    if any(entries) and not who and not options.item:
        who = "coder"
        for row, entry in zip(rows, entries, strict=True):
            row[who] = f"entry {entry[2]}" if entry else "final"
            row[record] = entry[1] if entry else row[record]
        notes.append(f"{record!r} with '--1' and '--2' is one record that two persons entered")
    ids = [record]
    for part in filter(None, (event, instance)):
        pairs = {tuple(r.get(n) for n in (*ids, who)) for r in rows}
        if part != who and len(pairs) < len(rows) and not options.item:
            ids.append(part)
    if len(ids) > 1 and not who and not options.layout:
        raise InputError(
            "a record has several rows in this export of REDCap, and no column is called as one of "
            "coders is",
            file=table.source,
            do=[
                *(Action("", {"coder": n}, f"if {n!r} tells the coders apart") for n in ids[1:]),
                Action("", {"coder": ...}, "if another column does"),
            ],
        )
    if len(ids) > 1:
        for row in rows:
            row[record] = " ".join(plain(row[n]) for n in ids if row[n] is not None)
        notes.append(f"an item is what {', '.join(map(repr, ids))} name together")
    if role_of(record) == "coder" and not options.item:  # 'participant_id'
        rows = [{"record_id": r.pop(record), **r} for r in rows]
    gone = {*states, *system} | {n for n in table.names if n.startswith("redcap_")}
    return _table(table, rows, gone - {who, options.item or "", *options.label}, *notes)


def _with_states(rows: Sequence[Row], states: Sequence[str]) -> int:
    """A status for each row, if some form is not complete; how many cells beside others are not."""
    names, fields, start, lost = list(rows[0]), dict[str, list[str]](), 1, 0
    for state in states:
        end = names.index(state)
        fields[state], start = names[start:end], end + 1
    for row in rows:
        said = {f: _STATES[_said(row[f])] for f in states if row[f] is not None}
        row[_STATUS] = "answered" if "answered" in said.values() else "draft" if said else None
        open_ = [f for f, state in said.items() if state == "draft"]
        for name in (n for f in open_ for n in fields[f] if row[_STATUS] == "answered"):
            if row[name] is not None and role_of(name) in (None, "label"):
                row[name], lost = None, lost + 1
    if all(row[_STATUS] != "draft" for row in rows):
        for row in rows:
            del row[_STATUS]
    return lost


def _without_base(
    rows: list[Row], keys: Sequence[str], instance: str, states: Sequence[str]
) -> list[Row]:
    """The rows of instances; what another row says of their record, if nothing they say too."""
    kept = [r for r in rows if r.get(instance) is not None]
    base = [r for r in rows if kept and r[instance] is None]
    own, about = (
        {n for r in some for n, cell in r.items() if cell is not None} for some in (kept, base)
    )
    about = {n for n in about - {*keys, *states, _STATUS, _PLACE} if not n.startswith("redcap_")}
    if not base or about & own:
        return rows
    known = {tuple(r[n] for n in keys): r for r in reversed(base)}
    for row in kept:
        told = known.get(tuple(row[n] for n in keys), {})
        row |= {n: told.get(n) for n in about}
    return kept
