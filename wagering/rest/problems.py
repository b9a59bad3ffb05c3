"""A refusal as clients see it: RFC 9457, ``application/problem+json``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

CONTENT_TYPE: Final = "application/problem+json"

TYPE: Final = "/v1/docs#problem-{code}"
"""``type`` of a problem: where its ``code`` is explained."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with what was sent. ``pointer`` is a JSON Pointer (RFC 6901) into the body: "/stake/amount".

    A fault of the query or of a header has no pointer but a ``parameter``.
    """

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None

    def as_json(self) -> dict[str, str]:
        where = {"pointer": self.pointer} if self.parameter is None else {"parameter": self.parameter}
        return {name: value for name, value in where.items() if value is not None} | {
            "code": self.code,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Problem:
    """What a refusal tells. ``code`` is for programs and stays as it is, ``detail`` for people and may be reworded.

    ``more`` are further members (balance, limit, retry_at, state), ``headers`` go with the answer.
    """

    status: int
    code: str
    detail: str
    errors: tuple[Fault, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_json(self, *, request_id: str | None) -> dict[str, Any]:
        """The document; ``request_id`` is its ``instance``, by which an operator finds the log."""
        told: dict[str, Any] = {
            "type": TYPE.format(code=self.code),
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        if request_id:
            told["instance"] = f"urn:request:{request_id}"
        if self.errors:
            told["errors"] = [fault.as_json() for fault in self.errors]
        return told | dict(self.more)


def pointer(*path: str | int) -> str:
    """A JSON Pointer: ``pointer("stake", "amount")`` is "/stake/amount"."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
