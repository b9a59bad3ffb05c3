"""The operator's admin: every list and one page of each open, and nothing that is final offers a change."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from unittest import mock

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.access import room_keys
from games.access.models import Scope
from games.models import Game, Player, Record, Room, Table, User
from ledger import book
from ratings.models import Rating, RatingChange
from tests.audit import till
from tests.factories import NOON, RoomFactory, person, seated, terms, won
from tests.games import texts
from tests.play.lobbying import PLAY, Guest, emerald
from tests.protection import people as protection
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.methods.models import Method
from wagering.commission import schedule
from wagering.commission.models import RoomTariff, TariffVersion
from wagering.commission.services import publish
from wagering.notices import endpoints
from wagering.notices import services as notices
from wagering.play.models import Offer, PlayMoneyIssue, Profile
from wagering.play.people import services as people
from wagering.privacy.erasure import erase
from wagering.settlement import rulings
from wagering.settlement.models import Adjudication, Settlement
from wagering.settlement.services import settle, settle_record, void
from wagering.stakes.models import Stake
from wagering.stakes.services import stand_up
from wagering.surveillance.models import Alert

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)

OPERATED = (User, Player, Room, RoomTariff)
FINAL = (
    Deposit,
    Method,
    InboxEvent,
    Table,
    Game,
    Record,
    Rating,
    RatingChange,
    TariffVersion,
    Stake,
    Settlement,
    Offer,
    PlayMoneyIssue,
    Profile,
)


def page(model: type[Model], what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def registered() -> list[type[Model]]:
    """Every model of ours, the book's too; Django's own groups are its own."""
    return [model for model in admin.site._registry if model._meta.app_label != "auth"]


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def house() -> None:
    """Something of everything."""
    seated(terms("10", match_length=3, currency="PLAY"))
    stand_up(table=seated(terms("5", cap="7.50")).table, at=LATER)
    void(table=seated(terms("5")).table, at=LATER)
    settle(table=seated(terms("10", match_length=5)).table, outcome=won(2), at=LATER)
    left = seated(terms("5"))
    Adjudication.objects.create(
        stake=left,
        cause=Adjudication.Cause.ABANDONED,
        state=Adjudication.State.OPERATOR,
        xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        on_roll=1,
        absent_1=True,
        absent_2=False,
        cube=1,
        reason="no engine",
        left_at=LATER,
    )
    another = User.objects.create(username="another operator", is_staff=True)
    rulings.propose(table=left.table, receiver=1, transfer=Decimal("4.00"), reason="no engine", by=another, at=LATER)
    room_keys.issue(room=RoomFactory.create(), scopes=[Scope.TABLES], at=LATER)
    settle_record(table=seated(terms("5")).table, text=texts.money(texts.RESIGNED), at=LATER)
    ann = Guest("ann")
    ann.offered(PLAY, room=emerald())
    people.write_biography(player=ann.player, text="Plays fast.", at=LATER)
    deposited()
    protection.everything()
    watched()


def watched() -> None:
    """A notice on its way to an endpoint, an alert, and somebody who was forgotten."""
    endpoints.make(name="back office", url="https://room.example/hooks", at=NOON)
    ann, gone = person(), person(funds=None)
    alert = Alert.objects.create(
        kind="chip_dumping", loser=ann, winner=gone, currency="USD", score=50, opened_at=NOON,
        evidence={"moved": "48.00", "stakes": [str(gone.pk)]},
    )  # fmt: skip
    notices.tell(kind="alert_opened", data={"alert": alert.pk, "alert_kind": alert.kind}, at=NOON)
    by = User.objects.create(username="eraser", is_staff=True)
    erase(player=gone, by=by, reason="the law asks for it", forced=True, at=NOON)


def deposited() -> None:
    """A deposit that was paid with a card, told of, and partly given back."""
    paid = {
        "provider": "sandbox",
        "currency": "USD",
        "amount": Decimal(20),
        "paid": Decimal(20),
        "paid_currency": "USD",
    }
    times = {"created_at": NOON, "asked_at": NOON, "succeeded_at": NOON}
    ann = person()
    card = {"token": "card_1", "brand": "visa", "last4": "4242", "can_receive": True, "added_at": NOON}
    Method.objects.create(player=ann, provider="sandbox", **card)
    deposit = Deposit.objects.create(player=ann, ours="deposit-1", state="succeeded", **paid, **times)
    back = {"amount": Decimal(5), "currency": "USD", "ours": "refund-1", "reason": "a double charge"}
    Refund.objects.create(deposit=deposit, asked_at=NOON, **back)
    InboxEvent.objects.create(provider="sandbox", event_id="evt_1", kind="a kind", body=b"{}", received_at=NOON)
    till.everything(deposit)


@pytest.mark.usefixtures("house")
def test_every_list_and_one_page_of_each_open(operator: Client) -> None:
    models = registered()
    assert set(models) >= {*OPERATED, *FINAL}
    for model in models:
        listed = operator.get(page(model, "changelist"))
        assert listed.status_code == 200, model
        first = model._default_manager.first()
        assert first is not None, model
        assert operator.get(page(model, "change", first.pk)).status_code == 200, model
        assert operator.get(page(model, "changelist"), {"q": "ann"}).status_code == 200, model


@pytest.mark.usefixtures("house")
def test_what_waits_for_an_operator_is_seen_at_a_glance(operator: Client) -> None:
    Adjudication.objects.update(attempts=3)
    with mock.patch.object(timezone, "now", return_value=LATER + timedelta(days=2, hours=1)):
        listed = operator.get(page(Adjudication, "changelist"), {"state__exact": "operator"}).content.decode()
    for told in ("waits for an operator", "2\xa0days, 1\xa0hour", ">3<", "no engine", "Abandoned"):
        assert told in listed, told
    listed = operator.get(page(Adjudication, "changelist"), {"state__exact": "waiting"}).content.decode()
    assert "no engine" not in listed


@pytest.mark.usefixtures("house")
def test_what_is_final_offers_no_change(operator: Client) -> None:
    for model in FINAL:
        first = model._default_manager.first()
        assert first is not None, model
        shown = operator.get(page(model, "change", first.pk)).content.decode()
        for offer in ('name="_save"', 'name="_continue"', "deletelink", page(model, "delete", first.pk)):
            assert offer not in shown, model
        listed = operator.get(page(model, "changelist")).content.decode()
        assert page(model, "add") not in listed, model
        assert "delete_selected" not in listed, model
        assert operator.get(page(model, "add")).status_code == 403, model
        assert operator.post(page(model, "change", first.pk), {}).status_code == 403, model
        assert operator.post(page(model, "delete", first.pk), {"post": "yes"}).status_code == 403, model


@pytest.mark.parametrize("model", [Player, Room])
def test_whom_the_book_knows_is_not_deleted(operator: Client, model: type[Model]) -> None:
    """A player without a table may have a wallet, which no foreign key would keep."""
    Player.objects.create(name="ann")
    RoomFactory.create()
    first = model._default_manager.first()
    assert first is not None
    shown = operator.get(page(model, "change", first.pk)).content.decode()
    assert 'name="_save"' in shown
    assert page(model, "delete", first.pk) not in shown
    assert operator.post(page(model, "delete", first.pk), {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=first.pk).exists()


def test_an_operator_gives_nobody_a_name_that_looks_like_another_s(operator: Client) -> None:
    ann, bob = (Player.objects.create(name=name) for name in ("Ann", "Bob"))
    refused = operator.post(page(Player, "change", bob.pk), {"name": "Änn"})
    assert "is another player&#x27;s, or looks like it" in refused.content.decode()
    assert operator.post(page(Player, "change", bob.pk), {"name": "Rob"}).status_code == 302
    assert operator.post(page(Player, "change", ann.pk), {"name": "bob"}).status_code == 302
    assert set(Player.objects.values_list("name", "key")) == {("bob", "bob"), ("Rob", "rob")}


class TestSheet:
    @pytest.fixture
    def sheet(self, operator: Client) -> Callable[[Settlement], str]:
        return lambda settlement: operator.get(page(Settlement, "change", settlement.pk)).content.decode()

    def test_a_game(self, sheet: Callable[[Settlement], str], operator: Client) -> None:
        stake = seated(terms("5", cap="15"))
        shown = sheet(settle_record(table=stake.table, text=texts.money(texts.RESIGNED), at=LATER))
        for told in (
            "single game, cap 15.00 · stake 5.00 USD · tariff gammonempire 1",
            "game 1: ann wins a gammon, cube 2, 4 points, resigned after 2 plays",
            "+13.53",
            "-15.00",
            "1500.00 → 1510.00",
            "A player: 15.00 x 0.049 = 0.7350.",
            f"stake_held:{stake.pk}",
            f"single_settled:{stake.pk}",
        ):
            assert told in shown
        assert "reversed" not in shown
        listed = operator.get(page(Settlement, "changelist")).content.decode()
        assert "2026-03-01 13:00:00" in listed
        assert ">15.00<" in listed
        assert ">1.47<" in listed

    def test_a_void_contest(self, sheet: Callable[[Settlement], str]) -> None:
        shown = sheet(void(table=seated(terms("10", match_length=3)).table, at=LATER))
        assert "void, both stakes go back" in shown
        assert "not rated" in shown

    def test_a_reversed_payment(self, sheet: Callable[[Settlement], str]) -> None:
        settlement = settle(table=seated(terms("5")).table, outcome=won(1), at=LATER)
        book.reverse(key=settlement.key, reason="the wrong table", at=LATER)
        assert "The payment was reversed in the book since." in sheet(settlement)

    def test_a_players_name_is_text(self, sheet: Callable[[Settlement], str]) -> None:
        stake = seated(terms("5"))
        Player.objects.filter(pk=stake.table.player_1_id).update(name="<script>ann")
        assert "<script>ann" not in sheet(settle(table=stake.table, outcome=won(1), at=LATER))


class TestTariffOfARoom:
    def test_an_operator_chooses_among_those_that_are_published(self, operator: Client) -> None:
        chosen = RoomFactory.create(charges="gammonempire")
        RoomFactory.create(charges="sgames")
        shown = operator.get(page(RoomTariff, "change", chosen.pk)).content.decode()
        assert 'value="sgames"' in shown
        assert operator.post(page(RoomTariff, "change", chosen.pk), {"tariff": "sgames"}).status_code == 302
        assert RoomTariff.objects.get(room=chosen).tariff == "sgames"

    def test_a_new_room_is_given_one(self, operator: Client) -> None:
        RoomFactory.create(charges="gammonempire")
        room = RoomFactory.create()
        given = {"room": str(room.pk), "tariff": "gammonempire"}
        assert operator.post(page(RoomTariff, "add"), given).status_code == 302
        assert RoomTariff.objects.get(room=room).tariff == "gammonempire"

    def test_what_is_not_in_force_yet_cannot_be_chosen(self, operator: Client) -> None:
        room = RoomFactory.create(charges="gammonempire")
        later = schedule.shipped()["sgames"].replace("2024-01-01", "2999-01-01")
        publish(text=later, at=NOON)
        answer = operator.post(page(RoomTariff, "change", room.pk), {"tariff": "sgames"})
        assert "is unknown" in answer.content.decode()
        assert RoomTariff.objects.get(room=room).tariff == "gammonempire"

    def test_what_is_not_published_cannot_be_chosen(self, operator: Client) -> None:
        room = RoomFactory.create(charges="gammonempire")
        for name in "nosuch", "sgames", "":
            answer = operator.post(page(RoomTariff, "change", room.pk), {"tariff": name})
            assert answer.status_code == 200
            assert RoomTariff.objects.get(room=room).tariff == "gammonempire"
