"""Every door to a seat asks the gate: offers, both players at the table, the machine, rooms' servers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from games.models import Player, Table
from ledger import book, postings
from tests.access.callers import client_of
from tests.factories import PROVIDER, RoomFactory, TableFactory, escrow, fund, person, terms, wallet, won
from tests.protection.people import known, now, stake_of
from wagering.protection.exclusion import services as exclusion
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
from wagering.protection.refusals import Excluded, IdentityNeeded, LimitReached, StillOwes
from wagering.settlement import services as settlement
from wagering.stakes.services import sit_down

LOSS = Sort(Kind.LOSS, Window.WEEK, "USD")


def offered(client: Any, room: str, currency: str = "USD", stake: str = "5.00", cap: str = "15.00") -> Any:
    body = {
        "room": room, "stake": {"amount": stake, "currency": currency}, "cap": {"amount": cap, "currency": currency},
        "move_s": 15, "reserve_s": 120,
    }  # fmt: skip
    return client.post("/v1/offers", body, format="json", headers={"Idempotency-Key": uuid4().hex})


def charged_back(player: Player, *, wallet: str = "0", owed: str) -> None:
    """A deposit of USD was taken back, of which the player's wallet had so much and owes the rest."""
    book.post(
        postings.deposit_charged_back(
            dispute=uuid4(), player=player.pk, provider=PROVIDER, wallet=Decimal(wallet), receivable=Decimal(owed),
            difference=Decimal(0), currency="USD", at=now(),
        )
    )  # fmt: skip


def accepted(client: Any, offer: str) -> Any:
    return client.post(f"/v1/offers/{offer}/accept", {}, format="json", headers={"Idempotency-Key": uuid4().hex})


@pytest.mark.django_db
@pytest.mark.parametrize("currency", ["USD", "PLAY"])
def test_an_excluded_player_offers_and_takes_no_seat_in_either_zone(currency: str) -> None:
    room = RoomFactory.create(slug="emerald", charges="gammonempire")
    ann, bob = person("ann"), person("bob")
    his = offered(client_of(bob), room.slug, currency)
    assert his.status_code == 201
    exclusion.exclude(player=ann, months=6, at=now())
    for answer in (offered(client_of(ann), room.slug, currency), accepted(client_of(ann), his.json()["id"])):
        assert (answer.status_code, answer.json()["code"]) == (403, "excluded")
        assert answer.json()["until"]
        assert answer.json()["source"] == "player"


@pytest.mark.django_db
def test_the_other_is_not_told_why_nobody_sits_down() -> None:
    room = RoomFactory.create(slug="emerald", charges="gammonempire")
    ann, bob = person("ann"), person("bob")
    hers = offered(client_of(ann), room.slug).json()["id"]
    exclusion.take_time_out(player=ann, hours=1, at=now())
    answer = accepted(client_of(bob), hers)
    assert (answer.status_code, answer.json()["code"]) == (409, "opponent_may_not_sit")
    assert "exclu" not in answer.content.decode()


@pytest.mark.django_db
def test_a_limit_keeps_from_an_offer_with_what_is_left_and_when_it_frees() -> None:
    room = RoomFactory.create(slug="emerald", charges="gammonempire")
    ann = person()
    limits.set_limit(player=ann, sort=LOSS, amount=Decimal(14), at=now())
    answer = offered(client_of(ann), room.slug)
    assert answer.status_code == 409
    told = answer.json()
    assert (told["code"], told["limit"], told["window"], told["retry_at"]) == ("limit_reached", "loss", "7d", None)
    assert told["left"] == {"amount": "14.00", "currency": "USD"}
    assert offered(client_of(ann), room.slug, cap="14.00").status_code == 201


@pytest.mark.django_db
def test_an_excluded_player_has_no_table_with_the_machine() -> None:
    RoomFactory.create(slug="emerald", charges="gammonempire")
    ann = person()
    exclusion.exclude(player=ann, months=None, at=now())
    body = {"room": "emerald", "strength": "novice", "match_length": 1, "move_s": 15, "reserve_s": 120}
    answer = client_of(ann).post("/v1/machine-tables", body, format="json", headers={"Idempotency-Key": uuid4().hex})
    assert (answer.status_code, answer.json()["code"]) == (403, "excluded"), answer.content


