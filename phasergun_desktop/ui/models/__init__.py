"""Choosing language models."""
