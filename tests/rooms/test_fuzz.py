"""Whatever a room's server sends: no 5xx, and no answer that the description does not have."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from jsonschema import Draft202012Validator
from schemathesis.generation import GenerationMode

from tests.api.test_schema import ALL, schema
from tests.rooms.servers import server
from tests.seamless.callers import assert_proven, let_in

OURS = sorted(name for name, operation in ALL.items() if {"Room servers", "Seamless wallet"} & set(operation["tags"]))


@pytest.mark.django_db
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("name", OURS)
def test_no_answer_is_a_surprise(name: str, mode: GenerationMode, settings: Any) -> None:
    settings.RATES = {}
    emerald = server()
    emerald.opened()
    token = let_in(emerald.room, emerald.players[0])
    method, path = name.split()
    described = schemathesis.openapi.from_dict(schema())
    responses = ALL[name]["responses"]

    @effort(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        body = case.body if isinstance(case.body, dict | list | str | int | bool | None) else {}
        if isinstance(body, dict) and "token" in body:
            body["token"] = token
        address = path.format(slug=emerald.room.slug, table=emerald.table)
        answer = emerald.client.generic(
            method,
            address,
            json.dumps(body).encode(),
            content_type="application/json",
            headers={"Idempotency-Key": uuid4().hex},
        )
        assert str(answer.status_code) in responses, answer.content
        if answer.status_code < 300 and answer.content:
            against = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
            validator = Draft202012Validator({**against, "components": schema()["components"]})
            assert [error.message for error in validator.iter_errors(answer.json())] == []

    send()
    assert_proven()
