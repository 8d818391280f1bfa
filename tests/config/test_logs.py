"""What gunicorn says of requests is not logged."""

import logging
import sys

from config.logs import without_requests


def written(message: str, *arguments: object, error: Exception | None = None) -> str | None:
    try:
        raise error or ValueError
    except Exception:
        raised = sys.exc_info() if error else None
    record = logging.LogRecord("gunicorn.error", logging.WARNING, "", 0, message, arguments, raised)
    return logging.Formatter().format(record) if without_requests(record) else None


def test_a_request_that_is_none_leaves_no_line():
    assert written("Invalid request from ip=203.0.113.9: Invalid HTTP Version") is None


def test_a_request_that_broke_leaves_frames_without_its_address_and_what_was_said():
    line = written("Error handling request %s %s", "GET", "/invitation/secret/", error=ValueError("Key (name)=(Lin)"))
    assert "ValueError" in line
    assert "in written" in line
    assert "secret" not in line
    assert "Lin" not in line


def test_other_lines_stay():
    assert written("WORKER TIMEOUT (pid:%s)", 7) == "WORKER TIMEOUT (pid:7)"
