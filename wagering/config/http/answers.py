"""From a refusal to the answer: for DRF's views, for Django's own pages, and for middleware before either."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import force_str
from rest_framework.exceptions import AuthenticationFailed, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access.services import LogInRefused
from wagering.config import errors
from wagering.config.http import known, rates
from wagering.config.http.clients import player_of
from wagering.config.http.writing import JSON
from wagering.rest.problems import CONTENT_TYPE, Fault, Problem

API: Final = "/v1/"

CHOICES_SHOWN: Final = 20

WENT_WRONG: Final = Problem(500, "went_wrong", "Something went wrong here. Tell the operator the instance.")


def exception_handler(refusal: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER. What the table does not have is no refusal: it goes on as the crash that it is."""
    request: Request = context["request"]
    # Refused before anything was done: a credential. Wrong passwords are counted where they are tried.
    if isinstance(refusal, AuthenticationFailed) and not isinstance(refusal, LogInRefused):
        try:
            rates.count_guess(request._request)
        except (rates.TooManyRequests, OperationalError, InterfaceError) as instead:
            refusal = instead
    problem = errors.problem_of(refusal, asker=lambda: player_of(request))
    if problem is None:
        return None
    headers = dict(problem.headers)
    if challenge := getattr(refusal, "auth_header", None):
        headers["WWW-Authenticate"] = force_str(challenge)
    if isinstance(refusal, ValidationError):
        faults = [_with_choices(fault, type(context["view"]), str(request.method)) for fault in problem.errors]
        problem = replace(problem, errors=tuple(faults), detail=errors.summed_up(faults))
    if request.method in ("GET", "HEAD"):
        problem = replace(problem, errors=tuple(_of_the_query(fault) for fault in problem.errors))
    retry_at = problem.more.get("retry_at")
    if isinstance(retry_at, datetime) and "Retry-After" not in headers:
        headers["Retry-After"] = str(max(1, round((retry_at - datetime.now(UTC)).total_seconds())))
    response = Response(
        problem.as_json(request_id=request_id_of(request._request)),
        status=problem.status,
        headers=headers,
        content_type=CONTENT_TYPE,
    )
    if problem.status == 405:
        response["Allow"] = ", ".join(context["view"].allowed_methods)
    return response


def plain(problem: Problem, request: HttpRequest) -> HttpResponse:
    """The answer outside DRF's views."""
    document = problem.as_json(request_id=request_id_of(request))
    return HttpResponse(
        JSON().render(document), status=problem.status, content_type=CONTENT_TYPE, headers=dict(problem.headers)
    )


def request_id_of(request: HttpRequest) -> str | None:
    """The id that the request goes by in answers and logs."""
    return getattr(request, "request_id", None)


def _with_choices(fault: Fault, view: type[APIView], method: str) -> Fault:
    """DRF says that it is none of the choices; which there are is said here, if they are few."""
    if fault.code != "invalid_choice" or not fault.pointer:
        return fault
    choices = known.choices_at(fault.pointer, view=view, method=method)
    told = f"is none of {', '.join(choices)}" if 0 < len(choices) <= CHOICES_SHOWN else "is none of those described"
    return replace(fault, detail=fault.detail.replace("is not a valid choice.", told))


def _of_the_query(fault: Fault) -> Fault:
    """A GET has no body: what is wrong is a parameter of the query."""
    if fault.parameter or not fault.pointer:
        return fault
    return Fault(code=fault.code, detail=fault.detail, parameter=fault.pointer.removeprefix("/"))
