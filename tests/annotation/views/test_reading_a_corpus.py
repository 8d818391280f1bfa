"""The pages of one corpus: its figures, where it is used, its dialogues to search, read and edit."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.actions.corpora import edits
from annotation.domain.corpora.edits import LEFT_OUT, DialogueChange
from annotation.models import Corpus
from annotation.presenters.corpora.reading import PART
from annotation.selectors.corpora import reading
from core.actions import jobs
from core.models import Job, Role, User
from tests import factories
from tests.corpora import dialogue, flag, stored
from tests.factories import no_progress

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def corpus(researcher):
    turns = [
        {"speaker": "A", "text": "is the Intel card dark?\nvery dark", "at": "2008-07-14T23:58:00Z", "to": "B"},
        {"speaker": "B", "text": "plug it in", "at": "2008-07-15T00:03:00Z"},
    ]
    rows = [
        {"id": "log", "split": "train", "turns": turns, "facts": {"channel": "#lamps", "line": 7}},
        *map(dialogue, range(30)),
        {"id": "late", "split": "test", "turns": ["the intel 6205"], "candidates": ["yes", "no"], "answer": 1},
    ]
    corpus = stored("lamps", rows, by=researcher)
    flag(corpus, "d3", "d7", "d9")
    return corpus


def get(client, name, *args, **query) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def words(html: str) -> str:
    return " ".join(unescape(strip_tags(html)).split())


def listed(html: str) -> list[int]:
    """Return the positions of the dialogues in the list."""
    found = re.search(r'<ol class="found">(.*?)</ol>', html, re.DOTALL)
    return [int(position) for position in re.findall(r"/dialogues/(\d+)/", found[1])] if found else []


def way(html: str, key: str) -> str:
    """Return where a key leads; "" where it does nothing."""
    tag = next((tag for tag in re.findall(r"<a\b[^>]*>", html) if f'data-key="{key}"' in tag), "")
    href = re.search('href="([^"]*)"', tag)
    return unescape(href[1]) if href else ""


def test_a_dialogue_has_an_address_and_shows_all_that_is_known_of_it(client, corpus):
    text = words(get(client, "corpus_dialogue", "lamps", 0))
    for fact in ("2008-07-14 23:58", "2008-07-15 00:03", "to B", "2 lines joined", "channel #lamps", "line 7", "train"):
        assert fact in text
    text = get(client, "corpus_dialogue", "lamps", 31)
    assert text.count("is-key") == 1
    assert client.get(reverse("corpus_dialogue", args=["lamps", 32])).status_code == 404


def test_a_search_finds_dialogues_with_all_words_and_marks_them(client, corpus):
    text = get(client, "corpus_dialogues", "lamps", q="INTEL")
    assert listed(text) == [0, 31]
    assert "<mark>Intel</mark>" in text
    assert "Searched 32 of 32 dialogues." in words(text)
    assert listed(get(client, "corpus_dialogues", "lamps", q="intel 6205")) == [31]
    assert listed(get(client, "corpus_dialogues", "lamps", q="intel", split="train")) == [0]
    nothing = words(get(client, "corpus_dialogues", "lamps", q="intel nowhere"))
    assert "No dialogue contains all of these words." in nothing


def test_a_search_that_is_not_at_the_end_offers_to_go_on(client, corpus, monkeypatch):
    monkeypatch.setattr(reading, "BLOCK", 10)
    monkeypatch.setattr(reading, "MOST", 10)
    text = get(client, "corpus_dialogues", "lamps", q="6205")
    assert "Searched 10 of 32 dialogues." in words(text)
    assert "Continue searching" in text
    assert "No dialogue contains" not in text
    text = get(client, "corpus_dialogues", "lamps", q="6205", after=29)
    assert listed(text) == [31]
    assert "Continue searching" not in text


def test_flagged_dialogues_are_read_one_after_the_other(client, corpus):
    text = get(client, "corpus_dialogues", "lamps", flagged=1)
    assert listed(text) == [4, 8, 10]
    first, second, third = listed(text)
    assert (way(text, "k"), way(text, "j")) == ("", f"/corpora/lamps/dialogues/{second}/?flagged=1&first=1")
    text = client.get(way(text, "j")).content.decode()
    assert listed(text) == [first, second, third]
    assert way(text, "k") == f"/corpora/lamps/dialogues/{first}/?flagged=1&first=1"
    text = client.get(way(text, "j")).content.decode()
    assert way(text, "j") == ""


def test_the_next_dialogue_may_be_in_the_next_part_of_the_list(client, corpus):
    assert listed(get(client, "corpus_dialogue", "lamps", 9))[0] == 9, (
        "without a place the list begins with the dialogue"
    )
    text = get(client, "corpus_dialogue", "lamps", 19, first=1)
    assert listed(text) == [*range(20)]
    assert way(text, "j") == "/corpora/lamps/dialogues/?after=19"
    text = get(client, "corpus_dialogues", "lamps", after=19)
    assert way(text, "k") == "/corpora/lamps/dialogues/?before=20"
    text = client.get(way(text, "k")).content.decode()
    assert way(text, "k") == "/corpora/lamps/dialogues/18/?before=20", "the last of the part before is shown"


def test_a_long_dialogue_is_read_in_parts(client, researcher):
    stored("long", [dialogue(1, turns=PART + 3)], by=researcher)
    text = get(client, "corpus_dialogue", "long", 0)
    assert f"Line {PART - 1} of story 1." in text
    assert f"Line {PART} of story 1." not in text
    text = get(client, "corpus_dialogue", "long", 0, turn=PART + 1)
    assert f"Line {PART + 2} of story 1." in text
    assert f"Turns {PART + 1} to {PART + 3} of {PART + 3}" in words(text)
    assert "Line 0 of" in get(client, "corpus_dialogue", "long", 0, turn="x")


def plan(client, position, change, then="", query=""):
    address = reverse("plan_dialogue", args=["lamps", position]) + query
    return client.post(address, {"change": change, "then": then})


def planned(corpus, by):
    return [*corpus.edits.filter(made=None, by=by).order_by("position").values_list("position", "change")]


def test_a_plan_leads_on_to_the_next_dialogue_and_can_be_undone(client, corpus, researcher):
    then = "/corpora/lamps/dialogues/8/?flagged=1"
    assert plan(client, 4, "cleared", then).url == then
    assert plan(client, 8, "left_out", "https://elsewhere.example/", "?flagged=1").url == then
    assert planned(corpus, researcher) == [(4, "cleared"), (8, "left_out")]
    assert "1 left out · 1 cleared" in words(get(client, "corpus_dialogue", "lamps", 4))
    plan(client, 4, "undo")
    assert planned(corpus, researcher) == [(8, "left_out")]
    assert plan(client, 4, "burn").status_code == 404
    answer = client.post(reverse("plan_dialogue", args=["lamps", 1]), {"change": "cleared"}, follow=True)
    assert "The dialogue has no flag to clear." in answer.content.decode()


def test_the_texts_of_a_dialogue_are_edited(client, corpus, researcher):
    address = reverse("edit_dialogue", args=["lamps", 0])
    assert client.post(address, {"turn_1": "is it dark?", "turn_2": " "}).status_code == 422
    assert (
        client.post(address, {"turn_1": "is the Intel card dark?\r\nvery dark", "turn_2": "plug it in"}).status_code
        == 422
    )
    assert planned(corpus, researcher) == []
    answer = client.post(f"{address}?q=intel", {"turn_1": "is it dark?", "turn_2": "plug it in"})
    assert answer.url == "/corpora/lamps/dialogues/0/?q=intel"
    assert corpus.edits.get().texts == ["is it dark?", "plug it in"]
    assert "is it dark?" in get(client, "edit_dialogue", "lamps", 0), "an edit goes on from the texts of the one before"


def test_a_part_of_a_long_dialogue_is_edited_and_the_rest_stays(client, researcher):
    corpus = stored("long", [dialogue(1, turns=PART + 2)], by=researcher)
    address = f"{reverse('edit_dialogue', args=['long', 0])}?turn={PART + 1}"
    client.post(address, {f"turn_{PART + 1}": "other", f"turn_{PART + 2}": f"Line {PART + 1} of story 1."})
    texts = corpus.edits.get().texts
    assert (len(texts), texts[PART - 1 :]) == (
        PART + 2,
        [f"Line {PART - 1} of story 1.", "other", f"Line {PART + 1} of story 1."],
    )


def test_a_corpus_is_made_of_the_plan_and_names_its_parent(client, corpus, monkeypatch):
    sent: list[Job] = []
    monkeypatch.setattr("annotation.views.corpora.edits.dispatch", sent.append)
    plan(client, 4, "cleared")
    plan(client, 8, "left_out")
    client.post(reverse("edit_dialogue", args=["lamps", 0]), {"turn_1": "dark?", "turn_2": "plug it in"})
    assert 'value="lamps-edited"' in get(client, "corpus_edits", "lamps")
    assert client.post(reverse("corpus_edits", args=["lamps"]), {"name": "lamps"}).status_code == 422
    client.post(reverse("corpus_edits", args=["lamps"]), {"name": "lamps-edited"})
    [job] = sent
    assert "Creating the edited corpus" in get(client, "corpus_edits", "lamps")
    jobs.KINDS[job.kind].handler(job, no_progress)
    child = words(get(client, "corpus", "lamps-edited"))
    assert "Edited from lamps: 1 edited · 1 left out · 1 cleared" in child
    assert "32 read = 31 kept + 0 joined + 1 dropped" in child
    assert reverse("corpus", args=["lamps-edited"]) in get(client, "corpus", "lamps")
    differences = words(get(client, "corpus_changes", "lamps-edited"))
    assert "is the Intel card dark? very dark dark?" in differences
    assert "log edited" in differences and "d7 left out" in differences and "d3 cleared" in differences
    assert client.get(reverse("corpus_changes", args=["lamps"])).status_code == 404


def test_the_plan_names_edited_dialogues_that_still_have_a_word_of_the_lists(client, corpus):
    address = reverse("edit_dialogue", args=["lamps", 0])
    client.post(address, {"turn_1": "dark?", "turn_2": "plug it in"})
    assert 'id="with-words"' not in get(client, "corpus_edits", "lamps")
    client.post(address, {"turn_1": "dark shit", "turn_2": "plug it in"})
    text = get(client, "corpus_edits", "lamps")
    assert "log" in words(text[text.index('id="with-words"') :].partition("</div>")[0])


def test_a_plan_is_of_one_person(client, corpus):
    other = factories.person("bo", Role.RESEARCHER)
    edits.plan(corpus=corpus, dialogue=corpus.dialogues.get(position=0), change=DialogueChange(LEFT_OUT), by=other)
    assert "You planned:" not in get(client, "corpus_dialogues", "lamps")
    assert "Nothing is planned." in words(get(client, "corpus_edits", "lamps"))


def test_figures_are_beside_those_that_were_published(client, corpus):
    Corpus.objects.filter(pk=corpus.pk).update(format="irc")
    text = words(get(client, "corpus", "lamps"))
    assert "Lowe et al. (2015)" in text
    assert "dialogues 32 930,000 0.0 %" in text
    assert "utterances (lines of turns) 184 7,100,000" in text
    assert "Two published figures are inconsistent." in text
    assert "length in minutes, median 5 6" in text
    Corpus.objects.filter(pk=corpus.pk).update(format="jsonl")
    text = words(get(client, "corpus", "lamps"))
    assert "Published:" not in text and "inconsistent" not in text


def test_the_distribution_of_turns_has_a_text(client, corpus):
    text = get(client, "corpus", "lamps")
    assert 'percent: 1: 3.1, 2: 3.1, 3: 0.0, 4: 0.0, 5: 0.0, 6: 93.8"' in text


def test_few_lengths_are_drawn_no_larger_than_many(client, corpus):
    """The drawing is as wide as its place, so its width is the scale of its bars and letters."""
    text = get(client, "corpus", "lamps")
    assert text.count('class="fill"') == 6
    left, _top, width, _height = map(int, re.findall(r'class="histogram"\s+viewBox="([\d ]+)"', text)[0].split())
    bar = int(re.findall(r'class="fill"[^>]* width="(\d+)"', text)[0])
    assert left == 0 and width >= 11 * bar


def test_a_corpus_of_an_earlier_version_shows_what_there_is(client, corpus):
    Corpus.objects.filter(pk=corpus.pk).update(
        statistics={split: block for split, block in corpus.statistics.items() if split != "all"}, format="irc"
    )
    text = words(get(client, "corpus", "lamps"))
    assert "turns per dialogue, mean 5.72 7.71" in text
    assert "words per utterance" not in text
    assert "imported before lengths were counted" in text
    assert "histogram" not in get(client, "corpus", "lamps")


def test_a_corpus_says_where_it_is_used_to_those_who_may_see_that(client, sample, researcher):
    assert "Not used anywhere yet" in words(get(client, "corpus", "kettles"))
    client.force_login(User.objects.get(username="ines"))
    text = words(get(client, "corpus", "kettles"))
    assert "Question set tea 25 questions" in text
    assert "Run Random" in text
    assert "Not used anywhere yet" in words(get(client, "corpus", "kettles-edited"))
