"""Data to open every address on: the sample project, and one small example of everything else."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from django.core.files.base import ContentFile
from django.urls import reverse

from annotation.actions import flags, reasoning
from annotation.actions.cleaning import cleaning as actions
from annotation.actions.corpora import corpus_jobs, reviews
from annotation.actions.corpora import edits as corpus_edits
from annotation.actions.demo import demo
from annotation.actions.queue import assignments
from annotation.actions.releases import audits
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.corpora.edits import CLEARED, LEFT_OUT, DialogueChange, edit
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Corpus, Import, Inspection, Project, Rewrite, Step
from annotation.selectors.releases.audits import Subject
from core.actions import jobs, people
from core.domain.transitions import JobState
from core.models import Job, Role, User
from study.actions import answer_jobs, quoted_figures, reports
from study.actions.questions import audits as question_audits
from study.actions.questions import questions
from study.actions.runs import baselines, upload_jobs
from study.actions.survey import keys
from study.domain.results.published import Published
from study.domain.survey.keys import resume_secret
from study.domain.survey.plan import checksum
from study.models import Answer, Run, Study, StudyMembership
from tests import cleaning, corpora, factories, recordings
from tests.addresses import (
    API,
    LISTS,
    OF_ANSWERS,
    OF_BOTH_KINDS,
    OF_CORPUS,
    OF_CORPUS_IMPORT,
    OF_CORPUS_REVIEW,
    OF_OWN_CORPUS,
    OF_QUESTIONS,
    OF_RESULTS,
    OF_RUN,
    OF_STUDY,
    OF_UPLOAD,
    PROJECT_PAGES,
    VISITS,
)
from tests.dialogues import take_inspecting
from tests.factories import no_progress
from tests.study import study_cases
from tests.study.results_cases import answer_all, closed_study, question_set, run_of

Arguments = dict[str, list[object]]


class SampleData:
    """A project of each kind, a corpus with questions and a run, and studies in draft, open and closed."""

    def __init__(self) -> None:
        self.project = demo.load()
        self.rewriting = Project.objects.get(slug=demo.DIALOGUES)
        inspector = User.objects.get(username="amara")
        take_inspecting(self.rewriting, inspector)
        _take_typing(self.rewriting, inspector)
        _take_disputed(self.project, inspector)
        self.arguments: Arguments = {name: [] for name in ("api-schema", "corpus-list", *LISTS)}
        researcher = User.objects.get(username="ines")
        self.arguments |= _of_people()
        self.arguments |= _of_rating(self.project)
        self.arguments |= _of_cleaning(self.project)
        self.arguments |= _of_rewriting(self.rewriting)
        self.arguments |= _of_corpora(_corpus(researcher), _review(researcher))
        self.arguments |= {name: [_run(researcher).pk] for name in OF_RUN}
        self.arguments |= {name: ["kettles:test"] for name in ("models", "models_csv", "models_latex")}
        self.arguments |= {"upload_predictions": ["kettles:test"]}
        self.arguments |= {name: [_upload(researcher).pk] for name in OF_UPLOAD}
        self.arguments |= {name: [_answer_file(researcher).pk] for name in OF_ANSWERS}
        self.arguments |= _of_study(study_cases.sample_study(by=researcher))
        self.arguments |= _of_results(_closed_study(researcher), researcher)

    @classmethod
    def load(cls) -> Self:
        return cls()

    def address(self, name: str) -> str:
        of_project = [self.project.slug] if name in {*PROJECT_PAGES, *API} else []
        return reverse(name, args=self.arguments.get(name, of_project))

    def addresses(self, name: str) -> list[str]:
        """Return the page's addresses; two if both kinds of projects have it."""
        if name not in OF_BOTH_KINDS:
            return [self.address(name)]
        number = [1] if name == "release" else []
        return [self.address(name), reverse(name, args=[self.rewriting.slug, *number])]


def _take_disputed(project: Project, by: User) -> None:
    """Claim for the inspector a pair whose grades lie too far apart."""
    assignments.claim(project=project, step=Step.ADJUDICATE, by=by)


def _take_typing(project: Project, by: User) -> None:
    """Ask two people about the reasoning types of accepted instances; `by` names the first and holds the next."""
    reasoning.ask_about(project=project, by=project.created_by)
    [assignment] = assignments.claim(project=project, step=Step.TYPE, by=by)
    reasoning.choose(assignment=assignment, answer="attitude", by=by)
    assignments.claim(project=project, step=Step.TYPE, by=by)


