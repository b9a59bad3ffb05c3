"""Whatever is sent to the public addresses: no 5xx, and no answer that the description does not have."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.test_schema import ALL, schema
from tests.factories import RoomFactory
from wagering.config.wsgi import application

OPEN = sorted(name for name, operation in ALL.items() if not all(operation.get("security") or [{}]))

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("name", OPEN)
def test_no_answer_is_a_surprise(name: str, mode: GenerationMode, settings: Any) -> None:
    settings.RATES = {}
    settings.ALLOWED_HOSTS = ["*"]
    RoomFactory.create(charges="gammonempire")
    method, path = name.split()
    described = schemathesis.openapi.from_dict(schema())
    described.app = application

    @effort(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    with suppress(Unsatisfiable):  # nothing that is sent there could be wrong
        send()
