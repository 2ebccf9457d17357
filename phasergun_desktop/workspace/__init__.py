"""What is open: a project with everything that can be done in it, for window and command line."""
