"""A running product keeps its files and pages from others, logs no address, and outlives cut connections."""

import http.cookiejar
import json
import re
import socket
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import psycopg
import pytest

from tests import databases
from tests.flows.waiting import eventually
from tests.live_server import ROOT, LiveServer, open_house

OWN = {"SECRET_KEY": "", "CELERY_BROKER_URL": "filesystem://"}


def open_to_others(folder: Path) -> list[str]:
    return [str(path) for path in (folder, *folder.rglob("*")) if stat.S_IMODE(path.stat().st_mode) & 0o077]


@pytest.fixture
def house(tmp_path):
    tmp_path.chmod(0o755)
    left = tmp_path / "media" / "left by an earlier version.csv"
    left.parent.mkdir(mode=0o755)
    left.write_text("text")
    left.chmod(0o644)
    with open_house(tmp_path, DATABASE_URL=databases.sqlite(tmp_path), **OWN) as house:
        yield house


def test_every_file_of_the_data_folder_is_its_owners_alone(house, tmp_path):
    house.start("trainer")
    house.manage("demo")
    house.manage("backup", str(tmp_path / "backup.zip"))
    alive = {"worker", "beat", "trainer"}
    assert eventually(lambda: alive <= {path.name for path in tmp_path.glob("last/*")}), "no sign of life"
    assert json.loads(house.manage("health", "--json"))["ok"]
    names = {path.name for path in tmp_path.rglob("*")}
    assert {"colloquy.sqlite3", "backup.zip", "secret_key", "demo-logins.json", "address", "broker", "media"} <= names
    assert open_to_others(tmp_path) == []


def test_static_files_may_be_kept_and_pages_may_not(house):
    with urllib.request.urlopen(f"{house.url}/signin/") as page:
        assert {"private", "no-store"} <= set(page.headers["Cache-Control"].split(", "))
        style = re.search(r'href="(/static/css/[^"]+)"', page.read().decode())[1]
    with urllib.request.urlopen(house.url + style) as file:
        assert {"public", "immutable"} <= set(file.headers["Cache-Control"].split(", "))


def test_a_request_that_is_none_leaves_no_address_in_the_log(house, tmp_path):
    house.kill("web")
    log = tmp_path / "log"
    with log.open("w") as written:
        command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
        house.processes["web"] = subprocess.Popen(
            command, cwd=ROOT, env=house.environment, stderr=written, start_new_session=True
        )
    house.wait_until_it_answers()
    with socket.create_connection(("127.0.0.1", house.port)) as client:
        client.sendall(b"NONSENSE\r\n\r\n")
        assert b"400" in client.recv(1000)
    house.kill("web")
    assert "127.0.0.1" not in log.read_text()


def test_pages_answer_after_the_database_has_cut_every_connection(postgres_url, tmp_path):
    with databases.postgresql(postgres_url) as url, open_house(tmp_path, DATABASE_URL=url, **OWN) as house:
        password = house.make_user("ada", "administrator")
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar := http.cookiejar.CookieJar()))
        sign_in(house, browser, jar, "ada", password)
        pages = ("/", "/account/", "/people/", "/studies/", "/runs/", "/questions/", "/corpora/")
        for _round in range(2):
            assert [browser.open(house.url + page).status for page in pages * 2] == [200] * 14
            with psycopg.connect(postgres_url, autocommit=True) as connection:
                cut = connection.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s",
                    [url.rpartition("/")[2]],
                ).fetchone()
            assert cut[0] > 0
        assert [browser.open(house.url + page).status for page in pages * 2] == [200] * 14


def sign_in(
    house: LiveServer,
    browser: urllib.request.OpenerDirector,
    jar: http.cookiejar.CookieJar,
    name: str,
    password: str,
) -> None:
    browser.open(f"{house.url}/signin/")
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    sent = f"username={name}&password={password}&csrfmiddlewaretoken={token}".encode()
    assert browser.open(f"{house.url}/signin/", sent).url == f"{house.url}/"
