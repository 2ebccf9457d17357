"""The page of one draft: its document with what stands behind it, kept while others are in view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtGui import QTextDocument

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_text import DraftText
from phasergun_desktop.ui.editor.draft_writer import StreamWriter
from phasergun_desktop.ui.editor.support_highlighter import SupportHighlighter
from phasergun_desktop.ui.theme import Colours

MOST_KEPT = 8


@dataclass(frozen=True, slots=True, eq=False)
class DraftPage:
    """A document, and whoever reads, writes and marks it."""

    document: QTextDocument
    book: DraftBook
    highlighter: SupportHighlighter
    text: DraftText
    writer: StreamWriter


def blank_page(
    document: QTextDocument, book: DraftBook, colours: Callable[[], Colours]
) -> DraftPage:
    """Return the page of ``document``, in which nothing is written yet."""
    return DraftPage(
        document,
        book,
        SupportHighlighter(document, book, colours),
        DraftText(document, book),
        StreamWriter(document, book),
    )


class LeftPages:
    """The pages that were left last, each with the draft as it stood then: where that is what is
    still stored, the page itself is shown again, and undo goes on."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[DraftPage, Draft]] = {}

    def keep(self, page: DraftPage, draft: Draft | None) -> None:
        """Keep a page that is left; one without a draft is not."""
        if draft is None:
            page.document.deleteLater()
            return
        self._drop(draft.draft_id)
        self._pages[draft.draft_id] = (page, draft)
        if len(self._pages) > MOST_KEPT:
            self._drop(next(iter(self._pages)))

    def take(self, draft: Draft | None) -> DraftPage | None:
        """Return the page of ``draft`` if it holds just that, and keep it no longer."""
        found = self._pages.get(draft.draft_id) if draft is not None else None
        if draft is None or found is None:
            return None
        page, left = found
        if not _is_same_text(left, draft):
            self._drop(draft.draft_id)
            return None
        del self._pages[draft.draft_id]
        return page

    def clear(self) -> None:
        """Keep no page any longer."""
        for draft_id in tuple(self._pages):
            self._drop(draft_id)

    def _drop(self, draft_id: str) -> None:
        found = self._pages.pop(draft_id, None)
        if found is not None:
            found[0].document.deleteLater()


def _is_same_text(left: Draft, stored: Draft) -> bool:
    # The rest is told from the stored form, whoever changed it: names, edits, versions.
    return (
        replace(stored, units=left.units, footnotes=left.footnotes, edited_html=left.edited_html)
        == stored
    )
