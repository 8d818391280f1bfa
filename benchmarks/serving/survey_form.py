"""Survey without its script: a unit is a question, sent as a form, and the page to which the answer leads."""

from urllib.parse import urlencode

from benchmarks.serving import survey
from benchmarks.serving.crowd import CSRF

ROWS = survey.ROWS
WALKER = "benchmarks.serving.survey_form:SurveyWalkerWithoutScript"


class SurveyWalkerWithoutScript(survey.SurveyWalker):
    def step(self) -> None:
        one, position = self.turns.pop(0)
        first, second, *_others = one["tokens"][position - 1]
        form = urlencode({"first": first, "second": second, "csrfmiddlewaretoken": CSRF})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        path = f"{one['base']}questions/{position}/answer/"
        self.ask("GET", self.location("POST", path, form, one["cookie"], **kind), None, survey.of(one["cookie"]))
