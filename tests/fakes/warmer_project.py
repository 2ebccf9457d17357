"""A small project of a fictitious infusion warmer, written in the formats that are read."""

from __future__ import annotations

from pathlib import Path

from docx import Document

GENERAL_FACT = "The ceramic heater plate is made by Ostwald Ceramics under order number CH-4471."
GENERAL_FILE = "Context/General/Supplier-Note.md"
TEST_REPORT = "Context/Ongoing/TR-100-Warming-Test.md"

_TEXTS = {
    TEST_REPORT: (
        "# TR-100 Warming test\n\n## Warming accuracy\n\n"
        "The outlet temperature of the Calmera T1 stays within 1.5 °C of the set point at flow "
        "rates from 10 mL/min to 120 mL/min.\n\n## Alarm behaviour\n\n"
        "The over-temperature alarm sounds at 42.5 °C with 78 dB at a distance of one metre.\n\n"
        "## Electrical safety\n\nThe leakage current measured 12 µA in normal condition.\n"
    ),
    "Context/Initiation/Device-Description.txt": (
        "Device description\n\nThe Calmera T1 warms intravenous fluid in a disposable cassette "
        "between two heated plates. The display shows set point, outlet temperature and flow.\n"
    ),
    "Context/Ongoing/Hazard-Log.csv": (
        "id,hazard,harm,control\nHAZ-01,Overheated fluid,Haemolysis,Independent cut-off at 43 °C\n"
        "HAZ-02,Air in the line,Air embolism,Bubble detector stops the flow\n"
    ),
    "Context/Predicates/K998877-Summary.md": (
        "# 510(k) summary K998877\n\n## Alarm behaviour\n\n"
        "The alarm of the predicate sounds at 43.0 °C.\n"
    ),
    GENERAL_FILE: f"# Supplier note\n\n## Heater plate\n\n{GENERAL_FACT}\n",
    "Procedures/SOPs/SOP-010-Risk-Management.md": (
        "# SOP-010 Risk Management\n\n## 1 Purpose\n\nThis procedure describes how risks are "
        "managed.\n\n## 2 Hazard identification\n\nThe risk manager records every hazard in the "
        "hazard log FRM-031.\n"
    ),
    "Context/Prompt/performance.md": (
        "Write the Performance section for [Master Record|Device Name]: warming accuracy and "
        "alarm behaviour.\n"
    ),
    "Context/Prompt/accuracy.md": "State the warming accuracy of [Master Record|Device Name].\n",
    "Context/Prompt/saddle.md": "Who sewed the leather saddle of the racing horse?\n",
    "Context/Prompt/heater-plate-general.md": (
        "Which company makes the ceramic heater plate? Use @general.\n"
    ),
    "Context/Prompt/broken.md": (
        "Describe the alarm of [Master Record|Colour of the Cat]. Use "
        "[Context|Initiation|absent.docx] and [Procedure|sops|no_such_category]. "
        "See [Master Record|Device Name.\n"
    ),
    "notes to self.txt": "Not in a folder of the convention.\n",
}


def make_warmer_project(root: Path) -> Path:
    """Write the project into ``root`` and return it."""
    for file, text in _TEXTS.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    record = Document()
    record.add_heading("Device Information", level=1)
    record.add_paragraph("Device Name: Calmera T1 Infusion Warmer")
    record.add_paragraph("Predicate Device: K998877")
    table = record.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text = "Intended Use"
    table.rows[0].cells[1].text = "Warming of intravenous fluid in adults."
    record.save(str(root / "Context" / "Calmera-Master-Record.docx"))
    return root


def add_alarm_statement(root: Path) -> None:
    """Give the section on the alarm a second statement: there is something to be joined."""
    path = root / TEST_REPORT
    alarm = "at a distance of one metre."
    text = path.read_text("utf-8")
    path.write_text(text.replace(alarm, f"{alarm} The alarm lasts until it is confirmed."), "utf-8")
