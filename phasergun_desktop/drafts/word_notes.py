"""The XML of Word's footnotes part, and the text of a footnote."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from phasergun_desktop.drafts.bibliography import named_revision
from phasergun_desktop.grounding.footnotes import place_in_words
from phasergun_desktop.grounding.model import Footnote

LONGEST_QUOTE = 600

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SEPARATORS = "".join(
    f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:pPr>'
    '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>'
    f"<w:r><w:{element}/></w:r></w:p></w:footnote>"
    for kind, number, element in (
        ("separator", -1, "separator"),
        ("continuationSeparator", 0, "continuationSeparator"),
    )
)


def xml_text(text: str) -> str:
    """Return ``text`` without the code points that XML forbids (form feeds, lone surrogates)."""
    return _NOT_IN_XML.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def note_text(footnote: Footnote) -> str:
    """Return what the footnote says: number, title, file, revision, place (not the quote)."""
    if not footnote.file:
        return _without_number(footnote) or footnote.title
    file = footnote.file.rsplit("/", 1)[-1]
    title = _one_line(footnote.title)
    named = f"{title} ({file})" if title and title not in (file, file.rsplit(".", 1)[0]) else file
    number = _one_line(footnote.document_number)
    parts = [number] if number.lower() not in named.lower() else []
    parts += [named, named_revision(footnote.revision)]
    if footnote.locator:
        headings = footnote.heading_path
        # A document's title is its first heading, too.
        headings = headings[1:] if headings and _one_line(headings[0]) == title else headings
        parts.append(_one_line(place_in_words(footnote.locator, headings)))
    return ", ".join(part for part in parts if part)


def quoted(footnote: Footnote) -> str:
    """The quote in quotation marks, cut in the middle when it is very long; ``""`` for none."""
    quote = _one_line(footnote.quote)
    if not quote:
        return ""
    if len(quote) > LONGEST_QUOTE:
        half = LONGEST_QUOTE // 2
        quote = f"{quote[:half].rsplit(' ', 1)[0]} […] {quote[-half:].split(' ', 1)[-1]}"
    return f"“{quote}”"


def whole_note(footnote: Footnote) -> str:
    """Return what a footnote says that stands by itself, with its quote."""
    quote = quoted(footnote)
    return f"{note_text(footnote)}: {quote}" if quote else note_text(footnote)


class NotesPart:
    """Collects the footnotes of one document; ids count from 1 in the order of the text.

    Every mark is a footnote of its own, so that it moves, is copied and is deleted with its
    sentence. The first mark of a source has the quote; a later one names the source in full and
    refers to the first by Word's cross-reference (``NOTEREF``), which Word keeps up to date.
    """

    def __init__(self) -> None:
        self._notes: list[str] = []
        self._first: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, footnote: Footnote) -> tuple[int, str]:
        """Add a footnote; return its id and the bookmark to set around its mark (or ``""``)."""
        number = len(self._notes) + 1
        first = self._first.setdefault(footnote.number, number)
        content = [_run(f" {note_text(footnote)}")]
        quote = quoted(footnote)
        if first != number and quote:
            content += [_run("; quoted in footnote "), _cross_reference(bookmark(first), first)]
        elif quote:
            content.append(_run(f": {quote}"))
        content.append(_run(f" [Source {footnote.number}]"))
        if footnote.mark and footnote.mark != f"[{footnote.number}]":
            content.append(_run(f" {footnote.mark}"))
        self._notes.append(
            f'<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>'
            '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
            f"{''.join(content)}</w:p></w:footnote>"
        )
        return number, bookmark(number) if first == number else ""

    def to_xml(self) -> bytes:
        """Return ``word/footnotes.xml``."""
        head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        body = f'<w:footnotes xmlns:w="{_NAMESPACE}">{_SEPARATORS}{"".join(self._notes)}'
        return f"{head}{body}</w:footnotes>".encode()


def bookmark(number: int) -> str:
    """The hidden bookmark (Word hides names with ``_``) around the mark of footnote ``number``."""
    return f"_RefSource{number}"


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{escape(xml_text(text))}</w:t></w:r>'


def _cross_reference(name: str, shown: int) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> NOTEREF {name} \\h </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f"<w:r><w:t>{shown}</w:t></w:r>"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def _without_number(footnote: Footnote) -> str:
    return re.sub(r"^\[\d+\]\s*", "", _one_line(footnote.rendered))


def _one_line(text: str) -> str:
    return " ".join(text.split())
