"""The panel of the activity log."""
