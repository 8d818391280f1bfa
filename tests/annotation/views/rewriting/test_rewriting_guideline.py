"""The guideline of a rewriting project: written by its researcher, read by authors and inspectors, in its releases."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.actions.releases import releases
from annotation.exporters.card import data_card
from annotation.models import GuidelineVersion, Step
from annotation.selectors.releases.releases import manifest_of
from core.models import Role
from tests import factories, rewriting
from tests.factories import no_progress


@pytest.fixture
def project(researcher):
    project = rewriting.rewriting_project(researcher)
    projects.change_settings(project=project, settings={"language": "en"}, by=researcher)
    rewriting.items(project, 2)
    return project


@pytest.fixture
def author(project):
    return factories.person("au", Role.ANNOTATOR, project=project)


@pytest.fixture
def inspector(project):
    return factories.person("ines", Role.INSPECTOR, project=project)


def browser(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def write_version(project, researcher, **typed):
    client, address = browser(researcher), reverse("guideline", args=[project.slug])
    page = client.get(address)
    form = page.context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"seen": page.context["newest"].number} | typed
    return client.post(address, sent)


def test_authors_and_inspectors_read_what_is_for_them(project, researcher, author, inspector):
    write_version(project, researcher, **{"authors-en": "Cut <late>.", "inspectors-en": "Doubt early."})
    writing = browser(author).get(reverse("write", args=[project.slug])).content.decode()
    assert "Cut &lt;late&gt;." in writing
    assert "Doubt early." not in writing
    rewriting.write(project, author)
    inspecting = browser(inspector).get(reverse("inspect", args=[project.slug])).content.decode()
    assert "Doubt early." in inspecting
    assert "Cut &lt;late&gt;." not in inspecting


def test_texts_and_verdicts_keep_the_version_they_were_made_under(project, researcher, author, inspector):
    before = project.guidelines.first().number
    rewrite = rewriting.write(project, author)
    write_version(project, researcher, **{"authors-en": "Cut late."})
    inspection = rewriting.inspect(project, inspector)
    rewrite.refresh_from_db()
    inspection.refresh_from_db()
    assert (rewrite.guideline.number, inspection.guideline.number) == (before, before + 1)


def test_a_release_has_the_versions_of_its_texts_and_who_made_it(project, researcher, author, inspector):
    projects.change(
        project=project,
        seen=projects.as_seen(project),
        title=project.title,
        source_licence="",
        annotator_profile="English majors who passed TEM-8.",
        settings={},
        by=researcher,
    )
    rewriting.write(project, author)
    rewriting.inspect(project, inspector)
    newest = project.guidelines.first()
    about = manifest_of(releases.freeze(project=project, seed=0, report=no_progress, by=researcher))
    assert about["annotators"] == {"profile": "English majors who passed TEM-8.", "authors": 1, "inspectors": 1}
    [version] = about["guidelines"]
    assert (version["number"], version["instances"]) == (newest.number, 1)
    assert version["authors"]["en"] == newest.content["authors"]["en"]
    card = data_card(about)
    assert "- People: 1 authors, 1 inspectors." in card
    assert "- Who they are: English majors who passed TEM-8." in card
    assert f"- Version {newest.number} of" in card
    assert "> Each wrong turn makes sense on its own" in card


def test_what_is_too_long_is_refused_at_its_field_and_stays_on_the_page(project, researcher):
    count = GuidelineVersion.objects.count()
    answer = write_version(project, researcher, **{"inspectors-en": "x" * 100_000})
    assert answer.context["form"].errors == {"inspectors-en": ["100000 characters; at most 10000 are allowed."]}
    assert answer.context["form"]["inspectors-en"].value() == "x" * 100_000
    assert GuidelineVersion.objects.count() == count


def test_a_version_of_another_person_is_not_overwritten_unseen(project, researcher):
    seen = project.guidelines.first().number
    write_version(project, researcher, **{"authors-en": "Theirs."})
    answer = write_version(project, researcher, **{"authors-en": "Mine.", "seen": seen})
    assert "while you edited version" in answer.content.decode()
    assert project.guidelines.first().content["authors"]["en"] == "Theirs."


def test_a_project_from_before_has_none_until_one_is_written(project, researcher, author):
    GuidelineVersion.objects.all().delete()
    assert browser(author).get(reverse("write", args=[project.slug])).status_code == 200
    rewrite = rewriting.write(project, author)
    assert rewrite.guideline is None
    client, address = browser(researcher), reverse("guideline", args=[project.slug])
    assert client.get(address).status_code == 200
    client.post(address, {"authors-en": "Cut late.", "inspectors-en": ""})
    assert project.guidelines.get().number == 1


def test_only_its_researcher_opens_the_page(project, author):
    assert browser(author).get(reverse("guideline", args=[project.slug])).status_code == 403
    assert project.queues.filter(step=Step.WRITE).exists()
