"""Logs as JSON, a line an event, with the request's id and without anybody's data.

What a line may say of a person is an id. Names, addresses, passwords, tokens, queries and bodies never enter:
the middleware here logs the path alone, and what a careless call adds is taken out again by its name.
"""

import re
import sys
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from structlog.typing import Processor

HIDDEN: Final = re.compile(
    r"pass|secret|token|authori[sz]ation|cookie|signature|credential|api_?key|e-?mail|user_?name|user_agent|phone"
    r"|address|^ip$|^name$|^(first|last|full|display)_name$|body|query|iban|card",
    re.IGNORECASE,
)
"""Keys whose values are not written."""

# A value that a constraint refused: PostgreSQL repeats it in the detail of its message.
REPEATED: Final = re.compile(r"^(DETAIL|CONTEXT|HINT):.*$", re.MULTILINE)
ADDRESS: Final = re.compile(r"[^\s@\"'<>()]+@[^\s@\"'<>()]+\.[A-Za-z]{2,}")

Event = MutableMapping[str, Any]


class RequestLog(RequestMiddleware):
    """A line when a request is done: method, path without its query, status, the id of who asked."""

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """No addresses."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"


def without_personal_data(_logger: object, _method: str, event: Event) -> Event:
    """Takes out what must not be written, by its key, and e-mail addresses and refused values wherever they are."""
    for key in list(event):
        if key in ("event", "logger", "level", "timestamp", "exception"):
            continue
        if HIDDEN.search(key):
            del event[key]
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = ADDRESS.sub("[address]", REPEATED.sub(r"\1: [left out]", value))
    return event


SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.UnicodeDecoder(),
]


def configure() -> None:
    """Lead structlog's loggers into Python's, where ``settings.LOGGING`` takes over."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def logging(*, level: str, form: str) -> dict[str, Any]:
    """``settings.LOGGING``: everything from ``level`` on, each request's line besides; ``form`` is json or console."""
    renderer: Any = structlog.processors.JSONRenderer()
    if form == "console":
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    traceback: list[Processor] = [] if form == "console" else [structlog.processors.format_exc_info]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *traceback,
                    without_personal_data,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "wagering.config.http.logs": {"level": "INFO"},
            "django_structlog": {"level": "INFO"},
            # Of the tasks that come by the clock, every few seconds, a line each is for whoever asks for it.
            "django_structlog.celery": {"level": level},
            "celery.beat": {"level": level},
            "celery.apps.worker": {"level": "INFO"},  # that it is ready, once
            # The request's own line says all that these do.
            "django.request": {"level": "CRITICAL"},
            "django.server": {"handlers": [], "level": "CRITICAL", "propagate": True},
        },
    }
