"""Signing in and out: who is let in, what the others are told, and the page that follows."""

from datetime import timedelta
from html import unescape

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import IntegrityError, OperationalError, connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from core.models import User
from core.presenters.device_cookies import remember

PASSWORD = "correct horse battery"
SIGNIN = "/signin/"


@pytest.fixture
def person(annotator: User) -> User:
    annotator.set_password(PASSWORD)
    annotator.save()
    return annotator


def sign_in(client: Client, username: str, password: str = PASSWORD, **more: str):
    return client.post(SIGNIN, {"username": username, "password": password, **more})


def error_of(response) -> str:
    [error] = response.context["form"].errors["password"]
    return error


def test_a_sign_in_that_cannot_be_stored_says_that_the_storage_is_the_reason(client, person):
    """Also where the session was made and only its last update fails, as when connections are cut."""
    sent: list[str] = []

    def cut_at_the_last_statement(execute, sql, params, many, context):
        if "django_session" in sql and sql.startswith("UPDATE"):
            sent.append(sql)
            raise OperationalError("terminating connection due to administrator command")
        return execute(sql, params, many, context)

    client.raise_request_exception = False
    with connection.execute_wrapper(cut_at_the_last_statement):
        refused = sign_in(client, person.username)
    assert len(sent) == 1
    assert refused.status_code == 503
    assert sign_in(client, person.username).status_code == 302


def test_a_session_that_ended_meanwhile_is_not_made_anew(client, person):
    sign_in(client, person.username)
    session = client.session
    session["language"] = "en"
    Session.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()


def test_the_right_password_leads_home(client, person):
    response = sign_in(client, person.username)
    assert (response.status_code, response.url) == (302, reverse("home"))
    assert client.get("/").context["user"] == person


def test_each_wrong_password_says_how_many_attempts_are_left(client, person):
    said = [error_of(sign_in(client, person.username, "wrong")) for _attempt in range(4)]
    assert said == [
        "User name and password do not match. 4 attempts left.",
        "User name and password do not match. 3 attempts left.",
        "User name and password do not match. 2 attempts left.",
        "User name and password do not match. 1 attempt left.",
    ]


def test_a_user_name_that_nobody_has_is_answered_like_any_other(client, person):
    known, unknown = sign_in(client, person.username, "wrong"), sign_in(client, "nobody", "wrong")
    assert error_of(known) == error_of(unknown)
    assert known.status_code == unknown.status_code


def test_the_fifth_failure_locks_the_name_and_says_for_how_long(client, person):
    answers = [sign_in(client, person.username, "wrong") for _attempt in range(5)]
    assert "do not match" in error_of(answers[-1])
    assert "the user name is locked for 15 more minutes" in error_of(answers[-1])
    assert answers[-1].status_code == 429
    refused = sign_in(client, person.username)  # the right password does not open it either
    assert refused.status_code == 429
    assert "do not match" not in error_of(refused)


def test_failures_in_several_browsers_are_counted_together(person):
    for browser in range(5):
        answer = sign_in(Client(headers={"user-agent": f"browser {browser}"}), person.username, "wrong")
    assert answer.status_code == 429


def test_attempts_while_locked_do_not_prolong_the_lock(client, person):
    for _attempt in range(5):
        sign_in(client, person.username, "wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14, seconds=30))
    assert "locked for 1 more minute;" in error_of(sign_in(client, person.username, "wrong"))
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=15, seconds=1))
    assert sign_in(client, person.username).status_code == 302


def test_a_lock_of_one_name_leaves_the_others_free(client, person, researcher):
    researcher.set_password(PASSWORD)
    researcher.save()
    for _attempt in range(5):
        sign_in(client, person.username, "wrong")
    assert sign_in(client, researcher.username).status_code == 302


def test_signing_in_forgets_the_failures(client, person):
    for _attempt in range(4):
        sign_in(client, person.username, "wrong")
    sign_in(client, person.username)
    client.post(reverse("signout"))
    assert error_of(sign_in(client, person.username, "wrong")).endswith("4 attempts left.")


def known_to(person: User) -> Client:
    """Return a browser in which the person has signed in and out."""
    browser = Client()
    assert sign_in(browser, person.username).status_code == 302
    browser.post(reverse("signout"))
    return browser


def test_a_strangers_failures_do_not_keep_the_owner_out_of_a_known_browser(client, person):
    own = known_to(person)
    for _attempt in range(5):
        sign_in(client, person.username, "wrong")
    assert sign_in(Client(), person.username).status_code == 429
    assert sign_in(own, person.username).status_code == 302
    assert sign_in(Client(), person.username).status_code == 429  # it opened the account to no stranger


def test_each_known_browser_has_five_attempts_of_its_own(person):
    first, second = known_to(person), known_to(person)
    for _attempt in range(5):
        locked = sign_in(first, person.username, "wrong")
    assert (locked.status_code, sign_in(first, person.username).status_code) == (429, 429)
    assert error_of(sign_in(second, person.username, "wrong")).endswith("4 attempts left.")
    assert error_of(sign_in(Client(), person.username, "wrong")).endswith("4 attempts left.")


