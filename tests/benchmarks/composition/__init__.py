"""Compares ways of composing a section, on prompts with the facts that a good one states."""
