"""What a browser, or a cache on the way, is told of every answer."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from wagering.config.http.answers import API

ALLOWED: Final = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",  # what draws the admin reads expressions from its pages
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
POLICY: Final = "; ".join(f"{what} {whom}" for what, whom in ALLOWED.items())


class Headers:
    """An answer that does not say otherwise is kept nowhere, and its page asks nobody but this server."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.path.startswith(API):
            response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response
