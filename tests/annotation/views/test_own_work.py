"""A person's own work: all they submitted at any step, what became of it, and nothing of any other person."""

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from annotation.actions import flags
from annotation.actions.queue import voiding
from annotation.actions.rating import ratings
from annotation.domain.own_work import TAKE_BACK
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import ItemState
from annotation.models import Assignment, Flag, Inspection, Item, Project, Purpose, Rewrite
from annotation.models.items import KEY
from annotation.models.work import CHANGEABLE
from core.models import Role, User
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.pages import closed_up, on_one_line
from tests.rewriting import answered, begin, inspect, items, judge, rewriting_project, submit, write

ACCEPT, RETURN, DISCARD = InspectionVerdict


@pytest.fixture
def dialogues(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(dialogues: Project) -> User:
    return factories.person("an", project=dialogues)


@pytest.fixture
def inspector(dialogues: Project) -> User:
    return factories.person("ida", Role.INSPECTOR, project=dialogues)


pytestmark = pytest.mark.every_database


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page(project: Project, by: User, query: str = "") -> str:
    answer = client_of(by).get(f"/projects/{project.slug}/own/{query}")
    assert answer.status_code == 200
    return on_one_line(answer.content)


def rows(project: Project, by: User, query: str = "") -> int:
    return page(project, by, query).count('class="own-id"')


def test_a_discarded_text_shows_its_author_the_comment_without_its_writer(dialogues, author, inspector):
    items(dialogues, 1)
    write(dialogues, author)
    said = page(dialogues, author)
    assert "submitted" in said
    assert "A goes without the dialogue." not in said
    judge(answered(dialogues, inspector), DISCARD, comments={"0": "A goes without the dialogue."})
    said = page(dialogues, author)
    assert "<b>A:</b> <span>A goes without the dialogue.</span>" in said.replace(' lang="en"', "")
    assert "discarded" in said
    assert inspector.username not in said.split("<main")[1]


def test_a_returned_text_stays_beside_its_revision_with_the_comment(dialogues, author, inspector):
    items(dialogues, 1)
    write(dialogues, author)
    inspect(dialogues, inspector, RETURN)
    submit(begin(dialogues, author), candidates=["Then it is too small.", "One.", "Two.", "Three."])
    assert rows(dialogues, author) == 2
    assert rows(dialogues, author, "?state=returned") == 1
    assert "Fits as well." in page(dialogues, author, "?state=returned")
    assert "Fits as well." not in page(dialogues, author, "?state=submitted")


def test_an_author_cannot_tell_which_texts_are_accepted_without_inspection(researcher):
    project = rewriting_project(researcher, inspected_percent=1, first_in_full=1)
    author, ida = factories.person("an", project=project), factories.person("ida", Role.INSPECTOR, project=project)
    items(project, 3)
    for _time in range(3):
        write(project, author)
    assert rows(project, author, "?state=submitted") == 3
    inspect(project, ida)
    assert (rows(project, author, "?state=accepted"), rows(project, author, "?state=submitted")) == (1, 2)


def test_of_two_inspectors_each_sees_the_own_verdict_alone(researcher):
    project = rewriting_project(researcher, inspectors=2)
    items(project, 1)
    ida, ilse = (factories.person(name, Role.INSPECTOR, project=project) for name in ("ida", "ilse"))
    write(project, factories.person("an", project=project))
    judge(answered(project, ida), DISCARD, comments={"cut": "Said by Ida."})
    inspect(project, ilse)
    assert "Said by Ida." in page(project, ida)
    said = page(project, ilse)
    assert "Said by Ida." not in said
    assert "You accepted it." in said
    assert "discarded" not in said.split("<main")[1]


def test_the_search_takes_signs_as_they_are(project, annotator):
    factories.pairs(project, 3)
    first, *_rest = factories.grade_next(project, annotator, 3, 3, 3)
    item = first.slot.item
    item.content = {"prompt": "打折 50% 吗？", "response": "It's O'Neill's."}
    item.save()
    for search, found in {
        "50%": 1,
        "5_%": 0,
        "%": 1,
        "'": 1,
        "o'neill": 1,
        "打折": 1,
        "\\": 0,
        item.key: 1,
        "a": 0,
    }.items():
        assert rows(project, annotator, f"?search={quote(search)}") == found, search
    assert "None of your work matches" in page(project, annotator, "?search=xyzzy")


@pytest.mark.parametrize("name", ["state", "step"])
def test_a_filter_that_is_not_understood_is_said_and_left_out(project, annotator, name):
    query = f"?{name}=zzz"
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    assert rows(project, annotator, query) == 1
    assert f"There is no {name} “zzz”." in page(project, annotator, query)


@pytest.mark.parametrize("search", ["a" * 201, "a%00b"])
def test_a_search_that_cannot_be_made_says_so(project, annotator, search):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    shown = page(project, annotator, f"?search={search}")
    assert 'id="id_search_error"' in shown
    assert 'id="id_search_error"' not in page(project, annotator, "?search=a")


def test_gold_looks_like_any_other_pair(project, annotator):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 8)
    for item in project.items.filter(purpose=Purpose.WORK):
        item.external_id = f"gpt2-{item.position}"
        item.save()
    done = gold_pairs.grade_all(project, annotator, off=2)
    gold = sum(gold_pairs.is_gold(each) for each in done)
    assert 0 < gold < len(done)
    said = page(project, annotator)
    assert rows(project, annotator, "?state=submitted") == len(done)
    assert f'<td class="n">{len(done)}</td><td class="n">{len(done)}</td>' in closed_up(said), "in the hours, too"
    assert said.count("Your grade: ") == len(done)
    assert "gpt2" not in said, "gold has no id of a file, and an id may tell the source"
    assert rows(project, annotator, "?search=gpt2") == 0
    assert "gold" not in said.split("<main")[1].lower()


