"""The source viewer: pages as rendered, other formats as text, the passage highlighted."""
