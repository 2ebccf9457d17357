"""How a session's documents are read: passwords, languages, programs."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from fpdf import FPDF

from phasergun_desktop.errors import DocumentError, DocumentProblem, ProjectError
from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.settings.passwords import SERVICE, KeyringPasswords
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.fake_keyring import FakeKeyring
from tests.fakes.warmer_project import make_warmer_project
from tests.workspace.conftest import places_in

LOCKED = "Context/Ongoing/TR-200-locked.pdf"
PASSWORD = "Tür-zu-7"


def locked_pdf(path: Path) -> None:
    pdf = FPDF()
    pdf.set_encryption(owner_password="owner", user_password=PASSWORD)
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    pdf.cell(text="The battery lasts eleven hours.")
    pdf.output(str(path))


@pytest.fixture
def keyring() -> FakeKeyring:
    return FakeKeyring()


@pytest.fixture
def application(tmp_path: Path, models_path: Path, keyring: FakeKeyring) -> Iterator[Application]:
    made = build_application(
        places_in(tmp_path / "home", models_path), passwords=KeyringPasswords(lambda: keyring)
    )
    yield made
    made.close()


@pytest.fixture
def session(application: Application, tmp_path: Path) -> Iterator[ProjectSession]:
    root = make_warmer_project(tmp_path / "project")
    locked_pdf(root / LOCKED)
    opened = application.workspace.open(root)
    run_to_end(opened.sync())
    yield opened
    opened.close()


def test_a_password_opens_what_was_locked(
    session: ProjectSession, application: Application, keyring: FakeKeyring, tmp_path: Path
) -> None:
    record = {each.file: each for each in session.files()}[LOCKED]
    assert (record.state, record.problem) == (FileState.FAILED, DocumentProblem.PASSWORD)
    # Nothing was asked of the keyring for a project that has no passwords.
    assert not session.reading.has_passwords()
    assert keyring.calls == 0
    with pytest.raises(DocumentError):
        session.page_image(LOCKED, 1, 0.5)

    assert session.reading.add_password("wrong")
    assert session.reading.add_password(PASSWORD)
    report = run_to_end(session.sync())
    assert report.changed == 1
    assert "eleven hours" in session.source(LOCKED).document.text
    assert session.page_image(LOCKED, 1, 0.5).png.startswith(b"\x89PNG")
    assert run_to_end(session.sync()).changed == 0
    assert session.reading.has_passwords()
    assert json.loads(keyring.entries[SERVICE, session.project.project_id]) == [PASSWORD, "wrong"]
    # It is in no file of ours.
    words = [PASSWORD.encode(), json.dumps(PASSWORD).encode(), PASSWORD.encode("utf-16-le")]
    for path in (tmp_path / "home").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(word in content for word in words), path


def test_another_session_finds_the_password(
    session: ProjectSession, application: Application
) -> None:
    session.reading.add_password(PASSWORD)
    session.close()
    other = application.workspace.open(session.project.root)
    try:
        assert other.reading.has_passwords()
        run_to_end(other.sync(retry_files=frozenset({LOCKED})))
        assert "eleven hours" in other.source(LOCKED).document.text
        other.reading.forget_passwords()
        assert not other.reading.has_passwords()
    finally:
        other.close()


def test_forgetting_the_project_forgets_its_passwords(
    session: ProjectSession, application: Application, keyring: FakeKeyring
) -> None:
    session.reading.add_password(PASSWORD)
    assert keyring.entries
    session.close()
    application.workspace.forget(session.project.root)
    assert keyring.entries == {}


def test_without_a_keyring_it_opens_for_this_session(
    session: ProjectSession, keyring: FakeKeyring, caplog: pytest.LogCaptureFixture
) -> None:
    keyring.refuses = True
    with caplog.at_level(logging.DEBUG):
        assert not session.reading.add_password(PASSWORD)
        run_to_end(session.sync())
    assert "eleven hours" in session.source(LOCKED).document.text
    assert session.reading.has_passwords()
    assert PASSWORD not in caplog.text
    with pytest.raises(ProjectError):
        session.reading.add_password("")


def test_other_languages_read_again_what_may_be_scanned(session: ProjectSession) -> None:
    session.reading.add_password(PASSWORD)
    run_to_end(session.sync())
    assert session.reading.languages() == "eng"
    with pytest.raises(ProjectError, match="languages"):
        session.reading.set_languages("../../secret")
    session.reading.set_languages("eng+osd")
    assert session.reading.languages() == "eng+osd"
    report = run_to_end(session.sync())
    # The PDF; the documents of the sample project have no pages that could be pictures.
    pdfs = [each for each in session.files() if each.file.endswith(".pdf")]
    assert report.changed == len(pdfs)
    assert run_to_end(session.sync()).changed == 0
