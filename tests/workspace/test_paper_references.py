"""The list of references of papers: authors, title, journal, date and DOI, wherever it stands."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from docx import Document

from phasergun_desktop.conversations.model import Question, TurnStarted
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.wiring import Application
from tests.documents.pdf.pdf_samples import add_text_page, new_pdf

TITLE = "Warming of newborn infants with a heated mattress"
XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description>
<dc:creator><rdf:Seq><rdf:li>Ann B. Lee</rdf:li><rdf:li>Bob van der Ray</rdf:li></rdf:Seq>
</dc:creator><prism:doi>10.1016/j.burns.2019.01.002</prism:doi>
<prism:publicationName>Burns &amp; Trauma</prism:publicationName>
<prism:coverDate>2019-05-31</prism:coverDate></rdf:Description></rdf:RDF></x:xmpmeta>"""
SAID = "The mattress temperature was set to 38 degrees Celsius in all 48 infants."


def test_a_paper_is_named_with_what_it_states_of_itself(
    application: Application, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    pdf = new_pdf()
    pdf.set_title(TITLE)
    pdf.set_xmp_metadata(XMP)
    add_text_page(pdf, f"{TITLE}\n\nAnn B. Lee1*, Bob van der Ray2\n\nAbstract\n\n{SAID}")
    (folder / "a.pdf").write_bytes(bytes(pdf.output()))
    events: list[Event] = []
    with closing(application.workspace.open(folder)) as session:
        run_to_end(session.sync())
        question = Question("What was the mattress temperature?", profile="literature")
        turn = run_to_end(session.ask(question, should_stop=lambda: False), events.append)
        (started,) = [each for each in events if isinstance(each, TurnStarted)]
        for name in ("talk.md", "talk.docx"):
            session.export_conversation(started.conversation_id, tmp_path / name)
    line = (
        f'[1] Ann B. Lee, Bob van der Ray 2019-05-31, "{TITLE}", Burns & Trauma, '
        "10.1016/j.burns.2019.01.002, page 1"
    )
    assert turn.footnotes[0].rendered == line
    assert line in turn.text
    assert line in (tmp_path / "talk.md").read_text("utf-8")
    assert line in [each.text for each in Document(str(tmp_path / "talk.docx")).paragraphs]
