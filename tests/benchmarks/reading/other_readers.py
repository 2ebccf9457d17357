"""Other programs that read documents, each asked for its text of a file."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.frame import Unavailable

TIME_LIMIT_S = 120.0


class OtherReaders:
    """Runs pdftotext, pandoc, LibreOffice and tesseract; every text is kept by content.

    ``kept`` is a folder for those texts, so that a second run only repeats our own reading; the
    environment's ``PHASERGUN_REFERENCE_TEXTS`` names it by default, else it is a temporary one.
    A program that fails on a file, or takes longer than ``TIME_LIMIT_S``, gives "".
    """

    def __init__(self, kept: Path | None = None) -> None:
        named = os.environ.get("PHASERGUN_REFERENCE_TEXTS", "")
        self._temporary = tempfile.TemporaryDirectory(prefix="other-readers-")
        self._kept = kept or Path(named or self._temporary.name) / "texts"
        self._kept.mkdir(parents=True, exist_ok=True)
        self._digests: dict[Path, str] = {}

    def close(self) -> None:
        """Remove what is temporary."""
        self._temporary.cleanup()

    def pdftotext(self, path: Path, option: str = "") -> str:
        """Return the text of a PDF in pdftotext's reading order, or with ``-layout`` as it is
        laid out, or with ``-raw`` in the order in which the file draws it."""
        options = [option] if option else []
        return self._text(
            path,
            f"pdftotext{option}",
            lambda: _output([program("pdftotext"), "-q", *options, str(path), "-"]),
        )

    def pandoc(self, path: Path, source: str) -> str:
        """Return plain text of a ``docx`` (changes accepted) or ``gfm`` file."""
        command = [program("pandoc"), "--from", source, "--to", "plain", "--wrap=none"]
        # Wide: cells of a table are not broken into lines; footnotes: see ``_without_marks``.
        command += ["--columns=2000", "--track-changes=accept", str(path)]
        return self._text(path, f"pandoc-{source}", lambda: _output(command))

    def pandoc_tree(self, path: Path, source: str) -> str:
        """Return the text of pandoc's document tree: without what its writer of plain text adds
        (numbers of lists, rules of tables, words broken to fit a column)."""
        command = [program("pandoc"), "--from", source, "--to", "json", "--track-changes=accept"]
        return self._text(
            path, f"pandoc-tree-{source}", lambda: _tree_text(_output([*command, str(path)]))
        )

    def office_text(self, path: Path) -> str:
        """Return LibreOffice's plain text of a word-processor file."""
        return self._text(
            path, "office-txt", lambda: self._converted(path, "txt:Text (encoded):UTF8", "txt")
        )

    def office_pdf_text(self, path: Path) -> str:
        """Return pdftotext's text of LibreOffice's PDF of a file (slides have no other text)."""
        return self._text(path, "office-pdf", lambda: self._converted(path, "pdf", "pdf"))

    def office_converted(self, path: Path, suffix: str) -> Path | None:
        """Return LibreOffice's ``docx`` or ``pptx`` of an old file, None where it makes none."""
        made = self._kept / f"{self._digest(path)}.{suffix}"
        if not made.exists():
            with tempfile.TemporaryDirectory(prefix="office-") as folder:
                found = self._convert(path, suffix, Path(folder))
                made.write_bytes(found.read_bytes() if found is not None else b"")
        return made if made.stat().st_size else None

    def tesseract(self, path: Path, languages: str = "eng") -> str:
        """Return what plain tesseract recognises in a picture."""
        command = [program("tesseract"), str(path), "-", "-l", languages]
        return self._text(path, f"tesseract-{languages}", lambda: _output(command))

    def _text(self, path: Path, kind: str, work: Callable[[], str]) -> str:
        known = self._kept / f"{self._digest(path)}.{kind}.txt"
        if not known.exists():
            known.write_text(work(), encoding="utf-8", newline="")
        return known.read_bytes().decode("utf-8")

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            content = path.read_bytes() + path.suffix.encode()
            self._digests[path] = hashlib.sha256(content).hexdigest()[:24]
        return self._digests[path]

    def _converted(self, path: Path, filter_name: str, suffix: str) -> str:
        with tempfile.TemporaryDirectory(prefix="office-") as folder:
            made = self._convert(path, filter_name, Path(folder))
            if made is None:
                return ""
            if suffix == "pdf":
                return _output([program("pdftotext"), "-q", str(made), "-"])
            return made.read_bytes().decode("utf-8-sig", "replace")

    def _convert(self, path: Path, filter_name: str, folder: Path) -> Path | None:
        # A short name of our own: LibreOffice names its output after the input.
        source = folder / f"source{path.suffix}"
        shutil.copyfile(path, source)
        _output(
            [
                program("soffice"),
                f"-env:UserInstallation={(folder / 'profile').as_uri()}",
                "--headless",
                "--norestore",
                "--convert-to",
                filter_name,
                "--outdir",
                str(folder / "out"),
                str(source),
            ]
        )
        made = folder / "out" / f"source.{filter_name.partition(':')[0]}"
        return made if made.is_file() else None


