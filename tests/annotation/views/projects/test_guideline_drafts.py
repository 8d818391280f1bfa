"""The draft of a guideline's next version: saved by every button and by the script, and never seen by anybody else."""

import pytest
from django.test import Client

from annotation.actions.projects import copies
from annotation.models import GuidelineDraft, GuidelineVersion
from annotation.selectors.projects.guideline_drafts import own_draft
from core.models import Role
from tests import factories
from tests.annotation.views.projects.test_guideline import ADDRESS, form_of, sent_by

SAVE, DISCARD = ADDRESS + "draft/save/", ADDRESS + "draft/discard/"


@pytest.fixture
def client(researcher) -> Client:
    return signed_in(researcher)


@pytest.fixture
def colleague(project) -> Client:
    return signed_in(factories.person("yue", Role.RESEARCHER, project=project))


def signed_in(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def save(client: Client, typed: dict[str, str], **more: object):
    """Save as the script does."""
    body = {**typed, "revision": int(typed["revision"]), **more}
    return client.post(SAVE, body, content_type="application/json")


def name_in(draft: GuidelineDraft) -> str:
    return draft.content["grades"][0]["name"]["en"]


def test_a_save_stores_the_draft_and_answers_with_what_follows_it(client, project, researcher):
    answer = save(client, form_of(client) | {"g0-name-en": "very bad", "why": "Two raters differed."}).json()
    draft = own_draft(project, researcher)
    assert (name_in(draft), draft.why, draft.began_from, draft.revision) == ("very bad", "Two raters differed.", 1, 1)
    assert (answer["revision"], answer["kept"]) == (1, True)
    assert "<ins>very </ins>bad" in answer["html"]
    assert project.guidelines.count() == 1


def test_the_page_brings_the_draft_back_and_raters_see_the_version_in_force(client, project, annotator):
    save(client, form_of(client) | {"g0-name-en": "very bad"})
    page = client.get(ADDRESS)
    assert sent_by(page)["g0-name-en"] == "very bad"
    assert page.context["page_state"]["savedAt"] is not None
    assert len(page.context["changes"]) == 1
    factories.pairs(project, 1)
    assert "very bad" not in signed_in(annotator).get("/projects/weibo/rate/").content.decode()


def test_every_button_saves_and_publishing_or_discarding_ends_the_draft(client, project, researcher):
    typed = sent_by(client.post(ADDRESS, form_of(client) | {"g0-name-en": "poor", "edit": "add-g0"}))
    assert name_in(own_draft(project, researcher)) == "poor"
    client.post(ADDRESS, typed | {"g0-t2-name-en": "made up"})
    assert own_draft(project, researcher) is None
    assert GuidelineVersion.objects.first().content["grades"][0]["types"][-1]["key"] == "made_up"
    client.post(ADDRESS, form_of(client) | {"prose-en": "Read.", "edit": "show"})
    client.post(DISCARD)
    assert own_draft(project, researcher) is None
    assert sent_by(client.get(ADDRESS))["prose-en"] == ""


def test_a_draft_may_be_incomplete_and_not_too_large(client, project, researcher):
    typed = form_of(client) | {"g0-name-en": "", "g0-name-zh": ""}
    assert save(client, typed).status_code == 200
    refused = save(client, form_of(client) | {"prose-en": "x" * 100_000})
    assert refused.status_code == 409
    assert [flaw["field"] for flaw in refused.json()["flaws"]] == ["id_prose-en"]
    assert "at most" in refused.json()["flaws"][0]["sentence"]
    shown = client.post(ADDRESS, form_of(client) | {"prose-en": "x" * 100_000, "edit": "add-g1"})
    assert sent_by(shown)["prose-en"] == "x" * 100_000
    assert own_draft(project, researcher).content["prose"]["en"] == ""
    assert "why" in save(client, form_of(client) | {"why": "x" * 301}).json()["flaws"][0]["field"]


def test_an_older_page_replaces_nothing(client, project, researcher):
    older = form_of(client)
    save(client, older | {"g0-name-en": "poor"})
    refused = save(client, older | {"g0-name-en": "awful"})
    assert (refused.status_code, refused.json()["code"], refused.json()["revision"]) == (409, "stale", 1)
    published = client.post(ADDRESS, older | {"g0-name-en": "awful"})
    assert published.status_code == 409
    assert name_in(own_draft(project, researcher)) == "poor"
    assert project.guidelines.count() == 1
    assert save(client, older | {"g0-name-en": "awful"}, revision=1).status_code == 200


def test_a_draft_from_an_older_version_says_who_published_meanwhile_and_is_kept(client, colleague, project, researcher):
    save(client, form_of(client) | {"g0-name-en": "poor"})
    colleague.post(ADDRESS, form_of(colleague) | {"g1-name-en": "dull"})
    page = client.get(ADDRESS)
    assert page.context["is_outdated"]
    assert "published version 2 on" in page.content.decode()
    assert sent_by(page)["seen"] == "1"
    told = client.post(ADDRESS, sent_by(page))
    assert (told.status_code, project.guidelines.count()) == (409, 2)
    draft = own_draft(project, researcher)
    assert (name_in(draft), draft.began_from) == ("poor", 2)
    assert [str(change.what) for change in told.context["changes"]] == ["Grade 1: Name"]
    client.post(ADDRESS, sent_by(told))
    names = [guide["name"]["en"] for guide in project.guidelines.first().content["grades"]]
    assert names[:2] == ["poor", "dull"]


def test_the_script_is_told_who_published_meanwhile_and_that_its_changes_are_kept_on_top(client, colleague, project):
    typed = form_of(client) | {"g0-name-en": "poor"}
    colleague.post(ADDRESS, form_of(colleague) | {"g1-name-en": "dull"})
    told = client.post(ADDRESS, typed, content_type="application/json")
    answer = told.json()
    assert (told.status_code, answer["code"], answer["kept"], answer["seen"]) == (409, "changed_meanwhile", True, 2)
    assert answer["message"].startswith("Not published: Yue published version 2 while you edited version 1")
    assert "Raters see version 3 from their next page on." in answer["html"]
    assert 'href="/projects/weibo/guideline/?version=2"' in answer["html"]


def test_a_draft_like_the_version_in_force_begins_from_it(client, colleague, project, researcher):
    typed = form_of(client)
    save(client, typed | {"g0-name-en": "poor"})
    colleague.post(ADDRESS, form_of(colleague) | {"g0-name-en": "poor"})
    assert not client.get(ADDRESS).context["is_outdated"]
    answer = save(client, typed | {"g0-name-en": "poor"}, revision=1).json()
    assert (answer["seen"], own_draft(project, researcher).began_from) == (2, 2)
    refused = client.post(ADDRESS, form_of(client))
    assert "Nothing was changed" in refused.context["refusal"]


def test_a_type_that_another_person_added_meanwhile_is_on_the_page(client, colleague, project, annotator):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 4)
    save(client, form_of(client) | {"g0-name-en": "poor"})
    theirs = sent_by(colleague.post(ADDRESS, form_of(colleague) | {"edit": "add-g0"}))
    colleague.post(ADDRESS, theirs | {"g0-t2-name-en": "made up"})
    told = client.post(ADDRESS, form_of(client))
    client.post(ADDRESS, sent_by(told))
    newest = project.guidelines.first()
    assert (newest.number, newest.content["grades"][0]["types"][-1]["key"]) == (3, "made_up")


