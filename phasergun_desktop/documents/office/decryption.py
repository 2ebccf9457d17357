"""Decrypts what msoffcrypto-tool cannot: some keys of 256 bits, and presentations of old."""

from __future__ import annotations

import hashlib
import io
import struct

from phasergun_desktop.documents.office.ppt_records import edits_and_places, record_at

_KEY_PURPOSE = bytes((0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6))
_HASHES = {"SHA1": "sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}
_NOT_ENCRYPTED = 0xE391C05F
_SESSION = 0x2F14
_EDIT_BYTES = 28
_HEAD_BYTES = 8


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
