"""Opens the files of models that ONNX Runtime reads."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


def open_session(path: Path) -> InferenceSession:
    """Return a session of one thread. Raises ``ModelError``."""
    import onnxruntime  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    # One pattern for each length of a text: 15 MB for two sessions, and no faster.
    options.enable_mem_pattern = False
    # Errors reach the user as ModelError; the runtime's own warnings would go to stderr.
    options.log_severity_level = 4
    must_exist(path)
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except (RuntimeError, ValueError, OSError) as error:
        raise _not_a_model(path) from error
    except Exception as error:
        # ONNX Runtime's own classes derive from Exception directly.
        if type(error).__module__.startswith("onnxruntime"):
            raise _not_a_model(path) from error
        raise


def open_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a ``tokenizer.json``. Raises ``ModelError``."""
    from tokenizers import Tokenizer  # noqa: PLC0415

    must_exist(path)
    try:
        return Tokenizer.from_str(path.read_text("utf-8"))
    except OSError as error:
        raise absent(path) from error
    except Exception as error:  # tokenizers raises plain Exception for a damaged file
        raise _not_a_model(path) from error


def whole_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a ``tokenizer.json``, which neither cuts nor fills up texts. Whoever
    asks for a file has the same one (6 MB): it must not be changed. Raises ``ModelError``."""
    must_exist(path)
    return _whole_tokenizer(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _whole_tokenizer(path: Path, _changed: int) -> Tokenizer:
    tokenizer = open_tokenizer(path)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def must_exist(path: Path) -> None:
    """Raise ``ModelError`` where ``path`` is no file."""
    if not path.is_file():
        raise absent(path)


def absent(path: Path) -> ModelError:
    """Return the error that says that a file cannot be read."""
    return ModelError(
        "Model missing",
        f"The file {path.name} of a model is not there or cannot be read.",
        "Install PhaserGun again, or run its set-up once more.",
    )


def _not_a_model(path: Path) -> ModelError:
    return ModelError(
        "Model damaged",
        f"The file {path.name} is not a model that can be loaded.",
        "Install PhaserGun again, or run its set-up once more.",
    )
