"""The activity log: what was asked, retrieved, generated, edited and accepted."""
