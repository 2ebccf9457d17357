"""From a prompt to a plan: needs, the pool of units, what is selected of it, and its points."""
