"""What does not agree between the sources of a draft, or is not there; each with its passages."""
