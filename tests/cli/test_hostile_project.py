"""A project from a stranger: what stands under the names of its files stops nothing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.fakes.command import Run, Said
from tests.storage.test_small_files import STRANGE, posix_only

CATEGORIES = "Procedures/categories.yaml"
BAD_YAML = {
    "laughs": "a: &a [x,x]\nb: &b [*a,*a]\ndocuments: *b\n",
    "deep": "documents: " + "[" * 100_000,
    "deep_block": "".join(" " * n + "a:\n" for n in range(1, 900)),
    "base_60": "documents: " + "1:" * 300_000 + "1\n",
    "number": "documents: " + "9" * 100_000 + "\n",
    "hexadecimal": "documents: 0x" + "f" * 100_000 + "\n",
    "no_text": "documents: \0\n",
    "many": "documents:\n  a.md: {" + ", ".join(f"k{n}: x" for n in range(20_000)) + "}\n",
}


def _home() -> Path:
    return Path(os.environ["PHASERGUN_HOME"])


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Places of this test's own."""
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def _is_a_sentence(said: Said, *words: str) -> None:
    assert said.code == 1
    assert "Unexpected" not in said.err
    for word in words:
        assert word in said.err


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_strange_categories_are_a_warning(run: Run, fresh: Path, kind: str) -> None:
    STRANGE[kind](fresh / CATEGORIES)
    said = run("index", fresh)
    assert said.code == 0
    assert "categories.yaml, line 1" in said.err


@pytest.mark.parametrize("text", BAD_YAML)
def test_hostile_categories_are_a_warning(run: Run, fresh: Path, text: str) -> None:
    (fresh / CATEGORIES).write_text(BAD_YAML[text], "utf-8")
    started = time.perf_counter()
    said = run("index", fresh)
    assert time.perf_counter() - started < 15
    assert said.code == 0
    assert 1 <= said.err.count("warning: categories.yaml") <= 21


@posix_only
def test_categories_from_outside_are_not_used(run: Run, fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("documents: {a.md: {tags: [secret]}}\n")
    (fresh / CATEGORIES).symlink_to(tmp_path / "other.yaml")
    assert "outside the project" in run("index", fresh).err


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_strange_settings_are_defaults(run: Run, fresh: Path, own_home: Path, kind: str) -> None:
    (own_home / "config").mkdir(parents=True)
    STRANGE[kind](own_home / "config/settings.json")
    said = run("index", fresh)
    assert said.code == 0
    assert "the defaults are used" in said.err
    [project] = (own_home / "data/projects").iterdir()
    STRANGE[kind](project / "settings.json")
    assert run("index", fresh).code == 0
    # What would change them says so, and no device is replaced by a file.
    said = run("models", "use", "premium", "qwen2.5-coder-0.5b-instruct")
    _is_a_sentence(said, "settings.json", "ordinary file")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"x":' * 400 + "1" + "}" * 400,
        '{"indexing": {"parse_limit_s": ' + "9" * 4000 + "}}",
        '{"generation": {"context_tokens": 1e999}, "version": ' + "9" * 4000 + "}",
        '{"version": "\0"}',
    ],
)
def test_hostile_settings_are_defaults(run: Run, fresh: Path, own_home: Path, text: str) -> None:
    (own_home / "config").mkdir(parents=True)
    (own_home / "config/settings.json").write_text(text, "utf-8")
    assert run("index", fresh).code == 0
    assert run("models", "use", "premium", "qwen2.5-coder-0.5b-instruct").code == 0


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_strange_files_of_ours_stop_nothing(
    run: Run, fresh: Path, own_home: Path, kind: str
) -> None:
    assert run("index", fresh).code == 0
    [project] = (own_home / "data/projects").iterdir()
    for path in (own_home / "data/projects.json", project / "activity.json"):
        path.unlink()
        STRANGE[kind](path)
    said = run("log", fresh)
    assert (said.code, "index" in said.out) == (0, True)
    # Nothing tells any more whether the end of the log is there.
    assert "activity.json" in said.err
    assert "activity.json" not in run("log", fresh).err
    (project / "project.json").unlink()
    STRANGE[kind](project / "project.json")
    assert run("search", fresh, "alarm").code == 0
    names = {path.name.partition(".damaged")[0] for path in own_home.rglob("*.damaged-*")}
    assert names == {"projects.json", "activity.json", "project.json"}


@pytest.mark.parametrize("text", ["[" * 100_000, '{"projects": [{"device": 1e999}]}', "[1]", "\0"])
def test_a_hostile_list_of_projects_is_made_anew(
    run: Run, fresh: Path, own_home: Path, text: str
) -> None:
    (own_home / "data").mkdir(parents=True)
    (own_home / "data/projects.json").write_text(text, "utf-8")
    assert run("status", fresh).code == 0
    assert list((own_home / "data").glob("projects.json.damaged-*"))


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_template_is_a_sentence(run: Run, fresh: Path, own_home: Path, kind: str) -> None:
    folder = own_home / "config/templates"
    folder.mkdir(parents=True)
    STRANGE[kind](folder / "mine.yaml")
    _is_a_sentence(run("plan", fresh, "--template", "mine"), "mine.yaml", "ordinary file")


