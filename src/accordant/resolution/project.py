"""A project: its events in a store, and where it stands, folded from them.

>>> from tempfile import TemporaryDirectory
>>> from accordant.resolution.setup import state_question
>>> folder = TemporaryDirectory()
>>> with Project.create(f"{folder.name}/letters.accordant", "Letters", by="ana") as project:
...     happened = project.do(state_question, by="ana", text="Who wrote them?")
...     project.state.step.value, [event.kind for event in happened]
('setup', ['research question stated'])
>>> folder.cleanup()
"""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import AccordantError, StoreError
from .acts import Act, Acts, ActsRefused, Wrong, tried
from .command import Events, Refused
from .completion import finish
from .event import Event
from .exports import final_rows
from .kept_state import KEEP_AFTER, KEEP_SIZE, KeptState, compare, faults_of
from .logbook import Entry, log
from .logbook import head as shown_head
from .personal import acts_of, holder, may_invite, new_token
from .procedure import carried_out, command_named, converted, decided, read_event, written
from .release import ReleaseNow, status_now
from .setup import new_project, the_person
from .standing import Standing, standing
from .state import Person
from .store.record import Draft, Record
from .store.store import Store
from .store.tables import Writing
from .store.verification import Fault
from .views import CaseRow, CaseView, ComparisonView, case_view, cases, comparison_view
from .work import Work, my_work

__all__ = ["Project", "examined"]


def examined(
    where: str | Path,
    *,
    head: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Fault], int, str]:
    """Faults of a project, also of one that cannot be opened; how many events it has; its head.

    The head is empty while it must wait: even the number of events tells what was answered.
    """
    try:
        with Project.open(where, read_only=True) as project:
            faults = project.verify(head=head, progress=progress)
            return faults, project.state.seq, shown_head(project.state, "")
    except AccordantError:  # what cannot be opened can be looked at
        with Store.open(where, read_only=True) as store:
            faults = faults_of(store, head=head, progress=progress)
            if not faults:
                raise
            return faults, 0, ""


def _streams(given: Mapping[str, object]) -> set[str]:
    """The cases that a command names."""
    named = [given.get("case"), given.get("cases")]
    numbers = [n for some in named for n in (some if isinstance(some, list | tuple) else [some])]
    return {f"case {number}" for number in numbers}


