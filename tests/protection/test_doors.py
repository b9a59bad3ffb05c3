"""The players' doors: logging in, limits, exclusions, identity, reality checks; what is told to whom."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Player
from games.rules.endings import Win
from tests.access.callers import client_of, log_in, logged_in, player_client, register
from tests.factories import fund, person, won
from tests.protection.people import known, now, stake_of, verified
from wagering.protection.exclusion import register as registers
from wagering.protection.exclusion import services as exclusion
from wagering.protection.models import Exclusion, Identity, Limit, Person, RegisterEntry
from wagering.settlement import services as settlement

pytestmark = pytest.mark.django_db

USD_50 = {"amount": "50.00", "currency": "USD"}
USD_90 = {"amount": "90.00", "currency": "USD"}
DAY = {"kind": "deposit", "window": "24h", "currency": "USD"}
TOLD = {"name": "Ann Example", "birth_date": "1990-05-17", "country": "CH", "address": "1 Backgammon Row, Bern"}
REGISTER = "name,birth_date\nAnn Example,1990-05-17\n"


def posts(client: Any, path: str, body: Any = None) -> Any:
    return client.post(f"/v1/{path}", body, format="json")


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def later(monkeypatch: pytest.MonkeyPatch, **duration: int) -> None:
    """The doors are asked so much later."""
    at = timezone.now() + timedelta(**duration)
    monkeypatch.setattr(timezone, "now", lambda: at)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_limits_are_set_raised_confirmed_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person(funds="20.00")
    client = client_of(ann)
    (limit,) = posts(client, "limits", {"kind": "deposit", "window": "24h", "amount": USD_50}).json()["limits"]
    assert (limit["binding"], limit["left"], limit["pending"]) == (USD_50, {"amount": "30.00", "currency": "USD"}, None)
    (limit,) = posts(client, "limits", {"kind": "deposit", "window": "24h", "amount": USD_90}).json()["limits"]
    assert limit["binding"] == USD_50
    assert limit["pending"]["amount"] == USD_90
    early = posts(client, "limits/confirmation", DAY)
    assert code(early) == (409, "confirmed_too_early")
    assert early.json()["retry_at"] == limit["pending"]["confirm_from"]
    later(monkeypatch, hours=24)
    (limit,) = posts(client, "limits/confirmation", DAY).json()["limits"]
    assert (limit["binding"], limit["pending"]) == (USD_90, None)
    (limit,) = posts(client, "limits/removal", DAY).json()["limits"]
    assert (limit["binding"], limit["pending"]["amount"]) == (USD_90, None)
    later(monkeypatch, hours=24)
    assert posts(client, "limits/confirmation", DAY).json()["limits"] == []
    assert code(posts(client, "limits/confirmation", DAY)) == (409, "nothing_pending")


def test_play_money_has_no_limits() -> None:
    body = {"kind": "loss", "window": "7d", "amount": {"amount": "50.00", "currency": "PLAY"}}
    assert code(posts(client_of(person()), "limits", body)) == (422, "no_limit_of_play_money")
    assert Limit.objects.count() == 0


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "deposit", "window": "25h", "amount": USD_50},
        {"kind": "win", "window": "24h", "amount": USD_50},
        {"kind": "deposit", "window": "24h", "amount": {"amount": "-1", "currency": "USD"}},
        {"kind": "deposit", "window": "24h", "amount": {"amount": "1.001", "currency": "USD"}},
        {"kind": "deposit", "window": "24h", "amount": {"amount": "NaN", "currency": "USD"}},
        {"kind": "deposit", "window": "24h"},
    ],
)
def test_what_is_no_limit_is_refused(body: Any) -> None:
    assert posts(client_of(person()), "limits", body).status_code == 422


def test_nobody_sees_the_limits_of_another() -> None:
    ann, bob = person(), person("bob")
    posts(client_of(ann), "limits", {"kind": "deposit", "window": "24h", "amount": USD_50})
    assert client_of(bob).get("/v1/limits").json() == {"limits": []}


# --- exclusions -------------------------------------------------------------------------------------------------------


def test_a_time_out_and_an_exclusion_are_told() -> None:
    client = client_of(person())
    assert client.get("/v1/exclusion").json() == {"exclusion": None}
    out = posts(client, "time-out", {"hours": 24})
    assert out.status_code == 201
    assert out.json()["exclusion"]["kind"] == "time_out"
    out = posts(client, "exclusion", {"months": None})
    assert (out.json()["exclusion"]["kind"], out.json()["exclusion"]["ends_at"]) == ("exclusion", None)
    assert client.get("/v1/exclusion").json() == out.json()
    assert code(posts(client, "exclusion/lift")) == (409, "term_not_over")


def test_an_exclusion_is_lifted_a_day_after_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person()
    posts(client_of(ann), "exclusion", {"months": 6})
    later(monkeypatch, days=200)
    client = client_of(ann)
    assert client.get("/v1/exclusion").json()["exclusion"]["lifts_at"] is None
    assert posts(client, "exclusion/lift").json()["exclusion"]["lifts_at"]
    later(monkeypatch, hours=24)
    assert client.get("/v1/exclusion").json() == {"exclusion": None}
    assert code(posts(client, "exclusion/lift")) == (409, "not_excluded")


@pytest.mark.parametrize(("path", "body"), [("time-out", {"hours": 0}), ("time-out", {}), ("exclusion", {"months": 5}),
                                            ("exclusion", {"months": 61}), ("exclusion", {})])  # fmt: skip
def test_a_term_that_is_none_excludes_nobody(path: str, body: Any) -> None:
    assert posts(client_of(person()), path, body).status_code == 422
    assert Exclusion.objects.count() == 0


# --- logging in -------------------------------------------------------------------------------------------------------


def test_an_excluded_player_logs_in_and_is_told() -> None:
    player_client("ann")
    ann = Player.objects.get(name="ann")
    assert log_in().json()["exclusion"] is None
    exclusion.exclude(player=ann, months=6, at=now())
    answer = log_in()
    assert answer.status_code == 201
    assert (answer.json()["exclusion"]["kind"], answer.json()["exclusion"]["by"]) == ("exclusion", "player")
    assert logged_in().get("/v1/wallet").status_code == 200


def test_registers_are_looked_up_at_every_log_in() -> None:
    """Case 59: whoever was registered long before the register named them is found when they come back."""
    register("ann")
    ann = Player.objects.get(name="ann")
    identity = known(ann)
    assert log_in().json()["exclusion"] is None
    registers.import_register(source="national", text="name,birth_date\nSome Body,1970-01-01\n", at=now())
    RegisterEntry.objects.filter(source="national").update(digest=identity.digest)
    told = log_in().json()["exclusion"]
    assert (told["by"], told["source"]) == ("register", "national")
    assert Exclusion.objects.get().source == "national"


def test_a_wrong_password_is_no_log_in() -> None:
    register("ann")
    assert log_in(password="something-else").status_code == 401
    assert Person.objects.count() == 0


# --- identity ---------------------------------------------------------------------------------------------------------


def test_an_identity_is_told_and_waits_for_an_operator() -> None:
    ann = person()
    client = client_of(ann)
    nothing = client.get("/v1/identity").json()
    assert (nothing["state"], nothing["name"], nothing["needed_before"]) == ("unverified", None, ["payout"])
    told = posts(client, "identity", TOLD).json()
    assert told["state"] == "pending"
    assert {field: told[field] for field in TOLD} == TOLD
    row = Identity.objects.get()
    assert all(b"Ann" not in bytes(sealed) for sealed in (row.name, row.address, row.birth_date))


def test_telling_an_excluded_identity_excludes() -> None:
    """Case 59: a profile that is edited to an excluded person's."""
    client = client_of(person())
    posts(client, "identity", TOLD | {"name": "Somebody Else"})
    registers.import_register(source="national", text=REGISTER, at=now())
    assert client.get("/v1/exclusion").json() == {"exclusion": None}
    posts(client, "identity", TOLD)
    assert client.get("/v1/exclusion").json()["exclusion"]["source"] == "national"
    posts(client, "identity", TOLD | {"name": "Somebody Else"})
    assert client.get("/v1/exclusion").json()["exclusion"]["source"] == "national"


