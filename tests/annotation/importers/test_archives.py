"""Archives from elsewhere: what is taken, and everything that refuses one whole."""

import io
import random
import signal
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import pytest

from annotation.importers import archive
from annotation.importers.archive import unpacked
from annotation.importers.reasons import RowRefused
from tests.corpora import tar_of


def names_in(path):
    with unpacked(path) as members:
        return sorted(member.name for member in members)


def why_refused(path) -> str:
    with pytest.raises(RowRefused) as refused, unpacked(path):
        pass
    return refused.value.reason.code


def tar_with(path, *entries: tarfile.TarInfo):
    with tarfile.open(path, "w:gz") as written:
        for entry in entries:
            written.addfile(entry, io.BytesIO(b"x" * entry.size))
    return path


def entry(name: str, size: int = 0, **details) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.size = size
    for key, value in details.items():
        setattr(made, key, value)
    return made


def zip_with(path, files, **details):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            for key, value in details.items():
                setattr(info, key, value)
            written.writestr(info, content)
    return path


@pytest.mark.parametrize("kind", ["folder", "zip", "tar"])
def test_the_same_files_come_out_of_a_folder_a_zip_and_a_tar(kind, tmp_path):
    files = {"set/dev/a.txt": b"one", "set/notes.md": b"two"}
    if kind == "folder":
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(content)
        path = tmp_path / "set"
    else:
        path = tar_of(tmp_path / "x.tar.gz", files) if kind == "tar" else zip_with(tmp_path / "x.zip", files)
    with unpacked(path) as members:
        assert {member.name: member.path.read_bytes() for member in members} == files


def test_what_was_unpacked_is_gone_afterwards(tmp_path):
    with unpacked(tar_of(tmp_path / "x.tar.gz", {"a.txt": b"one"})) as [member]:
        assert member.path.exists()
    assert not member.path.exists()


def test_one_file_by_itself_has_the_name_that_people_gave_it(tmp_path):
    (tmp_path / "kept").write_text("{}")
    with unpacked(tmp_path / "kept", "dialogues.jsonl") as [member]:
        assert member == ("dialogues.jsonl", tmp_path / "kept")


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a/../../b.txt", "C:/x.txt", "..\\x.txt"])
def test_a_name_that_leads_out_refuses_the_archive(name, tmp_path):
    assert why_refused(tar_of(tmp_path / "x.tar.gz", {"a.txt": b"", name: b"x"})) == "archive_escape"
    assert why_refused(zip_with(tmp_path / "x.zip", {"a.txt": b"", name: b"x"})) == "archive_escape"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_refuse_the_archive(kind, tmp_path):
    assert why_refused(tar_with(tmp_path / "x.tar.gz", entry("a", type=kind, linkname="/etc/passwd"))) == "archive_link"


def test_a_link_in_a_zip_refuses_it(tmp_path):
    path = zip_with(tmp_path / "x.zip", {"a": b"/etc/passwd"}, external_attr=(stat.S_IFLNK | 0o777) << 16)
    assert why_refused(path) == "archive_link"


def test_a_link_in_a_folder_is_passed_over(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.txt").write_text("x")
    (tmp_path / "set" / "b.txt").symlink_to("/etc/passwd")
    assert names_in(tmp_path / "set") == ["set/a.txt"]


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_FILES", 3)
    files = {f"{number}.txt": b"x" for number in range(4)}
    assert why_refused(tar_of(tmp_path / "x.tar.gz", files)) == "archive_files"
    assert why_refused(zip_with(tmp_path / "x.zip", files)) == "archive_files"


def test_a_bomb_is_refused_before_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 1 << 20)
    files = {f"{number}.txt": bytes(1 << 19) for number in range(3)}
    for path in (tar_of(tmp_path / "x.tar.gz", files), zip_with(tmp_path / "x.zip", files)):
        assert path.stat().st_size < 10_000
        assert why_refused(path) == "archive_bytes"


def test_a_folder_may_be_larger_than_what_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 10)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.txt").write_text("x" * 100)
    assert names_in(tmp_path / "set") == ["set/a.txt"]


