"""Opens a picture safely and gives its frames as upright pages on white."""

from __future__ import annotations

import io
import math
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from phasergun_desktop.errors import DocumentError, DocumentProblem

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 1_000
# A sheet of A0 at 300 dpi has 139 million.
MAX_PIXELS = 150_000_000
MAX_SIDE = 32_000
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF")
# What Pillow raises on damaged files.
_DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    AttributeError,
    AssertionError,
    OverflowError,
    ZeroDivisionError,
    struct.error,
    zlib.error,
)
# A stated resolution below the first is that of a screen; such a page is believed up to A3.
_SCREEN_DPI = 100.0
_LOWEST_DPI = 36.0
_HIGHEST_DPI = 2_400.0
_A3_LONG_INCHES = 16.6
_A4_LONG_INCHES = 11.69
_LONGEST_INCHES = 120.0
# Fax pages have pixels that are up to twice as high as wide.
_SQUARE = 1.05
_ORIENTATION = 274
_ON_ITS_SIDE = frozenset({5, 6, 7, 8})


@dataclass(frozen=True, slots=True)
class Frame:
    """A page: upright, mode L or RGB, square pixels, ``dpi`` of them per inch.

    ``is_cut_off``: the file ends within the page, and the rest of it is blank.
    """

    image: Image
    dpi: float
    is_cut_off: bool = False

    @property
    def size_points(self) -> tuple[float, float]:
        """Width and height in points."""
        return self.image.width * 72 / self.dpi, self.image.height * 72 / self.dpi


class Picture:
    """An open picture file. Frames count from 0."""

    def __init__(self, image: Any) -> None:
        self._image = image
        self.is_animated = False
        self.has_more_frames = False
        self.frame_count = 1
        if image.format == "TIFF":
            self._count_frames()
        elif image.format == "GIF":
            self.is_animated = bool(getattr(image, "is_animated", False))

    @property
    def properties(self) -> dict[int, str]:
        """The texts among the file's EXIF or TIFF tags by number."""
        with _guarded():
            tags = self._image.getexif()
            return {int(tag): text for tag, text in tags.items() if isinstance(text, str)}

    def frame(self, number: int) -> Frame:
        """Decode frame ``number``. Raises DocumentError where it is damaged or too large."""
        try:
            return self._decoded(number, tolerant=False)
        except DocumentError as error:
            if error.problem is not DocumentProblem.DAMAGED:
                raise
        return self._decoded(number, tolerant=True)

    def _decoded(self, number: int, *, tolerant: bool) -> Frame:
        from PIL import ImageOps  # noqa: PLC0415

        with _guarded(), _tolerant(tolerant):
            self._image.seek(number)
            _check_size(self._image)
            orientation = self._image.getexif().get(_ORIENTATION)
            stated = self._image.info.get("dpi")
            self._image.load()
            image = ImageOps.exif_transpose(self._image)
            across, down = resolution(stated, self._image.size)
            if orientation in _ON_ITS_SIDE:
                across, down = down, across
            flat = _squared(_on_white(image), across, down)
            return Frame(flat, max(across, down), is_cut_off=tolerant)

    def _count_frames(self) -> None:
        """Count the pages one by one up to the limit: the file's own chain may have no end."""
        readable, number = 1, 1
        while number <= MAX_FRAMES and number - readable < 2:
            try:
                with _guarded():
                    self._image.seek(number)
                readable = number + 1
            except DocumentError as error:
                if isinstance(error.__cause__, EOFError):
                    break
            number += 1
        self.has_more_frames = readable > MAX_FRAMES
        self.frame_count = min(readable, MAX_FRAMES)


def open_picture(data: bytes) -> Picture:
    """Open a PNG, JPEG, GIF, BMP or TIFF file.

    Raises DocumentError: damaged, or more than ``MAX_PIXELS`` pixels in a page.
    """
    from PIL import Image  # noqa: PLC0415

    with _guarded():
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
        _check_size(image)
        return Picture(image)


