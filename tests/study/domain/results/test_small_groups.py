"""Which derived groups are too small to be told of, and what is left of figures without them."""

from study.domain.results.small_groups import small_groups, without_groups


def test_a_derived_group_of_one_to_four_people_is_small_and_others_are_not():
    sizes = {"ubuntu": 4, "linux": 5, "nobody": 0, "crowd": 2}
    cells = [{"group": name, "people": people} for name, people in sizes.items()]
    cells.append({"group": "linux", "people": 1})  # on one corpus
    assert small_groups(cells, ["ubuntu", "linux", "nobody"]) == ["ubuntu"]


def test_no_row_of_such_a_group_or_against_it_is_left_at_any_depth():
    figures = {
        "people": 9,
        "cells": [{"group": None, "k": 7}, {"group": "ubuntu", "k": 1}],
        "sets": [{"kind": "none", "cells": [{"group": "ubuntu"}, {"group": "crowd"}]}],
        "rows": [{"group": "crowd", "against": "ubuntu"}, {"group": None, "against": None}],
        "questions": [{"field": "group", "name": "ubuntu"}, {"field": "form", "name": "ubuntu"}],
    }
    left = without_groups(figures, ["ubuntu"])
    assert left["people"] == 9
    assert left["cells"] == [{"group": None, "k": 7}]
    assert left["sets"] == [{"kind": "none", "cells": [{"group": "crowd"}]}]
    assert left["rows"] == [{"group": None, "against": None}]
    assert left["questions"] == [{"field": "form", "name": "ubuntu"}]
