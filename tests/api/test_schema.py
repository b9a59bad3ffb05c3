"""The description of the API says everything a client must know, and its examples are true."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator
from rest_framework.permissions import AllowAny

from tests.live.tables import parlour
from wagering.config.errors import ANSWERS
from wagering.config.http.schema import PROBLEM_SCHEMA, codes
from wagering.config.http.words import WORDS
from wagering.config.urls import v1
from wagering.rest.problems import CONTENT_TYPE

METHODS = {"get", "post", "put", "patch", "delete"}


@cache
def schema() -> dict[str, Any]:
    """As it goes over the wire."""
    with GENERATOR_STATS.silence():
        made = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    found: dict[str, Any] = json.loads(json.dumps(made, default=str))
    return found


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in schema()["paths"].items():
        for method in METHODS & item.keys():
            yield f"{method.upper()} {path}", item[method]


ALL = dict(sorted(operations()))

each = pytest.mark.parametrize("name", ALL)


def check(value: Any, against: dict[str, Any]) -> None:
    validator = Draft202012Validator({**against, "components": schema()["components"]})
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(value)]
    assert errors == []


def examples(content: dict[str, Any]) -> list[Any]:
    return [example["value"] for example in content.get("examples", {}).values()]


def test_it_is_openapi_3_1_and_made_without_a_doubt() -> None:
    GENERATOR_STATS.reset()
    made = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    assert made["openapi"] == "3.1.0"
    validate_schema(made)  # type: ignore[no-untyped-call]
    assert [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache] == []


def test_names_of_operations_are_used_once() -> None:
    names = [operation["operationId"] for operation in ALL.values()]
    assert len(set(names)) == len(names)


@each
def test_an_operation_says_what_it_does(name: str) -> None:
    operation = ALL[name]
    assert len(operation["summary"]) >= 5
    assert len(operation["description"]) >= 20
    assert operation["tags"]
    for parameter in operation.get("parameters", []):
        assert parameter.get("description"), parameter["name"]


@each
def test_its_refusals_are_problems_with_codes(name: str) -> None:
    responses = ALL[name]["responses"]
    refusals = {status: answer for status, answer in responses.items() if status >= "4"}
    assert {"400", "406", "413", "429", "503"} <= refusals.keys()
    for status, answer in refusals.items():
        content = answer["content"][CONTENT_TYPE]
        assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert examples(content), status
        for example in examples(content):
            check(example, content["schema"])
            assert str(example["status"]) == status
            assert f"`{example['code']}`: " in answer["description"]
            assert example["detail"].strip()


@each
def test_its_examples_are_valid(name: str) -> None:
    operation = ALL[name]
    if body := operation.get("requestBody"):
        content = body["content"]["application/json"]
        assert examples(content), "a body without an example"
        for example in examples(content):
            check(example, content["schema"])
    done = {status: answer for status, answer in operation["responses"].items() if status < "3"}
    assert done
    for status, answer in done.items():
        for content in answer.get("content", {}).values():
            assert examples(content), f"{status} without an example"
            for example in examples(content):
                check(example, content["schema"])


@each
def test_whoever_repeats_it_can_name_it(name: str) -> None:
    operation = ALL[name]
    keyed = [parameter for parameter in operation.get("parameters", []) if parameter["name"] == "Idempotency-Key"]
    if keyed:
        assert keyed[0]["required"]
        assert {"400", "409", "422"} <= operation["responses"].keys()


def _properties() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, component in schema()["components"]["schemas"].items():
        for field, described in component.get("properties", {}).items():
            yield f"{name}.{field}", described


def test_every_field_says_what_it_means() -> None:
    meanings = schema()["components"]["schemas"]
    silent = []
    for name, field in _properties():
        named = field.get("$ref", "").rsplit("/", 1)[-1]
        if not field.get("description") and not meanings.get(named, {}).get("description"):
            silent.append(name)
    assert silent == []


@pytest.mark.django_db
def test_the_state_of_the_stream_is_as_described() -> None:
    told = parlour().state()
    described = schema()["components"]["schemas"]["StreamState"]
    assert told.keys() == described["properties"].keys()
    check(told, described)


@pytest.mark.parametrize("event", ["State", "Presence", "Actions", "End"])
def test_each_event_of_the_stream_has_an_example(event: str) -> None:
    described = schema()["components"]["schemas"][f"Stream{event}"]
    assert described["examples"]
    for example in described["examples"]:
        check(example, described)


def test_every_code_is_explained() -> None:
    assert {answer.code for answer in ANSWERS.values()} == codes().keys()
    assert [code for code, (_, why) in codes().items() if len(why) < 10] == []


OURS = ("games", "ledger", "ratings", "wagering")


def test_every_code_is_explained_in_our_words() -> None:
    """No framework's docstring, and nothing that only whoever reads the source can look up."""
    foreign = {refusal for refusal in ANSWERS if refusal.__module__.split(".")[0] not in OURS}
    assert foreign <= WORDS.keys()
    known = {*PROBLEM_SCHEMA["properties"], *(name.split(".")[1] for name, _ in _properties())}
    for code, (_, why) in codes().items():
        assert not re.search(r"REST framework|settings\.|class|``|voucher", why), f"{code}: {why}"
        unknown = {word for word in re.findall("`(.*?)`", why) if re.fullmatch("[a-z_]+", word)} - known
        assert unknown == set(), f"{code}: {why}"


