"""Writes small presentations, and changes parts of them that python-pptx does not write."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.util import Inches

BLANK, TITLE_ONLY, TITLE_AND_BODY = 6, 5, 1


def deck() -> Any:
    """An empty presentation."""
    return Presentation()


def saved(presentation: Any) -> bytes:
    """The bytes of ``presentation``."""
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def add_text(
    slide: Any, text: str, x: float, y: float, width: float = 3, height: float = 1
) -> None:
    """Put a text box on ``slide``; places in inches."""
    box = slide.shapes.add_textbox(Inches(x), Inches(y), Inches(width), Inches(height))
    box.text_frame.text = text


def repacked(
    data: bytes,
    change: Callable[[str, bytes], bytes | None] = lambda name, part: part,
    added: Mapping[str, str] | None = None,
) -> bytes:
    """Write the package again: each part as ``change`` gives it (None leaves it out)."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            part = change(name, source.read(name))
            if part is not None:
                target.writestr(name, part)
        for name, xml in (added or {}).items():
            target.writestr(name, xml)
    return stream.getvalue()


def with_part(data: bytes, kind: str, name: str, xml: str, slide: int = 1) -> bytes:
    """Add a part that slide ``slide`` refers to as ``rIdNew``; ``kind`` is the type's last word."""
    relations = f"ppt/slides/_rels/slide{slide}.xml.rels"
    reference = f'<Relationship Id="rIdNew" Type="http://example.com/{kind}" Target="/{name}"/>'
    line = f"{reference}</Relationships>"

    def change(part_name: str, part: bytes) -> bytes:
        if part_name == relations:
            return part.replace(b"</Relationships>", line.encode())
        return part

    return repacked(data, change, {name: xml})


def chart_data(
    categories: list[str], series: Mapping[str, tuple[float | None, ...]], number_format: str
) -> Any:
    """The numbers of a chart."""
    kind: Any = CategoryChartData
    data = kind(number_format=number_format)
    data.categories = categories
    for name, values in series.items():
        data.add_series(name, values)
    return data
