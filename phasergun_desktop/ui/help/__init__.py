"""The manual: its pages, the window that shows them, and which page belongs to which place."""
