"""Opens PDF files, trying passwords, and their pages with form fields as part of the content."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.pdf.annotations import has_drawn_annotations
from phasergun_desktop.errors import DocumentError, DocumentProblem

_PAGES_AN_OPENING = 250
_MAX_SIDE = 16_000


def open_pdf(source: Path | bytes, passwords: Sequence[str] = ()) -> Any:
    """Open a PDF with its form fields: first without a password, then with each of ``passwords``.

    From a path it is read piece by piece as its pages are opened, never held in memory as a
    whole; the file stays open until the document is closed. Raises DocumentError: password
    protected or damaged.
    """
    import pypdfium2  # noqa: PLC0415
    from pypdfium2 import raw  # noqa: PLC0415

    pdf = None
    for password in (None, *passwords):
        try:
            pdf = pypdfium2.PdfDocument(source, password=password)
            break
        except pypdfium2.PdfiumError as error:
            if error.err_code == raw.FPDF_ERR_SECURITY:
                raise _protected(passwords) from error
            if error.err_code == raw.FPDF_ERR_FILE:
                raise unreadable() from error
            if error.err_code != raw.FPDF_ERR_PASSWORD:
                raise DocumentError(
                    "Damaged PDF",
                    "The PDF is damaged and cannot be opened.",
                    "Export it again from its source, or print it to a new PDF.",
                    DocumentProblem.DAMAGED,
                ) from error
        except OSError as error:
            raise unreadable() from error
    if pdf is None:
        raise _protected(passwords)
    try:
        # Forms of Adobe's XML kind need a part of pdfium that is not there; their pages are
        # read as they are.
        if pdf.get_formtype() in (raw.FORMTYPE_ACRO_FORM, raw.FORMTYPE_XFA_FOREGROUND):
            pdf.init_forms()
    except pypdfium2.PdfiumError:
        pass  # the pages are read without their form fields
    return pdf


def _protected(passwords: Sequence[str]) -> DocumentError:
    tried = ", and none of the passwords entered opens it" if passwords else ""
    return DocumentError(
        "Password protected",
        f"The PDF is password protected{tried}.",
        f"Enter {'its' if passwords else 'the'} password, or save a copy without it.",
        DocumentProblem.PASSWORD,
    )


def unreadable() -> DocumentError:
    """Return the error for a file that was there before."""
    return DocumentError(
        "Unreadable file",
        "The file cannot be opened any more.",
        "Check that it exists and that you may read it.",
        DocumentProblem.UNREACHABLE,
    )


class PdfFile:
    """A PDF whose pages are read one after the other; ``document`` is pypdfium2's.

    pdfium keeps every object that it has met until the document is closed. So it is opened
    again now and then: thousands of pages take no more memory than a few hundred.
    """

    def __init__(self, source: Path | bytes, passwords: Sequence[str] = ()) -> None:
        self._source = source
        self._passwords = passwords
        self.document = open_pdf(source, passwords)
        self._opened = 0

    @property
    def page_count(self) -> int:
        """The number of pages, 1 or more."""
        return len(self.document)

    def page(self, index: int) -> Any:
        """Return page ``index`` (from 0), form fields and drawn comments part of it.

        None where it is damaged. The caller closes it before asking for the next.
        """
        import pypdfium2  # noqa: PLC0415
        from pypdfium2 import raw  # noqa: PLC0415

        self._opened += 1
        if self._opened > _PAGES_AN_OPENING:
            self.document.close()
            self.document = open_pdf(self._source, self._passwords)
            self._opened = 1
        try:
            page = self.document[index]
            if has_drawn_annotations(page):
                # Flattening works on this copy in memory; the file is not touched.
                flattened = raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
                if flattened == raw.FLATTEN_SUCCESS:
                    page.close()
                    page = self.document[index]
            return page
        except pypdfium2.PdfiumError:
            return None

    def close(self) -> None:
        """Close the file."""
        self.document.close()


def scale_within(scale: float, max_pixels: int, width: float, height: float) -> float:
    """Return ``scale``, or the largest at which a picture of a page of ``width`` by ``height``
    points has at most ``max_pixels`` pixels: no page may exhaust the memory."""
    return min(
        scale,
        math.sqrt(max_pixels / max(1.0, width * height)),
        _MAX_SIDE / max(1.0, width, height),
    )
