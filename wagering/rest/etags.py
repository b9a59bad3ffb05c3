"""ETag and If-Match, for what is edited: a change made from an old copy is refused, not merged and not lost."""

import hashlib
from typing import Final

from django.http import HttpRequest
from django.utils.http import parse_etags
from rest_framework.request import Request

ANY: Final = "*"


class IfMatchMissing(ValueError):
    """A change must say which version it was made from."""

    def __init__(self) -> None:
        super().__init__("If-Match: is missing; send the ETag of the version that you change")


class VersionPassed(ValueError):
    """The thing was changed since the caller read it. ``etag`` is that of the present version."""

    def __init__(self, etag: str) -> None:
        super().__init__(f"If-Match: this is not the present version, which is {etag}; read it again")
        self.etag = etag


def etag(*parts: object) -> str:
    """A strong ETag over what makes a version: an id and a number, or every field."""
    text = "\x1f".join(str(part) for part in parts)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def require_match(request: Request | HttpRequest, present: str) -> None:
    """Go on only if the caller has seen ``present``. Ask under the row's lock. Raises IfMatchMissing, VersionPassed."""
    header = request.headers.get("If-Match", "")
    if not header:
        raise IfMatchMissing
    named = parse_etags(header)
    if ANY not in named and present not in named:
        raise VersionPassed(present)


def seen(request: Request | HttpRequest, present: str) -> bool:
    """Whether the caller holds ``present`` already (If-None-Match), so that 304 without a body is the answer."""
    named = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    return ANY in named or present in named