def deck_text(path: Path) -> str:
    """Return what python-pptx finds on the slides of a presentation and in their notes."""
    from pptx import Presentation

    pieces: list[str] = []
    try:
        for slide in Presentation(str(path)).slides:
            _shape_texts(slide.shapes, pieces)
            if slide.has_notes_slide:
                _shape_texts(slide.notes_slide.shapes, pieces)
    except Exception:  # noqa: BLE001 - it fails on damaged files in many ways
        return ""
    return "\n".join(pieces)


def _shape_texts(shapes: Any, pieces: list[str]) -> None:
    for shape in shapes:
        if shape.shape_type == _GROUP:
            _shape_texts(shape.shapes, pieces)
        elif shape.has_text_frame:
            pieces.append(shape.text_frame.text)
        elif getattr(shape, "has_table", False):
            pieces.extend(cell.text for row in shape.table.rows for cell in row.cells)


_GROUP = 6  # MSO_SHAPE_TYPE.GROUP


def decoded(path: Path) -> str | None:
    """Return the text of a file whose encoding is certain, else None.

    Certain are a mark at the beginning, a name that says the encoding
    (``encoding__koi8-r__…``), and UTF-8 that is valid and has no control characters.
    """
    data = path.read_bytes()
    marks = (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe\x00\x00", "utf-32"),
        (b"\x00\x00\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    )
    marked = next((name for mark, name in marks if data.startswith(mark)), "")
    try:
        text = data.decode(marked or _named_encoding(path.name) or "utf-8")
    except UnicodeDecodeError:
        return None
    return None if re.search("[\x00\x1b]", text) else text


def _named_encoding(name: str) -> str:
    said = name.split("__")[1] if name.startswith("encoding__") else ""
    while said:
        try:
            return codecs.lookup(said).name
        except LookupError:
            said = said.rpartition("-")[0]
    return ""


def program(name: str) -> str:
    """Return the path of a program. Raises ``Unavailable``."""
    path = shutil.which(name)
    if path is None:
        raise Unavailable(f"the program {name} is not on this machine")
    return path


def _output(command: Sequence[str]) -> str:
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    # A group of its own: LibreOffice's starter leaves the real program behind when it is killed.
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    )
    try:
        out, _ = process.communicate(timeout=TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        _end_group(process)
        return ""
    return out.decode("utf-8", "replace") if process.returncode == 0 else ""


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:
        process.kill()
    process.communicate()


def _tree_text(source: str) -> str:
    pieces: list[str] = []
    if source:
        _collect(json.loads(source)["blocks"], pieces)
    return "".join(pieces)


def _collect(node: object, pieces: list[str]) -> None:
    """Append the text below ``node``; every block ends a line."""
    if isinstance(node, list):
        for each in node:
            _collect(each, pieces)
        return
    if not isinstance(node, dict):
        return
    kind, content = node.get("t"), node.get("c")
    match kind:
        case "Str":
            pieces.append(str(content))
        case "Space" | "SoftBreak":
            pieces.append(" ")
        case "LineBreak":
            pieces.append("\n")
        case "Code" | "Math" | "CodeBlock" if isinstance(content, list):
            pieces.append(f"{content[1]}\n" if kind == "CodeBlock" else str(content[1]))
        case "RawInline" | "RawBlock" if isinstance(content, list):
            pieces.append(re.sub(r"<[^>]*>", " ", str(content[1])))
        case "Image":
            return  # the description of a picture is not the document's text
        case "Link" | "Span" | "Header" | "Div" if isinstance(content, list):
            _collect([each for each in content if isinstance(each, list)], pieces)
        case _:
            _collect(content, pieces)
    if kind in _BLOCKS:
        pieces.append("\n")


_BLOCKS = frozenset({"Para", "Plain", "Header", "CodeBlock", "RawBlock", "LineBlock", "Div"})
