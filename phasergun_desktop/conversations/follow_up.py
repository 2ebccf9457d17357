"""Rewrites a question that only its conversation makes whole, so that it can be looked up alone.

The rules read the last question by its function words: what it asks (up to the auxiliary) and the
thing that it asks it of. A question that names its own subject is never touched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from phasergun_desktop.text.lexicon import listed


def _words(name: str) -> frozenset[str]:
    return frozenset(listed("conversation", name))


_TOKEN = re.compile(r"[^\W_]+(?:[-/.'’][^\W_]+)*|[^\w\s]")
_JOINING, _ASKING, _CLAUSES = _words("joining"), _words("asking"), _words("clauses")
_ABOUT = tuple(tuple(each.split()) for each in listed("conversation", "about"))
_PRONOUNS, _OWNERS, _POINTING = _words("pronouns"), _words("owners"), _words("pointing")
_GENERIC, _NOTHING = _words("generic"), _words("nothing")
_AUXILIARIES, _PREPOSITIONS = _words("auxiliaries"), _words("prepositions")
_OF_THINGS, _DETERMINERS = _words("of_things"), _words("determiners")
_VERBS, _ATTRIBUTES = _words("verbs"), _words("attributes")
_BE = frozenset({"is", "are", "was", "were"})
_WHAT = frozenset({"what", "which", "who"})
_ADVERBS = _words("adverbs")
_ENDS = _AUXILIARIES | _PREPOSITIONS | _ADVERBS | _words("other_ends")
_LONGEST_HOW = 3
# "A-17", "L2604": ends a name and states nothing of it.
_IDENTIFIER = re.compile(r"[^\W\d]\S*\d\S*")
_PARTICIPLE = re.compile(r"(?:\w+(?:ed|en|ing|wn|lt|pt|ld|nt|ade|one|ut|et)|found|left|lost)$")
# "What's", but not "the device's".
_SHORT_IS = re.compile(rf"\b({'|'.join(sorted(_ASKING))})['’]s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A question as it can be looked up alone. ``is_certain``: no other reading is likely."""

    text: str
    is_certain: bool


def rewritten_by_rule(question: str, before: str) -> Rewriting | None:
    """Return ``question``, which follows ``before`` (rewritten itself where it had to be), whole;
    None where it is whole, or where nothing in ``before`` makes it so."""
    words, earlier = _tokens(question), _without_asking(_tokens(before))
    subject = _subject(earlier)
    if not words or subject is None:
        return None
    joined = words
    while joined and _low(joined[0]) in _JOINING:
        joined = joined[1:]
    phrase = _behind_about(joined)
    if phrase is None and len(joined) < len(words) and not _asks(joined):
        phrase = joined
    if phrase is not None and not _asks(phrase):
        return _with_phrase(phrase, earlier, subject)
    if _is_asking_alone(joined):
        return Rewriting(_with_asking(joined, earlier), is_certain=True)
    named = _with_names(joined, _text(earlier, subject))
    return Rewriting(_sentence(named), is_certain=True) if named is not None else None


def _is_asking_alone(words: list[str]) -> bool:
    """Whether there is no more than a question word: "why", "how fast", "within how many days"."""
    low = list(map(_low, words))
    if not low or any(word in _AUXILIARIES for word in low):
        return False
    is_short = low[0] == "how" and len(low) <= _LONGEST_HOW
    is_placed = low[0] in _PREPOSITIONS and low[1:2] and low[1] in _ASKING
    return all(word in _ASKING for word in low) or is_short or bool(is_placed)


