"""Measures what is chosen for a prompt: facts, noise, other subjects, abstention, questions."""
