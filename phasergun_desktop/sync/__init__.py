"""Keeping the index true while the files of a project change."""
