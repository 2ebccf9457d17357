"""Which documents each sentence of a prompt rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.planning.form_words import WORD
from phasergun_desktop.planning.prompt_clauses import AND, COMMA, MARK, cut
from phasergun_desktop.references.model import PromptSentence
from phasergun_desktop.retrieval.model import SearchScope

# In place of a reference.
_MARKED = "\0"


def with_scopes(sentences: Sequence[PromptSentence]) -> list[PromptSentence]:
    """Give the items of a list the documents that what leads to it names: a section "on the basis
    of" a document rests on it whole. A sentence that only names documents, in any language, gives
    them to all others that name none."""
    for_all = [each for each in sentences if _names_documents(each) and _only_names(each)]
    kept = [each for each in sentences if each not in for_all] or list(sentences)
    whole = for_all[0].scope if len(kept) < len(sentences) else None
    made: list[PromptSentence] = []
    lead: SearchScope | None = None
    for sentence in kept:
        is_item = MARK.match(sentence.raw) is not None
        if not is_item and _names_documents(sentence):
            lead = sentence.scope
        scope = sentence.scope
        if not any(each.files or each.value is not None for each in sentence.references):
            scope = lead if is_item and lead is not None else whole or scope
        made.append(replace(sentence, scope=scope))
    return made


def _names_documents(sentence: PromptSentence) -> bool:
    return bool(sentence.scope.files) and not sentence.scope.layers


def _only_names(sentence: PromptSentence) -> bool:
    """Whether a sentence is no more than a label and references ("Grundlage: […]"), or a list of
    which most parts are a reference and nothing else, and all have one."""
    rest = sentence.raw
    for reference in sentence.references:
        rest = rest.replace(reference.text, _MARKED)
    clauses = cut(COMMA, rest, 0, len(rest))
    parts = [rest[slice(*part)] for low, high in clauses for part in cut(AND, rest, low, high)]
    bare = [part for part in parts if not WORD.search(part)]
    is_list = len(bare) > len(parts) / 2 and all(_MARKED in part for part in parts)
    return is_list or len(WORD.findall(rest)) <= 1
