"""Seeded edits of sentences that their sources support: how many are marked, and how many not."""
