"""The window: panels, editor, source viewer; everything it knows it asks of a session."""
