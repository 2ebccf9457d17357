"""The steps of the set-up; the standard library alone, since nothing else is there yet."""
