"""What became of one reference: the words put in for it and the documents it opens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import (
    Problem,
    QuestionAnswer,
    ReferenceKind,
    ResolvedReference,
    Severity,
    SourceValue,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``layers`` and ``files`` go into the scope of the sentence; they are all that it may use
    when ``restricts``, else they are added to what it may use anyway. ``is_value``: the label
    is a value that is put in as it is."""

    reference: ResolvedReference
    layers: frozenset[Layer] = frozenset()
    files: frozenset[str] = frozenset()
    restricts: bool = False
    is_value: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A reference in the prompt: its kind, its text and where it stands. ``parts`` are those of a
    bracket behind its first word, stripped, or the name of a scope."""

    kind: ReferenceKind
    text: str
    start: int
    end: int
    parts: tuple[str, ...] = ()

    def restriction(
        self,
        label: str,
        documents: Iterable[DocumentRecord],
        layers: Iterable[Layer] = (),
        pairs: tuple[QuestionAnswer, ...] = (),
        problems: tuple[Problem, ...] = (),
    ) -> Outcome:
        """The sentence may use ``documents`` (or the whole ``layers`` that hold them)."""
        files = tuple(each.file for each in documents)
        whole = frozenset(layers)
        reference = ResolvedReference(
            self.kind, self.text, self.start, self.end, label, files, pairs=pairs
        )
        named = frozenset() if whole else frozenset(files)
        return Outcome(reference, whole, named, restricts=True, problems=problems)

    def value(self, value: SourceValue, problems: tuple[Problem, ...] = ()) -> Outcome:
        """The reference is replaced by ``value``; its document becomes citable."""
        label = " ".join(value.text.split())
        reference = ResolvedReference(
            self.kind, self.text, self.start, self.end, label, (value.file,), value
        )
        files = frozenset({value.file})
        return Outcome(reference, files=files, is_value=True, problems=problems)

    def unresolved(
        self,
        code: str,
        message: str,
        remedy: str,
        restricts: bool = True,
        replacements: tuple[str, ...] = (),
    ) -> Outcome:
        """The reference names nothing that there is: generation is blocked."""
        reference = ResolvedReference(
            self.kind, self.text, self.start, self.end, self.text, resolved=False
        )
        problem = Problem(
            code, Severity.BLOCKS, message, remedy, self.start, self.end, replacements
        )
        return Outcome(reference, restricts=restricts, is_value=True, problems=(problem,))

    def warning(
        self, code: str, message: str, remedy: str, replacements: tuple[str, ...] = ()
    ) -> Problem:
        """A problem at this place that does not block."""
        where = (self.start, self.end)
        return Problem(code, Severity.WARNING, message, remedy, *where, replacements)
