"""Pages of errors, and the log's record of them."""

import errno
import json
import logging
import re
import sqlite3
from contextlib import closing

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import include, path, reverse

from config.logs import configure
from core.models import Role
from core.permissions import requires
from core.views import errors
from tests import factories

REPEATED = "Key (username)=(linyue) already exists."


def break_down(request: HttpRequest, **arguments: str) -> HttpResponse:
    raise DatabaseError(REPEATED)


def full() -> Exception:
    """Return what Django raises of a SQLite file that cannot grow."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA max_page_count = 1")
        try:
            database.execute("CREATE TABLE too_much (text)")
        except sqlite3.Error as error:
            return as_django(error)
    raise AssertionError


def as_django(error: sqlite3.Error) -> OperationalError:
    raised = OperationalError(*error.args)
    raised.__cause__ = error
    return raised


TROUBLE = {
    "database full": full(),
    "database away": OperationalError("connection to server at 203.0.113.7 failed"),
    "connection cut": InterfaceError("connection already closed"),
    "disk full": OSError(errno.ENOSPC, "No space left on device"),
    "disk read-only": OSError(errno.EROFS, "Read-only file system"),
}


def without_storage(request: HttpRequest, kind: str) -> HttpResponse:
    raise TROUBLE[kind]


def wrong_query(request: HttpRequest) -> HttpResponse:
    connection.cursor().execute("SELECT 1 FROM no_such_table")
    raise AssertionError


@requires("pairs.rate")
def for_annotators(request: HttpRequest) -> HttpResponse:
    return HttpResponse("rating")


urlpatterns = [
    path("broken/<str:token>/", break_down, name="broken"),
    path("api/v1/broken/", break_down),
    path("trouble/<str:kind>/", without_storage),
    path("wrong-query/", wrong_query),
    path("for-raters/", for_annotators),
    path("", include("config.urls")),
]
handler400, handler403, handler404, handler500 = (
    errors.not_understood,
    errors.not_for_you,
    errors.not_found,
    errors.broken,
)

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def log_lines():
    """Return what the product's own log would write, one line an entry."""
    lines: list[str] = []
    formatter = configure("json")["formatters"]["colloquy"]
    writer = logging.Handler()
    writer.setFormatter(formatter["()"](**{name: value for name, value in formatter.items() if name != "()"}))
    writer.emit = lambda record: lines.append(writer.format(record))  # type: ignore[method-assign]
    root = logging.getLogger()
    root.addHandler(writer)
    yield lines
    root.removeHandler(writer)


def test_a_page_that_is_not_for_a_role_says_so_and_leads_home(client, inspector):
    client.force_login(inspector)
    answer = client.get("/for-raters/")
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "This page is not for your role." in page
    assert "You are signed in as Ines, role Inspector." in page
    assert f'href="{reverse("home")}"' in page


def test_an_address_that_leads_nowhere_says_so(client):
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is no page at this address." in answer.content.decode()


def test_a_broken_page_says_what_is_safe_and_gives_a_reference_that_the_log_knows(client, log_lines):
    answer = client.get("/broken/secret/")
    page = answer.content.decode()
    assert answer.status_code == 500
    assert "Something went wrong on the server; you did nothing wrong." in page
    reference = re.search(r'class="code">([2-9A-Z]{6})<', page)[1]
    [entry] = [json.loads(line) for line in log_lines]
    assert (entry["reference"], entry["view"], entry["level"]) == (reference, "broken", "error")
    assert "break_down" in entry["exception"]
    assert "DatabaseError" in entry["exception"]


@pytest.mark.parametrize("kind", TROUBLE)
def test_trouble_with_the_storage_says_that_nothing_sent_is_lost(client, log_lines, kind):
    answer = client.post(f"/trouble/{kind}/")
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "Nothing that you sent is lost" in page
    [entry] = [json.loads(line) for line in log_lines]
    assert entry["reference"] in page
    assert "203.0.113.7" not in str(entry)
    as_script = client.post(f"/trouble/{kind}/", headers={"accept": "application/json"})
    assert (as_script.status_code, "Nothing is lost" in as_script.json()["detail"]) == (503, True)


@pytest.mark.every_database
def test_a_wrong_query_or_a_missing_file_is_no_trouble_with_the_storage(client, monkeypatch):
    assert client.get("/wrong-query/").status_code == 500
    monkeypatch.setitem(TROUBLE, "missing", FileNotFoundError(errno.ENOENT, "No such file"))
    assert client.get("/trouble/missing/").status_code == 500


def test_the_log_of_a_broken_page_holds_no_personal_data(client, log_lines, annotator):
    client.force_login(annotator)
    client.post("/broken/a-secret-token/?q=private", {"text": "said in confidence"}, REMOTE_ADDR="203.0.113.9")
    written = "\n".join(log_lines)
    assert written
    for private in (
        "linyue",
        "a-secret-token",
        "private",
        "said in confidence",
        "203.0.113.9",
        annotator.username + '"',
    ):
        assert private not in written


def test_a_broken_page_needs_no_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/broken/x/").status_code == 500


def test_a_broken_page_speaks_the_readers_language(client):
    page = client.get("/broken/x/", headers={"accept-language": "zh-CN"}).content.decode()
    assert '<html lang="zh-Hans"' in page


def test_failed_sign_ins_and_bad_tokens_leave_no_trace_in_the_log(client, log_lines):
    client.post("/signin/", {"username": "linyue", "password": "wrong"})
    client.get("/invitation/a-secret-token/")
    Client(enforce_csrf_checks=True).post("/invitation/a-secret-token/", {"username": "linyue"})
    assert log_lines == []


@pytest.mark.parametrize(("address", "status"), [("/api/v1/nowhere/", 404), ("/api/v1/broken/", 500)])
def test_the_api_answers_errors_in_json(client, address, status):
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
    assert "detail" in answer.json()


def test_a_script_on_a_page_is_answered_in_json(client, inspector):
    as_script = {"accept": "application/json"}
    signed_out = client.get("/for-raters/", headers=as_script)
    assert (signed_out.status_code, "you are signed out" in signed_out.json()["detail"]) == (401, True)
    client.force_login(inspector)
    assert client.get("/for-raters/", headers=as_script).json() == {"detail": "This page is not for your role."}


def test_after_a_post_that_was_not_signed_in_one_comes_home_not_to_the_post(client):
    assert client.post("/for-raters/").url == "/signin/?next=/"


def test_a_form_of_before_signing_in_says_that_nothing_was_saved(annotator):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(annotator)
    answer = strict.post(reverse("account"), {"name": "Somebody"})
    assert answer.status_code == 403
    assert "Not saved: the page was out of date." in answer.content.decode()
    annotator.refresh_from_db()
    assert annotator.name == "An"


def test_signing_in_twice_in_two_tabs_leads_home(annotator):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(annotator)
    assert strict.post("/signin/", {"username": "an", "password": "x"}).url == reverse("home")


def test_a_request_that_cannot_be_read_is_answered_in_words(settings, annotator):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    client = Client(raise_request_exception=False)
    client.force_login(annotator)
    answer = client.post(reverse("account"), {f"field{number}": "x" for number in range(9)})
    assert answer.status_code == 400
    assert "The request could not be read." in answer.content.decode()


def test_two_references_differ():
    request = RequestFactory().get("/")
    request.resolver_match = None
    assert errors.broken(request).content != errors.broken(request).content


def test_every_role_is_told_its_own_name(client, project):
    for role in (Role.RESEARCHER, Role.EXPERT):
        client.force_login(factories.person(f"some-{role}", role, project=project))
        assert f"role {role.label}" in client.get("/for-raters/").content.decode()
