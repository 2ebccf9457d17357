"""The panel of evaluations."""
