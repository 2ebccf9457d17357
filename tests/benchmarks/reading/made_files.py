"""Files made for measuring where real ones are too few: decks, pages as pictures, transcripts."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path

_WORDS = tuple(
    "device analysis verification hazard severity probability meter strip blood glucose sample"  # noqa: SIM905
    " range accuracy bias precision interference storage humidity label lot control shall must"
    " patient user professional result display alarm battery connector enclosure firmware risk"
    " acceptance criterion protocol report record review approval supplier audit complaint".split()
)


class Sentences:
    """Draws sentences from a fixed seed; each ends with its number and so occurs once."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._count = 0

    def next(self, fewest: int = 5, most: int = 14) -> str:
        """Return a sentence of ``fewest`` to ``most`` words and a number."""
        self._count += 1
        drawn = self._random.choices(_WORDS, k=self._random.randint(fewest, most))
        return f"{' '.join(drawn).capitalize()} {self._count}."


def write_deck(path: Path, slides: int, seed: int = 1) -> None:
    """Write a presentation: title and text on every slide, a table on every third, notes."""
    from pptx import Presentation
    from pptx.util import Inches

    sentences = Sentences(seed)
    deck = Presentation()
    for number in range(slides):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = sentences.next(2, 5)
        box = slide.shapes.add_textbox(Inches(1), Inches(1.8), Inches(8), Inches(2))
        box.text_frame.text = "\n".join(sentences.next() for _ in range(4))
        if number % 3 == 0:
            place = (Inches(1), Inches(4.2), Inches(8), Inches(2))
            table = slide.shapes.add_table(4, 3, *place).table
            for row in range(4):
                for column in range(3):
                    table.cell(row, column).text = sentences.next(1, 3)
        slide.notes_slide.notes_text_frame.text = sentences.next()
    deck.save(str(path))


def write_page_images(pdf: Path, pages: Sequence[int], folder: Path, dpi: int = 200) -> list[Path]:
    """Render ``pages`` (from 0) of a PDF as PNG files and return their paths."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    made: list[Path] = []
    for index in pages:
        path = folder / f"page-{index + 1}.png"
        image = document[index].render(scale=dpi / 72, grayscale=True).to_pil()
        image.save(path, dpi=(dpi, dpi))
        made.append(path)
    document.close()
    return made


def write_transcripts(folder: Path, cues: int, seed: int = 2) -> list[Path]:
    """Write the same kind of talk as VTT, SRT and JSON."""
    sentences = Sentences(seed)
    said = [
        (3.5 * number + 0.25, 3.5 * number + 3.0, f"Speaker {number % 2 + 1}", sentences.next())
        for number in range(cues)
    ]
    vtt, srt, talk = (folder / f"talk.{suffix}" for suffix in ("vtt", "srt", "json"))
    vtt.write_text(
        "WEBVTT\n\n"
        + "\n".join(
            f"{_clock(start, '.')} --> {_clock(end, '.')}\n<v {who}>{text}</v>\n"
            for start, end, who, text in said
        ),
        encoding="utf-8",
    )
    srt.write_text(
        "\n".join(
            f"{number}\n{_clock(start, ',')} --> {_clock(end, ',')}\n{text}\n"
            for number, (start, end, _, text) in enumerate(said, start=1)
        ),
        encoding="utf-8",
    )
    segments = [
        {"start": start, "end": end, "speaker": who, "text": text} for start, end, who, text in said
    ]
    talk.write_text(json.dumps({"segments": segments}), encoding="utf-8")
    return [vtt, srt, talk]


def _clock(seconds: float, mark: str) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}{mark}{milliseconds:03}"


def write_csv(path: Path, rows: int, seed: int = 3) -> None:
    """Write a table with quoted cells, line breaks inside of cells and empty rows."""
    sentences = Sentences(seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Id", "Hazard", "Control", "Remark"])
        for number in range(1, rows + 1):
            remark = f"{sentences.next(2, 4)}\n{sentences.next(2, 4)}" if number % 5 == 0 else ""
            control = f'{sentences.next(2, 4)}, "{sentences.next(1, 2)}"'
            writer.writerow([f"H-{number}", sentences.next(2, 6), control, remark])
            if number % 17 == 0:
                file.write("\r\n")
