"""Idempotency-Key: a POST that moves money or plays is done once, however often it is sent.

The answer is remembered in the transaction that does the work: both are there, or neither. Only work that was done is
remembered, so what was refused may be sent again with its key. A key is the client's own, and one address's.
"""

import hashlib
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import User
from games.prepared import Statement
from wagering.config.http.clients import client_of
from wagering.config.http.writing import JSON
from wagering.config.models import Answered
from wagering.rest.retries import outermost

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotent-Replayed"
KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")
KEPT: Final = timedelta(days=7)
HEADERS: Final = ("Location", "ETag")
"""Headers of an answer that are remembered with it."""

# Both locks are let go when the transaction ends, however it ends. The payload's comes first: whoever holds the key's
# has told everyone, by the other, what it is for. What was answered before is read in the same round trip, as it was
# when the statement began: a rival who commits between that and the lock is found by the key of the table instead.
CLAIM: Final = Statement(
    name="idempotency_claim",
    text="""
    SELECT CASE WHEN NOT pg_try_advisory_xact_lock(hashtextextended($4, 0)) THEN 'same payload'
                WHEN NOT pg_try_advisory_xact_lock(hashtextextended($5, 0)) THEN 'other payload' END,
           answered.fingerprint, answered.status, answered.body, answered.headers
    FROM (VALUES (1)) AS asked
    LEFT JOIN config_answered AS answered
           ON answered.client = $1 AND answered.path = $2 AND answered.key = $3
    """,
)

REMEMBER: Final = Statement(
    name="idempotency_remember",
    text="""
    INSERT INTO config_answered (client, path, key, fingerprint, status, body, headers, answered_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
    ON CONFLICT (client, path, key) DO NOTHING
    RETURNING true
    """,
)


class KeyMissing(ValueError):
    """What moves money or plays must carry a key, so that it can be sent again without being done again."""

    def __init__(self) -> None:
        super().__init__(f"{HEADER}: is missing; send a new one with each new request, and the same when repeating it")


class KeyMalformed(ValueError):
    """A key is 1 to 200 visible ASCII characters."""

    def __init__(self) -> None:
        super().__init__(f"{HEADER}: is not 1 to 200 visible ASCII characters")


class KeyUsedOtherwise(ValueError):
    """The key came with another body before, or does so now."""

    def __init__(self) -> None:
        super().__init__(f"{HEADER}: was sent with another body; a new request needs a new key")


class KeyInFlight(ValueError):
    """The same request is being done at this moment; ask again for its answer."""

    def __init__(self) -> None:
        super().__init__(f"{HEADER}: the same request is being done now; send it again in a moment for its answer")


class _Overtaken(Exception):
    """A rival with the same key was done just before the key was claimed."""


class IdempotencyMiddleware:
    """Enforces ``idempotency_key_required`` of a view, whatever app it is of."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        cls = getattr(view, "cls", None)
        if request.method != "POST" or not getattr(cls, "idempotency_key_required", False):
            return None
        assert cls is not None
        return _once(cls).as_view(**getattr(view, "initkwargs", {}))(request, *args, **kwargs)


@cache
def _once(cls: type[APIView]) -> type[APIView]:
    return type(cls.__name__, (_Once, cls), {"__module__": cls.__module__, "__doc__": cls.__doc__})


class _Once(APIView):
    """Goes before a view's own class: its POST is done once for each key, after all that lets the client in."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        view: Any = self
        view.post = self._done_once(view.post)

    def _done_once(self, post: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        def once(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            asked = _Asked(request)
            try:
                return outermost(_do)(asked, lambda: post(request, *args, **kwargs))
            except _Overtaken:
                return outermost(_do)(asked, lambda: post(request, *args, **kwargs))  # finds the rival's answer

        return once


class _Asked:
    """One request, as far as it matters for being the same. Raises KeyMissing, KeyMalformed, NotAuthenticated."""

    def __init__(self, request: Request) -> None:
        key = request.headers.get(HEADER)
        if key is None:
            raise KeyMissing
        if not KEY.fullmatch(key):
            raise KeyMalformed
        if not request.user or not request.user.is_authenticated:
            raise NotAuthenticated  # many may share an address; an answer is one's own
        self.key, self.client, self.path = key, client_of(request), request.path
        said = json.dumps(request.data, sort_keys=True, separators=(",", ":"), default=_fraction)
        query = request._request.META.get("QUERY_STRING", "")
        self.fingerprint = hashlib.sha256(f"{query}\n{said}".encode()).hexdigest()

    @property
    def of_key(self) -> tuple[str, str, str]:
        return self.client, self.path, self.key


def _fraction(value: Any) -> str:
    assert isinstance(value, Decimal), f"{type(value).__name__} did not come from JSON"
    return f"number {value}"


def _do(asked: _Asked, post: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    with transaction.atomic():
        claimed, *earlier = _claim(asked)
        fingerprint, *answer = earlier
        if fingerprint is not None:
            if fingerprint != asked.fingerprint:
                raise KeyUsedOtherwise
            return _again(*answer)
        if claimed == "same payload":
            raise KeyInFlight
        if claimed == "other payload":
            raise KeyUsedOtherwise
        return _remembered(asked, post())


def _claim(asked: _Asked) -> tuple[Any, ...]:
    """What is in the way, if anything; and fingerprint, status, body and headers of what was answered before."""
    lock = "\x1f".join(("idempotency", *asked.of_key))
    found = CLAIM.one(*asked.of_key, f"{lock}\x1f{asked.fingerprint}", lock)
    assert found is not None, "a row whatever was answered"
    return found


def _remembered(asked: _Asked, done: HttpResponseBase) -> HttpResponseBase:
    if not 200 <= done.status_code < 300:
        transaction.set_rollback(True)  # a refusal that was returned, not raised
        return done
    assert isinstance(done, Response), "an answer that is remembered is a Response"
    body = b"" if done.data is None else JSON().render(done.data)
    headers = {name: done[name] for name in HEADERS if done.has_header(name)}
    answer = (asked.fingerprint, done.status_code, body.decode(), json.dumps(headers))
    if REMEMBER.one(*asked.of_key, *answer) is None:
        raise _Overtaken
    response = _answer(done.status_code, body, headers)
    for name, value in done.items():
        response.setdefault(name, value)
    return response


def _again(status: int, body: str, headers: str) -> HttpResponse:
    response = _answer(status, body.encode(), json.loads(headers))
    response[REPLAYED] = "true"
    return response


def _answer(status: int, body: bytes, headers: dict[str, str]) -> HttpResponse:
    """The very bytes, the first time as any other."""
    return HttpResponse(body, status=status, content_type="application/json", headers=headers)


def forget_client(*, user: User) -> None:
    """What was answered to a client who is to be forgotten, word for word."""
    Answered.objects.filter(client=f"user:{user.pk}").delete()


def purge(*, before: datetime) -> int:
    """Forget the answers given before then, ``KEPT`` ago as a rule; how many there were."""
    deleted, _ = Answered.objects.filter(answered_at__lt=before).delete()
    return deleted
