"""The difference between folder and index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.sync.folder_scan import NOT_REACHED, FolderScan, ScannedFile
from phasergun_desktop.sync.sync_plan import Retry, SyncPlan, needs_digest, plan_sync

NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
CONTENT = st.integers(0, 3)


def scanned(file: str, content: int, layer: Layer | None = Layer.GENERAL) -> ScannedFile:
    return ScannedFile(file, layer, "" if layer else "stray", content + 10, content + 100)


def known(
    file: str,
    content: int,
    state: FileState = FileState.INDEXED,
    layer: Layer | None = Layer.GENERAL,
) -> FileRecord:
    digest = f"sha{content}" if state is FileState.INDEXED else ""
    return FileRecord(file, layer, state, "", content + 10, content + 100, digest)


def plan(now: dict[str, int], before: dict[str, int], *, retry: Retry = Retry()) -> SyncPlan:  # noqa: B008
    scan = FolderScan(tuple(scanned(*each) for each in sorted(now.items())))
    records = {name: known(name, content) for name, content in before.items()}
    digests = {each.file: f"sha{now[each.file]}" for each in needs_digest(scan.files, records)}
    return plan_sync(scan, records, digests, retry)


@given(st.dictionaries(NAMES, CONTENT), st.dictionaries(NAMES, CONTENT))
def test_every_file_has_exactly_one_fate(now: dict[str, int], before: dict[str, int]) -> None:
    result = plan(now, before)
    fates = [each.file for each in result.read]
    fates += [each.new.file for each in result.renamed]
    fates += [each.file for each in (*result.touched, *result.skipped)]
    fates += result.unchanged
    assert sorted(fates) == sorted(now)
    left = {each.old for each in result.renamed} | set(result.gone)
    assert left == set(before) - set(now)
    assert len(left) == len(result.renamed) + len(result.gone)
    for rename in result.renamed:
        assert before[rename.old] == now[rename.new.file]
    for name in result.unchanged:
        assert before[name] == now[name]
    for each in result.read:
        assert each.file not in before or before[each.file] != now[each.file]


def test_nothing_is_done_for_an_unchanged_folder() -> None:
    result = plan({"a": 1, "b": 2}, {"a": 1, "b": 2})
    assert result.unchanged == ("a", "b")
    assert (result.read, result.renamed, result.touched, result.gone) == ((), (), (), ())


def test_a_new_time_with_the_same_content_reads_nothing() -> None:
    scan = FolderScan((ScannedFile("a", Layer.GENERAL, "", 11, 999),))
    result = plan_sync(scan, {"a": known("a", 1)}, {"a": "sha1"}, Retry())
    assert [(each.file, each.mtime_ns, each.sha256) for each in result.touched] == [
        ("a", 999, "sha1")
    ]


def test_another_layer_reads_the_file_again() -> None:
    scan = FolderScan((scanned("a", 1, Layer.SOPS),))
    assert plan_sync(scan, {"a": known("a", 1)}, {"a": "sha1"}, Retry()).read == scan.files


def test_what_was_pending_is_read_and_what_failed_only_when_asked() -> None:
    scan = FolderScan((scanned("a", 1), scanned("b", 1)))
    records = {
        "a": known("a", 1, FileState.PENDING),
        "b": known("b", 1, FileState.FAILED),
    }
    assert [each.file for each in plan_sync(scan, records, {}, Retry()).read] == ["a"]
    retried = plan_sync(scan, records, {}, Retry(failed=True)).read
    assert [each.file for each in retried] == ["a", "b"]


def test_files_of_an_unreadable_folder_are_not_gone() -> None:
    scan = FolderScan((), ("locked",))
    records = {name: known(name, 1) for name in ("locked/a", "open/b")}
    assert plan_sync(scan, records, {}, Retry()).gone == ("open/b",)


def test_a_file_that_cannot_be_looked_at_now_stays_as_it_is_known() -> None:
    away = ScannedFile("a", None, NOT_REACHED, 0, 0)
    result = plan_sync(FolderScan((away,)), {"a": known("a", 1)}, {}, Retry())
    assert result.unchanged == ("a",)
    # Nothing is known of a new one: it is listed with its reason, and looked at the next time.
    assert [each.file for each in plan_sync(FolderScan((away,)), {}, {}, Retry()).skipped] == ["a"]
