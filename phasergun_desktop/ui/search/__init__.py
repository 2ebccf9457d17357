"""The search over every layer of the open project."""
