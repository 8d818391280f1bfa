"""The researchers' pages of studies: the list, a new one, its plan, its fieldwork, opening and closing it."""

import html
import re
from collections import Counter

import pytest
from django.urls import reverse

from core.models import Role
from study.actions.questions import audits
from study.actions.questions.questions import build
from study.actions.survey import participants, studies
from study.domain.survey.phases import StudyState
from study.models import Identity, Participant, Question, Study
from study.models.people import Origin, StudyGroup
from tests import factories
from tests.corpora import dialogue, stored
from tests.pages import on_one_line
from tests.study import study_cases


def page(client, name: str = "study", *arguments) -> str:
    answer = client.get(reverse(name, args=[*arguments]))
    assert answer.status_code == 200
    return answer.content.decode()


def imported(by) -> Study:
    """Three people's answers from elsewhere, without a plan."""
    study = studies.create(slug="elsewhere", groups=[("crowd", None)], by=by)
    Study.objects.filter(pk=study.pk).update(is_imported=True, state=StudyState.CLOSED)
    for number in range(3):
        Question.objects.create(
            study=study, external_id=f"e{number}", position=number, candidates_count=5, corpus="movie"
        )
        Participant.objects.create(
            study=study, label=f"p{number}", group=study.groups.get(), form=1, origin=Origin.IMPORT, state="complete"
        )
    study.refresh_from_db()
    return study


# ---- the list ----


FIRST_BUTTON = 'button-main" href="{}"'


def test_an_empty_list_says_what_to_do_first(own, researcher):
    assert FIRST_BUTTON.format("/questions/") in page(own, "studies")
    study_cases.question_set("drawn", 3, by=researcher)
    assert FIRST_BUTTON.format("/studies/new/") in page(own, "studies")


def test_the_first_page_lists_ones_own_studies_beside_the_projects(own, colleague, researcher):
    factories.another_project("weibo", by=researcher)
    assert 'href="/studies/new/"' not in page(own, "home")
    study_cases.study("own", by=researcher, title="Next turn, summer")
    study_cases.study("foreign", by=colleague, title="Next turn, autumn")
    assert "Next turn, summer" in page(own, "home")
    assert "Next turn, autumn" not in page(own, "home")


def test_the_list_shows_each_study_with_its_people_of_the_quota_and_its_questions(own, researcher):
    study = study_cases.study(
        "lines", by=researcher, groups={"crowd": 7, "lab": 3}, settings={"forms": 2, "per_form": 4}
    )
    for _person in range(2):
        study_cases.finished(study)
    study_cases.joined(study, "lab")
    participants.withdraw(participant=study_cases.begun(study))
    study_cases.study("words", by=researcher, questions=12, is_open=False)
    imported(researcher)
    rows = {row.study.slug: row for row in own.get(reverse("studies")).context["rows"]}
    assert (rows["lines"].questions, rows["lines"].people.finished, rows["lines"].people.under_way) == (8, 2, 1)
    assert (rows["lines"].people.quota, rows["lines"].people.share) == (10, 0.2)
    assert (rows["words"].questions, rows["words"].people.quota) == (12, None)
    assert (rows["elsewhere"].questions, rows["elsewhere"].people.finished) == (3, 3)
    assert "2 / 10" in page(own, "studies")


def test_the_list_shows_nobody_elses_studies(stranger, researcher):
    study_cases.study("lines", by=researcher)
    assert stranger.get(reverse("studies")).context["rows"] == []


def test_the_list_takes_as_many_queries_for_many_studies_as_for_one(own, researcher, django_assert_num_queries):
    study_cases.study("lines", by=researcher)
    own.get(reverse("studies"))
    with django_assert_num_queries(11):
        own.get(reverse("studies"))
    for number in range(4):
        study_cases.begun(study_cases.study(f"lines-{number}", by=researcher))
    with django_assert_num_queries(11):
        own.get(reverse("studies"))