@pytest.mark.django_db
def test_neither_sits_down_if_one_may_not() -> None:
    table = TableFactory.create()
    ann, bob = table.seats
    for player in (ann, bob):
        fund(player, "100")
    exclusion.exclude(player=bob, months=6, at=now())
    with pytest.raises(Excluded) as refused:
        sit_down(table=table, terms=terms("5", cap="15"), at=now())
    assert refused.value.player == bob.pk
    assert [escrow(player) for player in (ann, bob)] == [0, 0]


@pytest.mark.django_db
def test_a_running_game_is_settled_and_a_payout_stays_possible() -> None:
    stake = stake_of("5", cap="15")
    ann = stake.table.player_1
    exclusion.exclude(player=ann, months=6, at=now())
    settlement.settle(table=stake.table, outcome=won(1), at=now())
    assert wallet(ann) > 1000
    held = postings.payout_held(attempt=uuid4(), player=ann.pk, amount=wallet(ann), currency="USD", at=now())
    book.post(held)
    assert wallet(ann) == 0


@pytest.mark.django_db
def test_the_same_sit_down_again_is_the_first_answer_also_at_the_limit() -> None:
    table = TableFactory.create()
    for player in table.seats:
        fund(player, "100")
        limits.set_limit(player=player, sort=LOSS, amount=Decimal(15), at=now())
    first = sit_down(table=table, terms=terms("5", cap="15"), at=now())
    assert sit_down(table=table, terms=terms("5", cap="15"), at=now()) == first


@pytest.mark.django_db
def test_whoever_owes_stakes_nothing_until_it_is_even() -> None:
    table = TableFactory.create()
    ann = table.player_1
    for player in table.seats:
        fund(player, "100")
    charged_back(ann, wallet="40", owed="60")
    with pytest.raises(StillOwes) as refused:
        sit_down(table=table, terms=terms("5", cap="15"), at=now())
    assert refused.value.owed == {"USD": 60}
    paid: dict[str, Any] = {"player": ann.pk, "amount": Decimal(60), "currency": "USD", "at": now()}
    book.post(postings.receivable_collected(collection=uuid4(), **paid))
    fund(ann, "100")
    sit_down(table=table, terms=terms("5", cap="15"), at=now())


@pytest.mark.django_db
def test_a_debt_keeps_from_stakes_in_every_real_currency_and_from_no_play_money() -> None:
    room = RoomFactory.create(charges="sgames")
    tables = {zone: TableFactory.create(room=room, zone=zone) for zone in ("professionals", "amateurs")}
    for table, currency in ((tables["professionals"], "EUR"), (tables["amateurs"], "PLAY")):
        for player in table.seats:
            fund(player, "100", currency)
    ann = tables["professionals"].player_2
    for player in (ann, tables["amateurs"].player_2):
        charged_back(player, owed="60")
    with pytest.raises(StillOwes, match=r"You owe 60\.00 USD of") as refused:
        sit_down(table=tables["professionals"], terms=terms("5", cap="15", currency="EUR"), at=now())
    assert (refused.value.player, refused.value.owed) == (ann.pk, {"USD": Decimal("60.00")})
    sit_down(table=tables["amateurs"], terms=terms("5", cap="15", currency="PLAY"), at=now())


@pytest.mark.django_db
def test_where_the_identity_comes_first_nobody_sits_down_without() -> None:
    table = TableFactory.create()
    for player in table.seats:
        fund(player, "100")
    known(table.player_1, country="GB")
    with pytest.raises(IdentityNeeded, match="pending"):
        sit_down(table=table, terms=terms("5", cap="15"), at=now())


@pytest.mark.django_db(transaction=True)
def test_two_tables_at_once_never_pass_a_loss_limit_together() -> None:
    """Both players have the same limits and meet at all of the tables, from both sides: nobody waits for ever."""
    room = RoomFactory.create(charges="gammonempire")
    ann, bob = person(funds="1000"), person("bob", funds="1000")
    for player in (ann, bob):
        limits.set_limit(player=player, sort=LOSS, amount=Decimal(40), at=now())
    tables = [TableFactory.create(room=room, players=(ann, bob) if number % 2 else (bob, ann)) for number in range(6)]
    together = Barrier(len(tables))

    def sits_down(table: Table) -> bool:
        try:
            together.wait(10)
            sit_down(table=table, terms=terms("5", cap="15"), at=now())
            return True
        except LimitReached:
            return False
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(tables)) as pool:
        done = list(pool.map(sits_down, tables))
    assert done.count(True) == 2
    assert [escrow(player) for player in (ann, bob)] == [30, 30]
