"""Whether a block's locator leads back to its text, gone to by an independent way.

For each format ``SAMPLE`` blocks are drawn with a fixed seed, from every file in turn, and each
is read again at its locator by other code than the reader's: see the modules ``places_…``.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from phasergun_desktop.documents.model import Block, ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.tools import find_tesseract
from phasergun_desktop.errors import DocumentError
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.reading.agreement import Agreement, similarity
from tests.benchmarks.reading.data_files import (
    GLUCOSE,
    NASTY,
    REGULATORY,
    data_files,
    with_suffix,
)
from tests.benchmarks.reading.made_files import write_csv, write_deck, write_transcripts
from tests.benchmarks.reading.other_readers import OtherReaders
from tests.benchmarks.reading.places_pages import recognised_there, words_inside
from tests.benchmarks.reading.visits import (
    visit_csv,
    visit_cues,
    visit_lines,
    visit_markdown,
    visit_pdf,
    visit_pictures,
    visit_slides,
    visit_word,
)

SAMPLE = 200
SEED = 20240501
# Some have no place (headers of a Word file) or are in a file that the other library cannot open.
DRAWN = 280
# Reading a page's picture again takes seconds; the first so many of the sample are enough.
MOST_PICTURES = 40
IMAGES = ("png", "jpg", "gif", "bmp", "tif")


@dataclass(frozen=True, slots=True)
class Sampled:
    """A block of a document that was read from ``path``."""

    path: Path
    document: ParsedDocument
    block: Block

    @property
    def text(self) -> str:
        """The block's text."""
        return self.document.block_text(self.block)


@dataclass(frozen=True, slots=True)
class Visit:
    """What was found at a block's locator, and how it agrees with the block."""

    sampled: Sampled
    there: str
    agreement: Agreement


Visitor = Callable[[Path, ParsedDocument, Sequence[Block]], Iterator[tuple[str, Agreement]]]


def locator_figures() -> Iterator[Figure]:
    """Draw, visit and compare; what does not lead back goes to standard error."""
    files = [each for name in (NASTY, REGULATORY, GLUCOSE) for each in data_files(name)]
    others = OtherReaders()
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = _made(folder)
        try:
            for format_name, suffixes, visitor in _VISITORS:
                paths = [each.path for each in with_suffix(files, *suffixes)]
                paths += [each for each in made if each.suffix.lstrip(".") in suffixes]
                yield from _format_figures(format_name, sample(paths), visitor)
            for suffix, made_suffix, visitor in _OLD:
                paths = [each.path for each in with_suffix(files, suffix)]
                yield from _format_figures(
                    suffix, sample(paths), _converted_first(others, made_suffix, visitor)
                )
            pictures = [each.path for each in with_suffix(files, *IMAGES)]
            yield from _alone_figures(pictures)
            yield from _cut_out_figures(pictures)
        finally:
            others.close()


def _made(folder: Path) -> list[Path]:
    decks = [folder / f"deck-{number}.pptx" for number in range(3)]
    for number, deck in enumerate(decks):
        write_deck(deck, 20, seed=number)
    write_csv(folder / "hazards.csv", 120)
    return [*decks, folder / "hazards.csv", *write_transcripts(folder, 120)]


def sample(paths: Sequence[Path], count: int = DRAWN) -> list[Sampled]:
    """Draw ``count`` blocks: one of each file that is read, then another of each, and so on."""
    drawn = random.Random(SEED)
    stacks: list[list[Sampled]] = []
    for path in paths:
        try:
            document = parse_file(path, tesseract=find_tesseract())
        except DocumentError:
            continue
        except Exception as error:  # noqa: BLE001 - as in the child: this file alone is lost
            print(f"{path.name}: not read, {type(error).__name__}: {error}", file=sys.stderr)
            continue
        blocks = [Sampled(path, document, each) for each in document.blocks]
        drawn.shuffle(blocks)
        # More than a turn's worth of one file is never used.
        stacks.append(blocks[:count])
    found: list[Sampled] = []
    while len(found) < count and any(stacks):
        for stack in stacks:
            if stack and len(found) < count:
                found.append(stack.pop())
    return found


