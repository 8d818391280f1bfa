"""The order of a list, as its address has it."""

import pytest

from core.domain.sorting import Sorting


@pytest.mark.parametrize(("text", "sorting"), [("gap", Sorting("gap")), ("-gap", Sorting("gap", is_descending=True))])
def test_an_order_is_read_as_it_is_written(text, sorting):
    assert Sorting.parse(text, {"gap"}) == sorting
    assert str(sorting) == text
    assert Sorting.parse(str(sorting.reverse), {"gap"}).reverse == sorting


@pytest.mark.parametrize("text", ["", "-", "--gap", "gap ", "secret", "gap__x"])
def test_only_columns_that_the_list_has_sort_it(text):
    with pytest.raises(ValueError, match=r".*"):
        Sorting.parse(text, {"gap"})
