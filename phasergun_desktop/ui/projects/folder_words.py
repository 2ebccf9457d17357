"""What belongs into the folders of a project, in words for those that are empty."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from phasergun_desktop.projects.convention import LAYER_FOLDERS, PROMPT_FOLDER
from phasergun_desktop.projects.layers import Layer

_ALWAYS = "Every draft may use it."
_IF_NAMED = "It is used when a prompt names it."
_CONTEXT = PurePosixPath("Context")


@dataclass(frozen=True, slots=True)
class FolderWords:
    """``line`` fits the narrow tree, ``tip`` says it in full."""

    folder: PurePosixPath
    line: str
    tip: str


_WORDS: dict[Layer, tuple[str, str]] = {
    Layer.SOPS: ("SOPs go here: always searched", f"Standard operating procedures. {_ALWAYS}"),
    Layer.QUALITY_POLICIES: ("Policies: only if named", f"Quality policies. {_IF_NAMED}"),
    Layer.PROJECT_QUALITY_PLANS: ("Plans: only if named", f"Project quality plans. {_IF_NAMED}"),
    Layer.MASTER_RECORD: (
        "Master-Record.docx goes here",
        f"A Word file with “master record” in its name: values that prompts take. {_ALWAYS}",
    ),
    Layer.INITIATION: (
        "Device description, user needs",
        f"What the project began with: description, intended use, needs, inputs. {_ALWAYS}",
    ),
    Layer.ONGOING: (
        "Test reports, reviews, minutes",
        f"What the project produces: test reports, reviews, risk files. {_ALWAYS}",
    ),
    Layer.PREDICATES: (
        "510(k) summaries of predicates",
        f"What is published on the predicate devices. {_ALWAYS}",
    ),
    Layer.REGULATORY_STRATEGY: (
        "Strategy: only if named",
        f"Submission strategy, Q-Sub minutes. {_IF_NAMED}",
    ),
    Layer.GENERAL: ("Standards: only if named", f"Standards, guidance, notes. {_IF_NAMED}"),
    Layer.BOOTSTRAP: (
        "Fixed answers: only if named",
        f"Questions with answers that are used word for word. {_IF_NAMED}",
    ),
}
PROMPT_WORDS = FolderWords(
    PROMPT_FOLDER, "Prompts that you save", "Prompts as text files; saving one puts it here."
)


def folder_of_layer(layer: Layer) -> PurePosixPath:
    """Return the folder of the convention for a layer; that of the project for plain folders."""
    if layer in (Layer.MASTER_RECORD, Layer.PRIMARY_CONTEXT):
        return _CONTEXT
    return dict(LAYER_FOLDERS).get(layer, PurePosixPath())


def words_of(layer: Layer) -> FolderWords:
    """Return what belongs into the folder of a layer."""
    line, tip = _WORDS[layer]
    return FolderWords(folder_of_layer(layer), line, tip)


LAYERS_WITH_WORDS = tuple(_WORDS)
