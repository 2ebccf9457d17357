"""The steps of the set-up: what they decide, and how they fail."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from setup_steps import main_job, program, system_packages
from setup_steps.commands import Command, run
from setup_steps.environment import Environment, pinned_version, read_pins
from setup_steps.native_wheels import NativeWheel, WheelShelf, prove
from setup_steps.places import Checkout, models_folder, user_cache_folder, user_data_folder
from setup_steps.processor import this_processor
from setup_steps.stamp import Stamp, digest_of_inputs, models_are_here
from setup_steps.terminal import Rate, SetupError, Terminal, duration, megabytes

from phasergun_desktop import paths
from phasergun_desktop.workspace.sample_project import SampleProject
from phasergun_desktop.workspace.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = """
[[model]]
file = "a.gguf"
bytes = 4
install = "always"
[[model]]
file = "b.gguf"
bytes = 4
install = "custom-models"
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A small checkout whose folders are all temporary."""
    monkeypatch.setenv("PHASERGUN_WHEELS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PHASERGUN_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = Checkout(tmp_path / "clone")
    for folder in (found.packaging, found.catalogue.parent, found.venv, tmp_path / "models"):
        folder.mkdir(parents=True)
    found.catalogue.write_text(CATALOGUE, "utf-8")
    (found.root / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[build-system]\nrequires = []\n[tool.ruff]\nline-length = 1\n'
    )
    found.lock_file("").write_text("hnswlib==0.8.0\nllama-cpp-python==0.3.36\nnumpy==2.0\n")
    found.lock_file("dev").write_text('pytest==9.0\ncolorama==0.4 ; sys_platform == "win32"\n')
    return found


def _install_fake(checkout: Checkout, name: str, version: str) -> None:
    site = checkout.venv / "lib" / "python3.11" / "site-packages"
    (site / f"{name}-{version}.dist-info").mkdir(parents=True)


def test_the_places_are_those_of_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PHASERGUN_HOME")
    places = paths.user_places()
    assert user_cache_folder() == places.cache
    assert user_data_folder() == places.data
    assert models_folder() == places.models


def test_locks_pin_everything_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    checkout = Checkout(ROOT)
    core = read_pins(checkout.lock_file(""))
    extras = project["optional-dependencies"]
    for names, pins in (
        (project["dependencies"], core),
        (extras["dev"], core | read_pins(checkout.lock_file("dev"))),
        (extras["custom-models"], core | read_pins(checkout.lock_file("custom-models"))),
    ):
        for name in names:
            short = name.split(">")[0].split("=")[0].split("!")[0].lower().replace("_", "-")
            assert short in pins, name
    assert pinned_version(core["pyside6-essentials"]) != "6.12.0"
    assert "torch" not in core


def test_two_locks_never_disagree() -> None:
    checkout = Checkout(ROOT)
    dev, custom = (read_pins(checkout.lock_file(name)) for name in ("dev", "custom-models"))
    for name in dev.keys() & custom.keys():
        assert pinned_version(dev[name]) == pinned_version(custom[name])


def test_what_is_missing_is_told_by_version(checkout: Checkout) -> None:
    environment = Environment(checkout, Terminal(), offline=True)
    _install_fake(checkout, "numpy", "1.9")
    _install_fake(checkout, "Pytest", "9.0")
    pins = environment.pins(["dev"])
    assert set(environment.missing(pins)) == {"hnswlib", "llama-cpp-python", "numpy"}
    with pytest.raises(SetupError, match="numpy") as caught:
        environment.install(["dev"])
    assert "--offline" in caught.value.remedy


def test_offline_names_what_is_not_compiled(checkout: Checkout) -> None:
    environment = Environment(checkout, Terminal(), offline=True)
    processor = this_processor()
    with pytest.raises(SetupError, match="llama-cpp-python, hnswlib"):
        environment.install_native(processor)


def test_a_kept_wheel_is_not_compiled_again(checkout: Checkout) -> None:
    wheel = NativeWheel("hnswlib", "0.8.0", ())
    folder = checkout.wheels / wheel.key
    folder.mkdir(parents=True)
    (folder / "hnswlib-0.8.0-cp311-cp311-linux_x86_64.whl").touch()
    assert WheelShelf(checkout, Terminal()).build(wheel).parent == folder


def test_no_compiler_is_one_sentence(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SetupError, match="no C\\+\\+ compiler") as caught:
        WheelShelf(checkout, Terminal()).build(NativeWheel("hnswlib", "0.8.0", ()))
    assert "g++" in caught.value.remedy


def _fake_python(checkout: Checkout, script: str) -> None:
    checkout.python.parent.mkdir(parents=True, exist_ok=True)
    checkout.python.write_text(f"#!/bin/sh\n{script}\n")
    checkout.python.chmod(checkout.python.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize(
    ("script", "said"), [("kill -ILL $$", "SIGILL"), ("echo no module >&2; exit 1", "no module")]
)
def test_a_failed_proof_says_how_and_what_to_do(checkout: Checkout, script: str, said: str) -> None:
    _fake_python(checkout, script)
    with pytest.raises(SetupError, match=said) as caught:
        prove(checkout, NativeWheel("llama-cpp-python", "0", ()), Path("m"), Terminal())
    assert "--processor avx2" in caught.value.remedy


def test_the_stamp_follows_its_inputs(checkout: Checkout) -> None:
    stamp = Stamp(checkout)
    first = digest_of_inputs(checkout, ["dev"], ["key"])
    assert not stamp.holds(["dev"], first)
    stamp.write(["dev"], first)
    assert stamp.holds(["dev"], first)
    assert not stamp.holds([], first)
    assert digest_of_inputs(checkout, ["dev"], ["other flags"]) != first
    checkout.lock_file("dev").write_text("pytest==9.1\n")
    assert not stamp.holds(["dev"], digest_of_inputs(checkout, ["dev"], ["key"]))


def test_settings_of_tools_do_not_repeat_the_set_up(checkout: Checkout) -> None:
    before = digest_of_inputs(checkout, [], [])
    path = checkout.root / "pyproject.toml"
    path.write_text(path.read_text().replace("line-length = 1", "line-length = 2"))
    assert digest_of_inputs(checkout, [], []) == before


def test_a_removed_model_is_noticed(checkout: Checkout) -> None:
    assert not models_are_here(checkout, ["always"])
    (models_folder() / "a.gguf").write_bytes(b"GGUF")
    assert models_are_here(checkout, ["always"])
    assert not models_are_here(checkout, ["always", "custom-models"])


def test_a_program_that_fails_is_one_sentence_and_a_log(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "print('reading'); print('ERROR: no such thing'); exit(3)"]
    command = Command("Doing it", words, tmp_path / "logs" / "it.log", "Do something else.")
    with pytest.raises(SetupError, match="Doing it failed: ERROR: no such thing") as caught:
        run(command, Terminal())
    assert caught.value.remedy.startswith("Do something else. The whole output is in")


def test_an_absent_program_is_one_sentence(tmp_path: Path) -> None:
    command = Command("Doing it", ["no-such-program"], tmp_path / "it.log", "Install it.")
    with pytest.raises(SetupError, match="cannot be started"):
        run(command, Terminal())


def test_ctrl_c_ends_what_runs_and_says_so(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    inner = f"import os,time; open({str(note)!r},'w').write(str(os.getpid())); time.sleep(60)"
    outer = (
        "import signal, sys; sys.path.insert(0, sys.argv[1])\n"
        # Whoever runs the tests in the background may have had the signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pathlib import Path\n"
        "from setup_steps.commands import Command, run\n"
        "from setup_steps.terminal import Terminal\n"
        "try:\n"
        "    run(Command('w', [sys.executable, '-c', sys.argv[2]], Path(sys.argv[3]), ''),"
        " Terminal())\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    words = [sys.executable, "-c", outer, str(ROOT / "packaging"), inner, str(tmp_path / "log")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 20
        while not (note.exists() and note.read_text()) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0].strip() == "stopped"
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_missing_libraries_are_named_by_package() -> None:
    found = system_packages.missing_packages(
        loads=lambda library: library != "libEGL.so.1",
        finds=lambda program: None if program == "tesseract" else program,
        has_fonts=lambda: False,
    )
    assert found.qt == ("libegl1",)
    assert found.others == ("tesseract-ocr", "fonts-dejavu-core")


@pytest.mark.skipif(sys.platform != "linux", reason="apt-get is Linux")
def test_without_root_the_exact_command_is_printed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = system_packages.Missing(("libegl1",), ("tesseract-ocr",))
    monkeypatch.setattr(system_packages, "missing_packages", lambda _: lacking)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/apt-get")
    command = "sudo apt-get install -y --no-install-recommends libegl1 tesseract-ocr"
    with pytest.raises(SetupError, match="libegl1") as caught:
        system_packages.provide(checkout, Terminal(), offline=False, needs_qt=True)
    assert command in caught.value.remedy
    system_packages.provide(checkout, Terminal(), offline=False, needs_qt=False)
    assert command in capsys.readouterr().out


def test_no_screen_has_a_reason() -> None:
    assert main_job.why_no_window("linux", {"DISPLAY": ":0"}) == ""
    assert main_job.why_no_window("linux", {"WAYLAND_DISPLAY": "w"}) == ""
    assert main_job.why_no_window("win32", {}) == ""
    assert "DISPLAY" in main_job.why_no_window("linux", {})


def test_without_a_screen_the_job_is_done_on_the_command_line(
    checkout: Checkout,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    project = tmp_path / "project"
    prompts = project / "Context" / "Prompt"
    prompts.mkdir(parents=True)
    for name in ("b.md", "a.md", "0.docx"):
        (prompts / name).touch()
    _fake_python(checkout, 'echo "$3" "$5"')
    monkeypatch.setattr(main_job, "why_no_window", lambda *_: "there is no screen")
    assert main_job.start(checkout, Terminal(), project) == 0
    said = capfd.readouterr().out
    assert said.index("index") < said.index(f"draft {prompts / 'a.md'}")
    assert said.count("there is no screen") == 2


def test_a_missing_project_is_one_sentence(checkout: Checkout, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="does not exist"):
        main_job.start(checkout, Terminal(), tmp_path / "absent")


@pytest.mark.parametrize("words", [[], ["fly"], ["run", "--with", "nothing"]])
def test_wrong_words_are_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        program.parse(words)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_only_test_pulls_the_development_tools() -> None:
    assert program.parse(["run", "folder"]).extras == ()
    assert program.parse(["test"]).extras == ("dev",)
    assert program.parse(["test", "--with", "custom-models"]).extras == ("custom-models", "dev")


def test_a_disk_problem_is_a_sentence(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "file")

    monkeypatch.setattr(program, "set_up", full)
    assert program.main(["install"], checkout.root) == 1
    said = capsys.readouterr().out
    assert "No space left" in said
    assert "Remedy" in said


def test_ci_runs_the_test_command() -> None:
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines[-1] == "exec python3 packaging/bootstrap.py test --with custom-models"


def test_sizes_and_times_for_people() -> None:
    assert megabytes(3_200_000) == "3.2 MB"
    assert megabytes(1_117_320_768) == "1,117 MB"
    assert duration(65) == "1 min 05 s"
    assert Rate().text(5) == ""


def test_the_sample_is_the_one_that_the_window_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path))
    source = ROOT / "resources" / "sample_project"
    unused: Any = None
    places = paths.user_places()
    workspace = Workspace(
        places,
        unused,
        unused,
        sample=SampleProject(source, unused, places.data / "Sample project"),
        vectors=unused,
        make_session=unused,
        on_close=lambda: None,
        language_models=unused,
    )
    copied = main_job.sample_project(Checkout(ROOT))
    assert copied == workspace.sample()
    assert {path.name for path in copied.iterdir()} == {path.name for path in source.iterdir()}
