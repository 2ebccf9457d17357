"""The process that tries a model file: loads it, measures it, prints one JSON object."""

from __future__ import annotations

import json
import logging
import os
import struct
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    from llama_cpp import Llama

# The first argument of a frozen build that asks for this process instead of the window.
CHILD_ARGUMENT = "--model-check-child"
CHILD_MODULE = "phasergun_desktop.language_models.model_check_child"
_READ_TOKENS = 256
_WRITE_TOKENS = 24
_WRITE_SECONDS = 20.0
_TEXT = (
    "The meter measures the concentration of glucose in fresh capillary whole blood. The result "
    "is shown within five seconds and is sent to the telephone over Bluetooth. "
)


def main(arguments: list[str] | None = None) -> int:
    """Check the file named first; then come the tokens of context and the threads."""
    path, context_tokens, threads = (arguments or sys.argv[1:])[:3]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What the libraries print must not mix with the answer.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.close(null)
    found = _check(Path(path), int(context_tokens), int(threads))
    json.dump(found, answers)
    answers.close()
    return 0


def tensors_in(path: Path) -> int | None:
    """Return how many tensors the head of a GGUF file announces; None where it has no head."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError:
        return None
    if len(head) < 24:
        return None
    _magic, version, tensors, _pairs = struct.unpack("<4sIQQ", head)
    return int(tensors) if 1 <= version <= 100 else None


def _check(path: Path, context_tokens: int, threads: int) -> dict[str, Any]:
    from phasergun_desktop.language_models.llama_loading import (  # noqa: PLC0415
        LlamaSettings,
        chat_frame_of,
        load_llama,
    )

    found: dict[str, Any] = {
        "loads": False, "architecture": "", "parameters": 0, "context_tokens": 0,
        "has_chat_template": False, "prompt_tokens_per_s": 0.0, "writing_tokens_per_s": 0.0,
        "memory_bytes": 0, "problem": "",
    }  # fmt: skip
    tensors = tensors_in(path)
    if tensors is None:
        return {**found, "problem": f"{path.name} is cut off or damaged at its very beginning. "
                "Fetch the file again."}  # fmt: skip
    if tensors == 0:
        return {**found, "problem": f"{path.name} holds a vocabulary only, no model. "
                "Choose the file with the model's weights."}  # fmt: skip
    complaints = _Complaints()
    logging.getLogger("phasergun_desktop").addHandler(complaints)
    logging.getLogger("phasergun_desktop").setLevel(logging.INFO)
    try:
        llama = load_llama(LlamaSettings(path, path.stem, "", context_tokens, threads))
    except ModelError as error:
        return {**found, "problem": complaints.reason(path.name, error)}
    found.update(_facts(llama))
    found["loads"] = True
    try:
        chat_frame_of(llama)
        found["has_chat_template"] = True
        read, written = _speeds(llama)
        found.update(prompt_tokens_per_s=read, writing_tokens_per_s=written)
    except ModelError as error:
        found["problem"] = f"{error.message} {error.remedy}".strip()
    except (RuntimeError, ValueError) as error:
        found["problem"] = (
            f"{path.name} loads, but writes nothing ({type(error).__name__}): it is not made for "
            "writing text. Choose an instruction-tuned (chat) model."
        )
    found["memory_bytes"] = _peak_memory_bytes()
    return found


class _Complaints(logging.Handler):
    """Keeps what llama.cpp says of a file that it refuses."""

    def __init__(self) -> None:
        super().__init__()
        self._said = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message."""
        self._said += record.getMessage().casefold()

    def reason(self, name: str, error: ModelError) -> str:
        """Return why the file was refused, as far as the library tells."""
        if "file bounds" in self._said or "incomplete" in self._said:
            return f"{name} is cut off: a part of the model is missing. Fetch the file again."
        if "unknown model architecture" in self._said:
            return (
                f"{name} is a kind of model that this version does not know. "
                "Choose another model, or a newer version of PhaserGun."
            )
        return f"{error.message} The file is damaged, or not a model that writes text."


def _facts(llama: Llama) -> dict[str, Any]:
    import llama_cpp  # noqa: PLC0415

    model = llama._model.model
    return {
        "architecture": str(llama.metadata.get("general.architecture", "")),
        "parameters": int(llama_cpp.llama_model_n_params(model)),
        "context_tokens": int(llama_cpp.llama_model_n_ctx_train(model)),
    }


def _speeds(llama: Llama) -> tuple[float, float]:
    """Return the speeds of reading and of writing, in tokens a second."""
    room = min(_READ_TOKENS, llama.n_ctx() - _WRITE_TOKENS - 1)
    text = (_TEXT * 12).encode()
    tokens = llama.tokenize(text, add_bos=False, special=False)[:room]
    # The first batch pays for pages of the file that were not in memory yet.
    llama.eval(tokens[:8])
    state: Any = llama
    state.reset()
    state._ctx.kv_cache_clear()
    started = time.perf_counter()
    llama.eval(tokens)
    read = len(tokens) / (time.perf_counter() - started)
    started = time.perf_counter()
    count = 0
    for token in llama.generate(tokens, temp=0.0, reset=True):
        if count == _WRITE_TOKENS or time.perf_counter() - started > _WRITE_SECONDS:
            break
        del token
        count += 1
    return round(read, 2), round(max(count, 1) / (time.perf_counter() - started), 2)


def _peak_memory_bytes() -> int:
    """Return the most memory that this process had, mapped pages of the file included."""
    if sys.platform == "win32":
        import psutil  # noqa: PLC0415 - needed here only

        return int(psutil.Process().memory_info().peak_wset)
    status = Path("/proc/self/status")
    if status.is_file():
        # On Linux a child's ru_maxrss begins at what its parent had: a window of 300 MB, or more.
        line = next(x for x in status.read_text("ascii").splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    import resource  # noqa: PLC0415 - absent on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024


if __name__ == "__main__":
    sys.exit(main())
