"""The pages of a plan: each part with its form, what is missing, the public address."""

import json
import re
from hashlib import sha256

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from core.actions.refusals import Refused
from core.models import Role
from study.actions.survey import copies, demographics, deviations, drafts, participants, studies
from study.domain.survey.phases import ParticipantState
from study.models import Question, Study
from study.selectors.survey.demographics import demographics_of
from tests import factories
from tests.pages import on_one_line
from tests.study import study_cases
from tests.study.results_cases import participant

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(client, researcher):
    client.force_login(researcher)
    return client


@pytest.fixture
def draft(researcher):
    drawn = study_cases.question_set("drawn", 40, by=researcher, corpora=("movie", "ubuntu"))
    settings = {"forms": 2, "per_form": 8}
    groups = (("crowd", 132), ("lab", None))
    return studies.create(slug="lines", question_sets=[drawn], settings=settings, groups=groups, by=researcher)


def page(client, name: str, *arguments, status: int = 200) -> str:
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == status
    return answer.content.decode()


def post(client, name: str, /, *arguments, **fields):
    return client.post(reverse(name, args=arguments), fields)


def settings_now() -> dict:
    return Study.objects.get().survey.as_mapping()


RULES = {"failed_checks": 0, "minimum_answers": 6, "too_fast": 3, "straight_lines": 8, "late_answers": "on"}


def test_a_part_of_the_plan_is_saved_on_its_own(own, draft):
    answer = post(own, "change_plan", "lines", "rules", **RULES)
    assert answer.url == reverse("study", args=["lines"]) + "#rules"
    now = settings_now()
    assert {name: now[name] for name in ("failed_checks", "too_fast", "straight_lines", "minimum_answers")} == {
        "failed_checks": 0,
        "too_fast": 3,
        "straight_lines": 8,
        "minimum_answers": 6,
    }
    assert (now["unanswered_check"], now["duplicates"], now["late_answers"]) == (False, False, True)
    post(own, "change_plan", "lines", "pay", pay="6.50", currency="GBP", pay_text="")
    post(own, "change_plan", "lines", "checks", practice=2, checks=3)
    fields = {"primary_group": "crowd", "primary_against": "lab", "primary_metric": "R@2", "margin": "6"}
    post(own, "change_plan", "lines", "analysis", **fields, primary_corpus="ubuntu", analysis="Holm.")
    assert settings_now() | fields | {"star_below": 5} == settings_now()
    post(own, "change_plan", "lines", "analysis", **fields, star_below=0)
    assert settings_now()["star_below"] == 0
    assert Question.objects.filter(study=draft, purpose="check").count() == 3
    assert settings_now()["too_fast"] == 3


@pytest.mark.parametrize(
    ("part", "fields"),
    [
        ("rules", {**RULES, "failed_checks": 3}),
        ("rules", {**RULES, "too_fast": "soon"}),
        ("pay", {"pay": "much"}),
        ("checks", {"practice": 21, "checks": 1}),
        ("analysis", {"primary_metric": "BLEU"}),
        ("derived", {"name": "x", "group": "crowd", "answers": ["age=18-20", "ubuntu=expert"], "on": ["ubuntu"]}),
    ],
)
def test_what_is_wrong_is_told_beside_its_form(own, draft, part, fields):
    before = settings_now()
    answer = post(own, "change_plan", "lines", part, **fields)
    assert answer.status_code == 422
    assert answer.context[f"{part}_form"].errors
    assert settings_now() == before


def test_a_plan_has_no_other_parts(own, draft):
    assert post(own, "change_plan", "lines", "colours").status_code == 404


@pytest.mark.parametrize("name", ["study", "study_groups"])
def test_the_mix_of_each_group_is_a_bar_with_its_shares_beside_it(own, draft, name):
    drafts.change(study=draft, settings={"mix": "lab:ubuntu=75"}, by=draft.created_by)
    shown = own.get(reverse(name, args=["lines"]))
    bars = {
        bar.group: [(part.corpus, part.share, part.begins, part.width) for part in bar.parts]
        for bar in shown.context["mix_of_groups"]
    }
    assert bars == {
        "crowd": [("movie", 0.5, "0.00", "50.00"), ("ubuntu", 0.5, "50.00", "50.00")],
        "lab": [("movie", 0.25, "0.00", "25.00"), ("ubuntu", 0.75, "25.00", "75.00")],
    }
    told = on_one_line(re.sub("<[^>]+>", "", shown.content.decode()))
    for share in ("movie 50&nbsp;%", "ubuntu 50&nbsp;%", "movie 25&nbsp;%", "ubuntu 75&nbsp;%"):
        assert share in told


