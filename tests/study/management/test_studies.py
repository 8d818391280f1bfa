"""The commands of a study: made, opened, linked, closed, and a participant erased."""

import pytest

from core.models import User
from study.actions.survey import drafts
from study.actions.survey.joining import digest_of
from study.domain.survey.survey import SurveySettings
from study.models import Exclusion, Participant, Presentation, Study
from study.selectors.survey.plans import newest_text
from study.selectors.survey.visits import people_at
from tests.study import study_cases


@pytest.fixture
def questions(administrator):
    return study_cases.question_set("movies", 20, by=administrator)


def test_a_study_goes_from_its_questions_to_its_links(shell, questions):
    made = shell(
        "create_study",
        "lines",
        "--questions",
        "movies",
        "--forms",
        2,
        "--per-form",
        5,
        "--set",
        "minutes=30",
        "--group",
        "crowd:136",
        "--group",
        "lab",
        "--require-id",
        "lab",
        "--json",
    )
    assert made.json == {
        "study": "lines",
        "language": "en",
        "settings": SurveySettings(minutes=30, forms=2, per_form=5).as_mapping(),
        "groups": [
            {"group": "crowd", "quota": 136, "requires_id": False},
            {"group": "lab", "quota": None, "requires_id": True},
        ],
    }
    opened = shell("open_study", "lines", "--json").json
    assert (opened["state"], opened["forms"]) == ("open", [5, 5])
    assert opened["checksum"] == Study.objects.get().plan_checksum
    links = shell("links", "lines", "--json").json["links"]
    tokens = {group.name: group.token for group in Study.objects.get().groups.all()}
    assert {link["group"]: link["url"].split("/take/")[1] for link in links} == {
        name: f"{token}/" for name, token in tokens.items()
    }
    assert shell("links", "lines").out.count("http") == 2
    assert shell("close_study", "lines", "--why", "Tried out.", "--json").json == {
        "study": "lines",
        "state": "closed",
        "answering": 0,
    }


def test_a_consent_that_names_nobody_is_told_before_and_when_the_study_opens(shell, questions):
    administrator = questions.created_by
    User.objects.update(name="")  # as the account is that the shell makes for itself
    arguments = ("--questions", "movies", "--forms", 2, "--per-form", 5)
    made = shell("create_study", "lines", *arguments, "--json")
    assert (made.code, made.json["study"]) == (0, "lines")
    assert "names nobody whom participants can turn to" in made.err
    assert "/studies/lines/texts/consent/" in made.err
    consent = newest_text(Study.objects.get(), "consent").text
    assert consent.endswith("Who: The research team.")
    assert administrator.username not in consent
    assert "names nobody" in shell("open_study", "lines").err

    shell("create_study", "books", *arguments)
    drafts.write_text(study=Study.objects.get(slug="books"), kind="consent", text="Who: Dr Ada", by=administrator)
    opened = shell("open_study", "books")
    assert (opened.code, opened.err) == (0, "")


def test_whoever_has_a_name_is_named_in_the_consent(shell, questions):
    made = shell(
        "create_study", "lines", "--questions", "movies", "--forms", 2, "--per-form", 5, "--language", "zh-hans"
    )
    assert (made.code, made.err) == (0, "")
    assert newest_text(Study.objects.get(), "consent").text.endswith("负责人：Ada")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["lines", "--questions", "books"], 2, "no question set “books”"),
        (["a b", "--questions", "movies"], 2, "a b"),
        (["lines", "--questions", "movies", "--set", "minutes"], 2, "key=value"),
        (["lines", "--questions", "movies", "--group", "crowd:many"], 2, "NAME:QUOTA"),
        (["lines", "--questions", "movies", "--set", "minutes=long"], 1, "minutes must be a whole number"),
        (["lines", "--questions", "movies", "--set", "color=red"], 1, "color"),
        (["lines", "--questions", "movies", "movies"], 1, "“movies”"),
        (["lines", "--questions", "movies", "--group", "crowd:3", "--group", "crowd"], 1, "group “crowd”"),
        (["lines", "--questions", "movies", "--title", "x" * 121], 1, "Title:"),
        (["x" * 61, "--questions", "movies"], 1, "Short name:"),
        (["lines", "--questions", "movies", "--require-id", "lab"], 2, "lab: the study has no such group"),
        (["lines", "--questions", "movies", "--set", "minimum_answers=0"], 1, "minimum_answers must be a whole number"),
    ],
)
def test_a_study_that_cannot_be_is_told(shell, questions, arguments, code, said):
    printed = shell("create_study", *arguments)
    assert printed.code == code
    assert said in printed.err
    assert not Study.objects.exists()


def test_a_study_without_questions_is_not_opened(shell, administrator):
    study_cases.study("lines", by=administrator, questions=0, is_open=False)
    printed = shell("open_study", "lines", "--json")
    assert (printed.code, printed.json["code"]) == (1, "no_questions")
    assert shell("open_study", "nowhere").code == 2


