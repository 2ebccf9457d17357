"""The chain of the log's entries: their hashes, and whether all of them are there and unchanged."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from phasergun_desktop.activity.anchor import START_HASH, Anchor
from phasergun_desktop.activity.codec import TEXTS_DIGEST
from phasergun_desktop.activity.model import ActivityKind, VerifyResult

# Inside of a string the quotes have a backslash before them.
_DIGEST = re.compile(rb'[{,]"' + TEXTS_DIGEST.encode() + rb'":"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class ChainedRow:
    """An entry as it is stored: bytes, since text that is none must be told, not stop the
    reading. What a damaged row lacks altogether is empty; ``texts`` that were left out are None,
    and so is a ``body`` that cannot be had without them."""

    number: int
    at: bytes
    kind: bytes
    body: bytes | None
    previous: bytes
    hash: bytes
    texts: bytes | None = None

    @property
    def is_sound(self) -> bool:
        """Whether the entry bears out its own hash, as far as it is told."""
        if self.body is None:
            return True
        if self.hash != chain_hash(self.previous, self.number, self.at, self.kind, self.body):
            return False
        digest = self.texts_digest
        if self.texts is None:
            return True
        return digest == hashlib.sha256(self.texts).hexdigest().encode()

    @property
    def texts_digest(self) -> bytes | None:
        """The digest of the texts that belong to it; None for an entry of the earlier form."""
        found = _DIGEST.search(self.body or b"")
        return found[1] if found else None


def chain_hash(previous: bytes, number: int, *entry: bytes) -> bytes:
    """Return the hash of an entry after the one with the hash ``previous``."""
    chained = (previous, str(number).encode(), *entry)
    return hashlib.sha256(b"\n".join(chained)).hexdigest().encode()


def verify_rows(
    rows: Iterable[ChainedRow], anchor: Anchor, last_given: int, *, needs_texts: bool
) -> VerifyResult:
    """Check every hash, the numbers, the end and the anchor of ``rows``, in order.

    ``last_given`` is the last number that was ever given, 0 where that is not known. Entries that
    are not there at the beginning are well where a checkpoint stands for them. With
    ``needs_texts`` none may be without its texts but those of which a checkpoint says so.
    """
    first_bad: int | None = None
    last, previous, checked, missing, untold = 0, START_HASH.encode(), 0, 0, 0
    start: tuple[int, bytes] | None = None
    removed = texts_upto = 0
    textless: list[int] = []
    for row in rows:
        if row.number != last + 1:
            if not last and row.number > 1:
                start = (row.number - 1, row.previous)
            else:
                first_bad = first_bad or last + 1
                missing += max(row.number - last - 1, 0)
            previous = row.previous
        is_noted = row.number != anchor.entries or row.hash == anchor.hash.encode(
            "utf-8", "surrogatepass"
        )
        if needs_texts and row.texts is None and row.texts_digest is not None:
            textless.append(row.number)
        if not (row.is_sound and row.previous == previous and is_noted):
            return _ended(first_bad or row.number, checked, missing, start, removed, untold)
        last, previous, checked = row.number, row.hash, checked + 1
        untold += row.body is None
        if row.kind == ActivityKind.CHECKPOINT.value.encode():
            texts_upto = max(texts_upto, _texts_upto(row.body or b""))
            if start is not None:
                removed = _stands_for(row.body or b"", start) or removed
    given = max(last_given, anchor.entries)
    if given > last:
        first_bad = first_bad or last + 1
        missing += given - last
    unsaid = next((number for number in textless if number > texts_upto), None)
    if unsaid is not None:
        first_bad = min(unsaid, first_bad or unsaid)
    result = _ended(first_bad, checked, missing, start, removed, untold)
    return replace(result, textless=len(textless) if result.ok else 0)


def _ended(
    first_bad: int | None,
    checked: int,
    missing: int,
    start: tuple[int, bytes] | None,
    removed: int,
    untold: int,
) -> VerifyResult:
    if start is not None and not removed:
        first_bad, missing = 1, missing + start[0]
    return VerifyResult(first_bad is None, first_bad, checked, missing, removed, untold)


def _texts_upto(body: bytes) -> int:
    """Return up to which number a checkpoint says that texts were removed, 0 for none."""
    try:
        return int(json.loads(body).get("texts_upto", 0))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return 0


def _stands_for(body: bytes, start: tuple[int, bytes]) -> int:
    """Return how many entries a checkpoint stands for, 0 where they are not those before
    ``start``: the number of the last one that is not there, and its hash."""
    try:
        told = json.loads(body)["removed"]
        fits = (told["upto"], told["last_hash"]) == (start[0], start[1].decode())
        return int(told["entries"]) if fits else 0
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
