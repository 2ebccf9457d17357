"""The project of a heater, for every test of this room."""

from tests.fakes.desk import desk

__all__ = ["desk"]
