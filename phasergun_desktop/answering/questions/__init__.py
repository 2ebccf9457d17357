"""What a question wants, takes for granted, and whether a sentence answers it."""
