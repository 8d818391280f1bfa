"""What is hidden is drawn with a secret: it cannot be computed from what is known, and the secret is never shown.

The guesser knows the code, every name, digest and setting, the pages and the seed 0, all but the secret. Each test
prints the share of right guesses with an interval, which contains chance. Without a secret all guesses are right.
"""

import ast
import io
import zipfile
from collections.abc import Callable, Sequence
from secrets import token_hex

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from annotation.actions.inspection import inspections
from annotation.actions.projects import projects
from annotation.actions.qualification import qualification
from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.domain.workflow import ItemState
from annotation.models import Project, Step
from core.domain.draws import uniforms
from core.domain.statistics.binomial import wilson
from core.models import Event, Role, User, hidden_draws
from study.actions.survey import studies
from study.models import Presentation, Study
from tests import addresses, architecture, factories
from tests.annotation.actions.qualification.gold_pairs import choose, import_rows, is_gold, known
from tests.rewriting import items, practice_items, rewriting_project, submit
from tests.study import study_cases
from tests.study.test_blind_survey import begin, crawl

pytestmark = pytest.mark.django_db

TRIED = ([], [""], ["0"])  # in the place of the secret
LEVEL = 0.9999995  # ids of participants are random: a right draw fails here once in two million times


def is_at_chance(what: str, chance: float, hits: Callable[..., list[bool]]) -> bool:
    """Return whether the guesses are right as often as chance is. `hits` takes what is tried in place of the secret."""
    is_covered = []
    for tried in TRIED:
        right, guesses = sum(found := hits(*tried)), len(found)
        low, high = wilson(right, guesses, LEVEL)
        print(f"{what}: {right} of {guesses} guesses are right, {low:.3f} to {high:.3f}; chance is {chance:.3f}")
        is_covered.append(low < chance < high)
    return all(is_covered)


def in_order(keys: Sequence[str], *names: str) -> list[str]:
    """Return the keys as they would be drawn, each in the place of KEY among the names."""
    return sorted(keys, key=lambda key: uniforms(0, *[key if name == "KEY" else name for name in names])[0])


