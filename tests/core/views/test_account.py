"""One's own account: name, language, theme, password and tokens."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from knox.models import AuthToken

from core.actions import accounts
from core.models import Event, TokenUse, User
from tests.pages import on_one_line

PASSWORD, ANOTHER = "correct horse battery", "staple of the realm"


@pytest.fixture
def person(researcher: User) -> User:
    researcher.set_password(PASSWORD)
    researcher.save()
    return researcher


@pytest.fixture
def client(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_name_language_and_theme_are_kept_on_the_account(client, person):
    client.post(reverse("account"), {"name": "芮", "language": "zh-hans", "theme": "dark"})
    person.refresh_from_db()
    assert (person.name, person.language, person.theme) == ("芮", "zh-hans", "dark")


def test_a_language_that_there_is_not_is_refused(client, person):
    response = client.post(reverse("account"), {"name": "Rui", "language": "tlh", "theme": ""})
    assert "language" in response.context["form"].errors
    person.refresh_from_db()
    assert person.language == ""


def test_the_chosen_language_beats_the_browsers(client, person):
    client.post(reverse("language"), {"language": "zh-hans", "next": "/account/"})
    response = client.get("/account/", headers={"accept-language": "en"})
    assert response.headers["Content-Language"] == "zh-hans"
    assert '<html lang="zh-Hans"' in on_one_line(response.content)


@pytest.mark.parametrize(("wanted", "given"), [("zh-CN,zh;q=0.9", "zh-hans"), ("zh-TW", "zh-hans"), ("fr", "en")])
def test_without_a_choice_the_browser_decides(client, wanted, given):
    assert client.get("/account/", headers={"accept-language": wanted}).headers["Content-Language"] == given


def test_before_signing_in_language_and_theme_are_kept_in_cookies(db):
    anybody = Client()
    anybody.post(reverse("language"), {"language": "zh-hans", "next": "/signin/"})
    anybody.post(reverse("theme"), {"theme": "dark", "next": "/signin/"})
    page = anybody.get("/signin/")
    assert page.headers["Content-Language"] == "zh-hans"
    assert b'data-theme="dark"' in page.content


@pytest.mark.parametrize("name", ["language", "theme"])
def test_a_choice_leads_back_to_its_page_and_never_to_another_site(client, name):
    assert client.post(reverse(name), {name: "", "next": "/account/?a=1"}).url == "/account/?a=1"
    assert client.post(reverse(name), {name: "", "next": "https://example.org/"}).url == reverse("home")
    assert client.post(reverse(name), {name: "", "next": "//example.org"}).url == reverse("home")


def test_a_theme_that_there_is_not_changes_nothing(client, person):
    client.post(reverse("theme"), {"theme": '"><script>', "next": "/"})
    person.refresh_from_db()
    assert person.theme == ""


def change(client: Client, old: str = PASSWORD, new: str = ANOTHER, again: str = ANOTHER):
    return client.post(reverse("password"), {"old": old, "password": new, "again": again})


def test_a_changed_password_signs_out_every_other_browser(client, person):
    other = Client()
    other.force_login(person)
    assert change(client).url == reverse("account")
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").url == "/signin/?next=/account/"
    person.refresh_from_db()
    assert person.check_password(ANOTHER)
    assert Event.objects.filter(subject="user", subject_id=person.pk, became="password changed", by=person).exists()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"old": "not mine at all"}, "old"),
        ({"new": "short1!xy", "again": "short1!xy"}, "password"),
        ({"new": "password1234", "again": "password1234"}, "password"),
        ({"again": "staple of the real"}, "again"),
    ],
    ids=["wrong old one", "nine characters", "a common one", "not the same twice"],
)
def test_a_password_that_does_not_do_is_refused_at_its_field(client, person, typed, field):
    assert list(change(client, **typed).context["form"].errors) == [field]
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


def test_a_token_is_shown_once_and_opens_the_api(client, person):
    token = client.post(reverse("tokens"), {"days": "90"}).context["new_token"]
    assert token not in client.get("/account/").content.decode()
    stored = AuthToken.objects.get(user=person)
    assert token not in (stored.digest, stored.token_key)
    assert token.startswith(stored.token_key)


def test_a_revoked_token_is_gone(client, person):
    client.post(reverse("tokens"), {"days": "90"})
    prefix = AuthToken.objects.get().token_key
    assert prefix in client.get("/account/").content.decode()
    client.post(reverse("revoke_token", args=[prefix]))
    assert not AuthToken.objects.exists()
    became = Event.objects.filter(subject="user", subject_id=person.pk).values_list("became", flat=True)
    assert list(became) == ["token made", "token revoked"]


def test_nobody_revokes_another_persons_token(client, administrator):
    _row, _token = AuthToken.objects.create(user=administrator)
    client.post(reverse("revoke_token", args=[_row.token_key]))
    assert AuthToken.objects.count() == 1


def asked_with(token: str) -> int:
    return Client().get("/api/v1/projects/", headers={"authorization": f"Token {token}"}).status_code


@pytest.mark.parametrize(("days", "ends"), [("30", 30), ("90", 90), ("365", 365), ("0", None)])
def test_a_token_ends_when_it_was_chosen_to(client, days, ends):
    token = client.post(reverse("tokens"), {"days": days}).context["new_token"]
    stored = AuthToken.objects.get()
    assert (stored.expiry and (stored.expiry - stored.created).days + 1) == ends
    assert asked_with(token) == 200
    if ends:
        AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
        assert client.get("/account/").context["tokens"] == []
        assert asked_with(token) == 401


@pytest.mark.parametrize("days", ["", "7", "-1", "x"])
def test_a_token_of_another_length_is_refused_at_its_field(client, days):
    answer = client.post(reverse("tokens"), {"days": days})
    assert list(answer.context["token_form"].errors) == ["days"]
    assert not AuthToken.objects.exists()


def test_the_account_page_shows_when_a_token_was_last_used(client):
    token = client.post(reverse("tokens"), {"days": "0"}).context["new_token"]
    assert "never used" in on_one_line(client.get("/account/").content)
    asked_with(token)
    TokenUse.objects.update(last_at=datetime(2026, 1, 15, 12, tzinfo=UTC))
    assert 'last used <time datetime="2026-01-15">' in on_one_line(client.get("/account/").content)
    asked_with(token)
    assert TokenUse.objects.get().last_at > timezone.now() - timedelta(hours=1)


def test_within_the_hour_reading_the_api_writes_nothing(client):
    token = client.post(reverse("tokens"), {"days": "0"}).context["new_token"]
    asked_with(token)
    before = TokenUse.objects.get().last_at
    asked_with(token)
    assert TokenUse.objects.get().last_at == before


def test_a_refused_token_is_not_used(client, person):
    token = client.post(reverse("tokens"), {"days": "0"}).context["new_token"]
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert asked_with(token) == 401
    assert not TokenUse.objects.exists()


def test_a_changed_password_ends_the_tokens(client, administrator):
    token = client.post(reverse("tokens"), {"days": "0"}).context["new_token"]
    _row, of_another = AuthToken.objects.create(user=administrator)
    assert asked_with(token) == 200
    change(client)
    assert (asked_with(token), asked_with(of_another)) == (401, 200)


def test_a_replaced_password_ends_the_tokens(client, person, administrator):
    token = client.post(reverse("tokens"), {"days": "0"}).context["new_token"]
    accounts.new_password(person=person, by=administrator)
    assert asked_with(token) == 401


def test_annotators_have_no_tokens(annotator):
    client = Client()
    client.force_login(annotator)
    assert client.post(reverse("tokens"), {"days": "90"}).status_code == 403
    assert client.get(reverse("account")).context["tokens"] is None


def test_reloading_the_page_that_showed_a_token_makes_no_other(client):
    client.post(reverse("tokens"), {"days": "90"})
    assert client.get(reverse("tokens")).url == reverse("account")
    assert AuthToken.objects.count() == 1