def views() -> list[Any]:
    return [cls for pattern in v1 if (cls := getattr(pattern.callback, "cls", None))]


@pytest.mark.parametrize("view", views(), ids=lambda view: view.__name__)
def test_the_marks_of_a_view_mean_something(view: Any) -> None:
    """A mark that is misspelt would be no mark at all."""
    scope = getattr(view, "throttle_scope", "client")
    for rate in scope.values() if isinstance(scope, dict) else [scope]:
        assert rate in settings.RATES
    for method in scope if isinstance(scope, dict) else ():
        assert hasattr(view, method)
    assert 0 < getattr(view, "body_max", 1) <= 8 * 2**20
    for method in getattr(view, "refusals", {}):
        assert method in METHODS
        assert hasattr(view, method)
    if getattr(view, "idempotency_key_required", False):
        assert hasattr(view, "post")
        assert AllowAny not in view.permission_classes


# --- the pages --------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_programs_get_the_description(client: Client) -> None:
    answer = client.get("/v1/schema")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer.json()["paths"].keys() == schema()["paths"].keys()


def test_the_groups_stand_in_the_order_in_which_they_are_met() -> None:
    told = [tag["name"] for tag in schema()["tags"]]
    assert told[:3] == ["Access", "Lobby", "Play"]
    assert set(told) == {tag for operation in ALL.values() for tag in operation["tags"]}


@pytest.mark.django_db
def test_it_is_made_once_and_sent_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = client.get("/v1/schema", headers={"Accept-Encoding": "br"})
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    packed = client.get("/v1/schema", headers={"Accept-Encoding": "gzip, br"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) // 8
    assert plain["ETag"] != packed["ETag"]
    again = client.get("/v1/schema", headers={"Accept-Encoding": "gzip", "If-None-Match": packed["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_currencies_are_listed_once() -> None:
    text = json.dumps(schema())
    assert text.count('"ZAR", ') == 1
    assert "* `ZAR`" not in text


@pytest.mark.django_db
def test_people_get_a_page_with_nothing_from_elsewhere(client: Client) -> None:
    answer = client.get("/v1/docs", headers={"Accept": "text/html,*/*"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/html")
    assert "https://" not in page
    assert "http://" not in page
    assert "<script>" not in page
    assert 'id="problem-insufficient_funds"' in page
    assert '<a href="#operations-tag-Room_servers">' in page
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    script = client.get("/v1/docs?script=", headers={"Accept": "*/*"})
    assert script["Content-Type"].startswith("application/javascript")
    assert "/v1/schema" in script.content.decode()
    for line in page.splitlines():
        if "/static/" in line:
            address = line.split('"/static/')[1].split('"')[0]
            assert client.get(f"/static/{address}").status_code == 200, address