def _with_phrase(
    phrase: list[str], earlier: list[str], subject: tuple[int, int]
) -> Rewriting | None:
    """Return the last question of another thing, or another thing of what it asked about."""
    if not phrase:
        return None
    first, rest = _low(phrase[0]), phrase[1:]
    name = _text(earlier, subject)
    if first in _OWNERS and rest:
        return Rewriting(_asking_for(["the", *rest], name), is_certain=True)
    if first in _PREPOSITIONS and rest:
        return Rewriting(_sentence(_with_place(first, rest, earlier, subject)), is_certain=True)
    if first in _CLAUSES:
        return Rewriting(_sentence([*earlier, *phrase]), is_certain=False)
    named = _with_names(phrase, name)
    if named is not None:
        return Rewriting(_asking_for(named, ""), is_certain=True)
    start, end = subject
    is_asked_for = _is_asked_for(earlier, subject)
    is_attribute = _low(earlier[end - 1]) in _ATTRIBUTES
    if _low(phrase[-1]) in _ATTRIBUTES:
        is_whole = any(_low(word) == "of" for word in phrase) or is_attribute
        return Rewriting(_asking_for(phrase, "" if is_whole else name), is_certain=True)
    if is_attribute and end == len(earlier):
        return Rewriting(_sentence([*earlier, "of", *phrase]), is_certain=False)
    place = _last_name(earlier, end) if is_asked_for else subject
    if place is None:
        return Rewriting(_sentence([*earlier, ",", "and", *phrase]), is_certain=False)
    start, end = place
    return Rewriting(_sentence([*earlier[:start], *phrase, *earlier[end:]]), is_certain=False)


def _is_asked_for(words: list[str], subject: tuple[int, int]) -> bool:
    """Whether ``subject`` is what the question asks for ("which tests", "what is the test time",
    "test time"), or its verb: no other thing can stand there."""
    start, end = subject
    before = [_low(word) for word in words[:start]]
    has_auxiliary = any(_low(word) in _AUXILIARIES for word in words)
    is_verb = not has_auxiliary and end < len(words) and _low(words[end]) in _DETERMINERS
    is_what_is = len(before) == 2 and before[0] == "what" and before[1] in _BE
    is_whole = not before and not has_auxiliary
    is_asked = bool(before) and before[-1] in _ASKING
    return is_verb or is_whole or is_what_is or is_asked


def _last_name(words: list[str], end: int) -> tuple[int, int] | None:
    """Return where the last name behind ``end`` stands that a preposition or a determiner opens."""
    for at in reversed(range(end, len(words))):
        start = at if _low(words[at]) in _DETERMINERS else at + 1
        if start == at or _low(words[at]) in _PREPOSITIONS:
            # A determiner behind the preposition was met before it.
            return (start, len(words)) if start < len(words) else None
    return None


def _with_place(
    preposition: str, rest: list[str], earlier: list[str], subject: tuple[int, int]
) -> list[str]:
    """Return ``earlier`` with ``preposition`` and what stands behind it in the place of what stood
    behind it, or of the thing that was asked about, or behind what was asked for, or at its end."""
    for at in reversed(range(len(earlier))):
        if _low(earlier[at]) == preposition:
            end = _end_of_name(earlier, at + 1)
            return [*earlier[: at + 1], *rest, *earlier[end:]]
    start, end = subject
    # "How long are strips stable after opening": what more is said of the thing stays with it.
    says_more = any(_low(word) in _PREPOSITIONS for word in earlier[end:])
    is_attribute = _low(earlier[end - 1]) in _ATTRIBUTES and end == len(earlier)
    if is_attribute or _is_asked_for(earlier, subject):
        end = end if preposition == "of" else len(earlier)
        return [*earlier[:end], preposition, *rest, *earlier[end:]]
    if preposition in _OF_THINGS and not says_more:
        return [*earlier[:start], *rest, *earlier[end:]]
    return [*earlier, preposition, *rest]


def _with_asking(asking: list[str], earlier: list[str]) -> str:
    """Return ``earlier`` with another question word ("How often is it …"), or whole behind that
    ("Why: who approves it?") where it would lose the thing that it asks for."""
    at = next((i for i, word in enumerate(earlier) if _low(word) in _AUXILIARIES), None)
    # A place, a time or a way may go: "At which pressure does the valve open?"
    is_of_a_thing = _low(earlier[0]) in _WHAT or (
        _low(earlier[0]) not in _PREPOSITIONS and any(map(_is_content, earlier[1:at]))
    )
    if at is None or is_of_a_thing:
        first = _low(earlier[0]) if _low(earlier[0]) in _ASKING else earlier[0]
        return _sentence([*asking, ":", first, *earlier[1:]])
    return _sentence([*asking, _lowered(earlier[at]), *earlier[at + 1 :]])


