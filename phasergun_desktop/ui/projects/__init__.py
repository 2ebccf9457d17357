"""The projects of the user, the tree of the open one, and how it is kept up to date."""
