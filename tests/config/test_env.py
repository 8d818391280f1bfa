"""A wrong setting stops the start, names itself and says what to do; a right or absent one is read."""

import stat
import threading
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


def number() -> int:
    return env.number("SETTING", default=2, lowest=1, highest=64)


def choice() -> str:
    return env.choice("SETTING", default="json", allowed=("json", "text"))


def url() -> str:
    return env.url("SETTING", default="sqlite:///var/file", schemes=("sqlite", "postgresql"))


@pytest.mark.parametrize("absent", [None, "", "   "])
def test_an_absent_or_empty_setting_gives_the_default(monkeypatch, absent):
    monkeypatch.delenv("SETTING", raising=False)
    if absent is not None:
        monkeypatch.setenv("SETTING", absent)
    assert env.text("SETTING", "as usual") == "as usual"
    assert env.flag("SETTING", default=True) is True
    assert env.flag("SETTING", default=False) is False
    assert env.names("SETTING", default="localhost,127.0.0.1") == ["localhost", "127.0.0.1"]
    assert (number(), choice(), url()) == (2, "json", "sqlite:///var/file")
    assert env.url("SETTING", default="", schemes=("https",)) == ""


@pytest.mark.parametrize(
    ("value", "meant"),
    [("1", True), ("true", True), ("Yes", True), (" on ", True), ("0", False), ("FALSE", False), ("no", False)],
)
def test_a_flag_is_read_in_the_usual_spellings(monkeypatch, value, meant):
    monkeypatch.setenv("SETTING", value)
    assert env.flag("SETTING", default=not meant) is meant


@pytest.mark.parametrize("value", ["1", "64", " 8 "])
def test_a_number_within_its_bounds_is_read(monkeypatch, value):
    monkeypatch.setenv("SETTING", value)
    assert number() == int(value)


def test_names_lose_their_blanks_and_empty_parts(monkeypatch):
    monkeypatch.setenv("SETTING", " a.example , ,b.example,")
    assert env.names("SETTING", default="") == ["a.example", "b.example"]


@pytest.mark.parametrize("value", ["postgresql://someone@localhost/colloquy", "sqlite:////tmp/file"])
def test_a_url_of_a_known_kind_is_read_as_it_is(monkeypatch, value):
    monkeypatch.setenv("SETTING", value)
    assert url() == value


