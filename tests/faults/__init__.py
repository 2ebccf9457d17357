"""Faults of the disk, many times over, on one small project."""
