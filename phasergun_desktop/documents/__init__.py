"""Documents: any file becomes blocks with locators, read in a child process."""
