"""Runs jobs on threads of their own and reports to the thread of the window."""
