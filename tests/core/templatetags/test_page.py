import pytest
from django.template import engines
from django.utils import translation

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
