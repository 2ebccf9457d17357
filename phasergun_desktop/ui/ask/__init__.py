"""Asking the project: the conversation, the question box, and what connects them."""
