"""Tables of REDCap and Qualtrics: what the programs say of a row, apart from the answers in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..actions import Action
from ..errors import InputError
from .names import coder_like, role_of
from .options import Options
from .table import Column, Table, as_words, encode, plain

__all__ = ["IMPORT_ID", "of_survey"]

Row = dict[str, Any]
_STATES = {"0": "draft", "1": "draft", "2": "answered"} | {
    "incomplete": "draft",
    "unverified": "draft",
    "complete": "answered",
}
_STATE = re.compile(r"\w+_complete|Complete\?( \(\d+\))?")
_BOX = re.compile(r"\w+___\w+|.+ \(choice=.+\)")
_STATUS = "annotation_status"  # a name that is recognised, and no field of theirs
_ENTRY = re.compile(r"(.+)--([12])")
_SYSTEM = ("event_name", "repeat_instrument", "repeat_instance")
_PREVIEWS = ("survey preview", "survey test", "spam", "1", "2", "8", "9", "12", "17")
_ENDED = ("true", "1", "yes", "100")
IMPORT_ID = '{"ImportId"'
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
    if not len(table):
        return table
    if ("ResponseId" in names and names & {"Finished", "Progress"}) or any(
        map(_imports, table.columns)
    ):
        return _of_qualtrics(table, said)
    states = {
        c.name: None
        for c in table.columns
        if _STATE.fullmatch(c.name) and {w.casefold() for w in c.text} <= _STATES.keys()
    }
    known = {n.casefold().replace(" ", "_"): n for n in table.names}
    system = {k: known.get(f"redcap_{k}", known.get(k)) for k in _SYSTEM}
    sure = any(n.startswith("redcap_") for n in known) or system["repeat_instrument"]
    if sure or (states and any(map(_BOX.fullmatch, names))):
        return _of_redcap(table, options, [n for n in states if n not in said], system)
    return table


def _rows(table: Table) -> list[Row]:
    cells = [[*as_words(c.words), None] for c in table.columns]
    codes = zip(*(c.codes.tolist() for c in table.columns), strict=True)
    return [{n: own[k] for n, own, k in zip(table.names, cells, row, strict=True)} for row in codes]


def _said(cell: Any) -> str:
    return plain(cell).casefold()


def _table(
    table: Table, rows: Iterable[tuple[int, Row]], gone: set[str], notes: Iterable[str]
) -> Table:
    """Some rows by their place in the table, without some columns."""
    at, kept = zip(*rows, strict=True)
    names = dict.fromkeys(n for row in kept for n in row if n not in gone)
    columns = tuple(encode(n, [row.get(n) for row in kept]) for n in names)
    shown = ", ".join(map(repr, sorted(n for n in gone if n in table and not table[n].blank)))
    told = (f"columns about how rows were made, or of free text: {shown}",) * bool(shown)
    place, notes = table.row, (*table.notes, *notes, *told)
    return replace(table, columns=columns, row=lambda k: place(at[k]), notes=notes)


def _imports(column: Column) -> bool:
    """Whether one of the first cells is an id for imports, as below the header of Qualtrics."""
    return any(str(w).startswith(IMPORT_ID) for w in column.words[:2])


def _of_qualtrics(table: Table, said: set[str]) -> Table:
    """Responses without previews, tests and spam; those that were not finished are drafts."""
    rows = list(enumerate(_rows(table)))
    ids = (k for k, r in rows[:2] if any(str(v).startswith(IMPORT_ID) for v in r.values()))
    top = next(ids, -1) + 1
    kept = [(k, r) for k, r in rows[top:] if _said(r.get("Status")) not in _PREVIEWS]
    ended = [_said(r.get("Finished", r.get("Progress", "100"))) in _ENDED for _, r in kept]
    if not kept or {"Finished", "Status"} & said:
        return table
    if not all(ended):
        for (_, row), there in zip(kept, ended, strict=True):
            row[_STATUS] = "answered" if there else "draft"
    gone = {n for n in table.names if _MAKING.fullmatch(n) and n not in said}
    n = len(rows) - top - len(kept)
    return _table(table, kept, gone, [f"left out: {n:,} previews, tests or spam"] * bool(n))


def _of_redcap(
    table: Table, options: Options, states: Sequence[str], system: Mapping[str, str | None]
) -> Table:
    """Rows with the state of their form, named by record, and by event and instance if needed."""
    record, notes = table.names[0], list[str]()
    event, instance = system["event_name"], system["repeat_instance"]
    rows = list(enumerate(_rows(table)))
    _with_states([row for _, row in rows], states, notes)
    keys = [record, *([event] if event else [])]
    rows = _without_base(rows, keys, instance, states)
    named = [n for n in table.names[1:] if role_of(n) == "coder"]
    events = {plain(r[event]) for _, r in rows if r[event] is not None} if event else set()
    raters = [event] if events and all(map(coder_like, events)) else []
    who = next(iter([*options.coder, *named, *raters]), None)
    entries = [_ENTRY.fullmatch(plain(r[record])) for _, r in rows]
    if any(entries) and not who and not options.item:
        who = "coder"
        for (_, row), entry in zip(rows, entries, strict=True):
            row[who] = f"entry {entry[2]}" if entry else "final"
            row[record] = entry[1] if entry else row[record]
        notes.append(f"{record!r} with '--1' and '--2' is one record that two persons entered")
    ids = [record]
    for part in (event, instance):
        pairs = [tuple(r[n] for n in (*ids, *([who] if who else []))) for _, r in rows]
        if part and part != who and len(set(pairs)) < len(pairs) and not options.item:
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
        for _, row in rows:
            row[record] = " ".join(plain(row[n]) for n in ids if row[n] is not None)
        notes.append(f"an item is what {', '.join(map(repr, ids))} name together")
    if role_of(record) == "coder" and not options.item:  # 'participant_id'
        rows = [(k, {"record_id": r.pop(record), **r}) for k, r in rows]
    gone = {*states, *filter(None, system.values())}
    gone |= {n for n in table.names if n.startswith("redcap_")}
    gone -= {who, options.item, *options.label}
    return _table(table, rows, gone, notes)


def _with_states(rows: Sequence[Row], states: Sequence[str], notes: list[str]) -> None:
    """A status for rows with forms that are not complete; beside complete ones they are blank."""
    names, fields, start = list(rows[0]), dict[str, list[str]](), 0
    for state in states:
        end = names.index(state)
        fields[state], start = names[start:end], end + 1
    lost = 0
    for row in rows:
        said = {f: _STATES[_said(row[f])] for f in states if row[f] is not None}
        if "answered" not in said.values():
            row[_STATUS] = "draft" if said else None
            continue
        row[_STATUS] = "answered"
        for name in (n for f, state in said.items() if state == "draft" for n in fields[f]):
            lost += row[name] is not None
            row[name] = None if name != names[0] else row[name]
    if all(row[_STATUS] != "draft" for row in rows):
        for row in rows:
            del row[_STATUS]
    if lost:
        notes.append(f"left out: {lost:,} cells of forms that are not complete")


def _without_base(
    rows: list[tuple[int, Row]], keys: Sequence[str], instance: str | None, states: Sequence[str]
) -> list[tuple[int, Row]]:
    """The rows of instances; what another row says of their record, if nothing they say too."""
    kept = [(k, r) for k, r in rows if instance and r[instance] is not None]
    base = [r for _, r in rows if instance and r[instance] is None]
    own = {n for _, r in kept for n, cell in r.items() if cell is not None}
    about = {n for r in base for n, cell in r.items() if cell is not None and n[:7] != "redcap_"}
    about -= {*keys, *states, _STATUS}
    if not kept or not base or about & own:
        return rows
    known = {tuple(r[n] for n in keys): r for r in reversed(base)}
    for _, row in kept:
        told = known.get(tuple(row[n] for n in keys), {})
        row.update({n: told.get(n) for n in about})
    return kept
