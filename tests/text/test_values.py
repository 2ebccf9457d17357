"""Values agree when they mean the same, and only then."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.text.values import Bound, ValueKind, extract_values, missing_values


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        # units
        ("It needs 0.6 microlitres.", "Sample Volume: 0.6 µL"),
        ("It needs 600 nL or 0.6 µL.", "600 nL or 0.0006 mL"),
        ("It needs 0.6 uL.", "0.6 \u03bcL"),
        ("Glucose is given in 50 milligrams per deciliter.", "50 mg/dL"),
        ("A flow of 2 L/min.", "2000 mL/min"),
        ("It weighs 0.047 kg.", "47 g"),
        ("The result appears after 5 s.", "5-second test time"),
        ("Kept for 2 years.", "retained for 24 months"),
        ("Kept for 48 hours.", "2 days"),
        ("It reads 50 mg/dL.", "Range (mg/dL): 50 to 550"),
        ("It is shown in 5 seconds.", "Time (seconds): 5\nvolume: 1"),
        ("It is shown in 5 seconds.", "It is shown within 5 seconds."),
        ("Ten units were tested.", "Ten devices were tested."),
        ("A dose of 10 units/mL.", "10 U/mL"),
        ("Sterilised at a dose of 25 kGy.", "25 kGy"),
        ("It uses 2.4 GHz.", "2400 MHz"),
        ("It needs 0.6  µL.", "It needs 0.6\nµL."),
        # forms of numbers
        ("Altitude up to 10745 feet.", "up to 10,745 ft"),
        ("Altitude up to 10745 feet.", "up to 10\u202f745 ft"),
        ("It needs 0.6 µL.", "0,6 µL"),
        ("Two levels are supplied.", "2 levels, 4 mL each"),
        ("Twenty-five users took part.", "25 users"),
        ("Three hundred and 5 strips.", "300 strips, 5 strips"),
        ("A sterility assurance level of 10^-6.", "SAL of 10⁻⁶"),
        ("It has 98.2 % of 2020 files.", "98.2¹ % of 2020¹,² files"),
        ("An area of 5 cm².", "500 mm2"),
        ("A volume of 2 cm3.", "2 mL"),
        ("It is a 3-month study.", "three months"),
        # ranges
        ("The range is 20 to 600 mg/dL.", "20–600 mg/dL"),
        ("The range is between 20 and 600 mg/dL.", "from 20 mg/dL to 600 mg/dL"),
        ("The range is 20 – 600 mg/dL.", "lower limit 20 mg/dL, upper limit 600 mg/dL"),
        ("Stored at 4 to 30 °C.", "4°C-30°C"),
        ("At least 20 mg/dL can be read.", "20 to 600 mg/dL"),
        ("Stored at -20 to -10 °C.", "−20 °C to −10 °C"),
        # bounds
        ("Within 15 % for 95% of tests.", "within 15 percent for 95 percent of results"),
        ("Within 15 %.", "±15%"),
        ("At least 10 users.", "≥ 10 users"),
        ("No more than 5 mL.", "≤5 mL"),
        ("Not less than 5 mL.", "at least 5 mL"),
        ("More than 3 hours.", "> 3 h"),
        ("Patients aged 18 years or older.", "≥18 years"),
        ("Up to 10,745 ft.", "Maximum altitude: 10,745 feet"),
        ("plus or minus 2 mL", "+/- 2 mL"),
        ("It is less than or equal to 5 mL.", "It is less than\nor equal to 5 mL."),
        ("For users of at least 2 years.", "for users from 2 years"),
        # dates
        ("Reviewed on August 14, 2026.", "Date: 2026-08-14."),
        ("Reviewed on 14 Aug 2026.", "14.08.2026"),
        ("Reviewed on 14 August 2026.", "Aug. 14, 2026"),
        ("Reviewed on 14-Aug-2026.", "08/14/2026"),
        ("Reviewed in August 2026.", "on 2026-08-14"),
        ("Reviewed in 2026.", "on 14 August 2026"),
        ("Due in the third quarter of 2026.", "Q3 2026"),
        ("Due in Q3 2026.", "2026-08-14"),
        # identifiers
        ("The predicate is K231192.", "predicate (k231192)"),
        ("It follows ISO 14971.", "per ISO 14971:2019"),
        ("It follows ISO 14971:2019.", "per ANSI/AAMI/ISO 14971:2019"),
        ("It follows IEC 60601-1-2:2014.", "IEC 60601-1-2:2014"),
        ("See 21 CFR 820.", "21 CFR 820.30(g) requires"),
        ("See 21 CFR 820.30(g).", "21 CFR Part 820.30 (g)"),
        ("See section 510(k).", "under 510(k) of the Act"),
        ("Part GT2-100 is the meter.", "Meter; Part number: GT2-100"),
        ("It is version 1.4.", "GlucoTrace app v1.4"),
        ("Revision C applies.", "Rev. C"),
        ("A Class II device.", "Class 2, class II"),
        ("See Regulation (EU) 2017/745.", "Regulation (EU) 2017/745 of the Parliament"),
        # names
        ("GlucoTrace G2 stores results.", "The GlucoTrace® G2 stores results."),
        ("The Quality Manager signs.", "The QM signs."),
        ("The FDA asks.", "The Food and Drug Administration asks."),
        ("In August 2026, the Meter was reviewed.", "the meter, 2026-08-02"),
        ("Additionally, Design Review is held.", "design reviews are held"),
    ],
)
def test_agreeing_values_are_not_missing(sentence: str, source: str) -> None:
    assert [value.text for value in missing_values(sentence, source)] == []


@pytest.mark.parametrize(
    ("sentence", "source", "value"),
    [
        ("It needs 0.5 microlitres.", "Sample Volume: 0.6 µL", "0.5 microlitres"),
        ("It needs 0.6 mL.", "Sample Volume: 0.6 µL", "0.6 mL"),
        ("It takes 5 minutes.", "Test Time: 5 seconds", "5 minutes"),
        ("Reported in 5 working days.", "Reported in 5 days.", "5 working days"),
        (
            "Results are displayed in 5 seconds.",
            "Use 5 strips. The result appears after 30 seconds.",
            "5 seconds",
        ),
        ("A dose of 10 units/mL.", "10 units/L", "10 units/mL"),
        ("It reads 50 mmol/L.", "50 mg/dL", "50 mmol/L"),
        ("It is 16 %.", "15%", "16 %"),
        # ranges
        ("The range is 20 to 650 mg/dL.", "20 to 600 mg/dL", "650 mg/dL"),
        ("The range is 600 to 20 mg/dL.", "20 to 600 mg/dL", "600 to 20 mg/dL"),
        (
            "Humidity is 20 to 90 %.",
            "haematocrit 20 to 65 %, humidity 10 to 90 %",
            "20 to 90 %",
        ),
        # signs and bounds
        ("Stored at 20 °C.", "Stored at −20 °C.", "20 °C"),
        ("Stored at -20 °C.", "Stored at 20 °C.", "-20 °C"),
        ("A bias of 0.3.", "a bias of -0.3", "0.3"),
        ("At most 10 users.", "At least 10 users.", "At most 10"),
        ("It is ≥ 15 %.", "It is ≤ 15 %.", "≥ 15 %"),
        ("It is < 15 %.", "It is > 15 %.", "< 15 %"),
        ("It is ≤ 15 %.", "It is ±15 %.", "≤ 15 %"),
        ("Kept for 2 years.", "Kept for at least 2 years.", "2 years"),
        ("More than 10 users.", "10 users", "More than 10"),
        (
            "At most 5 s.",
            "To start the test, which takes 5 s, wait.",
            "At most 5 s",
        ),
        (
            "At least 5 s.",
            "Taken from a vial over night for 5 s.",
            "At least 5 s",
        ),
        ("The result appears after 5 seconds.", "It appears within 5 seconds.", "5 seconds"),
        # dates
        ("Reviewed on 2026-08-15.", "August 14, 2026", "2026-08-15"),
        ("Reviewed in July 2026.", "August 14, 2026", "July 2026"),
        ("Due in Q2 2026.", "Due in Q3 2026.", "Q2 2026"),
        ("Issued in 2025.", "Issued on 14 August 2026.", "2025"),
        # identifiers
        ("It follows ISO 14971:2012.", "per ISO 14971:2019", "ISO 14971:2012"),
        ("It follows ISO 14971:2019.", "per ISO 14971", "ISO 14971:2019"),
        ("It follows IEC 60601-1.", "per IEC 60601-1-2", "IEC 60601-1"),
        ("It follows IEC 60601-1-2.", "per IEC 60601-1", "IEC 60601-1-2"),
        ("It follows ISO 10993-5.", "per ISO 10993-1", "ISO 10993-5"),
        ("See 21 CFR 820.40.", "21 CFR 820.30", "21 CFR 820.40"),
        ("See 21 CFR 820.30(f).", "21 CFR 820.30(g)", "21 CFR 820.30(f)"),
        ("See section 513(f).", "section 513(i)", "513(f)"),
        ("The predicate is K231193.", "Predicate Device: K231192", "K231193"),
        ("De novo DEN170046.", "DEN170047", "DEN170046"),
        ("It is P160030.", "P160031", "P160030"),
        ("Part GT2-110 is the meter.", "GT2-100", "GT2-110"),
        ("It is version 1.4.1.", "Version 1.4.2", "version 1.4.1"),
        ("Revision D applies.", "Rev C", "Revision D"),
        ("A Class III device.", "Class II", "Class III"),
        ("See Regulation (EU) 2017/746.", "Regulation (EU) 2017/745", "2017/746"),
        # names
        ("GlucoTrace G3 stores results.", "GlucoTrace G2 stores results.", "GlucoTrace G3"),
        ("The RIGHTEST stores results.", "The GlucoTrace stores results.", "RIGHTEST"),
        ("The Contour meter is used.", "The Verio meter is used.", "Contour"),
        ("Contour Next stores results.", "GlucoTrace G2 stores results.", "Contour Next"),
        ("Device: Accu-Chek Guide", "Device: GlucoTrace G2", "Accu-Chek Guide"),
    ],
)
def test_changed_values_are_found(sentence: str, source: str, value: str) -> None:
    assert [found.text for found in missing_values(sentence, source)] == [value]


@pytest.mark.parametrize("power", ["^" + "9" * 5000, "^999", "^-9999", "e99"])
def test_a_power_that_no_document_means_is_read_without_error(power: str) -> None:
    assert extract_values(f"2{power}")
    assert extract_values(f"0{power}")


def test_hyphenated_words_are_not_identifiers() -> None:
    text = "An over-the-counter, in-vitro, non-invasive blood-glucose meter"
    assert extract_values(text) == []


def test_words_that_look_like_dates_are_none() -> None:
    values = extract_values("Of these, 14 may be used, and one of them is enough.")
    assert [(value.kind, value.key) for value in values] == [(ValueKind.NUMBER, "14")]


def test_a_range_is_given_beside_its_ends() -> None:
    values = extract_values("20–600 mg/dL")
    assert [(v.kind, v.key, v.unit) for v in values] == [
        (ValueKind.NUMBER, "0.2", "g/l"),
        (ValueKind.NUMBER, "6", "g/l"),
        (ValueKind.RANGE, "0.2..6", "g/l"),
    ]


def test_the_end_of_a_range_may_have_a_plus_sign() -> None:
    [_, _, value] = extract_values("Storage −20 to +45 °C")
    assert (value.kind, value.key, value.text) == (ValueKind.RANGE, "-20..45", "−20 to +45 °C")


def test_bounds_are_read_in_words_and_signs() -> None:
    text = "at least 3, at most 4, less than 5, > 6, ± 7, within 8, 9 or more, not more than 10"
    assert [value.bound for value in extract_values(text)] == [
        Bound.AT_LEAST,
        Bound.AT_MOST,
        Bound.BELOW,
        Bound.ABOVE,
        Bound.PLUS_MINUS,
        Bound.WITHIN,
        Bound.AT_LEAST,
        Bound.AT_MOST,
    ]


_AMOUNTS = st.decimals(min_value=Decimal("0.01"), max_value=Decimal(999999), places=2)
_VOLUMES = st.sampled_from(
    [("µL", "microlitres", 1), ("mL", "milliliters", 1000), ("L", "litres", 1_000_000)]
)


@settings(deadline=None)  # a busy machine is no error
@given(_AMOUNTS, _VOLUMES)
def test_a_quantity_agrees_with_itself_in_any_form(
    amount: Decimal, unit: tuple[str, str, int]
) -> None:
    symbol, word, microlitres = unit
    forms = [
        f"{amount} {symbol}",
        f"{amount}{symbol}",
        f"{amount:,} {word}",
        f"{amount}\u00a0{symbol}",
        f"{amount * microlitres} uL",
    ]
    for sentence in forms:
        for source in forms:
            assert missing_values(f"It takes {sentence} of blood.", f"it takes {source}") == []


@settings(deadline=None)  # a busy machine is no error
@given(_AMOUNTS, _AMOUNTS, _VOLUMES)
def test_another_amount_never_agrees(
    amount: Decimal, other: Decimal, unit: tuple[str, str, int]
) -> None:
    if amount != other:
        assert missing_values(f"It takes {amount} {unit[0]}.", f"It takes {other} {unit[0]}.")


@settings(deadline=None)  # a busy machine is no error
@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_agrees_with_itself_in_any_form(day: date) -> None:
    month = day.strftime("%B")
    forms = [
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day:02d}.{day.month:02d}.{day.year}",
        f"{day.day} {month[:3]} {day.year}",
    ]
    for sentence in forms:
        for source in forms:
            assert missing_values(f"Approved on {sentence}.", f"Date: {source}") == []


@settings(deadline=None)  # a busy machine is no error
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_read_and_carries_itself(left: str, right: str) -> None:
    assert missing_values(left, left) == []
    missing_values(left, right)


@pytest.mark.parametrize(
    ("sentence", "source", "is_stated"),
    [
        ("The pressure is 5 MPa.", "The pressure is 5 mPa.", False),
        ("The dose is 5 mM.", "The dose is 5 mm.", False),
        ("It is kept at 22 to 25 °C.", "It is kept at 22-25 C.", True),
        ("It rests within 30 minutes.", "Redness fades in thirty minutes.", True),
        ("Never by more than 10 %.", "It changes, never over 10 %.", True),
    ],
)
def test_case_of_units_and_ways_to_bound(sentence: str, source: str, is_stated: bool) -> None:
    assert (not missing_values(sentence, source)) == is_stated


@pytest.mark.parametrize(
    ("written", "key", "unit"),
    [
        # Products, and what stands over what.
        ("1.2 Nm", "1.2", "m·n"),
        ("1.2 N·m", "1.2", "m·n"),
        ("1.2 N*m", "1.2", "m·n"),
        ("1.2 N m", "1.2", "m·n"),
        ("1.2 newton metres", "1.2", "m·n"),
        ("12 Ncm", "0.12", "m·n"),
        ("12 N cm", "0.12", "m·n"),
        ("4 mN·m", "0.004", "m·n"),
        ("40 lbf·in", "4.5193931611448", "m·n"),
        ("40 in-lb", "4.51939316", "m·n"),
        ("5 ft-lbs", "6.7790897415", "m·n"),
        ("3 N/mm", "3000", "n/m"),
        ("3 N/mm2", "3000000", "pa"),
        ("3 N/mm²", "3000000", "pa"),
        ("3 N/15 mm", "200", "n/m"),
        ("1.5 T/m", "1.5", "t/m"),
        ("9.81 m/s²", "9.81", "m/s2"),
        ("2 W/kg", "0.002", "w/g"),
        ("200 cd/m2", "200", "cd/m2"),
        ("30 mJ/cm²", "300", "j/m2"),
        ("10 mPa·s", "0.01", "pa·s"),
        ("10 cP", "0.01", "pa·s"),
        ("5 mm2/s", "0.000005", "m2/s"),
        ("86.4 g/m2/24 h", "0.001", "g/m2·s"),
        ("86.4 g/m²/day", "0.001", "g/m2·s"),
        ("90 mL/min/1.73 m2", "0.00086705202312139", "l/m2·s"),
        ("300 mA·h", "1080", "a·s"),
        ("300 mAh", "1080", "a·s"),
        ("20 EU/device", "20", "eu/device"),
        ("0.5 EU/mL", "500", "eu/l"),
        ("100 cfu/mL", "100000", "cfu/l"),
        ("5 mmol/L", "0.005", "mol/l"),
        ("5 µg/cm²", "0.05", "g/m2"),
        ("5 L/min", "0.083333333333333", "l/s"),
        # Units that their case tells apart, and case that says nothing.
        ("1.2 nm", "0.0000000012", "m"),
        ("3 T", "3", "t"),
        ("3 t", "3", ""),
        ("5 N", "5", "n"),
        ("5 n", "5", ""),
        ("21 G", "21", "gauge"),
        ("21 g", "21", "g"),
        ("210 GPa", "210000000000", "pa"),
        ("5 MPa", "5000000", "pa"),
        ("5 mPa", "0.005", "pa"),
        ("5 mpa", "5000000", "pa"),
        ("4 mV", "0.004", "v"),
        ("4 MV", "4000000", "v"),
        ("5 MHz", "5000000", "hz"),
        ("5 ML", "0.005", "l"),
        ("5 KG", "5000", "g"),
        ("5 MM", "0.005", "m"),
        ("5 mM", "0.005", "mol/l"),
        # Others of the reports on devices.
        ("30 µSv", "0.00003", "sv"),
        ("25 kGy", "25000", "gy"),
        ("60 dB", "60", "db"),
        ("60 dB(A)", "60", "dba"),
        ("500 lx", "500", "lx"),
        ("20 J", "20", "j"),
        ("5 kVA", "5000", "a·v"),
        ("4 µF", "0.000004", "farad"),
        ("5 MBq", "5000000", "bq"),
        ("5 ppm", "0.0005", "%"),
        ("50 %RH", "50", "%"),
        ("45°", "45", "°"),
        ("3000 rpm", "3000", "rpm"),
        ("200 HV", "200", "hv"),
        ("60 Shore A", "60", "shore a"),
        ("6 Fr", "6", "french"),
        ("5 Mbps", "5000000", "bit/s"),
        ("16 bits", "16", "bit"),
        ("2 NM", "2", "m·n"),
    ],
)
def test_a_quantity_is_read_with_its_unit(written: str, key: str, unit: str) -> None:
    [value] = extract_values(written)
    assert (value.kind, value.key, value.unit) == (ValueKind.NUMBER, key, unit)
    assert value.text == (written if unit else written.split(maxsplit=1)[0]).replace("²", "2")


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("10 N/A, 1 h* in all and a catheter of 3 lumens", ["", "s", ""]),
        ("5 a day, 3 in all, 2 t-tests and 4 at rest", ["", "", "", ""]),
        ("5 mm x 3 mm", ["m", "m"]),
        ("2 h / 24 h, 500 mL / 100 mL, 40 mm * 25 mm", ["s", "s", "l", "l", "m", "m"]),
        ("12 French patients in 27 EU countries, 3 mg per in vitro test", ["", "", "g"]),
        ("G2 and two G2 meters of 8 A/B tests", ["", ""]),
    ],
)
def test_words_behind_numbers_are_no_units(text: str, units: list[str]) -> None:
    numbers = [each for each in extract_values(text) if each.kind is ValueKind.NUMBER]
    assert [each.unit for each in numbers] == units
