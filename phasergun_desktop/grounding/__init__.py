"""Grounding: what a sentence states, which passage carries it, and what is missing there."""