def test_the_list_is_searched_filtered_and_sorted(own, researcher):
    for slug, people in (("lines", 1), ("words", 2)):
        study = study_cases.study(slug, by=researcher)
        for _person in range(people):
            study_cases.finished(study)
    study_cases.study("later-lines", by=researcher, is_open=False)

    def slugs(**query: str) -> list[str]:
        return [row.study.slug for row in own.get(reverse("studies"), query).context["rows"]]

    assert slugs() == ["later-lines", "words", "lines"]
    assert slugs(sort="made") == ["lines", "words", "later-lines"]
    assert slugs(sort="-finished") == ["words", "lines", "later-lines"]
    assert slugs(search="LINES", sort="title") == ["later-lines", "lines"]
    assert slugs(state="draft") == ["later-lines"]
    assert slugs(search="nothing") == []


# ---- a new one ----


def typed(drawn, **other: object) -> dict[str, object]:
    return {
        "title": "What comes next",
        "slug": "",
        "question_sets": [drawn.pk],
        "language": "en",
        "forms": 2,
        "per_form": 4,
        "minutes": 20,
        "groups": "crowd:136, lab",
        **other,
    }


@pytest.fixture
def drawn(researcher):
    return study_cases.question_set("trains", 12, by=researcher, corpora=("movie", "ubuntu"))


def test_a_study_is_made_with_a_short_name_from_its_title(own, drawn):
    answer = own.post(reverse("new_study"), typed(drawn))
    study = Study.objects.get()
    assert answer.url == reverse("study", args=["what-comes-next"]) == reverse("study", args=[study.slug])
    assert (study.survey.forms, study.survey.per_form, study.survey.minutes) == (2, 4, 20)
    assert [(group.name, group.quota) for group in study.groups.all()] == [("crowd", 136), ("lab", None)]
    assert list(study.question_sets.all()) == [drawn]


@pytest.mark.parametrize("spoken", ["en", "zh-hans"])
def test_a_new_study_speaks_the_language_of_the_page_it_is_made_on(own, drawn, spoken):
    own.cookies["django_language"] = spoken
    page = own.get(reverse("new_study")).content.decode()
    buttons = re.findall(r'<input[^>]*name="language"[^>]*>', page)
    assert [re.findall('value="(.+?)"', each) for each in buttons if "checked" in each] == [[spoken]]


def test_a_chinese_title_is_offered_a_short_name_in_pinyin_and_asks_about_it(own, drawn):
    for expected in ("xia-yi-ju", "xia-yi-ju-2"):
        asked = own.post(reverse("new_study"), typed(drawn, title="下一句", language="zh-hans"))
        assert f'value="{expected}"' in asked.content.decode()
        own.post(reverse("new_study"), typed(drawn, title="下一句", language="zh-hans", slug=expected))
    assert sorted(Study.objects.values_list("slug", flat=True)) == ["xia-yi-ju", "xia-yi-ju-2"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"title": ""}, "This field is required."),
        ({"question_sets": []}, "Choose at least one: these are the questions that people answer."),
        ({"question_sets": ["9" * 30]}, "9" * 30),
        ({"per_form": 13}, "The chosen sets have only 12 questions."),
        ({"per_form": 0}, "A whole number from 1 to 400."),
        ({"minutes": 601}, "A whole number from 0 to 600."),
        ({"groups": "crowd:many"}, "A quota is a whole number: crowd:136."),
        ({"groups": "crowd:1, crowd:2"}, "There is a group “crowd” already."),
        ({"groups": "crowd:0"}, "is not a valid group"),
        ({"groups": " , "}, "A study has at least one group: participants join through its link."),
        ({"slug": "new"}, "This short name is taken. Choose another one."),
        ({"slug": "trains"}, "This short name is taken. Choose another one."),
    ],
)
def test_what_is_wrong_with_a_new_study_stands_on_its_page(own, drawn, wrong, told):
    answer = own.post(reverse("new_study"), typed(drawn, **wrong))
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not Study.objects.exists()


def test_only_own_question_sets_are_on_offer(own, stranger, drawn):
    assert "trains" in page(own, "new_study")
    assert "trains" not in page(stranger, "new_study")
    answer = stranger.post(reverse("new_study"), typed(drawn))
    assert (answer.status_code, Study.objects.count()) == (422, 0)


# ---- one ----


