"""The guideline: what annotators read, its versions, and the editor of its words, grades and types."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.domain.rating.guideline import study_guideline
from annotation.models import GuidelineVersion, Kind
from tests import factories

ADDRESS = "/projects/weibo/guideline/"


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def quality(researcher):
    """An English project of four grades, without grades yet."""
    return projects.create(
        slug="quality", kind=Kind.RATING, settings={"grades": "0..3", "language": "en"}, by=researcher
    )


QUALITY = "/projects/quality/guideline/"


def sent_by(answer) -> dict[str, str]:
    """Everything that the editor on this page would send."""
    context = answer.context
    form = context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    sent |= {name: str(context[name]) for name in ("seen", "revision")}
    for grade in context["grades"]:
        sent[f"{grade.row.place}-grade"] = str(grade.row.grade)
        sent |= {f"{grade.row.place}-failed": "on"} if grade.row.is_failed else {}
        for kind in grade.row.types:
            sent[f"{kind.place}-key"] = kind.key
            sent |= {f"{kind.place}-retired": "on"} if kind.is_retired else {}
    return sent


def form_of(client: Client, address: str = ADDRESS) -> dict[str, str]:
    return sent_by(client.get(address))


def errors_of(answer) -> set[str]:
    return set(answer.context["form"].errors)


def test_the_page_shows_the_guideline_in_both_languages(client, project):
    text = client.get(ADDRESS).content.decode()
    for grade in study_guideline()["grades"]:
        for kind in grade["types"]:
            assert kind["example"]["zh"] in text
    assert "Hiking afterwards?" in text


def test_new_words_are_a_new_version_and_the_old_one_stays(client, project, researcher):
    typed = {**form_of(client), "g0-name-zh": "很差", "g2-t1-example-en": "Mm.", "why": "Two raters differed."}
    client.post(ADDRESS, typed)
    new, old = GuidelineVersion.objects.all()
    assert (new.number, new.created_by, new.why, old.content) == (
        2,
        researcher,
        "Two raters differed.",
        study_guideline(),
    )
    expected = study_guideline()
    expected["grades"][0]["name"] = {"zh": "很差", "en": "bad"}
    assert expected["grades"][2]["types"][1]["key"] == "versatile"
    expected["grades"][2]["types"][1]["example"] = {"zh": "嗯，会好的。", "en": "Mm."}
    assert new.content == expected


def test_the_page_shows_the_newest_version_and_older_ones_when_asked(client, project):
    client.post(ADDRESS, {**form_of(client), "g0-name-zh": "很差"})
    assert "很差" in client.get(ADDRESS).content.decode()
    older = client.get(ADDRESS, {"version": "1"})
    assert older.context["shown"].number == 1
    assert "no longer current" in older.content.decode()
    assert client.get(ADDRESS, {"version": "9"}).status_code == 404


def test_the_same_words_are_no_new_version(client, project):
    client.post(ADDRESS, form_of(client))
    assert GuidelineVersion.objects.count() == 1


def test_grades_keep_the_version_they_were_given_under(client, project, annotator):
    factories.pairs(project, 2)
    [first] = factories.grade_next(project, annotator, 4)
    client.post(ADDRESS, {**form_of(client), "g0-name-zh": "很差"})
    [second] = factories.grade_next(project, annotator, 4)
    assert [assignment.ratings.get().guideline.number for assignment in (first, second)] == [1, 2]
    assert [row.uses for row in client.get(ADDRESS).context["versions"]] == [1, 1]


def test_a_grade_or_type_needs_a_name_in_one_language(client, project):
    typed = {**form_of(client), "g0-name-zh": "", "g0-name-en": "", "g4-t1-name-zh": " ", "g4-t1-name-en": ""}
    assert errors_of(client.post(ADDRESS, typed)) == {"g0-name-zh", "g4-t1-name-zh"}
    assert GuidelineVersion.objects.count() == 1
    client.post(ADDRESS, {**form_of(client), "g0-name-en": "", "g0-t1-example-en": ""})
    assert GuidelineVersion.objects.count() == 2


def test_words_are_stored_in_one_form_and_shown_as_text(client, project):
    client.post(ADDRESS, {**form_of(client), "g0-name-zh": " <b>差</b>\u202e "})
    assert GuidelineVersion.objects.first().content["grades"][0]["name"]["zh"] == "<b>差</b>"
    assert "&lt;b&gt;差" in client.get(ADDRESS).content.decode()


def test_a_guideline_of_another_project_is_not_found(client, project):
    stranger = factories.person("sam", "researcher")
    theirs = Client()
    theirs.force_login(stranger)
    assert theirs.get(ADDRESS).status_code == 404
    assert theirs.post(ADDRESS, form_of(client)).status_code == 404


def test_any_scale_gets_prose_meanings_types_and_examples(client, quality):
    """The rows are added one by one, as the buttons of the page do, and nothing that was typed is lost between them."""
    typed = form_of(client, QUALITY) | {"prose-en": "Read the message.\n\nThen the reply.", "prompt-en": "It is late."}
    typed |= {"g0-name-en": "wrong", "g0-meaning-en": "Untrue."}
    for _type in range(2):
        typed = sent_by(client.post(QUALITY, typed | {"edit": "add-g0"}))
    typed |= {"g0-t0-name-en": "made up", "g0-t0-example-en": "It came.", "g0-t1-name-en": "Rude!"}
    client.post(QUALITY, typed)
    content = quality.guidelines.first().content
    assert content["prose"] == {"zh": "", "en": "Read the message.\n\nThen the reply."}
    assert content["prompt"]["en"] == "It is late."
    [wrong, *others] = content["grades"]
    assert (wrong["grade"], wrong["name"]["en"], wrong["meaning"]["en"]) == (0, "wrong", "Untrue.")
    assert [(kind["key"], kind["name"]["en"]) for kind in wrong["types"]] == [("made_up", "made up"), ("rude", "Rude!")]
    assert [each["grade"] for each in others] == [1, 2, 3]


def test_until_the_first_grade_the_scale_follows_the_guideline(client, quality):
    typed = sent_by(client.post(QUALITY, form_of(client, QUALITY) | {"edit": "drop-lower"}))
    typed = sent_by(client.post(QUALITY, typed | {"edit": "add-higher"})) | {"g3-name-en": "perfect"}
    client.post(QUALITY, typed)
    quality.refresh_from_db()
    assert str(quality.rating.grades) == "1..4"
    assert quality.guidelines.first().content["grades"][-1]["name"]["en"] == "perfect"


def test_after_the_first_grade_the_scale_stays_and_what_was_written_is_shown_again(client, project, annotator):
    factories.pairs(project, 1)
    before = form_of(client)
    factories.grade_next(project, annotator, 4)
    typed = before | {"g5-grade": "6", "g5-name-en": "superb", "prose-en": "Read slowly."}
    answer = client.post(ADDRESS, typed)
    assert "Create a new project" in answer.content.decode()
    assert sent_by(answer)["prose-en"] == "Read slowly."
    project.refresh_from_db()
    assert (str(project.rating.grades), project.guidelines.count()) == ("1..5", 1)


def test_after_the_first_grade_a_type_is_retired_and_not_removed(client, project, annotator):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3)
    dropped = sent_by(client.post(ADDRESS, form_of(client) | {"edit": "drop-g2-t1"}))
    answer = client.post(ADDRESS, dropped)
    assert "Retire it" in answer.content.decode()
    assert project.guidelines.count() == 1
    client.post(ADDRESS + "draft/discard/")
    client.post(ADDRESS, form_of(client) | {"g4-t2-retired": "on"})
    kinds = project.guidelines.first().content["grades"][4]["types"]
    assert [(kind["key"], kind["is_retired"]) for kind in kinds] == [
        ("informative", False),
        ("interesting", False),
        ("new_topic", True),
    ]
    rater = Client()
    rater.force_login(annotator)
    page = rater.get(reverse("rate", args=["weibo"]))
    assert [reason.key for reason in page.context["choices"][4].reasons] == ["informative", "interesting"]
    [late] = factories.take(project, annotator)
    rater.post(reverse("grade", args=["weibo", late.pk]), {"grade": 5, "reason": "new_topic"})
    assert late.ratings.get().reason == "new_topic"  # from a page that was open before


def test_types_may_be_added_after_the_first_grade(client, project, annotator):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 4)
    typed = sent_by(client.post(ADDRESS, form_of(client) | {"edit": "add-g1"}))
    client.post(ADDRESS, typed | {"g1-t2-name-zh": "空话"})
    assert project.guidelines.first().content["grades"][1]["types"][-1]["key"] == "kong_hua"


def test_what_changes_is_shown_before_it_is_written_and_beside_each_version(client, project, annotator):
    typed = form_of(client) | {
        "prose-en": "Read slowly.",
        "g0-name-en": "very bad",
        "g4-t2-retired": "on",
        "edit": "show",
    }
    shown = client.post(ADDRESS, typed)

    def said(page) -> list[tuple[str, list[tuple[str, str]]]]:
        return [
            (change.what, [(str(kind), text) for kind, text in change.pieces]) for change in page.context["changes"]
        ]

    expected = [
        ("What raters read first", [("added", "Read slowly.")]),
        ("Grade 1: Name", [("added", "very "), ("same", "bad")]),
        ("Grade 5: Type retired", [("added", "opens a new topic")]),
    ]
    assert said(shown) == expected
    assert project.guidelines.count() == 1
    client.post(ADDRESS, sent_by(shown))
    assert said(client.get(ADDRESS, {"version": "2"})) == expected
    assert said(client.get(ADDRESS)) == []


def test_two_people_who_edit_are_told_and_lose_nothing(client, project, researcher):
    mine = form_of(client) | {"g0-name-en": "poor"}
    client.post(ADDRESS, form_of(client) | {"g0-name-en": "awful"})
    answer = client.post(ADDRESS, mine)
    assert "published version 2 while you edited version 1" in answer.content.decode()
    shown = sent_by(client.post(ADDRESS, mine | {"edit": "show"}))
    assert shown["seen"] == "1", "to look at it first is not to have seen the other version"
    assert sent_by(answer)["g0-name-en"] == "poor"
    assert project.guidelines.count() == 2
    told = client.post(ADDRESS, shown)
    assert project.guidelines.count() == 2
    client.post(ADDRESS, sent_by(told))
    assert project.guidelines.first().content["grades"][0]["name"]["en"] == "poor"


def test_a_guideline_without_grades_is_refused(client, quality):
    kept = {name: text for name, text in form_of(client, QUALITY).items() if not name.startswith("g")}
    answer = client.post(QUALITY, kept | {"prose-en": "Read."})
    assert "from 2 to 21 grades; this one has 0" in answer.content.decode()
    assert sent_by(answer)["prose-en"] == "Read."
    assert quality.guidelines.count() == 1


def test_two_equal_grades_and_two_equal_names_are_refused_at_their_place(client, quality):
    answer = client.post(QUALITY, form_of(client, QUALITY) | {"g1-grade": "0"})
    assert "Grade 0 appears twice" in answer.content.decode()
    assert [bool(grade.row.errors) for grade in answer.context["grades"]] == [False, True, True, False]
    answer = client.post(QUALITY, form_of(client, QUALITY) | {"g1-name-en": "Lowest"})
    assert errors_of(answer) == {"g1-name-en"}
    assert quality.guidelines.count() == 1


@pytest.mark.parametrize("place", ["prose-en", "prompt-en", "g0-name-en", "g3-meaning-en"])
def test_a_hundred_thousand_characters_are_refused_at_their_place_and_kept_on_the_page(client, quality, place):
    answer = client.post(QUALITY, form_of(client, QUALITY) | {place: "x" * 100_000})
    assert errors_of(answer) == {place}
    assert "100000 characters; at most" in answer.content.decode()
    assert sent_by(answer)[place] == "x" * 100_000
    assert quality.guidelines.count() == 1


def test_the_page_of_an_english_project_has_no_chinese_field(client, quality):
    assert not [name for name in form_of(client, QUALITY) if name.endswith("-zh")]
    assert [grade["name"]["zh"] for grade in quality.guidelines.get().content["grades"]] == [""] * 4


def test_another_language_of_the_project_brings_its_first_guideline(client, quality, researcher):
    projects.change_settings(project=quality, settings={"language": "zh-hans"}, by=researcher)
    names = [grade["name"] for grade in quality.guidelines.first().content["grades"]]
    assert names[0] == {"zh": "最低", "en": ""}


def test_an_edited_guideline_keeps_its_words_in_the_language_that_stays(client, project, researcher):
    client.post(ADDRESS, form_of(client) | {"g0-name-en": "poor", "g1-name-en": "", "prose-zh": "先读。"})
    projects.change_settings(project=project, settings={"language": "en"}, by=researcher)
    content = project.guidelines.first().content
    assert content["grades"][0]["name"] == {"zh": "", "en": "poor"}
    assert content["grades"][1]["name"] == {"zh": "较差", "en": ""}  # it has no other words
    assert content["prose"] == {"zh": "先读。", "en": ""}


def test_another_scale_keeps_what_was_written_of_the_grades_that_stay(client, quality, researcher):
    client.post(QUALITY, form_of(client, QUALITY) | {"g1-name-en": "off the point", "prose-en": "Read."})
    projects.change_settings(project=quality, settings={"grades": "1..4"}, by=researcher)
    content = quality.guidelines.first().content
    assert [grade["name"]["en"] for grade in content["grades"]] == ["off the point", "grade 2", "grade 3", "highest"]
    assert content["prose"]["en"] == "Read."
