"""Opens Office files that are protected by a password, of both generations."""

from __future__ import annotations

import hashlib
import io
import struct

from phasergun_desktop.documents.container.compound import DAMAGE, OLE_MAGIC
from phasergun_desktop.documents.office.ppt_records import edits_and_places, record_at
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
_KEY_PURPOSE = bytes((0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6))
_HASHES = {"SHA1": "sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}
_NOT_ENCRYPTED = 0xE391C05F
_SESSION = 0x2F14
_EDIT_BYTES = 28
_HEAD_BYTES = 8


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


def agile_key(
    password: str, salt: bytes, algorithm: str, spins: int, bits: int, encrypted_key: bytes
) -> bytes:
    """Return the key of an Office file of after 2007, ``bits`` long.

    [MS-OFFCRYPTO] 2.3.4.11 has a hash that is shorter than the key filled up with 0x36. Raises
    ValueError for an unknown hash.
    """
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415

    name = _HASHES.get(algorithm.replace("-", "").upper())
    if name is None:
        raise ValueError("unknown hash")
    digest = hashlib.new(name, salt + password.encode("utf-16-le")).digest()
    for spin in range(spins):
        digest = hashlib.new(name, struct.pack("<I", spin) + digest).digest()
    key = hashlib.new(name, digest + _KEY_PURPOSE).digest().ljust(bits // 8, b"\x36")[: bits // 8]
    decryptor = Cipher(algorithms.AES(key), modes.CBC(salt)).decryptor()
    return (decryptor.update(encrypted_key) + decryptor.finalize())[: bits // 8]


def plain_presentation(data: bytes, password: str, salt: bytes, key_bits: int) -> bytes:
    """Return the PowerPoint 97-2003 file in ``data`` with its records decrypted.

    msoffcrypto-tool takes the parts of the file to follow one another in the order of their
    numbers, and loses the list of the last edit where they do not. Pictures stay encrypted.
    Raises ValueError, OSError or struct.error.
    """
    import olefile  # noqa: PLC0415
    from msoffcrypto.method.rc4_cryptoapi import DocumentRC4CryptoAPI  # noqa: PLC0415

    file = io.BytesIO(data)
    with olefile.OleFileIO(file, write_mode=True) as container:
        stream = bytearray(container.openstream("PowerPoint Document").read())
        user = bytearray(container.openstream("Current User").read())
        (last_edit,) = struct.unpack_from("<I", user, 16)
        edits, places = edits_and_places(bytes(stream), last_edit)
        ends = sorted({*places.values(), *edits, len(stream)})
        for number, place in places.items():
            if record_at(bytes(stream[place : place + _HEAD_BYTES]), 0).kind == _SESSION:
                continue  # how the others are encrypted, in plain
            end = next(each for each in ends if each > place)
            found = DocumentRC4CryptoAPI.decrypt(
                password,
                salt,
                key_bits,
                io.BytesIO(bytes(stream[place:end])),
                blocksize=end - place,
                block=number,
            ).read()
            (length,) = struct.unpack_from("<I", found, 4)
            whole = min(_HEAD_BYTES + length, end - place)
            stream[place : place + whole] = found[:whole]
        for edit in edits:
            # An edit that names no session of encryption is four bytes shorter.
            struct.pack_into("<I", stream, edit + 4, _EDIT_BYTES)
        struct.pack_into("<I", user, 12, _NOT_ENCRYPTED)
        container.write_stream("PowerPoint Document", bytes(stream))
        container.write_stream("Current User", bytes(user))
    return file.getvalue()
