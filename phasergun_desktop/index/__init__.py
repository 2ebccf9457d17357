"""What a project's documents hold, in SQLite, with everything else derived from it."""
