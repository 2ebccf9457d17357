"""Pictures as documents: frames, text recognition, blocks of recognised text."""