# ---- guesses --------------------------------------------------------------------------------------------------------
def test_where_gold_lies_is_guessed_no_better_than_by_chance(project):
    factories.pairs(project, 60)
    import_rows(project, known(60))
    choose(project, raters=4, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    streams = {}
    for rater in (factories.person(f"p{number}", project=project) for number in range(4)):
        streams[rater.username] = [is_gold(assignment) for assignment in factories.take(project, rater, 100)]

    def hits(*tried: str) -> list[bool]:
        return [
            (uniforms(0, "gold", *tried, project.slug, rater, str(index))[0] < 0.5) == is_gold
            for rater, stream in streams.items()
            for index, is_gold in enumerate(stream)
        ]

    assert len(hits()) > 250
    assert is_at_chance("gold", 1 / 2, hits)


def test_the_order_of_practice_pairs_is_guessed_no_better_than_by_chance(project):
    import_rows(project, known(10))
    choose(project, practice=10)
    given = {}
    for rater in (factories.person(f"p{number}", project=project) for number in range(10)):
        grades = qualification.begin(project=project, by=rater).grades.order_by("position")
        given[rater.username] = list(grades.values_list("item__digest", flat=True))

    def hits(*tried: str) -> list[bool]:
        return [
            guessed == digest
            for rater, drawn in given.items()
            for guessed, digest in zip(
                in_order(drawn, "practice", "1", "KEY", *tried, project.slug, rater), drawn, strict=True
            )
        ]

    assert is_at_chance("practice pairs", 1 / 10, hits)


def test_the_order_of_practice_items_is_guessed_no_better_than_by_chance(researcher):
    project = rewriting_project(researcher, practice=4, practice_window=2)
    digests = [item.digest for item in practice_items(project, 4)]
    given = {}
    for author in (factories.person(f"p{number}", project=project) for number in range(40)):
        [assignment] = assignments.claim(project=project, step=Step.WRITE, by=author)
        given[author.username] = assignment.slot.item.digest

    def hits(*tried: str) -> list[bool]:
        return [
            in_order(digests, "practice item", "KEY", *tried, project.slug, author)[0] == digest
            for author, digest in given.items()
        ]

    assert is_at_chance("practice items", 1 / 4, hits)


def write(project: Project, count: int) -> None:
    """Let the author "an" submit so many items."""
    items(project, count)
    author = factories.person("an", project=project)
    for assignment in assignments.claim(project=project, step=Step.WRITE, count=count, by=author):
        submit(rewrites.open_assignment(assignment=assignment, by=author))


def test_whose_work_is_inspected_is_guessed_no_better_than_by_chance(researcher):
    project = rewriting_project(researcher, inspected_percent=50, first_in_full=0)
    write(project, 40)

    def hits(*tried: str) -> list[bool]:
        return [
            (uniforms(0, "inspected", *tried, item.digest, "an")[0] < 0.5) == (item.state == ItemState.WRITTEN)
            for item in project.items.all()
        ]

    assert is_at_chance("inspected", 1 / 2, hits)


def test_an_inspectors_right_candidate_is_guessed_no_better_than_by_chance(researcher):
    project = rewriting_project(researcher)
    write(project, 40)
    inspector = factories.person("ivo", Role.INSPECTOR, project=project)
    claimed = assignments.claim(project=project, step=Step.INSPECT, count=40, by=inspector)
    orders = {
        each.slot.item.digest: inspections.open_assignment(assignment=each, by=inspector).order for each in claimed
    }

    def hits(*tried: str) -> list[bool]:
        return [
            in_order("0123", "inspect", *tried, digest, "1", "ivo", "KEY").index("0") == order.index(0)
            for digest, order in orders.items()
        ]

    assert len(orders) == 40
    assert is_at_chance("inspectors' right candidates", 1 / 4, hits)


def test_check_and_right_lines_of_a_survey_are_guessed_no_better_than_by_chance(researcher):
    study = study_cases.study("lines", by=researcher, questions=24, settings={"forms": 4, "per_form": 6})
    people = [study_cases.begun(study) for _person in range(40)]
    shown = Presentation.objects.filter(position__gt=0).select_related("question__question_set")
    asked = {  # the page prints the person's id, and a corpus tells which line is right
        str(person.public_id): {name_of(each): each for each in shown.filter(participant=person)} for person in people
    }

    def checks(*tried: str) -> list[bool]:
        return [
            in_order(list(of_person), "questions", *tried, person, "KEY").index("/check") + 1
            == of_person["/check"].position
            for person, of_person in asked.items()
        ]

    def right_lines(*tried: str) -> list[bool]:
        return [
            in_order("01234", "candidates", *tried, person, name, "KEY").index(str(each.question.answer))
            == each.order.index(each.question.answer)
            for person, of_person in asked.items()
            for name, each in of_person.items()
        ]

    assert (len(checks()), len(right_lines())) == (40, 280)
    assert is_at_chance("checks", 1 / 7, checks)
    assert is_at_chance("right lines", 1 / 5, right_lines)


def name_of(presentation: Presentation) -> str:
    question = presentation.question
    return f"{question.question_set.name if question.question_set else ''}/{question.external_id}"


# ---- the secret -----------------------------------------------------------------------------------------------------
def test_every_project_and_study_has_a_secret_of_its_own(researcher, monkeypatch):
    monkeypatch.setattr(hidden_draws, "token_hex", token_hex)
    made = [
        *(projects.create(slug=f"p{number}", kind="rating", by=researcher) for number in range(2)),
        *(studies.create(slug=f"s{number}", by=researcher) for number in range(2)),
    ]
    drawn = {each.secret for each in made}
    assert len(drawn) == 4
    assert {len(secret) for secret in drawn} == {32}


@pytest.mark.every_database
def test_no_project_or_study_loses_its_secret(project, researcher):
    studies.create(slug="lines", by=researcher)
    for model in (Project, Study):
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.update(secret="")


def test_another_secret_moves_nothing_that_was_drawn(researcher):
    study = study_cases.study("lines", by=researcher, questions=24, settings={"forms": 4, "per_form": 6})
    client, link, person = begin(study)
    crawl(client, link, person)  # from here on every question has been seen and answered
    before = crawl(client, link, person)
    Study.objects.update(secret="another")
    assert crawl(client, link, person) == before


@pytest.mark.parametrize("username", ["admin", "ines", "amara", "linyue"])
def test_no_page_api_answer_or_export_shows_a_secret(sample, username):
    secrets = {*Project.objects.values_list("secret", flat=True), *Study.objects.values_list("secret", flat=True)}
    client = Client()
    client.force_login(User.objects.get(username=username))
    pages = {name: method for name, (method, _roles) in {**addresses.PAGES, **addresses.OWN_PAGES}.items()}
    opened = 0
    for name in [*(name for name, method in pages.items() if method == addresses.GET), *addresses.API]:
        for address in sample.addresses(name):
            answer = client.get(address)
            said = texts_of(answer.getvalue() if answer.streaming else answer.content)
            assert not [secret for secret in secrets if secret.encode() in said], address
            opened += answer.status_code == 200
    assert opened > 10
    assert not [secret for secret in secrets if secret in str(list(Event.objects.values()))]


def texts_of(content: bytes) -> bytes:
    """Return the content, that of an archive unpacked."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def test_no_participants_page_shows_the_secret(researcher):
    study = study_cases.study("lines", by=researcher, questions=24, settings={"forms": 4, "per_form": 6})
    received = crawl(*begin(study))
    assert received and not [each for each in received if study.secret.encode() in each]


def test_the_secret_is_read_where_something_is_drawn_and_nowhere_else():
    """No page, command, export or line of a log can tell what it does not read."""
    readers = {
        module
        for module, source in architecture.sources("core", "annotation", "study")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr == "secret"
    }
    assert readers == {
        "annotation.actions.demo.demo_pairs",
        "annotation.actions.inspection.inspections",
        "annotation.actions.qualification.practice_drafts",
        "annotation.actions.rewriting.rewrites",
        "annotation.domain.qualification.gold",
        "annotation.selectors.qualification.gold",
        "study.actions.survey.presentations",
        "study.management.bots",  # of a bot's browser: another secret
        "study.management.commands.simulate_participants",
    }
