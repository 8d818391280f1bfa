"""Logs: structured, without personal data. No request body, no network address, no user name is ever written."""

import traceback
from typing import Any

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
    """Stands where django-axes asks for the client's address.

    One value for everybody, not None: its table keeps two failures at once from making two rows of one person only
    where the address is not NULL.
    """
    return "0.0.0.0"  # noqa: S104


def frames(exc_info: ExcInfo) -> str:
    """An exception as its kind and places in the code. Its message is left out: a database, for one, repeats values."""
    lines: list[str] = []
    error: BaseException | None = exc_info[1]
    while error is not None:
        lines += [*traceback.format_tb(error.__traceback__), f"{type(error).__qualname__}\n"]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "".join(lines)


def configure(style: str) -> dict[str, Any]:
    """The LOGGING setting: `json` for production, `text` for a terminal."""
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