def test_nothing_changed_is_refused_with_a_sentence_and_keeps_the_draft_s_words(client, project):
    refused = client.post(ADDRESS, form_of(client), content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "unchanged")
    page = client.post(ADDRESS, form_of(client))
    assert refused.json()["message"] in page.content.decode()
    assert project.guidelines.count() == 1


def test_a_draft_is_its_person_s_alone(client, colleague, project, annotator, researcher):
    typed = form_of(client) | {"g0-name-en": "very bad"}
    save(client, typed)
    assert "very bad" not in colleague.get(ADDRESS).content.decode()
    assert colleague.get(ADDRESS).context["draft"] is None
    colleague.post(DISCARD)
    assert own_draft(project, researcher) is not None
    rater = signed_in(annotator)
    assert [rater.post(address).status_code for address in (SAVE, DISCARD)] == [403, 403]
    stranger = signed_in(factories.person("sam", "researcher"))
    assert [stranger.post(address).status_code for address in (SAVE, DISCARD)] == [404, 404]


def test_a_person_without_the_right_sees_nothing_of_their_draft(colleague, project):
    save(colleague, form_of(colleague) | {"g0-name-en": "very bad"})
    project.memberships.get(person__username="yue").delete()
    assert colleague.get(ADDRESS).status_code == 404
    assert save(colleague, {"revision": "1", "seen": "1"}).status_code == 404


