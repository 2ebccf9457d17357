"""How every file of a set ends when the product reads it: indexed, failed or skipped, and why."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import psutil

from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.benchmarks.reading.data_files import DataFile
from tests.benchmarks.reading.word_metrics import words

_MARK = "PHASERGUN_BENCHMARK_RUN"


class OutcomeKind(StrEnum):
    """How reading a file ends."""

    INDEXED = "indexed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How reading ``file`` ended. ``sentence`` says why it is not indexed, else it is empty.

    ``found`` are the document's words as ``word_metrics.words`` cuts them; ``recognised`` is the
    number of pages whose text was recognised from their picture.
    """

    file: DataFile
    kind: OutcomeKind
    sentence: str
    seconds: float
    format: str = ""
    blocks: int = 0
    found: tuple[str, ...] = ()
    recognised: int = 0
    read_with: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Leftovers:
    """Processes that outlived the reader that started them, by name; filled at the end."""

    names: tuple[str, ...] = ()


def read_outcomes(
    files: Iterable[DataFile],
    tesseract: str,
    leftovers: Leftovers | None = None,
    limits: ReadingLimits | None = None,
) -> Iterator[Outcome]:
    """Read ``files`` one after another in a child process, as a sync does.

    ``leftovers`` is told at the end which processes are still there.
    """
    with watched(leftovers or Leftovers()):
        reader = ChildProcessReader(limits, tesseract=tesseract)
        try:
            for file in files:
                yield _outcome(reader, file)
        finally:
            reader.close()


def _outcome(reader: ChildProcessReader, file: DataFile) -> Outcome:
    start = time.perf_counter()
    try:
        document = reader.parse(file.path)
    except DocumentError as error:
        sentence = f"{error.message} {error.remedy}".strip()
        is_other = error.problem is DocumentProblem.FORMAT
        kind = OutcomeKind.SKIPPED if is_other else OutcomeKind.FAILED
        return Outcome(file, kind, sentence, time.perf_counter() - start)
    return _indexed(file, document, time.perf_counter() - start)


def _indexed(file: DataFile, document: ParsedDocument, seconds: float) -> Outcome:
    return Outcome(
        file,
        OutcomeKind.INDEXED,
        "",
        seconds,
        format=document.format,
        blocks=len(document.blocks),
        found=tuple(words(document.text)),
        recognised=sum(1 for page in document.pages if page.ocr_confidence is not None),
        read_with=document.metadata.read_with,
        warnings=document.warnings,
    )


@contextmanager
def watched(leftovers: Leftovers, wait_s: float = 5.0) -> Iterator[None]:
    """Mark every process that the body starts, and tell which are there ``wait_s`` afterwards.

    Children are known by their parent; what was started by a child that has ended is known by
    the mark in its environment, where the system shows that (not on macOS).
    """
    mark = uuid.uuid4().hex
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    os.environ[_MARK] = mark
    try:
        yield
    finally:
        del os.environ[_MARK]
        deadline = time.monotonic() + wait_s
        left = _processes_left(before, mark)
        while left and time.monotonic() < deadline:
            time.sleep(0.1)
            left = _processes_left(before, mark)
        leftovers.names = tuple(left)


def _processes_left(before: set[int], mark: str) -> list[str]:
    found = {
        child.pid: child
        for child in psutil.Process().children(recursive=True)
        if child.pid not in before
    }
    for process in psutil.process_iter():
        try:
            if process.environ().get(_MARK) == mark:
                found.setdefault(process.pid, process)
        except (psutil.Error, OSError):
            continue
    return [_name(process) for process in found.values()]


def _name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return f"process {process.pid}"
