"""Parsed documents and locators as JSON, for the index and for the pipe of the child process;
also what else is kept by the names of its fields."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from phasergun_desktop.documents.model import Locator, ParsedDocument

Json = dict[str, object]
T = TypeVar("T")


def locator_to_json(locator: Locator) -> Json:
    """Return ``locator`` in the form of the product's JSON (``type`` and its fields)."""
    # Lists, as whoever compares expects them; tuples would stay tuples otherwise.
    return loads(dumps(locator))


def locator_from_json(data: Mapping[str, object]) -> Locator:
    """Return the locator that ``locator_to_json`` wrote. Raises ValueError on anything else."""
    found: Locator = decoded(data, Locator)  # type: ignore[arg-type]  # a union
    return found


def to_bytes(document: ParsedDocument) -> bytes:
    """Return ``document`` as UTF-8 JSON."""
    return msgspec.json.encode(document)


def from_bytes(data: bytes) -> ParsedDocument:
    """Return the document that ``to_bytes`` wrote.

    Raises ValueError where a type is wrong or an offset lies outside of the text, since the
    data may come from a child process that a document has taken over.
    """
    return _checked(_read(data, ParsedDocument))


def from_parts(body: bytes, text: str) -> ParsedDocument:
    """Return the document that ``to_bytes`` wrote as ``body`` without its text. Raises ValueError
    as ``from_bytes`` does."""
    return _checked(replace(_read(body, ParsedDocument), text=text))


def _checked(document: ParsedDocument) -> ParsedDocument:
    last = 0
    for block in document.blocks:
        if not last <= block.start <= block.end <= len(document.text):
            raise ValueError("a block lies outside of the text")
        last = block.end
    return document


def dumps(data: object) -> bytes:
    """Return ``data`` as compact UTF-8 JSON."""
    return msgspec.json.encode(data)


def loads(data: bytes) -> Json:
    """Return the JSON object in ``data``. Raises ValueError if it is none."""
    return _read(data, dict[str, object])


def _read(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


def encoded(value: object) -> Any:
    """Return the fields of a dataclass by their names, for ``json.dumps``: enums by their values,
    numpy's numbers as Python's own. Raises TypeError for what has no form in JSON."""
    return msgspec.to_builtins(value, enc_hook=_plain_number)


def decoded(data: object, kind: type[T]) -> T:
    """Return JSON ``data`` as a ``kind``. Raises ValueError where a type is another."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


def _plain_number(value: object) -> int | float:
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
