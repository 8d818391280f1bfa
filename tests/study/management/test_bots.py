"""A bot reads the pages of a survey as a browser does."""

import pytest

from study.actions.survey import groups, studies
from study.management.bots import Bot, Browser
from study.models import Identity
from tests.study import study_cases

SENT = "PROLIFIC_PID=5f2a91c04be7d8136a0e4471&SESSION_ID=61b7c3d2e8f90a1b2c3d4e5f"


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_a_platform_sends_joins_by_its_id_and_keeps_its_way_back(live_server, administrator):
    study = study_cases.study("lines", by=administrator, is_open=False)
    group = study.groups.get()
    groups.change(group=group, quota=None, requires_id=True, by=administrator)
    studies.open_(study=study, reason="Written for tests.", by=administrator)
    link = f"{live_server.url}/take/{group.token}/"

    nameless, sent = Bot(link, _first_lines), Bot(f"{link}?{SENT}", _first_lines)
    assert not nameless.join()
    assert sent.join()
    identity = Identity.objects.get()
    assert (identity.platform, identity.person) == ("prolific", "5f2a91c04be7d8136a0e4471")

    page = Browser().open(sent.resume_link)
    assert sent.resume_link.startswith(f"{link}back/")
    assert page.form("back") == f"{link}back/"
    assert page.form("join") == ""


def _first_lines(asked):
    return [0, 1], 9_000
