"""What a prompt asks for, read by its punctuation and layout: no grammar of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from phasergun_desktop.planning.document_scopes import with_scopes
from phasergun_desktop.planning.exclusions import without_exclusions
from phasergun_desktop.planning.form_words import (
    SECTION_WORDS,
    SEVERAL_SECTIONS,
    WORD,
    as_named,
    begins_question,
    is_of_form,
    names_nothing,
    without_form_words,
    without_joining_words,
    without_remarks_on_form,
    words_of_asking,
)
from phasergun_desktop.planning.lengths import asked_words
from phasergun_desktop.planning.prompt_clauses import (
    AND,
    CLAUSE,
    COMMA,
    LABEL,
    LIST_MARK,
    MARK,
    comma_parts,
    cut,
    shielded,
    trimmed,
)
from phasergun_desktop.planning.prompt_outline import SECTION_NUMBER, Outline
from phasergun_desktop.references.model import (
    PromptSentence,
    ReferenceKind,
    Resolution,
    ResolvedReference,
    SourceValue,
)
from phasergun_desktop.retrieval.model import Place, SearchScope
from phasergun_desktop.text.words import STOP_WORDS

MOST_NEEDS = 24
# A list has at least so many parts; two are two sides of one thing.
LISTED = 3
# More words than these are no name of a section.
_LONGEST_NAME = 6
# A line before a list, or before the fields of a form.
_LEAD_IN = re.compile(rf":[ \t]*\n(?:{LIST_MARK.pattern}|\s*[^:\n]{{2,80}}:\s)")
# What a form leaves for the answer: "Number of animals: ____"; "__Bold__" is none.
BLANK = re.compile(r"(?<!\w)(?:_{2,}|\.{4,})(?!\w)")
# What stands right behind a word, without a blank.
_MARKS = "?!,;"


def going_on(question: str, before: Sequence[str]) -> str:
    """Return ``question`` with those ``before`` it, the first one first, as both are looked for and
    as the cross-encoder learnt to read them: the last one first."""
    return " << ".join((question, *reversed(before)))


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a prompt asks for. ``quote`` is exactly ``start``..``end`` of the prompt;
    ``query`` is what is looked for (values put in, documents left out): ``label``, the words before
    a colon that name the topic, and ``part``, those behind it; ``scope`` is where. ``value`` is
    what the text states for it word for word: the prompt gives no more than a name and a reference
    to a value. ``goes_on_from``: of questions that a sentence joins, the first, with whose words
    this one is looked for; empty for one that is looked for alone. ``is_field``: it is a field of a
    form, to be filled in, and goes on from the form's title. ``before`` are the questions before it
    in a conversation, the first one first, from which it may go on. ``is_of_each``: the prompt asks
    it of each of several documents, of which ``scope`` has one: that states something of it."""

    need_id: str
    quote: str
    start: int
    end: int
    query: str
    scope: SearchScope
    heading: str = ""
    label: str = ""
    part: str = ""
    value: SourceValue | None = None
    goes_on_from: str | None = None
    is_field: bool = False
    before: tuple[str, ...] = ()
    is_of_each: bool = False

    @property
    def whole_query(self) -> str:
        """What is looked for, with the words of the questions that it goes on from."""
        if self.is_field:
            return f"{self.query} {self.goes_on_from or ''}".rstrip()
        return going_on(self.query, (*self.before, *filter(None, (self.goes_on_from,))))

    @property
    def name(self) -> str:
        """What is asked for in few words, as a gap and a list of points call it."""
        part = self.part or self.query
        label = [word.casefold() for word in WORD.findall(self.label)]
        says_more = 0 < len(label) <= _LONGEST_NAME and SECTION_WORDS.isdisjoint(label)
        named = f"{self.label}: {part}" if says_more else part
        return named if self.is_question else as_named(named)

    @property
    def is_question(self) -> bool:
        """Whether a question is asked, which one sentence may answer."""
        return self.quote.endswith(("?", "？")) or self.goes_on_from is not None


@dataclass(frozen=True, slots=True)
class Request:
    """The needs of a prompt in its order, and how many words it wants (700 where it says nothing).

    ``topic`` is the prompt as a whole as it is searched with, ``title`` the name of the section;
    ``left_out`` are needs beyond ``MOST_NEEDS``, ``exclusions`` what the prompt says not to write,
    and ``said`` is the prompt with blanks for that; ``said_before`` is the same of the questions
    before it in a conversation, ``cited_before`` what the answer to the last of them cites.
    """

    needs: tuple[Need, ...]
    topic: str
    words: int
    left_out: tuple[Need, ...] = ()
    title: str = ""
    exclusions: tuple[str, ...] = ()
    said: str = ""
    said_before: str = ""
    cited_before: tuple[Place, ...] = ()


