"""Formats that are text: TXT, Markdown, CSV, transcripts."""
