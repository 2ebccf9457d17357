"""Presentations: slides with their shapes, tables, charts, diagrams, notes and comments."""
