"""Drafts leave the product: Word, Markdown or JSON, the old file replaced only by a whole one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

from phasergun_desktop.documents.document_codec import encoded
from phasergun_desktop.drafts.authorship import account_holder
from phasergun_desktop.drafts.draft_codec import encode_draft
from phasergun_desktop.drafts.markdown_export import draft_to_markdown
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import ExportError, StorageError
from phasergun_desktop.grounding.footnote_codec import encode_footnote
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.grounding.rendering import render_markdown
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.problems import StorageDeniedError, StorageFullError
from phasergun_desktop.writing.confidence import confidence_of_page
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel

_LONGEST_STEM = 80
# Windows takes these for devices, whatever their ending.
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)\d", re.IGNORECASE)


class ExportFormat(StrEnum):
    """The formats, by the ending of the file's name."""

    WORD = ".docx"
    MARKDOWN = ".md"
    JSON = ".json"


def file_stem(title: str) -> str:
    """Return a name for the file of a draft of this title that every system takes."""
    stem = " ".join(re.sub(r"[^\w\- ]+", "", title).split())[:_LONGEST_STEM].strip()
    return f"Draft {stem}".strip() if not stem or _DEVICE.fullmatch(stem) else stem


def with_export_ending(path: Path, default: ExportFormat) -> Path:
    """Return ``path`` with the ending of ``default`` appended, unless it ends as an export does.

    A dot in a title ("Device v1.2") begins no ending.
    """
    if path.suffix.lower() in set(ExportFormat):
        return path
    return path.with_name(path.name + default.value)


def export_draft(draft: Draft, path: Path) -> None:
    """Write the draft to ``path`` in the format of its ending.

    Raises ``ExportError`` (unknown ending, full disk, no access, file open in Word); a file
    that was there before is untouched then.
    """
    try:
        chosen = ExportFormat(path.suffix.lower())
    except ValueError as error:
        raise ExportError(
            "Unknown format",
            f"A draft cannot be exported to “{path.name}”.",
            "Choose a name that ends in .docx, .md or .json.",
        ) from error
    content = _WRITERS[chosen](draft)
    try:
        write_atomically(path, content, usual_rights=True)
    except StorageError as error:
        raise _export_error(error, path) from error


def draft_to_contract_json(draft: Draft) -> str:
    """Return the draft with the field names of ``draft --json``, indented, ending in a newline.

    Besides ``text``, ``sentences``, ``footnotes`` and ``confidence`` it has the prompt, model
    and times, so that the file is a whole record of the draft.
    """
    stored = encode_draft(draft)
    for name in ("units", "confidence_level", "confidence_score", "confidence_rationale"):
        stored.pop(name)
    stored.pop("confidence_criteria")
    confidence = page_confidence(draft, draft.units)
    unknown = {"level": "", "score": 0.0, "criteria": [], "rationale": ""}
    for name in ("plan_json", "edited_html", "format"):
        stored.pop(name)
    stored |= {
        "text": render_markdown(draft.units, draft.footnotes),
        "sentences": [encoded(unit) for unit in draft.units],
        "footnotes": [encode_footnote(footnote) for footnote in draft.footnotes],
        "confidence": encoded(confidence) if confidence else unknown,
        "settled": draft.settled,
        "plan": _plan(draft.plan_json),
    }
    return json.dumps(stored, indent=2, ensure_ascii=False) + "\n"


def page_confidence(draft: Draft, units: Sequence[DraftSentence]) -> Confidence | None:
    """Return the confidence of ``draft`` with ``units`` on its page: what is stored is that of its
    making. None for text that was not drafted."""
    if not draft.confidence_level:
        return None
    made = Confidence(
        ConfidenceLevel(draft.confidence_level),
        draft.confidence_score,
        draft.confidence_criteria,
        draft.confidence_rationale,
    )
    return confidence_of_page(made, units)


def _plan(text: str) -> object:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None


def _to_docx(draft: Draft) -> bytes:
    # python-docx takes a tenth of a second to load; the window starts without it.
    from phasergun_desktop.drafts.word import draft_to_docx  # noqa: PLC0415

    return draft_to_docx(draft, account_holder())


_WRITERS: dict[ExportFormat, Callable[[Draft], bytes | str]] = {
    ExportFormat.WORD: _to_docx,
    ExportFormat.MARKDOWN: draft_to_markdown,
    ExportFormat.JSON: draft_to_contract_json,
}


def _export_error(error: StorageError, path: Path) -> ExportError:
    if isinstance(error, StorageFullError):
        return ExportError(
            "Disk full",
            f"There is no room left to write “{path.name}”.",
            "Free some space or choose another disk; the draft itself is safe.",
        )
    if isinstance(error, StorageDeniedError):
        return ExportError(
            "File not written",
            f"“{path.name}” cannot be written in {path.parent}.",
            "Close the file if it is open in Word, or choose another folder.",
        )
    return ExportError("File not written", error.message, error.remedy)