def read_request(resolution: Resolution, title: str = "") -> Request:
    """Return what the prompt asks for; a prompt of remarks alone asks for what they say.

    ``title`` is the section's name, else the prompt may give it: with it alone, and the device's,
    nothing is asked for where the prompt goes on.
    """
    sentences = with_scopes([each for each in resolution.sentences if not each.is_directive])
    said, exclusions = without_exclusions(
        resolution.prompt, [(each.start, each.end) for each in resolution.references]
    )
    outline = Outline.of(said)
    everything = [
        _without_records(need, resolution)
        for sentence in sentences
        for need in _needs_of(resolution, sentence, said, outline)
    ]
    above = _document_title(everything)
    everything = [need for need in everything if need is not above] or everything
    title = title or (above.heading if above else "") or _section_name(everything)
    known = [title, *(each.value.text for each in resolution.references if each.value is not None)]
    named = _words(" ".join(known))
    # "Cover:" before a list asks for what the list does.
    leads = (_LEAD_IN.match(resolution.prompt, need.end) for need in everything)
    asked = [n for n, lead in zip(everything, leads, strict=True) if n.heading or lead is None]
    asked = [need for need in asked if need.value or not is_of_form(need.query)] or everything
    asked = [need for need in asked if need.value or not is_of_form(need.query, named)] or asked
    asked = [
        replace(need, need_id=f"n{at}", query=without_remarks_on_form(need.query))
        for at, need in enumerate(_under_headings(asked), 1)
    ]
    queries = (query_of(said, s.start, s.end, s.references) for s in sentences)
    topic = " ".join(map(without_remarks_on_form, queries))
    documents = sum(len(each.files) == 1 for each in resolution.references)
    length = asked_words(sentences, max(len(asked), documents))
    needs, left = tuple(asked[:MOST_NEEDS]), tuple(asked[MOST_NEEDS:])
    known_words = _words(topic)
    # "No tables" says nothing of content; "with filter, without filter" asks for both.
    exclusions = tuple(e for e in exclusions if not (is_of_form(e) or _words(e) <= known_words))
    return Request(needs, topic, length, left, title.strip(), exclusions, said)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in WORD.findall(text))


def _without_records(need: Need, resolution: Resolution) -> Need:
    """Return ``need`` without the documents from which the prompt only takes a value, where it
    names others: "[Master Record|Device Name]" is the device's name and no source to draw on."""
    named = {f for each in resolution.references if each.value is None for f in each.files}
    left = need.scope.files & named
    if need.scope.layers or not left:
        return need
    return replace(need, scope=replace(need.scope, files=left))


def _document_title(needs: Sequence[Need]) -> Need | None:
    """Return the heading that the prompt opens with, where another one follows at once: it names
    the text and asks for nothing."""
    if len(needs) < 2 or not _is_heading_line(needs[0]):
        return None
    return needs[0] if needs[1].heading else None


def _is_heading_line(need: Need) -> bool:
    return need.heading == need.query


def _section_name(needs: Sequence[Need]) -> str:
    """Return what a need calls the section ("Write the Device Description section")."""
    for need in needs:
        if need.heading:
            continue
        for text in (need.label, need.quote):
            words = list(WORD.finditer(text))
            at = next((i for i, w in enumerate(words) if w[0].casefold() in SECTION_WORDS), None)
            if at is None or any(word[0][0].isdigit() for word in words[at + 1 : at + 2]):
                continue  # "Summarise the study for section 20: …" names no section
            before = words[:at]
            if before and names_nothing(before[-1][0]):
                before = []  # "EMC and coexistence in one section" names none
            for part in (before, words[at + 1 :]):
                name = list(dropwhile(lambda word: names_nothing(word[0]), part))
                if 0 < len(name) <= _LONGEST_NAME:
                    return text[name[0].start() : name[-1].end()]
    return ""


def _needs_of(
    resolution: Resolution, sentence: PromptSentence, said: str, outline: Outline
) -> Iterator[Need]:
    """Yield what a sentence asks for; ``said`` is the prompt without what it says to leave out."""
    mark = MARK.match(said, sentence.start, sentence.end)
    begin = mark.end() if mark else sentence.start
    is_heading = mark is not None and (
        mark[0].lstrip().startswith("#") or outline.is_heading(said, begin)
    )
    whole = shielded(said, sentence.references)
    for first, last in cut(CLAUSE, whole, begin, sentence.end):
        number = SECTION_NUMBER.match(said, first, last) if outline.has_sections else None
        start = number.end() if number is not None else first
        for need in _of_clause(resolution, sentence, said, whole, start, last):
            if number is not None and not BLANK.search(said, start, last):
                yield replace(need, heading=f"{number[0].strip()} {need.label or need.quote}")
                number = None
            else:
                yield replace(need, heading=need.query) if is_heading else need


