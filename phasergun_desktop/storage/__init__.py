"""SQLite databases, atomic files and the lock of a project's single writer."""
