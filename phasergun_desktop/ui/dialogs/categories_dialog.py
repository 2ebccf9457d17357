"""What each document is (``categories.yaml``), and which labels the project hides."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMessageBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.profiles.yaml_nodes import YamlProblem
from phasergun_desktop.projects.categories import CategoryEntry, file_key, normalise_category
from phasergun_desktop.projects.category_edits import CategoryEdit, edit_categories
from phasergun_desktop.projects.document_kinds import CATEGORY_NAMES, KIND_NAMES
from phasergun_desktop.sync.hidden_files import label_key
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox
from phasergun_desktop.ui.wording import literal
from phasergun_desktop.workspace.session_categories import CategorySheet

TITLES = ("File", "Category", "Kind", "Tags", "Confidentiality")
FILE, CATEGORY, KIND, TAGS, LABEL = range(5)
LABELS = ("public", "internal", "confidential", "restricted")
NOTE = (
    "What you leave empty is told from the document itself (shown in grey). A document labelled "
    "as anything but public or internal is not sent to a model server; one with a label that you "
    "hide below is in no search, plan, draft or answer of this project."
)
HIDE = "Hide documents labelled"
KEPT = "Comments and other keys of categories.yaml stay as they are."
_DERIVED = Qt.ItemDataRole.UserRole
_MOST_PROBLEMS = 4
_Index = QModelIndex | QPersistentModelIndex


class CategoriesDialog(QDialog):
    """``save_wanted`` carries the text to be written and the labels whose documents are to be
    hidden; the dialog stays open until that is done."""

    save_wanted = Signal(str, tuple)

    def __init__(self, sheet: CategorySheet, file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = sheet
        self._taken = {file_key(name): entry for name, entry in sheet.taken}
        self._edit: CategoryEdit | None = None
        self._is_saving = False
        self.setWindowTitle("Categories and confidentiality")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.filter = QLineEdit(placeholderText="Filter the files", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter the files")
        self.table = QTableWidget(0, len(TITLES))
        self.problems, self.outcome = _words(), _words()
        self.hides = {
            label: OutlinedCheckBox(label.replace("&", "&&"))
            for label in self._known()[LABEL]
            if label
        }
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Save | standard.Cancel)
        self.save_button = self.buttons.button(standard.Save)
        above = self.problems, _words(NOTE), self.filter
        below = self._hiding_row(), self.outcome, self.buttons
        laid_out(QVBoxLayout(self), *above, (self.table, 1), *below)
        self._fill()
        self._show_problems()
        self._on_changed()
        self.resize(1040, 560)
        self.table.itemChanged.connect(self._on_changed)
        self.filter.textChanged.connect(self._on_filtered)
        self.buttons.accepted.connect(self._on_save)
        self.buttons.rejected.connect(self.reject)
        self._choose(file)

    def _hiding_row(self) -> QHBoxLayout:
        keys = set(map(label_key, self._sheet.hidden))
        boxes = list(self.hides.values())
        for label, box in self.hides.items():
            box.setChecked(label_key(label) in keys)
            box.setAccessibleName(f"{HIDE} {label}")
            box.toggled.connect(self._on_changed)
        return laid_out(QHBoxLayout(), QLabel(f"{HIDE}:"), *boxes, 1, spacing=12)

    def _fill(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(TITLES)
        table.setAccessibleName("Documents with category, kind, tags and confidentiality")
        table.setItemDelegate(_CellDelegate(self._known(), table))
        table.verticalHeader().hide()
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.SelectedClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        header = table.horizontalHeader()
        header.setSectionResizeMode(FILE, QHeaderView.ResizeMode.Stretch)
        for at, width in ((CATEGORY, 170), (KIND, 150), (TAGS, 150), (LABEL, 130)):
            # The header of the column in use is bold, which takes a little more.
            table.setColumnWidth(at, max(width, header.sectionSizeHint(at) * 5 // 4))
        there = {file_key(one) for one in self._sheet.files}
        gone = [one for one in self._sheet.categories.files if file_key(one) not in there]
        files = [*self._sheet.files, *gone]
        table.setRowCount(len(files))
        for row, file in enumerate(files):
            entry = self._sheet.categories.entry(file)
            derived = self._taken.get(file_key(file), CategoryEntry())
            name = QTableWidgetItem(file)
            name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            said = f"{file}\nNot in the folder any more" if file in gone else file
            name.setToolTip(literal(said))
            table.setItem(row, FILE, name)
            for at, (value, said) in enumerate(zip(_cells(entry), _cells(derived), strict=True), 1):
                item = QTableWidgetItem(value)
                item.setData(_DERIVED, said)
                table.setItem(row, at, item)

    def _known(self) -> dict[int, list[str]]:
        """Return what can be chosen in each column: what is in use, then what is usual."""
        used = [*self._taken.values(), *map(self._sheet.categories.entry, self._sheet.files)]
        return {
            CATEGORY: sorted({one.category for one in used} | set(CATEGORY_NAMES)),
            KIND: sorted({one.kind for one in used} | set(KIND_NAMES)),
            LABEL: _once((*LABELS, *(one.confidentiality for one in used), *self._sheet.hidden)),
        }

    def _show_problems(self) -> None:
        found = self._sheet.categories.problems
        lines = [
            f"Line {one.line}, column {one.column}: {one.message}. {one.remedy}"
            for one in found[:_MOST_PROBLEMS]
        ]
        if len(found) > _MOST_PROBLEMS:
            lines.append(f"and {len(found) - _MOST_PROBLEMS} more")
        self.problems.setText("In categories.yaml:\n" + "\n".join(lines))
        self.problems.setVisible(bool(found))

    def _choose(self, file: str) -> None:
        found = self.table.findItems(file, Qt.MatchFlag.MatchExactly) if file else []
        if found:
            self.table.setCurrentCell(found[0].row(), CATEGORY)
            self.table.scrollToItem(found[0], QAbstractItemView.ScrollHint.PositionAtCenter)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    # What is changed --------------------------------------------------------------------------

    def changes(self) -> dict[str, CategoryEntry]:
        """Return the entries that are not what the file says, by file."""
        found = {}
        for row in range(self.table.rowCount()):
            file = self._text(row, FILE)
            before = self._sheet.categories.entry(file)
            texts = [self._text(row, at) for at in (CATEGORY, KIND, TAGS, LABEL)]
            # A cell cannot show a comma of a tag, or two blanks: untouched, they stay.
            if texts == [" ".join(cell.split()) for cell in _cells(before)]:
                continue
            tags = [" ".join(tag.split()) for tag in self._text(row, TAGS).split(",")]
            entry = CategoryEntry(
                normalise_category(self._text(row, CATEGORY)),
                normalise_category(self._text(row, KIND)),
                tuple(dict.fromkeys(tag for tag in tags if tag)),
                self._text(row, LABEL),
            )
            if entry != before:
                found[file] = entry
        return found

    def hidden(self) -> tuple[str, ...]:
        """Return the labels whose documents are to be hidden."""
        return tuple(label for label, box in self.hides.items() if box.isChecked())

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None and column == FILE else _line(item)

    def _on_changed(self) -> None:
        changes, text = self.changes(), self._sheet.text
        self._edit = None
        try:
            edit = edit_categories(text, changes) if changes else CategoryEdit(text)
        except YamlProblem:
            self.outcome.setText("The file cannot be changed here before its mistake is corrected.")
            self.save_button.setEnabled(False)
            return
        hides = set(map(label_key, self.hidden())) != set(map(label_key, self._sheet.hidden))
        self._edit = edit if changes or hides else None
        lost = " ".join(edit.lost)
        self.outcome.setText(f"This is lost when you save: {lost}" if lost else KEPT)
        self.save_button.setEnabled(self._edit is not None)

    def _on_filtered(self, words: str) -> None:
        wanted = words.casefold()
        for row in range(self.table.rowCount()):
            texts = (self._text(row, at).casefold() for at in range(len(TITLES)))
            self.table.setRowHidden(row, not any(wanted in text for text in texts))

    def _on_save(self) -> None:
        if self._edit is not None:
            self._set_saving(True)
            self.save_wanted.emit(self._edit.text, self.hidden())

    def show_failure(self, sentence: str) -> None:
        """Say why it was not saved; what was changed stays in the table."""
        self.outcome.setText(sentence)
        self._set_saving(False)

    def _set_saving(self, is_saving: bool) -> None:
        """Hold the list as it is while it is being written: no change may be lost unseen."""
        self._is_saving = is_saving
        for widget in (self.table, *self.hides.values()):
            widget.setEnabled(not is_saving)
        self.save_button.setEnabled(not is_saving)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Return to the cells: whoever presses it twice does not mean Save."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def reject(self) -> None:
        """Close; ask where something was changed, and not while it is being written."""
        if self._is_saving:
            return
        if self._edit is None:
            super().reject()
            return
        button = QMessageBox.StandardButton
        question = QMessageBox(
            QMessageBox.Icon.Question,
            self.windowTitle(),
            "Close without saving your changes?",
            button.Discard | button.Cancel,
            self,
        )
        question.setDefaultButton(button.Cancel)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.button(button.Discard).clicked.connect(lambda: self.done(0))
        question.open()


class _CellDelegate(QStyledItemDelegate):
    """Chooses from ``known`` or takes what is typed; in grey it shows what is derived."""

    def __init__(self, known: dict[int, list[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._known = known

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        """Show what is told from the document where nobody said anything."""
        super().initStyleOption(option, index)
        derived = index.data(_DERIVED)
        if not index.data() and isinstance(derived, str) and derived:
            option.text = derived
            grey = option.palette.color(QPalette.ColorRole.PlaceholderText)
            option.palette.setColor(QPalette.ColorRole.Text, grey)
            option.font.setItalic(True)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        """Return a box with what is known, in which anything can be typed."""
        known = self._known.get(index.column())
        if known is None:
            return super().createEditor(parent, option, index)
        box = QComboBox(parent, editable=True)
        box.addItems(["", *(one for one in known if one)])
        box.setAccessibleName(TITLES[index.column()])
        return box

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        """Show the value in the box."""
        if isinstance(editor, QComboBox):
            editor.setCurrentText(str(index.data() or ""))
            line = editor.lineEdit()
            if line is not None:
                line.selectAll()
        else:
            super().setEditorData(editor, index)


def _cells(entry: CategoryEntry) -> tuple[str, str, str, str]:
    return entry.category, entry.kind, ", ".join(entry.tags), entry.confidentiality


def _once(labels: Iterable[str]) -> list[str]:
    """Return ``labels`` without those that differ from an earlier one in capitals or blanks."""
    found: dict[str, str] = {}
    for label in labels:
        found.setdefault(label_key(label), label)
    return list(found.values())


def _line(item: QTableWidgetItem | None) -> str:
    return " ".join(item.text().split()) if item is not None else ""


def _words(text: str = "") -> QLabel:
    label = QLabel(text, wordWrap=True)
    # Names of files and what a file says are text, whatever they look like.
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
