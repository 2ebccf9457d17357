"""Office files of old (DOC, PPT, RTF) and Office files with a password."""
