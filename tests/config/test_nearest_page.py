"""A browser that asks for an address which only takes forms is led to the page above it."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("name", "arguments", "page"),
    [
        ("freeze", ["weibo"], "/projects/weibo/releases/"),
        ("resolve_flag", ["weibo", 7], "/projects/weibo/flags/"),
        ("start_run", [], "/runs/"),
        ("signout", [], "/"),
    ],
)
def test_a_browser_is_led_to_the_page_above(client, project, researcher, name, arguments, page):
    client.force_login(researcher)
    answer = client.get(reverse(name, args=arguments), headers=BROWSER)
    assert (answer.status_code, answer.headers["Location"]) == (302, page)
    assert client.get(page, headers=BROWSER).status_code == 200


def test_another_language_after_a_refusal_shows_the_page_in_it(client, project, researcher):
    client.force_login(researcher)
    refused = client.post(reverse("freeze", args=["weibo"]), {"seed": "0"})
    assert refused.status_code == 422
    chosen = {"language": "zh-hans", "next": refused.wsgi_request.path}
    shown = client.post(reverse("language"), chosen, headers=BROWSER, follow=True)
    assert (shown.status_code, "冻结" in shown.content.decode()) == (200, True)


def test_what_the_list_showed_is_kept(client, project, researcher):
    client.force_login(researcher)
    answer = client.get("/projects/weibo/pairs/bulk/?grade=3&page=2", headers=BROWSER)
    assert answer.headers["Location"] == "/projects/weibo/pairs/?grade=3&page=2"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_reader_that_takes_anything_reads_a_page_in_words_with_a_way_back(client, project, researcher, language):
    client.force_login(researcher)
    client.cookies["django_language"] = language
    for act in ("grades", "store", "discard"):
        answer = client.get(f"/projects/weibo/import/1/{act}/", headers={"Accept": "*/*"})
        page = answer.content.decode()
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert 'href="/projects/weibo/import/1/"' in page
        assert ("only takes forms" in page) == (language == "en")


def test_a_script_is_told_that_the_address_takes_forms_alone(client, project, researcher):
    client.force_login(researcher)
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        assert client.get(reverse("freeze", args=["weibo"]), headers=headers).status_code == 405
    assert client.put(reverse("freeze", args=["weibo"]), headers=BROWSER).status_code == 405