def _of_clause(
    resolution: Resolution, sentence: PromptSentence, said: str, whole: str, first: int, last: int
) -> Iterator[Need]:
    """Yield what ``first``..``last`` of the prompt asks for; nothing is cut inside what ``whole``
    has letters for."""
    prompt, references = said, sentence.references
    label_match = LABEL.match(whole, first, last)
    label = ""
    start = first
    if label_match is not None:
        label = query_of(prompt, first, label_match.end(), references).rstrip(": ")
        start = label_match.end()
        if BLANK.match(prompt, start, last):
            low, high = trimmed(prompt, first, label_match.end())
            yield Need("", resolution.prompt[low:high], low, high, label, sentence.scope)
            return
    fewest = LISTED
    first_part = COMMA.search(whole, start, last)
    if first_part and _names_only_sources(prompt, start, first_part.start(), references):
        # "Based on TR-014, describe the pump and the cart" is no list.
        start, fewest = first_part.end(), LISTED - 1
    parts = comma_parts(whole, start, last)
    sections = list(_sections(prompt, whole, parts, sentence)) if parts else []
    if len(sections) > 1:
        yield from sections
        return
    if len(parts) < fewest and label_match is None:
        parts = [(start, last)]
    for part in parts:
        low, high = trimmed(prompt, *part)
        query = query_of(prompt, low, high, references)
        if _asks_nothing(query, label):
            continue
        alone = _value_alone(prompt[low:high], references)
        value = alone.value if alone is not None else None
        if alone is not None and not label:
            before = prompt[low : prompt.rfind(alone.text, low, high)].strip(" ,:;-–")
            label = before or alone.label
        if value is None and _names_only_sources(prompt, low, high, references):
            continue
        behind = query if label and not is_of_form(label) else ""
        sought = f"{_topic_of(label)}: {query}" if behind else query
        quote = resolution.prompt[low:high]
        yield Need("", quote, low, high, sought, sentence.scope, "", label, behind, value)


def _names_only_sources(
    prompt: str, start: int, end: int, references: Sequence[ResolvedReference]
) -> bool:
    """Whether ``start``..``end`` of the prompt names a source and asks for nothing ("From […]")."""
    inside = [each for each in references if start <= each.start and each.end <= end]
    names = bool(inside) and all(each.value is None for each in inside)
    words = WORD.findall(query_of(prompt, start, end, references)) if names else ()
    return names and all(map(names_nothing, words))


def _topic_of(label: str) -> str:
    return without_form_words(without_remarks_on_form(label))


def _asks_nothing(query: str, label: str) -> bool:
    """Whether ``query`` has no words, or, without a label, none that asks: ", and" before what is
    left out. "May" is a month."""
    words = WORD.findall(query)
    asks = bool(label) or any(map(begins_question, words))
    return STOP_WORDS.issuperset(words) and not (words and asks)


def _sections(
    prompt: str, whole: str, parts: Sequence[tuple[int, int]], sentence: PromptSentence
) -> Iterator[Need]:
    """Yield a need for each section that a list names ("the Purpose, Scope and Approval
    sections"), under its heading."""
    low, high = parts[-1]
    words = WORD.finditer(whole, low, high)
    section = next((word for word in words if word[0].casefold() in SEVERAL_SECTIONS), None)
    if section is None:
        return
    behind = query_of(prompt, section.start(), high, sentence.references)
    for piece in (*parts[:-1], *cut(AND, whole, low, section.start())):
        start, end = trimmed(prompt, *piece)
        name = without_form_words(query_of(prompt, start, end, sentence.references))
        if 0 < len(WORD.findall(name)) <= _LONGEST_NAME and not is_of_form(name):
            yield Need("", prompt[start:end], start, end, f"{name} {behind}", sentence.scope, name)


def _value_alone(text: str, references: Sequence[ResolvedReference]) -> ResolvedReference | None:
    """Return the reference to a value that ``text`` is and nothing else, or the field of a document
    that it ends with: "State the software level, [Doc|…]" wants that field and no more."""
    bare = text.strip(" .")
    return next(
        (
            each
            for each in references
            if each.value is not None
            and (
                each.text == bare
                or (each.kind is ReferenceKind.DOC_FIELD and bare.endswith(each.text))
            )
        ),
        None,
    )


def _under_headings(needs: Sequence[Need]) -> list[Need]:
    """Give each heading line, of which the heading is all that is asked, to the need behind it;
    one with none behind it asks for itself."""
    kept: list[Need] = []
    waiting: Need | None = None
    for need in needs:
        if _is_heading_line(need):
            if waiting is not None:
                kept.append(waiting)
            waiting = need
            continue
        heading = waiting.quote if waiting is not None else ""
        kept.append(replace(need, heading=heading) if heading else need)
        waiting = None
    if waiting is not None:
        kept.append(waiting)
    return kept


def query_of(prompt: str, start: int, end: int, references: Sequence[ResolvedReference]) -> str:
    """Return the prompt's words with values put in and the names of documents left out."""
    parts: list[str] = []
    position = start
    for reference in sorted(references, key=lambda each: each.start):
        if reference.start < position or reference.end > end:
            continue
        before = prompt[position : reference.start]
        position = reference.end
        if reference.value is not None:
            parts += [before, reference.value.text]
        elif asks := words_of_asking(before, prompt[position:end]):
            position += asks
        else:  # "What was promised from X.md?" asks what was promised.
            parts.append(without_joining_words(before))
    parts.append(prompt[position:end])
    joined = " ".join(" ".join(parts).split())
    for mark in _MARKS:
        joined = joined.replace(f" {mark}", mark)
    return joined.strip(" ,.;:-–<>[]{}")