@pytest.mark.parametrize("shown", ["on", "off"])
def test_a_paused_rater_sees_what_they_missed_where_the_project_shows_it(project, annotator, shown):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=2, gold_misses=2, show_missed=shown)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 20)
    gold_pairs.grade_all(project, annotator, off=2, most=20)
    said = page(project, annotator)
    assert "You are paused" in said
    assert said.count("You gave 3; the known grade is 1.") == (2 if shown == "on" else 0)
    assert "?change=" not in said, "it would be refused while they are paused"


def test_skips_and_voided_grades_are_told_and_not_payable(project, annotator, partner, researcher):
    factories.pairs(project, 3)
    factories.grade_next(project, partner, 1)
    [graded] = factories.grade_next(project, annotator, 5)
    [left] = factories.take(project, annotator)
    ratings.skip(assignment=left, reason="cut_off", by=annotator)
    assert rows(project, annotator) == 2
    assert "Your reason: Cut off" in page(project, annotator, "?state=skipped")
    assert "Your grade: 1" not in page(project, annotator), "the partner's"
    voiding.void_work(project=project, person=annotator, since=graded.claimed_at, why="clicks", by=researcher)
    assert rows(project, annotator, "?state=voided") == 1


def test_pages_are_numbered_and_the_newest_comes_first(project, annotator):
    factories.pairs(project, 21)
    given = factories.grade_next(project, annotator, *[3] * 21)
    assert (rows(project, annotator), rows(project, annotator, "?page=2")) == (20, 1)
    assert given[0].slot.item.key in page(project, annotator, "?page=2")
    assert given[-1].slot.item.key in page(project, annotator)


def test_hours_are_of_the_person_alone(dialogues, author):
    items(dialogues, 2)
    write(dialogues, author)
    write(dialogues, factories.person("bo", project=dialogues))
    Rewrite.objects.update(seconds=5400)
    hours = '<td class="n nowrap">1.5 h</td><td class="n">1</td><td class="n">1</td>'
    assert closed_up(page(dialogues, author)).count(hours) == 3


def test_take_back_stands_there_for_five_minutes_and_leads_to_the_draft(dialogues, author):
    items(dialogues, 1)
    text = write(dialogues, author)
    address = f"/projects/listening/write/{text.assignment_id}/take-back/"
    assert address in page(dialogues, author)
    answer = client_of(author).post(address)
    assert answer.headers["Location"] == f"/projects/listening/write/?assignment={text.assignment_id}"
    assert rows(dialogues, author) == 0
    submit(begin(dialogues, author))
    assignment = Assignment.objects.get(pk=text.assignment_id)
    Assignment.objects.update(ended_at=assignment.ended_at - TAKE_BACK)
    assert address not in page(dialogues, author)
    refused = client_of(author).post(address, follow=True)
    assert refused.redirect_chain == [("/projects/listening/own/", 302)]
    assert "5 minutes" in refused.content.decode()


