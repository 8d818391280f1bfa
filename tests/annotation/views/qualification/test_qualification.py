"""The pages of gold: practice, who may rate, resuming a person, and importing gold."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.domain.workflow import AnnotatorState
from annotation.models import Assignment, Attempt, Cursor, Gold
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, grade_all, import_rows, known
from tests.annotation.views.rating.rating_page import PAGE, page_state_of, send, signed_in

pytestmark = pytest.mark.django_db

PRACTICE, QUALIFICATION, GOLD = (f"/projects/weibo/{page}/" for page in ("practice", "qualification", "gold"))


def text_of(client, path: str) -> str:
    """Return the page without the marks that keep names apart from the sentence."""
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub("</?bdi[^>]*>", "", answer.content.decode())


@pytest.fixture
def guarded(project):
    factories.pairs(project, 5)
    rows = [f"{row},,因为{number}" for number, row in enumerate(known(6))]
    import_rows(project, rows, columns="prompt,response,grade,type,explanation")
    choose(project, practice=3, attempts=2)
    return project


@pytest.fixture
def paused(project, annotator):
    """Return a project in which the annotator missed three of three."""
    factories.pairs(project, 40)
    import_rows(project, known(40))
    choose(project, gold_first=50, gold_lowest=50, gold_window=5, gold_misses=3)
    grade_all(project, annotator, off=2)
    return project


def practise(client, *, off: int = 0) -> list[str]:
    """Grade the pairs of an attempt as the page asks for them; return the page after each grade."""
    client.post(f"{PRACTICE}begin/")
    told = []
    while "practice.js" in (page := client.get(PRACTICE).content.decode()):
        position = re.search(rf'action="{PRACTICE}(\d+)/"', page)[1]
        prompt = re.search(r'<p class="said"[^>]*>([^<]*)</p>', page)[1]
        right = Gold.objects.get(item__content__prompt=prompt).grade
        grade = right + off if right + off <= 5 else right - off
        answer = client.post(f"{PRACTICE}{position}/", {"grade": grade, "reason": factories.REASONS[grade]})
        told.append(client.get(answer.url).content.decode())
    return told


def test_who_has_not_passed_is_sent_to_practice_and_told_at_home(guarded, annotator):
    client = signed_in(annotator)
    assert client.get(PAGE).url == PRACTICE
    home = text_of(client, "/")
    assert "An, your qualification is not passed yet" in home
    assert "Before you rate, practise on 3 pairs whose grades are known." in home
    assert home.count("button-main") == 1


def test_practice_says_what_is_known_after_the_grade_and_not_before(guarded, annotator):
    client = signed_in(annotator)
    client.post(f"{PRACTICE}begin/")
    before = client.get(PRACTICE).content.decode()
    ahead = client.get(f"{PRACTICE}?shown=1").content.decode()
    for page in (before, ahead):
        assert "因为" not in page
        assert "Known grade" not in page
    told = practise(client)
    assert all("因为" in page and "Matches the known grade." in page for page in told)
    assert len(told) == 3


def test_who_passes_may_rate(guarded, annotator):
    client = signed_in(annotator)
    practise(client)
    assert "Qualification passed" in text_of(client, PRACTICE)
    assert len(page_state_of(client)["pairs"]) == 5


def test_who_fails_reads_why_and_may_practise_again_until_nothing_is_left(guarded, annotator, inspector):
    client = signed_in(annotator)
    told = practise(client, off=2)
    assert "2 grades apart." in told[0]
    page = text_of(client, PRACTICE)
    assert "Attempt 1: not passed." in page
    assert "0 of 3 grades equal the known ones (needed: 60 %)" in page
    assert "Practise again" in page
    Attempt.objects.update(kappa=-0.03)
    assert "weighted kappa −0.03 (needed: 0.60)" in text_of(client, PRACTICE)
    Attempt.objects.update(kappa=-0.001)
    assert "weighted kappa 0.00 (needed: 0.60)" in text_of(client, PRACTICE)
    practise(client, off=2)
    page = text_of(client, PRACTICE)
    assert "All 2 attempts are used up. Who decides how you can continue: Ines." in page
    assert "Practise again" not in page


def test_practice_is_left_and_gone_on_with(guarded, annotator):
    client = signed_in(annotator)
    client.post(f"{PRACTICE}begin/")
    client.post(f"{PRACTICE}1/", {"grade": 4})
    assert "Practice: 1 of 3 pairs done." in text_of(client, "/")
    assert f'action="{PRACTICE}2/"' in text_of(client, PRACTICE)


@pytest.mark.parametrize("shown", ["x", "0", "99", "²", "9" * 40, "-1"])
def test_a_practice_pair_that_is_not_there_shows_the_next_one(guarded, annotator, shown):
    client = signed_in(annotator)
    client.post(f"{PRACTICE}begin/")
    assert f'action="{PRACTICE}1/"' in text_of(client, f"{PRACTICE}?shown={shown}")


def test_a_practice_grade_that_was_forgotten_is_asked_for(guarded, annotator):
    client = signed_in(annotator)
    client.post(f"{PRACTICE}begin/")
    assert "Choose a grade first." in client.post(f"{PRACTICE}1/", {}, follow=True).content.decode()


def test_without_practice_its_page_leads_to_rating(project, annotator):
    page = text_of(signed_in(annotator), PRACTICE)
    assert "No one has to practise before rating." in page
    assert f'href="{PAGE}"' in page


def test_a_grade_sent_before_practice_is_passed_finds_no_assignment(guarded, annotator):
    client = signed_in(annotator)
    answer = client.post(f"{PAGE}next/", "{}", content_type="application/json").json()
    assert answer["pairs"] == []
    assert answer["stopped"].startswith("Qualification not passed yet.")
    assert send(client, 1, grade=4).status_code == 404


def test_a_paused_person_sees_why_and_who_decides(paused, annotator, inspector):
    client = signed_in(annotator)
    said = "You are paused: of your last 3 gold pairs, you graded 3 differently from the known grade."
    for page in (PAGE, "/"):
        text = text_of(client, page)
        assert said in text
        assert "Who decides how you can continue: Ines." in text
    assert "An, you are paused" in text_of(client, "/")


def test_the_answer_that_pauses_says_so_to_the_open_page(project, annotator):
    factories.pairs(project, 40)
    import_rows(project, known(40, grade=5))
    choose(project, gold_first=50, gold_lowest=50, gold_window=5, gold_misses=1)
    client = signed_in(annotator)
    for _pair in range(40):
        answer = send(client, page_state_of(client)["pairs"][0]["assignment"], grade=2, reason="echoing").json()
        if not answer["pairs"]:
            break
    assert answer["stopped"].startswith("You are paused")


def test_inspectors_and_researchers_find_the_paused_at_home_and_decide(paused, annotator, inspector, researcher):
    for judge in (inspector, researcher):
        home = text_of(signed_in(judge), "/")
        assert "An is paused" in home
        assert f"{QUALIFICATION}{annotator.pk}/" in home
    client = signed_in(inspector)
    page = text_of(client, f"{QUALIFICATION}{annotator.pk}/")
    assert "Paused: 3 of the last 3 gold pairs were missed." in page
    assert client.post(f"{QUALIFICATION}{annotator.pk}/resume/", {"why": " "}).status_code == 422
    answer = client.post(f"{QUALIFICATION}{annotator.pk}/resume/", {"why": "talked it over"}, follow=True)
    assert "can continue." in answer.content.decode()
    assert Cursor.objects.get(person=annotator).state == AnnotatorState.WORKING
    assert "An is paused" not in text_of(client, "/")


def test_the_board_and_the_quality_page_say_who_is_paused(paused, annotator, researcher):
    client = signed_in(researcher)
    board, quality = (" ".join(text_of(client, f"/projects/weibo/{page}").split()) for page in ("", "quality/"))
    assert "An is paused" in board
    assert f"{QUALIFICATION}{annotator.pk}/" in board
    badge = 'An</span> <span class="badge badge-warn">paused</span>'
    assert badge in board
    assert badge in quality
    Cursor.objects.update(state=AnnotatorState.WORKING)
    assert "paused" not in text_of(client, "/projects/weibo/")


def test_whoever_has_used_up_the_attempts_is_found_and_given_another(guarded, annotator, inspector, researcher):
    client = signed_in(annotator)
    for _attempt in range(2):
        practise(client, off=2)
    for judge in (inspector, researcher):
        home = text_of(signed_in(judge), "/")
        assert "An has used up the attempts" in home
        assert f"{QUALIFICATION}{annotator.pk}/" in home
    judge = signed_in(inspector)
    assert "Decide about An" in text_of(judge, QUALIFICATION)
    assert "None of 2 attempts to qualify was passed." in text_of(judge, f"{QUALIFICATION}{annotator.pk}/")
    answer = judge.post(f"{QUALIFICATION}{annotator.pk}/resume/", {"why": "nerves"}, follow=True)
    assert "may practise once more." in answer.content.decode()
    assert "not passed, does not count" in answer.content.decode()
    assert "has used up the attempts" not in text_of(judge, "/")
    assert "Used 1 of 2 attempts. Practise again." in text_of(client, "/")


def test_a_paused_person_is_offered_no_change_and_told_of_the_pause(paused, annotator):
    client = signed_in(annotator)
    assert ">Change</a>" not in text_of(client, PAGE).split("<template>")[0]
    home, progress = text_of(client, "/"), text_of(client, f"{PAGE}progress/")
    assert '<span class="badge badge-warn">paused</span>' in home
    assert "You are paused" in progress
    assert "Continue rating" not in progress


def test_an_inspector_finds_the_annotators_when_nobody_is_paused(project, inspector):
    home = signed_in(inspector).get("/").content.decode()
    assert f'href="{QUALIFICATION}"' in home
    assert "You do not belong to any project yet." not in home


def test_an_inspector_voids_work_and_comes_back_to_the_annotators(paused, annotator, inspector):
    client = signed_in(inspector)
    since = Assignment.objects.earliest("pk").claimed_at.date().isoformat()
    answer = client.post(f"/projects/weibo/people/{annotator.pk}/void/", {"since": since, "why": "clicked through"})
    assert answer.url == QUALIFICATION
    assert not Assignment.objects.filter(person=annotator, state="submitted").exists()


def test_an_inspector_sees_no_page_of_the_project_in_the_rail_that_is_not_theirs(paused, inspector):
    rail = text_of(signed_in(inspector), QUALIFICATION).split('class="rail"')[1].split("</nav>")[0]
    links = re.findall(r'href="([^"]*)"', rail)
    assert links == ["/projects/weibo/quality/", QUALIFICATION, "/projects/weibo/cleaning/"]
    choose(paused, adjudicate=True)
    assert 'href="/projects/weibo/adjudicate/"' in text_of(signed_in(inspector), QUALIFICATION)


def test_the_annotators_cost_the_same_however_many_they_are(
    project, annotator, researcher, django_assert_max_num_queries
):
    choose(project, practice=3)
    client = signed_in(researcher)
    for number in range(8):
        factories.person(f"annotator{number}", project=project)
    with django_assert_max_num_queries(16):
        client.get(QUALIFICATION)


def test_gold_is_brought_in_from_the_page(project, researcher):
    client = signed_in(researcher)
    assert "What a file looks like" in text_of(client, GOLD)
    file = SimpleUploadedFile("gold.csv", "prompt,response,grade\n水开了吗,开了,4\n你好,你好,5\n".encode())
    answer = client.post(GOLD, {"file": file}, follow=True)
    assert "2 gold pairs are stored." in answer.content.decode()
    assert "水开了吗" in text_of(client, GOLD)


def test_refused_gold_rows_are_listed_with_line_and_reason(project, researcher):
    file = SimpleUploadedFile("gold.csv", "prompt,response,grade\n水开了吗,开了,9\n你好,,5\n".encode())
    page = signed_in(researcher).post(GOLD, {"file": file}).content.decode()
    assert "Nothing was stored: 2 rows were refused." in page
    assert "the grade 9 is outside the scale 1..5" in page
    assert "no response" in page
    assert not Gold.objects.exists()


def test_a_page_without_a_file_says_so(project, researcher):
    assert "Choose a file first." in signed_in(researcher).post(GOLD, {"file": ""}).content.decode()


def test_more_misses_than_gold_pairs_looked_at_are_refused_on_the_settings_page(project, researcher):
    client = signed_in(researcher)
    page = client.get("/projects/weibo/settings/").context
    form, seen = page["form"], {"seen": page["seen"], "why": ""}
    sent = {name: form[name].value() for name in form.fields} | seen | {"gold_window": 3, "gold_misses": 4}
    assert (
        "Choose no more than the number of gold pairs considered."
        in client.post("/projects/weibo/settings/", sent).content.decode()
    )
    saved = client.post("/projects/weibo/settings/", sent | {"gold_misses": 2, "gold_first": 10})
    assert saved.status_code == 302
    project.refresh_from_db()
    assert (project.rating.gold_first, project.rating.gold_misses) == (10, 2)
