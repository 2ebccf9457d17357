"""Writes the bundled int8 embedder from the publisher's weights; the same bytes at every run.

    .venv/bin/python packaging/export_embedder.py            writes resources/models/…-int8.onnx
    .venv/bin/python packaging/export_embedder.py --check    only compares with the catalogue
    .venv/bin/python packaging/export_embedder.py --fp32 FILE   writes the fp32 graph too

Needs the extra custom-models. The digest that it prints belongs into the catalogue.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import Any

from embedder_graph import build_graph
from safetensors.numpy import load_file

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.models.model_store import ModelStore, open_store
from phasergun_desktop.paths import resources_path, user_places
from phasergun_desktop.storage.atomic_files import write_atomically

EMBEDDER = "all-minilm-l6-v2"
WEIGHTS = "all-minilm-l6-v2-weights"


def export(weights: Path, *, int8: bool) -> bytes:
    """Return the ONNX file made from the safetensors file ``weights``."""
    content: bytes = build_graph(_float_weights(weights), int8=int8).SerializeToString(
        deterministic=True
    )
    return content


def _float_weights(path: Path) -> dict[str, Any]:
    """The float tensors; the file also holds a row of positions, which are just 0 to 511."""
    return {name: value for name, value in load_file(path).items() if value.dtype.kind == "f"}


def _fetched_weights(store: ModelStore) -> Path:
    def show(event: Event) -> None:
        if isinstance(event, Progress) and event.total:
            print(f"\r{event.what}: {event.done / event.total:4.0%}", end="", flush=True)

    path = run_to_end(store.fetch(WEIGHTS), show)
    print(f"\rWeights: {path.name}")
    return path


def main() -> int:
    """Export; 0 when the result is the file that the catalogue describes, else 1."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--fp32", type=Path, metavar="FILE", help="write the fp32 graph there")
    arguments = parser.parse_args()
    try:
        store = open_store(user_places().models, resources_path())
        weights = _fetched_weights(store)
        if arguments.fp32 is not None:
            write_atomically(arguments.fp32, export(weights, int8=False))
        content = export(weights, int8=True)
        entry = store.catalogue.entry(EMBEDDER)
        if not arguments.check:
            write_atomically(resources_path() / "models" / entry.file, content)
    except PhaserGunError as error:
        print(f"{error.message} {error.remedy}", file=sys.stderr)
        return 1
    digest = hashlib.sha256(content).hexdigest()
    print(f"{entry.file}: sha256 {digest}, {len(content)} bytes")
    if digest != entry.sha256 or len(content) != entry.size_bytes:
        print(f"The catalogue says {entry.sha256}, {entry.size_bytes} bytes.", file=sys.stderr)
        return 1
    print("This is the file of the catalogue.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