def _of_people() -> Arguments:
    administrator = User.objects.get(username="admin")
    invitation, token = people.invite(role=Role.ANNOTATOR, scope=None, by=administrator)
    return {"invitation": [token], "withdraw_invitation": [invitation.pk], "revoke_token": ["none"]}


def _of_rating(project: Project) -> Arguments:
    rated = Assignment.objects.of_work().filter(slot__queue__project=project, slot__queue__step=Step.RATE)
    assignment = rated.filter(person__username="linyue").earliest("pk")
    disputed = Assignment.objects.get(slot__queue__step=Step.ADJUDICATE, state=AssignmentState.HELD)
    flags.raise_flag(assignment=assignment, comment="Who is 小马?", by=assignment.person)
    job = jobs.ask_for(kind="check_import", arguments={"import": 0}, scope=project, by=None)
    file = [project.slug, Import.objects.get(project=project).pk]
    release = [project.slug, 1]
    factories.model_grades(project, "Qwen2.5-72B", 4, 3)
    return {
        "void_model": [project.slug, project.grading_models.get().pk],
        **{name: [job.pk] for name in ("job", "cancel_job")},
        **dict.fromkeys(
            ("import", "decide_grades", "store_import", "discard_import", "refused_csv", "duplicate_csv"), file
        ),
        **dict.fromkeys(("release", "project-release"), release),
        **{name: [*release, "jsonl"] for name in ("export_release", "project-export")},
        **{name: [project.slug, "csv"] for name in ("export_ratings", "rating-ratings")},
        "distribution_table": [*release, "grades"],
        "distribution_figure": [*release, "grades", "svg"],
        **{name: [project.slug, assignment.pk] for name in ("grade", "change_grade", "skip", "undo_skip", "flag")},
        "resolve_flag": [project.slug, assignment.flags.get().pk],
        **{name: [project.slug, disputed.pk] for name in ("decide", "skip_decision", "undo_skip_decision")},
        **{
            name: [project.slug, assignment.person_id]
            for name in ("void_work", "member_role", "remove_member", "annotator", "resume_rater")
        },
        "practise": [project.slug, 1],
        **{name: [assignment.person_id] for name in ("person", "person_account", "person_active", "person_password")},
    }


def _of_cleaning(project: Project) -> Arguments:
    """Scan with an own list; one pair is decided about, and Lin Yue holds the next."""
    cleaning.put_words(project, "闹钟", "体重", name="2026-11")  # a name in neither language
    cleaning.scan(project)
    person = User.objects.get(username="linyue")
    [assignment] = cleaning.take(project, person)
    decision = actions.decide(assignment=assignment, verdict=CleaningVerdict.KEEP, by=person)
    [next_assignment] = cleaning.take(project, person)
    return {
        **{name: [project.slug, next_assignment.pk] for name in ("decide_cleaning", "take_back_cleaning")},
        "undo_cleaning": [project.slug, decision.pk],
        "word_list": [project.slug, "2026-11"],
    }


def _of_rewriting(project: Project) -> Arguments:
    audited(project.releases.get(), User.objects.get(username="ines"))
    release = [project.slug, 1]
    assignment = Rewrite.objects.get(submitted_at=None).assignment
    flags.raise_flag(assignment=assignment, comment="少了一句", by=assignment.person)
    writing = [project.slug, assignment.pk]
    inspecting = [project.slug, Inspection.objects.get(decided_at=None).assignment_id]
    transcription = [project.slug, _take_transcription(project).pk]
    recorded = project.items.filter(recordings__kind="audio").earliest("pk").pk
    typing = [project.slug, Assignment.objects.get(slot__queue__step=Step.TYPE, state=AssignmentState.HELD).pk]
    return {
        **{
            name: [project.slug]
            for name in (
                "items",
                "bulk_items",
                "transcribe",
                "check_transcript",
                "write",
                "own_flags",
                "own_practice",
                "inspect",
                "types",
                "next_types",
                "ask_types",
                "project-reasoning",
            )
        },
        **dict.fromkeys(("audit_release", "release_leaks_csv", "project-audit"), release),
        "return_instance": [project.slug, project.items.earliest("position").pk],
        **dict.fromkeys(
            (
                "save_rewrite",
                "submit_rewrite",
                "skip_rewrite",
                "undo_skip_rewrite",
                "take_back_rewrite",
                "flag_rewrite",
            ),
            writing,
        ),
        **dict.fromkeys(
            ("save_transcript", "submit_transcript", "skip_transcript", "undo_skip_transcript"), transcription
        ),
        "recording": [*transcription, "audio"],
        "item_recording": [project.slug, recorded, "audio"],
        "restore_version": [*writing, 1],
        **dict.fromkeys(
            (
                "answer_inspection",
                "decide_inspection",
                "skip_inspection",
                "undo_skip_inspection",
                "take_back_verdict",
            ),
            inspecting,
        ),
        **dict.fromkeys(("name_type", "skip_type", "undo_skip_type"), typing),
    }


