"""Instructions hidden in sources, and how many of them the product obeys."""