def test_a_browser_is_known_to_the_accounts_that_signed_in_in_it_and_to_no_other(person, researcher, partner):
    for one in (researcher, partner):
        one.set_password(PASSWORD)
        one.save()
    browser = known_to(person)
    sign_in(browser, researcher.username)
    browser.post(reverse("signout"))
    for one in (partner, researcher):
        for _attempt in range(5):
            sign_in(Client(), one.username, "wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=5))
    assert sign_in(browser, partner.username).status_code == 429
    assert sign_in(browser, researcher.username).status_code == 302


def test_a_new_password_leaves_the_owners_browsers_known(client, person):
    own = known_to(person)
    person.set_password("staple of the realm")
    person.save()
    for _attempt in range(5):
        sign_in(client, person.username, "wrong")
    assert sign_in(own, person.username, "staple of the realm").status_code == 302


def test_a_device_cookie_that_was_changed_is_a_strangers(client, person):
    own = known_to(person)
    for _attempt in range(5):
        sign_in(client, person.username, "wrong")
    own.cookies["device"] = own.cookies["device"].value[:-1] + "~"
    assert sign_in(own, person.username).status_code == 429


def test_who_has_read_a_device_cookie_cannot_lock_its_browser(client, person):
    own = known_to(person)
    device, _accounts = signing.loads(own.cookies["device"].value, salt="device")
    for _attempt in range(5):
        sign_in(client, f"{person.username}\N{NO-BREAK SPACE}{device}", "wrong")
    assert error_of(sign_in(own, person.username, "wrong")).endswith("4 attempts left.")


def test_the_device_cookie_goes_to_the_sign_in_page_alone_and_names_no_person(person):
    cookie = known_to(person).cookies["device"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (SIGNIN, True, "Lax")
    assert person.username not in str(signing.loads(cookie.value, salt="device"))


def test_the_device_cookie_stays_small_on_a_computer_of_many(client, db):
    for number in range(40):
        request = RequestFactory().get(SIGNIN)
        request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
        client.cookies.update(remember(User(username=f"rater{number}"), request, HttpResponse()).cookies)
    assert len(client.cookies["device"].value) < 2000


def spray(names: int) -> list[int]:
    """Try one password on many names, each in a new browser, and return the statuses."""
    return [sign_in(Client(), f"name{number}", "one password").status_code for number in range(names)]


@pytest.mark.every_database
def test_one_password_tried_on_many_names_is_slowed(client, person):
    assert spray(20) == [200] * 9 + [429] * 11
    assert AccessAttempt.objects.count() == 10  # the others were not compared
    refused = sign_in(client, person.username)
    assert (refused.status_code, "seconds" in error_of(refused)) == (429, True)


def test_strangers_take_turns_after_many_failures(person):
    spray(10)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(seconds=29))
    early = sign_in(Client(), person.username, "wrong")
    assert ("Try again in 1 second," in error_of(early), early["Retry-After"]) == (True, "1")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(seconds=31))
    tried = sign_in(Client(), person.username, "wrong")
    assert (tried.status_code, "do not match" in error_of(tried)) == (429, True)
    assert sign_in(Client(), person.username).status_code == 429  # the turn is taken
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(seconds=31))
    assert sign_in(Client(), person.username).status_code == 302


@pytest.mark.every_database
def test_a_known_browser_waits_for_no_turn_and_takes_none(person, researcher):
    own = known_to(person)
    sign_in(own, person.username, "wrong")
    assert spray(9)[-1] == 200  # its failure is not one of the strangers'
    spray(1)
    assert sign_in(own, person.username).status_code == 302


def test_two_failures_at_once_cannot_make_two_rows(client, person):
    """django-axes cannot choose between two rows of one name and browser, so the table refuses the second."""
    sign_in(client, person.username, "wrong")
    attempt = AccessAttempt.objects.get()
    attempt.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        attempt.save(force_insert=True)


def test_no_address_of_a_failure_is_kept(client, person):
    client.post(SIGNIN, {"username": person.username, "password": "wrong"}, REMOTE_ADDR="203.0.113.9")
    kept = " ".join(str(value) for value in vars(AccessAttempt.objects.get()).values())
    assert not AccessLog.objects.exists()
    assert not AccessFailureLog.objects.exists()
    assert "203.0.113.9" not in kept
    assert "wrong" not in kept


def test_an_ended_account_does_not_get_in(client, person):
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert "do not match" in error_of(sign_in(client, person.username))


def test_after_signing_in_one_is_where_one_wanted_to_be(client, person):
    response = client.get(reverse("account"))
    assert response.url == f"{SIGNIN}?next=/account/"
    assert sign_in(client, person.username, next="/account/").url == "/account/"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://example.org/", "//example.org/", "javascript:alert(1)", "/\\example.org", "https:example.org"],
)
def test_signing_in_never_leads_to_another_site(client, person, elsewhere):
    assert sign_in(client, person.username, next=elsewhere).url == reverse("home")


def test_whoever_is_signed_in_already_goes_home(client, person):
    client.force_login(person)
    assert client.get(SIGNIN).url == reverse("home")


def test_a_wrong_field_is_tied_to_its_error(client, person):
    page = unescape(sign_in(client, person.username, "wrong").content.decode())
    assert 'id="id_password_error"' in page
    assert 'aria-describedby="id_password_error"' in page
    assert 'aria-invalid="true"' in page


def test_after_a_refusal_no_field_takes_the_focus_from_the_one_to_mend(client, person):
    assert "autofocus" in client.get(SIGNIN).content.decode()
    for name in ("", person.username):
        assert "autofocus" not in sign_in(client, name, "wrong").content.decode()


def test_a_nul_in_the_user_name_is_refused_and_nothing_breaks(client, db):
    response = sign_in(client, "an\x00")
    assert (response.status_code, "username" in response.context["form"].errors) == (200, True)


def test_signing_out_takes_a_post(client, person):
    client.force_login(person)
    assert client.get(reverse("signout")).status_code == 405
    assert client.post(reverse("signout")).url == SIGNIN
    assert client.get("/").url == f"{SIGNIN}?next=/"
