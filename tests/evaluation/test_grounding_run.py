from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.evaluation.grounding_evaluation import GroundingEvaluation
from phasergun_desktop.evaluation.grounding_pairs import read_pairs
from phasergun_desktop.evaluation.grounding_run import Asked
from phasergun_desktop.evaluation.json_lines import EvaluationFileError
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.language_model import ModelPrompt
from phasergun_desktop.paths import resources_path
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.scripted_model import ScriptedModel

ROWS = [
    ("The valve opens at 40 kPa.", "The valve opens at 40 kPa. It is made of brass.", "supported"),
    ("The valve is brass.", "The valve opens at 40 kPa. It is made of brass.", "supported"),
    ("Nurses like the handle.", "The valve opens at 40 kPa. It is made of brass.", "not_said"),
    ("The pump fails often.", "The pump never fails.", "contradicted"),
]


def _write(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    lines = [json.dumps({"claim": c, "source": s, "label": x}) for c, s, x in rows]
    path.write_text("\n\n".join(lines) + "\n", "utf-8")
    return path


def _evaluation(folder: Path, model: ScriptedModel | None = None) -> GroundingEvaluation:
    def get() -> ScriptedModel:
        assert model is not None
        return model

    return GroundingEvaluation(
        HashEmbedder(),
        bundled_cross_encoder(),
        resources_path() / "models",
        data=folder / "data",
        cache=folder / "cache",
        model_problem=lambda: "" if model else "There is no model. Choose one.",
        get_model=get,
    )


def _no() -> bool:
    return False


def test_figures_and_the_run_are_kept(tmp_path: Path) -> None:
    rows = _write(tmp_path / "rows.jsonl", ROWS)
    report = run_to_end(_evaluation(tmp_path).run(rows, Asked.NOBODY, _no))
    assert report.rows == 4
    assert 0.5 <= report.auc.value <= 1.0
    assert sum(cell.rows for cell in report.cells) == 4
    with closing(RunStore(tmp_path / "data" / RUNS_FILE)) as store:
        (run,) = store.runs()
    assert run.kind == "grounding"
    assert run.file == "rows.jsonl"
    assert json.loads(run.report)["metrics"]["auc"] == round(report.auc.value, 4)


def test_odds_are_asked_once_and_move_the_score(tmp_path: Path) -> None:
    def odds(prompt: ModelPrompt) -> float:
        return 6.0 if "Nurses" in prompt.task else -6.0

    rows = _write(tmp_path / "rows.jsonl", ROWS)
    model = ScriptedModel([], odds=odds)
    first = run_to_end(_evaluation(tmp_path, model).run(rows, Asked.ALL, _no))
    assert first.opinions.asked == 4
    assert first.auc.value < 1.0
    again = run_to_end(_evaluation(tmp_path, ScriptedModel([])).run(rows, Asked.ALL, _no))
    assert (again.opinions.asked, again.opinions.kept) == (0, 4)
    assert again.auc == first.auc


def test_only_doubtful_rows_are_asked_about(tmp_path: Path) -> None:
    rows = _write(tmp_path / "rows.jsonl", ROWS[:1])
    model = ScriptedModel([], odds=lambda _prompt: 0.0)
    report = run_to_end(_evaluation(tmp_path, model).run(rows, Asked.DOUBTFUL, _no))
    # A verbatim copy is not doubtful.
    assert report.opinions.asked == 0


def test_without_a_model_there_is_no_second_opinion(tmp_path: Path) -> None:
    rows = _write(tmp_path / "rows.jsonl", ROWS)
    with pytest.raises(ModelError, match="no model"):
        run_to_end(_evaluation(tmp_path).run(rows, Asked.ALL, _no))


def test_a_stop_ends_it(tmp_path: Path) -> None:
    rows = _write(tmp_path / "rows.jsonl", ROWS)
    with pytest.raises(Cancelled):
        run_to_end(_evaluation(tmp_path).run(rows, Asked.NOBODY, lambda: True))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no rows"),
        (b"\n \n", "no rows"),
        (b"not json\n", "Line 1"),
        (b'{"claim": "a", "source": "b", "label": "supported"}\n[1]\n', "Line 2"),
        (b'{"claim": "a", "source": "b"}\n', "label"),
        (b'{"claim": " ", "source": "b", "label": "x"}\n', "claim"),
        (b'{"claim": "a", "source": 4, "label": "x"}\n', "source"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[" * 100_000, "Line 1"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    with pytest.raises(EvaluationFileError, match=says) as told:
        read_pairs(path)
    assert told.value.remedy


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationFileError, match=r"none\.jsonl"):
        read_pairs(tmp_path / "none.jsonl")


def test_rows_may_hold_more_than_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    row = {
        "id": 7,
        "claim": "A\u2028b",
        "source": "",
        "label": "Supported",
        "evidence": [],
        "source_title": "T",
    }
    path.write_text(json.dumps(row, ensure_ascii=False), "utf-8-sig")
    (pair,) = read_pairs(path)
    assert pair.is_supported
    assert (pair.pair_id, pair.source_title) == ("7", "T")
