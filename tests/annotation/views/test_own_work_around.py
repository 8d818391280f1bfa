"""Around the list of a person's own work: the way to the next piece, their other projects, and why texts came back."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions import flags
from annotation.domain.own_work import TAKE_BACK
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Kind, Membership, Project, Step
from annotation.selectors.own_work import work_by_project
from core.models import Role, User
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.pages import on_one_line
from tests.rewriting import answered, begin, inspect, items, judge, rewriting_project, submit, write

ACCEPT, RETURN, DISCARD = InspectionVerdict
pytestmark = pytest.mark.every_database


@pytest.fixture
def dialogues(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(dialogues: Project) -> User:
    return factories.person("an", project=dialogues)


@pytest.fixture
def inspector(dialogues: Project) -> User:
    return factories.person("ida", Role.INSPECTOR, project=dialogues)


def page(project: Project, by: User, query: str = "") -> str:
    client = Client()
    client.force_login(by)
    answer = client.get(f"/projects/{project.slug}/own/{query}")
    assert answer.status_code == 200
    return on_one_line(answer.content)


def head(project: Project, by: User) -> str:
    """The head of the page, with the button to the person's next piece of work."""
    return page(project, by).split('class="page-head"')[1].split("</h1>")[1].split("own-work")[0]


def filled_at(project: Project, by: User) -> list[str]:
    """The addresses of the filled buttons in the head of the page."""
    return re.findall(r'class="button button-main" href="([^"]+)"', head(project, by))


def test_the_filled_button_leads_to_what_the_home_page_offers_first_in_this_project(dialogues, author, inspector):
    assert filled_at(dialogues, author) == []
    items(dialogues, 2)
    assert filled_at(dialogues, author) == [reverse("write", args=["listening"])]
    assert "Start the next item" in head(dialogues, author)
    assert filled_at(dialogues, inspector) == [], "nothing waits for an inspector"
    write(dialogues, author)
    assert filled_at(dialogues, inspector) == [reverse("inspect", args=["listening"])]
    inspect(dialogues, inspector, RETURN)
    held = Assignment.objects.get(slot__round=2)
    assert filled_at(dialogues, author) == [f"{reverse('write', args=['listening'])}?assignment={held.pk}"]


def test_the_filled_button_is_of_this_project_alone(dialogues, project, annotator):
    Membership.objects.create(project=dialogues, person=annotator, role=Role.ANNOTATOR)
    factories.pairs(project, 1)
    assert filled_at(dialogues, annotator) == []
    assert filled_at(project, annotator) == [reverse("rate", args=["weibo"])]
    assert "Start rating" in head(project, annotator)


def test_a_paused_rater_gets_no_button(project, annotator):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=2, gold_misses=2)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 20)
    assert filled_at(project, annotator) == [reverse("rate", args=["weibo"])]
    gold_pairs.grade_all(project, annotator, off=2, most=20)
    assert "You are paused" in page(project, annotator)
    assert filled_at(project, annotator) == []


def segments(project: Project, by: User) -> list[tuple[str, int, bool]]:
    """The projects offered above the list: short name, number of pieces, and whether it is the one shown."""
    shown = page(project, by).split("own-projects")
    if len(shown) == 1:
        return []
    links = re.findall(r'href="/projects/([^/]+)/own/"(.*?)<span class="num">(\d+)</span>', shown[1].split("</nav>")[0])
    return [(slug, int(pieces), "aria-current" in said) for slug, said, pieces in links]


def test_the_projects_of_a_persons_work_are_above_it_with_the_number_of_pieces(dialogues, project, author, researcher):
    member = Membership.objects.create(project=project, person=author, role=Role.ANNOTATOR)
    elsewhere = rewriting_project(researcher, "archive")
    Membership.objects.create(project=elsewhere, person=author, role=Role.ANNOTATOR)
    items(dialogues, 2)
    write(dialogues, author)
    assert segments(dialogues, author) == [], "one project, one list"
    factories.pairs(project, 5)
    factories.grade_next(project, author, 3, 4, 5)
    factories.grade_next(project, factories.person("bo", project=project), 1)
    assert sorted(segments(dialogues, author)) == [("listening", 1, True), ("weibo", 3, False)]
    assert sorted(segments(project, author)) == [("listening", 1, False), ("weibo", 3, True)]
    member.delete()
    assert segments(dialogues, author) == [], "what they may no longer see is not named"


def test_pieces_of_work_are_counted_by_one_query_and_only_in_several_projects(
    dialogues, project, author, django_assert_num_queries
):
    with django_assert_num_queries(1):
        assert work_by_project(author) == []
    Membership.objects.create(project=project, person=author, role=Role.ANNOTATOR)
    items(dialogues, 1)
    write(dialogues, author)
    factories.pairs(project, 2)
    factories.grade_next(project, author, 3, 4)
    with django_assert_num_queries(2):
        assert {each.slug: each.pieces for each in work_by_project(author)} == {"listening": 1, "weibo": 2}


def rows(project: Project, by: User, query: str) -> int:
    return page(project, by, query).count('class="own-id"')


