"""Items that name audio and answer images: what is taken, and what is refused with file, line and reason."""

import gzip
import zipfile

import pytest

from annotation.domain.transcription import recordings as domain
from annotation.domain.transcription.recordings import RecordingKind
from annotation.importers import items
from annotation.importers.rows import BadRow, ItemRow
from tests.recordings import CHOICES, FILES, MACHINE_TEXT, jsonl, picture, row, tarred, tone, zipped


def read(path, **how):
    return list(items.read(path, **how))


def why(path) -> list[tuple[int | None, str]]:
    return [(bad.line, bad.reason.code) for bad in read(path) if isinstance(bad, BadRow)]


@pytest.mark.parametrize("packed", [zipped, tarred])
def test_a_row_brings_its_files_along(packed, tmp_path):
    [found] = read(packed(tmp_path / "discussions", row()))
    assert isinstance(found, ItemRow)
    assert [(each.kind, each.media_type, each.size) for each in found.recordings] == [
        ("audio", "audio/wav", len(FILES["clips/a.wav"])),
        ("answer_image", "image/png", len(FILES["a.png"])),
    ]
    assert (list(found.turns), found.choices, found.answer) == (MACHINE_TEXT, tuple(CHOICES), 2)


@pytest.mark.parametrize("format", ["auto", "jsonl"])
def test_the_preview_reads_an_archive_as_it_is_stored(format, tmp_path):
    look = items.preview(zipped(tmp_path / "x", row(), row(2)), file_name="talks.zip", format=format)
    assert (look.file, look.refusal, len(look.rows)) == ("talks.zip", None, 2)


@pytest.mark.parametrize("letter", [None, "", "H", "rn"])
def test_a_letter_that_a_machine_could_not_read_is_left_to_people(letter, tmp_path):
    assert read(zipped(tmp_path / "x", row(answer=letter)))[0].answer is None
    assert why(zipped(tmp_path / "y", row(answer=letter, answer_image=None)))[0][0] == 1


def test_what_a_machine_transcribed_may_lack_speakers_and_turns(tmp_path):
    [found] = read(zipped(tmp_path / "x", row(turns=["Did you book it? No."])))
    assert list(found.turns) == [{"speaker": "", "text": "Did you book it? No."}]
    assert why(zipped(tmp_path / "y", row(turns=["Did you book it? No."], audio=None))) == [(1, "no_label")]


def test_a_plain_file_cannot_name_files_and_says_how_to_bring_them(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_bytes(jsonl(row(), row(2, audio=None, answer_image=None, answer="A")))
    bad, good = read(path)
    assert (bad.line, bad.reason.code) == (1, "file_not_packed")
    assert 'names the file "clips/a.wav"' in str(bad.reason)
    assert good.recordings == ()


@pytest.mark.parametrize(
    ("cells", "files", "code"),
    [
        ({"audio": "b.wav"}, {}, "file_missing"),
        ({"audio": "../items.jsonl"}, {}, "file_missing"),
        ({"audio": "/etc/passwd"}, {}, "file_missing"),
        ({"audio": "a.png"}, {}, "no_audio"),
        ({"audio": "b.mp3"}, {"b.mp3": b"<html>not audio</html>"}, "no_audio"),
        ({"audio": "b.wav"}, {"b.wav": b""}, "no_audio"),
        ({"answer_image": "clips/a.wav"}, {}, "no_picture"),
        ({"answer_image": "b.svg"}, {"b.svg": b"<svg onload='alert(1)'/>"}, "no_picture"),
        ({"audio": 7}, {}, "not_text"),
    ],
)
def test_a_wrong_file_refuses_its_row_alone(cells, files, code, tmp_path):
    path = zipped(tmp_path / "x.zip", row(1), row(2, **cells), row(3), files=FILES | files)
    assert why(path) == [(2, code)]
    assert len(read(path)) == 3


def test_a_huge_file_refuses_its_row_alone(tmp_path, monkeypatch):
    monkeypatch.setitem(domain.LARGEST, RecordingKind.AUDIO, 1 << 20)
    path = zipped(tmp_path / "x.zip", row(1), row(2, audio="b.wav"), files=FILES | {"b.wav": tone() + bytes(1 << 20)})
    assert why(path) == [(2, "recording_too_large")]
    assert str(read(path)[1].reason) == 'the file "b.wav" has more than 1 MiB; make it smaller'


def test_a_picture_has_a_limit_of_its_own(tmp_path):
    large = picture() + bytes(domain.LARGEST[RecordingKind.ANSWER_IMAGE])
    assert why(zipped(tmp_path / "x.zip", row(), files=FILES | {"a.png": large})) == [(1, "recording_too_large")]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a.wav": tone()}, "no_jsonl"),
        ({"a.jsonl": b"{}", "b.jsonl": b"{}"}, "several_jsonl"),
        ({"../a.jsonl": b"{}"}, "archive_escape"),
        ({"a.jsonl": b""}, "empty"),
    ],
)
def test_an_archive_that_cannot_be_read_is_refused_whole(files, code, tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert why(tmp_path / "x.zip") == [(None, code)]


def test_what_a_mac_packs_besides_is_not_meant(tmp_path):
    hidden = {"__MACOSX/._items.jsonl": b"x", ".DS_Store": b"x"}
    assert why(zipped(tmp_path / "x.zip", row(), files=FILES | hidden)) == []


def test_a_name_with_an_accent_is_found_however_it_is_spelled(tmp_path):
    path = zipped(tmp_path / "x.zip", row(audio="caf\u00e9.wav"), files=FILES | {"cafe\u0301.wav": tone(0.1)})
    assert why(path) == []


def test_other_archives_and_workbooks_still_say_what_they_are(tmp_path):
    (tmp_path / "x.gz").write_bytes(gzip.compress(jsonl(row())))
    (tmp_path / "x.bz2").write_bytes(b"BZh91AY&SY" + bytes(20))
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", b"<workbook/>")
    assert [why(tmp_path / name)[0][1] for name in ("x.gz", "x.bz2", "x.xlsx")] == [
        "archive_broken",
        "archive",
        "workbook_broken",
    ]
