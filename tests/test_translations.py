"""Both languages are complete: the catalogue holds exactly the texts of the source, and pages show no other text."""

import json
import re
from pathlib import Path

import polib
import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from annotation.domain.rating.rating import Scale
from annotation.models import Import, Item, Kind, Release
from core.actions.refusals import Refused
from core.domain.wording import ChoiceError
from core.models import Name, Role, User
from study.models import QuestionSet, Study
from tests.addresses import DOWNLOADS, GET, OWN_PAGES, PAGES
from tests.glossary import ruled_out_in, words_ruled_out
from tests.messages import ROOT, Message, all_messages, source_files
from tests.unmarked import (
    foreign_words,
    has_chinese,
    left_in_english,
    unmarked_in_module,
    unmarked_in_script,
    unmarked_in_template,
)

CAST = {
    "": None,
    "linyue": Role.ANNOTATOR,
    "amara": Role.INSPECTOR,
    "ines": Role.RESEARCHER,
    "admin": Role.ADMINISTRATOR,
}


@pytest.fixture(scope="module")
def path() -> Path:
    return ROOT / "config/locale/zh_Hans/LC_MESSAGES/django.po"


@pytest.fixture(scope="module")
def catalogue(path: Path) -> polib.POFile:
    return polib.pofile(str(path))


def translations(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


# Placeholders that Python, templates and scripts fill in, and an escaped per cent sign.
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|%[sd]|\{\w+\}")


# ---- the catalogue --------------------------------------------------------------------------------------------------


def test_the_catalogue_holds_every_text_of_the_source_and_no_other(catalogue):
    held = {Message(entry.msgid, entry.msgid_plural, entry.msgctxt or "") for entry in catalogue}
    wanted = all_messages()
    assert (sorted(wanted - held), sorted(held - wanted)) == ([], []), "missing, left over: run bin/messages"


def test_every_text_is_said_in_chinese(catalogue):
    said = [(entry.msgid, text) for entry in catalogue for text in translations(entry)]
    assert [text for text, chinese in said if not chinese] == []
    assert [
        text for text, chinese in said if not has_chinese(chinese) and foreign_words(PLACEHOLDER.sub("", chinese))
    ] == []


def test_nothing_is_filled_in_that_is_not_there(catalogue):
    assert [
        (entry.msgid, text)
        for entry in catalogue
        for text in translations(entry)
        if set(PLACEHOLDER.findall(text)) != set(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
    ] == []


def test_no_text_has_a_word_that_the_glossary_rules_out(catalogue):
    assert ("题对", "问答对") in words_ruled_out()
    texts = [text for entry in catalogue for text in (entry.msgid, entry.msgid_plural, *translations(entry))]
    assert ruled_out_in(texts) == []


def test_no_translation_is_a_guess_or_left_over(catalogue):
    assert [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete] == []


def test_the_catalogue_is_in_order_and_names_no_slot_or_time(catalogue):
    keys = [(entry.msgid, entry.msgctxt or "") for entry in catalogue]
    assert keys == sorted(keys)
    assert not any(entry.occurrences for entry in catalogue)
    assert not [name for name in catalogue.metadata if "Date" in name or "Translator" in name]


def test_the_compiled_catalogue_is_that_of_the_texts(catalogue, path):
    compiled = path.with_suffix(".mo")
    assert compiled.is_file() and compiled.read_bytes() == catalogue.to_binary(), "run bin/setup"


def test_chinese_is_written_with_its_own_punctuation(catalogue):
    texts = [text for entry in catalogue for text in translations(entry)]
    assert [text for text in texts if re.search(r"[㐀-鿿][,;:?!()]|[,;?!][㐀-鿿]|[㐀-鿿]\.(?:\s|$)|！", text)] == []


# ---- the source -----------------------------------------------------------------------------------------------------


TEXTS = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.DOTALL)


def test_no_template_ends_a_chinese_sentence_with_an_english_stop():
    for path in sorted((ROOT / "templates").rglob("*.html")):
        assert not re.search(r"(}}|%}|</\w+>)\.[\s<{]", TEXTS.sub("", path.read_text(encoding="utf-8"))), path


SCHEMA = ("annotation/api/", "study/api/")  # the OpenAPI document is for programs, so it is in English


@pytest.mark.parametrize(
    ("pattern", "unmarked"),
    [("*.html", unmarked_in_template), ("*.py", unmarked_in_module), ("*.js", unmarked_in_script)],
)
def test_no_text_goes_around_the_catalogue(pattern, unmarked):
    sources = {name: source for name, source in source_files(pattern).items() if not name.startswith(SCHEMA)}
    assert [f"{name}: {text}" for name, source in sources.items() for text in unmarked(source)] == []


def test_a_rule_is_told_in_the_language_of_who_broke_it():
    with pytest.raises(ChoiceError) as broken:
        Scale(1, 99)
    assert str(broken.value) == "A scale must have 2 to 21 grades, lowest first; 1..99 does not."
    with translation.override("zh-hans"):
        told = str(Refused.by_rule("settings_wrong", broken.value))
    assert has_chinese(told) and "1..99" in told


def test_every_rule_for_passwords_speaks_chinese():
    with translation.override("zh-hans"), pytest.raises(ValidationError) as refused:
        validate_password("12345", User(username="12345"))
    assert len(refused.value.messages) == 3
    assert all(has_chinese(sentence) for sentence in refused.value.messages)


# ---- the pages ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_of_the_sample_speaks_one_language(language, sample):
    """Open the English pages too, so that an error in one language fails here."""
    wrong = {}
    for username, role in CAST.items():
        client = Client(headers={"accept-language": language})
        if username:
            client.force_login(User.objects.get(username=username))
        for address in (address for name in pages_of(role) for address in sample.addresses(name)):
            answer = client.get(address)
            english = words_in_english(page_in(answer)) if language == "zh-hans" else set()
            if answer.status_code != 200 or english:
                wrong[address] = answer.status_code, english
    assert wrong == {}


def page_in(answer: HttpResponse) -> str:
    """Return the page of an answer; of an answer to a page that polls, the parts in it."""
    text = answer.content.decode()
    return json.loads(text).get("html", text) if answer["Content-Type"] == "application/json" else text


def pages_of(role: Role | None) -> list[str]:
    """Return the pages of a role; for None, those open to anyone."""
    pages = {**PAGES, **OWN_PAGES}
    is_for = {name: role in roles if roles else role is None for name, (_method, roles) in pages.items()}
    return [
        name for name, (method, _roles) in pages.items() if method == GET and name not in DOWNLOADS and is_for[name]
    ]


def words_in_english(page: str) -> set[str]:
    """Return the page's English texts, without names that people chose in Latin letters."""
    items = Item.objects.values_list("external_id", "source")
    names = {name for row in items for name in row} | {str(release) for release in Release.objects.all()}
    names |= {name for row in User.objects.values_list("username", "name") for name in row}
    names |= set(Import.objects.values_list("file_name", flat=True))
    names |= set(Name.objects.values_list("name", flat=True)) | set(QuestionSet.objects.values_list("name", flat=True))
    names |= set(Study.objects.values_list("slug", flat=True))
    said = {re.sub(r"(:\w+)?( \([0-9,]+\))?( · Colloquy)?$", "", text) for text in left_in_english(page)}
    return said - names - {Kind.RATING}
