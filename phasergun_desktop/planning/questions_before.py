"""The questions before one in a conversation that goes on from them: it is looked for together
with them, near what the last answer cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.planning.form_words import goes_on_to_another, names_nothing
from phasergun_desktop.planning.needs import Need, Request, read_request
from phasergun_desktop.planning.subject import Subjects
from phasergun_desktop.planning.subject_scope import names_subject, without_names
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED
from phasergun_desktop.references.model import Resolution
from phasergun_desktop.retrieval.model import Place, SearchScope

# So many the cross-encoder learnt to read behind a question.
MOST_BEFORE = 2


def with_questions_before(
    request: Request,
    resolution: Resolution,
    before: Sequence[Resolution],
    cited_before: Sequence[Place],
    subjects: Subjects,
) -> Request:
    """Return the ``request`` of ``resolution`` with each need going on from the last
    questions ``before`` it, the first one first: it is looked for together with them, near what the
    last answer cites (``cited_before``), and may have the documents and subjects that they ask for,
    unless it names some itself."""
    before = before[-MOST_BEFORE:]
    asked = [read_request(each) for each in before]
    queries = tuple(each.topic for each in asked if each.topic)
    needs = request.needs
    if not needs and queries and any(each.files for each in resolution.references):
        needs, queries = (_of_documents(resolution, queries[-1]),), queries[:-1]
    about = _only_subject(request, subjects) if queries else ""
    if about:
        # As a whole question, which is read more surely than two.
        asks = f"The {about}: {without_names(queries[-1], subjects.device)}"
        needs, queries = (replace(needs[0], query=asks),), queries[:-1]
        cited_before = cited_before if queries else ()
    # A paper on the device that was named before says nothing of the one that is named now.
    named = () if names_subject(resolution.prompt, subjects) else before
    needs = tuple(
        replace(need, before=queries, scope=_with_named(need.scope, named)) for need in needs
    )
    said = "\n".join(each.said for each in asked)
    return replace(request, needs=needs, said_before=said, cited_before=tuple(cited_before))


def _only_subject(request: Request, subjects: Subjects) -> str:
    """Return the words that name another subject where a question has no more ("and the
    predicate?"): it asks of that what was asked last. Of eleven such on eight projects eight are
    answered right so and none wrong, three and four where both questions are read as they stand."""
    if len(request.needs) != 1 or not goes_on_to_another(request.needs[0].query):
        return ""
    words = re.findall(r"[\w-]{2,}", request.needs[0].query)
    words = [word for word in words if not names_nothing(word)]
    others = subjects.others.values()
    names_one = words and all(any(o.is_asked_by(word) for o in others) for word in words)
    return " ".join(words) if names_one else ""


def _of_documents(resolution: Resolution, query: str) -> Need:
    """Return what was asked last (``query``) of the documents that a question names and nothing
    else ("and in the protocol.docx?")."""
    prompt = resolution.prompt
    return Need("n1", prompt, 0, len(prompt), query, resolution.scope)


def _with_named(scope: SearchScope, before: Sequence[Resolution]) -> SearchScope:
    if not scope.layers >= ALWAYS_SEARCHED:
        return scope
    return replace(
        scope,
        layers=scope.layers.union(*(each.scope.layers for each in before)),
        files=scope.files.union(*(each.scope.files for each in before)),
    )