def visits(drawn: Sequence[Sampled], visitor: Visitor) -> Iterator[Visit]:
    """Go to every block, file by file."""
    by_path: dict[Path, list[Sampled]] = {}
    for each in drawn:
        by_path.setdefault(each.path, []).append(each)
    for path, members in by_path.items():
        blocks = [each.block for each in members]
        try:
            found = list(visitor(path, members[0].document, blocks))
        except Exception as error:  # noqa: BLE001 - the other library may fail in any way
            print(f"{path.name}: not visited, {type(error).__name__}: {error}", file=sys.stderr)
            continue
        for each, (there, agrees) in zip(members, found, strict=True):
            yield Visit(each, there, agrees)


def _format_figures(name: str, drawn: Sequence[Sampled], visitor: Visitor) -> Iterator[Figure]:
    found = {id(each.sampled): each for each in visits(drawn, visitor)}
    made = [found[id(each)] for each in drawn if id(each) in found]
    placed = [each for each in made if each.agreement is not Agreement.NO_PLACE][:SAMPLE]
    for each in placed:
        if not each.agreement.leads_back:
            print(visit_line(name, each), file=sys.stderr)
    if not placed:
        return
    classes = Counter(each.agreement for each in placed)
    without = len(made) - len([each for each in made if each.agreement is not Agreement.NO_PLACE])
    files = len({each.sampled.path for each in placed})
    share = sum(each.agreement.leads_back for each in placed) / len(placed)
    yield figure(
        f"locators_{name}",
        "share of blocks",
        [share],
        target=1.0,
        at_least=True,
        note=f"{len(placed)} blocks of {files} files: "
        + ", ".join(f"{count} {kind}" for kind, count in classes.most_common())
        + (f"; {without} more have no place of their own or cannot be visited" if without else ""),
    )


def visit_line(name: str, visit: Visit) -> str:
    """Return one line on a visit: what was wanted and what is there."""
    sampled = visit.sampled
    return (
        f"{name} {visit.agreement}: {sampled.path.name} {sampled.block.block_id}"
        f" {sampled.block.kind} {sampled.block.locator}\n    ours:  {sampled.text[:160]!r}"
        f"\n    there: {visit.there[:160]!r}"
    )


def _converted_first(others: OtherReaders, suffix: str, visitor: Visitor) -> Visitor:
    """Return the visitor of what LibreOffice makes of an old file."""

    def visit(
        path: Path, document: ParsedDocument, blocks: Sequence[Block]
    ) -> Iterator[tuple[str, Agreement]]:
        converted = others.office_converted(path, suffix)
        if converted is None:
            for _ in blocks:
                yield "", Agreement.NO_PLACE
            return
        yield from visitor(converted, document, blocks)

    return visit


def _alone_figures(paths: Sequence[Path]) -> Iterator[Figure]:
    """How many recognised blocks have their rectangles for themselves: lines that are slanted,
    or letters scattered over a picture, have upright rectangles that overlap."""
    drawn = sample(paths)
    alone = [
        words_inside(each.document, each.block, own=False)
        == words_inside(each.document, each.block, own=True)
        for each in drawn
    ]
    if alone:
        yield figure(
            "locators_image_alone",
            "share of blocks",
            [sum(alone) / len(alone)],
            note=f"{len(alone)} blocks; no word of another block has its middle in their place",
        )


def _cut_out_figures(paths: Sequence[Path]) -> Iterator[Figure]:
    """Recognise the cut-outs of pictures again with plain tesseract: approximate."""
    tesseract = find_tesseract()
    if not tesseract:
        return
    ratios = [
        similarity(each.text, recognised_there(each.path, each.document, each.block, tesseract))
        for each in sample(paths, MOST_PICTURES)
    ]
    if ratios:
        yield figure(
            "locators_image_cut_out",
            "similarity",
            ratios,
            note="plain tesseract on the cut-out; similarity of letters and digits, 0 to 1",
        )


_VISITORS: tuple[tuple[str, tuple[str, ...], Visitor], ...] = (
    ("txt", ("txt",), visit_lines),
    ("md", ("md",), visit_markdown),
    ("csv", ("csv",), visit_csv),
    ("vtt", ("vtt",), visit_cues),
    ("srt", ("srt",), visit_cues),
    ("json", ("json",), visit_cues),
    ("docx", ("docx",), visit_word),
    ("pptx", ("pptx",), visit_slides),
    ("pdf", ("pdf",), visit_pdf),
    ("image", IMAGES, visit_pictures),
)
_OLD: tuple[tuple[str, str, Visitor], ...] = (
    ("doc", "docx", visit_word),
    ("ppt", "pptx", visit_slides),
)
