"""The package of an Office file: parts, references, and what is refused."""

from __future__ import annotations

import io
import zipfile

import pytest

from phasergun_desktop.documents import zip_package
from phasergun_desktop.documents.zip_package import Relationship, ZipPackage
from phasergun_desktop.errors import DocumentError, DocumentProblem


def package(**parts: str | bytes) -> ZipPackage:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return ZipPackage(stream.getvalue(), "PowerPoint")


def test_references_lead_to_parts_and_never_outside() -> None:
    relation = '<Relationship Id="{}" Type="http://x/{}" Target="{}" {}/>'
    opened = package(
        **{
            "ppt__slides___rels__one.xml.rels": "<r>"
            + relation.format("a", "image", "../media/a%20b.png", "")
            + relation.format("b", "chart", "/ppt/charts/c.xml", "")
            + relation.format("c", "link", "http://example.com/x", 'TargetMode="External"')
            + "</r>"
        }
    )
    assert opened.relationships("ppt/slides/one.xml") == {
        "a": Relationship("image", "ppt/media/a b.png"),
        "b": Relationship("chart", "ppt/charts/c.xml"),
    }
    assert opened.relationships("ppt/slides/absent.xml") == {}


def test_names_are_compared_without_case_and_optional_parts_may_be_broken() -> None:
    opened = package(**{"PPT__Slide.xml": "<a><b/></a>", "broken.xml": "<a>"})
    assert opened.part("ppt/slide.XML").tag == "a"
    assert opened.optional("broken.xml") is None
    assert opened.optional("absent.xml") is None
    with pytest.raises(DocumentError, match="missing") as raised:
        opened.part("absent.xml")
    assert raised.value.problem is DocumentProblem.DAMAGED


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "entities"),
        ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>".encode("utf-16"), "entities"),
        ("<a>" * 500 + "</a>" * 500, "nested"),
        ("", "empty|well formed"),
        ("<a>&undefined;</a>", "well formed"),
    ],
)
def test_hostile_parts_are_refused(content: str | bytes, said: str) -> None:
    with pytest.raises(DocumentError, match=said):
        package(**{"a.xml": content}).part("a.xml")


def test_parts_that_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_package, "MAX_PART_BYTES", 10_000)
    opened = package(**{"a.xml": f"<a>{' ' * 20_000}</a>"})
    with pytest.raises(DocumentError, match="unreasonable"):
        opened.part("a.xml")
    with pytest.raises(DocumentError, match="unreasonable"):
        package(**{"a.xml": " " * 50_000})


def test_what_is_no_archive_is_called_damaged() -> None:
    with pytest.raises(DocumentError, match="archive cannot be opened"):
        ZipPackage(b"PK\x03\x04 and nothing", "Word")
