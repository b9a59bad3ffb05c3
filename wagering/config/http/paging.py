"""Lists by cursor: what is added meanwhile neither repeats nor hides anything of the pages behind it."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.views import APIView

PAGE_MAX: Final = 200


class InvalidCursor(ValueError):
    """The cursor is none that a page of this list gave."""

    def __init__(self) -> None:
        super().__init__("cursor: is none that this list gave; take next or previous from a page as they are")


class InvalidLimit(ValueError):
    """The length of a page is a number within bounds."""

    def __init__(self) -> None:
        super().__init__(f"limit: is no whole number from 1 to {PAGE_MAX}")


class Pages(CursorPagination):
    """``{"next": url or null, "previous": url or null, "results": […]}``, in the ``ordering`` of the view."""

    page_size = 50
    max_page_size = PAGE_MAX
    page_size_query_param: str = "limit"
    cursor_query_description: str = "Where the page begins: taken from `next` or `previous` of another page, as it is."
    page_size_query_description: str = "How many to give at most, 1 to 200; 50 if it is left out."

    def get_page_size(self, request: Request) -> int | None:
        asked = request.query_params.get(self.page_size_query_param)
        if asked is None:
            return self.page_size
        if not asked.isascii() or not asked.isdigit() or len(asked) > 3 or not 1 <= int(asked) <= PAGE_MAX:
            raise InvalidLimit
        return int(asked)

    def get_ordering(self, request: Request, queryset: Any, view: APIView) -> tuple[str, ...]:
        ordering = getattr(view, "ordering", None)
        assert ordering, f"{type(view).__name__} pages without an ordering"
        return tuple(ordering)

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise InvalidCursor from None
        if cursor and "\0" in str(cursor.position):
            raise InvalidCursor
        return cursor

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (InvalidCursor, InvalidLimit):
            raise
        except (ValueError, ValidationError, ArithmeticError, DataError):  # a position that is no value of the column
            raise InvalidCursor from None

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": {**link, "description": "Address of the next page; null on the last.", "example": None},
                "previous": {**link, "description": "Address of the page before; null on the first.", "example": None},
                "results": schema,  # as it is: an example is made by putting it in its place
            },
        }