def test_a_verdict_is_taken_back_by_its_inspector_alone(dialogues, author, inspector):
    items(dialogues, 1)
    write(dialogues, author)
    inspection = inspect(dialogues, inspector)
    address = f"/projects/listening/inspect/{inspection.assignment_id}/take-back/"
    other = factories.person("ilse", Role.INSPECTOR, project=dialogues)
    assert client_of(other).post(address).status_code == 404
    assert address in page(dialogues, inspector)
    assert client_of(inspector).post(address).headers["Location"] == "/projects/listening/inspect/"
    assert Inspection.objects.get().decided_at is None


def test_take_back_is_offered_only_where_it_is_taken(dialogues, author, inspector):
    """Beside each row the button stands exactly while the act would succeed."""
    items(dialogues, 1)
    text = write(dialogues, author)
    of_text = f"/projects/listening/write/{text.assignment_id}/take-back/"
    assert of_text in page(dialogues, author)
    inspection = inspect(dialogues, inspector)
    assert of_text not in page(dialogues, author)
    of_verdict = f"/projects/listening/inspect/{inspection.assignment_id}/take-back/"
    assert of_verdict in page(dialogues, inspector)
    Item.objects.update(state=ItemState.REMOVED)
    assert of_verdict not in page(dialogues, inspector)


def test_a_verdict_that_its_author_has_gone_on_from_is_not_taken_back(dialogues, author, inspector):
    items(dialogues, 1)
    write(dialogues, author)
    inspection = inspect(dialogues, inspector, RETURN)
    address = f"/projects/listening/inspect/{inspection.assignment_id}/take-back/"
    assert address in page(dialogues, inspector)
    begin(dialogues, author)
    assert address not in page(dialogues, inspector)


def test_authors_and_inspectors_see_their_work_day_by_day(dialogues, author, inspector):
    items(dialogues, 3)
    for _text in range(3):
        write(dialogues, author)
    Rewrite.objects.update(seconds=3600)
    earlier = Assignment.objects.filter(person=author).earliest("pk")
    earlier.ended_at -= timedelta(days=3)
    earlier.save()
    inspect(dialogues, inspector)
    Project.objects.update(created_at=F("created_at") - timedelta(days=9))
    days = closed_up(page(dialogues, author)).split('<th scope="row" class="nowrap"><time')[1:]
    done = [re.findall(r'<td class="n[^>]*>([^<]+)</td>', day) for day in days]
    assert done == [["2", "2.0 h", "0"], ["1", "1.0 h", "0"]], "the newest first"
    assert page(dialogues, inspector).count('<th scope="row" class="nowrap"><time') == 1


def test_raters_find_the_way_to_their_work_day_by_day(project, annotator):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 4)
    assert reverse("own_progress", args=[project.slug]) in page(project, annotator)


def test_an_old_grade_says_why_it_stays_is_flagged_there_and_shows_the_answer(project, annotator, researcher):
    factories.pairs(project, CHANGEABLE + 1)
    factories.grade_next(project, annotator, *[4] * (CHANGEABLE + 1))
    oldest = Assignment.objects.filter(person=annotator).earliest("ended_at", "pk")
    said = page(project, annotator)
    assert said.count("?change=") == CHANGEABLE
    assert said.count("Is this grade wrong?") == 1
    assert f"Only your last {CHANGEABLE} grades can be changed" in said
    client = client_of(annotator)
    address = reverse("flag", args=[project.slug, oldest.pk])
    form = {"comment": "It should be 2.", "own_work": "", "key": re.search('name="key" value="([^"]+)"', said)[1]}
    client.post(address, form)
    answer = client.post(address, form, follow=True)  # a second click stores no second flag
    assert answer.redirect_chain == [(f"/projects/weibo/own/?search={oldest.slot.item.digest[:KEY]}", 302)]
    assert "It should be 2." in answer.content.decode()
    assert "Is this grade wrong?" not in answer.content.decode()  # the flag is open already
    flags.resolve(flag=Flag.objects.get(), note="You are right; it is void now.", by=researcher)
    said = page(project, annotator)
    assert "You are right; it is void now." in said
    assert "Is this grade wrong?" in said


def test_a_flag_that_is_too_long_leads_back_to_own_work(project, annotator):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 4)
    address = reverse("flag", args=[project.slug, Assignment.objects.get().pk])
    answer = client_of(annotator).post(address, {"comment": "x" * (flags.LONGEST + 1), "own_work": ""})
    assert (answer.url, Flag.objects.count()) == ("/projects/weibo/own/", 0)
