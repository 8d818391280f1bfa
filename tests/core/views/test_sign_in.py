"""Signing in and out: who is let in, what the others are told, and the page that follows."""

from datetime import timedelta
from html import unescape

import pytest
from axes.models import AccessAttempt
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import User

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
    assert error_of(answers[-1]) == "Too many attempts. This user name is locked for 15 more minutes."
    assert answers[-1].status_code == 429
    assert sign_in(client, person.username).status_code == 429  # the right password does not open it either


def test_failures_in_several_browsers_are_counted_together(person):
    for browser in range(5):
        answer = sign_in(Client(headers={"user-agent": f"browser {browser}"}), person.username, "wrong")
    assert answer.status_code == 429


def test_attempts_while_locked_do_not_prolong_the_lock(client, person):
    for _attempt in range(5):
        sign_in(client, person.username, "wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14, seconds=30))
    assert error_of(sign_in(client, person.username, "wrong")) == (
        "Too many attempts. This user name is locked for 1 more minute."
    )
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


def test_two_failures_at_once_cannot_make_two_rows(client, person):
    """django-axes cannot choose between two rows of one name and browser, so the table refuses the second."""
    sign_in(client, person.username, "wrong")
    attempt = AccessAttempt.objects.get()
    attempt.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        attempt.save(force_insert=True)


def test_no_address_of_a_failure_is_kept(client, person):
    client.post(SIGNIN, {"username": person.username, "password": "wrong"}, REMOTE_ADDR="203.0.113.9")
    attempt = AccessAttempt.objects.get()
    kept = " ".join(str(value) for value in vars(attempt).values())
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


def test_a_nul_in_the_user_name_is_refused_and_nothing_breaks(client, db):
    response = sign_in(client, "an\x00")
    assert (response.status_code, "username" in response.context["form"].errors) == (200, True)


def test_signing_out_takes_a_post(client, person):
    client.force_login(person)
    assert client.get(reverse("signout")).status_code == 405
    assert client.post(reverse("signout")).url == SIGNIN
    assert client.get("/").url == f"{SIGNIN}?next=/"
