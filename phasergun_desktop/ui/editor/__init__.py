"""The draft editor: text with footnote marks, problems underlined, one undo step per generation."""
