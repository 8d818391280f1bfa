"""Pages on which predictions of other systems are sent, and where their run is shown."""

import csv
import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from core.domain.transitions import JobState
from core.models import Job, Role
from core.tasks import do_here
from study.actions.questions.questions import build
from study.models import Run, StudyMembership
from study.selectors.runs.runs import command_of
from tests import factories
from tests.factories import no_progress
from tests.study.instances import corpus, kitchen, row
from tests.study.results_cases import answer_all, closed_study

pytestmark = pytest.mark.django_db
GOOD = ["d0\tA\tB\tC\tD", "d1\tB\tA\tC\tD", "d2\tA\tB\tC\tD"]
BAD = ["d9\tA\tB\tC\tD", '{"id": "d3", "scores": [1, NaN, 2, 3]}']


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=4)
    return researcher


def send(client: Client, *lines: str, on: str = "kitchen:dev", name: str = "said.txt", **fields: object):
    file = SimpleUploadedFile(name, "\n".join(lines).encode())
    fields = {"label": "ours", "seed": 0, "file": file, **fields}
    return client.post(reverse("upload_predictions", args=[on]), fields)


def done(client: Client, *lines: str, **fields: object):
    """Send a file, let its job run, and return the page that this leads to."""
    answer = send(client, *lines, **fields)
    assert answer.status_code == 302
    do_here(Job.objects.latest("pk").pk)
    return client.get(answer.url, follow=True)


def words(answer) -> str:
    return " ".join(strip_tags(answer.content.decode()).split())


def rows_on(client: Client, name: str = "kitchen:dev") -> list:
    families = client.get(reverse("models", args=[name])).context["families"]
    return [each for family in families for each in family.rows if each.key == "uploaded"]


def test_a_file_becomes_a_run_under_its_label(client, rui):
    page = done(client, *GOOD)
    run = Run.objects.get()
    assert page.redirect_chain[-1][0] == reverse("run", args=[run.pk])
    assert (page.context["title"], page.context["first"].value) == ("ours", pytest.approx(2 / 3))
    said = words(page)
    assert (
        "1 instance of kitchen:dev has no prediction. It is left out of all figures, and not counted as wrong." in said
    )
    assert "said.txt" in said and "d3" in said
    assert reverse("new_run") + f"?like={run.pk}" not in page.content.decode(), "it cannot be run again here"
    [shown] = rows_on(client)
    assert (shown.title, shown.run, shown.missing_predictions) == ("ours", run, 1)
    assert not shown.needs_one_seed, "who trains it again has another seed"
    assert "it does not learn" not in said
    assert "1 without a prediction, left out of all figures" in words(
        client.get(reverse("models", args=["kitchen:dev"]))
    )


def test_its_command_makes_the_same_run(client, rui, tmp_path):
    done(client, *GOOD, seed=3)
    assert command_of(Run.objects.get()) == [
        *("import_predictions", "kitchen:dev", "said.txt", "--model", "ours", "--seed", "3")
    ]


def test_the_tables_to_download_say_what_has_no_prediction(client, rui):
    done(client, *GOOD)
    text = client.get(reverse("models_csv", args=["kitchen:dev"])).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {each["without_prediction"] for each in rows if each["name"] == "ours"} == {"1"}
    assert {each["without_prediction"] for each in rows if each["model"] == "tfidf"} == {""}
    table = client.get(reverse("models_latex", args=["kitchen:dev"])).content.decode()
    assert "ours: 1 instance without a prediction, left out of all figures." in table


def test_before_there_is_one_the_row_leads_to_the_form(client, rui):
    [shown] = rows_on(client)
    assert (shown.run, shown.missing) == (None, "file")
    page = client.get(reverse("models", args=["kitchen:dev"]))
    assert reverse("upload_predictions", args=["kitchen:dev"]) in page.content.decode()


def test_refused_rows_are_listed_and_the_good_ones_stored_when_that_is_asked_for(client, rui):
    page = done(client, *GOOD, *BAD)
    job = Job.objects.get()
    assert (job.state, Run.objects.exists()) == (JobState.DONE, False)
    assert [(each["line"], each["code"]) for each in page.context["rows"]] == [
        (4, "instance_unknown"),
        (5, "score_not_finite"),
    ]
    assert page.context["rows"][0]["excerpt"] == r"d9\tA\tB\tC\tD"
    assert "the score NaN is not a finite number" in words(page)
    assert "Nothing was stored: 2 rows were refused." in words(page)
    listed = client.get(reverse("upload_refused_csv", args=[job.pk])).content.decode("utf-8-sig")
    assert [cells[0] for cells in csv.reader(io.StringIO(listed))] == ["line", "4", "5"]
    answer = client.post(reverse("upload_others", args=[job.pk]))
    do_here(Job.objects.latest("pk").pk)
    page = client.get(answer.url)
    assert page.context["result"]["run"] == Run.objects.get().pk
    assert Run.objects.get().predictions.count() == 3
    assert [each["line"] for each in page.context["rows"]] == [4, 5], "what was left out stays listed"
    client.post(reverse("upload_others", args=[Job.objects.latest("pk").pk]))
    assert Job.objects.count() == 2, "there is nothing left to store"


