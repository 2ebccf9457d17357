"""Sentences of generated drafts as a person judged them against their quotes.

``python -m tests.benchmarks.readings DRAFT.json… >> FILE`` turns drafts (``draft --json``) into
rows to be judged; the benchmark ``readings`` counts the judged rows of ``readings.jsonl``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.frame import Figure, Unavailable, figure

JUDGED = Path(__file__).with_name("readings.jsonl")
HELD_OUT = Path(__file__).parent / "held_out.json"
_STATES_SOMETHING = ("sentence", "list_item", "table_row")


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with the quotes of its footnotes, the checker's view and the reader's.

    ``judged`` is supported, partly, unsupported or contradicted, empty until it was read; ``why``
    says where the reader disagrees with the checker, or what is wrong. A sentence that stands in
    its quotes word for word is kept without them.
    """

    draft: str
    text: str
    quotes: list[str] = field(default_factory=list)
    support: str = ""
    marked: bool = False
    judged: str = ""
    why: str = ""


def rows_of(draft: str, result: dict[str, Any]) -> list[Reading]:
    """Return the factual units of a ``draft --json`` object, not judged yet."""
    quotes = {note["number"]: note["quote"] for note in result["footnotes"]}
    return [
        Reading(
            draft,
            each["text"],
            [quotes[number] for number in each["citations"] if quotes.get(number)],
            each["support"],
            bool(each["problems"]) or each["support"] != "supported",
        )
        for each in result["sentences"]
        # A table's header cites nothing and states nothing.
        if each["kind"] in _STATES_SOMETHING and (each["kind"] != "table_row" or each["citations"])
    ]


def reading_figures(path: Path = JUDGED) -> Iterator[Figure]:
    """Count the judged rows. Raises ``Unavailable`` where there are none."""
    if not path.is_file():
        raise Unavailable(f"{path.name} is absent: nothing was judged yet")
    rows = [Reading(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line]
    open_rows = [row for row in rows if not row.judged]
    if open_rows or not rows:
        raise Unavailable(f"{len(open_rows)} of {len(rows)} rows are not judged")
    yield _share("readings_supported", rows, "supported by reading", target=0.9)
    held_out = {prompt["name"] for prompt in json.loads(HELD_OUT.read_text("utf-8"))}
    fresh = [row for row in rows if row.draft in held_out]
    yield _share("readings_supported_held_out", fresh, "supported by reading, held-out prompts")
    reworded = [row for row in rows if row.quotes]
    yield _share("readings_supported_reworded", reworded, "supported by reading, of those reworded")
    shown = [row for row in rows if not row.marked]
    yield _share("readings_supported_unmarked", shown, "supported by reading, of those not marked")
    agree = [(row.support == "supported") == (row.judged == "supported") for row in rows]
    yield figure(
        "readings_agreement",
        "share",
        [sum(agree) / len(agree)],
        note=f"checker and reader agree whether it is supported: {sum(agree)} of {len(agree)}",
    )
    missed = [row for row in shown if row.judged in ("unsupported", "contradicted")]
    yield figure(
        "readings_missed",
        "sentences",
        [float(len(missed))],
        target=0.0,
        note="not marked, though the reader finds them unsupported or contradicted",
    )


def _share(name: str, rows: Sequence[Reading], what: str, target: float | None = None) -> Figure:
    found = sum(row.judged == "supported" for row in rows)
    return figure(
        name,
        "share",
        [found / max(1, len(rows))],
        target=target,
        at_least=True,
        note=f"{found} of {len(rows)} sentences {what}",
    )


def main(files: Sequence[str]) -> int:
    """Print the rows of drafts as JSON lines."""
    for name in files:
        result = json.loads(Path(name).read_text("utf-8"))
        for row in rows_of(Path(name).stem, result):
            print(json.dumps(asdict(row), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
