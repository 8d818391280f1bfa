"""Names that would be markup, commands or formulas elsewhere are texts wherever results show them."""

import csv
import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from study.models import Question, Run, Study, StudyGroup
from tests.study.report_cases import folder_of, frozen, reported_study

pytestmark = pytest.mark.django_db

MARKUP = "<script>alert(1)</script>{{ x }}{% y %}"
FORMULA = "=cmd|' /C calc'!A0"
COMMAND = r"\input{/etc/passwd}$\frac{1}$~#_^\end{table}"
OTHERS = "\u200f\u05e9\u05dc\u05d5\u05dd\u200e \U0001f600 " + "x" * 30


@pytest.fixture
def study(researcher) -> Study:
    study = reported_study(researcher)
    Study.objects.filter(pk=study.pk).update(title=f"{MARKUP} {COMMAND} {OTHERS}")
    for name, hostile in (("crowd", FORMULA), ("lab", MARKUP)):
        StudyGroup.objects.filter(study=study, name=name).update(name=hostile)
    questions = Question.objects.filter(question_set__in=study.question_sets.all())
    for corpus, hostile in (("movie", COMMAND), ("ubuntu", FORMULA)):
        questions.filter(corpus=corpus).update(corpus=hostile)
    for question, hostile in zip(questions.order_by("pk"), (MARKUP, FORMULA, COMMAND, OTHERS), strict=False):
        Question.objects.filter(pk=question.pk).update(external_id=hostile)
    for run, hostile in zip(Run.objects.order_by("pk"), (f"{FORMULA}{COMMAND}", f"{MARKUP}$x^{{"), strict=True):
        Run.objects.filter(pk=run.pk).update(model="uploaded", label=hostile)
    study.refresh_from_db()
    return study


class Scripts(HTMLParser):
    """Reader of what a page would run."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.run, self._is_script = "", False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self._is_script = tag == "script"
        self.run += "".join(value or "" for name, value in attrs if name.startswith("on"))

    def handle_endtag(self, tag):
        self._is_script = False

    def handle_data(self, data):
        self.run += data if self._is_script else ""


def formulas_in(content: bytes) -> list[str]:
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    return [cell for row in rows for cell in row if re.match(r"[=+@\t\r]|-(?![\d.])", cell)]


def assert_texts(name: str, content: bytes) -> None:
    """Assert that nothing in a file is run or reckoned, by the kind of file that its name tells."""
    match name.rpartition(".")[2]:
        case "html":
            assert "alert(1)" not in Scripts(content.decode()).run, name
        case "csv":
            assert formulas_in(content) == [], name
        case "tex":
            assert not re.search(r"\\(input|frac)|\\end\{table\}\$|(?<!\\)#", content.decode()), name
            assert content.count(rb"\end{table") == 1, name
        case "svg":
            assert not [part for part in ElementTree.fromstring(content).iter() if part.tag.endswith("script")], name


PAGES = ("results", "study_models", "study_times", "study_questions")
TABLES = {"results_csv": "csv", "study_models_csv": "csv", "study_models_latex": "tex", "study_times_csv": "csv"}


def test_pages_and_files_of_results_show_them_as_texts(client, researcher, study):
    client.force_login(researcher)
    addresses = {
        **{f"{name}.html": reverse(name, args=[study.slug]) for name in PAGES},
        **{f"{name}.{kind}": reverse(name, args=[study.slug]) for name, kind in TABLES.items()},
        **{f"figure.{kind}": reverse("results_figure", args=[study.slug, kind]) for kind in ("svg", "pdf")},
    }
    for name, address in addresses.items():
        answer = client.get(address)
        assert answer.status_code == 200, name
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert_texts(name, content)
        if name == "results.html":
            assert "{{ x }}{% y %}" in content.decode(), "shown as it is written"


def test_a_report_shows_them_as_texts(researcher, study):
    files = folder_of(frozen(study, researcher))
    assert {"html", "csv", "tex", "svg"} <= {name.rpartition(".")[2] for name in files}
    for name, content in files.items():
        assert_texts(name, content)
    assert "{{ x }}{% y %}" in files["index.html"].decode()
