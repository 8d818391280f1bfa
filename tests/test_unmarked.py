"""The readers of the source find marked texts and unmarked ones, in small sources."""

import pytest

from tests.messages import Message, messages_of_module, messages_of_template
from tests.unmarked import left_in_english, unmarked_in_module, unmarked_in_script, unmarked_in_template


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('{% load i18n %}{% translate "Home" %}', Message("Home")),
        ("{% load i18n %}<p title=\"{% translate 'Keys (?)' %}\">", Message("Keys (?)")),
        ('{% load i18n %}{% translate "95 % interval" as title %}', Message("95 %% interval")),
        ('{% load i18n %}{% translate "s" context "seconds" %}', Message("s", context="seconds")),
        ('{% load i18n %}{% if user %}{% for a in b %}{% translate "Deep" %}{% endfor %}{% endif %}', Message("Deep")),
        ("{% load i18n %}{% blocktranslate %}{{ n }} of {{ all }}{% endblocktranslate %}", Message("%(n)s of %(all)s")),
        ("{% load i18n %}{% blocktranslate trimmed %}\n a\n b\n{% endblocktranslate %}", Message("a b")),
        ("{% load i18n %}{% blocktranslate with n=a|length %}{{ n }} %{% endblocktranslate %}", Message("%(n)s %%")),
        (
            "{% load i18n %}{% blocktranslate count n=a %}one{% plural %}{{ n }} of them{% endblocktranslate %}",
            Message("one", "%(n)s of them"),
        ),
        ('{% include "_components/rail.html" with label=_("Prompt") %}', Message("Prompt")),
        ('{{ name|default:_("nobody") }}', Message("nobody")),
    ],
)
def test_a_text_of_a_template_is_found(source, message):
    assert messages_of_template(source) == {message}


def test_what_stands_in_a_comment_is_no_text():
    source = '{% comment %}{{ _("old") }}{% endcomment %}{# {{ _("older") }} #}{{ _("new") }}'
    assert messages_of_template(source) == {Message("new")}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('_("Home")', Message("Home")),
        ('_("two " "parts") % {"a": 1}', Message("two parts")),
        ('translation.gettext_lazy("Home")', Message("Home")),
        ('ngettext("%(n)s pair", "%(n)s pairs", n)', Message("%(n)s pair", "%(n)s pairs")),
        ('pgettext("seconds", "s")', Message("s", context="seconds")),
        ('npgettext("of time", "day", "days", n)', Message("day", "days", "of time")),
    ],
)
def test_a_text_of_a_module_is_found(source, message):
    assert messages_of_module(source) == {message}


def test_looking_up_a_text_that_is_marked_elsewhere_adds_none():
    assert messages_of_module("gettext(SENTENCES[code])") == set()


@pytest.mark.parametrize(
    "source",
    [
        "<p>Not translated</p>",
        '{% load i18n %}<p>{% translate "Home" %} page</p>',
        '<button aria-label="Close">×</button>',
        '<button aria-label="{{ name }}: parameters">×</button>',
        '<input placeholder="Search">',
        '<img alt="A figure">',
        '<input type="submit" value="Send">',
        '<p data-offline="No connection">',
        '<p lang="en">said in English to everybody</p>',
        '{{ name|default:"nobody" }}',
        "pair{{ count|pluralize }}",
        '{% include "_components/rail.html" with label="Prompt" %}',
        '<p class="{% if a %}b{% endif %}">{{ a }} of {{ b }}</p>',
    ],
)
def test_a_text_that_a_template_forgot_to_mark_is_found(source):
    assert len(unmarked_in_template(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "{% load i18n %}<p title=\"{% translate 'Keys' %}\">{% blocktranslate %}All {{ a }}{% endblocktranslate %}</p>",
        "<p>{{ name }} · {{ count }} / 120 κ = .5</p>",
        '<code class="command" lang="en">manage.py demo<br>manage.py agreement</code>',
        '<p class="page page-narrow" data-key="Enter" id="Main" data-from="id_title">{% icon "check" %}</p>',
        '<button lang="zh-Hans">中文</button>',
        '{% include "_components/rail.html" with label=_("Prompt") class="button small" %}',
        "{% comment %}To be shown once{% endcomment %}<script>const word = 1;</script>",
    ],
)
def test_marked_texts_data_and_code_pass_in_a_template(source):
    assert unmarked_in_template(source) == []


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("taken", "This name is taken.")',
        'raise Refused("taken", f"{name} is taken.")',
        'messages.success(request, "Saved.")',
        'raise ValidationError("Too short.")',
        'title = forms.CharField(label="Title")',
        'title = forms.CharField(label=_("Title"), error_messages={"required": "Missing."})',
        'class Meta:\n    help_texts = {"name": "Your own."}',
        'class Role(models.TextChoices):\n    EXPERT = "expert", "Expert"',
        '_(f"{name} is taken.")',
        '_("%s is taken." % name)',
        '_("{} is taken.".format(name))',
    ],
)
def test_a_text_that_a_module_forgot_to_mark_is_found(source):
    assert len(unmarked_in_module(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("taken", _("This name is taken.") % {"name": name})',
        'raise Refused("empty")',
        "raise Refused(code, str(wrong))",
        'messages.success(request, _("Saved."))',
        'title = forms.CharField(label=_("Title"), error_messages={"required": _("Missing.")})',
        'shape = models.CharField(help_text="SHA-256 of the text.")',
        'class Role(models.TextChoices):\n    EXPERT = "expert", _("Expert")',
        "gettext(SENTENCES[reason.code]) % reason.params",
    ],
)
def test_marked_texts_pass_in_a_module(source):
    assert unmarked_in_module(source) == []


@pytest.mark.parametrize(
    "source",
    [
        'line.textContent = "saved";',
        "line.textContent = `${count} pairs`;",
        'button.setAttribute("aria-label", "close");',
        "confirm('delete');",
        'say("Saved at noon");',
        'say("已保存");',
    ],
)
def test_a_text_that_a_script_says_by_itself_is_found(source):
    assert len(unmarked_in_script(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'line.textContent = words.saved.replace("{time}", clock);',
        'line.textContent = isLate ? ` · ${words.done.replace("{time}", clock)}` : "";',
        'row.textContent = form.querySelector("span").textContent; // Says "Saved at noon"',
        'headers["Content-Type"] = "application/json";',
        '/* Saved at "noon" */ if (event.key === "Enter") field.focus();',
    ],
)
def test_words_of_the_page_and_code_pass_in_a_script(source):
    assert unmarked_in_script(source) == []


def test_english_on_a_chinese_page_is_found_unless_it_says_that_it_is_english():
    page = (
        '<p>题对</p><p lang="en">A pair</p><b>Ines</b><code>ls</code>'
        '<i lang="en">deep <i>and</i> deeper</i><img lang="en" alt="A figure"><u title="Home">页</u>'
    )
    assert left_in_english(page) == ["Ines", "Home"]
