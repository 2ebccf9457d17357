"""The prompt, the plan under it, and the course of a generation."""
