"""From the text of a prompt to what each of its sentences asks and may use."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.document_brackets import resolve_context, resolve_procedure
from phasergun_desktop.references.documents import DocumentSource
from phasergun_desktop.references.hidden_names import plainly_hidden, told_as_hidden
from phasergun_desktop.references.labels import fitted
from phasergun_desktop.references.model import (
    Problem,
    PromptSentence,
    ReferenceKind,
    Resolution,
    Severity,
)
from phasergun_desktop.references.notation import Notation, ScopeName, read_notation
from phasergun_desktop.references.outcome import Outcome, Place
from phasergun_desktop.references.plain_names import plainly_named
from phasergun_desktop.references.prompt_length import length_problems
from phasergun_desktop.references.prompt_sentences import SentenceSpan, split_sentences
from phasergun_desktop.references.replacements import with_replacements
from phasergun_desktop.references.scopes import resolve_scope
from phasergun_desktop.references.sentence_roles import is_directive, modifies_previous
from phasergun_desktop.references.value_brackets import (
    resolve_bootstrap,
    resolve_doc_field,
    resolve_master_record,
)
from phasergun_desktop.retrieval.model import SearchScope

_THIN_CHARACTERS = 200
_THIN_WORDS = 50
_NEIGHBOURS = 60  # characters on either side that decide how a label is worded
_MOST_MEASURED = 3  # documents whose text is counted; more are never thin


@dataclass(frozen=True, slots=True)
class _Sentence:
    span: SentenceSpan
    raw: str
    outcomes: tuple[Outcome, ...]
    is_directive: bool

    @property
    def restricts(self) -> bool:
        return any(each.restricts for each in self.outcomes)

    def own_scope(self) -> SearchScope:
        named = [each for each in self.outcomes if each.restricts]
        return SearchScope(
            frozenset(layer for each in named for layer in each.layers),
            frozenset(file for each in named for file in each.files),
        )

    def cited_values(self) -> frozenset[str]:
        return frozenset(
            file for each in self.outcomes if not each.restricts for file in each.files
        )


class PromptResolver:
    """Resolves prompts against the indexed documents as they are at each call. ``hidden`` gives the
    files that are kept out of the index, so that a reference to one is told as that."""

    def __init__(
        self, documents: DocumentSource, hidden: Callable[[], Sequence[str]] = tuple
    ) -> None:
        self._documents = documents
        self._hidden = hidden

    def resolve(self, prompt: str) -> Resolution:
        """Resolve every reference of ``prompt`` and report every problem at once.

        Never raises for what the prompt holds; ``Resolution.is_blocked`` tells whether a draft
        may begin. A prompt that is too long is not looked into.
        """
        # Half a surrogate pair (bytes of a terminal that were no text) can be neither embedded
        # nor stored; a question mark takes as many code points.
        prompt = prompt.encode("utf-8", "replace").decode("utf-8")
        too_long = length_problems(prompt)
        if too_long:
            return Resolution(prompt, "", (), (), too_long, SearchScope())
        notation = read_notation(prompt)
        catalog = DocumentCatalog(self._documents)
        protected = [(token.start, token.end) for token in notation.tokens]
        protected.extend(notation.brackets)
        found = (
            *_resolve_tokens(prompt, notation, catalog),
            *plainly_named(prompt, protected, catalog),
        )
        if hidden := self._hidden():
            found = tuple(told_as_hidden(each, hidden) for each in found)
            protected.extend((each.reference.start, each.reference.end) for each in found)
            found = (*found, *plainly_hidden(prompt, protected, hidden))
        outcomes = sorted(found, key=lambda each: each.reference.start)
        sentences = [
            _sentence(prompt, span, outcomes) for span in split_sentences(prompt, protected)
        ]
        resolved = _with_scopes(sentences)
        problems = [*notation.problems]
        problems.extend(problem for each in outcomes for problem in each.problems)
        problems.extend(_thin_scopes(sentences, catalog))
        if not prompt.strip():
            problems.append(_EMPTY)
        return Resolution(
            prompt=prompt,
            task=_task(prompt, resolved),
            sentences=resolved,
            references=tuple(each.reference for each in outcomes),
            problems=with_replacements(
                prompt, sorted(problems, key=lambda each: (each.start, each.code)), catalog
            ),
            scope=_union(each.scope for each in resolved),
        )


_EMPTY = Problem(
    "empty_prompt", Severity.BLOCKS, "The prompt is empty.", "Write what is to be drafted."
)
_BRACKETS: dict[ReferenceKind, Callable[[Place, DocumentCatalog], Outcome]] = {
    ReferenceKind.PROCEDURE: resolve_procedure,
    ReferenceKind.MASTER_RECORD: resolve_master_record,
    ReferenceKind.CONTEXT: resolve_context,
    ReferenceKind.BOOTSTRAP: resolve_bootstrap,
    ReferenceKind.DOC_FIELD: resolve_doc_field,
}


def _resolve_tokens(
    prompt: str, notation: Notation, catalog: DocumentCatalog
) -> tuple[Outcome, ...]:
    brackets = {
        place.start: _BRACKETS[place.kind](place, catalog)
        for place in notation.tokens
        if place.kind in _BRACKETS
    }
    named = frozenset(
        file
        for outcome in brackets.values()
        if outcome.reference.kind in (ReferenceKind.BOOTSTRAP, ReferenceKind.DOC_FIELD)
        for file in outcome.reference.files
    )
    return tuple(
        brackets[place.start]
        if place.start in brackets
        else resolve_scope(ScopeName(place.parts[0]), place, catalog, named)
        for place in notation.tokens
    )


def _sentence(prompt: str, span: SentenceSpan, outcomes: Sequence[Outcome]) -> _Sentence:
    first, after = (
        bisect_left(outcomes, position, key=lambda each: each.reference.start)
        for position in (span.start, span.end)
    )
    inside = tuple(outcomes[first:after])
    raw = prompt[span.start : span.end]
    restricting = [
        (each.reference.start - span.start, each.reference.end - span.start)
        for each in inside
        if each.restricts
    ]
    return _Sentence(span, raw, inside, is_directive(raw, restricting))


def _with_scopes(sentences: Sequence[_Sentence]) -> tuple[PromptSentence, ...]:
    """Give every sentence its scope.

    Its own references first; a qualification or a list item has the scope of the sentence it
    belongs to; then what a directive says for the whole prompt; else what is always searched.
    """
    directives = [each.own_scope() for each in sentences if each.is_directive]
    whole_prompt = _union(directives) if directives else SearchScope()
    resolved: list[PromptSentence] = []
    previous: SearchScope | None = None  # of the last sentence that is not a heading
    lead_in: SearchScope | None = None  # of the sentence with “:” above a list
    for each in sentences:
        modifies = (
            previous is not None
            and not each.restricts
            and not each.span.is_heading
            and not each.span.is_item
            and modifies_previous(each.raw)
        )
        if each.restricts:
            base = each.own_scope()
        elif modifies and previous is not None:
            base = previous
        elif each.span.is_item and lead_in is not None:
            base = lead_in
        else:
            base = whole_prompt
        scope = SearchScope(base.layers, base.files | each.cited_values())
        resolved.append(
            PromptSentence(
                text=_text(each),
                raw=each.raw,
                start=each.span.start,
                end=each.span.end,
                references=tuple(outcome.reference for outcome in each.outcomes),
                scope=scope,
                is_directive=each.is_directive,
            )
        )
        if not each.span.is_heading:
            previous = scope
        if not each.span.is_item:
            lead_in = scope if each.raw.endswith(":") else None
    return tuple(resolved)


def _text(sentence: _Sentence) -> str:
    raw, offset = sentence.raw, sentence.span.start
    pieces: list[str] = []
    position = 0
    for each in sentence.outcomes:
        start, end = each.reference.start - offset, each.reference.end - offset
        pieces.append(raw[position:start])
        label = each.reference.label
        if not each.is_value:
            before = "".join(pieces[-2:])[-_NEIGHBOURS:]
            label = fitted(label, before, raw[end : end + _NEIGHBOURS])
        pieces.append(label)
        position = end
    pieces.append(raw[position:])
    return "".join(pieces)


def _task(prompt: str, sentences: Sequence[PromptSentence]) -> str:
    """Join the texts with the white space that the prompt has between its sentences."""
    pieces: list[str] = []
    position = 0
    for each in sentences:
        pieces.append(prompt[position : each.start] if pieces else "")
        pieces.append(each.text)
        position = each.end
    return "".join(pieces)


def _union(scopes: Iterable[SearchScope]) -> SearchScope:
    layers: frozenset[Layer] = frozenset()
    files: frozenset[str] = frozenset()
    for scope in scopes:
        layers |= scope.layers
        files |= scope.files
    return SearchScope(layers, files)


def _thin_scopes(sentences: Sequence[_Sentence], catalog: DocumentCatalog) -> list[Problem]:
    """Report sentences whose sources hold nothing or next to nothing."""
    problems: list[Problem] = []
    for each in sentences:
        named = [outcome for outcome in each.outcomes if outcome.restricts]
        if not named or not all(outcome.reference.resolved for outcome in named):
            continue
        message = _thinness(each.own_scope(), catalog)
        if message:
            first, last = named[0].reference, named[-1].reference
            remedy = "Add documents there or name another source; nothing is taken from elsewhere."
            problems.append(
                Problem("thin_scope", Severity.WARNING, message, remedy, first.start, last.end)
            )
    return problems


def _thinness(scope: SearchScope, catalog: DocumentCatalog) -> str:
    documents = [each for each in catalog.documents if scope.allows(each.file, each.layer)]
    if not documents:
        return "The sources that this sentence names hold no indexed document."
    if len(documents) > _MOST_MEASURED:
        return ""
    # Questions, answers and fields are short by nature and used word for word.
    if any(each.layer in (Layer.BOOTSTRAP, Layer.MASTER_RECORD) for each in documents):
        return ""
    if any(each.metadata.words >= _THIN_WORDS for each in documents):
        return ""  # known without reading the text
    characters = sum(len(catalog.parsed(each).text.strip()) for each in documents)
    if characters >= _THIN_CHARACTERS:
        return ""
    return f"The sources that this sentence names hold only {characters} characters of text."