def test_a_researcher_has_no_right_to_the_studies_of_others(shell, questions, researcher):
    study_cases.study("lines", by=questions.created_by)
    assert shell("links", "lines", "--as", "rui").code == 2
    assert shell("create_study", "mine", "--questions", "movies", "--as", "rui").code == 2


def test_the_links_start_where_the_product_answers(shell, administrator, settings, tmp_path):
    study_cases.study("lines", by=administrator)
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path, ""
    assert "http://127.0.0.1:8000/take/" in shell("links", "lines").out
    (tmp_path / "address").write_text("http://127.0.0.1:9000\n")
    assert "http://127.0.0.1:9000/take/" in shell("links", "lines").out
    settings.PUBLIC_URL = "https://survey.example.org/"
    assert "https://survey.example.org/take/" in shell("links", "lines").out


def test_a_participant_is_erased_by_the_number_on_their_last_page(shell, administrator):
    study = study_cases.study("lines", by=administrator)
    person, other = study_cases.begun(study), study_cases.begun(study)
    study_cases.answer(study_cases.counting(person)[0], 1, 2)
    assert shell("erase_participant", "lines", person.public_id).code == 0
    assert Participant.objects.get(pk=person.pk).state == "withdrawn"
    assert set(Presentation.objects.values_list("participant", flat=True)) == {other.pk}
    for wrong in ("nobody", "6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3aa"):
        assert shell("erase_participant", "lines", wrong).code == 2
    assert people_at(link=study.groups.get().token, digests=(digest_of(""),)) == []


def test_bots_without_a_server_say_so(shell, administrator):
    study_cases.study("lines", by=administrator)
    printed = shell("simulate_participants", "lines", "--people", 1, "--url", "http://127.0.0.1:9", "--json")
    assert (printed.code, printed.json["code"]) == (1, "unreachable")


def test_the_whole_plan_is_set_in_one_command(shell, administrator):
    study_cases.question_set("films", 40, by=administrator, corpora=("movie", "ubuntu"))
    settings = {
        "checks": "2",
        "failed_checks": "2",
        "practice": "2",
        "too_fast": "3",
        "straight_lines": "10",
        "duplicates": "on",
        "late_answers": "off",
        "mix": "lab:ubuntu=50",
        "derived": "experts=crowd:ubuntu=expert@ubuntu",
        "demographics": "age;ubuntu; Films a month: none | some",
        "pay": "6.50",
        "currency": "GBP",
        "primary_group": "crowd",
        "margin": "6",
        "analysis": "Paired over questions.",
        "consent": "Who: Dr Ada",
        "pilot": "on",
    }
    chosen = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    arguments = ("--questions", "films", "--forms", 2, "--per-form", 6, "--group", "crowd", "--group", "lab")
    assert shell("create_study", "lines", *arguments, *chosen).code == 0
    assert shell("open_study", "lines", "--json").json["forms"] == [6, 6, 6, 6]
    plan = Study.objects.get().plan
    assert [rule["rule"] for rule in plan["rules"]] == [
        "failed_checks",
        "unanswered_check",
        "too_few_answers",
        "too_fast",
        "straight_lines",
        "duplicates",
    ]
    assert [question["key"] for question in plan["demographics"]] == ["age", "ubuntu", "films_a_month"]
    assert (plan["texts"]["consent"]["text"], plan["pilot"]) == ("Who: Dr Ada", True)


@pytest.mark.parametrize(
    "wrong",
    ["checks=21", "failed_checks=2", "mix=x", "derived=x", "pay=much", "margin=101", "primary_metric=BLEU", "pilot=7"],
)
def test_a_setting_that_cannot_be_is_told(shell, questions, wrong):
    printed = shell("create_study", "lines", "--questions", "movies", "--set", wrong, "--json")
    assert (printed.code, printed.json["code"]) == (1, "settings_wrong")


def test_a_study_is_duplicated_extended_and_a_person_excluded(shell, administrator):
    study = study_cases.study("lines", by=administrator, groups={"crowd": 3})
    made = shell("duplicate_study", "lines", "lines-pilot", "--pilot", "--json").json
    assert made == {"study": "lines-pilot", "copy_of": "lines", "pilot": True}
    extended = shell("extend_quota", "lines", "crowd", 5, "--why", "Two were late.", "--json")
    assert extended.json == {"study": "lines", "group": "crowd", "quota": 5}
    assert shell("extend_quota", "lines", "nobody", 5, "--why", "x").code == 2
    assert shell("extend_quota", "lines", "crowd", 4, "--why", "x").code == 1
    person = study_cases.finished(study)
    assert shell("exclude_participant", "lines", person.public_id, "--why", "Guessed.").code == 0
    assert Exclusion.objects.exists()
    assert shell("exclude_participant", "lines", person.public_id, "--why", "A mistake.", "--back").code == 0
    assert not Exclusion.objects.exists()
    assert shell("close_study", "lines", "--why", "The money is spent.").code == 0
    assert list(study.deviations.values_list("what", flat=True)) == ["quota", "excluded", "taken back", "closed early"]
