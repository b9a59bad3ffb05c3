"""What an operation knows: the members of its body, each in its sort of JSON, and the parameters of its query.

All else is refused by name. Passed over, ``"movs": 3`` would be a table with terms that nobody meant. What an operation
knows is what its description says (drf-spectacular), so the two cannot differ. A view with ``passes_unknown = True``
takes any member beside its own, as the protocols of others want it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, serializers
from rest_framework.generics import ListAPIView

from wagering.config.http.paging import Pages
from wagering.config.http.sorts import wrong_sort

CODE: Final = "unknown"

View = Any
"""The class of an APIView, which mypy takes for no key of a cache."""


def refuse_members(body: Mapping[str, Any], *, view: View, method: str) -> None:
    """Nothing, if the operation knows all that is in ``body``, however deep, and how it is written.

    Raises ValidationError.
    """
    if wrong := _wrong(body, _asked(view, method), passes_unknown=getattr(view, "passes_unknown", False)):
        raise exceptions.ValidationError(wrong)


def choices_at(path: str, *, view: View, method: str) -> list[str]:
    """What may be chosen at a JSON Pointer into the body, or for a parameter of the query; nothing, if anything may."""
    name, *deeper = path.strip("/").split("/")
    field = (
        _queried(view, method).get(name) if method == "GET" else getattr(_asked(view, method), "fields", {}).get(name)
    )
    for name in deeper:
        field = getattr(field, "fields", {}).get(name)
    return [str(choice) for choice in getattr(field, "choices", ())]


def rule(names: Iterable[str]) -> str:
    """What is said of a name that is not among ``names``."""
    return f"is not known here; {', '.join(names) or 'nothing'} would be"


@cache
def parameters_of(view: View, method: str) -> frozenset[str] | None:
    """The parameters of the query that the operation has; None for one that is not described."""
    described = _description(view, method)
    return None if described is None else frozenset(_parameters(described))


def _wrong(value: object, asked: Any, *, passes_unknown: bool) -> dict[Any, Any] | list[Any]:
    """What ``asked`` does not know of ``value``, in the form in which a serializer tells what is wrong."""
    if isinstance(asked, serializers.ListSerializer | serializers.ListField) and isinstance(value, list):
        told = ((at, _wrong(each, asked.child, passes_unknown=passes_unknown)) for at, each in enumerate(value))
        return {at: wrong for at, wrong in told if wrong}
    if not isinstance(asked, serializers.Serializer) or not isinstance(value, dict):
        return wrong_sort(value, asked)
    known = {name: field for name, field in asked.fields.items() if not field.read_only}
    found: dict[Any, Any] = {}
    for name, inner in value.items():
        if name not in known:
            if not passes_unknown:
                found[name] = [exceptions.ErrorDetail(rule(known), CODE)]
        elif deeper := _wrong(inner, known[name], passes_unknown=passes_unknown):
            found[name] = deeper
    return found


@cache
def _queried(view: View, method: str) -> dict[str, Any]:
    """The fields of the serializers that read the query."""
    described = _description(view, method)
    told = described.get_override_parameters() if described else ()
    return {name: field for each in told if isinstance(each, type) for name, field in each().fields.items()}


@cache
def _asked(view: View, method: str) -> Any:
    """The serializer of the operation's body, None if there is none."""
    described = _description(view, method)
    if described is None:
        return None
    asked = described.get_request_serializer()
    return asked() if isinstance(asked, type) else asked


def _parameters(described: Any) -> Iterator[str]:
    for parameter in described.get_override_parameters():
        if not isinstance(parameter, OpenApiParameter):
            yield from parameter().fields
        elif parameter.location == OpenApiParameter.QUERY:
            yield parameter.name
    if isinstance(described.view, ListAPIView) and described.method == "GET":
        yield from (Pages.cursor_query_param, Pages.page_size_query_param)


@cache
def _description(view: View, method: str) -> Any:
    """What ``extend_schema`` has said of the operation, None if nothing."""
    made = getattr(getattr(view, method.lower(), None), "kwargs", {}).get("schema")
    if made is None:
        return None
    described = made()
    described.view, described.method = view(), method
    described.view.request, described.view.kwargs = None, {}
    return None if described.is_excluded() else described