def test_a_mix_that_does_not_fit_has_no_bar_and_one_corpus_needs_none(own, draft, researcher):
    drafts.change(study=draft, settings={"mix": "lab:radio=10"}, by=draft.created_by)
    shown = own.get(reverse("study_groups", args=["lines"]))
    assert [bar.group for bar in shown.context["mix_of_groups"]] == ["crowd"]
    study_cases.study("other", by=researcher, is_open=False)
    assert own.get(reverse("study", args=["other"])).context["mix_of_groups"] == []


def test_the_mix_of_a_group_is_set_in_a_table(own, draft):
    lab = draft.groups.get(name="lab")
    post(own, "change_plan", "lines", "mix", **{f"share-{lab.pk}-1": 75})
    assert settings_now()["mix"] == "lab:ubuntu=75"
    answer = post(own, "change_plan", "lines", "mix", **{f"share-{lab.pk}-0": 60, f"share-{lab.pk}-1": 75})
    assert answer.status_code == 422
    drafts.change(study=draft, settings={"mix": "lab:radio=10"}, by=draft.created_by)
    shown = own.get(reverse("study", args=["lines"]))
    assert "radio" in next(part.missing for part in shown.context["parts"] if part.anchor == "groups")
    assert shown.context["missing"] == 1


def test_a_group_is_derived_from_an_answer_and_removed(own, draft):
    fields = {"name": "experts", "group": "crowd", "answers": ["ubuntu=expert"], "on": ["ubuntu"]}
    post(own, "change_plan", "lines", "derived", **fields)
    post(own, "change_plan", "lines", "derived", **fields | {"name": "novices", "answers": ["ubuntu=never"]})
    assert settings_now()["derived"] == "experts=crowd:ubuntu=expert@ubuntu; novices=crowd:ubuntu=never@ubuntu"
    post(own, "remove_derived_group", "lines", 0)
    assert settings_now()["derived"] == "novices=crowd:ubuntu=never@ubuntu"


def test_questions_about_people_are_written_on_a_page(own, draft):
    post(own, "study_demographics", "lines", text="Films a month", answers="none\r\n1 to 4\r\n")
    post(own, "change_demographic", "lines", "films_a_month", act="up")
    post(own, "change_demographic", "lines", "gender", act="remove")
    post(own, "change_demographic", "lines", "age", act="change", text="How old?", answers="young\nold")
    asked = {question.key: question.text for question in demographics_of(draft)}
    assert list(asked) == ["age", "english", "education", "films_a_month", "ubuntu"]
    assert asked["age"] == "How old?"
    for name, arguments in (("study_demographics", ["lines"]), ("change_demographic", ["lines", "age"])):
        answer = post(own, name, *arguments, act="change", text="Films", answers="one")
        assert answer.status_code == 422


def test_an_own_question_is_written_on_a_page(own, draft):
    fields = {"context": "A: Hello.\nB：你好\nno name here", "candidates": "Right.\nWrong.", "place": 2}
    assert post(own, "own_question", "lines", "check", **fields).status_code == 302
    check = Question.objects.get(study=draft, external_id="check")
    assert check.context == [
        {"speaker": "A", "text": "Hello."},
        {"speaker": "B", "text": "你好"},
        {"speaker": "", "text": "no name here"},
    ]
    assert (check.candidates, check.answer, check.place) == (["Right.", "Wrong."], 0, 2)
    assert post(own, "own_question", "lines", "check", **fields | {"candidates": "One."}).status_code == 422
    assert page(own, "own_question", "lines", "check-9", status=404)


WRITTEN = {"context": "A: Which one?\nB: The second, please.", "candidates": "This one.\nThat one.\nNone."}


