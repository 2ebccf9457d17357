"""What a text is to state of the documents that its prompt names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePosixPath

from phasergun_desktop.planning.form_words import WORD, names_nothing, without_joining_words
from phasergun_desktop.planning.lengths import EACH
from phasergun_desktop.planning.needs import LISTED, MOST_NEEDS, Need, Request
from phasergun_desktop.planning.pair_reading import title_of
from phasergun_desktop.references.model import Resolution


def for_named_documents(request: Request, resolution: Resolution) -> Request:
    """Return ``request`` with a need of each document where its prompt asks for nothing but what
    they state ("Summarise TR-014"), or for something of each of a list of them; where it says what
    to state of one, its needs are marked. It is searched with the titles of these documents, which
    the prompt does not have: "purpose, method, result" names no subject.

    (Of prompts that take something from a document, "only from TR-014: …", more is stated with its
    title, and of that less belongs: they are searched as they are.)"""
    needs = request.needs
    if not needs:
        needs = tuple(_of_whole_documents(resolution))
    elif EACH.search(request.said):
        needs = tuple(_of_each_document(needs, resolution))
    elif (end := _said_of_a_document(resolution)) is not None:
        needs = tuple(replace(n, is_of_each=n.start >= end and not n.value) for n in needs)
    titles = dict.fromkeys(
        title_of(file) for need in needs if need.is_of_each for file in sorted(need.scope.files)
    )
    if not titles:
        return request
    numbered = [replace(need, need_id=f"n{at}") for at, need in enumerate(needs, 1)]
    return replace(
        request,
        needs=tuple(numbered[:MOST_NEEDS]),
        left_out=(*numbered[MOST_NEEDS:], *request.left_out),
        topic=" ".join((request.topic, *titles)).strip(),
    )


def _said_of_a_document(resolution: Resolution) -> int | None:
    """Return where the name of the document ends of which a prompt says at once what it is to state
    of it ("Summarise TR-014: purpose, method"); None where it opens otherwise, or only names what
    to draw on ("only from TR-014: …")."""
    first = resolution.sentences[0]
    named = [each for each in first.references if len(each.files) == 1 and each.value is None]
    if not named or not resolution.prompt[named[0].end :].lstrip().startswith(":"):
        return None
    before = resolution.prompt[first.start : named[0].start].strip().casefold()
    is_of_form = before and all(map(names_nothing, WORD.findall(before)))
    return named[0].end if is_of_form and without_joining_words(before) == before else None


def _of_whole_documents(resolution: Resolution) -> Iterator[Need]:
    for sentence in resolution.sentences:
        if sentence.is_directive or sentence.scope.layers:
            continue
        start, end = sentence.start, sentence.end
        whole = Need("", resolution.prompt[start:end], start, end, "", sentence.scope)
        yield from _of_each(whole, resolution)


def _of_each_document(needs: Sequence[Need], resolution: Resolution) -> Iterator[Need]:
    """Yield for needs that follow each other and name the same list of documents a need of each,
    which asks for all that they do; the other needs as they are."""
    for scope, group in groupby(needs, lambda need: need.scope):
        asked = list(group)
        # The documents of a folder or a category are no list of the writer's.
        is_listed = all(len(e.files) < 2 for e in resolution.references)
        is_listed &= not scope.layers and len(scope.files) >= LISTED
        if not is_listed or any(need.value for need in asked):
            yield from asked
            continue
        first, end = asked[0], asked[-1].end
        query = ", ".join((first.query, *(need.part or need.query for need in asked[1:])))
        quote = resolution.prompt[first.start : end]
        yield from _of_each(Need("", quote, first.start, end, query, scope), resolution)


def _of_each(whole: Need, resolution: Resolution) -> Iterator[Need]:
    """Yield ``whole`` of each document of its scope in the prompt's order, of several under the
    name of its file."""
    named = dict.fromkeys(file for each in resolution.references for file in each.files)
    files = [file for file in named if file in whole.scope.files]
    for file in files:
        yield replace(
            whole,
            query=whole.query or title_of(file),
            scope=replace(whole.scope, files=frozenset({file})),
            heading=PurePosixPath(file).stem.replace("_", " ") if len(files) > 1 else "",
            is_of_each=True,
        )
