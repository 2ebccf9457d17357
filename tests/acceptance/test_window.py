"""The real window on a real project: from the folder to the exported draft, and back again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from docx import Document
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.paths import Places
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.editor.marks import find_marks
from phasergun_desktop.ui.generate.evidence_board import EvidenceBoard
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.wiring import build_application
from tests.documents.sample_files import Page, PdfFile, paragraph_lines
from tests.fakes.marked_passage import marked_in

PROMPT_FILE = "Context/Prompt/software-level.md"
FLOW_PROMPT_FILE = "Context/Prompt/flow.md"
WORD_FILE = "Bootstrap/Plan-Bootstrap-V1.0.docx"
PDF_FILE = "Bootstrap/Alarm-Bootstrap.pdf"
MARKDOWN_FILE = "Bootstrap/Test-Bootstrap.md"
RECORD = "Context/Warmer-Master-Record.docx"
REPORT = "Context/Ongoing/TR-7-Warming-Test.md"
# Values are used word for word, whatever the small model makes of the last sentence.
PROMPT = (
    "State the software level: [Doc|Plan-Bootstrap|SOFTWARE_LEVEL]. "
    "State the alarm level: [Doc|Alarm-Bootstrap|ALARM_LEVEL]. "
    "State the tested range: [Doc|Test-Bootstrap|RANGE]. "
    "State the device name: [Master Record|Device Name]. "
    "State the leakage current. Use @ongoing."
)
FLOW_PROMPT = (
    "Describe the flow rate, the cassette, the bubble detector and the warming plates of "
    "[Master Record|Device Name]. Use @general."
)


def _word(path: Path, *paragraphs: str) -> None:
    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(str(path))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of a fictitious infusion warmer in three formats."""
    root = tmp_path / "warmer"
    runs = (
        f"## Run {run}\n\nIn run {run} the flow rate of the Calmera T1 was {10 + run} mL/min; the "
        f"cassette held {3 + run} mL, the bubble detector stopped the flow after {40 + run} ms, "
        f"and the warming plates reached {36 + run / 10:.1f} °C.\n\n"
        for run in range(60)
    )
    texts = {
        MARKDOWN_FILE: "# Test bootstrap\n\nRANGE: 10 mL/min to 120 mL/min, warm and cold 😀\n",
        REPORT: "# TR-7 Warming test\n\nThe leakage current is 12 µA in normal condition.\n",
        "Context/General/Flow-Notes.md": f"# Flow notes\n\n{''.join(runs)}",
        PROMPT_FILE: PROMPT,
        FLOW_PROMPT_FILE: FLOW_PROMPT,
    }
    for file, text in texts.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _word(root / RECORD, "Device Name: Calmera T1 Infusion Warmer", "Predicate Device: K998877")
    _word(
        root / WORD_FILE,
        "Project: Calmera",
        "SOFTWARE_LEVEL: Level of concern B, since a wrong set point can be noticed in time.",
    )
    lines = ["ALARM_LEVEL: The alarm sounds with 78 dB at a distance of one metre."]
    page = Page([(72, 60, 16, True, "Alarm bootstrap"), *paragraph_lines(lines)])
    PdfFile([page]).save(root / PDF_FILE)
    return root


class _Desk:
    """The shown window, as its user meets it."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.parts = window.parts

    def wait(self, condition: Callable[[], object], timeout: int = 60_000) -> None:
        """Let the window work until ``condition`` holds."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=timeout)

    def wait_until_read(self) -> None:
        """Wait until the folder is in the index and everything is warm."""
        runners = self.window.runners
        self.wait(lambda: "indexed" in self.parts.status_bar.index_label.text())
        self.wait(lambda: not any(one.is_busy for one in runners.every))

    def choose(self, file: str) -> None:
        """Choose a prompt in the list and wait for its plan."""
        picker = self.parts.prompt_panel.picker
        row = picker.findData(file)
        assert row >= 0
        picker.setFocus()
        picker.setCurrentIndex(row)
        picker.activated.emit(row)
        self.wait(self.parts.prompt_panel.generate_button.isEnabled)

    def click_mark(self, key: int) -> None:
        """Click the first mark of a footnote with the mouse."""
        editor = self.parts.draft_panel.editor
        assert editor.select_mark(key)
        right = editor.cursorRect(editor.textCursor())
        QTest.mouseClick(
            editor.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            QPoint(right.left() - 2, right.center().y() - 2),
        )

    def generate(self) -> None:
        """Press Generate and wait for the end."""
        with self.qtbot.waitSignal(self.window.draft_flow.generation.ended, timeout=120_000):
            self.parts.prompt_panel.generate_button.click()

    def work(self) -> str:
        """What the status bar says about the work."""
        return self.parts.status_bar.work_label.text()

    def text(self) -> str:
        """The text of the draft."""
        return str(self.parts.draft_panel.editor.toPlainText())


