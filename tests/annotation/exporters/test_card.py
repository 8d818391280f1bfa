"""The data card: everything that a stranger needs, from the release alone, and nothing that is not known."""

import re
from typing import Any

import pandas
import pytest
import yaml
from django.utils import translation

from annotation.actions.adjudication import adjudication
from annotation.actions.projects import guidelines, projects
from annotation.actions.queue import assignments
from annotation.actions.releases import collectors, releases
from annotation.domain.rating.guideline import study_guideline
from annotation.exporters import huggingface
from annotation.exporters.card import data_card
from annotation.models import Project, Release
from annotation.selectors.releases.releases import manifest_of, write
from core.models import Role, User
from tests import factories, rewriting
from tests.annotation.views.releases.test_releases import statistics_of_before
from tests.factories import no_progress


@pytest.fixture
def rated(project, annotator, partner) -> Project:
    """Eight pairs: six kept, of them two graded under a second guideline; one removed, one with one grade."""
    factories.pairs(project, 8)
    factories.grade_next(project, annotator, *[4] * 4)
    factories.grade_next(project, partner, *[4, 5, 4, 5])
    guidelines.write(project=project, content=study_guideline(), by=project.created_by)
    factories.grade_next(project, annotator, 3, 3, 1, 5)
    factories.grade_next(project, partner, 3, 4, 5)
    return project


def freeze(project: Project) -> Release:
    return releases.freeze(project=project, seed=0, report=no_progress, by=project.created_by)


def card(project: Project) -> str:
    return data_card(manifest_of(freeze(project)))


def test_the_card_says_how_it_was_made_and_what_is_in_it(rated):
    text = card(rated)
    assert "At least 2 different people graded every pair on the scale 1..5" in text
    assert "at most 1 apart" in text
    assert re.search(r"^\| responses \| \d+ \| \d+ \| \d+ \| 6 \|$", text, re.MULTILINE)
    assert "1 of 7 pairs with all their grades (14.3 %) were removed" in text
    assert "1 more were not finished" in text
    assert "| tieba | 6 |" in text


@pytest.fixture
def rewritten(researcher, inspector) -> Project:
    """One accepted instance."""
    project = rewriting.rewriting_project(researcher)
    rewriting.items(project)
    rewriting.write(project, factories.person("an", project=project))
    rewriting.inspect(project, inspector)
    return project


