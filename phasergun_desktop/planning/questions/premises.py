"""What a question takes for granted, and whether a source denies it.

"Why is it sterile?" has no answer where the device is supplied non-sterile: what was asked is
refused with that sentence. By rule and cautious: a denial must name what is denied, be about the
same thing and be no condition, and no other passage may affirm it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.values import Value, ValueKind, extract_values, missing_values
from phasergun_desktop.text.words import content_words, fold

_WH = re.compile(
    r"\b(?P<wh>why|when|where|how|who|whom|whose|which|what)\b(?P<rest>.*)$", re.DOTALL
)
_TOKEN = re.compile(r"[a-z0-9]+(?:[.'/][a-z0-9]+)*(?:\([a-z]\))?|[,;:]")


def _root(word: str) -> str:
    """Return what sterile, sterilised and sterility share: the stem, at most six letters."""
    stem = next(iter(content_words(word)), word)
    return stem if any(character.isdigit() for character in stem) else stem[:6]


def _roots(text: str) -> list[str]:
    return [_root(word) for word in _TOKEN.findall(fold(text).replace("-", " "))]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BE = _words("is are was were be been being")
_DO = _words("do does did has have had will can shall must should")
_NEGATED = frozenset(listed("questions", "negated"))
_LINKS = frozenset(listed("questions", "links"))
_PLAIN = _BE | frozenset(listed("questions", "plain"))
# Words that say how a thing is handed over or looked at, not what it is.
_LIGHT = frozenset(_roots(" ".join(listed("questions", "light"))))
_DONE = frozenset(_roots(" ".join(listed("questions", "done"))))
_DEVICE = frozenset(_roots("device product system it they"))
_HEDGES = _words("if unless whether when where until")
_MODALS = _words("shall should must may might could would need let")
_PRONOUNS = (["it"], ["they"], ["this"], ["these"])
_CLAUSE_ENDS = frozenset({",", ";", ":"})
_NO = _words("no without neither nor lacks lack")
_NOT = (_NEGATED - {"no", "without"}) | {"nor", "neither"}
_HAVING = frozenset(_roots("have contain include give use offer"))
_MOST_BETWEEN = 8
_MIN_COVERED = 0.5
_MIN_SAME_QUANTITY = 0.75


@dataclass(frozen=True, slots=True)
class Premise:
    """What a question takes for granted, as roots of words.

    ``predicates`` is what is said of ``others`` (``sterile``; of "made with natural rubber latex"
    each word; none where only things are taken to exist); ``things`` are the noun phrases, each
    with its last word last. ``names`` must stand in the denial itself: numbers of documents and
    devices. ``values`` are amounts with a unit. ``is_made``: that the things were made or done.
    """

    predicates: tuple[str, ...]
    others: frozenset[str]
    things: tuple[tuple[str, ...], ...]
    names: frozenset[str]
    values: tuple[Value, ...]
    is_made: bool


def premise_of(question: str, names: Iterable[str] = ()) -> Premise | None:
    """Return what ``question`` takes for granted, None where it is no such question.

    ``names`` are those of the project's own device: whatever is asked is asked about it. A
    question that itself denies something ("why is it not …") is left alone.
    """
    match = _WH.search(fold(question))
    if match is None:
        return None
    own = {root for name in names for root in _brand(name)} | _DEVICE
    asked = match["rest"]
    for name in names:
        asked = asked.replace(fold(name), " device ")
    tokens = _TOKEN.findall(asked.replace("-", " "))
    if _NEGATED & set(tokens):
        return None
    runs = _runs(tokens)
    asks_how_much = match["wh"] == "how" and bool(tokens) and tokens[0] not in _BE | _DO
    if asks_how_much and runs:
        # "How loud is …": the word says what is asked, not what is taken for granted.
        runs[0] = runs[0][1:]
    runs = [run for run in runs if run and not set(run) <= own]
    runs = [tuple(word for word in run if word not in own) for run in runs]
    if not runs:
        return None
    is_adverb = match["wh"] in {"why", "when", "where", "how"} and not asks_how_much
    predicates: tuple[str, ...] = ()
    is_doing = bool(tokens) and tokens[0] in {"do", "does", "did"}
    if is_adverb and is_doing:
        predicates = runs[-1][-1:]
    elif is_adverb:
        be_at = next((at for at, token in enumerate(tokens) if token in _BE), None)
        predicates = _predicates(tokens[be_at + 1 :], own) if be_at is not None else ()
    amounts = {root for value in extract_values(asked) for root in _roots(value.text)}
    predicates = tuple(word for word in predicates if word not in amounts)
    others = frozenset(
        word for run in runs for word in run if word not in {*predicates, *_LIGHT, *_DONE}
    )
    every = extract_values(match["rest"])
    identifiers = frozenset(value.key for value in every if value.kind is not ValueKind.NUMBER)
    return Premise(
        predicates,
        others,
        _things(runs, predicates, is_doing=is_doing),
        identifiers,
        tuple(v for v in every if v.kind is ValueKind.NUMBER and v.unit),
        any(word in _DONE for run in runs for word in run),
    )


def denial_of(premise: Premise, spans: Sequence[CandidateSpan]) -> CandidateSpan | None:
    """Return the span that plainly denies ``premise``, None where none does or another affirms it.

    ``spans`` are those that were found for the question, best first.
    """
    denying: CandidateSpan | None = None
    for span in sorted(spans, key=lambda each: len(each.text)):
        tokens = _TOKEN.findall(fold(span.text).replace("-", " "))
        denies, affirms = _verdict(premise, tokens, span)
        if affirms:
            return None
        if denies and denying is None:
            denying = span
    return denying or _other_value(premise, spans)


def _verdict(premise: Premise, tokens: list[str], span: CandidateSpan) -> tuple[bool, bool]:
    """Return whether the span denies the premise, and whether it states it."""
    roots = [_root(token) for token in tokens]
    stated = set(roots) | set(_roots(span.context)) | set(_roots(span.passage.file))
    if any(name not in fold(f"{span.text} {span.context} {span.passage.file}").replace(" ", "")
           for name in premise.names):  # fmt: skip
        return False, False
    if not premise.others and span.passage.layer.is_procedure:
        return False, False  # rules for every device say nothing of this one
    # A heading says what "it" is; it does not make a sentence on the cover one on the blanket.
    speaks = bool(premise.others & set(roots)) or not premise.others or tokens[:1] in _PRONOUNS
    is_about = speaks and _covered(premise.others, stated) >= _MIN_COVERED
    denies = affirms = False
    is_question = "?" in span.text
    for at in (at for at, root in enumerate(roots) if root in premise.predicates):
        negator = _negator_before(tokens, roots, at, premise)
        if negator is None:
            says_all = set(premise.predicates) <= set(roots)
            is_said = is_about and says_all and not is_question
            affirms |= is_said and not _is_hedged(tokens, at)
        elif is_about and not _is_hedged(tokens, negator):
            denies = True
    for thing in premise.things:
        for at in (at for at, root in enumerate(roots) if root == thing[-1]):
            negator = _no_before(tokens, roots, at, thing)
            rest = (premise.others | set(premise.predicates)) - {*thing, *_HAVING}
            speaks_of_it = len(thing) > 1 or not rest or _covered(rest, stated) >= _MIN_COVERED
            is_absent = negator is not None and not _is_hedged(tokens, negator)
            denies |= is_absent and speaks_of_it
            is_asked = premise.is_made and thing == premise.things[0]
            denies |= is_asked and _was_not_done(tokens, roots, thing)
    return denies, affirms and not denies


def _was_not_done(tokens: list[str], roots: list[str], thing: tuple[str, ...]) -> bool:
    """Whether the span says of ``thing`` that it was not made, under another word for making."""
    if not set(thing) <= set(roots):
        return False
    for at, root in enumerate(roots):
        is_event = root in _DONE and tokens[at + 1 : at + 2] not in (["of"], ["from"], ["with"])
        if is_event and any(token in _NOT for token in tokens[max(0, at - 3) : at]):
            return not _is_hedged(tokens, at)
    return False


def _negator_before(tokens: list[str], roots: list[str], at: int, premise: Premise) -> int | None:
    """Return the place of the word that denies the word at ``at``, None if it is not denied.

    Between them stand small words and words of the question, and any where the denial lists
    several things ("not for the diagnosis of or screening for …").
    """
    passable = premise.others | _LIGHT | set(premise.predicates)
    is_list = False
    for place in range(at - 1, max(-1, at - 1 - _MOST_BETWEEN), -1):
        token = tokens[place]
        is_list |= token in {"or", "nor"}
        if token in _NOT:
            return None if tokens[place + 1 : place + 2] == ["only"] else place
        if token in _CLAUSE_ENDS:
            return None
        if not is_list and token not in _PLAIN | _LINKS and roots[place] not in passable:
            return None
    return None


def _no_before(tokens: list[str], roots: list[str], at: int, thing: tuple[str, ...]) -> int | None:
    """Return the place of the "no", "without" or "does not have" of ``thing``, which ends at
    ``at``; None where there is none or the phrase is not the whole thing."""
    wanted = set(thing[:-1])
    place = at - 1
    while place >= 0 and (roots[place] in wanted or tokens[place] in {"any", "such", "a", "an"}):
        wanted.discard(roots[place])
        place -= 1
    if wanted or place < 0:
        return None
    if tokens[place] in _NO:
        return place
    if tokens[place] == "of" and place > 0 and tokens[place - 1] == "free":
        return place - 1
    if roots[place] in _HAVING and place > 0 and tokens[place - 1] in _NOT:
        return place - 1
    return None


def _is_hedged(tokens: list[str], at: int) -> bool:
    """Whether the clause around the place is a condition, a demand or a possibility."""
    start = at
    while start > 0 and tokens[start - 1] not in _CLAUSE_ENDS:
        start -= 1
    before = tokens[start:at]
    return bool(_HEDGES & set(before)) or any(token in _MODALS for token in before[-3:])


def _other_value(premise: Premise, spans: Sequence[CandidateSpan]) -> CandidateSpan | None:
    """Return the span that states another amount of the same quantity, where none states the
    one that the question takes for granted."""
    if not premise.values:
        return None
    asked = " ".join(value.text for value in premise.values)
    wanted = frozenset(
        word for word in (*premise.others, *premise.predicates) if word.isalpha()
    ) - frozenset(root for value in premise.values for root in _roots(value.text))
    if len(wanted) < 2:
        return None
    units = {value.unit for value in premise.values}
    same_quantity = [
        span
        for span in spans
        if units <= {value.unit for value in extract_values(span.text)}
        and _covered(wanted, set(_roots(span.text))) >= _MIN_SAME_QUANTITY
    ]
    if not all(missing_values(asked, span.text) for span in same_quantity):
        return None
    return next(iter(same_quantity), None)


def _predicates(tokens: Sequence[str], own: set[str]) -> tuple[str, ...]:
    """Return the roots of what is said of the subject: the last word before a phrase that only
    says where, when or with what ("the range of 10 to 600 mg/dL | dropped | in 2026"); all words
    of the phrase itself after "made with", "intended for" and the like."""
    found = ""
    for at, token in enumerate(tokens):
        if token in _PLAIN | _DO:
            continue
        if token in _LINKS | _CLAUSE_ENDS:
            if at and _root(tokens[at - 1]) in _LIGHT:
                rest = [_root(each) for each in tokens[at + 1 :] if each not in _PLAIN | _LINKS]
                return tuple(root for root in dict.fromkeys(rest) if root not in own)
            goes_on = token in {"of", "and", "or", "between", "per"} or _is_in_range(tokens, at)
            if found and not goes_on:
                break
            continue
        root = _root(token)
        if root not in own | _LIGHT:
            found = root
    return (found,) if found else ()


def _is_in_range(tokens: Sequence[str], at: int) -> bool:
    return tokens[at] == "to" and any(token[:1].isdigit() for token in tokens[at + 1 : at + 2])


def _brand(name: str) -> set[str]:
    """Return the roots of the words that only this device's name has: the others, such as
    "Finger" and "System", say what sort of device it is."""
    roots = _roots(name)
    return {root for at, root in enumerate(roots) if at == 0 or any(c.isdigit() for c in root)}


def _things(
    runs: Sequence[tuple[str, ...]], predicates: tuple[str, ...], *, is_doing: bool
) -> tuple[tuple[str, ...], ...]:
    """Return the noun phrases. After "does" the last word is a thing and the subject, the verb
    and the thing are not told apart: its last one and two words are tried as well."""
    said = frozenset() if is_doing else frozenset(predicates)
    things = []
    for run in runs:
        kept = run
        while kept and kept[-1] in said | _DONE | _LIGHT:
            kept = kept[:-1]
        while kept and kept[0] in _DONE | _LIGHT | _HAVING:
            kept = kept[1:]
        if kept:
            things.append(kept)
            if is_doing:
                things.extend((kept[-2:], kept[-1:]))
    return tuple(dict.fromkeys(things))


def _runs(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the stretches of content words between the small words, as roots."""
    runs: list[list[str]] = [[]]
    for token in tokens:
        if token in _PLAIN | _LINKS | _DO | _CLAUSE_ENDS:
            runs.append([])
        else:
            runs[-1].append(_root(token))
    return [tuple(run) for run in runs if run]


def _covered(words: frozenset[str], stated: set[str]) -> float:
    return len(words & stated) / len(words) if words else 1.0
