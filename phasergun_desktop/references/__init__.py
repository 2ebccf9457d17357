"""What a prompt refers to: the notation, the documents behind it, and its problems."""
