"""Django's own error pages: problems under /v1, Django's plain pages elsewhere (the admin)."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.views import defaults
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.views import APIView

from wagering.config import errors
from wagering.config.http.answers import API, WENT_WRONG, plain
from wagering.rest.problems import Problem


class Nowhere(APIView):
    """Every address under /v1 that is none; last on the page of addresses."""

    permission_classes = (AllowAny,)
    schema = None

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        raise NotFound


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """400, or 413 for a body that Django found too large."""
    if not request.path.startswith(API):
        return defaults.bad_request(request, exception)
    problem = errors.problem_of(exception)
    assert problem, "Django gives this page what is in the table"
    return plain(Problem(problem.status, problem.code, "The request cannot be read."), request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """404."""
    if not request.path.startswith(API):
        return defaults.page_not_found(request, exception)
    problem = errors.problem_of(exception)
    assert problem, "Django gives this page what is in the table"
    return plain(problem, request)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """403."""
    if not request.path.startswith(API):
        return defaults.permission_denied(request, exception)
    return plain(Problem(403, "not_allowed", "This is not allowed."), request)


def went_wrong(request: HttpRequest) -> HttpResponseBase:
    """500: we were wrong. The log knows more under the id that is told; the client is told nothing else."""
    if not request.path.startswith(API):
        return defaults.server_error(request)
    return plain(WENT_WRONG, request)
