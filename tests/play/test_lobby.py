"""The lobby: a table is offered, perhaps countered, agreed on, and both sit down or neither."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from games.live.models import Live
from games.models import Table, User
from games.rules.replay import replay_text
from tests.factories import PlayerFactory, RoomFactory, escrow, fund, rated, wallet
from tests.play.at_table import AtTable
from tests.play.lobbying import MATCH, PLAY, SINGLE, Guest, emerald, refused
from wagering.play.lobby import seats, selectors, services
from wagering.play.models import CounterProposal, Offer
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_often_as_one_likes(settings: Any) -> None:
    settings.RATES = {}


def money(amount: str, currency: str = "USD") -> dict[str, str]:
    return {"amount": amount, "currency": currency}


# --- offering ---------------------------------------------------------------------------------------------------------


def test_an_offer_tells_all_its_terms_and_what_they_would_cost() -> None:
    """S-1, and C-1 in the quote: nobody sits down before they have seen it."""
    ann = Guest("ann")
    answer = ann.offers({**SINGLE, "beavers": True}, room=emerald())
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert told["state"] == "open"
    assert told["zone"] == "professionals"
    assert told["room"] == {"slug": "emerald", "name": "Emerald"}
    assert told["tariff"] == {"name": "gammonempire", "version": 1}
    assert told["maker"]["name"] == "ann"
    assert told["terms"]["hold"] == money("15.00")
    assert told["terms"]["beavers"] is True
    assert told["terms"]["abandonment"] == "split"
    assert [
        (example["won"], example["winner_net"]["amount"], example["loser_net"]["amount"]) for example in told["quote"]
    ] == [
        ("single", "4.51", "-5.00"),
        ("gammon", "9.02", "-10.00"),
        ("most", "13.53", "-15.00"),
    ]
    assert told["counter"] is None
    assert told["table"] is None
    assert escrow(ann.player) == 0  # nothing is held until both agree


def test_a_match_is_quoted_by_both_players_ratings() -> None:
    """C: 3 points, stake 10, 1580 v 1640: +15 %, the pair pays 1.36."""
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    rated(ann.player, "1580")
    rated(bob.player, "1640")
    offer = ann.offered(MATCH, room=room)
    (before,) = ann.sees(offer).json()["quote"]
    assert (before["won"], before["commission"]) == ("match", money("1.18"))
    (his,) = bob.sees(offer).json()["quote"]
    assert his["commission"] == money("1.36")
    assert bob.accepts(offer).json()["quote"] == [his]


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"cap": None}, "cap_missing", "/cap"),
        ({"cap": money("4.99")}, "cap_below_stake", "/cap"),
        ({"cap": money("15.00", "EUR")}, "invalid", "/cap/currency"),
        ({"stake": money("0.00")}, "stake_not_positive", "/stake"),
        ({"stake": money("0.999")}, "invalid", "/stake/amount"),
        ({"match_length": 26, "cap": None}, "match_length_out_of_range", "/match_length"),
        ({"match_length": 5}, "cap_for_series", "/cap"),
        ({"match_length": 5, "cap": None, "jacoby": True}, "money_play_only", None),
        ({"match_length": 5, "cap": None, "beavers": True}, "money_play_only", None),
        ({"match_length": 5, "cap": None, "automatic_doubles": 1}, "money_play_only", None),
        ({"automatic_doubles": 7}, "too_many_automatic_doubles", "/automatic_doubles"),
        ({"move_s": 0, "reserve_s": 0}, "impossible_clock", None),
        ({"days_a_move": 3}, "impossible_clock", None),
        ({"move_s": 0, "reserve_s": 0, "days_a_move": 31}, "impossible_clock", None),
        ({"penalty": "1.5"}, "invalid", "/penalty"),
        ({"abandonment": "keep"}, "invalid", "/abandonment"),
        ({"cube": False, "beavers": True}, "cube_needed", None),
        ({"cube": False, "automatic_doubles": 1}, "cube_needed", None),
        ({"stake": money("9999999999.00"), "cap": money("999999999999.00")}, "exposure_too_large", "/stake"),
    ],
)
def test_terms_that_nobody_can_agree_on_are_refused_by_their_rule(
    change: dict[str, Any], code: str, pointer: str | None
) -> None:
    answer = Guest("ann").offers({**SINGLE, **change}, room=emerald())
    problem = refused(answer, 422, code)
    if pointer:
        assert [fault["pointer"] for fault in problem["errors"]] == [pointer]
    assert not Offer.objects.exists()


def test_the_uncapped_table_is_192_stakes() -> None:
    ann = Guest("ann", funds="960")
    answer = ann.offers({**SINGLE, "cap": money("960.00")}, room=emerald())
    assert answer.json()["terms"]["hold"] == money("960.00")
    assert answer.json()["quote"][-1]["lost"] == money("960.00")


def test_without_a_cube_the_uncapped_table_is_three_stakes_and_nobody_doubles() -> None:
    """S-1, B-9: from the offer to a rematch."""
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    told = ann.offers({**SINGLE, "cap": money("960.00"), "cube": False}, room=room).json()
    assert (told["terms"]["cube"], told["terms"]["hold"], told["quote"][-1]["lost"]) == (
        False, money("15.00"), money("15.00"),
    )  # fmt: skip
    table = bob.accepts(told["id"]).json()["table"]
    played = AtTable(Stake.objects.get(), (ann.client, bob.client), at=datetime.now(UTC))
    played.beat()
    played.seed()
    state = played.plays()
    assert (state["rules"]["cube"], state["cube"]["limit"]) == (False, 1)
    assert played.state(played.side)["actions"] == ["roll", "resign"]
    refused(played.does("double"), 409, "cube_at_limit")
    assert played.done("resign", concession="backgammon")["settlement"]["lost"] == money("15.00")
    record = Table.objects.get(pk=table).record.text
    assert '; [CubeLimit "1"]' in record
    assert [replay.refused for replay in replay_text(record)] == [()]
    rematch = ann.posts(f"tables/{table}/rematch").json()
    assert rematch["terms"] == told["terms"]


def test_rating_limits_that_cross_are_refused() -> None:
    answer = Guest("ann").offers(room=emerald(), rating_min="1600", rating_max="1500.00")
    refused(answer, 422, "rating_limits_crossed")


def test_a_maker_without_the_money_is_told_how_much_there_is() -> None:
    """S-4: available balance below it, no seat."""
    problem = refused(Guest("ann", funds="14.99").offers(room=emerald()), 409, "insufficient_funds")
    assert problem["balance"] == money("14.99")
    assert problem["needed"] == money("15.00")


def test_a_room_that_is_not_there_and_one_without_a_tariff_make_no_tables() -> None:
    ann = Guest("ann")
    answer = ann.posts("offers", {"room": "ruby", **SINGLE})
    assert refused(answer, 422, "no_such_room")["errors"][0]["pointer"] == "/room"
    refused(ann.offers(room=emerald(charges=None)), 409, "room_has_no_tariff")


def test_a_currency_that_the_tariff_does_not_know_is_refused() -> None:
    euro = {**SINGLE, "stake": money("5.00", "EUR"), "cap": money("15.00", "EUR")}
    refused(Guest("ann", currency="EUR").offers(euro, room=emerald()), 422, "currency_not_in_tariff")


def test_an_offer_takes_a_key_and_is_made_once() -> None:
    room, ann = emerald(), Guest("ann")
    body = {"room": room.slug, **SINGLE}
    assert ann.client.post("/v1/offers", body, format="json").json()["code"] == "idempotency_key_missing"
    first, again = (ann.posts("offers", body, key="k1") for _ in range(2))
    assert first.json() == again.json()
    assert Offer.objects.count() == 1


def test_a_player_has_only_so_many_offers(settings: Any) -> None:
    settings.OFFERS_STANDING_MAX = 2
    room, ann = emerald(), Guest("ann")
    first = ann.offered(room=room)
    ann.offered(room=room)
    assert refused(ann.offers(room=room), 409, "too_many_offers")["limit"] == 2
    ann.posts(f"offers/{first}/withdraw")
    ann.offered(room=room)


# --- who sees what ----------------------------------------------------------------------------------------------------


def test_the_lobby_is_filtered_and_paged() -> None:
    room, other = emerald(), RoomFactory.create(slug="sapphire", charges="sgames")
    ann, bob = Guest("ann", funds="1000"), Guest("bob")
    fund(ann.player, "1000", "EUR")
    small = ann.offered(room=room)
    large = ann.offered({**SINGLE, "stake": money("50.00"), "cap": money("50.00")}, room=room)
    match = ann.offered(MATCH, room=room)
    play = ann.offered(PLAY, room=room)
    euro = ann.offered({**SINGLE, "stake": money("5.00", "EUR"), "cap": money("15.00", "EUR")}, room=other)

    def ids(**query: str) -> list[str]:
        answer = bob.gets("offers", **query)
        assert answer.status_code == 200, answer.content
        return [offer["id"] for offer in answer.json()["results"]]

    assert ids() == [euro, play, match, large, small]
    assert ids(room="sapphire") == [euro]
    assert ids(zone="amateurs") == [play]
    assert ids(currency="USD") == [match, large, small]
    assert ids(currency="USD", stake_min="10") == [match, large]
    assert ids(currency="USD", stake_min="10.00", stake_max="49.99") == [match]
    assert ids(kind="match") == [match]
    assert ids(kind="single", zone="professionals") == [euro, large, small]
    assert ids(pace="days") == [match]
    assert ids(mine="true") == []
    page = bob.gets("offers", limit="2").json()
    assert [offer["id"] for offer in page["results"]] == [euro, play]
    rest = bob.client.get(page["next"]).json()
    assert [offer["id"] for offer in rest["results"]] == [match, large]


@pytest.mark.parametrize(
    "query", [{"stake_min": "5"}, {"stake_min": "5.001", "currency": "USD"}, {"zone": "moon"}, {"currency": "XXX"}]
)
def test_a_filter_that_says_nothing_is_refused(query: dict[str, str]) -> None:
    refused(Guest("ann").gets("offers", **query), 422, "invalid")


def test_the_list_costs_few_queries_however_long(django_assert_max_num_queries: Any) -> None:
    room = emerald()
    for number in range(6):
        Guest(f"guest {number}").offered(room=room)
    bob = Guest("bob")
    with django_assert_max_num_queries(6):
        assert len(bob.gets("offers").json()["results"]) == 6


def test_an_offer_that_is_over_is_its_parties_alone() -> None:
    room, ann, bob, cleo = emerald(), Guest("ann"), Guest("bob"), Guest("cleo")
    offer = ann.offered(room=room)
    assert cleo.sees(offer).status_code == 200
    bob.accepts(offer)
    assert ann.sees(offer).json()["table"] == bob.sees(offer).json()["table"]
    refused(cleo.sees(offer), 404, "not_found")
    assert cleo.gets("offers").json()["results"] == []
    assert [told["state"] for told in ann.gets("offers", mine="true").json()["results"]] == ["agreed"]
    refused(cleo.sees(str(uuid4())), 404, "not_found")


def test_whoever_waits_asks_with_an_etag() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    tag = ann.sees(offer)["ETag"]
    again = ann.client.get(f"/v1/offers/{offer}", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    bob.accepts(offer)
    assert ann.client.get(f"/v1/offers/{offer}", headers={"If-None-Match": tag}).status_code == 200


# --- agreeing ---------------------------------------------------------------------------------------------------------


def test_two_agree_and_both_sit_down() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered({**SINGLE, "jacoby": True, "abandonment": "forfeit", "penalty": "0.1"}, room=room)
    told = bob.accepts(offer)
    assert told.status_code == 200, told.content
    assert (told.json()["state"], told.json()["taker"]["name"]) == ("agreed", "bob")
    table = Table.objects.get(pk=told.json()["table"])
    assert table.seats == (ann.player, bob.player)
    assert (table.jacoby, table.zone, table.match_length) == (True, "professionals", 0)
    stake = Stake.objects.get(table=table)
    assert (stake.stake, stake.cap) == (Decimal("5.00"), Decimal("15.00"))
    assert (stake.abandonment, stake.penalty) == ("forfeit", Decimal("0.1"))
    assert Live.objects.get(pk=table.pk).status == "seeds"
    for guest in (ann, bob):
        assert (wallet(guest.player), escrow(guest.player)) == (Decimal("85.00"), Decimal("15.00"))


def test_whoever_accepts_again_gets_the_same_table_and_others_none() -> None:
    room, ann, bob, cleo = emerald(), Guest("ann"), Guest("bob"), Guest("cleo")
    offer = ann.offered(room=room)
    first = bob.accepts(offer).json()
    assert bob.accepts(offer).json() == first
    refused(cleo.accepts(offer), 409, "offer_closed")
    assert Table.objects.count() == 1


def test_nobody_plays_against_themselves() -> None:
    ann = Guest("ann")
    offer = ann.offered(room=emerald())
    refused(ann.accepts(offer), 409, "own_offer")
    refused(ann.counters(offer, {**SINGLE, "beavers": True}), 409, "own_offer")


def test_a_taker_without_the_money_is_told_how_much_there_is() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob", funds="3")
    problem = refused(bob.accepts(ann.offered(room=room)), 409, "insufficient_funds")
    assert (problem["balance"], problem["needed"]) == (money("3.00"), money("15.00"))
    assert escrow(ann.player) == 0
    assert not Table.objects.exists()


def test_a_maker_without_the_money_any_more_is_not_told_of() -> None:
    room, ann, bob, cleo = emerald(), Guest("ann", funds="20"), Guest("bob"), Guest("cleo")
    first, second = ann.offered(room=room), ann.offered(room=room)
    bob.accepts(first)
    answer = cleo.accepts(second)
    problem = refused(answer, 409, "opponent_cannot_pay")
    assert "balance" not in problem
    assert "5.00" not in answer.content.decode()
    assert (wallet(cleo.player), escrow(cleo.player)) == (Decimal("100.00"), Decimal(0))
    assert cleo.sees(second).json()["state"] == "open"


def test_rating_limits_admit_the_edges() -> None:
    room, ann = emerald(), Guest("ann")
    offer = ann.offered(room=room, rating_min="1500", rating_max="1600.00")
    for rating in ("1499.999999", "1600.000001"):
        bob = Guest("bob")
        rated(bob.player, rating)
        refused(bob.accepts(offer), 409, "rating_outside_limits")
    bob = Guest("bob")
    rated(bob.player, "1600")
    assert bob.accepts(offer).status_code == 200


def test_a_table_keeps_the_tariff_with_which_it_was_offered() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    room.tariff.tariff = "sgames"
    room.tariff.save()
    RoomFactory.create(charges="sgames")
    table = bob.accepts(offer).json()["table"]
    assert str(Stake.objects.get(table=table).tariff) == "gammonempire 1"


def test_real_money_is_staked_only_by_who_may() -> None:
    """Asked at the offer, and of both again when they sit down."""
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    assert ann.player.user
    ann.player.user.is_active = False
    ann.player.user.save()
    refused(bob.accepts(offer), 409, "opponent_may_not_sit")
    stranger = PlayerFactory.create(name="cleo")
    with pytest.raises(seats.MayNotStake):
        services.accept(offer=Offer.objects.get().pk, player=stranger, at=datetime.now(UTC))


def test_a_shut_login_and_an_operator_play_for_nothing_either() -> None:
    """F: operators never play; nobody would ever come to the other seat."""
    room, ann, bob = emerald(), Guest("ann", funds=None), Guest("bob", funds=None)
    offers = [ann.offered(PLAY, room=room) for _ in range(2)]
    for change, offer in zip(({"is_active": False}, {"is_active": True, "is_staff": True}), offers, strict=True):
        User.objects.filter(player=ann.player).update(**change)
        refused(bob.accepts(offer), 409, "opponent_may_not_sit")


def test_play_money_comes_by_itself_and_zones_stay_apart() -> None:
    """Z: neither side had any; both are given it on first use, and no real money moves."""
    room, ann, bob = emerald(), Guest("ann", funds=None), Guest("bob")
    told = bob.accepts(ann.offered(PLAY, room=room))
    assert told.status_code == 200, told.content
    assert told.json()["zone"] == "amateurs"
    for guest in (ann, bob):
        assert (wallet(guest.player, "PLAY"), escrow(guest.player, "PLAY")) == (Decimal("985.00"), Decimal("15.00"))
    assert (wallet(bob.player), escrow(bob.player)) == (Decimal("100.00"), Decimal(0))


# --- a counter-proposal -----------------------------------------------------------------------------------------------

LOWER = {**SINGLE, "cap": money("10.00")}


def test_the_maker_accepts_a_counter_proposal() -> None:
    room, ann, bob, cleo = emerald(), Guest("ann"), Guest("bob"), Guest("cleo")
    offer = ann.offered(room=room)
    answer = bob.counters(offer, LOWER)
    assert answer.status_code == 201, answer.content
    told = ann.sees(offer).json()
    assert (told["state"], told["counter"]["player"]["name"]) == ("countered", "bob")
    assert told["counter"]["terms"]["hold"] == money("10.00")
    assert [example["lost"]["amount"] for example in told["counter"]["quote"]] == ["5.00", "10.00", "10.00"]
    assert cleo.sees(offer).json()["counter"] is None
    refused(cleo.accepts(offer), 409, "offer_countered")
    refused(cleo.counters(offer, LOWER), 409, "offer_countered")
    assert cleo.gets("offers").json()["results"] == []
    path = f"offers/{offer}/counters/{told['counter']['id']}/accept"
    refused(bob.posts(path), 403, "not_the_maker")
    done = ann.posts(path)
    assert done.status_code == 200, done.content
    assert ann.posts(path).json() == done.json()
    table = Table.objects.get(pk=done.json()["table"])
    assert table.seats == (ann.player, bob.player)
    assert Stake.objects.get(table=table).cap == Decimal("10.00")
    assert (escrow(ann.player), escrow(bob.player)) == (Decimal("10.00"), Decimal("10.00"))
    for player in (ann, bob):
        seen = player.sees(offer).json()
        counter = seen["counter"]
        assert seen["agreed"] == {"terms": counter["terms"], "quote": counter["quote"]}
        assert seen["agreed"]["terms"] != seen["terms"]


def test_an_offer_says_what_its_table_is_played_for_once_it_is_agreed() -> None:
    ann, bob = Guest("ann"), Guest("bob")
    offer = ann.offered(room=emerald())
    assert ann.sees(offer).json()["agreed"] is None
    bob.accepts(offer)
    seen = ann.sees(offer).json()
    assert seen["agreed"] == {"terms": seen["terms"], "quote": seen["quote"]}


def test_a_declined_counter_proposal_leaves_the_offer_as_it_was() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    counter = bob.countered(offer, LOWER)
    told = ann.posts(f"offers/{offer}/counters/{counter}/decline")
    assert (told.json()["state"], told.json()["counter"]["state"]) == ("open", "declined")
    refused(bob.counters(offer, {**SINGLE, "beavers": True}), 409, "countered_before")  # exactly one (S-1)
    refused(ann.posts(f"offers/{offer}/counters/{counter}/accept"), 409, "counter_closed")
    assert bob.accepts(offer).json()["terms"]["cap"] == money("15.00")


def test_a_player_keeps_only_so_many_offers_from_the_others(settings: Any) -> None:
    settings.COUNTERS_PENDING_MAX = 2
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    first, second, third = (ann.offered(room=room) for _ in range(3))
    counter = bob.countered(first, LOWER)
    bob.countered(second, LOWER)
    refused(bob.counters(third, LOWER), 409, "too_many_counters")
    ann.posts(f"offers/{first}/counters/{counter}/decline")
    bob.countered(third, LOWER)


def test_a_counter_proposal_is_taken_back_by_its_author_alone() -> None:
    room, ann, bob, cleo = emerald(), Guest("ann"), Guest("bob"), Guest("cleo")
    offer = ann.offered(room=room)
    path = f"offers/{offer}/counters/{bob.countered(offer, LOWER)}/withdraw"
    refused(cleo.posts(path), 404, "not_found")
    refused(ann.posts(path), 404, "not_found")
    assert bob.posts(path).json()["state"] == "open"
    assert bob.posts(path).json()["counter"]["state"] == "withdrawn"
    assert cleo.counters(offer, LOWER).status_code == 201


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (SINGLE, "nothing_changed"),
        (PLAY, "other_currency"),
        ({**SINGLE, "cap": None}, "cap_missing"),
    ],
)
def test_a_counter_proposal_that_is_none_is_refused(terms: dict[str, Any], code: str) -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    refused(bob.counters(offer, terms), 422, code)
    assert bob.sees(offer).json()["state"] == "open"


def test_the_author_who_has_spent_the_money_is_not_told_of() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob", funds="20")
    offer, other = ann.offered(room=room), ann.offered(room=room)
    counter = bob.countered(offer, {**SINGLE, "cap": money("20.00")})
    bob.accepts(other)
    problem = refused(ann.posts(f"offers/{offer}/counters/{counter}/accept"), 409, "opponent_cannot_pay")
    assert "balance" not in problem
    assert ann.sees(offer).json()["state"] == "countered"


# --- taking it back ---------------------------------------------------------------------------------------------------


def test_the_maker_withdraws() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    counter = bob.countered(offer, LOWER)
    refused(bob.posts(f"offers/{offer}/withdraw"), 403, "not_the_maker")
    for _ in range(2):
        assert ann.posts(f"offers/{offer}/withdraw").json()["state"] == "withdrawn"
    assert CounterProposal.objects.get(pk=counter).state == "expired"
    refused(bob.accepts(offer), 409, "offer_closed")
    refused(ann.posts(f"offers/{offer}/counters/{counter}/accept"), 409, "counter_closed")


def test_an_agreed_offer_is_not_withdrawn() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer = ann.offered(room=room)
    bob.accepts(offer)
    refused(ann.posts(f"offers/{offer}/withdraw"), 409, "offer_closed")


def test_what_nobody_takes_is_over_in_time() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    offer, kept = ann.offered(room=room), ann.offered(room=room)
    counter = bob.countered(offer, LOWER)
    bob.accepts(kept)
    end = Offer.objects.get(pk=offer).expires_at
    assert services.expire(at=end - timedelta(seconds=1)) == 0
    assert not selectors.offers(viewer=bob.player, filters=selectors.Filters(), at=end).exists()
    with pytest.raises(services.OfferClosed):  # before any sweep has come
        services.accept_counter(
            offer=Offer.objects.get(pk=offer).pk, counter=CounterProposal.objects.get().pk, player=ann.player, at=end
        )
    assert services.expire(at=end) == 1
    assert services.expire(at=end) == 0
    assert Offer.objects.get(pk=offer).state == "expired"
    assert CounterProposal.objects.get(pk=counter).state == "expired"
    assert Offer.objects.get(pk=kept).state == "agreed"


# --- what the database refuses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"stake": Decimal("6.00")},
        {"cap": Decimal("500.00")},
        {"tariff_id": uuid4()},
        {"expires_at": datetime(2030, 1, 1, tzinfo=UTC)},
    ],
)
def test_what_was_offered_stays(change: dict[str, Any]) -> None:
    Guest("ann").offered(room=emerald())
    with pytest.raises(DatabaseError, match="offer_terms_are_final"), transaction.atomic():
        Offer.objects.update(**change)
    with pytest.raises(DatabaseError, match="offer_terms_are_final"), transaction.atomic():
        Offer.objects.all().delete()


def test_an_offer_that_is_over_stays_over() -> None:
    ann = Guest("ann")
    offer = ann.offered(room=emerald())
    ann.posts(f"offers/{offer}/withdraw")
    with pytest.raises(DatabaseError, match="offer_terms_are_final"), transaction.atomic():
        Offer.objects.update(state="open")


def test_play_money_is_not_offered_among_professionals() -> None:
    Guest("ann").offered(room=emerald())
    row = Offer.objects.get()
    row.pk, row.currency = uuid4(), "PLAY"
    with pytest.raises(DatabaseError, match="offer_is_in_its_currencys_zone"), transaction.atomic():
        row.save(force_insert=True)
