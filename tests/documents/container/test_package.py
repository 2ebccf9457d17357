"""The package of an Office file: parts, references, and what is refused."""

from __future__ import annotations

import io
import zipfile

import pytest

from phasergun_desktop.documents.container import zip_parts
from phasergun_desktop.documents.container.office_package import OfficePackage, Relation
from phasergun_desktop.errors import DocumentError, DocumentProblem


def package(**parts: str | bytes) -> OfficePackage:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return OfficePackage(stream.getvalue(), "PowerPoint")


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
    assert opened.relations_of("ppt/slides/one.xml") == {
        "a": Relation("image", "ppt/media/a b.png"),
        "b": Relation("chart", "ppt/charts/c.xml"),
    }
    assert opened.relations_of("ppt/slides/absent.xml") == {}


def test_names_are_compared_without_case_and_parts_may_be_broken() -> None:
    opened = package(**{"PPT__Slide.xml": "<a><b/></a>", "broken.xml": "<a><b/>"})
    whole, broken = opened.xml("ppt/slide.XML"), opened.readable("broken.xml")
    assert whole is not None
    assert whole.tag == "a"
    assert broken[0] is not None
    assert len(broken[0]) == 1
    assert "not complete" in str(broken[1])
    assert opened.xml("absent.xml") is None
    assert opened.readable("absent.xml")[0] is None


@pytest.mark.parametrize(
    "content",
    [
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>".encode("utf-16"),
        "<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/passwd'>%x;<!ENTITY y 'z'>]><a>&y;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd' [<!ENTITY x 'y'>]><a>&x;</a>",
    ],
)
def test_entities_are_left_out_with_a_remark(content: str | bytes) -> None:
    opened = package(**{"a.xml": content})
    for _ in range(2):
        root = opened.xml("a.xml")
        assert root is not None
        assert not root.text
    assert len(opened.remarks) == 1
    assert "entities" in opened.remarks[0]


def test_parts_that_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_parts, "MAX_PART_BYTES", 10_000)
    root, damage = package(**{"a.xml": f"<a>{' ' * 20_000}</a>"}).readable("a.xml")
    assert root is None
    assert damage is not None
    assert "unreasonable" in str(damage)


def test_what_is_no_archive_is_called_damaged() -> None:
    with pytest.raises(DocumentError, match="archive cannot be opened") as raised:
        OfficePackage(b"PK\x03\x04 and nothing", "Word")
    assert raised.value.problem is DocumentProblem.DAMAGED