def _without_asking(words: list[str]) -> list[str]:
    """Return a question without the question word that ``_with_asking`` put before all of it."""
    at = words.index(":") if ":" in words else 0
    return words[at + 1 :] if at and _is_asking_alone(words[:at]) else words


def _with_names(words: list[str], name: str) -> list[str] | None:
    """Return ``words`` with ``name`` for each pronoun that means it; None where none does."""
    made: list[str] = []
    found = False
    at = 0
    while at < len(words):
        low = _low(words[at])
        after = [_low(word) for word in words[at + 1 :]]
        if not _may_mean(words, at):
            made.append(words[at])
        elif low in _OWNERS and after:
            made.append(f"{name}'s")
            found = True
        elif low in _PRONOUNS and not (low == "it" and _NOTHING & set(after[:2])):
            made.append(name)
            found = True
        elif low in _POINTING and after[:1] and after[0] in _GENERIC and _ends_name(after, 1):
            made.append(name)
            found = True
            at += 1
        elif low in _POINTING and (not after or after[0] in _AUXILIARIES | _PREPOSITIONS):
            made.append(name)
            found = True
        elif (
            low in _POINTING and at and _low(words[at - 1]) in _AUXILIARIES and _ends_name(after, 1)
        ):
            # "Is that sterile?"
            made.append(name)
            found = True
        else:
            made.append(words[at])
        at += 1
    return made if found else None


def _may_mean(words: list[str], at: int) -> bool:
    """Whether the word at ``at`` can mean what was named in an earlier question: no clause before
    it in this one names a thing."""
    clause = next((i for i, word in enumerate(words[:at]) if i and _low(word) in _CLAUSES), None)
    if clause is None:
        return True
    return not any(_is_content(word) for word in words[:clause])


def _subject(words: list[str]) -> tuple[int, int] | None:
    """Return where the thing stands that a question asks about: behind the last "of", else behind
    the auxiliary, else the first name behind the question word."""
    # "Is the mask free of latex?" asks about the mask.
    is_yes_or_no = _low(words[0]) in _AUXILIARIES if words else False
    for at in reversed(range(1, len(words))):
        if is_yes_or_no and _low(words[at - 1]) not in _ATTRIBUTES:
            continue
        if _low(words[at]) == "of" and at + 1 < len(words) and not words[at + 1][0].isdigit():
            end = _end_of_name(words, at + 1)
            # "of the driver tested", but not "of the insulin pump" nor "of the patient".
            is_done = _PARTICIPLE.match(_low(words[end - 1])) is not None and _states(words, end)
            if is_yes_or_no and is_done and any(map(_is_content, words[at + 1 : end - 1])):
                end -= 1
            if end > at + 1:
                return at + 1, end
    auxiliary = next((i for i, word in enumerate(words) if _low(word) in _AUXILIARIES), -1)
    found = _behind_auxiliary(words, auxiliary) if auxiliary >= 0 else None
    if found is not None:
        return found
    # "How many patients were in the study?" names the thing before the auxiliary.
    start = -1 if any(map(_is_content, words[: max(auxiliary, 0)])) else auxiliary
    for i in range(start + 1, len(words)):
        # "Who approves a change", but "which filter brand".
        is_verb = auxiliary < 0 and i and _low(words[i - 1]) in _WHAT - {"which"}
        if is_verb or not (_is_content(words[i]) or _low(words[i]) in _DETERMINERS):
            continue
        end = _end_of_name(words, i)
        if any(map(_is_content, words[i:end])) and not _is_done(words, i, end):
            return i, end
    return None


def _is_done(words: list[str], start: int, end: int) -> bool:
    """Whether what stands there says alone what was done: "which tests were done on …"."""
    is_alone = end - start == 1 and start > 1 and _low(words[start - 1]) in _AUXILIARIES
    return is_alone and _PARTICIPLE.match(_low(words[start])) is not None


