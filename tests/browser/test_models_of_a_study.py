"""The models beside the people in a study: the whole table is seen on a desk."""

import pytest

from core.models import User
from tests.browser.conftest import PHONE
from tests.samples import SampleData

CUT_OFF = "(wrap) => wrap.scrollWidth - wrap.clientWidth"
NO_SIDEWAYS_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def sample(transactional_db) -> SampleData:
    """Load the sample where the server finds it."""
    return SampleData.load()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_column_is_seen_on_a_desk_and_a_phone_scrolls_the_table_alone(sample, open_page, language):
    ines = User.objects.get(username="ines")
    ines.language = language
    ines.save()
    address = sample.address("study_models")
    page = open_page(address, by=ines)
    for width in (1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".table-wrap").evaluate(CUT_OFF) <= 0, f"cut off at {width}"
        assert page.evaluate(NO_SIDEWAYS_SCROLL)
    page = open_page(address, by=ines, **PHONE)
    assert page.evaluate(NO_SIDEWAYS_SCROLL)
