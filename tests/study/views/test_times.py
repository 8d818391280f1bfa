"""The page of times: medians of the people who count, what a deadline cuts, who is too fast, and nothing while open."""

import csv
import io
import json
import re
from datetime import timedelta

import pytest
import scipy
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from core.models import StoredFigure
from study.actions.survey import participants
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, Participant, Presentation, Study
from study.selectors.results.times import times_of
from tests.study.results_cases import closed_study, participant, question_set

pytestmark = pytest.mark.django_db
BEGAN = timezone.now() - timedelta(days=1)


@pytest.fixture
def questions(researcher):
    return question_set(researcher, 4, corpora=("movie", "listening"))


@pytest.fixture
def study(researcher, questions):
    made = closed_study(researcher, questions)
    Study.objects.filter(pk=made.pk).update(settings={"minutes": 10})
    return Study.objects.get(pk=made.pk)


@pytest.fixture
def get(client, researcher):
    client.force_login(researcher)
    return lambda study, name="study_times", *more: client.get(reverse(name, args=[study.slug, *more]))


def spend(study: Study, *seconds: float | None, group: str = "", minutes: float = 5, **details: object) -> Participant:
    """Return a person who spent these seconds at the first questions, in their order; None for one left open."""
    person = participant(study, group=group)
    asked = study.question_sets.get().questions.order_by("position")
    for question, spent in zip(asked, seconds, strict=False):
        shown = Presentation.objects.create(participant=person, question=question, position=question.position + 1)
        if spent is not None:
            Answer.objects.create(presentation=shown, better=0, depth=2, milliseconds=round(1000 * spent))
    ended = {"started_at": BEGAN, "ended_at": BEGAN + timedelta(minutes=minutes)}
    Participant.objects.filter(pk=person.pk).update(deadline_at=BEGAN + timedelta(minutes=10), **ended | details)
    return person


def run_out(study: Study, shown_after: float, *seconds: float | None) -> Participant:
    """Return a person whose time ran out; they saw the last of these questions after so many minutes."""
    person = spend(study, *seconds, minutes=10.5, state=ParticipantState.TIMED_OUT)
    person.presentations.update(shown_at=BEGAN)
    Answer.objects.filter(presentation__participant=person).update(answered_at=BEGAN + timedelta(minutes=1))
    shown = person.presentations.order_by("pk").last()
    Presentation.objects.filter(pk=shown.pk).update(shown_at=BEGAN + timedelta(minutes=shown_after))
    return person


def printed(capsys, study):
    call_command("times", study.slug, "--as", "rui", "--json")
    return json.loads(capsys.readouterr().out)


def part(found, field="", name="", of="questions"):
    return next(each for each in found[of] if (each["field"], each["name"]) == (field, name))


def test_an_open_study_tells_no_time(get, study, questions, researcher):
    for _person in range(5):
        spend(study, 20, 30)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN)
    said = get(study).content.decode()
    assert "No results here until the study closes." in said
    assert "30.0" not in said
    assert get(study, "study_times_csv").status_code == get(study, "study_times_figure", "svg").status_code == 404
    with pytest.raises(SystemExit):
        call_command("times", study.slug, "--as", "rui")


def test_medians_and_quartiles_are_told_by_group_corpus_form_and_place(get, study, capsys):
    for number in range(5):  # movie: 10 to 14 s, listening: 40 s
        spend(study, 10 + number, 40, 10 + number, 40, group="crowd", form=1)
    for _person in range(6):
        spend(study, 90, group="lab", form=2)
    found = printed(capsys, study)
    assert part(found, "group", "crowd")["quartiles"] == [12_000, 27_000, 40_000]
    assert part(found, "group", "lab") | {"quartiles": None} == {
        "field": "group",
        "name": "lab",
        "people": 6,
        "times": 6,
        "cut": 0,
        "quartiles": None,
    }
    assert part(found, "form", "2")["quartiles"] == [90_000, 90_000, 90_000]
    assert part(found, "corpus", "listening")["quartiles"] == [40_000, 40_000, 40_000]
    rows = {(row.field, row.name): row for row in get(study).context["questions"]}
    assert rows["group", "crowd"].quartiles == (12, 27, 40)
    assert ("group", "Group") in [(row.field, str(row.heading)) for row in rows.values()]


