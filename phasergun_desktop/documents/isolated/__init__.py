"""The process that reads documents, and the reader that talks to it."""
