"""Reasoning types in a release: in each instance without names, in its figures, on its page, in its card and files."""

import json
import re

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.actions import reasoning
from annotation.actions.releases import releases
from annotation.domain.agreement import agreement, grade_patterns
from annotation.domain.reasoning import ANSWERS
from annotation.domain.releases.plus import SAFE_REPLIES
from annotation.exporters.canonical import checksum
from annotation.exporters.card import data_card
from annotation.models import Project, Step
from annotation.selectors.reasoning import reasoning_report
from annotation.selectors.releases.releases import (
    formats_of,
    instances_of,
    manifest_of,
    prospect_of,
    unchanged_since,
    write,
)
from core.actions import jobs
from core.models import Role, User
from tests import factories
from tests.annotation.exporters.test_card import turned
from tests.rewriting import inspect, items, rewriting_project, take
from tests.rewriting import write as write_next

SAID = [("attitude", "attitude"), ("situation", "attitude"), ("unsure", "other"), ("other", "other")]


@pytest.fixture
def project(researcher: User) -> Project:
    """Return a project with five accepted instances; two people in turn name four of them, and the fifth is
    not named.
    """
    project = rewriting_project(researcher)
    author, inspector = (
        factories.person("an", project=project),
        factories.person("ida", Role.INSPECTOR, project=project),
    )
    people = [factories.person(name, project=project) for name in ("bo", "chen")]
    items(project, 5)
    for _item in range(5):
        write_next(project, author)
        inspect(project, inspector)
    reasoning.ask_about(project=project, by=researcher)
    for both in SAID:
        for person, answer in zip(people, both, strict=True):
            reasoning.choose(assignment=take(project, Step.TYPE, person), answer=answer, by=person)
    return project


def freeze(project: Project, **more: object) -> releases.Release:
    return releases.freeze(project=project, seed=0, report=factories.no_progress, by=project.created_by, **more)


def test_types_stand_in_the_card_in_the_order_of_the_study_however_a_database_keeps_their_keys(project):
    about = manifest_of(freeze(project))
    text = data_card(turned(about))
    named = re.findall(r"^\| ([a-z-]+) \|", text.split("| type | here |")[1], re.MULTILINE)
    assert named == ["attitude", "algebraic", "intention", "situation", "multi-fact", "other"]
    assert text == data_card(about)


def test_an_instance_holds_what_both_people_named_and_nobody_s_name(project):
    release = freeze(project, safe_replies=SAFE_REPLIES)
    found = sorted(instance["reasoning"] for instance in instances_of(release))
    assert found == [[], ["attitude", "attitude"], ["attitude", "situation"], ["other", "other"], ["other", "unsure"]]
    assert release.checksum == checksum(instances_of(release))
    assert release.variants["plus"]["checksum"] == checksum(instances_of(release, "plus"))
    plain, plus = list(instances_of(release)), list(instances_of(release, "plus"))
    assert [each["reasoning"] for each in plus] == [each["reasoning"] for each in plain]


def test_a_project_without_types_publishes_its_instances_as_before(researcher):
    project = rewriting_project(researcher)
    items(project, 1)
    write_next(project, factories.person("an", project=project))
    inspect(project, factories.person("ida", Role.INSPECTOR, project=project))
    release = freeze(project)
    assert "reasoning" not in next(instances_of(release))
    assert "reasoning" not in release.agreement


def test_the_figures_are_frozen_with_the_release(project):
    release = freeze(project)
    release.refresh_from_db()
    found = release.agreement["reasoning"]
    assert found == json.loads(json.dumps(reasoning_report(project)))
    assert (found["instances"], found["unsure"]) == (4, 1)
    shares = {kind: each["share"] for kind, each in found["types"].items()}
    assert shares == pytest.approx(
        {
            "attitude": 3 / 7,
            "algebraic": 0,
            "intention": 0,
            "situation": 1 / 7,
            "multi_fact": 0,
            "other": 3 / 7,
        }
    )
    assert (found["agreement"]["n"], found["agreement"]["percent"]) == (4, 0.5)
    assert (found["agreement_without_unsure"]["n"], found["agreement_without_unsure"]["percent"]) == (
        3,
        pytest.approx(2 / 3),
    )
    # Scott's pi: shares 3/8 attitude, 1/8 situation, 3/8 other, 1/8 unsure.
    by_chance = (9 + 1 + 9 + 1) / 64
    assert found["agreement"]["kappa"] == pytest.approx((0.5 - by_chance) / (1 - by_chance))


def test_perfect_agreement_is_one_whatever_pair_saw_each_instance():
    kinds = [0, 1, 2, 0, 1, 2]
    pairs = [(1, 2), (2, 3), (1, 3), (4, 1), (2, 4), (3, 4)]
    rows = [(item, who, kinds[item]) for item, both in enumerate(pairs) for who in both]
    patterns = grade_patterns(*zip(*rows, strict=True), range(len(ANSWERS)))
    assert agreement(patterns, 0, None).figures["kappa"].value == 1


def test_what_is_named_after_a_release_makes_another_one(project, researcher):
    job = releases.ask_for_freeze(project=project, number=1, seed=0, by=researcher)
    job = jobs.start(job_pk=job.pk)
    releases.run_freeze(job, factories.no_progress)
    release = project.releases.get()
    assert unchanged_since(release, prospect_of(project)) == release
    bo = User.objects.get(username="bo")
    reasoning.choose(assignment=take(project, Step.TYPE, bo), answer="algebraic", by=bo)
    assert unchanged_since(release, prospect_of(project)) is None
    assert freeze(project).checksum != release.checksum


def test_every_format_can_be_written(project, tmp_path):
    release = freeze(project)
    for format in formats_of(project):
        assert write(release, format=format, folder=tmp_path / format)
    lines = [line for path in (tmp_path / "jsonl").glob("*.jsonl") for line in path.read_text().splitlines()]
    rows = [json.loads(line) for line in lines]
    assert sorted(len(row["reasoning"]) for row in rows) == [0, 2, 2, 2, 2]


def test_the_card_and_the_page_stand_beside_the_study(project, researcher):
    release = freeze(project)
    card = data_card(manifest_of(release))
    assert "## Reasoning types" in card
    assert "| attitude | 0.429 |" in card and "| 0.13 |" in card
    client = Client()
    client.force_login(researcher)
    page = client.get(f"/projects/{project.slug}/releases/1/").content.decode()
    assert "Reasoning types when frozen" in page and "42.9&nbsp;%" in page
    for person in ("bo", "chen"):
        assert person not in json.dumps(release.agreement["reasoning"])


def test_a_program_and_the_shell_read_the_same(project, researcher, capsys):
    client = Client()
    client.force_login(researcher)
    answer = client.get(f"/api/v1/projects/{project.slug}/reasoning-types/").json()
    call_command("reasoning_types", project.slug, "--as", "rui", "--json")
    assert json.loads(capsys.readouterr().out) == answer == json.loads(json.dumps(reasoning_report(project)))
    call_command("reasoning_types", project.slug, "--as", "rui")
    table = capsys.readouterr().out
    assert "4 instances labelled by two people, unsure in 1 of 8 answers" in table
    assert "multi_fact" in table and "0.24" in table


def test_rated_pairs_have_no_reasoning_types(researcher):
    other = factories.another_project("weibo", researcher)
    client = Client()
    client.force_login(researcher)
    assert client.get(f"/api/v1/projects/{other.slug}/reasoning-types/").status_code == 404