def test_more_checks_and_practice_questions_are_added_than_are_ready(own, draft, researcher):
    post(own, "change_plan", "lines", "checks", practice=3, checks=4)
    for number in (5, 6):
        answer = post(own, "add_own_question", "lines", "check", **WRITTEN, place=number - 3)
        assert answer.url.endswith("#practice")
    post(own, "add_own_question", "lines", "practice", **WRITTEN, explanation="B says so.")
    now = settings_now()
    assert (now["practice"], now["checks"]) == (4, 6)
    added = Question.objects.get(external_id="check-6")
    assert (added.candidates, added.answer, added.place) == (["This one.", "That one.", "None."], 0, 3)
    assert Question.objects.get(external_id="practice-4").explanation == "B says so."
    opened = studies.open_(study=draft, reason="Written for tests.", by=researcher)
    person = study_cases.joined(opened)
    for _question in range(3):
        participants.practise(participant=person, first=0, second=1)
        participants.practise_next(participant=person)
    participants.practise(participant=person, first=0, second=1)
    person = participants.start(participant=person)
    assert person.presentations.filter(question__purpose="check").count() == 6


def test_a_question_that_is_removed_is_asked_no_more_and_those_after_it_move_up(own, draft):
    post(own, "change_plan", "lines", "checks", practice=2, checks=3)
    texts = checks_now()
    post(own, "remove_own_question", "lines", "check-2")
    assert checks_now() == [texts[0], texts[2]]
    assert settings_now()["checks"] == 2
    names = Question.objects.filter(purpose="check").order_by("position").values_list("external_id", flat=True)
    assert list(names) == ["check", "check-2"]
    post(own, "change_plan", "lines", "checks", practice=2, checks=3)
    assert len({str(each) for each in checks_now()}) == 3  # none is there twice


def checks_now() -> list:
    return list(Question.objects.filter(purpose="check").order_by("position").values_list("context", flat=True))


def test_the_only_practice_question_and_a_check_that_a_rule_needs_stay(own, draft):
    post(own, "remove_own_question", "lines", "practice")
    post(own, "change_plan", "lines", "checks", practice=1, checks=2)
    post(own, "change_plan", "lines", "rules", **{**RULES, "failed_checks": 2})
    post(own, "remove_own_question", "lines", "check")
    assert (settings_now()["practice"], settings_now()["checks"]) == (1, 2)
    assert Question.objects.filter(study=draft).count() == 3


def test_a_study_does_not_open_while_questions_are_to_be_written(own, draft, researcher):
    post(own, "change_plan", "lines", "checks", practice=1, checks=6)
    assert "2 questions must still be written" in page(own, "study", "lines")
    with pytest.raises(Refused) as refused:
        studies.open_(study=draft, reason="Written for tests.", by=researcher)
    assert refused.value.code == "own_missing"
    for _question in range(2):
        post(own, "add_own_question", "lines", "check", **WRITTEN)
    assert settings_now()["checks"] == 6
    assert studies.open_(study=draft, reason="Written for tests.", by=researcher).state == "open"


def test_what_is_no_question_is_told_on_its_page_and_nothing_is_added(own, draft):
    answer = post(own, "add_own_question", "lines", "check", **{**WRITTEN, "candidates": "One line."})
    assert answer.status_code == 422
    assert settings_now()["checks"] == 1
    assert page(own, "add_own_question", "lines", "work", status=404)


def test_a_copy_has_the_questions_that_were_added(own, draft, researcher):
    post(own, "change_plan", "lines", "checks", practice=1, checks=4)
    post(own, "add_own_question", "lines", "check", **WRITTEN)
    copy = copies.duplicate(study=Study.objects.get(), slug="lines-2", by=researcher)
    assert copy.own_questions.filter(purpose="check").count() == copy.survey.checks == 5


@pytest.mark.parametrize("is_written", [True, False])
def test_a_copy_notes_what_the_consent_says_that_it_has(draft, researcher, is_written):
    Study.objects.update(notes_behaviour=False, notes_screen=False)
    if is_written:
        drafts.write_text(study=draft, kind="consent", text="You read conversations.", by=researcher)
    copy = copies.duplicate(study=Study.objects.get(), slug="lines-2", by=researcher)
    copy.refresh_from_db()
    assert (copy.notes_behaviour, copy.notes_screen) == (not is_written, not is_written)


