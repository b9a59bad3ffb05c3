"""The description of the API, OpenAPI 3.1: what views say of themselves, and what is the same for all of them.

Which problems an operation answers follows from what it is: it has a body, a path with an id, a key, and so on. The
refusals of its services it names itself, ``refusals = {"post": (book.InsufficientFunds, …)}``, and the table in
``errors.py`` says with which status and code.
"""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions as drf
from rest_framework.permissions import AllowAny

from games.access.schema import ways_in
from ledger.money import CURRENCIES
from wagering.config import errors
from wagering.config.http import idempotency, paging, rates, reading
from wagering.config.http.words import meaning
from wagering.rest import retries
from wagering.rest.money_field import SCHEMA as MONEY
from wagering.rest.problems import CONTENT_TYPE, TYPE

GROUPS: Final = (
    "Access",
    "Lobby",
    "Play",
    "People",
    "Wallet",
    "Cashier",
    "Protection",
    "Rooms",
    "Room servers",
    "Seamless wallet",
)
"""The operations' tags, in the order in which a newcomer meets them; others come after these."""

PROBLEM: Final = "Problem"
CURRENCY: Final = "CurrencyEnum"
"""As drf-spectacular calls it where a serializer has one."""
REF: Final = {"$ref": f"#/components/schemas/{PROBLEM}"}

WITH_BODY: Final = ("POST", "PUT", "PATCH")

PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "description": "Why a request was refused: RFC 9457. Programs look at `code`, people read `detail`.",
    "required": ["type", "title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string", "description": "Where the code is explained."},
        "title": {"type": "string", "description": "The status in words."},
        "status": {"type": "integer", "description": "The status of the answer."},
        "code": {"type": "string", "pattern": "^[a-z0-9_]+$", "description": "Which refusal; never changes."},
        "detail": {"type": "string", "description": "What was refused, and why, for a person; may be reworded."},
        "instance": {"type": "string", "description": "The request's id, by which an operator finds its log."},
        "errors": {
            "type": "array",
            "description": "Each thing that is wrong with what was sent, and where.",
            "items": {
                "type": "object",
                "required": ["code", "detail"],
                "properties": {
                    "pointer": {"type": "string", "description": 'JSON Pointer into the body: "/stake/amount".'},
                    "parameter": {"type": "string", "description": "Of the query, or a header."},
                    "code": {"type": "string", "description": "Which rule it breaks."},
                    "detail": {"type": "string", "description": "The same for a person."},
                },
            },
        },
        "balance": {"$ref": "#/components/schemas/Money"},
        "needed": {"$ref": "#/components/schemas/Money"},
        "limit": {"description": "The limit that was reached."},
        "state": {"type": "object", "description": "How the table stands now."},
        "retry_at": {"type": "string", "format": "date-time", "description": "When it may be asked again."},
    },
}

KEY: Final = OpenApiParameter(
    name=idempotency.HEADER,
    type={"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]{1,200}$"},
    location=OpenApiParameter.HEADER,
    required=True,
    description=(
        "New with each new request, and the same when it is repeated: then it is done once, and the repeated one gets "
        "the first one's answer with `Idempotent-Replayed: true`. Kept for seven days."
    ),
)

REQUEST_ID: Final = OpenApiParameter(
    name="X-Request-ID",
    type=OpenApiTypes.STR,
    location=OpenApiParameter.HEADER,
    response=True,
    description="The request's id: yours, if you sent one of 8 to 64 letters, digits, dots, dashes; else a new one.",
)