def turned(value: Any) -> Any:
    """Return the value with the keys of all its mappings in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(each) for each in value] if isinstance(value, list) else value


OF_SOURCES = ("dialogues", "questions")
OF_BOTH_TEXTS = ("prompt characters mean", "response characters mean", "prompt words mean", "response words mean")


@pytest.mark.parametrize(
    ("sample", "rows"),
    [
        ("rated", ["prompts", "responses", *OF_BOTH_TEXTS, "vocabulary", "raters"]),
        (
            "rewritten",
            ["instances", "turns mean", "words mean", "conversations", "candidates", "dialogues", "questions"],
        ),
    ],
)
def test_statistics_stand_in_one_order_however_a_database_keeps_their_keys(sample, rows, request):
    about = manifest_of(freeze(request.getfixturevalue(sample)))
    text = data_card(about)
    table = text.split("|  | train | dev | test | all |")[1].split("\n\n")[0]
    assert [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()[2:]] == rows
    assert data_card(turned(about)) == text


def test_what_is_left_out_stands_in_one_order_however_a_database_keeps_its_keys(rated):
    about = manifest_of(freeze(rated))
    left_out = {"some_other": 5, "without_text": 1, "cleaned": 2, "disputed": 3, "removed": 4, "open": 0}
    text = data_card(about | {"counts": about["counts"] | {"left_out": left_out}})
    assert re.findall(r"Left out: (\d)", text) == ["0", "4", "3", "2", "1", "5"]


def test_each_guideline_stands_there_with_its_grades(rated):
    text = card(rated)
    assert re.search(r"Version 1 of .*, 8 grades", text)
    assert re.search(r"Version 2 of .*, 4 grades", text)
    assert "Grade 2: mediocre (incoherent; echoing)" in text


def test_agreement_stands_there_before_and_after_with_intervals_and_the_warning(rated):
    release = freeze(rated)
    text = data_card(manifest_of(release))
    before, after = release.agreement["before"], release.agreement["after"]
    low, high = before["kappa_ci"]
    assert f"| {before['kappa']:.3f} | {low:.3f} to {high:.3f} | {after['kappa']:.3f} |" in text
    assert "n = 7" in text
    assert "n = 6" in text
    assert "**The filter inflates the figures after it**" in text


def test_pairs_that_a_third_person_decided_about_are_told_from_the_others(project, annotator, partner):
    factories.pairs(project, 4)
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=project.created_by)
    factories.grade_next(project, annotator, 1, 4, 4, 2)
    factories.grade_next(project, partner, 5, 4, 5, 2)
    assert "one person gave it" not in card(project)
    third = factories.person("ina", Role.INSPECTOR, project=project)
    [assignment] = assignments.claim(project=project, step="adjudicate", by=third)
    adjudication.decide(assignment=assignment, decision=adjudication.Decision(4, ""), by=third)
    text = card(project)
    assert "An adjudicator decided about 1 of the 4 pairs of this release" in text
    assert "before the filter, n = 4 | 95 % | after it, n = 3" in text
    assert "less than the 4 rows of this release: the adjudicated pairs (1) are not in it" in text
    assert "- The final grade of pairs marked `adjudicated` (1) is no mean: one person gave it." in text


def test_the_licence_is_named_or_said_to_be_unknown(rated):
    assert "licence of the texts is not recorded" in card(rated)
    Project.objects.filter(pk=rated.pk).update(source_licence="CC BY 4.0")
    rated.refresh_from_db()
    assert "Licence of the texts: CC BY 4.0." in card(rated)


def test_it_says_how_to_cite_it_and_names_nobody(rated):
    release = freeze(rated)
    text = data_card(manifest_of(release))
    assert f"release weibo@1 ({release.frozen_at.year}). SHA-256 {release.checksum[:16]}" in text
    names = {name for person in User.objects.all() for name in (person.username, str(person))}
    assert not names & set(re.findall(r"\w+", text)) - {"an"}, "the rater An has the name of an article"


def test_it_is_in_english_whatever_language_a_page_is_in(rated):
    about = manifest_of(freeze(rated))
    with translation.override("zh-hans"):
        chinese = data_card(about)
    assert chinese == data_card(about)


def test_nothing_that_people_typed_is_markup(rated):
    Project.objects.filter(pk=rated.pk).update(title="a|b\n# <script>", source_licence="*c* [d](e)")
    rated.refresh_from_db()
    text = card(rated)
    assert text.startswith("# a\\|b \\# \\<script\\>\n")
    assert "\\*c\\* \\[d\\](e)" in text


def test_an_undefined_figure_is_a_dash(project, annotator, partner):
    factories.pairs(project, 2)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4, 4)
    assert "| Kappa, unweighted (pooled) | – | – | – | – |" in card(project)


def test_the_card_of_an_older_release_leaves_out_what_was_not_counted(rated, monkeypatch):
    monkeypatch.setattr(collectors, "rating_statistics", statistics_of_before)
    release = freeze(rated)
    del release.counts["guidelines"]
    text = data_card(manifest_of(release))
    assert re.search(r"^- Version 1 of [-0-9]+\.$", text, re.MULTILINE)
    assert "prompt words" not in text
    assert "who are called r1" not in text


def test_the_head_for_machines_names_the_files_that_have_rows(rated, tmp_path):
    release = freeze(rated)
    write(release, format="huggingface", folder=tmp_path)
    _empty, head, text = (tmp_path / "README.md").read_text().split("---\n", 2)
    said = yaml.safe_load(head)
    assert said["pretty_name"] == rated.title
    assert said["license"] == "unknown"
    assert said["size_categories"] == ["n<1K"]
    [config] = said["configs"]
    rows = {each["split"]: len(pandas.read_parquet(tmp_path / each["path"])) for each in config["data_files"]}
    assert rows == {split: number for split, number in release.counts["splits"].items() if number}
    assert text.lstrip().startswith(f"# {rated.title}")


@pytest.mark.parametrize(
    ("instances", "size"),
    [(999, "n<1K"), (1_000, "1K<n<10K"), (82_010, "10K<n<100K"), (100_000, "100K<n<1M"), (10**7, "n>10M")],
)
def test_sizes_are_those_of_the_hub(instances, size):
    counts = {"instances": instances, "splits": {"train": instances, "dev": 0, "test": 0}}
    about = {"title": 'a: "b" #c', "source_licence": "d: e", "counts": counts}
    said = yaml.safe_load(huggingface.head(about).strip().strip("-"))
    assert said["size_categories"] == [size]
    assert (said["pretty_name"], said["license"], said["license_details"]) == ('a: "b" #c', "other", "d: e")


def test_another_scale_does_not_follow_the_study_and_who_rated_is_said(project, researcher, annotator, partner):
    projects.change_settings(project=project, settings={"gap": 2}, by=researcher)
    project.refresh_from_db()
    project.annotator_profile = "Four students of linguistics.\nPaid by the hour."
    project.save()
    factories.pairs(project, 2)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4, 4)
    content = project.guidelines.first().content | {"prose": {"zh": "", "en": "Read *slowly*."}}
    guidelines.write(project=project, content=content, why="Prose was missing.", by=researcher)
    text = card(project)
    assert "Wang et al." not in text
    assert "- People: 2 raters." in text
    assert "- Who they are: Four students of linguistics. Paid by the hour." in text
    assert "Prose was missing." not in text  # no grade of the release was given under it
    assert project.releases.get().annotators == {
        "profile": "Four students of linguistics.\nPaid by the hour.",
        "raters": 2,
    }


def test_the_words_of_the_last_version_are_in_the_card(rated):
    content = rated.guidelines.first().content | {"prose": {"zh": "", "en": "Read *slowly*."}}
    guidelines.write(project=rated, content=content, why="Prose was missing.", by=rated.created_by)
    partner = User.objects.get(username="bo")
    factories.grade_next(rated, partner, 5)  # equal to the grade that the last pair has
    text = card(rated)
    assert "1 grades were given under it. Prose was missing." in text
    assert "> Read \\*slowly\\*." in text
