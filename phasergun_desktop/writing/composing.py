"""An answer that a language model words from passages, each sentence of it bound and judged."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidate_spans import block_before
from phasergun_desktop.grounding.footnotes import place_in_words
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.language_model import LanguageModel, ModelPrompt
from phasergun_desktop.planning.model import Plan, PlannedPoint
from phasergun_desktop.profiles.model import ModelMarks, Profile
from phasergun_desktop.profiles.templates import fill
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.sentences import sentences
from phasergun_desktop.text.words import content_words, stem_set
from phasergun_desktop.writing.answer_stream import AnswerStream
from phasergun_desktop.writing.citation_marks import looked_up, without_marks
from phasergun_desktop.writing.instructions import going_on_text, with_persona
from phasergun_desktop.writing.joining import brings_words
from phasergun_desktop.writing.model import StreamDiscarded
from phasergun_desktop.writing.model_calls import ModelCalls
from phasergun_desktop.writing.model_sentences import as_sentence, says_nothing
from phasergun_desktop.writing.page import Page

# A small model loses the thread of more, and reads 85 tokens a second.
_MOST_LOCAL_TOKENS = 1200
# What the chat template and an estimate of the tokens may cost beside the texts.
_SPARE_TOKENS = 200
_EARLIER = "Cited earlier in this conversation:"
# Words that carry the asking, not what is asked about: a table row "CAPA records | 15 years"
# answers "How long must CAPA records be kept?" without "long" and "kept".
_ASKING = stem_set(listed("questions", "asking"))
_IN_BRIEF = "How the documents begin, not to be cited:"


@dataclass(frozen=True, slots=True)
class Composing:
    """How an answer is worded. ``persona`` is an agent's, ``maximum_tokens`` its length (0: the
    profile's), ``earlier`` are the passages cited before in the conversation, and ``before`` the
    questions that this one may go on from, the first first."""

    persona: str = ""
    maximum_tokens: int = 0
    earlier: tuple[Passage, ...] = ()
    before: tuple[str, ...] = ()

    def without(self, files: frozenset[str]) -> Composing:
        """Return it without passages of ``files``."""
        return replace(self, earlier=tuple(p for p in self.earlier if p.file not in files))


@dataclass(frozen=True, slots=True)
class _Laid:
    """Passages as they stand in the prompt. ``keys`` is what a mark would name of each."""

    text: str
    passages: tuple[Passage, ...]
    keys: tuple[str, ...]


class Composer:
    """Words the answers of one ``plan`` on one ``page``. ``system`` is tier 1. ``left_out`` counts
    sentences that nothing carries, ``wrong_marks`` citations that the judge did not confirm."""

    def __init__(
        self,
        calls: ModelCalls,
        page: Page,
        plan: Plan,
        model: LanguageModel,
        profile: Profile,
        composing: Composing,
        *,
        system: str,
    ) -> None:
        self._calls = calls
        self._page = page
        self._plan = plan
        self._model = model
        self._profile = profile
        self._composing = composing
        used = (system if profile.prompt.use_primary_context else "",)
        self._system = with_persona(*used, profile.prompt.instructions, composing.persona)
        self._limit = composing.maximum_tokens or profile.answer.maximum_tokens
        self.left_out = 0
        self.wrong_marks = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """What of the model's answer is not shown."""
        found = []
        if self.left_out:
            said = "sentence" if self.left_out == 1 else "sentences"
            found.append(
                f"Left out of the model's answer, since no passage carries it: {self.left_out} "
                f"{said}."
            )
        if self.wrong_marks:
            found.append(
                "Citations of the model that its passages do not bear out, replaced by what does: "
                f"{self.wrong_marks}."
            )
        return tuple(found)

    def write(self, step: str, point: PlannedPoint) -> Generator[Event, None, bool]:
        """Put the model's answer to ``point`` on the page; return whether it says anything.

        Yields ``FirstToken``, ``TextStreamed``, ``StreamDiscarded`` and ``UnitBound``. Raises
        ``Cancelled`` and the errors of the model.
        """
        laid = self._laid_out(point)
        if not laid.passages:
            return False
        read = tuple(each.chunk_id for each in laid.passages)
        prompt = ModelPrompt(self._system, laid.text, self._question(point), read)
        expects = bool(self._profile.answer.heading)
        answer = AnswerStream(expects_heading=expects)
        before = len(self._page.units)
        with closing(self._calls.sentences(step, prompt, self._limit, answer)) as stream:
            for item in stream:
                if isinstance(item, Event):
                    yield item
                else:
                    yield from self._stated(item, point, laid)
        if len(self._page.units) == before:
            yield StreamDiscarded()
            return False
        return True

    def _stated(
        self, written: str, point: PlannedPoint, laid: _Laid
    ) -> Generator[Event, None, None]:
        marks = self._profile.citation.model_marks
        bare, named = without_marks(written, marks)
        text = as_sentence(self._page.cleaned(bare))
        if not text or says_nothing(text) or self._page.repeats(text):
            return
        marked = [laid.passages[i] for i in looked_up(named, laid.keys, marks)]
        bound = self._bound(text, marked, laid.passages)
        self.wrong_marks += _not_confirmed(named, marked, bound)
        if bound.is_faultless and (
            self._model.is_remote or not _brings_its_own(text, self._asked(point), bound)
        ):
            yield self._page.item(text, bound, UnitKind.SENTENCE)
        else:
            self.left_out += 1

    def _bound(self, text: str, marked: Sequence[Passage], read: Sequence[Passage]) -> Binding:
        """Return what carries ``text``: what the model has marked, where the judge agrees."""
        if marked:
            bound = self._page.bind(text, marked)
            if bound.is_faultless:
                return bound
        return self._page.bind(text, read)

    def _laid_out(self, point: PlannedPoint) -> _Laid:
        """Return the passages that fit, those of earlier turns apart and first: the longer a
        conversation, the more of its prompt is read already. They stand whole; only where the
        model has no room for the profile's budget, and they do not fit, are those above the
        profile's limit cut to what bears on the question."""
        full = self._full_budget()
        budget = min(full, self._room(self._question(point)))
        earlier = {each.place for each in self._composing.earlier}
        whole = self._plan.retrieved if self._model.is_remote else ()
        fresh = [each for each in whole if each.place not in earlier]
        fresh += [each for each in point.evidence if not any(_holds(one, each) for one in fresh)]
        wanted = self._profile.retrieval.earlier_passages
        kept = [] if not wanted else list(self._composing.earlier[-wanted:])
        kept = [each for each in kept if not any(_holds(one, each) for one in fresh)]
        parts: dict[bool, list[str]] = {True: [], False: []}
        chosen: dict[bool, list[tuple[Passage, str]]] = {True: [], False: []}
        # What was found now has the first claim on the room.
        offered = [*fresh, *kept]
        texts = [self._as_text(each, at)[0] for at, each in enumerate(offered, start=1)]
        is_short = budget < full and sum(map(self._calls.count_tokens, texts)) > budget
        left, whole_until = budget, budget - self._profile.prompt.compress_above_tokens
        for number, passage in enumerate(offered, start=1):
            is_earlier = passage.place in earlier and passage in kept
            text, key = self._as_text(passage, number)
            if is_short and left - self._calls.count_tokens(text) < whole_until:
                short = replace(passage, text=_compressed(passage.text, self._asked(point)))
                text, key = self._as_text(short, number)
            left -= self._calls.count_tokens(text)
            if left < 0 and (chosen[False] or chosen[True]):
                break
            parts[is_earlier].append(text)
            chosen[is_earlier].append((passage, key))
        layout = self._profile.prompt.context
        brief = self._in_brief(left)
        above = [_IN_BRIEF, *brief] if brief else []
        above += [_EARLIER, layout.separator.join(parts[True])] if parts[True] else []
        below = [layout.heading, layout.separator.join(parts[False]), layout.closing]
        text = "\n\n".join(part for part in (*above, *below) if part)
        read = (*chosen[True], *chosen[False])
        return _Laid(text, tuple(each for each, _ in read), tuple(key for _, key in read))

    def _question(self, point: PlannedPoint) -> str:
        # What only names a document ("and in the protocol?") asks what was asked before it.
        asked = point.query.rstrip(" ?")
        others = [each for each in self._composing.before if each.rstrip(" ?") != asked]
        return going_on_text(point.query, others)

    def _asked(self, point: PlannedPoint) -> str:
        """Return the words that ask for ``point``, with those of the questions before it."""
        return " ".join((point.query, *self._composing.before))

    def _in_brief(self, left: int) -> list[str]:
        """Return the summaries of the plan that ``left`` tokens hold beside the passages; none for
        a local model, which would read them for seconds."""
        brief: list[str] = []
        for each in self._plan.summaries if self._model.is_remote else ():
            text = f"{each.title}: {each.text}"
            left -= self._calls.count_tokens(text)
            if left < 0:
                break
            brief.append(text)
        return brief

    def _full_budget(self) -> int:
        prompt = self._profile.prompt
        if self._model.is_remote:
            return prompt.remote_budget_tokens
        return min(prompt.reading_budget_tokens, _MOST_LOCAL_TOKENS)

    def _room(self, question: str) -> int:
        """Return the tokens that the model's context leaves for passages, 1 at least."""
        told = self._calls.count_tokens(f"{self._system}\n{question}")
        return max(1, self._model.context_tokens - self._limit - told - _SPARE_TOKENS)

    def _as_text(self, passage: Passage, number: int) -> tuple[str, str]:
        """Return a passage in the profile's layout, and what a mark would name of it."""
        document = self._page.parsed(passage.document_id)
        about = document.metadata
        values = {
            "number": str(number),
            "title": passage.title or passage.file,
            "file": passage.file,
            "layer": passage.layer.value,
            "locator": _place(document, passage),
            "heading": " › ".join(passage.heading_path),
            "chunk_id": passage.chunk_id,
            "source_id": about.pmcid or about.document_number or f"S{passage.document_id}",
            "authors": ", ".join(about.authors),
            "journal": about.journal,
            "date": about.published,
            "text": passage.text,
        }
        name = _KEYS.get(self._profile.citation.model_marks, "number")
        return fill(self._profile.prompt.context.passage, values), values[name]