def test_a_draft_says_what_is_ready_and_offers_to_open_it(own, researcher):
    study_cases.study("lines", by=researcher, is_open=False)
    answer = own.get(reverse("study", args=["lines"]))
    assert answer.context["missing"] == 0
    assert "Opening freezes this plan" in answer.content.decode()


@pytest.mark.parametrize(("questions", "per_form", "missing"), [(3, 4, 1), (4, 4, 0), (0, 4, 1)])
def test_a_draft_with_too_few_questions_says_so_and_cannot_be_opened(own, researcher, questions, per_form, missing):
    study = study_cases.study(
        "lines", by=researcher, questions=questions, settings={"per_form": per_form}, is_open=False
    )
    answer = own.get(reverse("study", args=["lines"]))
    assert answer.context["missing"] == missing
    assert (reverse("open_study", args=["lines"]) in answer.content.decode()) == (missing == 0)
    own.post(reverse("open_study", args=["lines"]), {"sure": "on"})
    study.refresh_from_db()
    assert (study.state == StudyState.OPEN) == (missing == 0)


def test_opening_needs_one_confirmation_that_names_the_consequence(own, researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    answer = own.post(reverse("open_study", args=["lines"]))
    study.refresh_from_db()
    assert (answer.status_code, study.state) == (422, StudyState.DRAFT)
    assert "Tick this first: opening cannot be undone." in answer.content.decode()
    own.post(reverse("open_study", args=["lines"]), {"sure": "on"})
    study.refresh_from_db()
    assert study.state == StudyState.OPEN
    assert study.plan_checksum in page(own, "study", "lines")


@pytest.mark.parametrize(("reason", "is_audited"), [("Short.", True), ("", True), ("Short.", False)])
def test_a_refused_opening_keeps_what_was_written_and_says_so_at_the_field(own, researcher, reason, is_audited):
    told = "A line that both splits have, I am afraid."
    twice = [{"speaker": "A", "text": f"{told} {turn}"} for turn in range(6)]
    rows = [*(dialogue(number, split="test") for number in range(9)), *(dialogue(n, split="train") for n in (50, 51))]
    stored(
        "talk", [*rows, *({"id": split, "split": split, "turns": twice} for split in ("test", "train"))], by=researcher
    )
    drawn = build(name="evening", sources=["talk:test"], count=10, report=factories.no_progress, by=researcher)
    studies.create(slug="winter", question_sets=[drawn], settings={"forms": 1, "per_form": 5}, by=researcher)
    if is_audited:
        audits.report_of(drawn, by=researcher)
    answer = own.post(reverse("open_study", args=["winter"]), {"sure": "on", "reason": reason})
    assert answer.status_code == 422
    form = answer.context["opening"]
    assert (form["reason"].value(), form["sure"].value(), list(form.errors)) == (reason, True, ["reason"])
    assert 'aria-invalid="true"' in str(form["reason"]) and form["reason"].field.required
    opened = own.post(reverse("open_study", args=["winter"]), {"sure": "on", "reason": "It repeats an earlier study."})
    assert opened.url == reverse("study_groups", args=["winter"])


def test_a_study_is_opened_once(own, researcher):
    study_cases.study("lines", by=researcher)
    answer = own.post(reverse("open_study", args=["lines"]), {"sure": "on"}, follow=True)
    assert "The study has been opened before, and its plan is frozen." in answer.content.decode()


def test_each_group_has_its_link(own, researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 5, "lab": None})
    shown = page(own, "study_groups", "lines")
    for group in study.groups.all():
        assert f"http://testserver{reverse('take', args=[group.token])}" in shown


def test_a_person_joins_by_the_address_for_prolific_once_its_ids_are_filled_in(own, client, researcher):
    study_cases.study("lines", by=researcher, groups={"crowd": 5})
    shown = own.get(reverse("study_groups", args=["lines"]))
    [address] = re.findall(r">(http[^<]*PROLIFIC_PID[^<]*)</code>", shown.content.decode())
    filled = re.sub(r"{{%(\w+)%}}", lambda place: f"id-of-{place[1]}", html.unescape(address)).replace("?", "join/?")
    client.post(filled, {"is_adult": "on", "agrees": "on"})
    joined = Identity.objects.get()
    assert (joined.person, joined.details["SESSION_ID"]) == ("id-of-prolific_pid", "id-of-SESSION_ID")


