"""Run inside the virtual environment: load a small model and generate one token."""

from __future__ import annotations

import sys
import time
from pathlib import Path


def main() -> int:
    """Print ``proven …`` and return 0 when a token came."""
    from llama_cpp import Llama  # noqa: PLC0415 - what is being tried

    started = time.perf_counter()
    model = Llama(model_path=str(Path(sys.argv[1])), n_ctx=256, n_threads=2, verbose=False)
    # Long enough to be read in one batch, where the matrix instructions are used.
    words = "The device measures the concentration of a substance in a sample. " * 8
    pieces = list(model.create_completion(words, max_tokens=1, temperature=0.0, stream=True))
    model.close()
    if not pieces:
        print("no token came", file=sys.stderr)
        return 1
    print(f"proven, one token in {time.perf_counter() - started:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