def test_a_copy_of_the_project_has_no_draft(client, project, researcher):
    save(client, form_of(client) | {"g0-name-en": "very bad"})
    copy = copies.duplicate(project=project, slug="copy", title="Copy", by=researcher)
    assert own_draft(copy, researcher) is None
    assert copy.guidelines.get().content["grades"][0]["name"]["en"] == "bad"


@pytest.mark.parametrize("body", [{}, {"seen": "x", "revision": 0}, [1], {"seen": 1, "prose-en": None}])
def test_what_cannot_be_read_is_refused_and_saves_nothing(client, project, body):
    refused = client.post(SAVE, body, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed")
    assert not GuidelineDraft.objects.exists()


def test_signs_that_no_text_may_hold_are_left_out(client, project, researcher):
    assert save(client, form_of(client) | {"why": "\ud800Why\0?", "prose-en": "Read\0 it\ud800."}).status_code == 200
    draft = own_draft(project, researcher)
    assert (draft.why, draft.content["prose"]["en"]) == ("Why?", "Read it.")


def test_the_editor_marks_what_changed_and_what_is_new(client, project):
    typed = sent_by(client.post(ADDRESS, form_of(client) | {"g0-meaning-en": "Untrue.", "edit": "add-g3"}))
    page = client.post(ADDRESS, typed | {"g3-t1-name-en": "kind", "prose-en": "Read it.", "edit": "show"})
    assert page.context["changed"] == {"g0-meaning-en", "prose-en"}
    [natural, kind] = page.context["grades"][3].types
    assert ((natural.key, natural.is_new), (kind.key, kind.is_new)) == (("A", False), ("S", True))
    assert page.context["reading"]["prose-en"] == "2 words, about 1 s to read"
    assert page.context["guideline"]["prose"]["en"] == "<ins>Read it.</ins>"
    moved = client.post(ADDRESS, sent_by(page) | {"edit": "up-g4-t1"})
    assert [kind.row.key for kind in moved.context["grades"][4].types] == ["interesting", "informative", "new_topic"]
    assert moved.context["is_edited"]


def test_what_is_marked_in_the_preview_stays_text(client, project):
    page = client.post(ADDRESS, form_of(client) | {"prose-en": "<b>Read</b>\n\n<i>it", "edit": "show"})
    assert page.context["guideline"]["prose"]["en"] == ("<ins>&lt;b&gt;Read&lt;/b&gt;</ins>\n\n<ins>&lt;i&gt;it</ins>")


def test_a_flaw_names_its_grade(client, project):
    typed = sent_by(client.post(ADDRESS, form_of(client) | {"edit": "add-g1"}))
    refused = client.post(ADDRESS, typed, content_type="application/json").json()
    assert refused["flaws"][0]["field"] == "id_g1-t2-name-zh"
    assert refused["flaws"][0]["sentence"] == "Grade 2, Type that explains it, Chinese: Give it a name."


def test_the_order_of_types_is_shown_as_it_was_and_as_it_is(client, project):
    page = client.post(ADDRESS, form_of(client) | {"edit": "up-g4-t1"})
    [order] = page.context["changes"]
    assert [piece.text for piece in order.pieces] == [
        "informative, interesting, opens a new topic → interesting, informative, opens a new topic"
    ]
