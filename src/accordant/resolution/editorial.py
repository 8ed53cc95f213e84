"""What an editorial change of the guidelines changes, and whether it touches what they mean.

An editorial change is one of wording: no answer changes because of it (Oortwijn et al. 2021,
footnote 3). Whoever confirms that sees every change; where one touches words on which the meaning
of a rule hangs, every coder has to confirm it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from .records import Guidelines
from .sentences import listing
from .state import Epoch, State
from .toolbox import Changed, Snapshot, diff

__all__ = ["Rewording", "confirmations_awaited", "meaning_terms", "rewording"]

ENGLISH = """
    not no nor never none nothing nobody neither cannot without except unless only if whether when
    must may might should shall can need all any every each both some few several many more most
    less least fewer than always sometimes usually often or either before after until instead half
    two three four five six seven eight nine ten once twice
    """
GERMAN = r"""
    nicht nichts nie niemals niemand kein\w* weder ohne außer ausser nur wenn falls sofern ob wo
    muss müss\w+ soll\w* darf dürf\w+ kann könn\w+ all(?:e[mnrs]?)? jede\w* beide\w* einige\w*
    manche\w* wenige\w* mehrere\w* viele\w* mehr mindestens höchstens immer manchmal meist\w* oft
    oder entweder bevor nachdem bis halb\w* zwei drei vier fünf sechs sieben acht neun zehn einmal
    """
FRENCH = r"""
    ne pas non jamais rien aucun\w* personne ni sans sauf excepté seul\w* seulement uniquement si
    sinon quand lorsque doi[ts] doivent devr\w+ peut peuvent pourr\w+ tout toute tous toutes chaque
    quelque\w* certain\w* plusieurs plus moins toujours parfois souvent ou soit avant après jusque
    demi\w* deux trois quatre cinq sept huit neuf dix
    """
# What is negated, allowed, demanded, restricted or counted.
SHORT = (r"\w+n['’]t", r"n['’]\w+", r"qu['’]\w+", r"\w*\d\w*", "[<>≤≥=%]")
TERM = re.compile("|".join([*ENGLISH.split(), *GERMAN.split(), *FRENCH.split(), *SHORT]))
WORD = re.compile(r"\w+(?:['’]\w+)*|[<>≤≥=%]")
WHOLE = ("options of question ", "ambiguity")  # parts of which every change is one of meaning
SCOPE = ", questions"


@dataclass(frozen=True)
class Rewording:
    """An editorial version of the guidelines beside the one before.

    Parameters
    ----------
    version : str
    changed : tuple of Changed
        What differs, part by part.
    terms : tuple of str
        Words on which meaning hangs and that were added, removed or moved, and parts that are new
        or gone.
    """

    version: str
    changed: tuple[Changed, ...]
    terms: tuple[str, ...]

    def __str__(self) -> str:
        each = (f"{c.what}: “{c.before}” is now “{c.after}”" for c in self.changed)
        touched = f"; this touches {listing(f'“{t}”' for t in self.terms)}" if self.terms else ""
        return f"{'; '.join(each)}{touched}"


def rewording(epoch: Epoch, version: str) -> Rewording:
    """What a version of the guidelines changes in the one before."""
    place = next(k for k, g in enumerate(epoch.guidelines) if g.version == version)
    before, after = epoch.guidelines[max(place - 1, 0)], epoch.guidelines[place]
    changed = (*diff(_alone(before), _alone(after)), *_scopes(before, after))
    labels = {w for g in (before, after) for own in g.options.values() for w in _words(*own)}
    terms = dict.fromkeys(term for one in changed for term in _touched(one, labels))
    return Rewording(version, changed, tuple(terms))


def _scopes(before: Guidelines, after: Guidelines) -> Iterator[Changed]:
    """Rules that bear on other questions than before; none is named where they bear on all."""
    old = {rule.id: rule.questions for rule in before.rules}
    for rule in after.rules:
        if rule.id in old and rule.questions != old[rule.id]:
            was, now = (", ".join(q) or "all" for q in (old[rule.id], rule.questions))
            yield Changed(f"rule {rule.id}{SCOPE}", was, now)


def _alone(guidelines: Guidelines) -> Snapshot:
    return Snapshot(0, "", "", None, guidelines, {})


def _touched(one: Changed, labels: set[str]) -> Iterator[str]:
    if not one.before or not one.after:
        yield f"{one.what} is {'gone' if one.before else 'new'}"
    elif one.what.startswith(WHOLE) or one.what.endswith(SCOPE):
        yield one.what
    else:
        yield from meaning_terms(one.before, one.after, labels)


def _words(*texts: str) -> list[str]:
    return [word for text in texts for word in WORD.findall(text.lower())]


def meaning_terms(before: str, after: str, labels: set[str] | None = None) -> list[str]:
    """Words on which meaning hangs and that were added, removed or moved.

    In English, German and French.

    Parameters
    ----------
    before, after : str
    labels : set of str, optional
        What may be answered counts among them.

    Examples
    --------
    >>> meaning_terms("yes if it is a claim", "NEVER yes if it is a claim")
    ['never']
    >>> meaning_terms("Ja, außer in Titeln", "Ja, auch in Titeln")
    ['außer']
    >>> meaning_terms("Read the hole text.", "Read the whole text")
    []
    """
    old, new = _words(before), _words(after)
    found: dict[str, None] = {}
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for word in old[a:b] + new[c:d] if what != "equal" else ():
            if TERM.fullmatch(word) or word in (labels or ()):
                found[word] = None
    return list(found)


def confirmations_awaited(state: State, version: str) -> tuple[str, ...]:
    """Who may confirm an editorial version, or has still to where the meaning is touched."""
    confirmed = state.epoch.confirmed.get(version, [])
    if confirmed and not rewording(state.epoch, version).terms:
        return ()
    return tuple(coder for coder in state.coders if coder not in confirmed)