_KEYS = {
    ModelMarks.CHUNK_ID: "chunk_id",
    ModelMarks.SOURCE_TITLE: "title",
    ModelMarks.SOURCE_ID: "source_id",
}


def _brings_its_own(text: str, question: str, bound: Binding) -> bool:
    """Whether a small model's sentence has a word that is not its sources'. One that only asks may
    come from the question ("kept", of a table of years); a thing that is asked about may not: what
    is said of a major change is no answer on a minor one."""
    return brings_words(text, bound, _ASKING.intersection(content_words(question)))


def _place(document: ParsedDocument, passage: Passage) -> str:
    return place_in_words(block_before(document, passage.start).locator, ())


def _compressed(text: str, question: str) -> str:
    """Return the sentences of ``text`` that share a word with ``question``, all where none does."""
    asked = set(content_words(question))
    kept = [each for each in sentences(text) if asked & set(content_words(each))]
    return " ".join(kept) or text


def _holds(one: Passage, other: Passage) -> bool:
    return one.file == other.file and one.start <= other.start and other.end <= one.end


def _not_confirmed(named: Sequence[str], marked: Sequence[Passage], bound: Binding) -> int:
    cited = [span.passage.place for span in bound.spans]
    confirmed = sum(passage.place in cited for passage in marked)
    return len(named) - confirmed
