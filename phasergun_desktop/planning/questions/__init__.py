"""What a question wants and what it takes for granted."""
