"""What reading one document is given beside its bytes: options, programs, a way to report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
    ReadingTools,
)


def _unheard(progress: ReadingProgress) -> None:
    del progress


@dataclass(frozen=True, slots=True)
class Reading:
    """One document being read, in the child process.

    ``report`` is to be called as each page begins whose text has to be recognised: it also buys
    that page its own time.
    """

    builder: DocumentBuilder
    options: ReadingOptions = field(default_factory=ReadingOptions)
    tools: ReadingTools = field(default_factory=ReadingTools)
    report: Callable[[ReadingProgress], None] = _unheard
