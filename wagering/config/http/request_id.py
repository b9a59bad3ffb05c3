"""X-Request-ID: one name for a request in its answer, in a problem's ``instance`` and in every line of the log."""

import re
from collections.abc import Callable
from typing import Final
from uuid import uuid4

from django.http import HttpRequest
from django.http.response import HttpResponseBase

HEADER: Final = "X-Request-ID"
META: Final = "HTTP_X_REQUEST_ID"
ACCEPTED: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""A name given by the client is kept if it cannot break a line, a header or a document; else ours takes its place."""


class RequestIdMiddleware:
    """First of all, so that whatever comes later can say which request it is about."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.META.get(META, "")
        name = given if ACCEPTED.fullmatch(given) else uuid4().hex
        request.META[META] = name
        request.request_id = name  # type: ignore[attr-defined]
        response = self.get_response(request)
        response[HEADER] = name
        return response