def test_a_zip_that_lies_about_its_sizes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 1 << 20)
    path = zip_with(tmp_path / "x.zip", {"a.txt": bytes(1 << 22)})
    raw = path.read_bytes().replace((1 << 22).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(raw)
    assert why_refused(path) in {"archive_bytes", "archive_broken"}


def test_names_that_are_long_or_deep_are_refused(tmp_path):
    assert why_refused(tar_of(tmp_path / "x.tar.gz", {"a" * 500: b""})) == "archive_name"
    assert why_refused(tar_of(tmp_path / "y.tar.gz", {"a/" * 20 + "b": b""})) == "archive_name"


def test_a_header_of_names_without_end_is_not_read(tmp_path):
    path = tar_with(tmp_path / "x.tar.gz", entry("a", 1 << 20, type=tarfile.XHDTYPE))
    assert why_refused(path) == "archive_name"


@pytest.mark.parametrize("size", [30, 200])
def test_a_file_that_was_cut_off_is_refused(size, tmp_path):
    path = tar_of(tmp_path / "x.tar.gz", {f"{n}.txt": str(n).encode() * 99 for n in range(99)})
    path.write_bytes(path.read_bytes()[:size])
    assert why_refused(path) == "archive_broken"
    zipped = zip_with(tmp_path / "x.zip", {f"{n}.txt": str(n).encode() * 99 for n in range(99)})
    zipped.write_bytes(zipped.read_bytes()[:size])
    assert why_refused(zipped) == "archive_broken"


def test_a_locked_zip_and_other_kinds_are_named(tmp_path):
    path = zip_with(tmp_path / "x.zip", {"a.txt": b"x"})
    raw = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(signature) + flags] |= 1
    path.write_bytes(bytes(raw))
    assert why_refused(path) == "archive_locked"
    (tmp_path / "x.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(40))
    assert why_refused(tmp_path / "x.7z") == "archive_kind"


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_refused_however_it_is_packed(tmp_path, method):
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(path, "w", method) as made:
        made.writestr("a.txt", random.Random(0).randbytes(2_000).hex())
    packed = bytearray(path.read_bytes())
    packed[60:80] = bytes(255 - byte for byte in packed[60:80])
    path.write_bytes(packed)
    assert why_refused(path) == "archive_broken"


DIES = """
import os, signal, sys
from pathlib import Path
from annotation.importers.archive import unpacked
with unpacked(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Return a folder for temporary files, for this process and its children."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_what_a_killed_process_unpacked_is_gone_with_the_next_archive(temporary, tmp_path):
    path = tar_of(tmp_path / "x.tar.gz", {"a.txt": b"one"})
    killed = subprocess.run([sys.executable, "-c", DIES, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    [left] = temporary.iterdir()
    assert [*left.iterdir()]
    with unpacked(path):
        assert not left.exists()
    assert not [*temporary.iterdir()]


def test_what_another_process_reads_stays(temporary, tmp_path):
    path = tar_of(tmp_path / "x.tar.gz", {"a.txt": b"one"})
    with unpacked(path) as [first]:
        with unpacked(path) as [second]:
            assert first.path != second.path
        assert first.path.read_bytes() == b"one"


def test_other_folders_stay(temporary, tmp_path):
    (temporary / "corpus-mine").mkdir()
    (temporary / "corpus-mine" / "a.txt").write_text("one")
    with unpacked(tar_of(tmp_path / "x.tar.gz", {"a.txt": b"one"})):
        pass
    assert (temporary / "corpus-mine" / "a.txt").exists()


def test_a_folder_of_that_name_behind_a_link_stays(temporary, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.txt").write_text("one")
    (temporary / f"{archive.PREFIX}mine").symlink_to(tmp_path / "mine")
    with unpacked(tar_of(tmp_path / "x.tar.gz", {"a.txt": b"one"})):
        pass
    assert (tmp_path / "mine" / "a.txt").exists()


def test_a_zip_of_more_files_than_a_short_directory_counts_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as written:
        for number in range(66_000):
            written.writestr(f"{number}.txt", "")
    assert len(names_in(tmp_path / "x.zip")) == 66_000


@pytest.fixture
def long_zip(tmp_path, monkeypatch):
    """A small zip file with the long end record of one that has very many files."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as written:
        monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
        for number in range(3):
            written.writestr(f"{number}.txt", "")
    return tmp_path / "x.zip"


def test_the_count_of_a_long_end_record_is_kept_to(long_zip, monkeypatch):
    assert len(names_in(long_zip)) == 3
    monkeypatch.setattr(archive, "MOST_FILES", 2)
    monkeypatch.setattr(zipfile, "ZipFile", None)  # it would read the whole list
    assert why_refused(long_zip) == "archive_files"


def test_a_list_of_files_that_is_too_large_is_refused_with_that_reason(long_zip, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST_DIRECTORY", 100)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert why_refused(long_zip) == "archive_list"


def test_a_long_end_record_that_lies_elsewhere_is_refused(long_zip):
    content = bytearray(long_zip.read_bytes())
    at = content.rindex(b"PK\x06\x07") + 8
    content[at : at + 8] = (0).to_bytes(8, "little")
    long_zip.write_bytes(content)
    assert why_refused(long_zip) == "archive_broken"


def test_a_refusal_names_the_limit_with_a_separator(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_FILES", 1_000)
    path = zip_with(tmp_path / "x.zip", {f"{number}": "" for number in range(1_001)})
    with pytest.raises(RowRefused) as refused, unpacked(path):
        pass
    assert "1,000" in str(refused.value)