def _behind_auxiliary(words: list[str], at: int) -> tuple[int, int] | None:
    start = at + 1
    end = _end_of_name(words, start)
    run = words[start:end]
    if not any(map(_is_content, run)):
        return None
    first = start + (1 if _low(run[0]) in _DETERMINERS else 0)
    if end - first < 2:
        return None if _is_done(words, start, end) else (start, end)
    asks_what = bool(at) and _low(words[0]) in _WHAT and _low(words[at]) in _BE
    if asks_what and at == 1:
        return _owner(words, start, end)
    if _low(words[at]) not in _BE:
        verb = next((i for i in range(first + 1, end) if _low(words[i]) in _VERBS), None)
        return start, verb or (end - 1 if _states(words, end) else end)
    is_last = not at or end == len(words) or _PARTICIPLE.match(_low(words[end - 1])) is not None
    return start, end - 1 if is_last and _states(words, end) else end


def _states(words: list[str], end: int) -> bool:
    """Whether the last word before ``end`` may state something of the name before it ("the mask
    sterile"): not before "be" and "still" ("must records be kept"), and neither an identifier nor
    what a thing has ("the shelf life")."""
    is_whole = end < len(words) and _low(words[end]) in _AUXILIARIES | _ADVERBS
    last = words[end - 1]
    return not (is_whole or _IDENTIFIER.fullmatch(last) or _low(last) in _ATTRIBUTES)


def _owner(words: list[str], start: int, end: int) -> tuple[int, int]:
    """Return where the name stands whose verb ends what is asked for ("the sample G2 needs")."""
    named = [i for i in range(start + 2, end - 1) if not words[i].islower()]
    if named and words[end - 1].islower() and _low(words[end - 1]).rstrip("s") in _VERBS:
        return named[0], end - 1
    return start, end


def _end_of_name(words: list[str], start: int) -> int:
    end = start
    while end < len(words):
        low = _low(words[end])
        joins = low == "and" and end > start and end + 1 < len(words)
        if joins and all(map(_IDENTIFIER.fullmatch, (words[end - 1], words[end + 1]))):
            end += 2
            continue
        if (low in _DETERMINERS and end > start) or (low in _ENDS and low not in _DETERMINERS):
            break
        if not low[0].isalnum():
            break
        end += 1
    return end


def _behind_about(words: list[str]) -> list[str] | None:
    low = tuple(map(_low, words))
    for about in _ABOUT:
        if low[: len(about)] == about:
            return words[len(about) :]
    return None


def _asks(words: list[str]) -> bool:
    """Whether ``words`` are a question of their own, and not just a thing."""
    first = _low(words[0]) if words else ""
    return first in _ASKING - _PREPOSITIONS or first in _AUXILIARIES


def _asking_for(phrase: list[str], name: str) -> str:
    low = _low(phrase[-1])
    verb = "are" if low.endswith("s") and not low.endswith(("ss", "us", "is")) else "is"
    determined = phrase if _low(phrase[0]) in _DETERMINERS else ["the", *phrase]
    if not name and phrase[0][:1].isupper():
        determined = phrase
    return _sentence(["What", verb, *determined, *(["of", name] if name else [])])


def _is_content(word: str) -> bool:
    low = _low(word)
    return low[0].isalnum() and low not in _ENDS | _DETERMINERS | _ASKING


def _ends_name(after: list[str], at: int) -> bool:
    return at >= len(after) or after[at] in _ENDS


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_SHORT_IS.sub(r"\1 is", " ".join(text.split()).rstrip("?.! ")))


def _text(words: list[str], span: tuple[int, int]) -> str:
    return _joined(words[span[0] : span[1]])


def _joined(words: list[str]) -> str:
    return re.sub(r"\s+([,;:.!?)%°])", r"\1", " ".join(words)).replace("( ", "(")


def _sentence(words: list[str]) -> str:
    text = _joined(words)
    return f"{text[:1].upper()}{text[1:]}?"


def _low(word: str) -> str:
    return word.casefold().replace("’", "'")


def _lowered(word: str) -> str:
    return _low(word) if _low(word) in _AUXILIARIES else word
