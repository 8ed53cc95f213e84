"""A project: its events in a store, and where it stands, folded from them.

>>> from tempfile import TemporaryDirectory
>>> from accordant.resolution.setup import state_question
>>> folder = TemporaryDirectory()
>>> with Project.create(f"{folder.name}/letters.accordant", "Letters", by="ana") as project:
...     happened = project.do(state_question, by="ana", text="Who wrote them?")
...     project.state.step.value, [event.kind for event in happened]
('setup', ['research stated'])
>>> folder.cleanup()
"""

from __future__ import annotations

import gc
import hashlib
import hmac
import inspect
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Self

from ..errors import AccordantError, Conflict, InputError, RequestError, StoreError
from .acts import Act, Acts, ActsRefused, Wrong, tried
from .command import COMMANDS, Events, Unmet, require, unmet_by_anybody
from .completion import Released, finish
from .event import Event, apply
from .exports import final_rows, proof_bundle
from .logbook import LogEntry, log
from .logbook import head as shown_head
from .preview import Preview, preview_of_acts
from .procedure import KINDS, carried_out, command_named, converted, decided, read_event, written
from .proof import seals, unproved
from .release import ReleaseNow, status_now
from .setup import new_project, the_person
from .standing import Standing, standing
from .state import Person, State
from .store.record import Draft, LogRecord
from .store.store import UNREADABLE, Fault, Store, Writing
from .terms import ReleaseStatus, digest
from .views import CaseRow, CaseView, ComparisonView, case_view, cases, comparison_view
from .wording import all_known
from .work import Work, my_work

UNPROVED = "see what is missing, and release again"
WATCHED = ("case ", "toolbox", "order ", "group ")
"""Streams whose content a person has judged before acting: whoever comes second looks again."""


