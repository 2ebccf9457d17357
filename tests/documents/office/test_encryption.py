"""Office files with a password: which open, and what the others are called."""

from __future__ import annotations

import hashlib
import io
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from docx import Document
from msoffcrypto.format.ooxml import OOXMLFile

from phasergun_desktop.documents.document_reader import ReadingOptions
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.documents.office.encryption import agile_key, decrypted
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.office.compound_file import compound_file


@pytest.fixture(scope="module")
def plain() -> bytes:
    word = Document()
    word.add_paragraph("behind the password")
    stream = io.BytesIO()
    word.save(stream)
    return stream.getvalue()


def protected(plain: bytes, password: str) -> bytes:
    stream = io.BytesIO()
    OOXMLFile(io.BytesIO(plain)).encrypt(password, stream)
    return stream.getvalue()


def test_a_file_opens_with_any_of_the_known_passwords(plain: bytes) -> None:
    locked = protected(plain, "grün7")
    assert decrypted(locked, ("wrong", "grün7")) == plain
    assert decrypted(plain, ()) is plain


def test_a_file_that_is_protected_against_changes_only_opens_for_everybody(plain: bytes) -> None:
    assert decrypted(protected(plain, "VelvetSweatshop"), ()) == plain


@pytest.mark.parametrize("passwords", [(), ("wrong",)])
def test_without_a_fitting_password_it_is_protected_not_damaged(
    plain: bytes, passwords: tuple[str, ...]
) -> None:
    with pytest.raises(DocumentError) as raised:
        decrypted(protected(plain, "secret"), passwords)
    assert raised.value.problem is DocumentProblem.PASSWORD
    assert "password protected" in raised.value.message
    assert "secret" not in raised.value.message


def test_an_opened_file_is_read_as_what_it_is(plain: bytes, tmp_path: Path) -> None:
    path = tmp_path / "plan.docx"
    path.write_bytes(protected(plain, "open sesame"))
    document = parse_file(path, ReadingOptions(passwords=("open sesame",)))
    assert document.format == "docx"
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH]
    assert document.text == "behind the password"
    with pytest.raises(DocumentError) as raised:
        parse_file(path)
    assert raised.value.problem is DocumentProblem.PASSWORD


def test_rights_management_is_not_a_question_of_a_password() -> None:
    data = compound_file({"WordDocument": b"", "\tDRMContent": b""})
    with pytest.raises(DocumentError, match="rights management") as raised:
        decrypted(data, ("secret",))
    assert raised.value.problem is not DocumentProblem.PASSWORD


def test_damaged_encryption_ends_in_a_sentence() -> None:
    data = compound_file({"EncryptionInfo": b"\x04\x00\x04\x00", "EncryptedPackage": b"x" * 4096})
    with pytest.raises(DocumentError) as raised:
        decrypted(data, ("secret",))
    assert raised.value.problem is DocumentProblem.PASSWORD


def test_a_hash_shorter_than_the_key_is_filled_up() -> None:
    salt, secret, spins = b"s" * 16, b"k" * 32, 10
    digest = hashlib.sha1(salt + "pass".encode("utf-16-le")).digest()
    for spin in range(spins):
        digest = hashlib.sha1(struct.pack("<I", spin) + digest).digest()
    purpose = bytes((0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6))
    key = hashlib.sha1(digest + purpose).digest() + b"\x36" * 12
    encryptor = Cipher(algorithms.AES(key), modes.CBC(salt)).encryptor()
    held = encryptor.update(secret) + encryptor.finalize()
    assert agile_key("pass", salt, "SHA1", spins, 256, held) == secret
    with pytest.raises(ValueError, match="hash"):
        agile_key("pass", salt, "MD5", spins, 256, held)


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("docx/encrypted__bug53475-password-is-pass.docx", "pass"),
        ("pptx/encrypted__testPPT_protected_passtika.pptx", "tika"),
        ("ppt/encrypted__Password_Protected-hello.ppt", "hello"),
        ("ppt/encrypted__Password_Protected-np-hello.ppt", "hello"),
    ],
)
def test_real_files_of_every_generation_open(test_data: Path, name: str, password: str) -> None:
    path = test_data / "nasty" / name
    document = parse_file(path, ReadingOptions(passwords=("no", password)))
    assert document.blocks
    with pytest.raises(DocumentError) as raised:
        parse_file(path, ReadingOptions(passwords=("no",)))
    assert raised.value.problem is DocumentProblem.PASSWORD
