"""A study for people with an account: who may take it, on which browser, in how many sittings."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.actions.refusals import Refused
from core.models import Role
from study.actions.survey import members, participants, studies
from study.models import Answer, Participant, ParticipantKey, Presentation, StudyMembership
from tests import factories
from tests.study import experts, study_cases

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]


@pytest.fixture
def marta():
    return experts.account("marta")


@pytest.fixture
def study(researcher, marta):
    return experts.ceiling(marta, experts.account("qing"), by=researcher)


@pytest.fixture
def link(study):
    return experts.link_of(study)


def home_of(person) -> str:
    return experts.browser_of(person).get(reverse("home")).content.decode()


def test_an_expert_ranks_all_questions_and_nothing_else_in_two_browsers(study, link, marta):
    office, home = experts.browser_of(marta), experts.browser_of(marta)
    person = experts.begin(office, study)
    assert person.presentations.filter(position__gt=0).count() == 4  # no attention check among them
    experts.rank(office, person, 1, 2, 0, 1, 3)
    assert home.get(f"{link}questions/", follow=True).context["position"] == 2
    for position in (2, 3, 4):
        experts.rank(home, person, position, 0, 1, 2, 3)
    assert home.post(f"{link}finish/", follow=True).context["outcome"] == "complete"
    assert Participant.objects.get().state == "complete"
    given = Answer.objects.order_by("presentation__position").values_list("ranking", "depth")
    assert list(given) == [([2, 0, 1, 3], 4), *[([0, 1, 2, 3], 4)] * 3]


def test_an_expert_is_not_offered_to_finish_while_questions_are_to_come(study, link, marta):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    page = client.get(f"{link}finish/")
    assert (page.context["may_finish"], page.context["to_come"]) == (False, 4)
    assert '<button class="button">' not in page.content.decode()
    assert not client.get(f"{link}finish/?without=1").context["asks"]
    assert client.post(f"{link}finish/", {"without": "1"}).url == f"{link}finish/"
    assert client.get(f"{link}questions/1/").status_code == 200  # it goes on
    for position in (1, 2, 3, 4):
        client.get(f"{link}questions/{position}/")
        experts.rank(client, person, position, *((0, 1, 2, 3) if position != 2 else (0,)))
    page = client.get(f"{link}finish/")
    assert (page.context["may_finish"], page.context["open"]) == (True, [2])


def test_the_page_shows_the_places_that_were_given(study, link, marta):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    experts.rank(client, person, 1, 2, 0)
    page = client.get(f"{link}questions/1/")
    assert str(marta) in page.content.decode()  # who works here
    assert [line.letter for line in page.context["question"].lines] == ["A", "B", "C", "D"]
    place = {line.token: line.place for line in page.context["question"].lines}
    asked = person.presentations.get(position=1)
    assert [place[token] for number, token in sorted(zip(asked.order, asked.tokens, strict=True))] == [2, 0, 1, 0]


@pytest.mark.parametrize("places", [("1", "1"), ("1", "3"), ("2",), ("0", "1"), ("1", "x")])
def test_places_that_are_no_ranking_are_refused_and_what_was_stored_stays(study, link, marta, places):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    experts.rank(client, person, 1, 3, 1)
    tokens = person.presentations.get(position=1).tokens
    sent = {f"place-{token}": place for token, place in zip(tokens, places, strict=False)}
    assert client.post(f"{link}questions/1/answer/", sent).status_code == 409
    assert Answer.objects.get().ranking == [3, 1]


def test_a_second_choice_without_a_first_is_told_on_the_page(client, researcher):
    study = study_cases.study("lines", by=researcher)
    person = study_cases.joined(study)
    person, secret = participants.join(group=study.groups.get())
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    client.cookies[f"survey-{study.pk}"] = secret
    token = person.presentations.get(position=1).tokens[0]
    answer = client.post(f"{experts.link_of(study)}questions/1/answer/", {"second": token})
    assert answer.status_code == 409
    assert "a second choice alone is no answer" in answer.content.decode()
    assert not Answer.objects.exists()


@pytest.mark.parametrize("ranking", [["nothing"], [7], "abc", {"a": 1}, [["a"]], [None]])
def test_a_ranking_of_anything_but_lines_is_refused(study, link, marta, ranking):
    client = experts.browser_of(marta)
    experts.begin(client, study)
    sent = {"ranking": ranking, "key": str(uuid4())}
    answer = client.post(f"{link}questions/1/answer/", sent, content_type="application/json")
    assert answer.status_code in {400, 409}
    assert not Answer.objects.exists()


def test_a_stranger_signs_in_first_and_finds_no_study(study, link, client, researcher, administrator):
    assert client.get(link).url == f"{reverse('signin')}?next={link}"
    for person in (experts.account("someone"), researcher, administrator):
        assert experts.browser_of(person).get(link).status_code == 404
        assert experts.browser_of(person).post(f"{link}join/", experts.CONSENT).status_code == 404
    assert not Participant.objects.exists()


def test_an_account_takes_part_once_whatever_an_address_says(study, link, marta):
    client = experts.browser_of(marta)
    experts.begin(client, study)
    for address in (f"{link}join/", f"{link}join/?PROLIFIC_PID=abc", f"{link}join/?account=1"):
        client.post(address, experts.CONSENT)
        experts.browser_of(marta).post(address, experts.CONSENT)
    assert Participant.objects.count() == 1
    assert not any(name.startswith("survey-") for name in client.cookies)


def test_an_expert_is_known_by_their_account_and_given_no_key_and_no_resume_link(study, link, marta):
    client = experts.browser_of(marta)
    before = set(client.cookies)
    experts.begin(client, study)
    assert set(client.cookies) - before <= {"csrftoken"}
    assert not ParticipantKey.objects.exists()
    assert "resume-link" not in client.get(f"{link}on/", follow=True).content.decode()
    other = experts.browser_of(marta)
    assert other.get(f"{link}questions/", follow=True).context["position"] == 1


def test_what_a_page_of_another_expert_sends_is_not_stored_as_ones_own(study, link, marta):
    qing = study.memberships.get(person__username="qing").person
    of_marta = experts.begin(experts.browser_of(marta), study)
    shared = experts.browser_of(qing)
    experts.begin(shared, study)
    token = of_marta.presentations.get(position=1).tokens[0]
    sent = {"ranking": [token], "key": str(uuid4()), "person": str(of_marta.public_id)}
    answer = shared.post(f"{link}questions/1/answer/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "unknown")
    assert not Answer.objects.exists()


def test_the_home_page_leads_to_the_study_until_it_is_finished(study, link, marta):
    assert link in home_of(marta)
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    experts.rank(client, person, 1, 0, 1, 2, 3)
    assert "1 of 4 answered" in home_of(marta)
    participants.finish(participant=person)
    assert link not in home_of(marta)


def test_home_and_the_rest_page_count_the_same_answers(study, link, marta):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    experts.rank(client, person, 1, 0, 1, 2, 3)
    experts.rank(client, person, 2, 0)  # not in full
    assert client.get(f"{link}rest/").context["done"] == 1
    assert "1 of 4 answered" in home_of(marta)


def test_studies_to_answer_are_under_the_heading_of_home(study, marta):
    page = home_of(marta)
    assert 0 < page.index("<h1") < page.index('id="home-work"')


def test_the_end_names_no_link_to_an_expert_who_has_none(study, link, marta):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    participants.finish(participant=person)
    assert f"{person.public_id}</code>" not in client.get(f"{link}on/").content.decode()


def test_the_plan_of_experts_asks_for_them_and_for_no_attention_checks(researcher, marta):
    drawn = study_cases.question_set("ceiling-questions", 4, by=researcher, candidates=4)
    draft = studies.create(slug="ceiling", question_sets=[drawn], settings=experts.SETTINGS, by=researcher)
    client, address = experts.browser_of(researcher), reverse("study", args=["ceiling"])
    page = client.get(address).context
    assert page["state_of"]["experts"].look
    assert "checks" not in page["checks_form"].fields
    assert not {"failed_checks", "unanswered_check"} & set(page["rules_form"].fields)
    members.add(study=draft, person=marta, role=Role.EXPERT, by=researcher)
    assert not client.get(address).context["state_of"]["experts"].look
    plan = studies.open_(study=draft, reason="Written for tests.", by=researcher).plan
    assert [rule["rule"] for rule in plan["rules"]] == ["too_few_answers", "late_answers"]


def test_the_participants_and_groups_of_experts_name_no_platform(study, researcher, link, marta):
    experts.begin(experts.browser_of(marta), study)
    for name in ("study_participants", "study_groups"):
        page = experts.browser_of(researcher).get(reverse(name, args=["ceiling"])).content.decode()
        assert "Prolific" not in page


def test_neither_drafts_nor_closed_studies_are_on_the_home_page(researcher, marta):
    study = experts.ceiling(marta, by=researcher)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert experts.link_of(study) not in home_of(marta)


def test_the_rest_page_tells_the_sittings_and_where_one_goes_on(study, link, marta):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    for position, minutes_ago in ((1, 90), (2, 89), (3, 10)):
        experts.rank(client, person, position, 0, 1, 2, 3)
        at = timezone.now() - timedelta(minutes=minutes_ago)
        Answer.objects.filter(presentation__position=position).update(answered_at=at, milliseconds=30_000)
    page = client.get(f"{link}rest/").context
    assert (page["done"], page["count"], page["position"]) == (3, 4, 4)
    assert [sitting.answers for sitting, _width in page["sittings"]] == [2, 1]
    assert [round(sitting.minutes, 1) for sitting, _width in page["sittings"]] == [1.5, 0.5]


def test_a_survey_by_a_link_has_no_rest_page(client, researcher):
    link = experts.link_of(study_cases.study("lines", by=researcher))
    assert client.get(f"{link}rest/", follow=True).redirect_chain[-1][0] == link


def test_a_withdrawal_leaves_nothing_and_the_account_does_not_join_again(study, link, marta):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    experts.rank(client, person, 1, 0, 1, 2, 3)
    client.post(f"{link}withdraw/")
    assert not Presentation.objects.exists()
    assert not Answer.objects.exists()
    assert link not in home_of(marta)
    assert "You have withdrawn." in client.get(link).content.decode()
    assert client.post(f"{link}join/", experts.CONSENT).status_code == 409
    assert [person.state for person in Participant.objects.all()] == ["withdrawn"]


def test_an_expert_who_is_removed_goes_no_further_and_what_they_answered_stays(study, link, marta, researcher):
    client = experts.browser_of(marta)
    person = experts.begin(client, study)
    experts.rank(client, person, 1, 0, 1, 2, 3)
    members.remove(study=study, person=marta, by=researcher)
    assert client.get(f"{link}questions/2/").status_code == 404
    assert Answer.objects.count() == 1


def test_experts_see_neither_the_study_nor_its_questions(study, marta):
    client = experts.browser_of(marta)
    for address in (reverse("study", args=["ceiling"]), reverse("results", args=["ceiling"])):
        assert client.get(address).status_code == 403
    creator = factories.person("dan", Role.RESEARCHER)  # may create studies of their own
    StudyMembership.objects.create(study=study, person=creator, role=Role.EXPERT)
    assert experts.browser_of(creator).get(reverse("study", args=["ceiling"])).status_code == 404
    assert experts.browser_of(creator).get(reverse("question_set", args=["ceiling-questions"])).status_code == 404


@pytest.mark.parametrize(
    ("who", "code"), [("researcher", "knows_answers"), ("administrator", "no_expert"), ("inactive", "no_expert")]
)
def test_who_knows_the_answers_or_has_no_account_is_no_expert(study, researcher, administrator, who, code):
    inactive = experts.account("gone")
    inactive.is_active = False
    inactive.save()
    person = {"researcher": researcher, "administrator": administrator, "inactive": inactive}[who]
    with pytest.raises(Refused) as refused:
        members.add(study=study, person=person, role=Role.EXPERT, by=researcher)
    assert refused.value.code == code


def test_a_study_that_is_taken_by_a_link_has_no_experts(researcher, marta):
    study = study_cases.study("lines", by=researcher)
    with pytest.raises(Refused) as refused:
        members.add(study=study, person=marta, role=Role.EXPERT, by=researcher)
    assert refused.value.code == "by_link"


def test_a_researcher_adds_and_removes_experts_on_the_page_of_people(study, researcher):
    daniel, own = experts.account("daniel"), Client()
    own.force_login(researcher)
    own.post(reverse("add_expert", args=["ceiling"]), {"person": daniel.pk})
    assert study.memberships.get(person=daniel).role == Role.EXPERT
    page = own.get(reverse("study_people", args=["ceiling"]))
    assert [person.username for person in page.context["experts"]] == ["daniel", "marta", "qing"]
    assert daniel not in page.context["members"]
    own.post(reverse("remove_expert", args=["ceiling", daniel.pk]))
    assert not study.memberships.filter(person=daniel).exists()


def test_a_study_for_experts_is_made_on_its_page(researcher, own_set):
    own = Client()
    own.force_login(researcher)
    fields = {"title": "Ceiling", "question_sets": [own_set.pk], "language": "en", "groups": "experts"}
    numbers = {"forms": 4, "per_form": 30, "minutes": 40}
    own.post(reverse("new_study"), {**fields, **numbers, "answer": "ranking", "takers": "signed-in"})
    settings = studies.Study.objects.get().survey
    assert (settings.takers, settings.answer, settings.assign, settings.minutes) == ("signed-in", "ranking", "all", 0)
    own.post(
        reverse("change_study", args=[studies.Study.objects.get().slug]), {**fields, "minutes": 40, "takers": "link"}
    )
    settings = studies.Study.objects.get().survey
    assert (settings.takers, settings.assign) == ("link", "forms")


@pytest.fixture
def own_set(researcher):
    return study_cases.question_set("few", 5, by=researcher)


# ---- results ----


@pytest.fixture
def closed(study, marta, researcher):
    """Close the study after both experts ranked every question, one of them with the true line always first."""
    for person, order in ((marta, (0, 1, 2, 3)), (study.memberships.get(person__username="qing").person, (1, 0, 2, 3))):
        client = experts.browser_of(person)
        participant = experts.begin(client, study)
        for presentation in participant.presentations.filter(position__gt=0):
            right = presentation.question.answer
            experts.rank(client, participant, presentation.position, *((right + shift) % 4 for shift in order))
        client.post(f"{experts.link_of(study)}finish/")
    studies.close(study=study, why="Written for tests.", by=researcher)
    return study


def results_of(study, researcher, **query):
    return experts.browser_of(researcher).get(reverse("results", args=[study.slug]), query).context


def test_the_results_have_a_row_for_each_expert_by_name_and_one_for_all(closed, researcher):
    groups = dict(results_of(closed, researcher)["groups"])
    figures = {row.name: [row.figures[metric].value for metric in ("R@1", "R@2", "MRR")] for row in groups["experts"]}
    assert figures == {"Marta": [1, 1, 1], "Qing": [0, 1, 0.5]}
    ends = {row.name: row.figures["MRR"].ends for row in groups["experts"]}
    assert ends["Qing"] is None  # always second: nothing varies over questions
    assert ends["Marta"] == pytest.approx((4 / (4 + 1.959964**2), 1))  # four of four first: Wilson's, as of a run
    [together] = groups["people"]
    assert together.figures["MRR"].value == 0.75
    assert together.figures["MRR"].ends


def test_the_results_tell_how_far_experts_agree(closed, researcher):
    shown = results_of(closed, researcher)["experts"]
    assert shown["kendall_w"] == pytest.approx(0.9)  # sums 1, 1, 4, 6 of ranks from 0 around 3: S 18 of 20
    assert shown["kendall_w_wrong"] == pytest.approx(1)
    assert [(row.label, row.questions) for row in shown["right"]] == [
        ("2 of 2 right", 0),
        ("1 of 2 right", 4),
        ("0 of 2 right", 0),
    ]
    [pair] = shown["pairs"]
    assert (pair["names"], pair["same_first"], pair["rho"]) == (["Marta", "Qing"], 0, pytest.approx(0.8))


def test_after_a_withdrawal_one_expert_is_left_and_no_agreement(closed, researcher, marta):
    participants.withdraw(participant=Participant.objects.earliest("pk"))
    page = results_of(closed, researcher)
    assert [row.name for row in dict(page["groups"])["experts"]] == ["Qing"]
    assert page["experts"]["kendall_w"] is None
    assert page["experts"]["kendall_w_why"]


def test_the_downloaded_figures_call_experts_by_a_random_id(closed, researcher):
    table = experts.browser_of(researcher).get(reverse("results_csv", args=["ceiling"]))
    text = b"".join(table.streaming_content).decode() if table.streaming else table.content.decode()
    assert text.count('"expert",') == 2 * 4
    assert str(Participant.objects.earliest("pk").public_id) in text
    assert "Marta" not in text
    assert "marta" not in text
