"""Small catalogues and sources of model files, for tests of fetching without the net."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from phasergun_desktop.models.catalogue import (
    InstallWhen,
    ModelCatalogue,
    ModelEntry,
    ModelKind,
    PackagePart,
)
from phasergun_desktop.models.download import SourceUnavailable
from phasergun_desktop.models.model_store import ModelStore

CONTENT = b"GGUF" + bytes(range(256)) * 40


def split(content: bytes, parts: int) -> list[bytes]:
    """Cut ``content`` into that many pieces, the last one shorter."""
    size = -(-len(content) // parts)
    return [content[start : start + size] for start in range(0, len(content), size)]


def fake_entry(
    content: bytes = CONTENT,
    *,
    parts: int = 3,
    publisher: str = "",
    kind: ModelKind = ModelKind.LANGUAGE_MODEL,
) -> ModelEntry:
    """An entry for ``content``, carried by packages fake-part1, fake-part2, …"""
    return ModelEntry(
        name="fake",
        title="Fake model",
        kind=kind,
        file="fake.gguf",
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        licence="Apache-2.0",
        install=InstallWhen.ON_DEMAND,
        parts=tuple(
            PackagePart(f"fake-part{n}==1.0", f"fake_part{n}/data/part{n:02}.bin")
            for n in range(1, parts + 1)
        ),
        publisher=publisher,
    )


def write_wheel(folder: Path, number: int, content: bytes) -> Path:
    """A wheel that pip accepts, with one data file."""
    name = f"fake_part{number}"
    info = f"{name}-1.0.dist-info"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}/data/part{number:02}.bin", content)
        metadata = f"Metadata-Version: 2.1\nName: fake-part{number}\nVersion: 1.0\n"
        wheel.writestr(f"{info}/METADATA", metadata)
        tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{info}/WHEEL", tags)
        wheel.writestr(f"{info}/RECORD", "")
    return path


@dataclass
class FakePackages:
    """Delivers parts from memory; ``broken`` names requirements that cannot be had."""

    pieces: list[bytes]
    broken: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def download(self, requirement: str, folder: Path) -> Generator[int, None, Path]:
        """See ``PackageDownloader``."""
        self.asked.append(requirement)
        yield 0
        if requirement in self.broken:
            raise SourceUnavailable("no connection")
        number = int(requirement.removeprefix("fake-part").partition("==")[0])
        yield len(self.pieces[number - 1])
        return write_wheel(folder, number, self.pieces[number - 1])


@dataclass
class FakeAddress:
    """The publisher's address: ``content``, of which at most ``limit`` bytes come at a time."""

    content: bytes = b""
    limit: int | None = None
    asked: int = 0

    def download(self, address: str, target: Path, size_bytes: int) -> Generator[int, None, None]:
        """See ``AddressDownloader``."""
        del address
        self.asked += 1
        have = target.stat().st_size if target.exists() else 0
        end = size_bytes if self.limit is None else min(size_bytes, have + self.limit)
        with target.open("ab") as stream:
            stream.write(self.content[have:end])
        yield end
        if end < size_bytes or not self.content:
            raise SourceUnavailable("the connection ended before the file did")


def fake_store(
    folder: Path,
    entry: ModelEntry,
    packages: FakePackages,
    address: FakeAddress | None = None,
) -> ModelStore:
    """A store of one model with fake sources."""
    return ModelStore(
        folder,
        ModelCatalogue((entry,)),
        bundled=folder / "bundled",
        packages=packages,
        addresses=address or FakeAddress(),
    )
