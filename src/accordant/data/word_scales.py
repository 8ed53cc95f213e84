"""Words whose order everybody knows: the usual answers of rating scales, in several languages."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["in_order"]

# Each line is one scale, from the lowest to the highest; a bar separates words of one rank.
SCALES = tuple(
    tuple(tuple(word.strip() for word in rank.split("|")) for rank in line.split(","))
    for line in """
    strongly disagree|disagree strongly|completely disagree|totally disagree,
        disagree|somewhat disagree, neutral|neither|neither agree nor disagree|undecided,
        agree|somewhat agree, strongly agree|agree strongly|completely agree|totally agree
    very low|lowest, low, medium|mid|middle|moderate|average, high, very high|highest
    none|not at all|no, slight|a little|slightly|mild|minor, some|somewhat|moderate|moderately,
        very|considerable|much|strong|severe|major, extreme|extremely|very much|very strong
    never, rarely|seldom, sometimes|occasionally, often|frequently, always
    very poor|very bad|terrible, poor|bad, fair|acceptable|ok|okay|average, good,
        very good, excellent
    very negative|strongly negative, negative, neutral, positive, very positive|strongly positive
    very unlikely, unlikely, neutral|possible, likely, very likely
    small, medium, large
    easy, medium, hard|difficult
    not important|unimportant, slightly important, important, very important
    stimme überhaupt nicht zu|trifft überhaupt nicht zu|stimme gar nicht zu,
        stimme nicht zu|stimme eher nicht zu|trifft nicht zu|trifft eher nicht zu,
        neutral|teils/teils|teils teils|weder noch|unentschieden,
        stimme zu|stimme eher zu|trifft zu|trifft eher zu,
        stimme voll zu|stimme voll und ganz zu|stimme völlig zu|trifft voll zu|
        trifft voll und ganz zu
    sehr niedrig|sehr gering, niedrig|gering, mittel, hoch, sehr hoch
    nie, selten, manchmal|gelegentlich, oft|häufig, immer
    sehr schlecht, schlecht, mittel|mittelmäßig|ausreichend, gut, sehr gut
    ungenügend, mangelhaft, ausreichend, befriedigend, gut, sehr gut
    pas du tout d'accord|pas du tout d’accord|tout à fait en désaccord,
        pas d'accord|pas d’accord|plutôt pas d'accord|plutôt pas d’accord|en désaccord,
        neutre|ni d'accord ni pas d'accord|sans opinion,
        d'accord|d’accord|plutôt d'accord|plutôt d’accord,
        tout à fait d'accord|tout à fait d’accord
    très faible|très bas, faible|bas, moyen, élevé|fort|haut, très élevé|très fort
    jamais, rarement, parfois|quelquefois, souvent, toujours
    muy en desacuerdo|totalmente en desacuerdo, en desacuerdo,
        neutral|ni de acuerdo ni en desacuerdo, de acuerdo, muy de acuerdo|totalmente de acuerdo
    muy bajo, bajo, medio, alto, muy alto
    nunca, raramente|rara vez, a veces, a menudo|frecuentemente, siempre
    """.replace(",\n", ", ")
    .replace("|\n", "|")
    .strip()
    .splitlines()
)


def in_order(words: Collection[str]) -> list[str] | None:
    """The words in the order of the scale that has all of them; None if no scale, or two, do.

    Examples
    --------
    >>> in_order(["high", "low", "medium"])
    ['low', 'medium', 'high']
    >>> in_order(["high", "low", "blue"]) is None
    True
    """
    found = []
    for scale in SCALES:
        rank = {word: k for k, ranks in enumerate(scale) for word in ranks}
        keys = {w: rank.get(" ".join(w.casefold().split())) for w in words}
        ranks = [k for k in keys.values() if k is not None]
        if len(ranks) == len(keys) == len({*ranks}) > 1:
            found.append(sorted(words, key=lambda w, keys=keys: keys[w] or 0))  # type: ignore[misc]
    return found[0] if found and all(f == found[0] for f in found) else None