def test_the_sentence_is_written_from_the_settings(own, draft):
    sentence = own.get(reverse("study", args=["lines"])).context["sentence"]
    assert re.search(r"132.*crowd.*lab.*8.*40.*40", sentence)
    drafts.change(study=draft, settings={"minutes": 25, "per_form": 6}, by=draft.created_by)
    sentence = own.get(reverse("study", args=["lines"])).context["sentence"]
    assert re.search(r"132.*crowd.*lab.*6.*40.*25", sentence)


def test_the_planner_says_what_the_largest_group_will_tell(own, draft):
    planned = own.get(reverse("study", args=["lines"])).context["planned"]
    assert (planned.sizes.people, planned.sizes.questions, planned.sizes.each) == (132, 16, 8)
    assert 0 < planned.now.questions < planned.now.together < 0.2


def test_straight_after_creation_the_plan_says_how_many_people_it_takes(own, researcher):
    """Computed by hand: z² .65 · .35 · (1 + 29 · .1) / (.05² − z² .2² / 120) / 30 = 93.2 for z = 1.96."""
    drawn = study_cases.question_set("drawn", 120, by=researcher, corpora=("movie", "ubuntu"))
    fields = {"title": "Lines", "question_sets": drawn.pk, "forms": 4, "per_form": 30, "minutes": 40}
    shown = own.post(reverse("new_study"), fields | {"language": "en", "groups": "crowd, lab"}, follow=True)
    assert shown.context["sizes"].needed.people == 94
    assert [each.group for each in shown.context["mix_of_groups"]] == ["crowd", "lab"]
    text = on_one_line(shown.content.decode())
    assert "To reach ± 5 points, 94 people are needed." in text
    assert reverse("study_groups", args=["lines"]) + "#mix" in text
    sizes = {"people": 100, "questions": 20, "each": 10, "share": 65, "icc": 0.1, "question_sd": 0.2, "wanted": 5}
    planner = own.get(reverse("study", args=["lines"]), sizes).context["planner"]
    assert (planner.sizes.needed.people, planner.sizes.needed.questions_needed) == (None, 62)  # (z · .2 / .05)² = 61.5


def test_a_frozen_plan_is_read_and_changed_no_more(own, draft, researcher):
    studies.open_(study=draft, by=researcher)
    shown = page(own, "study", "lines")
    assert draft.__class__.objects.get().plan_checksum in shown
    assert "change_plan" not in shown
    assert reverse("change_plan", args=["lines", "rules"]) not in shown
    assert post(own, "change_plan", "lines", "rules", **RULES).status_code == 422
    page(own, "study_demographics", "lines")
    assert "<textarea" not in page(own, "own_question", "lines", "check")


def test_anyone_reads_the_plan_by_its_checksum_without_a_question_s_text(client, draft, researcher):
    demographics.remove(study=draft, key="gender", by=researcher)
    drafts.change(study=draft, settings={"too_fast": 3, "checks": 2, "margin": "6"}, by=researcher)
    opened = studies.open_(study=draft, by=researcher)
    deviations.extend(group=opened.groups.get(name="crowd"), quota=140, why="Some were late.", by=researcher)
    shown = page(client, "public_plan", opened.plan_checksum)
    for told in (
        opened.plan_checksum,
        opened.plan["forms"][0][0],
        "132",
        "140",
        "Some were late.",
        "Ubuntu, the operating system",
    ):
        assert told in shown
    assert "Gender" not in shown
    own = opened.own_questions.all()
    asked = Question.objects.filter(question_set__name="drawn")
    for question in [*own, *asked]:
        assert not any(text in shown for text in [*question.candidates, *(turn["text"] for turn in question.context)])
    assert not any(group.token in shown for group in opened.groups.all())


def test_the_page_of_the_groups_names_each_thing_once_and_in_words(own, draft, researcher):
    drafts.change(study=draft, settings={"derived": "elders=crowd:age=55+@movie"}, by=researcher)
    shown = page(own, "study_groups", "lines")
    headings = re.findall(r"<h[1-3][^>]*>(.*?)</h", shown, re.DOTALL)
    assert len(set(headings)) == len(headings) > 4
    text = " ".join(strip_tags(shown).split())
    assert "crowd · Age: over 55 · movie" in text
    assert "55+" not in text


