"""The cross-encoder that ships, loaded once for all tests."""

from functools import cache

from phasergun_desktop.embedding.cross_encoder import CROSS_ENCODER_FILE, CrossEncoder
from phasergun_desktop.paths import resources_path


@cache
def bundled_cross_encoder() -> CrossEncoder:
    """Return the cross-encoder that ships."""
    models = resources_path() / "models"
    return CrossEncoder(models / CROSS_ENCODER_FILE, models / "tokenizer.json")
