"""What the writer did between two states of a draft, found by comparing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from phasergun_desktop.drafts.model import Edit, EditKind
from phasergun_desktop.grounding.model import DraftSentence, UnitKind

OWN_TEXT = -1


@dataclass(frozen=True, slots=True)
class KeyedUnit:
    """A unit with the key that it keeps while the draft is open (``OWN_TEXT``: the writer's)."""

    key: int
    unit: DraftSentence


def edits_between(
    before: Sequence[KeyedUnit],
    after: Sequence[KeyedUnit],
    time: str,
    *,
    successors: Mapping[int, EditKind] | None = None,
) -> tuple[Edit, ...]:
    """Return what turns ``before`` into ``after``, in the order of the text.

    A unit is known by its key. A new key that ``successors`` names stands for the units that went
    at the same place (a rewritten sentence, a TODO in place of a sentence); any other is text
    that was added. What only moved is no edit.
    """
    named = successors or {}
    old, new = _by_key(before), _by_key(after)
    edits: list[Edit] = []
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    taken: set[int] = set()
    order_before = [one.key for one in before if one.key != OWN_TEXT]
    order_after = [one.key for one in after if one.key != OWN_TEXT]
    for tag, i1, i2, j1, j2 in SequenceMatcher(
        None, order_before, order_after, autojunk=False
    ).get_opcodes():
        went = [k for k in dict.fromkeys(order_before[i1:i2]) if k in gone]
        came = [k for k in dict.fromkeys(order_after[j1:j2]) if k in come and k in named]
        if tag == "replace" and went and came:
            taken.update(went, came)
            # One for one where they are as many, else the stretch as a whole.
            pairs = zip(went, came, strict=True) if len(went) == len(came) else [(went, came)]
            for gone_keys, come_keys in pairs:
                before_text = _joined(old, gone_keys)
                edits.append(Edit(time, named[came[0]], before_text, _joined(new, come_keys)))
    edits += [Edit(time, EditKind.DROPPED, old[k].text) for k in gone if k not in taken]
    edits += [
        Edit(time, named.get(k, EditKind.ADDED), "", new[k].text) for k in come if k not in taken
    ]
    for key in old:
        if key in new:
            edits.extend(_changes(old[key], new[key], time))
    edits.extend(_own_edits(before, after, time))
    return tuple(edits)


def _by_key(units: Sequence[KeyedUnit]) -> dict[int, DraftSentence]:
    found: dict[int, DraftSentence] = {}
    for one in units:
        # A sentence that was pasted a second time has the key of the first.
        if one.key != OWN_TEXT:
            found.setdefault(one.key, one.unit)
    return found


def _joined(units: Mapping[int, DraftSentence], keys: int | list[int]) -> str:
    return " ".join(units[key].text for key in (keys if isinstance(keys, list) else [keys]))


def _changes(old: DraftSentence, new: DraftSentence, time: str) -> list[Edit]:
    edits = []
    if old.text != new.text:
        is_todo = new.kind is UnitKind.TODO and old.kind is not UnitKind.TODO
        kind = EditKind.TODO if is_todo else EditKind.EDITED
        edits.append(Edit(time, kind, old.text, new.text))
    if new.is_accepted and new.accepted != old.accepted:
        edits.append(Edit(time, EditKind.ACCEPTED, new.text, new.text))
    elif old.is_accepted and not new.is_accepted:
        edits.append(Edit(time, EditKind.WITHDRAWN, old.text, new.text))
    return edits


def _own_edits(before: Sequence[KeyedUnit], after: Sequence[KeyedUnit], time: str) -> list[Edit]:
    old = [one.unit for one in before if one.key == OWN_TEXT]
    new = [one.unit for one in after if one.key == OWN_TEXT]
    edits: list[Edit] = []
    steps = SequenceMatcher(None, [one.text for one in old], [one.text for one in new], False)
    for tag, i1, i2, j1, j2 in steps.get_opcodes():
        went = " ".join(one.text for one in old[i1:i2])
        came = " ".join(one.text for one in new[j1:j2])
        if tag == "replace":
            edits.append(Edit(time, EditKind.EDITED, went, came))
        elif tag == "delete":
            edits.append(Edit(time, EditKind.DROPPED, went))
        elif tag == "insert":
            edits.append(Edit(time, EditKind.ADDED, "", came))
        else:
            for left, right in zip(old[i1:i2], new[j1:j2], strict=True):
                edits += _changes(left, right, time)
    return edits
