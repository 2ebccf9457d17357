"""The text itself: what a model is told, what it writes, and the page that grows."""
