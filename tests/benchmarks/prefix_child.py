"""A child process that reads the standing prompt with another last line.

``python -m tests.benchmarks.prefix_child MODEL_FILE PREFIX_FOLDER TOKENS LAST_LINE``; prints
one JSON object with seconds and tokens.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from tests.benchmarks.language_model_figures import first_token, open_model


def main() -> int:
    """Load, read, report."""
    path, folder, tokens, last = sys.argv[1:5]
    start = time.perf_counter()
    model = open_model(Path(path), folder)
    load_s = time.perf_counter() - start
    first_s, cached = first_token(model, int(tokens), last)
    model.close()
    print(json.dumps({"load_s": load_s, "first_s": first_s, "cached": cached}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