@pytest.fixture
def places(tmp_path: Path, models_path: Path) -> Places:
    """Folders of a user who has never started the program."""
    home = tmp_path / "home"
    return Places(home / "cache", home / "data", home / "config", models_path)


@contextmanager
def _opened(qtbot: QtBot, places: Places, root: Path | None, model: Path) -> Iterator[_Desk]:
    """Put the product together as for its user and show the window on ``root``, or on the
    project that was open last; at the end the window is closed."""
    application = build_application(places, model=str(model))
    running = QApplication.instance()
    assert isinstance(running, QApplication)
    window = MainWindow(
        application.workspace,
        WindowMemory(SettingsStore(places.config / "settings.json")),
        ThemeSwitch(running),
        places.config,
    )
    window.resize(1280, 720)
    with qtbot.waitExposed(window):
        window.show()
    try:
        window.start(root)
        yield _Desk(window, qtbot)
    finally:
        window.close()
        late = window.late_runners
        window.deleteLater()
        qtbot.wait(1)
        assert late == ()


def test_from_the_folder_to_the_exported_draft(
    qtbot: QtBot, places: Places, root: Path, tmp_path: Path, smollm2_path: Path
) -> None:
    with _opened(qtbot, places, root, smollm2_path) as desk:
        desk.wait_until_read()
        desk.choose(PROMPT_FILE)
        desk.generate()
        generated = desk.text()
        assert "Software level: Level of concern B" in generated
        footnotes = desk.parts.draft_panel.text.footnotes()
        cited = {footnote.file for _number, _key, footnote in footnotes}
        assert {WORD_FILE, PDF_FILE, MARKDOWN_FILE, RECORD} <= cited
        marks = find_marks(desk.parts.draft_panel.editor.document())
        assert {mark.footnote for mark in marks} == {key for _number, key, _note in footnotes}
        session = desk.window.keeper.session
        assert session is not None
        for _number, key, footnote in footnotes:
            with qtbot.waitSignal(desk.parts.source_panel.shown, timeout=20_000):
                desk.click_mark(key)
            target = desk.parts.source_panel.target
            assert target is not None
            assert target.file == footnote.file
            text = session.source(footnote.file).document.text
            assert text[footnote.start : footnote.end] == footnote.quote != ""
            assert marked_in(desk.parts.source_panel) == footnote.quote
        exported = tmp_path / "Software level.docx"
        desk.window.draft_flow.shelf.export_to(exported)
        desk.wait(lambda: desk.work() == f"Exported to {exported.name}")
        _check_export(exported, [footnote.quote for _number, _key, footnote in footnotes])
        desk.window.actions_table["undo"].trigger()
        assert desk.text() == ""
        desk.window.actions_table["redo"].trigger()
        assert desk.text() == generated
    with _opened(qtbot, places, None, smollm2_path) as desk:
        desk.wait(lambda: desk.text() == generated)
        panel = desk.parts.prompt_panel
        desk.wait(lambda: panel.prompt_file == PROMPT_FILE)
        assert panel.prompt_text == PROMPT
        again = desk.parts.draft_panel.text.footnotes()
        assert [one for _number, _key, one in again] == [one for _number, _key, one in footnotes]


def _check_export(path: Path, quotes: list[str]) -> None:
    body = "\n".join(paragraph.text for paragraph in Document(str(path)).paragraphs)
    assert "Software level: Level of concern B" in body
    with ZipFile(path) as archive:
        notes = ElementTree.fromstring(archive.read("word/footnotes.xml"))
    text = "".join(notes.itertext())
    assert all(quote in text for quote in quotes)


