"""Profiles and the primary context: the files of settings of the one pipeline."""
