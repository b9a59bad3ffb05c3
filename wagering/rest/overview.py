"""What an operator sees first. An app adds a line by a function, named in settings.OVERVIEW."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class Line:
    """How many ``rows`` there are of what ``text`` says; ``query`` finds them in the list of their model in the admin.

    ``calls`` for what an operator has to do something about.
    """

    text: str
    rows: QuerySet[Any]
    query: Mapping[str, str] = field(default_factory=dict)
    calls: bool = False
