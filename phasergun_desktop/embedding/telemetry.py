"""What ONNX Runtime 1.29 to 1.32, which an earlier version was built with, wrote of its user."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

_FOLDER = Path("Microsoft", "DeveloperTools", ".onnxruntime")


def remove_telemetry(user_cache: Path) -> None:
    """Delete the device id and the events that wait to be sent below ``user_cache``.

    Folders above that are empty afterwards go too; what cannot be deleted stays.
    """
    folder = user_cache / _FOLDER
    if not folder.is_dir():
        return
    shutil.rmtree(folder, ignore_errors=True)
    for each in (folder.parent, folder.parent.parent):
        with suppress(OSError):
            each.rmdir()
