"""Which column names mean what: the usual spellings of the roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES: dict[str, tuple[str, ...]] = {
    "item": _words(
        "item itemid unit unitid instance instanceid textid document documentid doc docid "
        "task taskid example exampleid sample sampleid sentenceid segment segmentid subject "
        "subjectid case caseid hitid articleid record recordid id idx index tweetid postid "
        "commentid utteranceid paragraphid passageid pairid questionid imageid image "
        "messageid object objectid target targetid token tokenid target_id stimulus "
        "stimulusid trial observation observationid patient patientid row rowid nr no number "
        "inputhash uid guid"
    ),
    "coder": _words(
        "coder coderid annotator annotatorid worker workerid rater raterid judge judgeid user "
        "userid username labeler labeller labelerid reviewer reviewerid observer observerid "
        "assessor assessorid participant participantid expert expertid player playerid person "
        "coders annotators raters evaluator evaluatorid respondent sessionid annotatedby "
        "completedby student grader graderid marker model modelname modelid run runid who "
        "kodierer kodiererin bewerter codeur annotateur initials yourinitials "
        "coderinitials yourname kürzel ihrkürzel deinkürzel"
    ),
    "label": _words(
        "label annotation answer category rating score value response code class judgement "
        "judgment choice tag decision vote grade level labels annotations ratings scores "
        "answers categories classification sense verdict codes"
    ),
    "question": _words(
        "question field variable scheme dimension criterion aspect attribute layer feature "
        "questionname subtask codebook questions"
    ),
    "text": _words(
        "text sentence content utterance tweet comment body passage paragraph snippet quote "
        "message post abstract excerpt description"
    ),
    "status": _words("status missingreason reasonmissing state annotationstatus"),
}
CONSENSUS = _words(
    "consensus gold golden adjudicated adjudication majority truth groundtruth reference "
    "curated curation resolved agreed goldlabel goldstandard consensuslabel majorityvote "
    "majoritylabel finallabel final disagreement expected correct master "
    "konsens konsenskodierung endgültig referenz musterlösung lösung mehrheit einigung "
    "référence définitif majorité consenso"
)
# What holds for the items or the whole study, and is no label even if it never varies.
FACTS = _words(
    "batch round wave phase part split set subset fold version language lang locale country "
    "genre domain source origin corpus dataset collection project campaign platform study "
    "survey experiment condition chapter page volume year month day week title "
    "name author url link href file filename path length tokens duration "
    "seconds time timestamp date price reward weight index rank prompt keywords "
    "format channel task hit assignment license licence prediction predicted "
    "temperature seed confidence probability trust tainted channel region city created updated "
    "started submitted"
)
# What a model says: a fact beside the labels of coders, else the labels.
PREDICTIONS = _words("prediction predicted predictions pred preds output")
# In the coder's own words, or a name.
REMARKS = _words(
    "comment comments note notes remark remarks reason rationale reasoning explanation name prompt "
    "response justification kommentar kommentare bemerkung bemerkungen notiz notizen anmerkung "
    "anmerkungen begründung remarque remarques commentaire commentaires"
)
# When somebody annotated: the first time, or again.
ROUNDS = _words(
    "round wave pass occasion session attempt repetition rep retest runde durchgang durchlauf "
    "welle tour passage ronda vuelta giro tornata ronde runda"
)
_WHICH = rf"(?:r|t|time|{'|'.join(ROUNDS)})[\s_.-]?\d"
_ROUND = re.compile(
    rf"(?P<before>.+?)[\s_.:(-]*(?:\(\d(?:nd|rd|th)?(?: time)?\)|(?:\b|_)\(?{_WHICH}\)?)"
    rf"|{_WHICH}[\s_.:-]+(?P<behind>.+)",
    re.IGNORECASE,
)
# Who annotates, where a name says what somebody is: 'nurse', 'GPT-4'.
SOMEBODY = _words("dr doctor physician nurse human gpt chatgpt claude llama mistral gemini llm")
_NUMBERED = re.compile(r"(?P<before>.*[^\W\d_])[\s_.-]*(?P<behind>\d)")
COUNTING = ("n", "num", "count")
# Between the question and the coder of a header, the clearest first.
MARKS = ("__", " - ", "::", ": ", ":", " | ", "|", "/", "_", ".", " ", "-")
# When an annotation was made, or as which one of its coder.
TIMES = _words("time timestamp date datetime created updated submitted position order sequence")
WEIGHTS = _words(
    "weight weights confidence certainty probability prob share strength intensity "
    "sure sicher gewissheit"
)
_PREFIXED = re.compile(r"(?:input|answer|output|assignment)[:.](.+)")
_SHORT_CODER = re.compile(r"(?:a|c|j|r|w|ann|anno|annot|cod|rat|p)[ _.-]?\d+|[a-z]")
_ROLES = {name: role for role, names in NAMES.items() for name in names}


def tidy(name: str) -> str:
    """A header without case, white space and punctuation.

    Examples
    --------
    >>> tidy("_Worker ID ")
    'workerid'
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def role_of(name: str) -> str | None:
    """The role that a header names, or None.

    Examples
    --------
    >>> role_of("annotator_id"), role_of("Article ID (PDFs)"), role_of("q1")
    ('coder', 'item', None)
    """
    plain = re.sub(r"\(.*?\)", "", name)
    found = _ROLES.get(tidy(plain))
    if found is None and (m := _PREFIXED.fullmatch(plain.casefold())):
        return _ROLES.get(tidy(m[1]))
    return found


