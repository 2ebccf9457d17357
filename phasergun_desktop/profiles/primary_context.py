"""The primary context: what the product is, what it may rely on, and the rules it writes by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from phasergun_desktop.profiles.settings_reader import SettingsReader

FILE_NAME = "primary-context.yaml"


class SourcePriority(StrEnum):
    """How early a source stands in a prompt, and whether it must be asked for."""

    PRIMARY = "primary"
    HIGH = "high"
    ON_DEMAND = "on_demand"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """A group of documents."""

    source_id: str
    priority: SourcePriority


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard or regulation by its designation. Naming it is not having read it."""

    standard_id: str
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class PrimaryContext:
    """What of layer one of the knowledge is read by a model or a search; the rest of its file says
    the same to a reader and is only checked. ``role`` and ``rules`` are tier 1 of a prompt."""

    role: str
    rules: tuple[str, ...]
    sources: tuple[KnowledgeSource, ...]
    standards: tuple[Standard, ...]

    def tier_one(self) -> str:
        """Return role, source ids, standards and rules as the model reads them: the same text for
        every prompt. The rules come last: what a small model read last it keeps best."""
        rules = "\n".join(f"{number}. {rule}" for number, rule in enumerate(self.rules, start=1))
        sources = ", ".join(
            each.source_id for each in self.sources if each.priority is not SourcePriority.NEVER
        )
        standards = ", ".join(f"{each.standard_id}: {each.name}" for each in self.standards)
        return (
            f"{self.role}\n\nIds of sources: {sources}.\n"
            f"Ids of standards (names only, not sources): {standards}.\n\nRules:\n{rules}"
        )


def load_primary_context(path: Path) -> PrimaryContext:
    """Read and check the file at ``path``. Raises ``ProfileError`` with line and column."""
    file = SettingsReader.open(path)
    product = file.section("product")
    _check_texts(product, "name", "type", "purpose")
    context = PrimaryContext(
        role=file.text("role").strip(),
        rules=tuple(rule.strip() for rule in file.texts("rules")),
        sources=tuple(_source(each) for each in file.sections("knowledge_sources")),
        standards=tuple(_standard(each) for each in file.sections("standards")),
    )
    for entry in file.sections("reference_notation"):
        _check_texts(entry, "pattern", "meaning")
    file.texts("workflow")
    file.finish()
    if not context.role or not context.rules:
        raise file.wrong(file.mark("rules"), "“role” and “rules” must not be empty")
    for key, ids in (
        ("knowledge_sources", [each.source_id for each in context.sources]),
        ("standards", [each.standard_id for each in context.standards]),
    ):
        double = next((each for each in ids if ids.count(each) > 1), None)
        if double is not None:
            raise file.wrong(file.mark(key), f"the id “{double}” is given twice in “{key}”")
    return context


def find_primary_context(resources: Path, project_override: Path | None = None) -> Path:
    """Return the file to read: the project's own one where there is one, else the product's."""
    if project_override is not None and project_override.is_file():
        return project_override
    return resources / FILE_NAME


def _source(file: SettingsReader) -> KnowledgeSource:
    source_id = file.text("id")
    file.text("name")
    file.text("location")
    source = KnowledgeSource(source_id, file.choice("retrieval_priority", SourcePriority))
    file.finish()
    return source


def _standard(file: SettingsReader) -> Standard:
    standard = Standard(file.text("id"), file.text("name"), file.text("title", ""))
    file.finish()
    return standard


def _check_texts(file: SettingsReader, *keys: str) -> None:
    for key in keys:
        file.text(key)
    file.finish()
