"""One's own account: name, language, theme, password and tokens."""

import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from core.models import Event, User
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
    token = client.post(reverse("tokens")).context["new_token"]
    assert token not in client.get("/account/").content.decode()
    stored = AuthToken.objects.get(user=person)
    assert token not in (stored.digest, stored.token_key)
    assert token.startswith(stored.token_key)


def test_a_revoked_token_is_gone(client, person):
    client.post(reverse("tokens"))
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


def test_annotators_have_no_tokens(annotator):
    client = Client()
    client.force_login(annotator)
    assert client.post(reverse("tokens")).status_code == 403
    assert client.get(reverse("account")).context["tokens"] is None


def test_reloading_the_page_that_showed_a_token_makes_no_other(client):
    client.post(reverse("tokens"))
    assert client.get(reverse("tokens")).url == reverse("account")
    assert AuthToken.objects.count() == 1
