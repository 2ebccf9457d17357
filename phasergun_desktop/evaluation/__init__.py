"""Evaluation: questions, runs and metrics (built with the evaluation commands)."""
