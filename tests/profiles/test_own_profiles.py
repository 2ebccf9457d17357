from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import ProfileStore


@pytest.fixture
def store(tmp_path: Path) -> ProfileStore:
    """The profiles of the product, and a folder of the user's that is not there yet."""
    return ProfileStore(resources_path(), tmp_path / "profiles")


def _copied(store: ProfileStore) -> None:
    """Save what the profile for disclosures says under another name, as the window does."""
    store.save("mine", store.text("disclosure").replace("name: disclosure", "name: mine"))


def test_a_copy_is_edited_and_used(store: ProfileStore) -> None:
    _copied(store)
    assert store.is_own("mine")
    assert store.names()[0] == "regulatory"
    copied, shipped = store.load("mine"), store.load("disclosure")
    assert (copied.name, copied.chunking) == ("mine", shipped.chunking)
    # Comments stay: they say where each number comes from.
    assert "# Reference: the best 5" in store.text("mine")
    store.save("mine", store.text("mine").replace("limit: 5", "limit: 9"))
    assert store.load("mine").retrieval.limit == 9
    assert store.load("disclosure").retrieval.limit == 5


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("limit: 5", "limit: five", "“retrieval.limit” must be a number"),
        ("limit: 5", "limt: 5", "“retrieval.limit” is missing"),
        ("inline:", "inline: [", "line"),
        ("name: mine", "name: other", "the file is called mine.yaml"),
        ("{number}", "{numbr}", "is not known"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_nothing_is_lost(
    store: ProfileStore, old: str, new: str, told: str
) -> None:
    _copied(store)
    before = store.text("mine")
    with pytest.raises(ProfileError, match=r"mine\.yaml, line \d+, column \d+") as caught:
        store.save("mine", before.replace(old, new))
    assert told in caught.value.message
    assert store.text("mine") == before


def test_names_are_checked(store: ProfileStore, tmp_path: Path) -> None:
    for name in ("", "../mine", "a b", "x" * 65):
        with pytest.raises(ProfileError, match="cannot be the name"):
            store.save(name, store.text("disclosure"))
    with pytest.raises(ProfileError, match="no profile"):
        store.text("disclosures")
    assert not (tmp_path / "profiles").exists()


def test_an_own_file_of_the_same_name_comes_first(store: ProfileStore, tmp_path: Path) -> None:
    store.save("evidence", store.text("evidence").replace("limit: 10", "limit: 3"))
    assert store.is_own("evidence")
    assert store.load("evidence").retrieval.limit == 3
    (tmp_path / "profiles" / "evidence.yaml").unlink()
    assert store.load("evidence").retrieval.limit == 10