def resolution(stated: object, size: tuple[int, int]) -> tuple[float, float]:
    """Return the pixels per inch, across and down, of a page of ``size`` pixels.

    The resolution that the file states (``stated``: two numbers) is believed if it is 100 to
    2400 and gives a page of at most 120 inches, or if it is 36 to 100, as of a screen, and gives
    a page no longer than A3: cameras write 72 whatever they took. Otherwise the longer side is
    taken for that of A4 (11.69 inches), within 72 to 600 pixels per inch.
    """
    try:
        across, down = (float(value) for value in stated)  # type: ignore[attr-defined]
    except (TypeError, ValueError, ZeroDivisionError):
        across = down = 0.0
    if _is_believable(across, size[0]) and _is_believable(down, size[1]):
        return across, down
    assumed = min(600.0, max(72.0, max(size) / _A4_LONG_INCHES))
    return assumed, assumed


def _is_believable(dpi: float, pixels: int) -> bool:
    if not math.isfinite(dpi) or not _LOWEST_DPI <= dpi <= _HIGHEST_DPI:
        return False
    return pixels / dpi <= (_A3_LONG_INCHES if dpi < _SCREEN_DPI else _LONGEST_INCHES)


def _check_size(image: Any) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise too_large()
    if width < 1 or height < 1:
        raise ValueError("no pixels")


def too_large() -> DocumentError:
    """Return the error for a picture with more pixels than are read."""
    return DocumentError(
        "Picture too large",
        f"The picture has more than {MAX_PIXELS // 1_000_000} million pixels, or a side of more"
        f" than {MAX_SIDE:,}.",
        "Save a smaller copy; 300 pixels per inch are enough.",
        DocumentProblem.TOO_LARGE,
    )


def _squared(image: Image, across: float, down: float) -> Image:
    """Return ``image`` with square pixels."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    if max(across, down) <= _SQUARE * min(across, down):
        return image
    dpi = max(across, down)
    size = (round(image.width * dpi / across), round(image.height * dpi / down))
    if size[0] * size[1] > MAX_PIXELS:
        raise too_large()
    return image.resize(size, pillow.Resampling.BICUBIC)


def _on_white(image: Image) -> Image:
    """Return ``image`` as L or RGB, what is transparent in it as white."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode.startswith(("I", "F")):
        return _deep_grey(image)
    if image.has_transparency_data:
        whole = image.convert("RGBA")
        white = pillow.new("RGB", image.size, "white")
        white.paste(whole, mask=whole.getchannel("A"))
        return white
    return image.convert("RGB")


def _deep_grey(image: Image) -> Image:
    """Return a picture of more than eight bits in eight, its own range stretched over them."""
    import numpy as np  # noqa: PLC0415
    from PIL import Image as pillow  # noqa: N813, PLC0415

    values = np.nan_to_num(np.asarray(image, dtype=np.float32), posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    if image.mode.startswith("I;16"):
        low, high = 0.0, 65_535.0
    scaled = (values - low) * (255.0 / max(high - low, 1e-6))
    return pillow.fromarray(scaled.clip(0, 255).astype(np.uint8))


@contextmanager
def _guarded() -> Iterator[None]:
    """Turn what Pillow raises and warns of into our errors."""
    from PIL import Image  # noqa: PLC0415

    with warnings.catch_warnings():
        # Remarks on odd tags; sizes are checked by ourselves.
        warnings.simplefilter("ignore")
        try:
            yield
        except Image.DecompressionBombError as error:
            raise too_large() from error
        except _DAMAGED as error:
            raise DocumentError(
                "Damaged picture",
                "The picture cannot be read; it seems to be damaged.",
                "Open it in an image viewer and save it again.",
                DocumentProblem.DAMAGED,
            ) from error


@contextmanager
def _tolerant(wanted: bool) -> Iterator[None]:
    """Have Pillow read as far as a cut-off file goes; its switch is put back."""
    from PIL import ImageFile  # noqa: PLC0415

    before = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = wanted or before
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before
