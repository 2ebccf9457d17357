"""Project folders: the folder convention, what each file is, and which projects are known."""
