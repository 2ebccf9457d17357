"""Words on the form of a text, which ask for nothing that a source could state."""

from __future__ import annotations

from phasergun_desktop.text.lexicon import in_all_languages

FORM_WORDS = in_all_languages("prompts", "form")
# How many of something: of form, like the words beside them.
COUNT_WORDS = in_all_languages("prompts", "counts")
# What a part of a document is called; the words beside it name the part.
SEVERAL_SECTIONS = in_all_languages("prompts", "sections")
SECTION_WORDS = in_all_languages("prompts", "section")
