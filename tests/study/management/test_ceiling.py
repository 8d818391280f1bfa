"""The ceiling of experts: people with an account rank a split of MuTual, and the command prints how they did."""

from collections.abc import Iterator

import pytest
from django.db import close_old_connections

from core.actions import people
from core.models import Role
from study.domain.survey.simulation import milliseconds, ranking
from study.management.bots import Bot, PageQuestion, SurveyPage
from study.models import Answer, Participant, Presentation, Question, Study
from tests.annotation.management.shell import Shell
from tests.corpora import mutual_files, tar_of

QUESTIONS, SITTINGS = 8, (3, 5)
EXPERTS = ("marta", "qing", "daniel")
CEILING = ("--takers", "signed-in", "--assign", "all", "--answer", "ranking", "--minutes", 0)
METRICS = ("R@1", "R@2", "MRR")


class ExpertBot(Bot):
    """An expert in a browser of their own, who signs in and goes on where they stopped."""

    def __init__(self, server: str, study: Study, name: str, password: str) -> None:
        super().__init__(f"{server}/take/{study.groups.get().token}/", self.rank)
        self.name = name
        self.browser.open(f"{server}/")
        self.browser.open(f"{server}/signin/?next=/", {"username": name, "password": password})

    def rank(self, asked: PageQuestion) -> tuple[list[int], int]:
        """Rank the lines as a simulated person does. A page does not tell which is right; the database does."""
        shown = Presentation.objects.select_related("question").filter(tokens=asked.tokens).get()
        right = shown.order.index(shown.question.answer)
        named = (0, self.name, shown.question.external_id)
        order = ranking(*named, lines=len(asked.lines), right=right, is_check=False)
        close_old_connections()
        return order, milliseconds(*named)

    def sit(self, page: SurveyPage, questions: int) -> None:
        answered: Iterator[PageQuestion] = self.answer_all(page)
        for _question in range(questions):
            next(answered)


@pytest.mark.django_db(transaction=True)
def test_three_experts_rank_a_split_of_mutual_in_several_sittings(live_server, capsys, administrator, tmp_path):
    shell = Shell(capsys)
    archive = tar_of(tmp_path / "mutual.tar.gz", mutual_files(*range(1, QUESTIONS + 1), split="test"))
    for name, *arguments in (
        ("import_corpus", "mutual", archive),
        ("build_questions", "test-split", "--from", "mutual:test", "--count", QUESTIONS, "--distractors", 3),
        ("create_study", "ceiling", "--questions", "test-split", *CEILING),
    ):
        assert shell(name, *arguments).code == 0
    for name in EXPERTS:
        people.create_user(username=name, role=Role.EXPERT, password=f"a secret of {name}", by=administrator)
    assert shell("add_experts", "ceiling", *EXPERTS, "--json").json["experts"] == sorted(EXPERTS)
    assert shell("open_study", "ceiling", "--reason", "for a test").code == 0

    study, of_expert = Study.objects.get(), {}
    for name in EXPERTS:
        for number, questions in enumerate(SITTINGS):
            bot = ExpertBot(live_server.url, study, name, f"a secret of {name}")
            if number == 0:
                bot.join()
                of_expert[name] = Participant.objects.latest("pk")
            page = bot.begin() if number == 0 else bot.browser.open(bot.step("questions"))
            assert page.page_state["position"] == 1 + sum(SITTINGS[:number])
            bot.sit(page, questions)
        bot.finish()
    assert set(Participant.objects.values_list("state", flat=True)) == {"complete"}
    assert shell("close_study", "ceiling").code == 0

    found = shell("results", "ceiling", "--json").json
    assert [row["answers"] for row in found["experts"]["each"]] == [QUESTIONS] * 3
    assert found["experts"]["questions"] == QUESTIONS
    for name, row in zip(EXPERTS, found["experts"]["each"], strict=True):
        figures = {figure["metric"]: figure for figure in row["figures"]}
        for metric in METRICS:
            assert figures[metric]["p"] == pytest.approx(mean_of(metric, of_expert[name]))
            assert figures[metric]["n"] == QUESTIONS
    together = {cell["metric"]: cell for cell in found["cells"] if not any(cell[name] for name in PARTS)}
    for metric in METRICS:
        assert together[metric]["p"] == pytest.approx(mean_of(metric, *of_expert.values()))
        assert together[metric]["headline"]
    assert found["experts"]["kendall_w"] == pytest.approx(mean_w())
    assert not any(name in str(found) for name in EXPERTS)  # figures call people by a random id

    printed = shell("results", "ceiling").out
    for metric in METRICS:
        assert sum(metric in line.split() for line in printed.splitlines()) >= 4  # each and together
    assert f"Kendall's W {found['experts']['kendall_w']:.3f}" in printed


PARTS = ("corpus", "group", "form", "condition", "turns")
WORTH = {"R@1": lambda rank: rank == 1, "R@2": lambda rank: rank <= 2, "MRR": lambda rank: 1 / rank}


def mean_of(metric: str, *persons: Participant) -> float:
    """Return a metric over these people's answers, by its definition."""
    answers = Answer.objects.filter(presentation__participant__in=persons)
    ranks = [each.ranking.index(each.presentation.question.answer) + 1 for each in answers]
    return sum(map(WORTH[metric], ranks)) / len(ranks)


def mean_w() -> float:
    """Return the mean of W = 12 S / (m²(n³ - n)) over the questions: there are no ties."""
    values = []
    for question in Question.objects.filter(question_set__name="test-split"):
        rankings = [each.ranking for each in Answer.objects.filter(presentation__question=question)]
        sums = [sum(ranking.index(number) + 1 for ranking in rankings) for number in range(4)]
        values.append(12 * sum((each - sum(sums) / 4) ** 2 for each in sums) / (3**2 * (4**3 - 4)))
    return sum(values) / len(values)
