"""Static files are served whole, typed, and kept by browsers under their version; nothing else is served."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from paraloom.errors import InputError
from paraloom.web.assets import STATIC, Assets


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("secret")
    static = tmp_path / "static"
    (static / "tasks").mkdir(parents=True)
    (static / "tasks" / "pairs.js").write_text("// ours\n")
    (static / "page.js").write_text("// instead of the shared one\n")
    (static / ".hidden").write_text("hidden")
    (static / "odd name.bin").write_bytes(b"\0")
    (static / "link.txt").symlink_to(tmp_path / "secret.txt")
    return static


@pytest.fixture
def assets(folder: Path) -> Assets:
    return Assets([folder])


@pytest.fixture
def client(assets: Assets) -> TestClient:
    return TestClient(Starlette(routes=[Mount("/static", assets)]))


TYPES = [
    ("paraloom.css", "text/css; charset=utf-8"),
    ("htmx.min.js", "text/javascript; charset=utf-8"),
    ("mark.svg", "image/svg+xml"),
    ("htmx.LICENSE", "text/plain; charset=utf-8"),
    ("odd name.bin", "application/octet-stream"),
]


@pytest.mark.parametrize(("name", "kind"), TYPES)
def test_a_file_has_its_type(client: TestClient, assets: Assets, name: str, kind: str) -> None:
    answer = client.get(assets.url(name))
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.content == assets.files[name].body


def test_a_file_under_its_version_is_kept_for_a_year(client: TestClient, assets: Assets) -> None:
    address = assets.url("paraloom.css")
    assert address.startswith("/static/paraloom.css?v=")
    assert client.get(address).headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("query", ["", "?v=", "?v=0000000000000000", "?w=1"])
def test_a_file_under_another_version_is_asked_for_each_time(client: TestClient, query: str) -> None:
    assert client.get(f"/static/paraloom.css{query}").headers["cache-control"] == "no-cache"


def test_a_browser_that_has_it_is_not_sent_it_again(client: TestClient) -> None:
    first = client.get("/static/paraloom.css")
    again = client.get("/static/paraloom.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_version_changes_with_the_content(folder: Path) -> None:
    before = Assets([folder]).url("page.js")
    (folder / "page.js").write_text("// changed\n")
    assert Assets([folder]).url("page.js") != before


def test_a_folder_given_wins_over_ours_and_may_have_folders(client: TestClient) -> None:
    assert client.get("/static/page.js").text == "// instead of the shared one\n"
    assert client.get("/static/tasks/pairs.js").text == "// ours\n"


ESCAPES = [
    *("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "tasks/../../secret.txt", "/etc/passwd", "//etc/passwd"),
    *(
        "..\\secret.txt",
        "link.txt",
        ".hidden",
        "tasks",
        "tasks/",
        "",
        "paraloom.css%00",
        "paraloom.css/",
        "./paraloom.css",
    ),
]


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leads_out_of_the_folders(assets: Assets, path: str) -> None:
    assert assets.response(path).status_code == 404


@pytest.mark.parametrize("path", ["%2e%2e/secret.txt", "..%2fsecret.txt", "%2fetc%2fpasswd", ".hidden", "link.txt"])
def test_nor_does_a_path_sent_over_http(client: TestClient, path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_files_are_read_only(client: TestClient) -> None:
    assert client.post("/static/paraloom.css").status_code == 405
    head = client.head("/static/paraloom.css", headers={"accept-encoding": "identity"})
    assert (head.content, head.headers["content-length"]) == (b"", str((STATIC / "paraloom.css").stat().st_size))


def test_large_texts_travel_small(client: TestClient, assets: Assets) -> None:
    answer = client.get("/static/htmx.min.js", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(assets.files["htmx.min.js"].body) / 2
    assert answer.content == assets.files["htmx.min.js"].body


def test_a_name_that_is_not_there_is_an_error_for_who_writes_the_page(assets: Assets, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no static file 'nope\.css'"):
        assets.url("nope.css")
    with pytest.raises(InputError, match="not a folder"):
        Assets([tmp_path / "nowhere"])
