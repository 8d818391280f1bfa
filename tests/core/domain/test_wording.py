"""Names that a person may have meant."""

from core.domain.wording import MOST_NAMED, likely


def test_the_most_alike_comes_first_and_the_unlike_not_at_all():
    assert likely("moive", ["twitter", "movie-2", "movie"]) == ["movie", "movie-2"]


def test_where_none_is_alike_the_first_of_all_are_named():
    known = [f"corpus-{number}" for number in range(MOST_NAMED + 5)]
    assert likely("zzz", known) == known[:MOST_NAMED]
    assert likely("zzz", []) == []
