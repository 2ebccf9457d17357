"""Which words are misspelled: for the dictionary, the writer and the sources of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.spelling.checked_words import WordAt, checked_words, straight
from phasergun_desktop.spelling.dictionaries import read_dictionary
from phasergun_desktop.storage.atomic_files import write_own_file
from phasergun_desktop.storage.small_files import UnusableFileError, read_small_text
from phasergun_desktop.text.units import UNITS

if TYPE_CHECKING:
    from hunspell import Hunspell

OWN_WORDS_FILE = "dictionary.txt"
FIRST_SUGGESTIONS, MOST_SUGGESTIONS = 3, 6


class Speller:
    """Checks paragraphs; a word is looked up once. The writer's words are lines of a text file.

    What nobody else knows is ``unsure`` until somebody asked the sources of the project for it,
    beside the window's thread, and gave the ``answer``.
    """

    def __init__(self, dictionaries: Path, own_words: Path) -> None:
        self._folder = dictionaries
        self.own_words = own_words
        self._dictionary: Hunspell | None = None
        self._known: set[str] = set()
        self._looked_up: dict[str, bool] = {}
        self._ask: Callable[[], None] | None = None
        self._unsure: set[str] = set()
        # Answers: what the sources have, what they had not, and what need not be asked again.
        self._of_sources: set[str] = set()
        self._absent: set[str] = set()
        self._answered: set[str] = set()

    def read(self, language: str) -> tuple[Hunspell, tuple[str, ...]]:
        """Return the dictionary of a language, and the writer's words; not for the window's
        thread. A file of words that cannot be read holds none."""
        dictionary = read_dictionary(self._folder, language)
        try:
            own = read_small_text(self.own_words).split()
        except (FileNotFoundError, UnusableFileError):
            own = []
        return dictionary, tuple(own)

    def use(self, dictionary: Hunspell | None, own: tuple[str, ...] = ()) -> None:
        """Check with what ``read`` returned from now on; with None nothing is checked."""
        self._dictionary = dictionary
        self._looked_up.clear()
        for word in own:
            self._know(word)

    def use_sources(self, ask: Callable[[], None] | None) -> None:
        """Another project is opened: call ``ask`` whenever there is more in ``unsure``. None: there
        is no project."""
        self._ask = ask
        for words in (self._unsure, self._of_sources, self._absent, self._answered):
            words.clear()
        self._looked_up.clear()

    @property
    def unsure(self) -> frozenset[str]:
        """Words that the sources must be asked for."""
        return frozenset(self._unsure)

    def answer(self, asked: frozenset[str], found: frozenset[str]) -> None:
        """Know ``found``, which the sources have of what they were ``asked`` for."""
        self._unsure -= asked
        self._of_sources |= found
        self._absent |= asked - found
        self._answered |= asked

    def ask_again(self) -> None:
        """The sources have changed: what they had not is asked for again when it is met, and stays
        misspelled meanwhile."""
        self._answered.clear()
        self._looked_up.clear()

    def ignore(self, word: str) -> None:
        """Know a word until the program ends."""
        self._know(straight(word))

    def keep(self, word: str) -> None:
        """Write a word to the file of the writer's words; not for the window's thread. Raises
        ``StorageError``."""
        try:
            own = read_small_text(self.own_words).split()
        except FileNotFoundError:
            own = []
        write_own_file(self.own_words, "\n".join([*own, straight(word)]) + "\n")

    def misspelled(self, paragraph: str) -> tuple[WordAt, ...]:
        """Return the words of a paragraph that nobody knows, without those that are ``unsure``."""
        if self._dictionary is None:
            return ()
        return tuple(one for one in checked_words(paragraph) if not self._is_known(one.text))

    def suggestions(self, word: str) -> tuple[str, ...]:
        """Return words that this one may have been, the likeliest first; takes up to some 70 ms."""
        if self._dictionary is None:
            return ()
        found = self._dictionary.suggest(straight(word).lower())
        if word[0].isupper():
            # The beginning of a sentence, likelier than a name.
            names = self._dictionary.suggest(straight(word))
            found = (*(one[0].upper() + one[1:] for one in found[:FIRST_SUGGESTIONS]), *names)
        return tuple(dict.fromkeys(found))[:MOST_SUGGESTIONS]

    def _know(self, word: str) -> None:
        self._known.add(word)
        self._looked_up.clear()
        if self._dictionary is not None:
            self._dictionary.add(word)

    def _is_known(self, written: str) -> bool:
        found = self._looked_up.get(written)
        if found is not None:
            return found
        word = straight(written)
        # At the beginning of a sentence, and the possessive of a name.
        forms = {word, word[0].lower() + word[1:], word.removesuffix("'s")}
        found = (
            word in UNITS
            or not (forms.isdisjoint(self._known) and forms.isdisjoint(self._of_sources))
            or self._dictionary is None
            or self._dictionary.spell(word)
        )
        unasked = forms - self._answered
        if found or self._ask is None or not unasked:
            self._looked_up[written] = found
            return found
        if not unasked <= self._unsure:
            self._unsure |= unasked
            self._ask()
        return not unasked <= self._absent
