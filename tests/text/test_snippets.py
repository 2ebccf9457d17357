"""The beginning of a passage."""

from __future__ import annotations

import pytest

from phasergun_desktop.text.snippets import snippet


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Short and\n whole.", "Short and whole."),
        ("ID | Need\n| Source", "ID · Need · Source"),
        (f"{'a' * 150}. {'b' * 100}", f"{'a' * 150}."),
        (f"{'a' * 199}. {'b' * 100}", f"{'a' * 199}."[:200]),
        # Too early, and a point that ends nothing.
        (f"{'a' * 100}. {'b' * 90} {'c' * 90}", f"{'a' * 100}. {'b' * 90} …"),
        (f"{'a' * 100} {'b' * 60} 3.25 {'c' * 90}", f"{'a' * 100} {'b' * 60} 3.25 …"),
    ],
)
def test_a_snippet_ends_with_a_sentence_where_one_ends_late_enough(text: str, shown: str) -> None:
    assert snippet(text) == shown
    assert len(shown) <= 202