def test_the_public_plan_says_what_is_asked_of_whom(client, draft, researcher):
    settings = {"answer": "ranking", "mix": "lab:ubuntu=50", "derived": "elders=crowd:age=41-55|55+@movie"}
    drafts.change(study=draft, settings=settings, by=researcher)
    opened = studies.open_(study=draft, by=researcher)
    shown = client.get(reverse("public_plan", args=[opened.plan_checksum]))
    forms = {group["name"]: list(numbers) for group, numbers in shown.context["groups"]}
    assert forms == opened.plan["forms_of_groups"]
    text = " ".join(strip_tags(shown.content.decode()).split())
    for told in ("all lines in order", "crowd · Age: 41–55 / over 55 · movie", "Bachelor’s degree", "Some experience"):
        assert told in text


def test_with_one_mix_every_group_has_all_forms(client, draft, researcher):
    opened = studies.open_(study=draft, by=researcher)
    shown = client.get(reverse("public_plan", args=[opened.plan_checksum]))
    assert {len(forms) for _group, forms in shown.context["groups"]} == {len(opened.plan["forms"])}


@pytest.mark.every_database  # the plan comes back from it
def test_the_public_file_of_a_closed_study_has_the_checksum(client, draft, researcher):
    opened = studies.open_(study=draft, by=researcher)
    address = reverse("public_plan_file", args=[opened.plan_checksum])
    assert client.get(address).status_code == 404  # it says which question is the check
    assert address not in page(client, "public_plan", opened.plan_checksum)
    pilot = copies.duplicate(study=opened, slug="lines-pilot", is_pilot=True, by=researcher)
    studies.open_(study=pilot, by=researcher)
    studies.close(study=opened, why="Written for tests.", by=researcher)
    assert client.get(address).status_code == 404  # the pilot asks the same check
    studies.close(study=pilot, why="Written for tests.", by=researcher)
    assert address in page(client, "public_plan", opened.plan_checksum)
    assert sha256(client.get(address).content).hexdigest() == opened.plan_checksum


def test_the_file_waits_for_every_copy_of_the_study_and_for_those_who_still_answer(client, draft, researcher):
    first, second = (
        copies.duplicate(study=draft, slug=slug, is_pilot=True, by=researcher) for slug in ("pilot-1", "pilot-2")
    )
    for pilot in (first, second):
        studies.open_(study=pilot, by=researcher)
    first.refresh_from_db()
    address = reverse("public_plan_file", args=[first.plan_checksum])
    studies.close(study=first, why="Written for tests.", by=researcher)
    assert client.get(address).status_code == 404  # both have the checks of their original
    studies.close(study=second, why="Written for tests.", by=researcher)
    assert client.get(address).status_code == 200
    participant(first, group="crowd", state=ParticipantState.ANSWERING)
    assert client.get(address).status_code == 404


def test_before_it_opens_a_plan_has_no_public_address(client, draft):
    assert page(client, "public_plan", "0" * 64, status=404)
    assert draft.plan_checksum == ""


def test_a_pilot_and_a_copy_are_made_with_a_click(own, draft):
    assert post(own, "duplicate_study", "lines", pilot="on").url == reverse("study", args=["lines-pilot"])
    assert Study.objects.get(slug="lines-pilot").survey.pilot
    assert post(own, "duplicate_study", "lines").url == reverse("study", args=["lines-2"])
    assert not Study.objects.get(slug="lines-2").survey.pilot
    shown = page(own, "study", "lines")
    assert "lines-pilot" in shown
    assert "lines-2" in shown


def test_a_stranger_changes_nothing(client, draft):
    client.force_login(factories.person("sam", Role.RESEARCHER))
    for name, *arguments in (("study",), ("change_plan", "rules"), ("study_demographics",)):
        assert client.post(reverse(name, args=["lines", *arguments])).status_code in {404, 405}
    assert json.dumps(settings_now()) == json.dumps(draft.survey.as_mapping())