@pytest.mark.parametrize(
    ("lines", "fields", "said"),
    [
        ([], {}, "The file is empty."),
        (["{", '"id": "d0", "scores": [1]}'], {}, "on each line"),
        (["PK\x03\x04"], {}, "This is a zip file"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_what_to_do(client, rui, lines, fields, said):
    page = done(client, *lines, **fields)
    assert said in words(page)
    assert page.context["rows"] and not Run.objects.exists()


def test_a_file_in_the_order_of_another_set_is_refused_in_whole_sentences(client, rui):
    questions = build(name="evening", sources=["kitchen:dev"], count=4, seed=9, report=no_progress, by=rui)
    lines = [f"{one.external_id}\tA\tB\tC\tD" for one in questions.questions.order_by("position")]
    page = done(client, *lines)
    [notice] = re.findall(r'role="alert">(.*?)</div>', page.content.decode(), re.DOTALL)
    said = " ".join(strip_tags(notice).split())
    assert said.startswith("The rows belong to evening, ") and said.endswith(". Nothing was stored.")


def test_a_label_that_is_taken_fails_with_what_to_do(client, rui):
    done(client, *GOOD)
    page = done(client, *GOOD[:2])
    assert Job.objects.latest("pk").error == "refused:label_taken"
    assert "Choose another label" in words(page)
    again = done(client, *GOOD)
    assert again.redirect_chain[-1][0] == reverse("run", args=[Run.objects.get().pk]), "the same file leads to its run"


def test_the_form_says_what_is_missing_or_too_large(client, rui, settings):
    answer = client.post(reverse("upload_predictions", args=["kitchen:dev"]), {"seed": "x"})
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"file", "label", "seed"}
    settings.IMPORT_MAX_BYTES = 10
    assert send(client, *GOOD).context["form"].errors.keys() == {"file"}
    assert send(client, *GOOD[:1], label=" \u200b ").status_code == 422
    assert not Job.objects.exists()


def test_text_in_a_label_or_a_file_is_shown_as_text(client, rui):
    page = done(client, "<b>d0</b>\tA", label="<i>ours</i>", name="<u>.txt")
    source = page.content.decode()
    assert "&lt;i&gt;ours&lt;/i&gt;" in source and "<i>ours" not in source
    assert "&lt;b&gt;d0&lt;/b&gt;" in source and "<b>d0" not in source


def test_another_person_s_upload_is_not_there(client, rui):
    send(client, *GOOD)
    stranger = Client()
    stranger.force_login(factories.person("stranger", Role.RESEARCHER))
    job = Job.objects.get()
    for name in ("upload_outcome", "upload_refused_csv"):
        assert stranger.get(reverse(name, args=[job.pk])).status_code == 404
    assert stranger.post(reverse("upload_others", args=[job.pk])).status_code == 404
    assert stranger.get(reverse("upload_predictions", args=["pantry"])).status_code == 404


@pytest.mark.every_database
def test_one_upload_is_shown_on_the_pages_of_the_corpus_of_a_set_and_of_a_study(client, rui):
    done(client, *GOOD, "d3\tA\tB\tC\tD")
    run = Run.objects.get()
    study = closed_study(rui, build(name="evening", sources=["kitchen:dev"], count=4, report=no_progress, by=rui))
    answer_all(study, ["1122", "1-1-"])
    for name in ("kitchen:dev", "evening", "summer"):
        [shown] = rows_on(client, name)
        assert (shown.title, shown.run.pk, shown.cells[0].value) == ("ours", run.pk, pytest.approx(run.metrics["R@1"]))
    assert "predicted for kitchen:dev" in words(client.get(reverse("models", args=["evening"])))
    page = client.get(reverse("study_models", args=["summer"]))
    [beside] = page.context["models"]
    assert (beside.row.name, beside.row.figures["R@1"].value) == ("ours", pytest.approx(run.metrics["R@1"]))
    assert client.get(reverse("results", args=["summer"])).status_code == 200
    form = words(client.get(reverse("upload_predictions", args=["evening"])))
    assert "A file that was made for a corpus belongs to that corpus" in form


def test_another_member_of_the_study_sees_the_figure_and_no_link_that_would_lead_nowhere(client, rui):
    done(client, *GOOD, "d3\tA\tB\tC\tD")
    run = Run.objects.get()
    study = closed_study(rui, build(name="evening", sources=["kitchen:dev"], count=4, report=no_progress, by=rui))
    answer_all(study, ["1122"] * 5)
    asked = study.question_sets.get().questions.first()
    addresses = [reverse("study_models", args=["summer"]), reverse("study_question", args=["summer", asked.pk])]
    other = factories.person("other", Role.RESEARCHER)
    StudyMembership.objects.create(study=study, person=other, role=Role.RESEARCHER)
    theirs = Client()
    theirs.force_login(other)
    link = f'href="{reverse("run", args=[run.pk])}"'
    assert theirs.get(reverse("run", args=[run.pk])).status_code == 404
    for address in addresses:
        own, of_other = client.get(address), theirs.get(address)
        assert "ours" in words(own) and "ours" in words(of_other)
        assert (link in own.content.decode(), link in of_other.content.decode()) == (True, False)


def test_questions_with_different_numbers_of_candidates_break_no_page(client, rui):
    corpus("mixed", row("two", candidates=["Yes.", "No."]), row("four"), by=rui)
    page = done(client, "two\tA\tB", "four\tB\tA\tC\tD", on="mixed")
    assert (page.status_code, page.context["first"].value) == (200, 0.5)
    assert client.get(reverse("models", args=["mixed"])).status_code == 200


def test_instances_without_known_answers_break_no_page(client, rui):
    corpus("open", row("one", answer=None), row("two", answer=None), by=rui)
    page = done(client, "one\tA\tB\tC\tD", on="open")
    assert page.status_code == 200
    assert client.get(reverse("models", args=["open"])).status_code == 200
    run = Run.objects.get()
    assert client.get(reverse("compare_runs"), {"run": [run.pk, run.pk]}).status_code == 200
