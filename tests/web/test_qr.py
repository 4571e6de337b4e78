"""QR codes of the page, read by a reader that is not ours."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import zxingcpp

NODE = Path(sys.executable).with_name("node")
QR = Path(__file__).parents[2] / "clients/web/parts/qr.js"
DRAW_ALL = f"""
import {{ qrMatrix }} from {json.dumps(QR.as_uri())};
const texts = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(texts.map((text) => qrMatrix(text))));
"""

LONGEST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]  # bytes, by version
QUIET = 4
PIXELS = 3  # to a module


def drawn(texts: list[str]) -> list[list[list[bool]]]:
    """Let the page's own code draw texts."""
    node = subprocess.run(  # noqa: S603 — the script stands here
        [NODE, "--input-type=module", "--eval", DRAW_ALL],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    matrices: list[list[list[bool]]] = json.loads(node.stdout)
    return matrices


def read(matrix: list[list[bool]]) -> bytes:
    """Read a drawn code as a camera would see it, and say what it holds."""
    margin = [False] * QUIET
    rows = [margin + row + margin for row in matrix]
    blank = [[False] * len(rows[0])] * QUIET
    pixels = bytearray()
    for row in [*blank, *rows, *blank]:
        pixels += bytes(0 if dark else 255 for dark in row for _ in range(PIXELS)) * PIXELS
    side = len(rows[0]) * PIXELS
    [code] = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (side, side)))
    assert code.format == zxingcpp.BarcodeFormat.QRCode
    assert code.ec_level == "M"
    return bytes(code.bytes)


def test_every_version_is_read_at_its_shortest_and_its_longest() -> None:
    lengths = [1, *LONGEST, *(most + 1 for most in LONGEST[:-1])]
    texts = ["https://race.example/rooms/k3x9q2ab?".ljust(n, "~")[:n] for n in lengths]

    matrices = drawn(texts)

    assert [read(matrix).decode() for matrix in matrices] == texts
    sizes = {len(matrix) for matrix in matrices}
    assert sizes == {17 + 4 * version for version in range(1, 11)}


@pytest.mark.parametrize("step", [1, 7, 64, 255])
def test_any_characters_come_back_as_they_went_in(step: int) -> None:
    texts = [
        "".join(chr(33 + (start + step * i) % 400) for i in range(80))
        for start in range(0, 400, 50)
    ]

    assert [read(matrix).decode() for matrix in drawn(texts)] == texts


def test_texts_of_many_languages_and_symbols_are_read() -> None:
    texts = [
        "Đua bài với bạn bè",
        "Šećer i žaba: ćevapi",
        "Åtta är öl",
        "🂡🂮 ♠♥♦♣",
        "x\0y\n",
        "0" * 100,
    ]

    assert [read(matrix).decode() for matrix in drawn(texts)] == texts
