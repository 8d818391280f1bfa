from datetime import date, timedelta

import pytest
from django.template import engines
from django.utils import timezone, translation
from django.utils.formats import date_format

from core.templatetags import page

TWO = "\n  {{ first }}\n  {% if more %}\n    <a\n      href='/'\n    >{{ second }}</a>\n  {% endif %}\n"


@pytest.mark.parametrize(("language", "space"), [("en", " "), ("zh-hans", "")])
@pytest.mark.parametrize(
    ("source", "joined"),
    [
        ("{{ first }}\n{{ second }}", "One.{space}Two."),
        (TWO, "One.{space}<a\nhref='/'\n>Two.</a>"),
        (TWO.replace("more", "none"), "One."),
        ("{{ first }}\n · {{ second }}, {{ first }}", "One.{space}· Two., One."),
        ("{{ first }} ·\n{% if more %} · {{ second }}{% endif %}", "One. ·{space} · Two."),
        ("{{ lines }}\n{{ second }}", "One\nline.{space}Two."),
    ],
)
def test_sentences_on_lines_of_their_own_are_joined_as_the_language_does(source, joined, language, space):
    values = {"first": "One.", "second": "Two.", "lines": "One\nline.", "more": True}
    template = engines["django"].from_string(f"{{% sentences %}}{source}{{% endsentences %}}")
    with translation.override(language):
        assert template.render(values) == joined.format(space=space)


@pytest.mark.parametrize(
    ("language", "now", "said", "day"),
    [("en", "now", "29\xa0minutes ago", "1 Mar 2026"), ("zh-hans", "现在", "29 分钟之前", "2026 年 3 月 1 日")],
)
def test_times_have_the_space_that_the_texts_have(language, now, said, day):
    with translation.override(language):
        assert page.ago(timezone.now()) == now
        assert page.ago(timezone.now() - timedelta(minutes=29)) == said
        assert date_format(date(2026, 3, 1)) == day
