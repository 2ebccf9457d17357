"""PDF: words from pypdfium2, laid out to blocks; pages as images."""