def test_how_many_times_as_long_a_group_took_is_told_on_the_same_corpora(get, study, capsys):
    """The lab takes twice as long on each corpus, and is asked more of the short one: its median alone misleads."""
    for number in range(6):
        spend(study, 10 + number, 40 + 4 * number, 10 + number, 40 + 4 * number, group="crowd")
    for number in range(5):
        spend(study, 20 + 2 * number, None, 20 + 2 * number, 80 + 8 * number, group="lab")
    [ratio] = printed(capsys, study)["ratios"]
    assert (ratio["group"], ratio["against"]) == ("lab", "crowd")
    assert ratio["ratio"] == pytest.approx(2, rel=0.06)  # the people of the crowd are one more, and a little slower
    assert ratio["ci"][0] < ratio["ratio"] < ratio["ci"][1]
    assert len(get(study).context["ratios"]) == 1


def test_a_group_of_fewer_than_five_people_is_compared_with_none(study, capsys):
    for group, people in (("crowd", 6), ("lab", 4)):
        for _person in range(people):
            spend(study, 10, 20, group=group)
    assert printed(capsys, study)["ratios"] == []


def test_places_in_the_survey_are_told_by_tens(study, researcher, capsys):
    many = question_set(researcher, 12, name="many")
    study.question_sets.set([many])
    for _person in range(5):
        spend(study, *[30] * 10, *[10] * 2)
    found = printed(capsys, study)
    assert [part(found, "position", name)["quartiles"][1] for name in ("1–10", "11–20")] == [30_000, 10_000]


def test_no_quartile_is_told_of_fewer_than_five_people(get, study, capsys):
    for _person in range(4):
        spend(study, 20, 20, 20)
    assert part(printed(capsys, study))["quartiles"] is None
    assert "20.0" not in get(study).content.decode()
    spend(study, 20)
    assert part(printed(capsys, study))["quartiles"] == [20_000, 20_000, 20_000]


def test_a_question_open_at_the_deadline_lasts_at_least_as_long_as_it_was_seen(study, capsys):
    for spent in (10, 20, 30):
        spend(study, spent)
    for _person in range(2):
        run_out(study, 9.5, 15, None)  # seen for 30 s
    whole = part(printed(capsys, study))
    # Longer than 10 s last 6 of 7, than 15 s 4, than 20 s 3, and than 30 s two, of which more is not known.
    assert (whole["times"], whole["cut"], whole["quartiles"]) == (7, 2, [15_000, 20_000, None])


def test_a_question_passed_over_before_the_deadline_is_not_cut_by_it(study, capsys):
    for _person in range(4):
        spend(study, 10)
    person = run_out(study, 2, 60, None)  # then they went back, and changed the first answer
    Answer.objects.filter(presentation__participant=person).update(answered_at=BEGAN + timedelta(minutes=6))
    whole = part(printed(capsys, study))
    assert (whole["times"], whole["cut"]) == (5, 0)


def test_the_whole_survey_is_told_in_minutes_and_cut_where_the_time_ran_out(get, study, capsys):
    for minutes in (4, 6, 8):
        spend(study, 10, minutes=minutes)
    for _person in range(2):
        run_out(study, 9, 10, None)
    whole = part(printed(capsys, study), of="survey")
    assert (whole["people"], whole["cut"], whole["quartiles"]) == (5, 2, [6, 8, None])
    assert "8.0 of 10 minutes" in get(study).content.decode()


def test_too_fast_people_are_named_by_the_beginning_of_their_random_id_and_left_out(get, study, capsys):
    Study.objects.filter(pk=study.pk).update(settings={"minutes": 10, "too_fast": 3})
    for _person in range(5):
        spend(study, 20, 20)
    fast = spend(study, 2, 2.5, 2, group="crowd")
    found = printed(capsys, study)
    assert found["too_fast"] == {
        "threshold": 3,
        "people": [{"person": str(fast.public_id), "seconds": 2.0, "answers": 3}],
    }
    assert part(found)["people"] == 5
    said = get(study).content.decode()
    assert f"<code>{fast.public_id.hex[:8]}</code>" in said
    assert f"?find={fast.public_id.hex[:8]}#list" in said
    for stored in StoredFigure.objects.all():
        assert str(fast.public_id) not in stored.content, "random ids are in no stored figure"


def test_who_withdraws_is_in_no_time(get, study, capsys):
    Study.objects.filter(pk=study.pk).update(settings={"minutes": 10, "too_fast": 3})
    people = [spend(study, 20) for _person in range(5)]
    fast = spend(study, 1)
    get(study)
    participants.withdraw(participant=fast)
    participants.withdraw(participant=people[0])
    found = printed(capsys, study)
    assert (part(found)["people"], found["too_fast"]["people"]) == (4, [])


def test_without_a_rule_on_speed_the_page_says_so(get, study):
    for _person in range(5):
        spend(study, 1)
    assert get(study).context["rule"] is None
    assert "The study has no rule on speed" in get(study).content.decode()


