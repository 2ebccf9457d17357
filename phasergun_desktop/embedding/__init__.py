"""Text as unit vectors: the embedder protocol and its adapters."""
