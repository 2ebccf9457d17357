"""What the user has chosen: sections of settings, loaded and saved."""