def _take_transcription(project: Project) -> Assignment:
    """Create two items with audio: the first is corrected and waits for a check, Lin Yue holds the second."""
    with TemporaryDirectory() as folder:
        recordings.items(project, Path(folder), 2)
    recordings.correct(project, User.objects.get(username="heman"))
    return recordings.take(project, Step.TRANSCRIBE, User.objects.get(username="linyue")).assignment


def _corpus(by: User) -> Job:
    """Create a corpus "kettles" with dialogues and instances, questions "tea", and an import job with a refused row."""
    said = {"candidates": ["Thank you, I see it.", "水开了。", "The stove is off.", "Salt is cheap."]}
    rows = [corpora.dialogue(number) for number in range(30)]
    rows += [corpora.dialogue(30 + number, split="test", **said, answer=(0, None)[number]) for number in range(2)]
    kettles = corpora.stored("kettles", rows, by=by)
    audited(kettles, by)
    _edited(kettles, by)
    tea = questions.build(name="tea", sources=["kettles:dev"], count=25, report=no_progress, by=by)
    question_audits.report_of(tea, by=by)
    reason = {"code": "answer_no_option", "params": {"answer": "E", "first": "A", "last": "D"}}
    row = {"file": "mutual/dev/dev_9.txt", "line": None, "excerpt": '{"answers": "E"}', **reason}
    job = jobs.ask_for(
        kind=corpus_jobs.KIND,
        scope=None,
        by=by,
        arguments={"name": "pots", "file": "", "file_name": "pots.zip", "format": "mutual", "partial": False},
    )
    job.state = JobState.DONE
    job.result = {
        "refusal": "rows_refused",
        "params": {},
        "reason": None,
        "good": 2,
        "refused": 1,
        "rows": [row],
        "stored": 0,
    }
    job.save()
    return job


def _edited(kettles: Corpus, by: User) -> None:
    """Flag two dialogues, make "kettles-edited" of an edit and a dialogue left out, and plan to clear a flag."""
    corpora.flag(kettles, "d0", "d1")
    texts = [turn["text"].replace("story", "tale") for turn in kettles.dialogues.get(position=0).turns]
    changes = {"d0": edit(texts), "d2": DialogueChange(LEFT_OUT)}
    corpus_edits.make(parent=kettles, name="kettles-edited", changes=changes, report=no_progress, by=by)
    dialogue = kettles.dialogues.get(position=1)
    corpus_edits.plan(corpus=kettles, dialogue=dialogue, change=DialogueChange(CLEARED), by=by)


def audited(subject: Subject, by: User) -> None:
    """Complete an audit of the subject."""
    job = jobs.start(job_pk=audits.ask_for(subject=subject, by=by).pk)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result=audits.run_audit(job, no_progress))


def _review(by: User) -> Job:
    """Create the review of a log with an address, a coarse word."""
    log = (
        "[10:00] <wren> the kettle is cold, mail a@b.example\n[10:01] <bo> wren: what a shit kettle\n"
        "[10:02] <wren> bo: it is\n=== cleo [c@d] has joined #kettles\n"
    )
    file = ContentFile(log.encode(), name="2008-07-14.txt")
    job = reviews.receive(name="log", file=file, format="", by=by)
    job.state, job.result = JobState.DONE, reviews.run_review(job, no_progress)
    job.save()
    return job


