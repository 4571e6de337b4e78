import gzip
from pathlib import Path

import pytest

from server.api.assets import FOLDER, Asset, NoPage, read_assets

INDEX = b'<head><script type="module" src="/web/-/app.js"></script></head>'


def a_page(folder: Path, **more: bytes) -> Path:
    """A small page, with files that are not for browsers."""
    files = {
        "index.html": INDEX,
        "app.js": b"import './parts/dom.js';\n" * 20,
        "parts/dom.js": b"export {};",
        "package.json": b"{}",
        "README.md": b"# For developers",
        **more,
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_only_what_browsers_need_is_given(tmp_path: Path) -> None:
    assets = read_assets(a_page(tmp_path))

    assert set(assets.files) == {"app.js", "parts/dom.js"}


def test_a_document_names_its_files_by_the_hash_of_all(tmp_path: Path) -> None:
    assets = read_assets(a_page(tmp_path))

    assert len(assets.hash) == 16
    document = assets.documents["app.js"].plain
    assert f'<script type="module" src="/web/{assets.hash}/app.js">'.encode() in document
    assert b"/-/" not in document


def test_a_document_names_whatever_its_module_will_ask_for(tmp_path: Path) -> None:
    page = a_page(
        tmp_path,
        **{
            "app.js": b'import { h } from "./parts/dom.js";\nconst later = import("./late.js");\n',
            "late.js": b"",
            "pages/home.js": b'import {\n  one,\n  two,\n} from "../parts/two.js";\n',
            "parts/two.js": b'export { h } from "./dom.js";\n',
        },
    )

    assets = read_assets(page, modules=["app.js", "pages/home.js"])

    def named(module: str) -> list[str]:
        links = assets.documents[module].plain.decode().split('rel="modulepreload" href="')[1:]
        return [link.split('"')[0].removeprefix(f"/web/{assets.hash}/") for link in links]

    assert named("app.js") == ["app.js", "parts/dom.js"]
    assert named("pages/home.js") == ["app.js", "parts/dom.js", "pages/home.js", "parts/two.js"]


def test_browsers_get_no_doc_comments(tmp_path: Path) -> None:
    code = b'/** What it is. */\nconst a = "/** kept */";\n  /**\n   * @type {1}\n   */\n  let b;\n'
    code += b"/** @type {2} */ (b).c();\n/** Of d. */\n"

    files = read_assets(a_page(tmp_path, **{"a.js": code, "a.css": b"/** kept */\n"})).files

    kept = b'const a = "/** kept */";\n  let b;\n/** @type {2} */ (b).c();\n'
    assert files["a.js"].plain == kept
    assert files["a.css"].plain == b"/** kept */\n"


@pytest.mark.parametrize(
    "change",
    [
        {"index.html": INDEX + b"\n"},
        {"parts/dom.js": b"export { };"},
        {"parts/more.js": b""},
        {"app.js": b"import './parts/dom.js';\n" * 20 + b"export", "parts/dom.js": b" {};"},
    ],
    ids=["index", "content", "another file", "bytes moved between files"],
)
def test_another_page_has_another_hash(tmp_path: Path, change: dict[str, bytes]) -> None:
    before = read_assets(a_page(tmp_path / "before"))
    after = read_assets(a_page(tmp_path / "after", **change))

    assert after.hash != before.hash


def test_what_browsers_do_not_get_changes_no_hash(tmp_path: Path) -> None:
    before = read_assets(a_page(tmp_path / "before"))
    after = read_assets(a_page(tmp_path / "after", **{"README.md": b"# Other words"}))

    assert after.hash == before.hash


def test_a_file_is_packed_if_that_makes_it_smaller(tmp_path: Path) -> None:
    files = read_assets(a_page(tmp_path)).files

    packed = files["app.js"].packed
    assert packed is not None
    assert gzip.decompress(packed) == files["app.js"].plain
    assert len(packed) < len(files["app.js"].plain)
    assert files["parts/dom.js"].packed is None


def test_the_same_file_is_packed_into_the_same_bytes() -> None:
    assert Asset.made(b"one" * 99, "text/css") == Asset.made(b"one" * 99, "text/css")


@pytest.mark.parametrize("there", [True, False])
def test_without_a_page_it_is_said_how_to_get_one(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "page"
    if there:
        folder.write_text("../clients/web")  # what git writes where it makes no links

    with pytest.raises(NoPage, match=r"core\.symlinks"):
        read_assets(folder)


def test_the_servers_page_is_that_of_the_web_client() -> None:
    assert FOLDER.resolve() == Path(__file__).parents[2] / "clients" / "web"
    assert {"app.js", "styles/base.css", "icon.svg"} <= set(read_assets().files)
