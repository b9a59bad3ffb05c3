"""Each example of a request can be sent as it stands: it is read, and answered as described."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.contrib.auth.hashers import make_password

from games.models import Player, User
from tests.access.callers import client_of
from tests.api.test_fuzz import CHECKS, CLOSED, at_a_table
from tests.api.test_schema import ALL, schema
from wagering.config.wsgi import application

UNREAD = {400, 422}


def examples() -> list[tuple[str, str, Any]]:
    """Operation, name and body of each that players may send."""
    return [
        (name, told, example["value"])
        for name, operation in ALL.items()
        if not CLOSED & set(operation["tags"])
        for told, example in body(operation).get("examples", {}).items()
    ]


def body(operation: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    found: dict[str, Any] = content.get("application/json", {})
    return found


def has_the_examples_password(player: Player) -> None:
    user = User.objects.create(username="ann's", password=make_password("five-checkers-home"))
    Player.objects.filter(pk=player.pk).update(user=user)
    player.refresh_from_db()


@pytest.mark.django_db(transaction=True)
def test_each_example_is_read_and_answered_as_described(settings: Any) -> None:
    settings.RATES = {}
    settings.ALLOWED_HOSTS = ["*"]
    ann, theirs = at_a_table()
    has_the_examples_password(ann)
    described = schemathesis.openapi.from_dict(schema())
    described.app = application
    sent, unread = 0, []
    for name, told, value in examples():
        method, path = name.split()
        operation = described[path][method]
        parts = {each.name: theirs.get(each.name, str(uuid4())) for each in operation.path_parameters}
        headers = {"Authorization": client_of(ann).defaults["HTTP_AUTHORIZATION"], "Idempotency-Key": uuid4().hex}
        answer = operation.Case(path_parameters=parts, headers=headers, body=value).call_and_validate(checks=CHECKS)
        sent += 1
        if answer.status_code in UNREAD:
            unread.append((name, told, answer.json()["detail"]))
    assert unread == []
    assert sent > 20