def _of_corpora(refused: Job, review: Job) -> Arguments:
    return {
        "export_corpus": ["kettles", "jsonl"],
        "corpus_changes": ["kettles-edited"],
        **{name: ["kettles", 1] for name in ("corpus_dialogue", "edit_dialogue", "plan_dialogue")},
        **{name: ["kettles"] for name in (*OF_CORPUS, *OF_OWN_CORPUS)},
        **{name: ["tea"] for name in OF_QUESTIONS},
        "revise_question": ["tea", 0],
        **{name: [refused.pk] for name in OF_CORPUS_IMPORT},
        **{name: [review.pk] for name in OF_CORPUS_REVIEW},
    }


def _run(by: User) -> Run:
    """Run a model on the two instances of kettles, one of them without a known answer."""
    return baselines.run_now(model="random", on="kettles:test", train="", seed=0, report=no_progress, by=by)


def _upload(by: User) -> Job:
    """Send predictions of which a row was refused."""
    file = ContentFile(b"nowhere\tA\tB\n", name="said.txt")
    job = upload_jobs.receive(on="kettles:test", label="ours", file=file, by=by)
    job.state, job.result = JobState.DONE, upload_jobs.run_import(job, no_progress)
    job.save()
    return job


def _answer_file(by: User) -> Job:
    """Send answers given elsewhere of which a row was refused."""
    file = ContentFile(b"participant,question,correct\nann,q1,2\n", name="answers.csv")
    job = answer_jobs.receive(study="elsewhere", file=file, by=by)
    job.state, job.result = JobState.DONE, answer_jobs.run_import(job, no_progress)
    job.save()
    return job


def _of_study(study: Study) -> Arguments:
    group, second = study.groups.get(), User.objects.get(username="admin")
    question = study.form_questions.first()
    StudyMembership.objects.create(study=study, person=second, role=Role.RESEARCHER)
    return {
        **{name: [study.slug] for name in OF_STUDY},
        "change_quota": [study.slug, group.pk],
        "change_plan": [study.slug, "rules"],
        "remove_derived_group": [study.slug, 0],
        "change_demographic": [study.slug, "age"],
        "own_question": [study.slug, "practice"],
        "add_own_question": [study.slug, "check"],
        "remove_own_question": [study.slug, "check"],
        "public_plan": [study.plan_checksum],
        "remove_group": [study.slug, group.pk],
        "remove_study_member": [study.slug, second.pk],
        "remove_expert": [study.slug, second.pk],
        "study_text": [study.slug, "consent"],
        **{name: [study.slug, question.question_id] for name in ("study_question", "decide_question")},
        "preview_study": [study.slug, "practice"],
        **{name: [group.token] for name in ("take", "take_back", *VISITS)},
        "take_back_by": [group.token, resume_secret(keys.give(participant=study.participants.get(), with_link=True))],
        **{name: [group.token, 1] for name in ("take_question", "take_others", "take_answer")},
    }


def _closed_study(by: User) -> Study:
    """Close a study of two corpora and two groups, with a run of a model on its questions."""
    drawn = question_set(by, 8, corpora=("movie", "mutual"))
    run_of(drawn, "1010t11.", by=by)
    study = closed_study(by, drawn)
    answer_all(study, ["11121-1.", "1-111211", "12111111"], group="crowd")
    answer_all(study, ["11111112"], group="lab")
    answer_all(study, ["11111112"], group="lab")
    Answer.objects.filter(presentation__participant__study=study).update(milliseconds=24_000)
    quoted_figures.add(study=study, row=Published("Somebody 2020", "movie", "crowd", 4, ".61", ".80", ".71"), by=by)
    study.plan = {"seed": study.seed}
    study.plan_checksum = checksum(study.plan)
    study.save()
    return study


def _of_results(study: Study, by: User) -> Arguments:
    reported = reports.freeze(study=study, report=no_progress, by=by)
    of_format = ("study_export_file", "make_study_export", "study-export")
    return {
        **{name: [study.slug] for name in OF_RESULTS},
        **{name: [study.slug, "csv"] for name in of_format},
        **{name: [study.slug, reported.number] for name in ("report", "report_folder")},
        "report_file": [study.slug, reported.number, "tables/people-and-models.csv"],
        "public_plan_file": [study.plan_checksum],
        "results_figure": [study.slug, "svg"],
        **{name: [study.slug, study.quoted_figures.get().pk] for name in ("change_quoted", "delete_quoted")},
        "study_times_figure": [study.slug, "svg"],
    }
