"""Columns of the comparison tables of FDA summaries: recognised by their role, missed, wrong."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.planning.comparing.tables import compared_rows, read_columns, tables
from tests.benchmarks.frame import Figure, Unavailable, figure

ROOT = Path(__file__).resolve().parents[2]
# Every head of three columns or more that names a submission, a predicate or a new device, read
# by a person and judged by its own words, however torn: s for the document's subject, p for a
# predicate, - for neither; "" for no comparison.
HEADS = Path(__file__).with_name("comparison_heads.jsonl")
_FOLDERS = ("510k_blood_glucose", "510k_other_ivd", "510k_pdf")
_SHOWN = 40


def comparison_columns() -> Iterator[Figure]:
    """Yield the counts for the documents that the rules were set on, and for the others."""
    data = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not data.is_dir():
        raise Unavailable("the documents are absent (set PHASERGUN_TEST_DATA)")
    known: dict[str, dict[tuple[str, ...], str]] = {}
    for line in HEADS.read_text("utf-8").splitlines():
        entry = json.loads(line)
        known.setdefault(entry["file"], {})[tuple(entry["head"])] = entry["roles"]
    counts: dict[str, Counter[str]] = {"set_on": Counter(), "others": Counter()}
    for file, heads in known.items():
        half = "others" if int(hashlib.sha256(file.encode()).hexdigest(), 16) % 2 else "set_on"
        path = next(
            p for folder in _FOLDERS if (p := data / "regulatory" / folder / file).is_file()
        )
        counts[half] += _counted(parse_file(path), heads)
    for half, count in counts.items():
        for name, target in (("right", None), ("missed", None), ("wrong", 0.0), ("same", None)):
            yield figure(
                f"comparison_{name}_{half}",
                "cells" if name == "same" else "heads",
                [count[name]],
                target=target,
                note=f"of {count['heads']} heads" if name != "same" else "resolved to the other's",
            )


def _counted(document: ParsedDocument, known: dict[tuple[str, ...], str]) -> Counter[str]:
    names = [document.metadata.k_number]
    count: Counter[str] = Counter()
    seen = set()
    for table in tables(document):
        texts = [[name for name, _ in table[0].cells]]
        texts += [[cell for _, cell in block.cells] for block in table]
        for heads in texts:
            key = tuple(head[:_SHOWN] for head in heads)
            columns = read_columns(heads, names)
            found = "".join(c.role.value[0] if c else "-" for c in columns or ())
            wanted = known.get(key, "")
            if key in seen or not (found or wanted):
                continue
            seen.add(key)
            is_part = not found or (
                len(found) == len(wanted)
                and all(f in {"-", w} for f, w in zip(found, wanted, strict=True))
            )
            count["heads"] += 1
            count["right" if found == wanted else "missed" if is_part else "wrong"] += 1
    cells = [cell for row in compared_rows(document, names) for cell in row.cells]
    count["same"] = sum(cell.referred is not None for cell in cells)
    return count
