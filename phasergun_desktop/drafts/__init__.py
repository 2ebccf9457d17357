"""Drafts: kept, brought back, and exported."""
