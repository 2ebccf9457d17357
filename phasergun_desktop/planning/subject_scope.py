"""Keeps what is stated of other subjects from the needs that do not ask for them."""

from __future__ import annotations

import re
from dataclasses import replace

from phasergun_desktop.planning.form_words import without_form_words
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.prompt_clauses import LIST_MARK
from phasergun_desktop.planning.subject import Role, Subject, Subjects
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer


def without_other_subjects(request: Request, subjects: Subjects) -> Request:
    """Return ``request`` without the documents on subjects that a need does not ask for; what a
    need names itself stays allowed."""
    return replace(
        request,
        needs=tuple(
            replace(need, scope=replace(need.scope, excluded=need.scope.excluded | files))
            if (files := _not_asked(need, asking_text(request, need, subjects), subjects))
            else need
            for need in request.needs
        ),
    )


def without_own_names(request: Request, device: Subject) -> Request:
    """Return the ``request`` of a text searched without the names of ``device``, which stand
    everywhere in its papers, so that what has them answers nothing yet, and without the words on
    form that a need begins with, which no paper has ("Describe the flow rate").

    A question is read as it is asked, as the cross-encoder learnt it: of 212 on two projects 132
    are right and 12 wrong, searched like a text 124 and 14.
    """

    def bare(text: str) -> str:
        left = " ".join(without_names(text, device, " ").split())
        return left if re.search(r"\w{3}", left) else text

    needs = tuple(
        replace(
            need,
            query=without_form_words(bare(need.query)),
            part=without_form_words(bare(need.part)),
        )
        for need in request.needs
    )
    return replace(request, needs=needs, topic=bare(request.topic))


def without_names(text: str, device: Subject, instead: str = "it") -> str:
    """Return ``text`` with another word ``instead`` of the names of ``device``."""
    names = sorted((name for name in device.names if name.strip()), key=len, reverse=True)
    if not names:
        return text
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", instead, text, flags=re.IGNORECASE)


def asking_text(request: Request, need: Need, subjects: Subjects) -> str:
    """Return what asks for ``need``: the prompt and, unless that names the subject, the questions
    before it; a value of K231192 is no answer to "and K233058?"."""
    own = _own_text(request.said, need)
    if not request.said_before or names_subject(own, subjects):
        return own
    return f"{own}\n{request.said_before}"


def names_subject(text: str, subjects: Subjects) -> bool:
    """Whether ``text`` names one of ``subjects``, the project's own device among them."""
    return any(each.is_named_in(text) for each in {subjects.device, *subjects.others.values()})


def _own_text(said: str, need: Need) -> str:
    """Return the line of a prompt that ``said`` this which asks for ``need``, and for an item of a
    list the line that introduces the list; of an item of a template, which the prompt does not say,
    what it asks for, and of a field of a form its name and the title."""
    if need.start == need.end or need.is_field:
        return f"{need.heading}\n{need.query}\n{need.goes_on_from or ''}"
    lines = said[: need.start].split("\n")
    end = said.find("\n", need.end)
    line = lines[-1] + said[need.start : end if end >= 0 else len(said)]
    if not LIST_MARK.match(line):
        return f"{need.heading}\n{line}"
    lead = next(
        (each for each in reversed(lines[:-1]) if each.strip() and not LIST_MARK.match(each)), ""
    )
    return f"{need.heading}\n{lead}\n{line}"


def _not_asked(need: Need, text: str, subjects: Subjects) -> frozenset[str]:
    is_for_predicates = (
        need.scope.layers < ALWAYS_SEARCHED and Layer.PREDICATES in need.scope.layers
    )
    return frozenset(
        file
        for file, subject in subjects.others.items()
        if file not in need.scope.files
        and not subject.is_asked_by(text)
        and not (is_for_predicates and subject.role is Role.PREDICATE)
    )
