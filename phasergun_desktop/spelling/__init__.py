"""Spelling: which words of a text are checked, and which of them are known."""
