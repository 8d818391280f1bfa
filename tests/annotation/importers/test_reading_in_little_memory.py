import io
import tracemalloc
from itertools import repeat

import pytest

from annotation.importers import pairs
from annotation.importers.rows import PairRow

MEGABYTE = 1024 * 1024
HEADER = b"prompt,response\n"
ROW = "今天去健身吗,不去，太累了\n".encode()
LONG_ROW = f"{'今天去健身吗' * 100},{'不去，太累了' * 100}\n".encode()


def write(path, pieces):
    with path.open("wb") as file:
        file.write(HEADER)
        for piece in pieces:
            if file.tell() >= 50 * MEGABYTE:
                break
            file.write(piece)
    return path


def peak_of_reading(path):
    tracemalloc.start()
    try:
        last = None
        for row in pairs.read(path):
            last = row
        return tracemalloc.get_traced_memory()[1], last
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "piece",
    [
        LONG_ROW * 100 + b"a\n",
        b"x" * MEGABYTE,
        b'a,"' + b"x" * MEGABYTE + b"\n",
        b'a,"' + b"x" * 1000 + b"\n" * 20_000 + b"x" * MEGABYTE + b"\n",
    ],
    ids=["good rows", "one line", "open quotes in long lines", "open quotes over many lines"],
)
def test_a_file_of_fifty_megabytes_is_read_in_a_few(tmp_path, piece):
    peak, last = peak_of_reading(write(tmp_path / "pairs.csv", repeat(piece)))
    assert last is not None
    assert peak < 8 * MEGABYTE


def test_a_row_after_a_line_of_a_megabyte_is_read():
    content = HEADER + b"a," + b"b" * MEGABYTE + b"\n" + ROW
    rows = list(pairs.read(io.BytesIO(content)))
    assert rows[0].reason.code == "line_too_long"
    assert len(rows[0].excerpt) == 80
    assert rows[1] == PairRow(3, "今天去健身吗", "不去，太累了")
