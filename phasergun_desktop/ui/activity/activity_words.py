"""What an entry of the log says, in words."""

from __future__ import annotations

from phasergun_desktop.activity.model import Activity, ActivityEntry, ActivityKind
from phasergun_desktop.ui.wording import count, file_name, percent, when_in_words

KINDS = {
    ActivityKind.DRAFT: "Draft",
    ActivityKind.ASK: "Question",
    ActivityKind.SEARCH: "Search",
    ActivityKind.EXPORT: "Export",
    ActivityKind.EDIT: "Edit",
    ActivityKind.ACCEPT: "Acceptance",
    ActivityKind.INDEX: "Reading the folder",
    ActivityKind.CHECKPOINT: "Removal",
}
STATUS = {
    "complete": "Complete",
    "abstained": "Not in the documents",
    "blocked": "Blocked",
    "cancelled": "Stopped",
    "error": "Failed",
    "started": "Not finished",
}


def subject_of(activity: Activity) -> str:
    """Return in one line what it was about."""
    if activity.removed is not None:
        return f"{count(activity.removed.entries, 'entry', 'entries')} up to here"
    if activity.texts_upto:
        return f"Texts up to entry {activity.texts_upto}"
    # A draft's id says nothing to people.
    subject = activity.subject if activity.kind is ActivityKind.EXPORT else ""
    return " ".join((activity.prompt or subject).split())


def status_of(activity: Activity) -> str:
    """Return what became of it."""
    return STATUS.get(activity.status, activity.status.replace("_", " ").capitalize())


def seconds_of(activity: Activity) -> float | None:
    """Return how long it took; None where that is not known."""
    milliseconds = activity.total_ms or activity.generation_ms
    return milliseconds / 1000 if milliseconds else None


def model_of(activity: Activity) -> str:
    """Return the model that wrote; empty where the words are those of the sources."""
    return "" if activity.model == "extractive" else activity.model


def details_of(entry: ActivityEntry) -> str:
    """Return all that is known of an entry, as plain text."""
    one = entry.activity
    figures = (
        ("Result", status_of(one)),
        ("Confidence", percent(one.confidence) if one.confidence is not None else ""),
        ("Profile", one.profile),
        ("Agent", one.agent),
        ("Model", model_of(one)),
        ("Time", _milliseconds(one)),
        ("Tokens", _tokens(one)),
        ("Cost", f"{one.cost:.4f}" if one.cost is not None else ""),
        ("Conversation", one.conversation_id),
        ("Draft or file", one.subject),
        ("Passages", str(len(one.chunk_ids)) if one.chunk_ids else ""),
        ("Average similarity", _share(one.average_similarity)),
        ("Hash", entry.hash),
    )
    parts = [f"{KINDS[one.kind]}, {when_in_words(entry.at)}, entry {entry.number}"]
    texts = (("Asked", one.prompt), ("Answer", one.answer), ("Problems", "\n".join(one.errors)))
    parts += [f"{name}\n{text}" for name, text in texts if text]
    if one.removed is not None:
        gone = one.removed
        parts.append(
            f"{count(gone.entries, 'entry', 'entries')} from {when_in_words(gone.first_at)} to "
            f"{when_in_words(gone.last_at)} were removed: {count(gone.questions, 'question')}, "
            f"{count(gone.drafts, 'draft')}, {gone.prompt_tokens + gone.completion_tokens:,} tokens"
        )
    if one.texts_upto:
        parts.append(
            f"Questions, answers and problems of the entries up to {one.texts_upto} were removed; "
            "their digests are in the chain."
        )
    cited = list(dict.fromkeys(file_name(each.file) for each in one.citations if each.file))
    if cited:
        parts.append("Cited\n" + "\n".join(cited))
    parts.append("\n".join(f"{name}: {value}" for name, value in figures if value))
    return "\n\n".join(parts)


def _milliseconds(one: Activity) -> str:
    named = (
        ("searching", one.retrieval_ms),
        ("writing", one.generation_ms),
        ("in all", one.total_ms),
    )
    return ", ".join(f"{value / 1000:.1f} s {name}" for name, value in named if value)


def _tokens(one: Activity) -> str:
    if not one.completion_tokens and not one.prompt_tokens:
        return ""
    return (
        f"{one.prompt_tokens:,} read ({one.cached_tokens:,} kept from before), "
        f"{one.completion_tokens:,} written"
    )


def _share(value: float | None) -> str:
    return f"{value:.2f}" if value is not None else ""
