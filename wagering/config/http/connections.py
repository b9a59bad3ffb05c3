"""A connection goes back to the pool before the answer is sent: a client may read as slowly as it likes."""

from collections.abc import Callable

from django.db import connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class GiveBack:
    """Outermost, so that nobody asks the database any more. What is streamed looks after itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not response.streaming:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:  # nobody's who calls this from a transaction of his own
                    connection.close_if_unusable_or_obsolete()
        return response
