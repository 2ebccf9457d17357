"""What the pointer learns when it rests on a link of a conversation."""

from __future__ import annotations

from html import escape

from phasergun_desktop.ui.ask.conversation_page import ConversationPage
from phasergun_desktop.ui.ask.turn_formats import Act, link_of
from phasergun_desktop.ui.editor.draft_hover import hover_html, shortened
from phasergun_desktop.ui.wording import confidence_lines, shown_mark

_REWRITTEN = "Ask it as a whole question, looked up alone: it goes into the question box"


def hover_of(page: ConversationPage, href: str) -> str:
    """Return the tooltip of a mark (its quote, and the whole of one that is shortened) or a link of
    ``page``; empty where there is none."""
    footnote, link = page.footnote_of(href), link_of(href)
    if footnote is not None:
        is_short = footnote.mark and shown_mark(footnote) not in footnote.mark
        return hover_html(footnote) + (f"<p>{escape(footnote.mark)}</p>" if is_short else "")
    if link is None or link.act is Act.EARLIER:
        return ""
    turn = page.turn(link.number)
    if link.act is Act.CONFIDENCE and turn.confidence is not None:
        lines = [f"{turn.confidence.score:.2f} of 1", *confidence_lines(turn.confidence)]
        return f"<p style='width:320px'>{'<br>'.join(escape(line) for line in lines)}</p>"
    if link.act is Act.PASSAGE:
        return f"<p style='width:380px'>“{escape(shortened(turn.unused[link.index].text))}”</p>"
    return f"<p>{_REWRITTEN}</p>" if link.act is Act.REWRITTEN else ""
