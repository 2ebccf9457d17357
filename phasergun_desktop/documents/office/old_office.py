"""Reads the Office files of before 2007, DOC and PPT, and RTF."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.documents.builder import Reading
from phasergun_desktop.documents.container.compound import DAMAGE, CompoundFile
from phasergun_desktop.documents.formats import Format
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.office.doc_format import read_doc
from phasergun_desktop.documents.office.encryption import decrypted
from phasergun_desktop.documents.office.ppt_format import read_ppt
from phasergun_desktop.documents.office.properties import ole_properties
from phasergun_desktop.documents.office.rtf_format import read_rtf
from phasergun_desktop.errors import DocumentError, DocumentProblem

_TARGETS = {Format.DOC: "DOCX", Format.RTF: "DOCX", Format.PPT: "PPTX"}


def read_old_office(data: bytes, found: Format, reading: Reading) -> FileProperties:
    """Append the blocks of a DOC, PPT or RTF file; return its properties.

    Raises DocumentError where the file is protected or damaged.
    """
    plain = decrypted(data, reading.options.passwords)
    try:
        if found is Format.RTF or plain.startswith(b"{\\rtf"):
            return read_rtf(plain, reading.builder)
        file = CompoundFile(plain)
        properties = ole_properties(file)
        if found is Format.PPT:
            return replace(properties, pages=read_ppt(file, reading.builder))
        read_doc(file, reading.builder)
    except DAMAGE as error:
        raise DocumentError(
            "Damaged file",
            f"The {found.value.upper()} file cannot be read; it is damaged or in another format.",
            f"Open it in its own program and save a copy as {_TARGETS[found]}.",
            DocumentProblem.DAMAGED,
        ) from error
    return properties
