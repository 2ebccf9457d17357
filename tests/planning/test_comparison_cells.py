"""A comparison is made of what the documents on each device state, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.grounding.binding import SpanBinder
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.judge import load_judge
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.comparing.cells import ComparisonFinder
from phasergun_desktop.planning.comparing.compared_devices import compared_devices
from phasergun_desktop.planning.comparing.comparison_request import Comparison, read_comparison
from phasergun_desktop.planning.model import PlannedPoint
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.planning.pool import Pool, PooledUnit, UnitPools
from phasergun_desktop.planning.subject import subjects_of
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.writing.comparison import NOT_FOUND, write_comparison
from phasergun_desktop.writing.page import Page
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder
from tests.fakes.open_selector import open_selector
from tests.fakes.paragraph_reader import MarkdownReader
from tests.fakes.shared_words import SharedWords
from tests.fakes.small_project import SmallProject

OWN, RIVAL = "Context/Ongoing/Comparison.md", "Context/Ongoing/Market.md"
PREDICATE = "Context/Predicates/K654321.md"
OTHER = "Context/Predicates/K765432.md"


class Comparing:
    """Compares by the documents of a small project."""

    def __init__(self, project: SmallProject) -> None:
        run_to_end(project.job(reader=MarkdownReader()))
        chunks = ChunkSets(project.store, project.chunking)
        self.documents = ProfiledDocuments(project.store, chunks)
        self._embedder = project.embedder
        self.units = UnitIndex(project.store, project.embedder.identity)
        pools = UnitPools(
            self.units,
            project.embedder,
            open_selector(),
            UnitReader(self.units, SharedWords()),
        )
        self._finder = ComparisonFinder(self.documents, pools, project.embedder)

    def comparison(self, prompt: str) -> Comparison | None:
        resolution = PromptResolver(self.documents).resolve(prompt)
        subjects = subjects_of(self.documents)
        return self._finder.of(resolution, read_request(resolution), subjects)

    def points(self, prompt: str) -> tuple[PlannedPoint, ...]:
        found = self.comparison(prompt)
        return found.points if found is not None else ()

    def devices(self, text: str) -> list[str]:
        subjects = subjects_of(self.documents)
        return [device.name for device in compared_devices(text, subjects, self.documents)]

    def attributes(self, prompt: str) -> list[str]:
        resolution = PromptResolver(self.documents).resolve(prompt)
        request, subjects = read_request(resolution), subjects_of(self.documents)
        asked = read_comparison(resolution, request, subjects, self.documents)
        return [*asked.attributes] if asked is not None else []

    def page(self, points: tuple[PlannedPoint, ...], *, tells_gaps: bool = True) -> Page:
        binder = SpanBinder(
            load_judge(self._embedder, bundled_cross_encoder()), self.documents.parsed
        )
        page = Page(binder, FootnoteNumbers(self.documents.parsed), self.documents, "")
        write_comparison(page, points, tells_gaps=tells_gaps)
        return page

    def rows(self, prompt: str, *, tells_gaps: bool = True) -> list[tuple[str, ...]]:
        page = self.page(self.points(prompt), tells_gaps=tells_gaps)
        return [unit.cells for unit in page.units if unit.cells]


@contextmanager
def _comparing(folder: Path, files: Mapping[str, str]) -> Iterator[Comparing]:
    project = SmallProject(folder)
    for file, text in files.items():
        project.write(file, text)
    yield Comparing(project)
    project.close()


@pytest.fixture
def comparing(tmp_path: Path) -> Iterator[Comparing]:
    project = SmallProject(tmp_path)
    project.write(
        "Context/Project-Master-Record.docx",
        "# Project\n\nDevice Name: Lifter L2 Patient Lift\n\nWeight: 31 kg\n\n# Regulatory\n\n"
        "Predicate Device: K654321\n",
    )
    project.write(
        OWN,
        "# Lifter L2 against K654321\n\n| Item | Lifter L2 | Predicate device |\n|---|---|---|\n"
        "| Lifting height | 190 cm | 170 cm |\n| Sling | Same | Polyester net |\n",
    )
    project.write(RIVAL, "# Competitors\n\nProduct: HoistPro 9\n\nThe lifting height is 250 cm.\n")
    project.write(
        PREDICATE,
        "# 510(k) summary K654321\n\nTrade/Device Name: CareLift\n\n## Battery\n\n"
        "CareLift has a battery of 24 V.\n\nThe predicate device has a battery of 12 V.\n\n"
        "## Facts\n\nBoom: 120 cm\n\nPredicate device: K111000\n\nRated load: 99 kg\n\n"
        "## Comparison\n\n| Item | Subject device | Predicate device (K111000) |\n|---|---|---|\n"
        "| Speed | 4 cm/s | 3 cm/s |\n| Noise | Same | 50 dB |\n| Charger | 2 h | 8 h |\n",
    )
    project.write(
        OTHER,
        "# 510(k) summary K765432\n\n| Item | Predicate K654321 | New device |\n|---|---|---|\n"
        "| Footprint | 90 cm | 80 cm |\n| Speed | 9 cm/s | 1 cm/s |\n",
    )
    yield Comparing(project)
    project.close()


def test_each_column_holds_what_is_stated_of_its_device(comparing: Comparing) -> None:
    rows = comparing.rows(
        "Compare Lifter L2 with its predicate K654321: lifting height, speed, noise, footprint."
    )
    assert rows == [
        ("Attribute", "Lifter L2", "CareLift (K654321)"),
        ("Lifting height", "190 cm", "170 cm"),
        ("Speed", NOT_FOUND, "4 cm/s"),
        ("Noise", NOT_FOUND, "Same (50 dB)"),
        ("Footprint", NOT_FOUND, "90 cm"),
    ]


def test_a_list_behind_the_order_gives_the_rows_and_gaps_are_rows_too(
    comparing: Comparing,
) -> None:
    rows = comparing.rows(
        "SE table, Lifter L2 next to CareLift (K654321), two columns. Rows: lifting height; speed; "
        "warranty; noise. Short cells, please.",
        tells_gaps=False,
    )
    assert [row[0] for row in rows[1:]] == ["Lifting height", "Speed", "Warranty", "Noise"]
    assert rows[1][1:] == ("190 cm", "170 cm")
    assert set(rows[3][1:]) == {NOT_FOUND}


def test_a_list_of_something_else_is_none_of_attributes(comparing: Comparing) -> None:
    of_ours = comparing.attributes(
        "Compare the weight of Lifter L2 with that of K654321. Describe the sling. Then describe "
        "the battery of our lift: voltage, capacity, charger, runtime."
    )
    assert "voltage" not in of_ours
    of_falls = comparing.attributes(
        "Describe how Lifter L2 protects against falls: belts, brakes, sensors, alarms. The "
        "predicate is K654321."
    )
    assert of_falls == []


def test_of_a_row_on_several_devices_a_cell_is_taken(tmp_path: Path) -> None:
    files = {
        "Context/Project-Master-Record.docx": "# Project\n\nDevice Name: Lifter L2 Patient Lift\n",
        "Context/Ongoing/Data.md": (
            "# Data\n\n| Property | Lifter L2 | HoistPro 9 |\n|---|---|---|\n"
            "| Boom length | 121 cm | 140 cm |\n\n| Id | Property | Stated |\n|---|---|---|\n"
            "| R1 | Rated load | 180 kg |\n"
        ),
        PREDICATE: "# 510(k) summary K654321\n\nRated load: 99 kg\n\nBoom length: 120 cm\n",
    }
    with _comparing(tmp_path, files) as comparing:
        rows = comparing.rows("Lifter L2 versus K654321. Rows: boom length; rated load; colour.")
    assert rows[1][1:] == ("121 cm", "120 cm")
    assert rows[2][1] == "Id: R1; Property: Rated load; Stated: 180 kg"


def test_a_cell_has_its_unit_and_a_column_on_the_device_stands_under_any_heading(
    tmp_path: Path,
) -> None:
    files = {
        "Context/Project-Master-Record.docx": "# Project\n\nDevice Name: Lifter L2 Patient Lift\n",
        "Context/Ongoing/Data.md": (
            "# Data\n\n| Parameter | Value |\n|---|---|\n"
            "| Noise at a distance of one metre (dB(A)) | max. 60 |\n"
            "| Boom length of the long model | 121 cm |\n"
        ),
        PREDICATE: (
            "# 510(k) summary K654321\n\nTrade/Device Name: CareLift\n\n"
            "## Comparison with the predicate device\n\n"
            "| Characteristic | CareLift | Remark |\n|---|---|---|\n"
            "| Noise at a distance of one metre | 65 dB(A) | none |\n\n"
            "## Boom\n\nBoom length: 120 cm\n"
        ),
    }
    with _comparing(tmp_path, files) as comparing:
        rows = comparing.rows("Lifter L2 versus K654321. Rows: noise; boom length; colour.")
    named = "Parameter: Noise at a distance of one metre (dB(A)); Value: max. 60"
    assert rows[1] == ("Noise", named, "65 dB(A)")
    assert rows[2][1:] == ("121 cm", "120 cm")


def test_a_row_of_a_table_fills_the_attribute_that_it_answers_best(tmp_path: Path) -> None:
    files = {
        "Context/Project-Master-Record.docx": (
            "# Project\n\nDevice Name: Lifter L2 Patient Lift\n\nWeight of the device: 84 kg\n"
        ),
        PREDICATE: (
            "# 510(k) summary K654321\n\nTrade/Device Name: CareLift\n\n"
            "| Characteristic | CareLift | CareLift Mini |\n|---|---|---|\n"
            "| Patient weight (kg) | up to 140 | up to 90 |\n| Mass (kg) | 91 | 78 |\n"
        ),
    }
    with _comparing(tmp_path, files) as comparing:
        asked = "weight of the device; patient weight; colour"
        rows = comparing.rows(f"Lifter L2 versus K654321: {asked}.")
    weight, patients = (row[2] for row in rows[1:3])
    assert weight != patients == "up to 140"


def test_every_cell_has_a_footnote_that_quotes_it(comparing: Comparing) -> None:
    prompt = "Table of our device and K654321 (weight, sling, charger)."
    page = comparing.page(comparing.points(prompt))
    notes = {note.number: note for note in page.footnotes}
    cited = {
        unit.cells[0]: [
            [(notes[n].file, notes[n].quote) for n in c] for c in unit.citations_per_cell
        ]
        for unit in page.units
        if unit.cells and not unit.is_header
    }
    assert cited["Weight"] == [[], [("Context/Project-Master-Record.docx", "31 kg")], []]
    assert cited["Sling"][1] == [(OWN, "Same"), (OWN, "Polyester net")]
    assert cited["Sling"][2] == [(OWN, "Polyester net")]
    assert cited["Charger"] == [[], [], [(PREDICATE, "2 h")]]


def test_what_is_said_of_the_predicates_predicate_is_not_taken(comparing: Comparing) -> None:
    [_, row, *_] = comparing.rows("Compare our device with K654321: battery, mast, lifting height.")
    assert row == ("Battery", NOT_FOUND, "CareLift has a battery of 24 V.")


def test_fields_are_the_papers_own_until_their_section_speaks_of_another(
    comparing: Comparing,
) -> None:
    [_, *rows] = comparing.rows("Compare our device with K654321: lifting height, boom, load.")
    assert rows[1:] == [("Boom", NOT_FOUND, "120 cm")]


TWO = {
    f"Context/Predicates/{name}.md": f"# {name} summary\n\nTrade name: {name}\n\n{name} is red.\n"
    for name in ("Orbex", "Valopoint")
}


def test_predicates_that_are_not_named_are_compared_with_the_device(tmp_path: Path) -> None:
    with _comparing(tmp_path, TWO) as comparing:
        devices = comparing.devices("weight and noise compared with the predicate")
        assert devices == ["Subject device", "Orbex", "Valopoint"]
        assert comparing.devices("Orbex versus Valopoint: weight") == ["Orbex", "Valopoint"]


def test_the_predicate_is_the_one_that_the_companys_papers_call_so(tmp_path: Path) -> None:
    plan = {"Context/Ongoing/Plan.md": "# Plan\n\nOrbex is the predicate.\n"}
    with _comparing(tmp_path, TWO | plan) as comparing:
        devices = comparing.devices("weight and noise compared with the predicate")
    assert devices == ["Subject device", "Orbex"]


def test_sections_on_several_devices_are_told_by_their_headings(tmp_path: Path) -> None:
    sections = [
        f"# 510(k) summary: {name}\n\n| Feature | It |\n|---|---|\n"
        f"| Weight | {weight} |\n| Noise | {noise} |\n"
        for name, weight, noise in (
            ("Orbex (K111111)", "2 kg", "40 dB"),
            ("Valopoint (K222222)", "3 kg", "50 dB"),
        )
    ]
    files = {"Context/Predicates/Orbex and Valopoint.md": "\n".join(sections)}
    with _comparing(tmp_path, files) as comparing:
        rows = comparing.rows("Valopoint versus Orbex: weight, noise.")
    assert rows == [
        ("Attribute", "Valopoint (K222222)", "Orbex (K111111)"),
        ("Weight", "3 kg", "2 kg"),
        ("Noise", "50 dB", "40 dB"),
    ]


def test_two_devices_of_one_brand_are_two_columns(tmp_path: Path) -> None:
    files = {
        f"Context/Predicates/{model}.md": f"# {model} of Orbex\n\nTrade name: {model} Orbex\n"
        for model in ("Valopoint", "Kestrova")
    }
    with _comparing(tmp_path, files) as comparing:
        named = comparing.devices("Compare our device with Orbex: weight, noise.")
    assert len(named) == len(set(named)) == 3


def test_a_paper_of_its_own_counts_beside_a_section_in_that_of_another(tmp_path: Path) -> None:
    files = {
        "Context/Predicates/K111111.md": (
            "# Summary: Orbex (K111111)\n\n| Feature | It |\n|---|---|\n| Noise | 40 dB |\n\n"
            "# Valopoint (K222222)\n\n| Feature | It |\n|---|---|\n| Noise | 50 dB |\n"
        ),
        "Context/Predicates/K222222.md": (
            "# 510(k) summary: Valopoint (K222222)\n\n## Data\n\nWeight: 3 kg\n\nNoise: 50 dB\n"
        ),
    }
    with _comparing(tmp_path, files) as comparing:
        assert comparing.attributes("Describe the Orbex K111111: weight, noise, power.") == []
        rows = comparing.rows("Valopoint versus Orbex: weight, noise.")
    assert ("Weight", "3 kg", "") in [tuple(c if c != NOT_FOUND else "" for c in r) for r in rows]


def test_what_a_cell_states_is_not_stated_beside_its_table(comparing: Comparing) -> None:
    made = comparing.comparison(
        "Compare Lifter L2 with its predicate K654321: lifting height, speed."
    )
    assert made is not None
    value = next(point.value for point in made.points if point.value is not None)
    record = next(r for r in comparing.documents.documents() if r.file == value.file)
    cell = PooledUnit(0, record.document_id, value.start, value.end, 0.9, 0.9)
    behind = replace(cell, row=1, start=value.end, end=value.end + 5)
    pool = Pool(comparing.units.table(), {"n1": (cell, behind)})
    assert made.without_cells(pool, comparing.documents).of_need == {"n1": (behind,)}


def test_what_is_stated_of_one_device_alone_makes_no_table(comparing: Comparing) -> None:
    assert comparing.points("Compare our device with K654321: colour, price.") == ()
    assert comparing.points("Compare our device with K654321: weight, price.") == ()


def test_where_none_are_listed_the_rows_of_the_documents_tables_are_taken(
    comparing: Comparing,
) -> None:
    rows = comparing.rows("Side-by-side comparison with the predicate.")
    assert [row[0] for row in rows[1:]] == ["Lifting height", "Sling", "Trade/Device Name"]


@pytest.mark.parametrize(
    "prompt",
    [
        "Equivalence with the predicate; table ours / theirs, then why they don't matter.",
        "SE comparison: ours v. predicate, row by row, then each difference discussed.",
        "Comparison table with the predicate (short, factual).",
    ],
)
def test_how_to_compare_is_no_attribute(comparing: Comparing, prompt: str) -> None:
    assert comparing.rows(prompt) == comparing.rows("Side-by-side comparison with the predicate.")


def test_two_others_are_compared_without_the_device(comparing: Comparing) -> None:
    rows = comparing.rows("K765432 versus K654321: speed, footprint.")
    assert rows[0] == ("Attribute", "K765432", "CareLift (K654321)")
    assert rows[1:] == [("Speed", "1 cm/s", "4 cm/s"), ("Footprint", "80 cm", "90 cm")]


@pytest.mark.parametrize(
    ("prompt", "attributes"),
    [
        ("Compare weight, noise and speed of our lift with K654321.", ["weight", "noise", "speed"]),
        ("Comparison with the predicate:\n- weight\n- noise", ["weight", "noise"]),
        ("Compare the Lifter L2 with K654321. Cover weight and noise.", ["weight", "noise"]),
        ("What differs from K654321 in battery capacity?", []),
        (
            "Our lift against K654321: attribute | ours | theirs | why. Rows for weight, noise.",
            ["weight", "noise"],
        ),
        (
            "Vergleich mit dem Prädikat: Gewicht, Hubhöhe, Sprache.",
            ["Gewicht", "Hubhöhe", "Sprache"],
        ),
        (
            "Tabelle: unser Produkt gegenüber K654321 (Gewicht, Lautstärke)",
            ["Gewicht", "Lautstärke"],
        ),
        ("Compare our device with K654321:\n- State the weight\n- Noise", ["weight", "Noise"]),
        (
            "Compare our lift with K654321: speed, table clamp, alarm features, weight.",
            ["speed", "table clamp", "alarm features", "weight"],
        ),
        ("The weight of K654321.", []),
        ("Compare the two tests of our lift: noise, speed, weight.", []),
    ],
)
def test_a_comparison_and_its_rows_are_read_from_the_prompt(
    comparing: Comparing, prompt: str, attributes: list[str]
) -> None:
    assert comparing.attributes(prompt) == attributes
