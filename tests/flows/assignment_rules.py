"""Rules of slots, assignments and grades that hold however many people work and whatever is killed (see
rating_bots.found).
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from annotation.models.work import BARRING, TAKEN
from tests.flows.log import Log

Rows = list[dict[str, Any]]

RATERS = 2  # people required for each pair


def assert_the_rules_of_assignments_hold(found: dict[str, Rows]) -> None:
    """Check that no pair has too many assignments, and no person has a pair twice."""
    assignments: dict[int, Rows] = {slot["id"]: [] for slot in found["slots"]}
    for assignment in found["assignments"]:
        assignments[assignment["slot"]].append(assignment)
    for slot in found["slots"]:
        taken = [assignment for assignment in assignments[slot["id"]] if assignment["state"] in TAKEN]
        barred = [assignment["person"] for assignment in assignments[slot["id"]] if assignment["state"] in BARRING]
        assert slot["required"] == RATERS
        assert slot["free"] == slot["required"] - len(taken)
        assert len({assignment["slot_number"] for assignment in taken} & {1, 2}) == len(taken)
        assert len(set(barred)) == len(barred)
        graded = sum(assignment["state"] == "submitted" for assignment in taken)
        assert (slot["item__state"] == "open") == (graded < RATERS)


def assert_every_acknowledged_grade_is_stored_once(logs: Iterable[Log], grades: Rows) -> None:
    assert [line for log in logs for line in log.said("error")] == []
    stored = {grade["submission_key"]: grade["grade"] for grade in grades}
    acknowledged = {key: int(grade) for log in logs for key, grade in log.said("acknowledged")}
    sent = {key for log in logs for key, *_ in log.said("sent")}
    assert len(stored) == len(grades)
    assert {key: stored.get(key) for key in acknowledged} == acknowledged
    assert set(stored) <= sent


def assert_all_work_is_done(found: dict[str, Rows], pairs: int) -> None:
    assert len(found["slots"]) == pairs
    assert Counter(slot["free"] for slot in found["slots"]) == {0: pairs}
    assert Counter(assignment["state"] for assignment in found["assignments"])["held"] == 0
    assert Counter(assignment["state"] for assignment in found["assignments"])["submitted"] == pairs * RATERS


def counts(logs: Iterable[Log], grades: Rows, killed: int) -> str:
    sent, acknowledged = ({key for log in logs for key, *_ in log.said(word)} for word in ("sent", "acknowledged"))
    refused = sum(len(log.said("refused")) for log in logs)
    assert killed > 0, "nobody was killed, so nothing was shown"
    return (
        f"sent {len(sent)}, acknowledged {len(acknowledged)}, stored {len(grades)}, refused {refused}, killed {killed}"
    )