@pytest.mark.parametrize(
    ("read", "value", "hint"),
    [
        (lambda: env.flag("SETTING", default=True), "maybe", "Set it to 1 or 0, or unset it for 1."),
        (number, "many", "whole number from 1 to 64"),
        (number, "0", "whole number from 1 to 64"),
        (number, "65", "whole number from 1 to 64"),
        (number, "-3", "whole number from 1 to 64"),
        (number, "٣", "whole number from 1 to 64"),
        (number, "²", "whole number from 1 to 64"),
        (choice, "JSON", "one of: json, text"),
        (url, "mysql://localhost/colloquy", "begins with sqlite:// or postgresql://"),
        (url, "postgresql:colloquy", "begins with sqlite:// or postgresql://"),
        (url, "colloquy.sqlite3", "unset for the default"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_a_hint(monkeypatch, read, value, hint):
    monkeypatch.setenv("SETTING", value)
    with pytest.raises(ImproperlyConfigured) as refused:
        read()
    assert str(refused.value).startswith("SETTING ")
    assert hint in str(refused.value)


def test_a_refused_url_does_not_repeat_its_password(monkeypatch):
    monkeypatch.setenv("SETTING", "mysql://someone:hunter2@localhost/colloquy")
    with pytest.raises(ImproperlyConfigured) as refused:
        url()
    assert "hunter2" not in str(refused.value)


def test_a_secret_from_the_environment_leaves_no_file(monkeypatch, tmp_path):
    monkeypatch.setenv("SETTING", "given")
    assert env.secret("SETTING", kept_in=tmp_path / "secret") == "given"
    assert list(tmp_path.iterdir()) == []


def test_a_secret_is_made_once_and_only_its_owner_reads_it(monkeypatch, tmp_path):
    monkeypatch.delenv("SETTING", raising=False)
    kept_in = tmp_path / "new folder" / "secret"
    made = env.secret("SETTING", kept_in=kept_in)
    assert len(made) >= 50
    assert env.secret("SETTING", kept_in=kept_in) == made
    assert stat.S_IMODE(kept_in.stat().st_mode) == 0o600
    assert list(kept_in.parent.iterdir()) == [kept_in]


def test_processes_that_start_at_once_agree_on_one_secret(monkeypatch, tmp_path):
    monkeypatch.delenv("SETTING", raising=False)
    starting_line = threading.Barrier(8)
    seen = []

    def start() -> None:
        starting_line.wait()
        seen.append(env.secret("SETTING", kept_in=tmp_path / "secret"))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1


def test_a_folder_that_cannot_be_made_is_named_with_its_setting(monkeypatch):
    monkeypatch.setenv("DATA_DIR", "/dev/null/x")
    with pytest.raises(ImproperlyConfigured, match=r"DATA_DIR is /dev/null/x: .*Set it to a folder"):
        env.folder("DATA_DIR", default=Path("unused"))


def test_a_folder_is_made_when_it_is_missing(monkeypatch, tmp_path):
    monkeypatch.delenv("DATA_DIR", raising=False)
    assert env.folder("DATA_DIR", default=tmp_path / "new").is_dir()


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.lstat().st_mode) for path in (folder, *folder.rglob("*"))}


def test_a_folder_that_others_can_open_is_closed(monkeypatch, tmp_path):
    monkeypatch.delenv("DATA_DIR", raising=False)
    (tmp_path / "data").mkdir(mode=0o755)
    env.folder("DATA_DIR", default=tmp_path / "data")
    assert modes(tmp_path / "data") == {0o700}


def test_what_an_earlier_version_left_open_is_closed_and_links_are_not_followed(tmp_path):
    data, outside = tmp_path / "data", tmp_path / "outside"
    (data / "media" / "imports").mkdir(parents=True)
    (data / "media" / "imports" / "upload.csv").write_text("a")
    (data / "colloquy.sqlite3").write_text("b")
    outside.write_text("c")
    outside.chmod(0o644)
    (data / "link").symlink_to(outside)
    (data / "gone").symlink_to(tmp_path / "nowhere")
    for path in (data / "media", data / "media" / "imports"):
        path.chmod(0o755)
    for path in (data / "media" / "imports" / "upload.csv", data / "colloquy.sqlite3"):
        path.chmod(0o644)
    data.chmod(0o700)
    env.close_to_others(data)
    assert modes(data) - {0o777} == {0o700, 0o600}  # 777 is what a link has
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_servers_have_names_and_plain_addresses(monkeypatch):
    monkeypatch.setenv("SETTING", "lab=http://127.0.0.1:8080/v1/, open-2 = https://api.example.org/v1")
    assert env.servers("SETTING") == {"lab": "http://127.0.0.1:8080/v1", "open-2": "https://api.example.org/v1"}
    monkeypatch.delenv("SETTING")
    assert env.servers("SETTING") == {}


@pytest.mark.parametrize(
    "wrong",
    [
        "https://api.example.org/v1",
        "lab=ftp://example.org",
        "lab=file:///etc/passwd",
        "lab=http://me:hidden@example.org",
        "lab=http://hidden@example.org",
        "lab=http://example.org/v1?key=hidden",
        "lab=http://example.org/#hidden",
        "lab=http://",
        "lab=http://example.org:port",
        "lab=http://exa mple.org",
        "Lab=http://example.org",
        "lab=http://a.example,lab=http://b.example",
    ],
)
def test_an_address_with_a_password_or_none_at_all_stops_the_start_and_is_not_repeated(monkeypatch, wrong):
    monkeypatch.setenv("SETTING", wrong)
    with pytest.raises(
        ImproperlyConfigured, match=r"SETTING is wrong at its [12]\. server\. Set it to NAME=URL"
    ) as said:
        env.servers("SETTING")
    assert "hidden" not in str(said.value)