@posix_only
@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder"])
def test_strange_prompts_are_a_sentence(run: Run, fresh: Path, kind: str) -> None:
    path = fresh / "Context/Prompt/strange.md"
    STRANGE[kind](path)
    for named in ("strange.md", path):
        _is_a_sentence(run("plan", fresh, named), "prompt")
    assert run("plan", fresh, "accuracy.md").code == 0


@posix_only
def test_a_prompt_from_outside_is_read_only_where_the_writer_names_it(
    run: Run, fresh: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("State the warming accuracy.\n")
    (fresh / "Context/Prompt/link.md").symlink_to(outside)
    for named in ("link.md", fresh / "Context/Prompt/link.md"):
        _is_a_sentence(run("plan", fresh, named), "outside the project")
    assert run("plan", fresh, outside).code == 0


@posix_only
def test_a_prompt_may_come_through_a_pipe(
    run: Run, warmer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(
        target=lambda: pipe.write_text("State the warming accuracy of [Master Record|Device Name].")
    )
    writer.start()
    # A shell has opened its end before it starts us; here it is waited for.
    reader = os.open(pipe, os.O_RDONLY)
    try:
        assert "Calmera" in run("plan", warmer, pipe).out
    finally:
        os.close(reader)
        writer.join()
    text = "State the warming accuracy of [Master Record|Device Name]."
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert "Calmera" in run("plan", warmer, "-").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 3_000_000)))
    _is_a_sentence(run("plan", warmer, "-"), "larger than 2 MB")


@pytest.mark.parametrize(
    "piece", ["[", "[Doc|", "[Doc|a|B] @sops [[|", "@aa_", "[" + " " * 99, ".", "|", "[x]("]
)
@pytest.mark.parametrize("size", [39_000, 1_900_000, 5_000_000])
def test_a_hostile_prompt_is_answered_in_time(
    run: Run, warmer: Path, tmp_path: Path, piece: str, size: int
) -> None:
    prompt = tmp_path / "prompt.md"
    prompt.write_text("Describe it. " + piece * (size // len(piece)))
    started = time.perf_counter()
    said = run("plan", warmer, prompt)
    assert time.perf_counter() - started < 10
    assert "Unexpected" not in said.err
    if size > 40_000:
        _is_a_sentence(said, "larger than 2 MB" if size > 2_000_000 else "at most 40,000")
        assert said.err.count("BLOCKS") <= 1


@posix_only
@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
def test_strange_claims_are_a_sentence(run: Run, tmp_path: Path, kind: str) -> None:
    STRANGE[kind](tmp_path / "pairs.jsonl")
    _is_a_sentence(run("eval", "--grounding", tmp_path / "pairs.jsonl"), "ordinary file")


@pytest.mark.parametrize("row", ["[" * 100_000, '{"claim": ' + "9" * 5000 + "}", '{"id": "\0"}'])
def test_hostile_claims_are_a_sentence(run: Run, tmp_path: Path, row: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(f"{row}\n")
    _is_a_sentence(run("eval", "--grounding", tmp_path / "pairs.jsonl"), "pairs.jsonl")


@pytest.mark.parametrize("text", BAD_YAML)
def test_hostile_templates_are_a_sentence(run: Run, fresh: Path, own_home: Path, text: str) -> None:
    folder = own_home / "config/templates"
    folder.mkdir(parents=True)
    bad = BAD_YAML[text].replace("documents:", "maximum_words:")
    (folder / "mine.yaml").write_text(bad, "utf-8")
    (folder / "huge.yaml").write_text(
        "name: huge\ntitle: t\nfamily: 510k\nmaximum_words: 0x" + "f" * 60, "utf-8"
    )
    started = time.perf_counter()
    for name in ("mine", "huge"):
        _is_a_sentence(run("plan", fresh, "--template", name), f"{name}.yaml")
    assert time.perf_counter() - started < 15


@posix_only
def test_documents_that_are_none_are_skipped_and_never_opened(fresh: Path, tmp_path: Path) -> None:
    """In a process of its own, under a watch of everything that is opened."""
    (tmp_path / "secret.md").write_text("# Secret\n\nThe secret is 42.\n")
    places = ("Context/General", "Context/Prompt", "Bootstrap", "Context/Master-Record")
    made: list[str] = []
    for place in places:
        (fresh / place).mkdir(parents=True, exist_ok=True)
        for kind, make in STRANGE.items():
            if kind != "folder":
                make(fresh / place / f"{kind}.md")
                made.append(f"{place}/{kind}.md")
        (fresh / place / "link.md").symlink_to(tmp_path / "secret.md")
        made.append(f"{place}/link.md")
    code = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, given: name == 'open' and opened.append(str(given[0])))\n"
        "from phasergun_desktop.cli.main import main\n"
        f"code = main(['index', {str(fresh)!r}, '--json'])\n"
        f"bad = [each for each in opened if each in set({[str(fresh / m) for m in made]!r})]\n"
        "sys.exit(f'opened: {bad}' if bad else code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "The secret is 42" not in done.stdout
    for each in made:
        assert f'"file": "{each}"' in done.stdout
    assert done.stdout.count('"state": "skipped"') >= len(made)
