"""Work as plain generators: events are yielded, the result is returned, closing cancels."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

ResultT = TypeVar("ResultT")


class Event:
    """Base of everything that a job yields."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Progress(Event):
    """How far a job is. ``done`` and ``total`` count ``unit``; ``total`` is None if unknown."""

    what: str
    done: int = 0
    total: int | None = None
    unit: str = ""
    detail: str = ""


Job = Generator[Event, None, ResultT]


def run_to_end(job: Job[ResultT], on_event: Callable[[Event], None] | None = None) -> ResultT:
    """Run ``job`` on this thread, handing every event to ``on_event``; return its result."""
    while True:
        try:
            event = next(job)
        except StopIteration as stop:
            result: ResultT = stop.value
            return result
        if on_event is not None:
            on_event(event)
