"""Choices of models change nothing else, and never replace what could not be read."""

from __future__ import annotations

import os

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.settings.model_choice import ModelChoice, ModelProfile
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectSession


def _refuse(*_place: object) -> str:
    raise PermissionError(13, "Permission denied")


def test_another_profile_does_not_replace_settings_that_cannot_be_read(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = application.workspace.language_models
    choice = ModelChoice(model="smollm2-135m-instruct")
    choices.save(choices.generation().with_choice(ModelProfile.CHEAP, choice))
    before = application.workspace.settings.load()
    with monkeypatch.context() as locked:
        locked.setattr(os, "open", _refuse)
        with pytest.raises(StorageError):
            choices.use(ModelProfile.CHEAP)
    assert application.workspace.settings.load() == before
    assert choices.use(ModelProfile.CHEAP).choice(ModelProfile.CHEAP) == choice


def test_other_languages_do_not_replace_settings_that_cannot_be_read(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.reading.set_languages("eng+deu")
    with monkeypatch.context() as locked:
        locked.setattr(os, "open", _refuse)
        with pytest.raises(StorageError):
            session.reading.set_languages("fra")
    assert session.reading.languages() == "eng+deu"