def test_a_changed_file_is_read_without_asking(
    qtbot: QtBot, places: Places, root: Path, smollm2_path: Path
) -> None:
    def is_read_again(record: FileRecord) -> bool:
        return record.file == REPORT and record.state is FileState.INDEXED

    with _opened(qtbot, places, root, smollm2_path) as desk:
        desk.wait_until_read()
        desk.window.source_flow.open_file(REPORT)
        view = desk.parts.source_panel.views.text_view
        desk.wait(lambda: "12 µA" in view.toPlainText())
        with qtbot.waitSignal(
            desk.window.keeper.file_changed, timeout=30_000, check_params_cb=is_read_again
        ):
            (root / REPORT).write_text(
                "# TR-7 Warming test\n\nThe leakage current is 19 µA.\n", encoding="utf-8"
            )
        desk.wait(lambda: "19 µA" in view.toPlainText())
        QTest.keyClicks(desk.parts.search_panel.box, "leakage current")
        hits = desk.parts.search_panel.hits
        desk.wait(lambda: "19 µA" in hits.item(0).text() if hits.count() else False)


def test_stop_gives_the_desk_back_while_the_sources_are_read(
    qtbot: QtBot, places: Places, root: Path, smollm2_path: Path
) -> None:
    with _opened(qtbot, places, root, smollm2_path) as desk:
        desk.wait_until_read()
        desk.choose(FLOW_PROMPT_FILE)
        generation = desk.window.draft_flow.generation
        streamed: list[str] = []
        generation.text_streamed.connect(streamed.append)
        pressed: list[float] = []
        ended: list[float] = []

        def press_escape(line: str) -> None:
            """Stop at the first word of it: this state may last for milliseconds only."""
            if line.startswith("Reading the sources") and not pressed:
                pressed.append(time.monotonic())
                QTest.keyClick(desk.window, Qt.Key.Key_Escape)

        generation.progressed.connect(press_escape)
        generation.ended.connect(lambda: ended.append(time.monotonic()))
        desk.parts.prompt_panel.generate_button.click()
        desk.wait(lambda: ended)
        assert ended[0] - pressed[0] <= 1.0
        assert streamed == []
        assert not desk.parts.draft_panel.editor.isReadOnly()
        assert desk.parts.prompt_panel.generate_button.isEnabled()
        # The model itself has stopped too: it does not read to the end behind our back.
        desk.wait(lambda: not desk.window.runners.answering.is_busy, timeout=3000)
        assert streamed == []
        # And it can write the next draft.
        desk.choose(PROMPT_FILE)
        desk.generate()
        assert "Device name: Calmera T1 Infusion Warmer." in desk.text()


def test_the_draft_states_what_is_ticked_in_the_order_that_is_shown(
    qtbot: QtBot, places: Places, root: Path, smollm2_path: Path
) -> None:
    with _opened(qtbot, places, root, smollm2_path) as desk:
        desk.wait_until_read()
        desk.choose(FLOW_PROMPT_FILE)
        panel, board = desk.parts.prompt_panel, desk.parts.prompt_panel.board
        suggested = panel.plan
        assert suggested is not None
        first = next(need for need in board.evidence.needs if len(need.shown) > 2)
        at = board.evidence.needs.index(first)
        out, moved = first.shown[1], first.shown[-1]
        more = next(unit for need in board.evidence.needs for unit in need.more)
        tree = board.tree
        tree.setFocus()
        for unit, keys in ((out, "Space"), (more, "Space"), (moved, "Alt+Up")):
            item = next(i for i in _lines(board) if tree.row_of(i).unit == unit)
            tree.setCurrentItem(item)
            for _ in range(len(first.shown) if keys == "Alt+Up" else 1):
                QTest.keySequence(tree, QKeySequence(keys))
                if board.evidence.needs[at].shown[0].place == moved.place:
                    break
        ticked = [u.passage for need in board.evidence.needs for u in need.ticked]
        assert out.passage not in ticked
        assert more.passage in ticked
        assert board.evidence.needs[at].shown[0].place == moved.place
        desk.wait(lambda: panel.plan is not None and panel.plan.is_settled)
        with qtbot.waitSignal(desk.window.draft_flow.generation.ended, timeout=120_000):
            desk.window.actions_table["generate"].trigger()
        notes = [note for _number, _key, note in desk.parts.draft_panel.text.footnotes()]
        assert [(n.file, n.start, n.end) for n in notes] == [p.place for p in ticked]
        assert [n.quote for n in notes] == [p.text for p in ticked]


def _lines(board: EvidenceBoard) -> list[QTreeWidgetItem]:
    flags = Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive
    return board.tree.findItems("", flags)
