"""Targets of a model's run: by which name, for which person, and as which texts."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions.projects import projects
from annotation.exporters.trec import topic_of
from annotation.models import Kind, Membership, Project
from core.actions import names
from core.models import Role
from study.actions.questions.questions import build
from study.baselines.base import RankingInstance
from study.models import FormQuestion, Question, QuestionPurpose, QuestionSet, Study, StudyMembership
from study.selectors.runs.sources import NoSuchSource, choices_of, source_of, usual_training
from tests import factories
from tests.factories import no_progress
from tests.study.instances import RESPONSES, TALK, a_release, corpus, graded, kitchen, row


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=5, unknown=2)
    return researcher


@pytest.fixture
def questions(rui) -> QuestionSet:
    return build(name="quiz", sources=["kitchen:dev"], count=4, seed=1, report=no_progress, by=rui)


@pytest.fixture
def study(rui, questions) -> Study:
    """Return a study of two sets that each have a question called d0."""
    kept = corpus("pantry", row("d0"), row("x"), by=rui)
    other = build(name="other", sources=[kept.name], count=1, seed=1, report=no_progress, by=rui)
    names.claim("summer", "study")
    study = Study.objects.create(slug="summer", title="Summer", created_by=rui)
    study.question_sets.set([questions, other])
    StudyMembership.objects.create(study=study, person=rui, role=Role.RESEARCHER)
    return study


def ids(name: str, by) -> list[str]:
    return [instance.id for instance in source_of(name, by=by).instances()]


def test_a_corpus_is_read_whole_or_by_its_splits(rui):
    assert ids("kitchen:dev", rui) == ["d0", "d1", "d2", "d3", "d4"]
    assert ids("kitchen", rui) == ["t1", "t2", "t3", "d0", "d1", "d2", "d3", "d4", "u0", "u1"]
    first = source_of("kitchen:dev", by=rui).instances()[0]
    assert first == RankingInstance("d0", (*TALK, "It is 0."), tuple(RESPONSES), 0, speakers=("F", "M", "F", "M"))


def test_some_instances_can_be_read_by_their_ids(rui):
    assert source_of("kitchen:dev", by=rui).instances_named(["d3", "t1x"]).keys() == {"d3"}


def test_a_release_of_instances_is_read_by_its_number_and_split(rui, project):
    Project.objects.filter(pk=project.pk).update(kind=Kind.REWRITING)
    said = [{"speaker": "F", "text": "Salt?"}]
    written = {"id": "w", "split": "dev", "context": said, "candidates": ["m : Yes.", "m : No."], "answer": 1}
    a_release(project, written | {"reasoning": ["intention"]})
    expected = RankingInstance("w", ("Salt?",), ("Yes.", "No."), 1, speakers=("F",), types=("intention",))
    assert source_of("weibo@1:dev", by=rui).instances() == [expected]
    assert source_of("weibo", by=rui).name == "weibo@1"
    assert source_of("weibo:dev", by=rui).instances_named(["w"]).keys() == {"w"}
    assert ids("weibo@1:test", rui) == []


def test_rated_pairs_are_the_graded_responses_of_their_prompts(rui, project):
    salt = [graded("p", "Salt?", "Here.", 4.5), graded("q", "饿了吗？", "吃饭吧", 3), graded("r", "Salt?", "No.", 1)]
    a_release(project, *salt, graded("s", "Salt!", "Gone.", 2, split="train"))
    source = source_of("weibo@1:dev", by=rui)
    assert [
        (each.context, each.candidates, each.grades, each.answer, each.language) for each in source.instances()
    ] == [
        (("Salt?",), ("Here.", "No."), (4.5, 1), None, ""),
        (("饿了吗？",), ("吃饭吧",), (3,), None, "zh"),
    ]
    first, second = source.instances()
    assert source.instances_named([second.id]) == {second.id: second}
    assert first.id == topic_of("Salt?"), "the topic that the release's TREC files give it"


def test_questions_are_read_in_their_order(rui, questions):
    source = source_of("quiz", by=rui)
    stored = list(questions.questions.order_by("position"))
    assert ids("quiz", rui) == [question.external_id for question in stored]
    assert (source.question_set, source.checksum) == (questions, questions.checksum)
    assert source.instances()[0].candidates == tuple(stored[0].candidates)


def test_practice_and_checks_are_asked_of_no_model(rui, study):
    for purpose in (QuestionPurpose.PRACTICE, QuestionPurpose.CHECK):
        Question.objects.create(
            study=study, purpose=purpose, position=90, external_id=purpose, candidates=["a", "b"], candidates_count=2
        )
    assert not {"practice", "check"} & set(ids("summer", rui))


def test_questions_of_two_sets_with_the_same_id_are_told_apart(rui, study):
    names = ids("summer", rui)
    assert len(names) == len(set(names)) == 5
    shared = {
        external
        for external in Question.objects.values_list("external_id", flat=True)
        if Question.objects.filter(external_id=external).count() > 1
    }
    assert all(name.split(":")[0] in {"quiz", "other"} for name in names if name.split(":")[-1] in shared)


def test_once_a_study_has_forms_its_questions_are_those_of_its_forms(rui, study, questions):
    before = source_of("summer", by=rui).checksum
    chosen = questions.questions.order_by("position")[1]
    FormQuestion.objects.create(study=study, form=1, question=chosen)
    source = source_of("summer", by=rui)
    assert [one.question for one in source.instances()] == [f"{questions.pk}/{chosen.external_id}"]
    assert source.checksum != before


def test_what_is_not_one_s_own_is_not_there(rui, study, project, questions):
    a_release(project, {"id": "p", "split": "dev", "prompt": "Salt?", "response": "Here."})
    stranger = factories.person("stranger", Role.RESEARCHER)
    for name in ("weibo@1", "quiz", "summer"):
        assert source_of(name, by=rui)
        with pytest.raises(NoSuchSource):
            source_of(name, by=stranger)
    assert source_of("kitchen", by=stranger)  # corpora are for every researcher
    Membership.objects.create(project=project, person=stranger, role=Role.RESEARCHER)
    assert source_of("weibo@1", by=stranger)


def test_a_person_chooses_among_what_is_theirs(rui, study, project):
    choices = {choice.name: choice for choice in choices_of(rui)}
    assert {"summer", "quiz", "other", "kitchen:train", "kitchen:dev", "kitchen:test", "pantry:dev"} == set(choices)
    assert (choices["kitchen:dev"].count, choices["quiz"].count, choices["summer"].count) == (5, 4, 5)
    corpus("talk", row("t", candidates=None), by=rui)
    assert [choice.can_be_asked for choice in choices_of(rui) if choice.name == "talk:dev"] == [False]


def test_choosing_costs_the_same_with_more_of_everything(rui, study, project, django_assert_num_queries):
    a_release(project, {"id": "p", "split": "dev", "prompt": "Salt?", "response": "Here."})
    with CaptureQueriesContext(connection) as before:
        choices_of(rui)
    for number in range(2):
        other = projects.create(slug=f"other-{number}", kind=project.kind, by=rui)
        a_release(other, {"id": "p", "split": "dev", "prompt": "Salt?", "response": "Here."})
        corpus(f"corpus-{number}", row("d0"), by=rui)
        StudyMembership.objects.create(
            study=Study.objects.create(slug=f"study-{number}", title="Next"), person=rui, role=Role.RESEARCHER
        )
    with django_assert_num_queries(len(before)):
        choices_of(rui)


def test_the_train_split_beside_it_is_the_usual_training(rui, study):
    assert usual_training("kitchen:dev", by=rui) == "kitchen:train"
    assert usual_training("kitchen:train", by=rui) == ""
    assert usual_training("quiz", by=rui) == usual_training("summer", by=rui) == "kitchen:train"
    assert usual_training("pantry:dev", by=rui) == ""


def test_a_study_s_usual_training_is_that_of_the_corpus_most_of_its_questions_come_from(rui, study):
    few = corpus("attic", row("a", "train"), row("b"), by=rui)
    study.question_sets.add(build(name="few", sources=[f"{few.name}:dev"], count=1, seed=1, report=no_progress, by=rui))
    assert usual_training("few", by=rui) == "attic:train"
    assert usual_training("summer", by=rui) == "kitchen:train"