class Operation(AutoSchema):
    """One method of one address."""

    def get_override_parameters(self) -> list[Any]:
        parameters = [*super().get_override_parameters(), REQUEST_ID]
        if self._is_keyed():
            parameters.append(KEY)
        return parameters

    def _get_parameters(self) -> list[dict[str, Any]]:
        """A part of the address that says nothing of itself is the id of what it is called."""
        parameters: list[dict[str, Any]] = super()._get_parameters()
        for parameter in parameters:
            if parameter["in"] == "path":
                parameter.setdefault("description", f"Id of the {parameter['name'].replace('_', ' ')}.")
        return parameters

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        headers = self._get_response_headers_for_code("400")
        for status, refusals in _by_status(self._refusals()).items():
            bodies.setdefault(str(status), _response(status, refusals, headers))
        return bodies

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        """A body has no other members than those that are described."""
        told: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "request" and not getattr(self.view, "passes_unknown", False):
            told["additionalProperties"] = False
        return told

    def get_auth(self) -> list[Any]:
        """Only the credentials that can let somebody in here."""
        ways = ways_in(self.view)
        auths: list[Any] = super().get_auth()
        return [auth for auth in auths if not auth or ways.keys() & auth.keys()] if ways else auths

    def _is_keyed(self) -> bool:
        return self.method == "POST" and getattr(self.view, "idempotency_key_required", False)

    def _is_open(self) -> bool:
        permissions = self.view.get_permissions()
        return bool(permissions) and all(isinstance(permission, AllowAny) for permission in permissions)

    def _refusals(self) -> Iterator[type[BaseException]]:
        """What this operation may answer, by what it is, and what its view names."""
        yield drf.NotAcceptable
        yield rates.TooManyRequests
        yield retries.TryAgain
        yield reading.Unreadable  # also of an address
        yield reading.BodyTooLarge
        yield drf.ValidationError  # also of a parameter that nothing here has
        if self.method in WITH_BODY:
            yield reading.BodyTooSlow
            yield drf.UnsupportedMediaType
        if not self._is_open():
            yield drf.NotAuthenticated
            yield drf.PermissionDenied
            for refused in ways_in(self.view).values():
                yield from refused
        if "{" in self.path:
            yield drf.NotFound
        if self._is_list_view() and self._get_paginator():  # type: ignore[no-untyped-call]
            yield paging.InvalidCursor
            yield paging.InvalidLimit
        if self._is_keyed():
            yield idempotency.KeyMissing
            yield idempotency.KeyMalformed
            yield idempotency.KeyInFlight
            yield idempotency.KeyUsedOtherwise
        yield from getattr(self.view, "refusals", {}).get(self.method.lower(), ())


def _by_status(refusals: Iterable[type[BaseException]]) -> dict[int, list[type[BaseException]]]:
    found: dict[int, list[type[BaseException]]] = {}
    for refusal in refusals:
        answer = errors.answer_to(refusal)
        assert answer, f"{refusal.__module__}.{refusal.__name__} is not in wagering/config/errors.py"
        found.setdefault(answer.status, []).append(refusal)
    return {status: found[status] for status in sorted(found)}


def _response(status: int, refusals: list[type[BaseException]], headers: dict[str, Any]) -> dict[str, Any]:
    told = {code: (why, _example(status, code, why)) for code, why in map(_code_and_why, refusals)}
    if status in (429, 503):
        after = {"schema": {"type": "integer"}, "description": "Seconds after which to ask again."}
        headers = {**headers, "Retry-After": after}
    return {
        "description": "\n".join(f"* `{code}`: {why}" for code, (why, _) in told.items()),
        "headers": headers,
        "content": {
            CONTENT_TYPE: {
                "schema": REF,
                "examples": {code: {"summary": why, "value": example} for code, (why, example) in told.items()},
            }
        },
    }


def _code_and_why(refusal: type[BaseException]) -> tuple[str, str]:
    answer = errors.answer_to(refusal)
    assert answer
    return answer.code, meaning(refusal)


def _example(status: int, code: str, why: str) -> dict[str, Any]:
    title = HTTPStatus(status).phrase
    return {"type": TYPE.format(code=code), "title": title, "status": status, "code": code, "detail": why}


def problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing: what many operations refer to, once."""
    used = {tag for operations in result["paths"].values() for each in operations.values() for tag in each["tags"]}
    result["tags"] = [{"name": name} for name in (*GROUPS, *sorted(used - {*GROUPS})) if name in used]
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas[PROBLEM] = PROBLEM_SCHEMA
    schemas["Money"] = MONEY
    for name, schema in schemas.items():
        if name.startswith("Paginated"):
            schema["properties"]["results"]["description"] = "What is on this page, in the order of the list."
    currencies = {"type": "string", "enum": sorted(CURRENCIES), "description": "ISO 4217, or PLAY for play money."}
    result = _with_currencies_once(result)
    result["components"]["schemas"][CURRENCY] = currencies
    return result


def _with_currencies_once(told: Any) -> Any:
    """Wherever all currencies are listed, only where they are listed."""
    if isinstance(told, list):
        return [_with_currencies_once(each) for each in told]
    if not isinstance(told, dict):
        return told
    if told.get("enum") == sorted(CURRENCIES):
        more = {name: told[name] for name in ("description", "example") if name in told}
        return {"$ref": f"#/components/schemas/{CURRENCY}", **more}
    return {name: _with_currencies_once(each) for name, each in told.items()}


def codes() -> dict[str, tuple[int, str]]:
    """Every code, with its status and what it means, in the order of the table."""
    found: dict[str, tuple[int, str]] = {}
    for refusal in errors.ANSWERS:
        answer = errors.ANSWERS[refusal]
        _, why = _code_and_why(refusal)
        found.setdefault(answer.code, (answer.status, why))
    return found
