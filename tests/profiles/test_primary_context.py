"""Layer one: short enough to be read each time, and checked when it is edited."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.primary_context import (
    SourcePriority,
    find_primary_context,
    load_primary_context,
)

SHIPPED = resources_path() / "primary-context.yaml"


def test_tier_one_is_short_and_says_what_a_small_model_needs() -> None:
    text = load_primary_context(SHIPPED).tier_one()
    # A little above what the bundled model's own vocabulary counts.
    assert len(re.findall(r"\w+|[^\w\s]", text)) * 1.1 <= 350
    for words in ("copied closely", "not in the sources", "only what the task asks", "Stop"):
        assert words in text


def test_tier_one_enforces_the_scope_and_has_the_ids_of_sources_and_standards() -> None:
    context = load_primary_context(SHIPPED)
    text = context.tier_one()
    assert "only the sources that the task allows" in text
    for each in context.sources:
        assert (each.source_id in text) is (each.priority is not SourcePriority.NEVER)
    for standard in context.standards:
        assert f"{standard.standard_id}: {standard.name}" in text
    assert text.rindex("Rules:") > text.rindex(context.standards[-1].name)


def test_sources_and_standards_have_ids() -> None:
    context = load_primary_context(SHIPPED)
    priorities = {each.source_id: each.priority for each in context.sources}
    assert priorities["master_record"] is SourcePriority.PRIMARY
    assert priorities["regulatory_strategy"] is SourcePriority.ON_DEMAND
    assert priorities["prompt"] is SourcePriority.NEVER
    ids = {each.name: each.standard_id for each in context.standards}
    assert {"21 CFR 820.30", "ISO 13485:2016", "ISO 14971:2019"} <= set(ids)
    assert ids["ISO 14971:2019"] == "iso_14971"


def test_a_project_may_have_its_own(tmp_path: Path) -> None:
    own = tmp_path / "primary-context.yaml"
    assert find_primary_context(resources_path(), own) == SHIPPED
    assert find_primary_context(resources_path()) == SHIPPED
    own.write_text(SHIPPED.read_text(encoding="utf-8").replace("Stop when", "End when"))
    assert find_primary_context(resources_path(), own) == own
    assert "End when" in load_primary_context(own).tier_one()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("retrieval_priority: never", "retrieval_priority: nevr", "must be one of"),
        ("id: iso_13485", "id: iso_14971", "given twice"),
        ("workflow:", "workflw:", "workflw"),
        ("workflow:", "workflow: {}\nold:", "list of texts"),
        ("  purpose:", "  purpse:", "“product.purpose” is missing"),
        ("  purpose:", "  colour: red\n  purpose:", "“product.colour” is not known"),
        ("  - pattern:", "  - patern:", "“reference_notation.pattern” is missing"),
        ("    location:", "    loction:", "“knowledge_sources.location” is missing"),
        ("title: Labeling", "titel: Labeling", "titel"),
        ("rules:", "rules: {}\nold:", "list of texts"),
        ("rules:", "rules: []\nworkflow: []\nx:", ""),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    own = tmp_path / "primary-context.yaml"
    own.write_text(SHIPPED.read_text(encoding="utf-8").replace(old, new, 1))
    with pytest.raises(ProfileError, match="line") as caught:
        load_primary_context(own)
    assert words in caught.value.message
