"""Tags used on every page."""

from html import unescape
from shlex import split

import pytest
from django.template import Context, Template
from django.utils.html import strip_tags


def test_a_command_on_a_page_is_read_by_a_shell_as_it_is_meant():
    words = ["it's", "two words", "$HOME", "<b>", "plain-name@2"]
    page = Template('{% shell "export_release" words "--out" "FOLDER" %}').render(Context({"words": words}))
    assert "<b>" not in page
    assert split(unescape(strip_tags(page))) == ["manage.py", "export_release", *words, "--out", "FOLDER"]


@pytest.mark.parametrize(("hours", "shown"), [(0.5, "30 min"), (1.96, "2.0 h"), (2.04, "2.0 h")])
def test_hours_are_rounded_and_not_cut(hours, shown):
    assert Template("{% load figures %}{{ hours|time_at_work }}").render(Context({"hours": hours})) == shown
