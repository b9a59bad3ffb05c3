"""The table of refusals: nothing public is missing, nothing is answered as our mistake."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from rest_framework.exceptions import APIException

import games
import ledger
import ratings
import wagering
from games.live.services import StaleVersion
from games.rules.game import NotYourTurn
from games.rules.notation import NoChecker
from ledger import chart
from ledger.book import InsufficientFunds, KeyReused
from ledger.money import InvalidAmount
from wagering.config.errors import ANSWERS, INTERNAL, answer_to, problem_of
from wagering.rest.retries import TryAgain

ANN, BOB = UUID(int=1), UUID(int=2)


def public_exceptions() -> Iterator[type[BaseException]]:
    for package in (games, ledger, ratings, wagering):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" in found.name or found.name.endswith(("asgi", "wsgi")):
                continue
            module = importlib.import_module(found.name)
            for name, cls in vars(module).items():
                is_its_own = inspect.isclass(cls) and cls.__module__ == found.name and not name.startswith("_")
                if is_its_own and issubclass(cls, BaseException):
                    yield cls


def dotted(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def is_internal(cls: type[BaseException]) -> bool:
    return any(dotted(cls) == name or dotted(cls).startswith(f"{name}.") for name in INTERNAL)


def test_every_public_exception_is_in_the_table_or_internal_for_a_reason() -> None:
    found = set(public_exceptions())
    assert len(found) > 90
    missing = {dotted(cls) for cls in found if cls not in ANSWERS and not is_internal(cls)}
    assert not missing, "say in wagering/config/errors.py what these answer, or why nobody can meet them"
    both = {dotted(cls) for cls in found if cls in ANSWERS and is_internal(cls)}
    assert not both


@pytest.mark.parametrize("name", INTERNAL)
def test_what_is_internal_exists(name: str) -> None:
    assert INTERNAL[name].strip()
    found = {dotted(cls) for cls in public_exceptions()}
    assert any(cls == name or cls.startswith(f"{name}.") for cls in found)


def test_a_rule_never_answers_5xx() -> None:
    ours = [answer for cls, answer in ANSWERS.items() if cls.__module__.split(".")[0] in ("games", "ledger", "ratings")]
    assert ours
    wrong = [answer for answer in ours if not 400 <= answer.status < 500]
    assert {(answer.status, answer.code) for answer in wrong} <= {(503, "busy")}, "to be busy is no rule"


def test_codes_are_words_and_one_code_has_one_status() -> None:
    assert all(re.fullmatch(r"[a-z][a-z_]{2,40}", answer.code) for answer in ANSWERS.values())
    statuses = {(answer.code, answer.status) for answer in ANSWERS.values()}
    assert [code for code, count in Counter(code for code, _ in statuses).items() if count > 1] == []


def test_every_refusal_of_ours_says_what_it_is() -> None:
    silent = [dotted(cls) for cls in public_exceptions() if cls in ANSWERS and not inspect.getdoc(cls)]
    assert silent == []


def test_a_class_that_is_not_in_the_table_is_answered_as_its_nearest_parent() -> None:
    class Unheard(NoChecker):
        """A kind of illegal play that nobody has listed yet."""

    answer = answer_to(Unheard)
    assert answer and (answer.status, answer.code) == (422, "no_checker")


def test_what_is_not_in_the_table_is_no_refusal() -> None:
    assert problem_of(ZeroDivisionError()) is None
    assert problem_of(APIException()) is None  # DRF's own 500


def test_the_rule_is_quoted() -> None:
    problem = problem_of(NotYourTurn())
    assert problem and problem.status == 409
    assert "(B-" in problem.detail


def test_a_field_becomes_a_pointer() -> None:
    problem = problem_of(InvalidAmount(field="stake", value="0.999", rule="has 3 decimals, USD has 2"))
    assert problem and (problem.status, problem.code) == (422, "invalid_amount")
    assert problem.errors[0].as_json() == {
        "pointer": "/stake",
        "code": "invalid_amount",
        "detail": "stake: '0.999' has 3 decimals, USD has 2",
    }


def test_a_balance_is_told_to_its_owner_alone() -> None:
    refusal = InsufficientFunds("stake_held:x", chart.wallet(ANN, "USD"), Decimal("3.00"), Decimal("5.00"))
    hers = problem_of(refusal, asker=lambda: ANN)
    assert hers and hers.more["balance"] == {"amount": "3.00", "currency": "USD"}
    assert "3.00 USD" in hers.detail
    for other in (BOB, None):
        his = problem_of(refusal, asker=lambda other=other: other)  # type: ignore[misc]
        assert his and his.status == 409
        assert "3.00" not in str(his.as_json(request_id="r"))
        assert str(ANN) not in str(his.as_json(request_id="r"))


def test_whoever_comes_late_is_told_how_the_table_stands() -> None:
    problem = problem_of(StaleVersion(named=3, state={"version": 4}))
    assert problem and (problem.status, problem.code) == (409, "stale_version")
    assert problem.as_json(request_id=None)["state"] == {"version": 4}


def test_the_keys_of_the_book_stay_inside() -> None:
    key = f"single_settled:{uuid4()}"
    problem = problem_of(KeyReused(key, "this key is in the book for another deposit_confirmed"))
    assert problem and problem.detail == "this key is in the book for another deposit_confirmed"


def test_whoever_lost_to_rivals_is_told_when_to_ask_again() -> None:
    problem = problem_of(TryAgain("4 runs were ended by PostgreSQL"))
    assert problem and problem.status == 503
    assert problem.headers["Retry-After"] == "1"
    assert "PostgreSQL" not in problem.detail
