"""The command on language models: files of the catalogue and of the user's, profiles, servers."""

from __future__ import annotations

import getpass
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.endpoint_address import parse_address
from phasergun_desktop.language_models.model_check import ModelCheck
from phasergun_desktop.models.model_store import ModelState
from phasergun_desktop.settings.model_choice import ModelChoice, ModelProfile, ModelSource
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.chosen_models import choice_of
from phasergun_desktop.workspace.json_form import models_json
from phasergun_desktop.workspace.model_choices import ModelChoices
from phasergun_desktop.workspace.model_json import check_json, model_name, profiles_json


def models(application: Application, options: Namespace, console: Console) -> int:
    """List, fetch, verify or check model files; show and change the model profiles."""
    choices = application.workspace.language_models
    match options.action:
        case "check":
            return _check(choices, Path(options.name), console)
        case "profiles":
            return _profiles(choices, console)
        case "use":
            return _use(choices, options, console)
        case "consent" | "withdraw":
            choices.set_consent(_profile(options.name), agrees=options.action == "consent")
            return _profiles(choices, console)
        case "key":
            return _key(choices, _profile(options.name), console)
    return _files(application, options, console)


def _files(application: Application, options: Namespace, console: Console) -> int:
    store = application.models
    if options.action == "fetch":
        path = console.run(store.fetch(options.name))
        console.note(f"{options.name} is ready: {path.name}.")
    if options.action == "verify":
        statuses = console.run(store.verify(options.name))
    elif options.name:
        statuses = (store.status(options.name),)
    else:
        statuses = store.list()
    if console.wants_json:
        console.result(models_json(statuses))
    else:
        for each in statuses:
            size = f"{each.entry.size_bytes / 1e6:,.0f} MB"
            line = f"{each.state.value:9} {size:>9}  {each.entry.name}  ({each.entry.licence})"
            console.say(f"{line}  {each.problem}".rstrip())
    return 1 if any(each.state is ModelState.DAMAGED for each in statuses) else 0


def _check(choices: ModelChoices, path: Path, console: Console) -> int:
    check = console.run(choices.check_file(path))
    if console.wants_json:
        error = {"title": "This model cannot be used", "message": check.problem, "remedy": ""}
        failure = {} if check.is_usable else {"status": "error", "error": error}
        console.result({**check_json(str(path), check), **failure})
    elif check.is_usable:
        console.say(f"{path.name} can be used. {in_words(check)}")
    else:
        console.note(check.problem)
    return 0 if check.is_usable else 1


def in_words(check: ModelCheck) -> str:
    """Return what a checked file is, and how fast it is on this machine."""
    return (
        f"{check.parameters / 1e9:.1f} billion parameters ({check.architecture}), made for "
        f"{check.context_tokens:,} tokens. On this machine, now: reads "
        f"{check.prompt_tokens_per_s:.0f} and writes {check.writing_tokens_per_s:.0f} tokens a "
        f"second, takes {check.memory_bytes / 1e9:.1f} GB of memory."
    )


def _profiles(choices: ModelChoices, console: Console) -> int:
    generation = choices.generation()
    defaults = {profile: choices.default_of(profile) for profile in ModelProfile}
    if console.wants_json:
        console.result(profiles_json(generation, defaults))
        return 0
    for profile in ModelProfile:
        choice = generation.choice(profile)
        mark = "▸" if profile is generation.model_profile else " "
        where = ""
        if choice.is_remote:
            agreed = "agreed" if choice.endpoint.has_consent else "not agreed: off"
            where = f" at {choice.endpoint.address} (remote, {agreed})"
        console.say(f"{mark} {profile.value:9} {model_name(generation, profile, defaults)}{where}")
    return 0


def _use(choices: ModelChoices, options: Namespace, console: Console) -> int:
    profile = _profile(options.name)
    generation = choices.generation()
    if options.target:
        before = generation.choice(profile)
        generation = generation.with_choice(profile, _chosen(options, before))
        if not options.target.lower().startswith(("http://", "https://")):
            _refuse_unknown(choices, generation.choice(profile))
    choices.save(replace(generation, model_profile=profile))
    choice = choices.generation().choice(profile)
    if choice.is_remote:
        warning = parse_address(choice.endpoint.address).warning
        if warning:
            console.note(f"warning: {warning}")
        if not choice.endpoint.has_consent:
            console.note(
                f"Nothing is sent before you agree: run “phasergun models consent {profile.value}”."
            )
    return _profiles(choices, console)


def _chosen(options: Namespace, before: ModelChoice) -> ModelChoice:
    if not options.target.lower().startswith(("http://", "https://")):
        named = choice_of(options.target)
        return replace(before, source=named.source, model=named.model, file=named.file)
    endpoint = replace(
        before.endpoint,
        address=str(parse_address(options.target)),
        model=options.server_model or before.endpoint.model,
    )
    if not endpoint.model:
        raise ModelError(
            "No model named",
            "The server has to be told which of its models is meant.",
            "Add --server-model NAME.",
        )
    return replace(before, source=ModelSource.REMOTE, endpoint=endpoint)


def _refuse_unknown(choices: ModelChoices, choice: ModelChoice) -> None:
    names = [each.entry.name for each in choices.catalogue()]
    if choice.source is ModelSource.CATALOGUE and choice.model not in names:
        raise ModelError(
            "Unknown model",
            f"There is no language model called “{choice.model}” in the catalogue.",
            f"Choose one of {', '.join(names)}, a .gguf file, or the address of a server.",
        )
    if choice.source is ModelSource.FILE and not Path(choice.file).is_file():
        raise ModelError(
            "No model file", f"The file {choice.file} is not there.", "Check its path."
        )


def _key(choices: ModelChoices, profile: ModelProfile, console: Console) -> int:
    choice = choices.generation().choice(profile)
    if not choice.is_remote:
        raise ModelError(
            "No server",
            f"The profile {profile.value} uses a model of this machine, which needs no key.",
            f"Name a server first: phasergun models use {profile.value} https://HOST/v1.",
        )
    # Never an argument: those are seen by everybody on the machine, and kept by the shell.
    key = getpass.getpass("Key: ") if sys.stdin.isatty() else sys.stdin.readline()
    if not choices.set_key(choice.endpoint.address, key.strip()):
        raise ModelError(
            "The key is not kept",
            "This system has no keyring that is safe, so that the key would be lost at once.",
            "Set up a keyring (GNOME Keyring, KWallet), or use a server that needs no key.",
        )
    console.note("The key is in the keyring." if key.strip() else "The key is forgotten.")
    return _profiles(choices, console)


def _profile(name: str) -> ModelProfile:
    try:
        return ModelProfile(name)
    except ValueError as error:
        raise ModelError(
            "Unknown model profile",
            f"There is no model profile called “{name}”.",
            f"Choose one of: {', '.join(each.value for each in ModelProfile)}.",
        ) from error
