"""Reads and checks the file of a profile."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from phasergun_desktop.profiles.model import (
    BandAction,
    Bounds,
    ChunkRules,
    ChunkStrategy,
    ConfidenceMeasure,
    ConfidenceSettings,
    ContextTemplate,
    Profile,
    PromptSettings,
    RerankSettings,
    RetrievalSettings,
    SectionWeight,
    TextUnit,
)
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.settings_reader import Range, SettingsReader
from phasergun_desktop.profiles.templates import unknown_places

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# What each way of cutting goes by; another key would do nothing.
_RULES_OF = {
    ChunkStrategy.SECTIONS: ("minimum", "maximum", "overlap"),
    ChunkStrategy.PARAGRAPHS: ("target", "maximum", "overlap"),
    ChunkStrategy.SEPARATORS: ("target", "overlap", "separators", "search_share"),
    ChunkStrategy.TRANSCRIPTS: ("target", "maximum", "pause_s"),
}
_Section = TypeVar("_Section", bound="DataclassInstance")


def read_profile(file_name: str, text: str) -> Profile:
    """Read the text of the profile file ``file_name``.

    A value outside its usual range is used and named in ``Profile.warnings``. Raises
    ``ProfileError`` with line and column for what is unreadable, missing, unknown or nonsense.
    """
    file = SettingsReader.parse(file_name, text)
    profile = _settings(
        Profile,
        file,
        name=file.text("name"),
        title=file.text("title"),
        description=file.text("description", "").strip(),
        warnings=(),
    )
    profile = replace(profile, warnings=tuple(file.warnings))
    if f"{profile.name}.yaml" != file_name:
        mark = file.mark("name")
        raise file.wrong(mark, f"“name” is “{profile.name}”, but the file is called {file_name}")
    return profile


def rules_of(strategy: ChunkStrategy) -> tuple[str, ...]:
    """Return the rules that ``strategy`` cuts by; others are refused."""
    return _RULES_OF[strategy]


def _chunk_rules(file: SettingsReader) -> ChunkRules:
    unit = file.choice("unit", TextUnit, TextUnit.CHARS)
    # A token is about four characters.
    scale = 1 if unit is TextUnit.CHARS else 4
    usual, possible = (200 / scale, 6000 / scale), (50 / scale, 40_000 / scale)
    strategy = file.choice("strategy", ChunkStrategy)
    known = rules_of(strategy)

    def size(key: str, usual: Range, possible: Range, default: int | None = None) -> int:
        return file.integer(key, usual, possible, default) if key in known else 0

    rules = ChunkRules(
        strategy=strategy,
        target=size("target", usual, possible),
        minimum=size("minimum", (0, usual[1]), (0, possible[1]), 0),
        maximum=size("maximum", usual, possible),
        overlap=size("overlap", (0, 600 / scale), (0, possible[1]), 0),
        unit=unit,
        separators=file.texts("separators") if "separators" in known else (),
        search_share=(
            file.number("search_share", (0.1, 0.5), (0.0, 0.9), 0.3)
            if "search_share" in known
            else 0.0
        ),
        pause_s=file.number("pause_s", (2, 300), (0, 3600), 30.0) if "pause_s" in known else 0.0,
    )
    file.finish()
    if "maximum" in known and max(rules.minimum, rules.target) > rules.maximum:
        raise file.wrong(file.mark("maximum"), "“maximum” must be the largest of the sizes")
    if rules.overlap * 2 > (rules.target or rules.maximum):
        raise file.wrong(file.mark("overlap"), "“overlap” must be at most half of the size")
    if rules.strategy is ChunkStrategy.SEPARATORS and not rules.separators:
        raise file.wrong(file.mark("strategy"), "this strategy needs “separators”")
    return rules


def _retrieval(file: SettingsReader) -> RetrievalSettings:
    weights = file.section("section_weights")
    return _settings(
        RetrievalSettings,
        file,
        section_weights=tuple(
            SectionWeight(key, weights.number(key, (0.2, 3.0), (0.0, 10.0)))
            for key in weights.free_keys()
        ),
    )


def _rerank(file: SettingsReader) -> RerankSettings:
    settings = _settings(RerankSettings, file)
    if settings.keep > settings.candidates:
        raise file.wrong(file.mark("keep"), "“keep” must not be more than “candidates”")
    return settings


def _confidence(file: SettingsReader) -> ConfidenceSettings:
    settings = _settings(ConfidenceSettings, file)
    if not settings.low < settings.medium < settings.high:
        raise file.wrong(file.mark("low"), "the bands must rise: low, medium, high")
    if settings.measure is ConfidenceMeasure.ANSWER and BandAction.FALLBACK in (
        settings.actions.high,
        settings.actions.medium,
        settings.actions.low,
        settings.actions.very_low,
    ):
        raise file.wrong(
            file.mark("actions"),
            "“fallback” needs “measure: retrieval”: the other is known when the answer is written",
        )
    return settings


def _context(file: SettingsReader) -> ContextTemplate:
    settings = _settings(ContextTemplate, file, heading=file.text("heading", ""))
    if "{text}" not in settings.passage:
        raise file.wrong(file.mark("passage"), "“passage” must have the place {text}")
    return settings


def _prompt(file: SettingsReader) -> PromptSettings:
    context, instructions = file.section("context"), file.text("instructions").strip()
    return _settings(PromptSettings, file, instructions=instructions, context=_context(context))


# What more than the types of its fields is needed to read a section.
_READERS: dict[type, Callable[[SettingsReader], object]] = {
    ChunkRules: _chunk_rules,
    RetrievalSettings: _retrieval,
    RerankSettings: _rerank,
    ConfidenceSettings: _confidence,
    PromptSettings: _prompt,
}


def _settings(kind: type[_Section], file: SettingsReader, **given: object) -> _Section:
    """Read a section by the types of its fields, but for what is ``given``."""
    hints = _type_hints(kind)
    values = {
        each.name: given[each.name] if each.name in given else _value(each, hints[each.name], file)
        for each in fields(kind)
    }
    file.finish()
    make: Callable[..., _Section] = kind
    return make(**values)


@cache
def _type_hints(kind: Hashable) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _value(field: Field[Any], hint: Any, file: SettingsReader) -> object:
    key, default = field.name, None if field.default is MISSING else field.default
    kind, *rules = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if isinstance(kind, type) and is_dataclass(kind):
        below = file.section(key)
        own = _READERS.get(kind)
        return own(below) if own else _settings(kind, below)
    if issubclass(kind, StrEnum):
        return file.choice(key, kind, default)
    if kind is bool:
        return file.flag(key, bool(default))
    if kind is str:
        return _template(file, key, rules[0], default) if rules else file.text(key, default)
    bounds: Bounds = rules[0]
    number = file.integer if kind is int else file.number
    return number(key, bounds.usual, bounds.possible, default)


def _template(
    file: SettingsReader, key: str, places: tuple[str, ...], default: str | None = None
) -> str:
    text = file.text(key, default)
    for name in unknown_places(text, places):
        near = did_you_mean(name, places) or f"Known are: {', '.join(places)}."
        raise file.wrong(file.mark(key), f"the place {{{name}}} of “{key}” is not known", near)
    return text.rstrip("\n")