def words_of(name: str) -> list[str]:
    """The words and numbers that a header is made of."""
    return re.findall(r"[^\W\d_]+|\d+", name.casefold())


def coder_like(name: str) -> bool:
    """Whether a header looks like the name of a coder: 'A1', 'coder 2', 'annotator_anna'."""
    words = words_of(name)
    return bool(words) and (
        any(_ROLES.get(w) == "coder" or w in SOMEBODY for w in words)
        or _SHORT_CODER.fullmatch(name.casefold()) is not None
    )


def label_like(name: str) -> bool:
    """Whether a header says that its column holds labels."""
    return _ROLES.get(tidy(name)) == "label"


def answer_like(name: str) -> bool:
    """Whether a crowdsourcing platform calls a column an answer: 'Answer.tone', 'OUTPUT:result'."""
    return re.match(r"(?:answer|output)[:.]", name.casefold()) is not None


def fact_like(name: str) -> bool:
    """Whether a header speaks of the items or of the study, or counts, rather than of an answer.

    Examples
    --------
    >>> fact_like("batch_nr"), fact_like("Source"), fact_like("is_hateful"), fact_like("n_words")
    (True, True, False, True)
    """
    words = words_of(name)
    return any(w in FACTS for w in words) or (len(words) > 1 and words[0] in COUNTING)


def weight_like(name: str) -> bool:
    """Whether a header may say how strongly a label was given.

    Examples
    --------
    >>> weight_like("confidence"), weight_like("label_share"), weight_like("duration")
    (True, True, False)
    """
    return any(w in WEIGHTS for w in words_of(name))


def family(name: str, other: str) -> bool:
    """Whether two headers are members of one series.

    Examples
    --------
    >>> family("q1", "q2"), family("is_hate", "is_funny"), family("tone", "topic")
    (True, True, False)
    """
    one, two = words_of(name), words_of(other)
    return len(one) > 1 and len(two) > 1 and one[0] == two[0]


def round_like(name: str) -> bool:
    """Whether a header says that its column tells the first time from the second."""
    return any(w in ROUNDS for w in words_of(name)) and len(words_of(name)) < 3


def speaks_of_rounds(name: str) -> bool:
    """Whether a name says in words, or in brackets, that it is of a time: no rater is called so."""
    return bool(re.search(r"\(\d[^()]*\)$", name)) or any(
        w in (*ROUNDS, "time") for w in words_of(name)
    )


def persons_of(names: Sequence[str], *, numbered: bool = False) -> dict[str, str]:
    """Whose each name is, of persons of whom several names tell the first time from the second.

    Parameters
    ----------
    names : sequence of str
    numbered : bool
        Whether numbers alone tell the times apart, if they count from 1.

    Examples
    --------
    >>> persons_of(["Ana_r1", "Ana_r2", "Ben"])
    {'Ana_r1': 'Ana', 'Ana_r2': 'Ana'}
    >>> persons_of(["rater_r1", "rater_r2"]), persons_of(["Ana", "Ana (2)", "Ben"])
    ({}, {'Ana (2)': 'Ana', 'Ana': 'Ana'})
    >>> names = ["Ana", "Ana.2", "Ben"]
    >>> persons_of(names), persons_of(names, numbered=True)
    ({}, {'Ana.2': 'Ana', 'Ana': 'Ana'})
    >>> persons_of(["w1", "w2", "w10", "x"], numbered=True)
    {}
    """
    form = _NUMBERED if numbered else _ROUND
    read = {n: m for n in names if (m := form.fullmatch(n))}
    found = {n: m["before"] if numbered else m["before"] or m["behind"] for n, m in read.items()}
    found = {n: who for n, who in found.items() if not role_of(who)}
    found |= {n: n for n in names if n in {*found.values()}}
    times = Counter(found.values())
    again = {n: who for n, who in found.items() if times[who] > 1}
    if numbered:  # 'Ana', 'Ana.1' or 'Ana_1', 'Ana_2', and no versions such as 'gpt-3', 'gpt-4'
        nth = {n: int(m["behind"]) if (m := read.get(n)) else 0 for n in again}
        of = {who: sorted(nth[n] for n in again if again[n] == who) for who in again.values()}
        counts = {w for w, k in of.items() if k[0] < 2 >= k[1] and k[-1] - k[1] == len(k) - 2}
        if len(counts) < 2 or len({len(of[who]) for who in counts}) > 1:
            # 'w1', 'w2' are coders: the number is a part of the name
            counts = {who for who in counts if f"{who}{of[who][-1]}" not in again}
        again = {n: who for n, who in again.items() if who in counts}
    return again if len({again.get(n, n) for n in names}) > 1 else {}


def personal(name: str) -> bool:
    """Whether a column holds what must not travel with the data: addresses of persons."""
    return tidy(name) in ("ip", "ipaddress", "email", "emailaddress", "mail", "phone")


def consensus_like(name: str) -> bool:
    """Whether a name speaks of what coders agreed on rather than of a coder."""
    return any(w in CONSENSUS for w in words_of(name)) or tidy(name) in CONSENSUS


def apart(stems: list[str], folders: list[str]) -> list[str]:
    """What tells files apart: their names, those of their folders where all are alike, or both."""
    for names in (stems, folders):
        if len({*names}) == len(names):
            return names
    return [f"{folder}/{stem}" for folder, stem in zip(folders, stems, strict=True)]
