"""Devices side by side: which ones a prompt compares, and their values, found by rule."""
