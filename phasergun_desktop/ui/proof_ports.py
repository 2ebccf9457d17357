"""What the window asks of an open project about the proof of a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from phasergun_desktop.drafts.model import Draft, Edit
    from phasergun_desktop.drafts.source_changes import SourceChange
    from phasergun_desktop.drafts.store import DraftVersion
    from phasergun_desktop.grounding.model import DraftSentence, Footnote
    from phasergun_desktop.jobs import Job
    from phasergun_desktop.workspace.draft_proof import Rebinding
    from phasergun_desktop.workspace.rewritten_groups import Regeneration


class DraftProofPort(Protocol):
    """Checks, rewrites, versions and sources of drafts. All but ``regenerate`` may be called on
    any thread."""

    def changed_sources(self, draft: Draft) -> tuple[SourceChange, ...]:
        """What became of every cited passage whose file changed."""
        ...

    def use_new_place(self, draft: Draft, number: int) -> Rebinding:
        """The footnote at the new text of its source, or the sentences it does not carry."""
        ...

    def citation(self, file: str, start: int, end: int, statement: str) -> Footnote | None:
        """The footnote for code points of a file, narrowed to what carries ``statement`` (empty:
        all of it); None where nothing stands there."""
        ...

    def check(self, draft: Draft, indices: Sequence[int]) -> tuple[DraftSentence, ...]:
        """The units at ``indices`` checked for the words they have now, without the model."""
        ...

    def regenerate(
        self,
        draft: Draft,
        indices: Sequence[int],
        *,
        should_stop: Callable[[], bool],
        use_model: bool = True,
        wish: str = ...,
    ) -> Job[Regeneration]:
        """Write units again, as ``wish`` says."""
        ...

    def log_edits(self, draft: Draft, edits: Sequence[Edit]) -> None:
        """Append what the writer did to the activity log."""
        ...

    def save_version(self, draft: Draft, why: str = ..., name: str = ...) -> None:
        """Keep the draft as it stands now."""
        ...

    def versions(self, draft_id: str) -> tuple[DraftVersion, ...]:
        """The versions of a draft, the last one first."""
        ...

    def version(self, version_id: int) -> Draft:
        """The draft as it was."""
        ...

    def restore(self, current: Draft, version_id: int) -> Draft:
        """An earlier version in place of ``current``, stored."""
        ...
