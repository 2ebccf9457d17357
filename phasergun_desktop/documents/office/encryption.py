"""Opens Office files that are protected by a password, of both generations."""

from __future__ import annotations

import io
import struct
from xml.parsers.expat import ExpatError

from phasergun_desktop.documents.container.listing import OLE_MAGIC
from phasergun_desktop.documents.office.decryption import agile_key, plain_presentation
from phasergun_desktop.errors import DocumentError, DocumentProblem

# What Office itself takes where a file is protected against changes only: files with one of
# these open for everybody.
_DEFAULT_PASSWORDS = ("VelvetSweatshop", "/01Hannes Ruescher/01")
_RIGHTS_MANAGEMENT = (
    "DRMContent",
    "DRMEncryptedDataSpace",
    "DRMDataSpace",
    "DRMViewerContent",
)
# What readers of damaged bytes raise.
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
    struct.error,
    ExpatError,
)


def decrypted(data: bytes, passwords: tuple[str, ...]) -> bytes:
    """Return the file in ``data`` without its protection; ``data`` itself where it has none.

    Every one of ``passwords`` is tried. Raises DocumentError with the problem PASSWORD where
    none of them fits, and another where no password could (rights management, an unknown
    method of encryption, damage).
    """
    if not data.startswith(OLE_MAGIC):
        return data
    if any(_names(data, stream) for stream in _RIGHTS_MANAGEMENT):
        raise DocumentError(
            "Rights management",
            "The Office file is protected by rights management (DRM), which no password opens.",
            "Ask its owner for a copy without that protection.",
        )
    if not _is_encrypted(data):
        return data
    refused = False
    for password in (*passwords, *_DEFAULT_PASSWORDS):
        if not password:
            continue
        try:
            return _opened(data, password)
        except PermissionError:
            refused = True
        except DAMAGE:
            continue
    if refused:
        raise _protected("The password is not known or not right.", passwords)
    raise DocumentError(
        "Password protected",
        "The Office file is password protected in a way that cannot be opened here.",
        "Save a copy without the password.",
        DocumentProblem.PASSWORD,
    )


def _protected(detail: str, passwords: tuple[str, ...]) -> DocumentError:
    message = "The Office file is password protected."
    return DocumentError(
        "Password protected",
        f"{message} {detail}" if passwords else message,
        "Enter the password, or save a copy without it.",
        DocumentProblem.PASSWORD,
    )


def _names(data: bytes, stream: str) -> bool:
    """Say whether the directory of the compound file names a stream that ends so."""
    return f"{stream}\0".encode("utf-16-le") in data


def _is_encrypted(data: bytes) -> bool:
    import msoffcrypto  # noqa: PLC0415
    from msoffcrypto import exceptions  # noqa: PLC0415

    try:
        return bool(msoffcrypto.OfficeFile(io.BytesIO(data)).is_encrypted())
    except exceptions.FileFormatError:
        return False
    except (*DAMAGE, exceptions.DecryptionError, exceptions.ParseError):
        # What cannot even be looked at is not called protected, unless its name says so.
        return _names(data, "EncryptedPackage")


def _opened(data: bytes, password: str) -> bytes:
    """Return the plain file. Raises PermissionError for a wrong password, DAMAGE for others."""
    import msoffcrypto  # noqa: PLC0415
    from msoffcrypto import exceptions  # noqa: PLC0415

    plain = io.BytesIO()
    try:
        file = msoffcrypto.OfficeFile(io.BytesIO(data))
        if _has_short_hash(file):
            found = file.info
            key = agile_key(
                password,
                found["passwordSalt"],
                found["passwordHashAlgorithm"],
                found["spinValue"],
                found["passwordKeyBits"],
                found["encryptedKeyValue"],
            )
            file.load_key(secret_key=key)
        else:
            file.load_key(password=password)
        if file.format == "ppt97":
            return plain_presentation(data, password, file.salt, file.keySize)
        file.decrypt(plain)
    except exceptions.InvalidKeyError as error:
        raise PermissionError from error
    except (
        exceptions.DecryptionError,
        exceptions.FileFormatError,
        exceptions.ParseError,
    ) as error:
        raise ValueError from error
    if not plain.getvalue():
        raise ValueError
    return plain.getvalue()


def _has_short_hash(file: object) -> bool:
    """Say whether the hash of ``file`` is shorter than its key, which the library cannot take."""
    if getattr(file, "type", "") != "agile":
        return False
    info = getattr(file, "info", {})
    return info.get("passwordHashAlgorithm") == "SHA1" and info.get("passwordKeyBits", 0) > 160
