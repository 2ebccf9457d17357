"""What may leave the machine: nothing of the documents that are labelled confidential.

A plan is made without them, so that a draft can be written from the others; and every prompt
that is about to leave is searched for their words, whichever way they came into it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.language_models.passed_on import PassedOn
from phasergun_desktop.planning.model import Plan, PlannedPoint

# Every other word in ``confidentiality`` keeps a document here: the words are the company's own.
_MAY_LEAVE = frozenset({"", "public", "unrestricted", "open", "none", "internal"})

# So many words in a row are a document's own; fewer can be anybody's.
_RUN_WORDS = 10
_WORD = re.compile(r"\w+")
Parsed = Callable[[int], ParsedDocument]


def confidential_files(documents: Iterable[DocumentRecord]) -> frozenset[str]:
    """Return the files that ``categories.yaml`` labels as anything but public or internal."""
    return frozenset(
        each.file for each in documents if each.confidentiality.strip().casefold() not in _MAY_LEAVE
    )


def without_files(plan: Plan, held: frozenset[str]) -> tuple[Plan, tuple[str, ...]]:
    """Return ``plan`` without what it would read of ``held``, and the files that were left out.

    Raises ``ModelError`` when the prompt itself quotes one of them: a value that replaced a
    reference is part of every step's instruction.
    """
    quoted = {each.value.file for each in plan.references if each.value is not None} & held
    if quoted:
        raise ModelError(
            "The prompt quotes a confidential document",
            f"The prompt takes a value from {_listed(quoted)}, which categories.yaml keeps on "
            "this machine; nothing was sent.",
            "Choose a model of this machine, take the reference out, or allow confidential "
            "documents for this server in Model › Language model….",
        )
    left_out: set[str] = set()

    def is_held(file: str) -> bool:
        if file in held:
            left_out.add(file)
        return file in held

    def lighter(point: PlannedPoint) -> PlannedPoint:
        return replace(
            point,
            passages=tuple(each for each in point.passages if not is_held(each.file)),
            evidence=tuple(each for each in point.evidence if not is_held(each.file)),
            pairs=tuple(each for each in point.pairs if not is_held(each.answer.file)),
        )

    points = tuple(lighter(point) for point in plan.points)
    summaries = tuple(each for each in plan.summaries if not is_held(each.file))
    retrieved = tuple(each for each in plan.retrieved if not is_held(each.file))
    lighter_plan = replace(plan, points=points, summaries=summaries, retrieved=retrieved)
    return lighter_plan, tuple(sorted(left_out))


def stays_here(
    held: frozenset[str],
    notes: Iterable[Footnote],
    value_files: frozenset[str],
    documents: Iterable[DocumentRecord],
) -> bool:
    """Whether what cites ``notes``, in a task with values of ``value_files``, may come from one
    of the files ``held``."""
    if not held:
        return False
    # The hash tells a file by its content, whatever its name was when it was cited; of one that
    # is gone nobody can say any more whether it may leave the machine.
    hashes = {record.file: record.sha256 for record in documents}
    held_hashes = {hashes[file] for file in held & hashes.keys()}
    cited = [note for note in notes if note.file]
    files = {note.file for note in cited} | value_files
    return (
        bool(files & held)
        or not files <= hashes.keys()
        or any(note.sha256 in held_hashes for note in cited)
    )


def left_out_warning(files: tuple[str, ...]) -> str:
    """Return the sentence that says what was not sent; ``""`` where everything was."""
    if not files:
        return ""
    return (
        f"Not sent to the remote model, since categories.yaml keeps it on this machine: "
        f"{_listed(files)}."
    )


def _listed(files: Iterable[str]) -> str:
    return ", ".join(sorted(files))


class ConfidentialText:
    """Finds runs of words of confidential documents that no other document has."""

    def __init__(self, documents: Iterable[DocumentRecord], parsed: Parsed) -> None:
        records = tuple(documents)
        held = confidential_files(records)
        self._file_of: dict[int, str] = {}
        if not held:
            return
        for record in records:
            if record.file in held:
                runs = _runs(parsed(record.document_id).text)
                self._file_of.update(dict.fromkeys(runs, record.file))
        for record in records:
            # A letterhead, a standard's wording: what may leave elsewhere gives nothing away.
            if record.file not in held:
                for run in _runs(parsed(record.document_id).text):
                    self._file_of.pop(run, None)

    def file_in(self, text: str) -> str:
        """Return a confidential document whose words ``text`` holds; ``""`` where there is none.

        Passages of fewer than ten words are not recognised here.
        """
        if not self._file_of:
            return ""
        return next((self._file_of[run] for run in _runs(text) if run in self._file_of), "")


class GuardedModel(PassedOn):
    """A remote model that is sent nothing of a confidential document; raises ``ModelError``."""

    def __init__(self, model: LanguageModel, confidential: ConfidentialText) -> None:
        super().__init__(model)
        self._confidential = confidential

    def before(self, prompt: ModelPrompt, metrics: GenerationMetrics) -> None:
        """Refuse a prompt that holds words of a confidential document."""
        del metrics
        file = self._confidential.file_in(f"{prompt.system}\n{prompt.shared}\n{prompt.task}")
        if file:
            raise ModelError(
                "A confidential document stays here",
                f"The prompt would hold words of {file}, which categories.yaml keeps on this "
                "machine; nothing was sent.",
                "Choose a model of this machine, or allow confidential documents for this server "
                "in Model › Language model….",
            )


def _runs(text: str) -> Iterator[int]:
    words = _WORD.findall(text.casefold())
    for at in range(len(words) - _RUN_WORDS + 1):
        yield hash(tuple(words[at : at + _RUN_WORDS]))
