"""How long a body may be, and how long it may take: refused by its announced length, before it is read.

A view takes 1 MiB, or what its ``body_max`` says. Under WSGI the announced length is the only one there is; under
ASGI Django reads a body to its end before any middleware, so there the application is wrapped and counts as well, the
seconds too: a proxy in front of WSGI sees to those.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from wagering.config import errors
from wagering.config.http.answers import plain
from wagering.config.http.reading import BodyTooLarge, BodyTooSlow, Unreadable
from wagering.config.http.writing import JSON
from wagering.rest.problems import CONTENT_TYPE, Problem

BODY_MAX: Final = 2**20

STALL_S: Final = 30
"""For how long nothing of a body may come."""

WHOLE_S: Final = 120
"""For how long it may take to its end."""

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
    """Around the ASGI application: a body is refused by its announced length, or when more has come than may, or later.

    Once the body is there, what is received is only that the client goes, and nobody waits for that.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        limit = limit_of(scope["path"])
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if announced.isdigit() and int(announced) > limit:
            await _refuse(send, BodyTooLarge(limit))
            return
        await self.application(scope, self._counting(receive, send, limit), send)

    def _counting(self, receive: Receive, send: Send, limit: int) -> Receive:
        read = 0
        is_whole = is_refused = False
        clock = asyncio.get_running_loop().time
        latest = clock() + WHOLE_S

        async def refuse(refusal: Exception) -> Message:
            # Django gives up a request whose client has gone, and answers nothing more.
            nonlocal is_refused
            is_refused = True
            await _refuse(send, refusal)
            return {"type": "http.disconnect"}

        async def counted() -> Message:
            nonlocal read, is_whole
            if is_refused:
                return {"type": "http.disconnect"}
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(min(clock() + STALL_S, latest)):
                    message = await receive()
            except TimeoutError:
                return await refuse(BodyTooSlow())
            read += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            return await refuse(BodyTooLarge(limit)) if read > limit else message

        return counted


async def _refuse(send: Send, refusal: Exception) -> None:
    problem = _problem(refusal)
    body = JSON().render(problem.as_json(request_id=None))
    headers = [(b"content-type", CONTENT_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    headers.append((b"connection", b"close"))  # the rest of the body is not waited for
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _problem(refusal: Exception) -> Problem:
    problem = errors.problem_of(refusal)
    assert problem
    return problem
