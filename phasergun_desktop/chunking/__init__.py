"""Cutting a parsed document into chunks (by profile) and windows (for the embedder)."""
