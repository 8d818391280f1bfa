"""The way back to a platform: where a browser is sent, and where never."""

import pytest

from core.domain.wording import ChoiceError
from study.domain.survey.returns import WayToPlatform, checked_address, way_back


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "https://example.org",
        " https://example.org/done?cc={code}&x=1 ",
        "https://example.org:8443/{code}/",
        "https://connect.cloudresearch.com/participant/project/ABC/complete",
    ],
)
def test_an_address_by_https_is_taken(typed):
    assert checked_address(typed) == typed.strip()


@pytest.mark.parametrize(
    "typed",
    [
        "http://example.org/?cc={code}",
        "javascript:alert(1)",
        "//example.org/",
        "/take/x/",
        "https://",
        "https:///path",
        "https:example.org",
        "https://{code}.example.org/",
        "https://rui:secret@example.org/",
        "https://example.org/{cod}",
        "https://example.org/a b",
        'https://example.org/"x',
        "https://example.org:123456/",
        "https://example.org:x/",
        "https://example.org\\@evil.example/",
        "https://exämple.org/",
        "https://[::1",
        "https://example.org/" + "x" * 500,
        "data:text/html,x",
    ],
)
def test_what_no_browser_should_be_sent_to_is_refused(typed):
    with pytest.raises(ChoiceError):
        checked_address(typed)


def test_each_platform_has_its_way_back():
    assert way_back("", "prolific", {}, "AB-C") == WayToPlatform(
        "Prolific", "https://app.prolific.com/submissions/complete?cc=AB-C"
    )
    own = "https://sona.example.org/credit?code={code}&u=1"
    assert way_back(own, "prolific", {}, "AB-C").address == "https://sona.example.org/credit?code=AB-C&u=1"
    assert way_back("", "", {}, "AB") is None
    assert way_back("", "mturk", {"assignmentId": "3B"}, "AB") is None


@pytest.mark.parametrize("host", ["www.mturk.com", "workersandbox.mturk.com"])
def test_mturk_is_sent_a_form_where_it_said_whereto(host):
    found = way_back("", "mturk", {"assignmentId": "3B", "turkSubmitTo": f"https://{host}"}, "AB-C")
    assert (found.address, found.fields) == (
        f"https://{host}/mturk/externalSubmit",
        {"assignmentId": "3B", "code": "AB-C"},
    )
    assert found.origin == f"https://{host}"


@pytest.mark.parametrize(
    "whereto",
    [
        "http://www.mturk.com",
        "https://evil.example",
        "https://www.mturk.com.evil.example",
        "https://www.mturk.com@evil.example",
        "x",
    ],
)
def test_no_one_else_is_sent_the_form(whereto):
    assert way_back("", "mturk", {"assignmentId": "3B", "turkSubmitTo": whereto}, "AB-C") is None
