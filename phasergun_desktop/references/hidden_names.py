"""References of a prompt to documents that the project's confidentiality setting hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from phasergun_desktop.projects.convention import is_master_record_name, name_key
from phasergun_desktop.references.model import ReferenceKind
from phasergun_desktop.references.outcome import Outcome, Place
from phasergun_desktop.references.plain_names import file_mentions
from phasergun_desktop.references.versions import read_version

SHOW_AGAIN = "To use it, show its label again in Project › Category and confidentiality."


def told_as_hidden(outcome: Outcome, hidden: Sequence[str]) -> Outcome:
    """Return ``outcome`` that says, where it found no document, that the one it names is hidden."""
    named = outcome.reference
    if named.resolved or not _is_hidden(named.kind, named.text, hidden):
        return outcome
    place = Place(named.kind, named.text, named.start, named.end)
    return replace(_unresolved(place), restricts=outcome.restricts)


def plainly_hidden(
    prompt: str, protected: Sequence[tuple[int, int]], hidden: Sequence[str]
) -> Iterator[Outcome]:
    """Yield what each hidden file comes to that ``prompt`` names outside of ``protected``."""
    for match, _ in file_mentions(prompt, protected, ((file, False) for file in hidden)):
        yield _unresolved(Place(ReferenceKind.CONTEXT, match[0], *match.span()))


def _unresolved(place: Place) -> Outcome:
    return place.unresolved(
        "hidden_document",
        f"“{place.text}” names a document that the project's confidentiality setting hides.",
        f"Take it out of the prompt. {SHOW_AGAIN}",
    )


def _is_hidden(kind: ReferenceKind, text: str, hidden: Sequence[str]) -> bool:
    if kind is ReferenceKind.MASTER_RECORD:
        return any(is_master_record_name(PurePosixPath(file).name) for file in hidden)
    names = [name_key(part) for part in text.strip("[]").split("|")[1:]]
    return any(_is_called(name, file) for name in names for file in hidden)


def _is_called(name: str, file: str) -> bool:
    path = PurePosixPath(file)
    base = read_version(file).base
    known = {name_key(file), name_key(path.name), name_key(path.stem), base}
    # A bootstrap document is found by the words that its name begins with.
    return name in known or read_version(f"{name}.x").base == base or base.startswith(f"{name} ")
