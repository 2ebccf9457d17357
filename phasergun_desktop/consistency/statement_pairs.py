"""Whether two statements speak of the same thing, and whether they then disagree."""

from __future__ import annotations

from phasergun_desktop.consistency.statements import Statement
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import content_words, stem_set

# Words that do not say which attribute is meant, or of what.
_NEUTRAL = stem_set(listed("consistency", "neutral"))
# Alone they name no attribute: "the time is 5 s" can be any time.
_TOO_GENERAL = stem_set(listed("consistency", "too_general"))
_ENOUGH_WORDS = 3
_TIME_UNITS = frozenset({"s", "month", "working day"})
_SPANS_OF_TIME = frozenset(content_words("time life duration period lifetime"))


def disagree(first: Statement, second: Statement, device: frozenset[str]) -> bool:
    """Whether both state the same attribute of the same thing, with other values.

    ``device`` are the words of the device's name: whether they stand there says nothing. Attribute
    and thing are the same when neither statement has a word in its name that the other does not
    have in its sentence or headings; one word more is let pass where three are shared.
    """
    one, two = first.quantity, second.quantity
    if one.unit != two.unit or one.form is not two.form or one.keys == two.keys:
        return False
    left = _name_words(first) - device
    right = _name_words(second) - device
    shared = left & right
    if not shared:
        return False
    if not shared - _TOO_GENERAL:
        # Only general words: the whole name must be the same, and a name it must be; a single
        # word is one where both plainly speak of the device.
        if left != right or not (first.is_named or second.is_named):
            return False
        if len(shared) < 2 and not all(_of_device(each, device) for each in (first, second)):
            return False
    elif len(shared) < 2 and not (first.is_named and second.is_named and left == right):
        return False
    extra_left = left - right - second.around
    extra_right = right - left - first.around
    if extra_left and extra_right:
        return False
    extra = extra_left or extra_right
    return not extra or (len(extra) == 1 and len(shared) >= _ENOUGH_WORDS)


def _name_words(statement: Statement) -> frozenset[str]:
    words = statement.words - _NEUTRAL
    if statement.quantity.unit in _TIME_UNITS and words & _SPANS_OF_TIME:
        return (words - _SPANS_OF_TIME) | {"time"}
    return words


def _of_device(statement: Statement, device: frozenset[str]) -> bool:
    return statement.is_record or bool(statement.words & device)
