"""``python -m tests.benchmarks.grounding_odds PAIRS MODEL.gguf [OUT]``: the language model's odds.

Asks about every row with the product's own prompt and writes JSON lines (id, odds, ms, tokens,
cached); rows that OUT has already are not asked again. SciFact's 894 rows take 45 to 80 minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.evaluation.grounding_pairs import read_pairs
from phasergun_desktop.grounding.second_opinion import opinion_prompt
from phasergun_desktop.language_models.language_model import GenerationMetrics
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings
from tests.benchmarks.grounding_training import KEPT_ODDS, read_odds


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, row by row, those of one source after another."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grounding_odds")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=KEPT_ODDS)
    chosen = parser.parse_args(arguments)
    known = read_odds(chosen.out) if chosen.out.exists() else {}
    model = LlamaModel(LlamaSettings(chosen.model, chosen.model.stem, "", 4096, 2))
    try:
        with chosen.out.open("a", encoding="utf-8") as stream:
            for pair in sorted(read_pairs(chosen.pairs), key=lambda p: (p.source, p.pair_id)):
                if pair.pair_id in known:
                    continue
                metrics = GenerationMetrics()
                odds = model.yes_odds(
                    opinion_prompt(pair.claim, pair.source), metrics, lambda: False
                )
                row = {
                    "id": pair.pair_id,
                    "label": pair.label,
                    "odds": odds,
                    "ms": round(metrics.total_ms),
                    "tokens": metrics.prompt_tokens,
                    "cached": metrics.cached_tokens,
                }
                stream.write(json.dumps(row) + "\n")
                stream.flush()
    finally:
        model.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