def test_telling_the_same_again_keeps_the_state_and_anything_else_does_not() -> None:
    ann = person()
    verified(ann)
    client = client_of(ann)
    told = {**TOLD, "address": "1 Backgammon Row, Bern"}
    assert posts(client, "identity", told).json()["state"] == "verified"
    assert posts(client, "identity", told | {"address": "2 Backgammon Row, Bern"}).json()["state"] == "pending"


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"birth_date": f"{now().year - 17}-01-01"}, (422, "too_young")),
        ({"birth_date": "2999-01-01"}, (422, "born_in_the_future")),
        ({"birth_date": "1000-01-01"}, (422, "born_in_the_future")),
        ({"country": "KP"}, (403, "country_refused")),
        ({"country": "Switzerland"}, (422, "invalid")),
        ({"name": ""}, (422, "invalid")),
        ({"name": "\u0410nn Example"}, (422, "name_unclear")),
    ],
)
def test_what_nobody_here_can_be_is_refused(change: dict[str, str], refused: tuple[int, str]) -> None:
    assert code(posts(client_of(person()), "identity", TOLD | change)) == refused
    assert Identity.objects.count() == 0


def test_a_register_is_not_asked_about_everybody() -> None:
    client = client_of(person())
    names = [f"{letter}nn Example" for letter in "ABCDEFGHI"]
    answers = [posts(client, "identity", TOLD | {"name": name}).status_code for name in names]
    assert (answers[-2:], set(answers[:-1])) == ([200, 429], {200})


# --- reality checks ---------------------------------------------------------------------------------------------------


def test_a_reality_check_tells_how_long_and_at_what_price(monkeypatch: pytest.MonkeyPatch) -> None:
    register("ann")
    ann = Player.objects.get(name="ann")
    client = logged_in("ann")
    fund(ann, "100")
    began = client.get("/v1/protection").json()["session"]
    assert began["net"] == [{"amount": "0.00", "currency": "USD"}]
    stake = stake_of("5", cap="15")
    loser = stake.table.player_1
    Person.objects.filter(player=loser).update(session_began_at=now() - timedelta(minutes=1))
    settlement.settle(table=stake.table, outcome=won(2, Win.GAMMON), at=now())
    assert client_of(loser).get("/v1/protection").json()["session"]["net"] == [{"amount": "-10.00", "currency": "USD"}]
    half = posts(client, "protection/reality-check", {"minutes": 30}).json()
    assert half["reality_check_minutes"] == 30
    assert half["session"]["next_check_at"] < began["next_check_at"]
    later(monkeypatch, minutes=45)
    seen = posts(client, "protection/reality-check/seen").json()["session"]
    assert seen["began_at"] == began["began_at"]
    assert seen["next_check_at"] > began["next_check_at"]
    assert posts(client, "protection/reality-check", {"minutes": 14}).status_code == 422


def test_protection_at_a_glance_before_anything_was_said() -> None:
    told = client_of(person(funds=None)).get("/v1/protection").json()
    assert (told["exclusion"], told["identity"], told["source_of_funds_needed"]) == (None, "unverified", False)
    assert (told["session"], told["reality_check_minutes"], told["may_cancel_payouts"]) == (None, 60, True)
