"""What holds of places, seats and grades however many work at once and whoever is killed (see rating_bots.found)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from annotation.models.work import BARRING, TAKEN
from tests.flows.log import Log

Rows = list[dict[str, Any]]

RATERS = 2  # people wanted for each pair


def assert_the_rules_of_seats_hold(found: dict[str, Rows]) -> None:
    """No pair over its seats, no person twice."""
    seats: dict[int, Rows] = {place["id"]: [] for place in found["places"]}
    for seat in found["seats"]:
        seats[seat["place"]].append(seat)
    for place in found["places"]:
        taken = [seat for seat in seats[place["id"]] if seat["state"] in TAKEN]
        barred = [seat["person"] for seat in seats[place["id"]] if seat["state"] in BARRING]
        assert place["slots"] == RATERS
        assert place["free"] == place["slots"] - len(taken)
        assert len({seat["slot"] for seat in taken} & {1, 2}) == len(taken)
        assert len(set(barred)) == len(barred)
        graded = sum(seat["state"] == "submitted" for seat in taken)
        assert (place["item__state"] == "open") == (graded < RATERS)


def assert_every_acknowledged_grade_is_stored_once(logs: Iterable[Log], grades: Rows) -> None:
    assert [line for log in logs for line in log.said("error")] == []
    stored = {grade["submission_key"]: grade["grade"] for grade in grades}
    acknowledged = {key: int(grade) for log in logs for key, grade in log.said("acknowledged")}
    sent = {key for log in logs for key, *_ in log.said("sent")}
    assert len(stored) == len(grades)
    assert {key: stored.get(key) for key in acknowledged} == acknowledged
    assert set(stored) <= sent


def assert_all_work_is_done(found: dict[str, Rows], pairs: int) -> None:
    assert len(found["places"]) == pairs
    assert Counter(place["free"] for place in found["places"]) == {0: pairs}
    assert Counter(seat["state"] for seat in found["seats"])["held"] == 0
    assert Counter(seat["state"] for seat in found["seats"])["submitted"] == pairs * RATERS


def counts(logs: Iterable[Log], grades: Rows, killed: int) -> str:
    sent, acknowledged = ({key for log in logs for key, *_ in log.said(word)} for word in ("sent", "acknowledged"))
    refused = sum(len(log.said("refused")) for log in logs)
    assert killed > 0, "nobody was killed, so nothing was shown"
    return (
        f"sent {len(sent)}, acknowledged {len(acknowledged)}, stored {len(grades)}, refused {refused}, killed {killed}"
    )
