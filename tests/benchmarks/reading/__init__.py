"""How much of a document is read, how fast, and whether its locators lead back to it."""
