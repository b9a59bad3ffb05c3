"""How long a body may be: refused by its announced length, before it is read.

A view takes 1 MiB, or what its ``body_max`` says. Under WSGI the announced length is the only one there is; under
ASGI Django reads a body to its end before any middleware, so there the application is wrapped and counts as well.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from wagering.config import errors
from wagering.config.http.answers import plain
from wagering.config.http.reading import BodyTooLarge, Unreadable
from wagering.config.http.writing import JSON
from wagering.rest.problems import CONTENT_TYPE, Problem

BODY_MAX: Final = 2**20

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def limit_of(path: str) -> int:
    """The most bytes that the view at ``path`` takes."""
    try:
        view = resolve(path).func
    except Resolver404:
        return BODY_MAX
    limit: int = getattr(getattr(view, "cls", None), "body_max", BODY_MAX)
    return limit


class BodyLimitMiddleware:
    """Refuses what is too long, and addresses with a NUL, which no text of the database can hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return plain(_problem(Unreadable("the address has a NUL")), request)
        announced = request.META.get("CONTENT_LENGTH") or "0"
        if announced.isdigit() and int(announced) > BODY_MAX and int(announced) > (limit := limit_of(request.path)):
            return plain(_problem(BodyTooLarge(limit)), request)
        return self.get_response(request)


class BodyLimitASGI:
    """Around the ASGI application: a body is refused by its announced length, or when more has come than may."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        limit = limit_of(scope["path"])
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if announced.isdigit() and int(announced) > limit:
            await _refuse(send, limit)
            return
        await self.application(scope, self._counting(receive, send, limit), send)

    def _counting(self, receive: Receive, send: Send, limit: int) -> Receive:
        read = 0
        refused = False

        async def counted() -> Message:
            nonlocal read, refused
            if refused:
                return {"type": "http.disconnect"}
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                # Django gives up a request whose client has gone, and answers nothing more.
                refused = True
                await _refuse(send, limit)
                return {"type": "http.disconnect"}
            return message

        return counted


async def _refuse(send: Send, limit: int) -> None:
    body = JSON().render(_problem(BodyTooLarge(limit)).as_json(request_id=None))
    headers = [(b"content-type", CONTENT_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    headers.append((b"connection", b"close"))  # the rest of the body is not waited for
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _problem(refusal: Exception) -> Problem:
    problem = errors.problem_of(refusal)
    assert problem
    return problem
