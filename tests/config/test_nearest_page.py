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


def test_a_script_is_told_that_the_address_takes_forms_alone(client, project, researcher):
    client.force_login(researcher)
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        assert client.get(reverse("freeze", args=["weibo"]), headers=headers).status_code == 405
    assert client.put(reverse("freeze", args=["weibo"]), headers=BROWSER).status_code == 405