def test_the_table_is_downloaded_in_seconds_and_minutes(get, study):
    for _person in range(5):
        spend(study, 20, minutes=6)
    [question, survey] = list(csv.DictReader(io.StringIO(get(study, "study_times_csv").content.decode())))
    assert (question["what"], question["median"], question["unit"], question["people"]) == (
        "question",
        "20.0",
        "s",
        "5",
    )
    assert (survey["what"], survey["median"], survey["unit"]) == ("survey", "6.0", "min")


def test_the_figure_has_a_point_for_each_part_whose_median_is_known(get, study):
    for number in range(5):
        spend(study, 10, 40, group=("crowd", "lab")[number % 2])
    drawing = get(study, "study_times_figure", "svg").content.decode()
    circles = re.findall(r'<use xlink:href="#m\w+" x="[\d.]+" y="[\d.]+" style="fill: #0b5f73', drawing)
    assert len(circles) == 3, "all, and two corpora: each group has fewer than five people"


def test_without_times_there_is_no_figure(get, study):
    assert get(study, "study_times_figure", "svg").status_code == 404
    assert "No answer with a time counts yet." in get(study).content.decode()


def test_what_was_done_to_a_context_is_said_in_words(get, study, questions):
    questions.questions.filter(position=1).update(condition="all", whole_id="q1")
    for _person in range(5):
        spend(study, 4, 8)
    Presentation.objects.filter(question__condition="all").update(condition="all")
    names = [row.name for row in get(study).context["questions"]]
    assert {"whole context", "no context"} <= set(names)
    assert "all" not in names


def test_each_person_is_a_point_of_time_and_score_without_a_name(get, study):
    """Six people took 10 to 60 seconds; the one who took 10 has one of two right."""
    for seconds in (10, 20, 30, 40, 50, 60):
        person = spend(study, seconds, seconds, group="crowd")
        if seconds == 10:
            Answer.objects.filter(presentation=person.presentations.earliest("pk")).update(better=1)
    for _person in range(4):
        spend(study, 15, group="lab")
    answer = get(study)
    [group] = times_of(study)["against_score"]["groups"]
    assert group["group"] == "crowd", "four people in the lab are too few"
    assert sorted(group["people"]) == [(10, 0.5), *((seconds, 1.0) for seconds in (20, 30, 40, 50, 60))]
    assert group["rho"] == pytest.approx(scipy.stats.spearmanr([1, 2, 3, 4, 5, 6], [0, 1, 1, 1, 1, 1]).statistic)
    [plot] = [plot for plot in answer.context["plots"] if len(plot.marks) == 6]
    assert {mark.kind for mark in plot.marks} == {"point faint"}
    assert min(float(mark.x) for mark in plot.marks) == 0


def test_own_expertise_is_plotted_against_score(get, researcher):
    study = closed_study(researcher, question_set(researcher, 4, corpora=("ubuntu", "movie")), slug="ubuntu")
    for said, right in (("never", 0), ("never", 1), ("expert", 1)):
        person = spend(study, 10, group="crowd", demographics={"ubuntu": said})
        if not right:
            Answer.objects.filter(presentation__participant=person).update(better=1)
    plots = get(study).context["plots"]
    [plot] = [plot for plot in plots if [label for _at, label in plot.below] == ["Never used…", "Expert"]]
    assert [mark.label for mark in plot.marks] == ["50", "100"]


def test_learning_and_fatigue_are_plotted_by_place(get, researcher):
    many = closed_study(researcher, question_set(researcher, 12, name="many"), slug="long")
    for _person in range(5):
        spend(many, *[10] * 10, 30, 30)
    learning, fatigue = [plot for plot in get(many).context["plots"] if plot.path]
    assert [label for _at, label in learning.below] == ["1", "6", "11"]
    assert [label for _at, label in fatigue.below] == ["1", "11"]
    assert [mark.label for mark in fatigue.marks] == ["10", "30"]


def test_the_page_of_results_has_the_plots_too_but_for_experts(get, client, researcher):
    many = closed_study(researcher, question_set(researcher, 12, name="many"), slug="long")
    for _person in range(5):
        spend(many, *[10] * 10, 30, 30)
    page = client.get(reverse("results", args=["long"]))
    assert page.context["plots"] == get(many).context["plots"] != []
    assert 'id="plots"' in page.content.decode()
    Answer.objects.update(ranking=[0, 1, 2, 3])
    many.settings = {**many.settings, "takers": "signed-in"}
    many.save()
    assert client.get(reverse("results", args=["long"])).context["plots"] == []


def test_points_of_people_are_not_in_what_the_command_prints(study, capsys):
    for _person in range(5):
        spend(study, 10)
    call_command("times", study.slug, "--json")
    assert "against_score" not in json.loads(capsys.readouterr().out)
