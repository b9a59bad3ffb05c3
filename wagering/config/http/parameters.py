"""The parameters of a query: one that the operation does not have is refused, like a member of a body."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from wagering.config.http import known
from wagering.config.http.answers import plain
from wagering.rest.problems import Fault, Problem

NAME_SHOWN = 80


class UnknownParameters:
    """422 with the name of each."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponseBase | None:
        cls = getattr(view, "cls", None)
        if not request.GET or cls is None:
            return None
        has = known.parameters_of(cls, str(request.method))
        if has is None or has.issuperset(request.GET):
            return None
        told = [(name[:NAME_SHOWN], known.rule(sorted(has))) for name in request.GET if name not in has]
        wrong = [Fault(known.CODE, f"{name}: {rule}", parameter=name) for name, rule in told]
        return plain(Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", wrong[0].detail, tuple(wrong)), request)
