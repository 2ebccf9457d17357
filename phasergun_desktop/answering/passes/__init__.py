"""Passes around the writing: what is kept from the model, what is looked at again."""
