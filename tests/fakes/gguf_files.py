"""GGUF files of our own making: heads without weights, and real ones that were spoilt."""

from __future__ import annotations

import struct
from pathlib import Path

_STRING = 8
_TEMPLATE = b"tokenizer.chat_template"


def gguf_head(tensors: int, **texts: str) -> bytes:
    """Return the head of a GGUF file with text metadata; ``a__b`` is the key ``a.b``."""
    pairs = b"".join(
        _text(key.replace("__", ".")) + struct.pack("<I", _STRING) + _text(value)
        for key, value in texts.items()
    )
    return struct.pack("<4sIQQ", b"GGUF", 3, tensors, len(texts)) + pairs


def without_chat_template(source: Path, target: Path) -> Path:
    """Write a copy of a real model whose chat template goes by another name."""
    data = bytearray(source.read_bytes())
    at = data.index(_TEMPLATE)
    data[at : at + len(_TEMPLATE)] = b"tokenizer.chat_templatX"
    target.write_bytes(data)
    return target


def cut_off(source: Path, target: Path, share: float) -> Path:
    """Write the first part of a real model."""
    data = source.read_bytes()
    target.write_bytes(data[: int(len(data) * share)])
    return target


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data