class Project(KeptState):
    """One project, opened. Made by `create` and `open`.

    Any number of threads may share it: they act one after the other. Whoever reads the state while
    others act reads it within `reading`.

    Attributes
    ----------
    store : Store
        The events.
    """

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
                raise StoreError(
                    f"{store.shown}: is empty: making it was interrupted. Delete it and make it "
                    "anew"
                )
            return project
        except BaseException:
            store.close()
            raise

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
        >>> _ = project.do("question", by="ana", text="Who wrote them?")
        >>> _ = project.do("purpose", by="ana", purpose="ground truth")
        >>> _ = project.do("go", by="ana", to="task")
        >>> questions = [{"id": "author", "text": "Is the author named?"}]
        >>> happened = project.do("task", by="bob", task={"questions": questions})
        >>> [event.sentence() for event in happened]
        ['the task is written: 1 question']
        >>> project.status().step.value, project.status("bob").commands[:2]
        ('task and guidelines', ('task', 'guidelines'))
        >>> project.do("case reason", by="bob", case="3", text="it is signed")
        Traceback (most recent call last):
        accordant.errors.RequestError: case: expected `int`, got `str`
        >>> [entry.kind for entry in project.log()][-2:]
        ['moved', 'task written']
        >>> project.close()
        >>> folder.cleanup()
        """
        expect = given.pop("expect", None)
        if isinstance(what, str):
            what = command_named(what)
            names = [*inspect.signature(what).parameters][2:]
            given, args = converted(what, dict(zip(names, args, strict=False)) | given), ()
        return self._act(Act(what, by, given, expect=expect or {}, args=args))

    # ------------------------------------------------------------------ looking

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

    def log(self, person: str = "") -> list[Entry]:
        """What happened, in its order, as a person may read it; the public by default."""
        return list(log(self.records(), self.refresh(), person))

    def answers(self, person: str = "") -> list[dict[str, str]]:
        """What the annotations come to, one row for each item and question; see `final_rows`."""
        return final_rows(self.refresh(), person)

    def release(self) -> ReleaseNow:
        """What a release would be now, and why it is no better one."""
        return status_now(self.refresh())

    # ------------------------------------------------------------------ acting with options

    def done(
        self,
        function: Callable[..., Events],
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
        function : callable
            A command of `commands`.
        by : str
            Who acts.
        given : mapping
            What the command takes.
        at : str, optional
            The moment (UTC, ISO 8601), not before that of the last event; now by default.
        id : str, optional
            Name of this act, made by the caller: repeated, it changes nothing and returns what
            happened the first time.
        expect : mapping of str to int, optional
            What the person had before them: ``{"case 7": version}`` as `views.case_view` gives it.

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
        return self._act(Act(function, by, given, expect=expect or {}), at, id)

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
            As for `done`.

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
        if callable(acts):
            return self._carried_out(acts, at, id)
        listed = list(acts)
        return self._carried_out(lambda _: listed, at, id)

    def _act(self, act: Act, at: str | None = None, id: str | None = None) -> Events:
        if act.function is finish:
            self._recall()
        try:
            return self._carried_out(lambda _: [act], at, id)
        except ActsRefused as refused:
            raise refused.each[0].error from None

    def _carried_out(self, acts: Acts, at: str | None, id: str | None) -> Events:
        with self._lock:
            before: int | None = None
            try:
                with self.store.writing() as writing:
                    tail = writing.tail(self.state.seq)
                    self._follow(tail)
                    before = self.state.seq
                    name = id or secrets.token_hex(12)
                    if (first := writing.earlier(name)) is not None:
                        return [read_event(record.kind, record.body) for record in first]
                    when = writing.moment(at)
                    happened, done = self._tried(acts, writing, tail, when)
                    drafts = [Draft(e.kind, e.stream, written(e), by) for by, e in happened]
                    records = writing.append(drafts, id=name, at=when)
                    for by, fields in done:
                        writing.personal.drop_drafts(by, fields)
            except BaseException:
                if before is not None and self.state.seq != before:  # memory is ahead of the log
                    self._state = None  # looked up in the log when it is asked for
                raise
            if records:
                self.state.seq, self.state.head = records[-1].seq, records[-1].hash
            self._size += sum(len(draft.body) for draft in drafts)
            if self.state.seq - self._kept >= KEEP_AFTER or self._size >= KEEP_SIZE:
                with suppress(StoreError):  # what was done is in the log: a snapshot can wait
                    self._keep()
            return [event for _, event in happened]

    def _tried(
        self, acts: Acts, writing: Writing, tail: list[Record], when: str
    ) -> tuple[list[tuple[str, Event]], list[tuple[str, set[str]]]]:
        """What happens, each event with who acts, and drafts of whom are done with.

        The state is then ahead of the log.
        """
        done = list[tuple[str, set[str]]]()

        def do(act: Act) -> Events:
            writing.expect(act.expect)
            own = self._decided(act, tail)
            compare(own, tail, act.by)
            events = carried_out(self.state, act.by, when, own)
            streams = {event.stream for event in own}
            compare([e for e in events if e.stream not in streams], tail, act.by)
            done.append((act.by, acts_of(act.function, streams)))
            return events

        each = tried(acts, self.state, do)
        return [(act.by, event) for act, events in each for event in events], done

    def _decided(self, act: Act, tail: list[Record]) -> Events:
        try:
            return decided(self.state, act.by, act.function, *act.args, **act.given)
        except Refused as refused:
            # Not even that somebody answered again in a round: it may tell what they answered.
            others = [r for r in tail if r.actor != act.by and not r.stream.startswith("round ")]
            same = [record for record in others if record.stream in _streams(act.given)]
            if others:
                last = (same or others)[-1]
                refused.note(f"since you looked, {last.actor} acted: {last.kind} ({last.stream})")
            raise

    # ------------------------------------------------------------------ persons

    def draft(self, person: str, key: str, text: str) -> None:
        """Keep a text that a person has not sent; an empty one removes it.

        It goes when the act is done that it is for. It is no part of the log, and stands in nothing
        that is shown to others or given out; whoever has the file or the server could read it.

        Parameters
        ----------
        person : str
        key : str
            What it is for, as `personal.draft_key` makes it.
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
