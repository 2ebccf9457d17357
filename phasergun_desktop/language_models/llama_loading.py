"""Loads a GGUF model file into llama.cpp and takes the chat template out of it."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.chat import ChatFrame, frame_of_template
from phasergun_desktop.models.files import check_gguf

if TYPE_CHECKING:
    from llama_cpp import Llama

_log = logging.getLogger(__name__)
_BATCH_TOKENS = 512
# llama.cpp's level of errors; below are warnings that each load of a sound model gives.
_ERROR_LEVEL = 4


@dataclass(frozen=True, slots=True)
class LlamaSettings:
    """How to load a model. ``context_tokens`` bounds prompt and answer together."""

    path: Path
    name: str
    digest: str
    context_tokens: int = 4096
    threads: int = 0


def llama_version() -> str:
    """Return the version of the library without loading it; ``""`` where it is not known."""
    try:
        return version("llama-cpp-python")
    except PackageNotFoundError:
        return ""


def load_llama(settings: LlamaSettings) -> Llama:
    check_gguf(settings.path)
    # libgomp's threads spin while they wait for each other. Where anything else wants a core (a
    # browser, our own indexing) they spin away the time of the thread they wait for: measured on
    # two busy cores, 1.4 to 2 tokens a second against 15 to 18 when they sleep.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        from llama_cpp import Llama  # noqa: PLC0415
    except (ImportError, OSError, RuntimeError) as error:
        raise ModelError(
            "The language model cannot run",
            "The library llama-cpp-python is missing or does not load on this machine.",
            "Run the installation again (packaging/bootstrap.py install).",
        ) from error
    _take_messages()
    threads = settings.threads or _physical_threads()
    try:
        return Llama(
            model_path=str(settings.path),
            n_ctx=settings.context_tokens,
            n_threads=threads,
            n_threads_batch=threads,
            n_batch=_BATCH_TOKENS,
            n_ubatch=_BATCH_TOKENS,
            n_gpu_layers=0,
            use_mmap=True,
            verbose=False,
        )
    except (ValueError, RuntimeError, AssertionError) as error:
        raise ModelError(
            "The language model does not load",
            f"llama.cpp refuses the file {settings.path.name}.",
            "Check it with “phasergun models verify”, or choose another model.",
        ) from error


@functools.cache
def _take_messages() -> object:
    """Send llama.cpp's messages to the log; return what must live as long as the process.

    Left to itself llama-cpp-python silences them by pointing stdout and stderr of the whole
    process at nothing while a model loads (1.6 s, measured): what other threads, Qt and child
    processes that start meanwhile have to say is lost.
    """
    import llama_cpp  # noqa: PLC0415
    from llama_cpp import _internals, llama  # noqa: PLC0415

    def log(level: int, text: bytes, _data: object) -> None:
        if level == _ERROR_LEVEL:
            _log.info("llama.cpp: %s", text.decode("utf-8", errors="replace").rstrip())

    def leave_streams(*, disable: bool) -> contextlib.AbstractContextManager[None]:
        del disable
        return contextlib.nullcontext()

    for module in (llama, _internals):
        vars(module)["suppress_stdout_stderr"] = leave_streams
    callback = llama_cpp.llama_log_callback(log)
    llama_cpp.llama_log_set(callback, ctypes.c_void_p(0))
    return callback


def _physical_threads() -> int:
    return max(1, min(os.cpu_count() or 1, 8))


def chat_frame_of(llama: Llama) -> ChatFrame:
    from llama_cpp.llama_chat_format import Jinja2ChatFormatter  # noqa: PLC0415

    template = llama.metadata.get("tokenizer.chat_template", "")
    if not template:
        raise ModelError(
            "This model cannot be used",
            "The file carries no chat template: it was not made to follow instructions.",
            "Choose an instruction-tuned (chat) model.",
        )
    vocabulary: Any = llama._model

    def text_of(token: int) -> str:
        return str(vocabulary.token_get_text(token)) if token >= 0 else ""

    try:
        formatter = Jinja2ChatFormatter(
            template=template,
            eos_token=text_of(llama.token_eos()),
            bos_token=text_of(llama.token_bos()),
        )
    except Exception as error:
        # The template is the file's, and may be anything.
        raise ModelError(
            "This model cannot be used",
            "The chat template in the file is damaged.",
            "Choose another instruction-tuned (chat) model.",
        ) from error

    def render(messages: list[tuple[str, str]]) -> str:
        found: Any = [{"role": role, "content": text} for role, text in messages]
        return str(formatter(messages=found).prompt)

    return frame_of_template(render)
