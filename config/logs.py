"""Structured logs without personal data: never a request body, a network address or a user name."""

import logging
import traceback
from typing import Any, cast

import structlog
from django.http import HttpRequest
from structlog.typing import ExcInfo, Processor

SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def no_address(request: HttpRequest) -> str:
    """Return a constant in place of the client's address, for django-axes.

    It is one value for all, not None: the unique key of its table, which keeps two failures at once from making two
    rows for one user name, ignores NULL.
    """
    return "0.0.0.0"  # noqa: S104


def without_requests(record: logging.LogRecord) -> bool:
    """Filter what gunicorn logs: no client's address, no page's, which can be a secret, and no message of an error."""
    said = str(record.msg)
    if said.startswith("Error handling request") and record.exc_info:
        record.msg, record.args, record.exc_text = (
            "Error handling a request",
            (),
            frames(cast(ExcInfo, record.exc_info)),
        )
    return not said.startswith("Invalid request from ip=")


def frames(exc_info: ExcInfo) -> str:
    """Format an exception as its class and its frames. The message is left out: it may repeat values of a database."""
    lines: list[str] = []
    error: BaseException | None = exc_info[1]
    while error is not None:
        lines += [*traceback.format_tb(error.__traceback__), f"{type(error).__qualname__}\n"]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "".join(lines)


def configure(style: str) -> dict[str, Any]:
    """Return the LOGGING setting: `json` for production, `text` for a terminal."""
    renderer = structlog.processors.JSONRenderer() if style == "json" else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": SHARED,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.ExceptionRenderer(frames),
            renderer,
        ],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"colloquy": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "colloquy"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "annotation": {"level": "INFO"},
            "study": {"level": "INFO"},
            # axes names the person who failed to sign in; the sign-in page tells that person instead
            "axes": {"level": "CRITICAL"},
            # they name addresses, and an invitation's address is a secret; core.views.errors logs what broke
            "django.request": {"level": "CRITICAL"},
            "django.security.csrf": {"level": "CRITICAL"},
        },
    }
