"""The labels that two coders have in common, as two races (`races` says why a race).

With t and u the times at which the last label of each coder's set arrives, a label is in neither
set, in one, or in both. Given the times this is independent of the other labels, so that the
probability of two sizes and of what the sets share is a product over labels, and what remains is
an integral over both times. The label that arrives last at t carries its density h = p exp(-p t)
instead of the probability a to have arrived.

A label that only one of the two ever gives adds to the size of that coder's set, and to nothing
else: the product over such labels needs one time only. Coders of a crowd share few labels.

All terms are positive. The integrals are sums over (t, u), in steps that leave an error of about
1e-13; with `COARSE` steps, below 1e-9, and for slopes below 1e-7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints
from .races import ERROR, by_rate, events, nodes

__all__ = ["COARSE", "COARSE_SLOPE", "FINE", "Racer", "two_races", "two_races_slope"]

FINE = ERROR, 1e-16  # what steps may miss, and how probable an arrival is that does not count
COARSE = 3e-10, 1e-12
COARSE_SLOPE = 1e-8, 1e-10  # slopes are for standard errors
STATES = 100_000  # numbers of one array held at a time: many passes go over it, in the cache
STATES_KEPT = 10_000_000  # for the slopes, which go back through every label: 80 MB


@dataclass(frozen=True, eq=False)
class Racer:
    """One coder, drawing at most ``most`` labels: what has happened at each of T times.

    ``labels`` (L,) the labels with a positive share and ``p`` (L,) their shares; ``t`` and
    ``weight`` (T,) the times and their weights; ``events`` (3, L, T): a label has not arrived, has,
    or does so now (density).
    """

    labels: Ints
    p: Floats
    most: int
    t: Floats
    weight: Floats
    events: Floats

    @classmethod
    def of(cls, p: Floats, q: Floats, accuracy: tuple[float, float] = FINE) -> Racer:
        """A coder with shares of the labels (K,) and with a distribution of sizes (S + 1,).

        Times at which no set of a size that occurs is ever completed are left out.
        """
        error, negligible = accuracy
        labels, sizes = np.flatnonzero(p), np.flatnonzero(q)
        most = int(sizes.max(initial=0))
        t, weight = nodes(p[labels][None], most, error) if most else np.zeros((2, 0))
        every = cls(labels, p[labels], most, t, weight, events(p[labels], t))
        last = every.number(range(len(labels)))[1, sizes[sizes > 0]] * weight
        found = np.flatnonzero((last > negligible).any(0))
        used = slice(found[0], found[-1] + 1) if len(found) else slice(0)
        return cls(labels, p[labels], most, t[used], weight[used], every.events[..., used])

    def number(self, labels: Sequence[int] | Ints) -> Floats:
        """(2, most + 1, T) so many of some labels have arrived; in [1], one of them just now."""
        return self._numbers(labels)[-1]

    def _numbers(self, labels: Sequence[int] | Ints) -> list[Floats]:
        """`number` without any label, with the first of them, with the first two ..."""
        law = np.zeros((2, self.most + 1, len(self.t)))
        law[0, 0] = 1
        found = [law]
        for k in labels:
            f, a, h = self.events[:, k]
            more = np.empty(law.shape)
            _arrive(law, a, h, more)
            found.append(law := law * f + more)
        return found

    def number_slope(self, labels: Ints, pull: Floats) -> Floats:
        """How shares move a sum of `number`, in which ``pull`` multiplies each: one per label."""
        slope = np.zeros(len(labels))
        laws = self._numbers(labels)
        of = pull
        for at in reversed(range(len(labels))):
            k, law, before = labels[at], laws[at], np.empty(of.shape)
            f, a, h = self.events[:, k]
            slope[at] = by_rate(_dot(of, law), *_of_arrival(of, law), f, self.t, self.p[k]).sum()
            _unarrive(of, a, h, before)
            of = before + of * f
        return slope


def _arrive(law: Floats, a: Floats, h: Floats, out: Floats) -> None:
    """The law (2, most + 1, ...) with one label more, which has arrived or does so now."""
    out[:, 0] = 0
    np.multiply(law[:, :-1], a, out=out[:, 1:])
    out[1, 1:] += law[0, :-1] * h


def _unarrive(of: Floats, a: Floats, h: Floats, out: Floats) -> None:
    """`_arrive` the other way round: what multiplies the law, from what multiplies its result."""
    out[:, -1] = 0
    np.multiply(of[:, 1:], a, out=out[:, :-1])
    out[0, :-1] += of[1, 1:] * h


def _of_arrival(of: Floats, law: Floats) -> tuple[Floats, Floats]:
    """What multiplies a and h in `_arrive`, at each time."""
    return _dot(of[:, 1:], law[:, :-1]), _dot(of[1, 1:], law[0, :-1])


def two_races(first: Racer, second: Racer, last: int) -> Floats:
    """How many labels the sets of two coders have in common, given their sizes.

    Parameters
    ----------
    first, second : Racer
        The coders, who draw at most m1 and m2 labels.
    last : int
        Largest number in common that is wanted.

    Returns
    -------
    ndarray
        (m1 + 1, m2 + 1, last + 1) probability of r labels in common, given both sizes.

    Examples
    --------
    >>> coder = Racer.of(np.full(3, 1 / 3), np.full(3, 1 / 3))
    >>> two_races(coder, coder, 2)[2, 2].round(4)
    array([0.    , 0.6667, 0.3333])
    """
    law = np.zeros((first.most + 1, second.most + 1, last + 1))
    meeting = _Meeting.of(first, second, last)
    for part in meeting.parts():
        law += part.states()[-1][1, :, 1] @ part.weight
    return meeting.with_certain(law)


def two_races_slope(
    first: Racer, second: Racer, pull: Floats, n_labels: int
) -> tuple[Floats, Floats, Floats]:
    """How shares move a sum of `two_races`, in which ``pull`` multiplies each number.

    Returns
    -------
    tuple of ndarray
        What `two_races` returns, and (n_labels,) derivatives of the sum with respect to the
        shares of the first and the second coder, for moves that keep their totals.
    """
    law, last = np.zeros(pull.shape), pull.shape[-1] - 1
    slopes = np.zeros((2, n_labels))
    meeting = _Meeting.of(first, second, last)
    of_own = [np.zeros(x.shape) for x in meeting.own]
    for part in meeting.parts(keep=True):
        states = part.states(keep=True)
        law += states[-1][1, :, 1] @ part.weight
        of = np.zeros(states[-1].shape)
        of[1, :, 1] = pull[..., None] * part.weight
        for k in reversed(range(len(meeting.shared[0]))):
            of, moves = part.previous(of, states[k], k)
            for slope, coder, rows, move in zip(
                slopes, (first, second), meeting.shared, moves, strict=True
            ):
                slope[coder.labels[rows[k]]] += move
        part.add_pull_on_own(of[..., 0, :], of_own)
    if meeting.open:
        coders = zip(slopes, (first, second), meeting.private, of_own, strict=True)
        for slope, coder, rows, of_number in coders:
            slope[coder.labels[rows]] = coder.number_slope(rows, of_number)
    return meeting.with_certain(law), slopes[0], slopes[1]


@dataclass(frozen=True, eq=False)
class _Meeting:
    """Two coders: where each has the labels that both give, and those that only one gives.

    ``own`` (2, m + 1, T) of each coder: the law of the number of labels that only this one gives.
    """

    coders: tuple[Racer, Racer]
    last: int
    shared: tuple[Ints, Ints]
    private: tuple[Ints, Ints]
    own: tuple[Floats, Floats]

    @classmethod
    def of(cls, first: Racer, second: Racer, last: int) -> _Meeting:
        _, *shared = np.intersect1d(first.labels, second.labels, True, return_indices=True)
        both = list(zip((first, second), shared, strict=True))
        private = [np.delete(np.arange(len(coder.p)), rows) for coder, rows in both]
        # Without a label in common nothing is integrated.
        used = private if len(shared[0]) else [np.zeros(0, int)] * 2
        one, other = (coder.number(rows) for coder, rows in zip((first, second), used, strict=True))
        return cls(
            (first, second), last, (shared[0], shared[1]), (private[0], private[1]), (one, other)
        )

    @property
    def open(self) -> bool:
        """Whether the two can have a label in common at all."""
        return all(coder.most for coder in self.coders) and len(self.shared[0]) > 0

    def with_certain(self, law: Floats) -> Floats:
        """The law with what needs no integral: nothing is in common with an empty set."""
        none = np.zeros(law.shape[:2], bool)
        none[0], none[:, 0] = True, True
        if not self.open:
            none[:] = True
        nothing = np.arange(law.shape[2]) == 0
        return np.where(none[..., None], nothing, law)

    def parts(self, *, keep: bool = False) -> Iterator[_Part]:
        """All pairs of times, some at a time; the states of every label must fit, if kept."""
        if not self.open:
            return
        one, other = self.coders
        cells = 4 * (one.most + 1) * (other.most + 1) * (self.last + 1) * len(other.t)
        limit = min(STATES, STATES_KEPT // len(self.shared[0])) if keep else STATES
        step = max(1, limit // max(cells, 1))
        for at in range(0, len(one.t), step):
            yield _Part.of(self, slice(at, min(at + step, len(one.t))))


@dataclass(frozen=True, eq=False)
class _Part:
    """P pairs of times at which the last labels of two coders' sets arrive.

    For both coders ``events`` (3, N, P) of the N labels that both give, ``p`` (N,) their shares and
    ``t`` (P,) the times. A state (2, m1 + 1, 2, m2 + 1, R + 1, P) says how probable it is that, of
    the labels so far, one was the last to arrive for the first coder, that so many are in the first
    set, the same for the second coder, and that so many are in both. ``held`` and ``holds`` are
    room to work in.
    """

    meeting: _Meeting
    times: slice
    events: tuple[Floats, Floats]
    p: tuple[Floats, Floats]
    t: tuple[Floats, Floats]
    weight: Floats
    held: Floats
    holds: Floats

    @classmethod
    def of(cls, meeting: _Meeting, times: slice) -> _Part:
        one, other = meeting.coders
        n, n_other = times.stop - times.start, len(other.t)
        first, second = (
            coder.events[:, rows]
            for coder, rows in zip(meeting.coders, meeting.shared, strict=True)
        )
        weight = np.outer(one.weight[times], other.weight).ravel()
        shape = 2, one.most + 1, 2, other.most + 1, meeting.last + 1, len(weight)
        return cls(
            meeting,
            times,
            (np.repeat(first[..., times], n_other, axis=-1), np.tile(second, n)),
            (one.p[meeting.shared[0]], other.p[meeting.shared[1]]),
            (np.repeat(one.t[times], n_other), np.tile(other.t, n)),
            weight,
            *np.empty((2, *shape)),
        )

    def states(self, *, keep: bool = False) -> Floats:
        """The states without any shared label, with one, with two ... or, not kept, the last."""
        n = self.events[0].shape[1]
        found = np.empty((n + 1 if keep else 2, *self.held.shape))
        one, other = self.meeting.own
        start = found[0] if keep else found[n % 2]
        start[...] = 0
        by_times = one[:, :, None, None, self.times, None] * other[:, :, None]
        start[..., 0, :] = by_times.reshape(start[..., 0, :].shape)
        for k in range(n):
            here, there = (k, k + 1) if keep else ((n - k) % 2, (n - k - 1) % 2)
            self._next(found[here], k, found[there])
        return found if keep else found[:1]

    def _next(self, state: Floats, k: int, out: Floats) -> None:
        """The state with label k."""
        f, a, h = self.events[0][:, k]
        self._second(state, k, out)
        _arrive(self.holds, a, h, self.held)
        out *= f
        out += self.held

    def _second(self, state: Floats, k: int, lacks: Floats) -> None:
        """The state after the second coder: if the first coder's set lacks label k.

        If it holds the label: in ``holds``, one label more being in both sets.
        """
        f, a, h = self.events[1][:, k]
        _arrive(_by_second(state), a, h, _by_second(self.held))
        np.multiply(state, f, out=self.holds)
        np.add(self.holds, self.held, out=lacks)
        self.holds[..., 1:, :] += self.held[..., :-1, :]

    def previous(self, of: Floats, state: Floats, k: int) -> tuple[Floats, tuple[float, float]]:
        """`_next` the other way round: what multiplies the state without label k; both slopes."""
        (f1, a1, h1), (f2, a2, h2) = (events[:, k] for events in self.events)
        before, both = np.empty(state.shape), self.held
        self._second(state, k, before)
        of_1 = _dot(of, before), *_of_arrival(of, self.holds)
        _unarrive(of, a1, h1, before)  # what multiplies `holds`
        of_held = np.multiply(of, f1, out=self.holds)  # what multiplies the state that lacks k
        np.add(before, of_held, out=both)  # what multiplies f2 and the state
        of_held[..., :-1, :] += before[..., 1:, :]
        of_2 = _dot(both, state), *_of_arrival(_by_second(of_held), _by_second(state))
        _unarrive(_by_second(of_held), a2, h2, _by_second(before))
        both *= f2
        before += both
        (p1, p2), (t1, t2) = self.p, self.t
        moves = by_rate(*of_1, f1, t1, p1[k]).sum(), by_rate(*of_2, f2, t2, p2[k]).sum()
        return before, moves

    def add_pull_on_own(self, of: Floats, pull: Sequence[Floats]) -> None:
        """Add to ``pull`` what multiplies the law of each coder's own labels in these states."""
        one, other = self.meeting.own
        of = of.reshape(*of.shape[:-1], -1, other.shape[-1])
        pull[0][..., self.times] += np.einsum("iajbtu,jbu->iat", of, other)
        pull[1][...] += np.einsum("iajbtu,iat->jbu", of, one[..., self.times])


def _by_second(state: Floats) -> Floats:
    """The state with the axes of the second coder in front."""
    return np.moveaxis(state, (2, 3), (0, 1))


def _dot(a: Floats, b: Floats) -> Floats:
    """(P,) the sum of products over all but the last axis."""
    axes = "abcde"[: a.ndim - 1]
    return np.asarray(np.einsum(f"{axes}z,{axes}z->z", a, b))