def test_an_open_study_shows_who_came_and_no_result(own, researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 5, "lab": None})
    person = study_cases.begun(study)
    for presentation in (*study_cases.counting(person), study_cases.check_of(person)):
        study_cases.answer(presentation, presentation.question.answer, (presentation.question.answer + 1) % 5)
    participants.finish(participant=person)
    study_cases.joined(study, "lab")
    answer = own.get(reverse("study_board", args=["lines"]))
    groups = {row.name: row for row in answer.context["fieldwork"].groups}
    assert groups["crowd"].states == Counter(complete=1)
    assert groups["lab"].states == Counter(consented=1)
    assert "No results here until the study closes." in answer.content.decode()
    assert "R@1" not in answer.content.decode()


def test_the_counts_come_anew_into_the_slots_of_the_old_ones(own, researcher):
    study = study_cases.study("lines", by=researcher)
    assert f'data-poll="{reverse("study_fieldwork", args=["lines"])}"' in page(own, "study_board", "lines")
    study_cases.joined(study)
    update = own.get(reverse("study_fieldwork", args=["lines"])).json()["html"]
    assert 'id="counts-line" data-part' in update
    assert 'id="counts-table" data-part' in update
    assert "0</b> people have finished; under way: 1." in on_one_line(update)
    studies.close(study=study, why="Written for tests.", by=researcher)
    answer = own.get(reverse("study_fieldwork", args=["lines"]))
    assert answer.json() == {"next": reverse("study_board", args=["lines"])}


def test_the_counts_take_as_many_queries_for_many_people_as_for_one(own, researcher, django_assert_num_queries):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 9, "lab": 9})
    study_cases.begun(study)
    own.get(reverse("study_fieldwork", args=["lines"]))
    with django_assert_num_queries(16):
        own.get(reverse("study_fieldwork", args=["lines"]))
    for _person in range(5):
        study_cases.finished(study, "lab")
    with django_assert_num_queries(16):
        own.get(reverse("study_fieldwork", args=["lines"]))


def test_a_study_is_closed_once_and_after_a_confirmation(own, researcher):
    study = study_cases.study("lines", by=researcher)
    answer = own.post(reverse("close_study", args=["lines"]))
    assert answer.status_code == 422
    assert "Tick this first: closing cannot be undone." in answer.content.decode()
    own.post(reverse("close_study", args=["lines"]), {"sure": "on"})
    study.refresh_from_db()
    assert study.state == StudyState.CLOSED
    answer = own.post(reverse("close_study", args=["lines"]), {"sure": "on"}, follow=True)
    assert "The study is not open." in answer.content.decode()
    assert "No results here until the study closes." not in page(own, "study_board", "lines")


def test_answers_from_elsewhere_are_counted_and_have_no_link(own, researcher):
    study = imported(researcher)
    shown = page(own, "study", "elsewhere")
    assert "They were given in another survey; no one can join here." in shown
    assert StudyGroup.objects.get(study=study).token not in shown
    counts = own.get(reverse("study", args=["elsewhere"])).context["counts"]
    assert (counts.people, counts.questions, counts.answers, counts.by_corpus) == (3, 3, 0, [("movie", 3)])
    for name, step in (("study_text", "consent"), ("preview_study", "consent")):
        assert own.get(reverse(name, args=["elsewhere", step])).status_code == 404


def test_a_stranger_finds_nothing(stranger, researcher):
    study = study_cases.study("lines", by=researcher)
    for name in ("study", "study_fieldwork"):
        assert stranger.get(reverse(name, args=["lines"])).status_code == 404
    for name in ("open_study", "close_study"):
        assert stranger.post(reverse(name, args=["lines"]), {"sure": "on"}).status_code == 404
    study.refresh_from_db()
    assert study.state == StudyState.OPEN


def test_an_administrator_needs_no_membership(client, researcher):
    study_cases.study("lines", by=researcher)
    client.force_login(factories.person("ada", Role.ADMINISTRATOR))
    assert "lines" in page(client, "study", "lines")
