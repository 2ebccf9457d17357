"""Words on the form of a text, which ask for nothing that a source could state."""

from __future__ import annotations

# English first, then the languages that prompts came in. Data, no patterns.
_FORM = """
write draft give state describe summarize summarise prepare list table tables tabulate bullet
bullets bulleted numbered heading headings title subheading section sections chapter chapters
paragraph paragraphs sentence sentences word words line lines page pages text prose style tone
format form short brief concise factual formal plain neutral clear reviewer fda please me make max
maximum most least about approximately ca first second third below above own under use using only
source sources document documents english german language reference report include including
contain must say us let bitte verfassen englischen abschnitt abschnitte kapitel tabelle liste
überschrift grundlage wörter sätze begin start end then also flag mention provide whatever
"""
_COUNTS = "one two three four five six half each per either"
# Only English ones: which words before a German one name the part, takes its grammar.
_SECTIONS = "section chapter"
_SEVERAL = "sections chapters abschnitte"

FORM_WORDS = frozenset(_FORM.split())
# How many of something: of form, like the words beside them.
COUNT_WORDS = frozenset(_COUNTS.split())
# What a part of a document is called; the words beside it name the part.
SEVERAL_SECTIONS = frozenset(_SEVERAL.split())
SECTION_WORDS = frozenset(_SECTIONS.split())