def test_the_search_finds_comments_that_the_person_reads_and_no_others(dialogues, author, inspector):
    items(dialogues, 2)
    write(dialogues, author)
    answer = answered(dialogues, inspector)
    judge(answer, RETURN, comments={"3": "Heather fits as well."})
    assert rows(dialogues, author, "?search=heather") == 1
    assert rows(dialogues, inspector, "?search=heather") == 1, "their own"
    other = factories.person("bo", project=dialogues)
    write(dialogues, other)
    assert rows(dialogues, other, "?search=heather") == 0
    flags.raise_flag(assignment=Assignment.objects.get(person=other), comment="A bluebell?", by=other)
    assert rows(dialogues, other, "?search=bluebell") == 1
    assert rows(dialogues, author, "?search=bluebell") == 0


def test_the_search_finds_no_comment_on_a_text_whose_outcome_is_open(researcher):
    project = rewriting_project(researcher, inspectors=2)
    author = factories.person("an", project=project)
    items(project, 1)
    write(project, author)
    for name, found in (("ida", 0), ("ilse", 1)):
        inspect(project, factories.person(name, Role.INSPECTOR, project=project), RETURN)
        assert rows(project, author, "?search=fits+as+well") == found


def test_the_search_finds_an_item_by_its_number(dialogues, author):
    first, *_rest = items(dialogues, 2)
    write(dialogues, author)
    write(dialogues, author)
    said = page(dialogues, author, f"?search={first.key}")
    assert said.count('class="own-id"') == 1
    assert f">{first.key}<" in said


def reasons(project: Project, by: User) -> tuple[str, dict[str, int]]:
    """What the page says about the outcomes at inspection, and its bars: reasons with their numbers of texts."""
    shown = page(project, by).split('aria-labelledby="returns"')
    if len(shown) == 1:
        return "", {}
    part = shown[1].split("</section>")[0]
    found = re.findall(r"<li> <span>([^<]+)</span>.*?<span class=\"num\">(\d+)</span>", part)
    return re.search(r'<p class="num"> (.+?) </p>', part)[1], {name: int(number) for name, number in found}


def test_authors_are_told_why_texts_came_back_of_how_many(dialogues, author):
    inspector = factories.person("quentin", Role.INSPECTOR, project=dialogues)
    items(dialogues, 4)
    assert reasons(dialogues, author) == ("", {})
    for _text in range(4):
        write(dialogues, author)
    assert reasons(dialogues, author) == ("", {}), "nothing is inspected yet"
    inspect(dialogues, inspector)
    assert reasons(dialogues, author) == ("0 of 1 inspected, 0.0 %", {})
    inspect(dialogues, inspector, RETURN)
    judge(answered(dialogues, inspector), RETURN, comments={"cut": "Too early.", "context": "Too long."})
    inspect(dialogues, inspector, DISCARD)
    said, bars = reasons(dialogues, author)
    assert said == "3 of 4 inspected, 75.0 %"
    assert bars == {
        "another candidate may be right, too": 2,
        "the key is in doubt": 1,
        "it cannot be fixed": 1,
        "a comment on the cut": 1,
        "a comment on the context": 1,
    }
    assert "quentin" not in page(dialogues, author).lower()


def test_of_two_inspectors_a_text_counts_once_and_only_when_both_have_judged(researcher):
    project = rewriting_project(researcher, inspectors=2)
    author, other = (factories.person(name, project=project) for name in ("an", "bo"))
    ida, ilse = (factories.person(name, Role.INSPECTOR, project=project) for name in ("ida", "ilse"))
    items(project, 2)
    write(project, author)
    inspect(project, ida, RETURN)
    assert reasons(project, author) == ("", {}), "the outcome is open"
    inspect(project, ilse, RETURN)
    assert reasons(project, author) == ("1 of 1 inspected, 100.0 %", {"another candidate may be right, too": 1})
    assert reasons(project, other) == ("", {}), "the texts of others are theirs"
    assert reasons(project, ida) == ("", {})


def test_a_returned_text_leads_to_its_revision_until_that_is_submitted(dialogues, author, inspector):
    items(dialogues, 2)
    write(dialogues, author)
    inspect(dialogues, inspector, RETURN)
    held = Assignment.objects.get(slot__round=2)
    write_at = f"{reverse('write', args=['listening'])}?assignment={held.pk}"
    row = page(dialogues, author, "?state=returned").split('class="own-list"')[1]
    assert f'href="{write_at}"' in row
    assert "Revise the text" in row
    assert write_at not in page(dialogues, inspector)
    submit(begin(dialogues, author))
    assert "Revise the text" not in page(dialogues, author)


def test_a_fresh_text_says_until_when_it_is_taken_back_and_how_long_that_is(dialogues, author):
    items(dialogues, 1)
    text = write(dialogues, author)
    Assignment.objects.update(ended_at=timezone.now() - TAKE_BACK + timedelta(minutes=2, seconds=30))
    until = timezone.localtime(Assignment.objects.get(pk=text.assignment_id).ended_at + TAKE_BACK)
    said = page(dialogues, author)
    assert '<li class="is-fresh">' in said
    assert re.search(rf"until {until:%H:%M:%S}, 3 min left", said)
    Assignment.objects.update(ended_at=timezone.now() - TAKE_BACK)
    assert "is-fresh" not in page(dialogues, author)


def test_the_step_of_authors_has_the_name_of_their_projects():
    assert str(Step.WRITE.label) == str(Kind.REWRITING.label)
