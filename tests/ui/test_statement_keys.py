"""Whatever is typed, pasted or dragged: each statement has its own key, is checked, and checking
ends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from phasergun_desktop.drafts.draft_shape import NO_UNIT, has_words
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import (
    STATEMENTS,
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.paths import resources_path
from phasergun_desktop.ui.editor.draft_panel import DraftPanel
from phasergun_desktop.ui.editor.draft_revision import DraftRevision
from phasergun_desktop.ui.icons import IconSet

ROW = UnitKind.TABLE_ROW
UNITS = (
    DraftSentence("Device Description", UnitKind.HEADING, level=2),
    DraftSentence("The meter measures glucose.", citations=(1,), starts_paragraph=True, point=0),
    DraftSentence("It weighs 58 g. It has a strap.", citations=(2,), point=0),
    DraftSentence("It is sold in 12 countries.", citations=(1, 2), point=1),
    DraftSentence("The meter 😀", UnitKind.LIST_ITEM, (1,), starts_paragraph=True, point=1),
    DraftSentence("The strips", UnitKind.LIST_ITEM, (2,), starts_paragraph=True, point=1),
    DraftSentence("They have a code.", UnitKind.LIST_ITEM, (1,), point=1),
    DraftSentence("Part | Weight", ROW, cells=("Part", "Weight"), is_header=True),
    DraftSentence(
        "Meter | 58 g", ROW, (1,), cells=("Meter", "58 g"), citations_per_cell=((), (1,)), point=2
    ),
    DraftSentence("Results are stored.", citations=(1,), starts_paragraph=True, point=3),
)
NOTES = tuple(
    Footnote(n, "context", f"[{n}] Context: f{n}.md", "t", f"f{n}.md", quote=f"q{n}")
    for n in (1, 2)
)
DRAFT = Draft("d", "T", "", "", "complete", UNITS, NOTES, "2026-01-01", "2026-01-01")


def checked(unit: DraftSentence, draft: Draft) -> DraftSentence:
    """A check that any change of words, footnotes or origin can turn."""
    quotes = {note.number: note.quote for note in draft.footnotes}
    seed = f"{unit.text}{sorted(quotes[n] for n in unit.citations)}{unit.is_own}{unit.point}"
    is_bad = sum(map(ord, seed)) % 3 > 0
    problem = SentenceProblem(ProblemCode.NO_SOURCE, "", f"Found about: {seed}")
    return replace(
        unit,
        support=Support.UNSUPPORTED if is_bad else Support.SUPPORTED,
        problems=(problem,) if is_bad else (),
        needs_check=False,
    )


class Page:
    """A draft in an editor, settled as the window settles it when typing rests."""

    def __init__(self, qtbot: QtBot, draft: Draft) -> None:
        self.panel = DraftPanel(IconSet(resources_path() / "icons", QPalette()))
        qtbot.addWidget(self.panel)
        self.editor = self.panel.editor
        self.panel.open_draft(draft)
        self.changes = 0
        self.panel.changed.connect(self._count)

    def _count(self) -> None:
        self.changes += 1

    def check(self) -> bool:
        """Check what is to be checked; return whether there was anything."""
        stands, draft = self.panel.text.statements(), self.now()
        wanted = [one for one in stands if one.unit.needs_check]
        found = [checked(one.unit, draft) for one in wanted]
        DraftRevision(self.panel).mark(wanted, found)
        self.panel.refresh()
        return bool(wanted)

    def now(self) -> Draft:
        draft = self.panel.snapshot()
        assert draft is not None
        return draft

    def marks(self) -> list[tuple[str, str]]:
        return [(" ".join(one.text.split()), one.reason) for one in self.panel.sentences]

    def underlines(self) -> dict[int, str]:
        """The underlined letters by the style of the line."""
        found: dict[int, str] = {}
        block = self.editor.document().begin()
        while block.isValid():
            raw = block.text().encode("utf-16-le")
            for one in block.layout().formats():
                style = one.format.underlineStyle().value
                text = raw[one.start * 2 : (one.start + one.length) * 2].decode("utf-16-le")
                if style:
                    found[style] = found.get(style, "") + "".join(text.split())
            block = block.next()
        return found

    def spot(self, position: int) -> int:
        """Return a place of the cursor: in the text, and in no letter of two UTF-16 units."""
        document = self.editor.document()
        position = min(position, document.characterCount() - 1)
        letter = document.characterAt(position)
        return position + 1 if "\udc00" <= str(letter) <= "\udfff" else position

    def select(self, start: int, length: int) -> None:
        self.editor.move_cursor(self.spot(start + length), anchor=self.spot(start))

    def drag(self, start: int, length: int, to: int) -> None:
        """Move a selection as dropping it does: its data in, then the old place out."""
        self.select(start, length)
        cursor = self.editor.textCursor()
        data = self.editor.createMimeDataFromSelection()
        target = QTextCursor(self.editor.document())
        target.setPosition(self.spot(to))
        if cursor.selectionStart() <= target.position() <= cursor.selectionEnd():
            return
        cursor.removeSelectedText()
        self.editor.setTextCursor(target)
        self.editor.insertFromMimeData(data)


def type_keys(page: Page, text: str) -> None:
    QTest.keyClicks(page.editor, text)


WORDS = st.sampled_from(
    [
        "It is mine.",
        " It is mine. And so is this.",
        "however ",
        "63 g",
        ". ",
        "No",
        "It weighs 58 g.",
    ]
)
SPOT = st.integers(0, 190)
STEP = st.one_of(
    st.tuples(st.just("type"), SPOT, WORDS),
    st.tuples(st.just("return"), SPOT),
    st.tuples(st.just("delete"), SPOT, st.integers(1, 40)),
    st.tuples(st.just("backspace"), SPOT),
    st.tuples(st.just("copy"), SPOT, st.integers(1, 60), SPOT),
    st.tuples(st.just("drag"), SPOT, st.integers(1, 60), SPOT),
    st.tuples(st.just("plain"), SPOT, WORDS),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("rest")),
)


def do(page: Page, step: tuple[object, ...]) -> None:
    editor = page.editor
    name, *rest = step
    if name == "undo":
        editor.undo()
    elif name == "redo":
        editor.redo()
    elif name == "rest":
        page.check()
    elif name == "copy":
        page.select(int(rest[0]), int(rest[1]))  # type: ignore[call-overload]
        data = editor.createMimeDataFromSelection()
        page.select(int(rest[2]), 0)  # type: ignore[call-overload]
        editor.insertFromMimeData(data)
    elif name == "drag":
        page.drag(*(int(one) for one in rest))  # type: ignore[call-overload]
    elif name == "plain":
        page.select(int(rest[0]), 0)  # type: ignore[call-overload]
        editor.insertPlainText(str(rest[1]))
    else:
        page.select(int(rest[0]), int(rest[1]) if name == "delete" else 0)  # type: ignore[call-overload]
        key = {"return": Qt.Key.Key_Return, "backspace": Qt.Key.Key_Backspace}.get(str(name))
        if name == "type":
            type_keys(page, str(rest[1]))
        else:
            QTest.keyClick(editor, key or Qt.Key.Key_Delete)


def assert_settles(page: Page, qtbot: QtBot) -> None:
    """Checking ends, no key stands twice, and a fresh opening shows the same marks."""
    qtbot.wait(1)  # (footnotes are numbered anew)
    page.check()
    page.changes = 0
    assert not page.check(), "what was checked needs a check again"
    qtbot.wait(1)
    assert page.changes == 0, "drawing marks changed the text"
    stands = page.panel.text.statements()
    stating = [one for one in stands if one.unit.kind in STATEMENTS and has_words(one.unit.text)]
    keys = [one.key for one in stating if not one.unit.is_header]
    assert NO_UNIT not in keys
    assert len(keys) == len(set(keys))
    fresh = Page(qtbot, page.now())
    assert not fresh.check(), "what was saved as checked needs a check again"
    assert fresh.marks() == page.marks()
    assert fresh.underlines() == page.underlines()
    assert [one.text for one in fresh.now().units] == [one.text for one in page.now().units]


@settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    # (Shrinking drives the editor thousands of times.)
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(STEP, min_size=1, max_size=5))
def test_after_any_edits_each_statement_has_its_own_key(
    qtbot: QtBot, steps: list[tuple[object, ...]]
) -> None:
    page = Page(qtbot, DRAFT)
    for step in steps:
        do(page, step)
    assert_settles(page, qtbot)
    while page.editor.document().isUndoAvailable():
        page.editor.undo()
    assert [one.text for one in page.now().units] == [one.text for one in UNITS]
    page.check()
    found = [(one.support, one.problems) for one in page.now().units]
    assert found == [(one.support, one.problems) for one in UNITS]


@pytest.mark.parametrize("typed", ["It is approved.", "The meter measures glucose."])
def test_a_paragraph_behind_a_cited_sentence_is_a_statement_of_its_own(
    qtbot: QtBot, typed: str
) -> None:
    page = Page(qtbot, DRAFT)
    place = next(one for one in page.panel.text.places() if "12 countries" in one.text)
    page.editor.move_cursor(place.end)
    QTest.keyClick(page.editor, Qt.Key.Key_Return)
    type_keys(page, typed)
    assert_settles(page, qtbot)
    own = [one for one in page.now().units if one.is_own]
    assert [(one.text, one.citations) for one in own] == [(typed, ())]
    before = next(one for one in page.now().units if "12 countries" in one.text)
    assert before.citations == (1, 2)


def test_a_sentence_typed_behind_a_mark_leaves_the_cited_one_as_it_was(qtbot: QtBot) -> None:
    page = Page(qtbot, DRAFT)
    place = next(one for one in page.panel.text.places() if "58 g. It has" in one.text)
    page.editor.move_cursor(place.end)
    type_keys(page, " It is approved. It is not")
    assert_settles(page, qtbot)
    units = page.now().units
    assert [one.text for one in units if one.is_own] == ["It is approved.", "It is not"]
    cited = next(one for one in units if "58 g. It has" in one.text)
    assert (cited.text, cited.problems, cited.point) == ("It weighs 58 g. It has a strap.", (), 0)


def test_a_sentence_that_loses_its_footnote_is_checked_again(qtbot: QtBot) -> None:
    page = Page(qtbot, DRAFT)
    place = next(one for one in page.panel.text.places() if "measures glucose" in one.text)
    page.editor.move_cursor(place.end)
    QTest.keyClick(page.editor, Qt.Key.Key_Backspace)
    unit = next(one for one in page.now().units if "measures glucose" in one.text)
    assert (unit.citations, unit.needs_check) == ((), True)
    page.editor.undo()
    assert not any(one.needs_check for one in page.now().units)


def test_words_put_in_front_belong_to_the_sentence(qtbot: QtBot) -> None:
    page = Page(qtbot, DRAFT)
    place = next(one for one in page.panel.text.places() if "Results are" in one.text)
    page.editor.move_cursor(place.start)
    page.editor.insertPlainText("In short, ")
    page.check()
    assert any(one.text == "In short, Results are stored." for one in page.now().units)


def test_an_item_of_two_statements_is_the_same_when_it_is_opened_again(qtbot: QtBot) -> None:
    item = partial(DraftSentence, kind=UnitKind.LIST_ITEM)
    units = (
        item("Age:", citations=(1,), starts_paragraph=True, is_header=True),
        item("The meter is for adults.", citations=(2,)),
        item("The strips are white.", citations=(1,), starts_paragraph=True),
    )
    page = Page(qtbot, replace(DRAFT, units=units))
    page.editor.move_cursor(0)
    type_keys(page, "x")
    page.editor.undo()
    fresh = Page(qtbot, page.now())
    assert fresh.editor.toPlainText() == page.editor.toPlainText()
    kept = [(unit.text, unit.starts_paragraph, unit.is_header) for unit in fresh.now().units]
    assert kept == [(unit.text, unit.starts_paragraph, unit.is_header) for unit in units]


@pytest.mark.parametrize(
    ("added", "is_stated"), [(" of the meter", False), (" of the meter is 3 years", True)]
)
def test_a_lead_in_in_other_words_is_checked_once_it_states_something(
    qtbot: QtBot, added: str, is_stated: bool
) -> None:
    units = (
        DraftSentence("Age:", starts_paragraph=True, is_header=True),
        DraftSentence("The meter is for adults.", citations=(2,), starts_paragraph=True),
    )
    page = Page(qtbot, replace(DRAFT, units=units))
    page.editor.move_cursor(len("Age"))
    type_keys(page, added)
    assert page.check() is is_stated
    assert page.now().units[0].is_header is not is_stated
