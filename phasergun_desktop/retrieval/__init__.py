"""Finding the passages of a project that speak of a question."""