@contextmanager
def uncollected() -> Iterator[None]:
    """While very many things are made and none is dropped, looking for garbage is in vain."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def replayed(records: Iterable[LogRecord], state: State | None = None) -> State:
    """The state that records add up to.

    Parameters
    ----------
    records : iterable of LogRecord
        In their order.
    state : State, optional
        What they follow; changed in place.

    Raises
    ------
    InputError
        If an event cannot be read, or does not fit those before it. The state is then what the
        events before it add up to, if it cannot be read.
    """
    state = State() if state is None else state
    for record in records:
        event = read_event(record.kind, record.body)
        try:
            apply(state, [(event, (record.at, record.actor))])
        except Exception as error:
            state.seq -= 1  # it was counted before it was carried out
            raise InputError(
                f"event {record.seq} of the log ({record.kind!r}) does not fit what was before "
                f"it ({error!r})"
            ) from error
        state.seq, state.head = record.seq, record.hash
    return state


def examined(
    where: str | Path,
    *,
    head: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Fault], int, str]:
    """Faults of a project, also of one that cannot be opened; how many events it has; its head.

    The head is empty while it must wait: even the number of events tells what was answered.
    """
    with Store.open(where, read_only=True) as store:
        faults, state = _examination(store, head, progress)
        return faults, state.seq, shown_head(state, "")


def _examination(
    store: Store, head: str | None, progress: Callable[[int, int], None] | None
) -> tuple[list[Fault], State]:
    """The faults of a store, and what its events add up to, as far as they can be read."""
    faults, state = store.verify(head=head, progress=progress), State()
    try:
        with uncollected():
            replayed(_watched(store.records(), state, faults), state)
    except InputError as error:
        if not any(fault.seq == state.seq + 1 for fault in faults):  # it was altered, as was said
            faults.append(Fault(state.seq + 1, str(error), UNREADABLE))
    except StoreError:
        if not faults:
            raise
    return faults, state


def _watched(
    records: Iterable[LogRecord], state: State, faults: list[Fault]
) -> Iterator[LogRecord]:
    """Records on their way into a state; of each release, whether the log proves what it says."""
    for record in records:
        event = read_event(record.kind, record.body) if record.kind == "released" else None
        if isinstance(event, Released) and not state.epoch.abandoned:
            name = f"release {event.version}"
            if event.seals != seals(state, event.status, event.flags):
                faults.append(
                    Fault(record.seq, f"{name} seals something else than the log says", UNPROVED)
                )
            if event.status is ReleaseStatus.GROUND_TRUTH and unproved(state):
                what = f"{name} is called ground truth, and answers of it have no proof"
                faults.append(Fault(record.seq, what, UNPROVED))
        yield record


def _compare(
    state: State, act: Act, own: Sequence[Event], tail: Sequence[LogRecord], writing: Writing
) -> None:
    """Complain if somebody acted on what an act is about since the person looked.

    What commutes does not count: two reasons, or two consents to what they name.
    """
    since: dict[str, Sequence[LogRecord] | None] = {
        stream: [record for record in tail if record.stream == stream]
        for stream in {event.stream for event in own}
        if stream.startswith(WATCHED)
    }
    for stream, version in act.expect.items():
        _readable(state, act.by, stream)
        since[stream] = writing.since(stream, version)
    for stream, later in since.items():
        free = all(event.commutes for event in own if event.stream == stream)
        if later is None or any(
            not (free and KINDS[record.kind].commutes and record.actor != act.by)
            for record in later
        ):
            raise Conflict(
                f"somebody acted on the same {stream} before you: look again, and repeat it if "
                "it still makes sense"
            )


def _readable(state: State, by: str, stream: str) -> None:
    """Complain if the number of events of a stream would tell a person how others annotate."""
    some = state.epoch.round
    own = some and f"round {some.number} {by}"
    if some and stream.startswith(f"round {some.number} ") and stream != own:
        raise RequestError(f"{stream!r} may be read when the round is closed", parameter="expect")


def _named(state: State, acts: Sequence[Act], id: str) -> tuple[str, str]:
    """Of an act that its caller numbers: whose and which it is, and what it does, as hashes."""
    plain = [(_name(a.function), a.by, a.args, a.given, a.expect) for a in acts]
    key = (state.project, sorted({act.by for act in acts}), id)
    return digest(key)[:24], digest(plain)[:24]


def _act(
    what: str | Callable[..., Events],
    by: str,
    given: Mapping[str, Any],
    expect: Mapping[str, int] | None = None,
    args: Sequence[Any] = (),
) -> Act:
    if not isinstance(what, str):
        return Act(what, by, given, expect=expect or {}, args=args)
    function = command_named(what)
    names = [*inspect.signature(function).parameters][2:]
    given = converted(function, dict(zip(names, args, strict=False)) | dict(given))
    return Act(function, by, given, expect=expect or {})


class Project:
    """One project, opened. Made by `create` and `open`.

    Any number of threads may share it: they act one after the other.

    Attributes
    ----------
    store : Store
        The events.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = RLock()  # held while the state and the log are taken from one event to another
        self._state: State | None = self._opened()

    def _opened(self) -> State:
        with uncollected():
            return replayed(self.store.records())

    @classmethod
    def create(
        cls,
        where: str | Path,
        title: str,
        *,
        by: str,
        imported: bool = False,
        at: str | None = None,
    ) -> Project:
        """Begin a project.

        Parameters
        ----------
        where : str or Path
            A file that does not exist yet, or ``postgresql://…/database?project=name``.
        title : str
        by : str
            Who begins it: its first researcher.
        imported : bool
            Whether annotations that were made elsewhere will come in.
        at : str, optional
            The moment (UTC, ISO 8601); now by default.
        """
        project = cls(Store.create(where))
        try:
            project.done(new_project, by, at=at, given={"title": title, "imported": imported})
        except BaseException:
            project.store.discard()
            raise
        return project

    @classmethod
    def open(cls, where: str | Path, *, read_only: bool = False) -> Project:
        """Open a project that is there."""
        store = Store.open(where, read_only=read_only)
        try:
            project = cls(store)
            if not project.state.seq:
                raise StoreError(f"{store.shown}: is empty: delete it and make it anew")
            return project
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ------------------------------------------------------------------ the state and the log

    @property
    def state(self) -> State:
        """Where the project stood when this object last looked. Never change it.

        Raises
        ------
        StoreError
            If an act failed, and since then the project cannot be read to see where it stands.
        """
        with self._lock:
            if self._state is None:
                self._state = self._opened()
            return self._state

    def refresh(self) -> State:
        """Look again: the state with what others did meanwhile."""
        with self._lock:
            self._follow(self.store.records(self.state.seq))
            return self.state

    def _follow(self, records: Iterable[LogRecord]) -> None:
        """Take in what others did; whatever goes wrong, the state is never half of it."""
        state, self._state = self.state, None
        self._state = replayed(records, state)

    def records(self) -> Iterator[LogRecord]:
        """The log, from the beginning; use `log` to show it to somebody."""
        return self.store.records()

    def verify(
        self, *, head: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> list[Fault]:
        """Everything that is not as it was written, and every event that cannot be read.

        Parameters
        ----------
        head : str, optional
            Hash of an event as a report printed it: shows whether the end was cut off.
        progress : callable, optional
        """
        return _examination(self.store, head, progress)[0]

    # ------------------------------------------------------------------ acting

    def do(self, what: str | Callable[..., Events], /, by: str, *args: Any, **given: Any) -> Events:
        """Run a command, whole or not at all.

        Parameters
        ----------
        what : str or callable
            The name of a command, as `accordant project` has it ("round open", "case cause"), or
            its function.
        by : str
            Who acts.
        **given
            What the command takes. To a name, plain values: texts, numbers, lists and dictionaries,
            a record (a task, guidelines, a concept, items) as a dictionary of its fields. And
            ``expect``, as for `done`.

        Returns
        -------
        list of Event
            What happened, necessary consequences included, each with ``kind`` and ``sentence()``.

        Raises
        ------
        RequestError
            If there is no such command, or a value is of the wrong type: with the parameter.
        Refused, Conflict, StoreError
            As for `done`.

        Examples
        --------
        A team begins, in one file, and looks where it stands:

        >>> from tempfile import TemporaryDirectory
        >>> folder = TemporaryDirectory()
        >>> project = Project.create(f"{folder.name}/letters.accordant", "Letters", by="ana")
        >>> for name in ("bob", "cleo"):
        ...     _ = project.do("person", by="ana", name=name, roles=["coder"])
        >>> why = {"text": "Who wrote them?", "purpose": "ground truth"}
        >>> _ = project.do("question", by="ana", **why)
        >>> _ = project.do("go", by="ana", to="task")
        >>> questions = [{"id": "author", "text": "Is the author named?"}]
        >>> happened = project.do("task", by="bob", task={"questions": questions})
        >>> [event.sentence() for event in happened]
        ['the task is written']
        >>> project.status().step.value, project.status("bob").commands[:2]
        ('task and guidelines', ('task', 'guidelines'))
        >>> project.do("case rescore", by="bob", case="3", answer="yes")
        Traceback (most recent call last):
        accordant.errors.RequestError: case: expected `int`, got `str`
        >>> [entry.kind for entry in project.log()][-2:]
        ['moved', 'toolbox written']
        >>> project.close()
        >>> folder.cleanup()
        """
        expect = given.pop("expect", None)
        return self._act(_act(what, by, given, expect, args))

    # ------------------------------------------------------------------ looking

    def preview(self, what: str | Callable[..., Events], /, by: str, **given: Any) -> Preview:
        """What a command would bring about if it were given now; nothing is written.

        While a round is open what would tell answers is withheld: what follows from the act, the
        comparison, and cases.

        Parameters
        ----------
        what, by, **given
            As for `do`.

        Raises
        ------
        Refused
            As by the command itself.
        """
        act = _act(what, by, given)
        try:
            return self.preview_together(lambda _: [act], by)
        except ActsRefused as refused:
            raise refused.each[0].error from None

    def preview_together(self, acts: Acts, by: str) -> Preview:
        """What several acts would bring about, as `together` would carry them out."""
        with self._lock:  # with what others did meanwhile, as the act itself would
            return preview_of_acts(self.refresh(), by, acts)

    def status(self, person: str | None = None) -> Standing:
        """Where the project stands: steps, what may come next and what it lacks, who is awaited.

        Parameters
        ----------
        person : str, optional
            Whose commands are listed; those of all by default.
        """
        return standing(self.refresh(), person)

    def cases(self, person: str = "", **only: Any) -> list[CaseRow]:
        """The cases, one row each, as a person may see them; the public by default.

        Parameters
        ----------
        person : str
        **only
            Which ones, as of `views.cases`: ``in_state``, ``question``, ``cause``, ``live`` …
        """
        return cases(self.refresh(), person, **only)

    def case(self, number: int, person: str = "") -> CaseView:
        """One case with its discussion, as a person may see it; the public by default."""
        return case_view(self.refresh(), number, person)

    def comparison(self, person: str = "", round: int | None = None) -> ComparisonView:
        """How the annotations of a round compare; of the last closed one by default."""
        return comparison_view(self.refresh(), person, round)

    def work(self, person: str) -> Work:
        """What a coder has to annotate in the open round."""
        return my_work(self.refresh(), person)

    def log(self, person: str = "") -> list[LogEntry]:
        """What happened, in its order, as a person may read it; the public by default."""
        return list(log(self.records(), self.refresh(), person))

    def answers(self, person: str = "") -> list[dict[str, str]]:
        """What the annotations come to, one row for each item and question; see `final_rows`."""
        return final_rows(self.refresh(), person)

    def proof(self, person: str = "") -> dict[str, Any]:
        """What an outsider needs to check the last release; see `exports.proof_bundle`."""
        return proof_bundle(self.refresh(), self.records(), person)

    def release(self) -> ReleaseNow:
        """What a release would be now, and why it is no better one."""
        return status_now(self.refresh())

    # ------------------------------------------------------------------ acting with options

    def done(
        self,
        what: str | Callable[..., Events],
        by: str,
        *,
        given: Mapping[str, object],
        at: str | None = None,
        id: str | None = None,
        expect: Mapping[str, int] | None = None,
    ) -> Events:
        """Run a command on the project as it is now.

        Parameters
        ----------
        what : str or callable
            A command, as for `do`.
        by : str
            Who acts.
        given : mapping
            What the command takes.
        at : str, optional
            The moment (UTC, ISO 8601), not before that of the last event; now by default.
        id : str, optional
            Name of this act, made by the caller: repeated by the same person with the same content,
            it changes nothing and returns what happened the first time; with another content it is
            refused. What others name so is another act.
        expect : mapping of str to int, optional
            What the person had before them: ``{"case 7": version}`` as `views.case_view` gives it.
            What commutes may have come in since: reasons of others, or their consents. How often
            others have annotated in an open round may not be asked.

        Returns
        -------
        list of Event
            What happened, necessary consequences included.

        Raises
        ------
        Refused
            With everything that is missing; nothing happened.
        Conflict
            Somebody else acted on the same case, toolbox or order since this object last looked, or
            something has moved on from what is expected; nothing happened, and the state is the new
            one.
        StoreError
            It could not be written; nothing happened.
        """
        return self._act(_act(what, by, given, expect), at, id)

    def together(
        self, acts: Iterable[Act | Wrong] | Acts, *, at: str | None = None, id: str | None = None
    ) -> Events:
        """Carry out several acts, all of them or none.

        Each is tried on what the ones before it left, also after one that cannot be done, so that
        everything that is wrong is told at once.

        Parameters
        ----------
        acts : iterable of Act, or callable
            A callable is given the state: what it yields next may depend on what was done so far.
        at, id : str, optional
            As for `done`; a callable has no id, since what it yields may differ when repeated.

        Returns
        -------
        list of Event
            What happened, in its order; the log names who did each.

        Raises
        ------
        ActsRefused
            With the place of each act that cannot be done; nothing happened.
        StoreError
            It could not be written; nothing happened.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from accordant.resolution import steps
        >>> folder = TemporaryDirectory()
        >>> with Project.create(f"{folder.name}/p.accordant", "Letters", by="ana") as project:
        ...     new = [Act(steps.add_person, "ana", {"name": name}) for name in ("bob", "cleo")]
        ...     _ = project.together(new)
        ...     project.state.coders
        ('bob', 'cleo')
        >>> folder.cleanup()
        """
        if not callable(acts):
            return self._carried_out([*acts], at, id)
        if id is not None:
            raise RequestError("acts that depend on the state have no id", parameter="id")
        return self._carried_out(acts, at)

    def _act(self, act: Act, at: str | None = None, id: str | None = None) -> Events:
        if (
            act.function is finish
        ):  # a release stands on the log alone, each event as it was written
            with self._lock, uncollected():
                self._state = replayed(self.store.sound())
        try:
            return self._carried_out([act], at, id)
        except ActsRefused as refused:
            raise refused.each[0].error from None

    def _carried_out(
        self, acts: Acts | list[Act | Wrong], at: str | None, id: str | None = None
    ) -> Events:
        with self._lock:
            before: int | None = None
            each: Acts = acts if callable(acts) else lambda _: acts
            try:
                with self.store.writing() as writing:
                    tail = writing.tail(self.state.seq)
                    self._follow(tail)
                    before = self.state.seq
                    name, content = secrets.token_hex(12), ""
                    if id is not None and not callable(acts):
                        own = [act for act in acts if isinstance(act, Act)]
                        name, content = _named(self.state, own, id)
                    if (first := writing.earlier(name, content)) is not None:
                        return [read_event(record.kind, record.body) for record in first]
                    when = writing.moment(at)
                    happened, done = self._tried(each, writing, tail, when)
                    drafts = [Draft(e.kind, e.stream, written(e), by) for by, e in happened]
                    records = writing.append(drafts, id=name, content=content, at=when)
                    for by, fields in done:
                        writing.personal.drop_drafts(by, fields)
            except BaseException:
                if before is not None and self.state.seq != before:  # memory is ahead of the log
                    self._state = None  # looked up in the log when it is asked for
                raise
            if records:
                self.state.seq, self.state.head = records[-1].seq, records[-1].hash
            return [event for _, event in happened]

    def _tried(
        self, acts: Acts, writing: Writing, tail: list[LogRecord], when: str
    ) -> tuple[list[tuple[str, Event]], list[tuple[str, set[str]]]]:
        """What happens, each event with who acts, and drafts of whom are done with.

        The state is then ahead of the log.
        """
        done = list[tuple[str, set[str]]]()

        def do(act: Act) -> Events:
            try:
                own = decided(self.state, act.by, act.function, *act.args, **act.given)
            except AccordantError:  # perhaps since it was meant for what was there before
                if act.by in self.state.people:
                    _compare(self.state, act, (), tail, writing)
                raise
            _compare(self.state, act, own, tail, writing)
            events = carried_out(self.state, act.by, when, own)
            done.append((act.by, acts_of(act.function, {event.stream for event in own})))
            return events

        each = tried(acts, self.state, do)
        return [(act.by, event) for act, events in each for event in events], done

    # ------------------------------------------------------------------ persons

    def draft(self, person: str, key: str, text: str) -> None:
        """Keep a text that a person has not sent; an empty one removes it.

        It goes when the act is done that it is for. It is no part of the log, and stands in nothing
        that is shown to others or given out; whoever has the file or the server could read it.

        Parameters
        ----------
        person : str
        key : str
            What it is for, as `project.draft_key` makes it.
        text : str
        """
        the_person(self.refresh(), person)
        with self.store.personal(writes=True) as personal:
            personal.keep_draft(person, key, text)

    def drafts(self, person: str) -> dict[str, str]:
        """Key → text of what a person has not sent: for them alone."""
        with self.store.personal() as personal:
            return personal.drafts(person)

    def invite(self, person: str, *, by: str) -> str:
        """A new token by which a person is known from now on; one of before is void.

        It is returned this once: only its hash is kept, beside the log.

        Raises
        ------
        RequestError
            If nobody of this name takes part.
        Refused
            If who invites is no researcher.
        """
        may_invite(self.refresh(), person, by)
        token, digest = new_token()
        with self.store.personal(writes=True) as personal:
            personal.keep_token(person, digest)
        return token

    def revoke(self, person: str, *, by: str) -> None:
        """Make a person's token void.

        Raises
        ------
        RequestError, Refused
            As for `invite`.
        """
        may_invite(self.refresh(), person, by)
        with self.store.personal(writes=True) as personal:
            personal.keep_token(person, "")

    def whose(self, token: str) -> Person:
        """The person to whom a token was given, with the roles of now.

        Raises
        ------
        Refused
            If it is nobody's.
        """
        with self.store.personal() as personal:
            tokens = personal.tokens()
        return holder(self.refresh(), tokens, token)


# ------------------------------------------------------------------ beside the log

CASE = "case "  # what streams of cases begin with


def draft_key(function: Callable[..., Events], field: str, case: int | None = None) -> str:
    """The key of a draft: the act it is for, the case if the act is about one, and the field.

    Parameters
    ----------
    function : callable
        One of `steps`.
    field : str
        Which of its texts.
    case : int, optional

    Examples
    --------
    >>> from accordant.resolution import steps
    >>> draft_key(steps.give_reason, "text", case=7)
    'case reason/7/text'
    """
    known = [*inspect.signature(function).parameters][2:]
    all_known("field", [field], known, f"{function.__name__} takes")
    if (case is not None) is not any(name in known for name in ("case", "cases")):
        raise RequestError(f"{function.__name__} is {'not ' * (case is not None)}about a case")
    return f"{_name(function)}/{'' if case is None else case}/{field}"


def acts_of(function: Callable[..., Events], events: Iterable[str]) -> set[str]:
    """What the keys of drafts begin with for which an act was done, by the streams of its events.

    Examples
    --------
    >>> from accordant.resolution import steps
    >>> sorted(acts_of(steps.give_reason, ["case 7"]))
    ['case reason/', 'case reason/7']
    """
    cases = {stream[len(CASE) :] for stream in events if stream.startswith(CASE)}
    return {f"{_name(function)}/{number}" for number in {"", *cases}}


def _name(function: Callable[..., Events]) -> str:
    return next(one.name for one in COMMANDS.values() if one.run is function)


BYTES = 32  # too many to guess, so that a plain hash is enough


def new_token() -> tuple[str, str]:
    """A random token and its hash."""
    token = secrets.token_urlsafe(BYTES)
    return token, _digest(token)


def may_invite(state: State, person: str, by: str) -> None:
    """Complain unless the person takes part, and who asks may add people.

    Raises
    ------
    RequestError, Refused
    """
    the_person(state, person)
    require(unmet_by_anybody(state, by, COMMANDS["person"]), "saying who may come in")


def holder(state: State, tokens: Mapping[str, str], token: str) -> Person:
    """Whose token it is, with the roles of now.

    Parameters
    ----------
    state : State
    tokens : mapping of str to str
        Person → hash.
    token : str

    Raises
    ------
    Refused
        If it is nobody's. The token stands in no message.

    Examples
    --------
    >>> token, digest = new_token()
    >>> ana = Person("ana", ("coder",))
    >>> holder(State(people={"ana": ana}), {"ana": digest}, token).name
    'ana'
    """
    found, shown = "", _digest(token)
    for name, kept in tokens.items():  # all of them, so that the time tells nothing
        if hmac.compare_digest(kept, shown) and name in state.people:
            found = name
    if not found:
        require([Unmet("token", "this invitation is not valid, or not any more")], "signing in")
    return state.people[found]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
