"""DOCX: paragraphs, lists, tables, notes, as Word would show them."""
