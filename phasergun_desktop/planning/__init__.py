"""From a prompt to its evidence: needs, the pool of units for them, and what is selected of it."""
