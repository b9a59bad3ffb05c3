"""A room's own server opens tables, reports what was played, and is believed nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from games.access.models import Scope
from games.live import services as live
from games.live.rules.pace import Pace
from games.models import Game, Record, Table, User
from games.rules.dice import Seeds
from ledger import book
from tests.access.callers import client_of, room_client
from tests.factories import NOON, PlayerFactory, RoomFactory, earned, escrow, fund, person, seated, terms, wallet
from tests.games import texts
from tests.rooms.servers import SEEDS, Server, played, server, transcript
from tests.seamless.callers import let_in
from wagering.play import tasks
from wagering.play.rooms_services import table_id
from wagering.seamless.sessions import LIFE, end_all
from wagering.settlement.models import Adjudication, Settlement
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db

RESIGNED = texts.money(texts.RESIGNED)  # ann wins 4 points
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:6"


def wallets(server: Server) -> list[str]:
    return [str(wallet(player)) for player in server.players]


# --- opening ----------------------------------------------------------------------------------------------------------


def test_a_table_holds_both_stakes(emerald: Server) -> None:
    told = emerald.opened()
    assert told["id"] == str(table_id(room=emerald.room, reference="4711"))
    assert (told["state"], told["held"], told["tariff"]) == (
        "held", {"amount": "15.00", "currency": "USD"}, "gammonempire 1",
    )  # fmt: skip
    assert [str(escrow(player)) for player in emerald.players] == ["15.00", "15.00"]
    assert emerald.told() == told


def test_both_or_neither_and_no_table_without_s_4(emerald: Server) -> None:
    poor = person("bob", "14.99")
    let_in(emerald.room, poor)
    answer = emerald.open(players=[str(emerald.players[0].pk), str(poor.pk)])
    assert (answer.status_code, answer.json()["code"]) == (409, "insufficient_funds")
    assert "14.99" not in answer.content.decode()
    assert not Table.objects.exists()
    assert wallets(emerald) == ["100.00", "100.00"]


def test_the_rooms_own_id_opens_it_once_case_5(emerald: Server) -> None:
    first = emerald.open(key="k1")
    again = emerald.open(key="k1")
    assert (again.status_code, again.content, again["Idempotent-Replayed"]) == (201, first.content, "true")
    by_reference = emerald.open(key="k2")
    assert (by_reference.status_code, by_reference.json()) == (201, first.json())
    other_terms = emerald.open(key="k3", stake={"amount": "6.00", "currency": "USD"})
    assert (other_terms.status_code, other_terms.json()["code"]) == (409, "sat_down_otherwise")
    other_table = emerald.open(key="k4", jacoby=True)
    assert (other_table.status_code, other_table.json()["code"]) == (409, "opened_otherwise")
    assert emerald.open(key="k1", jacoby=True).status_code == 422  # case 6
    assert (Stake.objects.count(), wallets(emerald)) == (1, ["85.00", "85.00"])


def test_the_key_is_required_case_4(emerald: Server) -> None:
    answer = emerald.client.post(f"/v1/rooms/{emerald.room.slug}/tables", {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_missing")


@pytest.mark.parametrize(
    ("asked", "code", "pointer"),
    [
        ({"cap": None}, "cap_missing", "/cap"),  # case 50
        ({"cap": {"amount": "4.99", "currency": "USD"}}, "cap_below_stake", "/cap"),
        ({"match_length": 3}, "cap_for_series", "/cap"),
        ({"cap": {"amount": "15.00", "currency": "EUR"}}, "invalid", "/cap"),
        ({"stake": {"amount": "0.999", "currency": "USD"}}, "invalid", "/stake/amount"),  # case 41
        ({"stake": {"amount": "0.00", "currency": "USD"}}, "stake_not_positive", "/stake"),
        ({"stake": {"amount": 5, "currency": "USD"}}, "invalid", "/stake/amount"),
        ({"stake": {"amount": "NaN", "currency": "USD"}}, "invalid", "/stake/amount"),  # case 42
        ({"stake": {"amount": "500.5", "currency": "JPY"}}, "invalid", "/stake/amount"),  # case 27
        ({"match_length": 3, "cap": None, "jacoby": True}, "money_play_only", None),
        ({"reference": "a/b"}, "invalid", "/reference"),
        ({"match_length": 26}, "invalid", "/match_length"),
        ({"players": [str(uuid4()), str(uuid4())]}, "no_such_player", "/players"),
        ({"abandonment": "50:50"}, "invalid", "/abandonment"),
        ({"cube": False, "beavers": True}, "cube_needed", None),
        ({"cube": False, "automatic_doubles": 1}, "cube_needed", None),
    ],
)
def test_terms_that_make_no_table(emerald: Server, asked: dict[str, Any], code: str, pointer: str | None) -> None:
    answer = emerald.open(**asked)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert [fault.get("pointer") for fault in answer.json().get("errors", [])] == ([pointer] if pointer else [])
    assert not Table.objects.exists()


def test_a_currency_that_the_tariff_does_not_serve(emerald: Server) -> None:
    euro = {"amount": "5.00", "currency": "EUR"}
    assert emerald.open(stake=euro, cap=euro).json()["code"] == "currency_not_in_tariff"


def test_nobody_sits_on_both_sides(emerald: Server) -> None:
    one = str(emerald.players[0].pk)
    assert emerald.open(players=[one, one]).json()["code"] == "no_such_player"


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": True}, {"is_superuser": True}])
@pytest.mark.parametrize("currency", ["USD", "PLAY"])
def test_a_shut_login_sits_nowhere_and_no_operator_case_59(
    emerald: Server, change: dict[str, bool], currency: str
) -> None:
    User.objects.filter(player=emerald.players[0]).update(**change)
    answer = emerald.open(stake={"amount": "5.00", "currency": currency}, cap={"amount": "15.00", "currency": currency})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_such_player")
    assert not Table.objects.exists()


def test_who_has_no_login_sits_for_play_money_alone(emerald: Server) -> None:
    """As in the lobby: real money is staked by somebody."""
    brought_in = PlayerFactory.create(name="bob")
    fund(brought_in, "100.00")
    players = [str(emerald.players[0].pk), str(brought_in.pk)]
    assert emerald.open(players=players).json()["code"] == "no_such_player"
    assert not Table.objects.exists()
    for player in (emerald.players[0], brought_in):
        fund(player, "100.00", "PLAY")
    play = {"amount": "5.00", "currency": "PLAY"}
    emerald.opened(players=players, stake=play, cap=play)


# --- the players' permission ------------------------------------------------------------------------------------------


def refused_without(server: Server, **terms: Any) -> None:
    answer = server.open(**terms)
    assert (answer.status_code, answer.json()["code"]) == (403, "room_not_let_in")
    assert [fault["pointer"] for fault in answer.json()["errors"]] == ["/players"]
    assert not Table.objects.exists()
    assert wallets(server) == ["100.00", "100.00"]


@pytest.mark.parametrize("seat", [0, 1])
def test_real_money_is_staked_for_players_who_let_the_room_in(emerald: Server, seat: int) -> None:
    player = emerald.players[seat]
    end_all(player=player, at=datetime.now(UTC))
    refused_without(emerald)
    let_in(RoomFactory.create(), player)  # another room
    let_in(emerald.room, player, currency="EUR")  # other money
    let_in(emerald.room, player, at=datetime.now(UTC) - LIFE)  # as long ago as it lasts
    refused_without(emerald)
    let_in(emerald.room, player)
    emerald.opened()


def test_the_permission_is_the_players_to_give_and_to_end(emerald: Server) -> None:
    client = client_of(emerald.players[0])
    assert client.delete("/v1/seamless/sessions").status_code == 204
    refused_without(emerald)
    asked = {"room": emerald.room.slug, "currency": "USD"}
    assert client.post("/v1/seamless/sessions", asked, format="json").status_code == 201
    emerald.opened()


def test_play_money_needs_no_permission(emerald: Server) -> None:
    play = {"amount": "5.00", "currency": "PLAY"}
    for player in emerald.players:
        end_all(player=player, at=datetime.now(UTC))
        fund(player, "100.00", "PLAY")
    emerald.opened(stake=play, cap=play)


def test_what_is_held_settles_when_the_permission_is_over(emerald: Server) -> None:
    told = emerald.opened()
    for player in emerald.players:
        end_all(player=player, at=datetime.now(UTC))
    assert emerald.opened() == told  # the same again is the same table
    assert emerald.post("result", {"record": RESIGNED}).status_code == 200
    assert wallets(emerald) == ["113.53", "85.00"]


# --- results ----------------------------------------------------------------------------------------------------------


def test_a_result_is_replayed_and_paid_case_49(emerald: Server) -> None:
    """A gammon with the cube on 2 is 20.00, capped to 15.00; GE takes 4.9 % from each: 1.47."""
    emerald.opened()
    answer = emerald.post("result", {"record": RESIGNED})
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["state"], told["settlement"]["winner"], told["settlement"]["lost"]["amount"]) == (
        "settled",
        1,
        "15.00",
    )
    assert told["games"] == [
        {"game": 1, "winner": 1, "win": "gammon", "cube": 2, "points": 4, "ending": "resigned", "plays": 2}
    ]
    assert [step["rule"] for step in told["settlement"]["charge"]["trace"]]
    assert wallets(emerald) == ["113.53", "85.00"]
    assert str(earned(emerald.room)) == "1.47"
    assert emerald.told() == told


def test_the_same_result_again_is_the_same_case_2(emerald: Server) -> None:
    emerald.opened()
    first = emerald.post("result", {"record": RESIGNED}, key="r1")
    assert emerald.post("result", {"record": RESIGNED}, key="r1")["Idempotent-Replayed"] == "true"
    assert emerald.post("result", {"record": RESIGNED}, key="r2").json() == first.json()
    other = emerald.post("result", {"record": texts.money(texts.DROPPED)})
    assert (other.status_code, other.json()["code"]) == (409, "reported_otherwise")
    assert (Settlement.objects.count(), wallets(emerald)) == (1, ["113.53", "85.00"])


def test_a_gammon_doubles_the_wager_case_48(emerald: Server) -> None:
    """C-1, by a whole game with its dice; whoever won it, the figures are those of its points."""
    for player in emerald.players:
        fund(player, "1000.00")
    emerald.opened(cap={"amount": "960.00", "currency": "USD"})
    record, dice = played()
    answer = emerald.post("result", {"record": record, "dice": dice})
    assert answer.status_code == 200, answer.content
    told = answer.json()
    points = told["games"][0]["points"]
    assert told["settlement"]["lost"]["amount"] == f"{5 * points}.00"


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (texts.money("  1) 31: 8/5 6/4\n      Wins 1 point\n"), "record_refused"),  # no such play
        (texts.money(texts.OPENING + "  2) 66: 24/18 24/18 13/7 5/off\n      Wins 2 points\n"), "record_refused"),
        (texts.money(texts.DOUBLED + "      Wins 3 points\n"), "record_refused"),  # no value with the cube on 2
        (texts.money(texts.UNFINISHED), "record_unfinished"),
        (texts.record(texts.game(texts.DROPPED), length=3), "record_refused"),
        (texts.record(texts.game(texts.DROPPED), texts.game(texts.DROPPED, number=2, score=(1, 0))), "record_too_long"),
        (RESIGNED + "\n" * 20_001, "record_too_long"),
        (RESIGNED + "\r" * 20_001, "record_too_long"),
        (texts.record(), "record_refused"),
        (RESIGNED + RESIGNED.replace(" Game", " Partie"), "record_refused"),
        ("no record at all", "record_refused"),
        (texts.money(texts.RESIGNED).replace("ann", "eve"), "record_of_others"),
        (texts.money(texts.RESIGNED).replace("ann", "x").replace("bob", "ann").replace("x", "bob"), "record_of_others"),
    ],
)
def test_a_record_that_does_not_stand_moves_nothing(emerald: Server, record: str, code: str) -> None:
    emerald.opened()
    answer = emerald.post("result", {"record": record})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Record.objects.exists()
    assert not Game.objects.exists()
    assert (emerald.told()["state"], wallets(emerald)) == ("held", ["85.00", "85.00"])


def test_players_are_known_by_id_too(emerald: Server) -> None:
    emerald.opened()
    ann, bob = (str(player.pk) for player in emerald.players)
    record = RESIGNED.replace("ann", ann).replace("bob", bob.upper())
    assert emerald.post("result", {"record": record}).status_code == 200


@pytest.mark.parametrize("said", [{"points": 3}, {"winner": 1}, {"points": 4, "winner": 1}])
def test_a_result_that_does_not_follow(emerald: Server, said: dict[str, int]) -> None:
    emerald.opened()
    claimed = dict(said) | ({"winner": str(emerald.players[1].pk)} if "winner" in said else {})
    answer = emerald.post("result", {"record": RESIGNED, **claimed})
    assert (answer.status_code, answer.json()["code"]) == (422, "result_does_not_follow")
    assert not Record.objects.exists()
    right = {"points": 4, "winner": str(emerald.players[0].pk)}
    assert emerald.post("result", {"record": RESIGNED, **right}).status_code == 200


def test_a_match_is_paid_by_its_stake(emerald: Server) -> None:
    emerald.opened(match_length=1, cap=None, stake={"amount": "10.00", "currency": "USD"})
    record = texts.record(texts.game(texts.OPENING + " " * 34 + "Wins 1 point\n"), length=1)
    answer = emerald.post("result", {"record": record})
    assert answer.status_code == 200, answer.content
    assert answer.json()["settlement"]["winner"] == 2


# --- dice -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def rich(emerald: Server) -> Server:
    for player in emerald.players:
        fund(player, "1000.00")
    emerald.opened(cap={"amount": "960.00", "currency": "USD"})
    return emerald


def test_dice_that_prove_the_record(rich: Server) -> None:
    record, dice = played()
    assert rich.post("result", {"record": record, "dice": dice}).status_code == 200


def _events(dice: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in dice["events"] if event["event"] == kind]


@pytest.mark.parametrize("change", ["swapped seed", "one die", "left out", "counter", "client seed"])
def test_dice_that_prove_nothing(rich: Server, change: str) -> None:
    record, dice = played()
    throws = _events(dice, "throw")
    match change:
        case "swapped seed":
            _events(dice, "server_seed")[0]["seed"] = "00" * 32
        case "one die":
            throws[5]["dice"] = [1 + throws[5]["dice"][0] % 6, throws[5]["dice"][1]]
        case "left out":
            dice["events"].remove(throws[3])
        case "counter":
            throws[4]["counter"] = throws[3]["counter"]
        case "client seed":
            _events(dice, "client_seed")[0]["seed"] = "11" * 32
    answer = rich.post("result", {"record": record, "dice": dice})
    assert (answer.status_code, answer.json()["code"]) == (422, "dice_not_proved")
    assert answer.json()["errors"][0]["pointer"] == "/dice"
    assert not Record.objects.exists()


def test_good_dice_of_another_game(rich: Server) -> None:
    record, _ = played()
    _, other = played(seeds=Seeds(server=b"t" * 32, clients=SEEDS.clients))
    for dice in (other, transcript([])):
        answer = rich.post("result", {"record": record, "dice": dice})
        assert (answer.status_code, answer.json()["code"]) == (422, "dice_differ")


@pytest.mark.parametrize(
    "dice", [{}, {"format": "x", "events": []}, {"format": "backgammon-room/dice/1", "events": 1.5}]
)
def test_no_transcript_at_all(rich: Server, dice: dict[str, Any]) -> None:
    record, _ = played()
    answer = rich.post("result", {"record": record, "dice": dice})
    assert (answer.status_code, answer.json()["code"]) == (422, "transcript_malformed")


# --- void, left, reversed ---------------------------------------------------------------------------------------------


def test_void_gives_both_stakes_back(emerald: Server) -> None:
    emerald.opened()
    first = emerald.post("void")
    assert (first.status_code, first.json()["settlement"]["status"]) == (200, "void")
    assert emerald.post("void").json() == first.json()
    assert emerald.post("result", {"record": RESIGNED}).json()["code"] == "settled_otherwise"
    assert (wallets(emerald), Record.objects.count()) == (["100.00", "100.00"], 0)


def test_what_is_paid_is_not_voided(emerald: Server) -> None:
    emerald.opened()
    emerald.post("result", {"record": RESIGNED})
    assert emerald.post("void").json()["code"] == "settled_otherwise"


def test_a_contest_that_was_left_waits_for_its_analysis(emerald: Server) -> None:
    emerald.opened()
    answer = emerald.post("abandon", {"xgid": START, "absent": [2]})
    assert (answer.status_code, answer.json()["settlement"]["status"]) == (200, "waiting")
    found = Adjudication.objects.get()
    assert (found.cause, found.on_roll, found.absent) == ("abandoned", 1, (2,))
    again = emerald.post("abandon", {"xgid": START, "absent": [2]})
    assert (again.json(), Adjudication.objects.count()) == (answer.json(), 1)
    for word, body in (("result", {"record": RESIGNED}), ("void", {})):
        late = emerald.post(word, body)
        assert (late.status_code, late.json()["code"]) == (409, "left_unfinished")
    assert wallets(emerald) == ["85.00", "85.00"]


def test_what_was_left_is_split_by_its_analysis_case_52(emerald: Server) -> None:
    """A-5: the last roll, {6} against {1}, centred cube, to roll: worth the whole stake."""
    emerald.opened()
    emerald.post("abandon", {"xgid": f"XGID={'-' * 6}A{'-' * 17}a-:0:0:1:00:0:0:0:0:6", "absent": [1]})
    stake = str(Stake.objects.get().pk)
    tasks.adjudicate(stake)
    told = emerald.told()["settlement"]
    assert (told["status"], told["winner"], told["lost"]["amount"]) == ("settled", 1, "5.00")
    assert told["adjudication"]["arithmetic"]
    assert wallets(emerald) == ["104.51", "95.00"]
    tasks.adjudicate(stake)
    refused = emerald.post("reverse", {"reason": "one operator is not two"})
    assert (refused.status_code, refused.json()["code"]) == (409, "split_takes_two")


def test_a_game_without_a_cube_is_held_replayed_and_left_as_one(emerald: Server) -> None:
    told = emerald.opened(cube=False, cap={"amount": "960.00", "currency": "USD"})
    assert (told["cube"], told["held"]["amount"]) == (False, "15.00")
    doubled = emerald.post("result", {"record": RESIGNED})
    assert (doubled.status_code, doubled.json()["code"]) == (422, "record_refused")
    assert "the cube is at its limit (1 of 1)" in doubled.json()["detail"]
    for turned in (":1:1:1:00:0:0:0:0:6", ":0:0:1:D:0:0:0:0:6"):
        answer = emerald.post("abandon", {"xgid": START[: START.index(":")] + turned, "absent": [2]})
        assert (answer.status_code, answer.json()["code"]) == (422, "position_differs")
    assert emerald.post("abandon", {"xgid": START, "absent": [2]}).status_code == 200
    assert Adjudication.objects.get().xgid.endswith(":0")  # the cube stays at 1


def test_a_contest_that_was_left_is_void_if_so_agreed(emerald: Server) -> None:
    emerald.opened(abandonment="void")
    assert emerald.post("abandon", {"xgid": START, "absent": [1]}).json()["settlement"]["status"] == "void"
    assert wallets(emerald) == ["100.00", "100.00"]


@pytest.mark.parametrize(
    ("xgid", "code"),
    [
        ("XGID=nonsense", "bad_xgid"),
        (START[:-1] + "9", None),  # a cube limit of another program is passed over
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:3:6", "position_differs"),  # of a match
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:6", "position_differs"),  # with Jacoby
        ("XGID=-b----E-C---eE---c-e----B-:7:0:1:00:0:0:0:0:9", "position_differs"),  # the cube at 128
        ("XGID=---------------------------:0:0:1:00:0:0:0:0:6", "bad_xgid"),  # an empty board
    ],
)
def test_a_position_is_one_of_this_contest(emerald: Server, xgid: str, code: str | None) -> None:
    emerald.opened()
    answer = emerald.post("abandon", {"xgid": xgid, "absent": [1]})
    assert answer.json().get("code") == code
    assert answer.status_code == (422 if code else 200)
    assert Adjudication.objects.count() == (0 if code else 1)


@pytest.mark.parametrize("absent", [[], [3], [1, 1], ["x"], [1, 2, 1]])
def test_who_left(emerald: Server, absent: list[Any]) -> None:
    emerald.opened()
    assert emerald.post("abandon", {"xgid": START, "absent": absent}).status_code == 422


def test_a_payment_is_reversed_by_the_operators_key_alone(emerald: Server) -> None:
    emerald.opened()
    assert emerald.post("reverse", {"reason": "too early"}).json()["code"] == "not_settled"
    emerald.post("result", {"record": RESIGNED})
    rooms_own = Server(emerald.room, room_client(emerald.room, Scope.TABLES, Scope.RESULTS, Scope.WALLET),
                       emerald.players, emerald.table)  # fmt: skip
    assert rooms_own.post("reverse", {"reason": "we regret it"}).status_code == 403
    assert emerald.post("reverse", {}).status_code == 422
    answer = emerald.post("reverse", {"reason": "the record was another table's"})
    assert (answer.status_code, answer.json()["reversed"]) == (200, True)
    assert emerald.post("reverse", {"reason": "the record was another table's"}).status_code == 200
    assert wallets(emerald) == ["85.00", "85.00"]
    assert [str(hold.amount) for hold in book.open_holds()] == ["15.00", "15.00"]
    assert emerald.post("result", {"record": RESIGNED}).json()["code"] == "settlement_reversed"


# --- other rooms, other tables, too much ------------------------------------------------------------------------------


def test_a_key_never_acts_in_another_room(emerald: Server) -> None:
    emerald.opened()
    sapphire = server()
    for slug in (emerald.room.slug, sapphire.room.slug):
        bodies: dict[str, dict[str, Any]] = {
            "result": {"record": RESIGNED},
            "void": {},
            "abandon": {"xgid": START, "absent": [1]},
            "reverse": {"reason": "mine now"},
        }
        for word, body in bodies.items():
            answer = sapphire.post(word, body, slug=slug, table=emerald.table)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), (slug, word)
        assert sapphire.client.get(sapphire.url(slug=slug, table=emerald.table)).status_code == 404
    assert sapphire.open(slug=emerald.room.slug).status_code == 404
    assert sapphire.open(slug="nosuch").status_code == 404
    # The same reference is a table of its own there.
    assert sapphire.opened()["id"] != emerald.table
    assert emerald.told()["state"] == "held"


@pytest.mark.parametrize(
    ("scope", "allowed"), [(Scope.TABLES, {"open", "get"}), (Scope.RESULTS, {"result", "void", "abandon"}),
                           (Scope.WALLET, set()), (Scope.REVERSE, {"reverse"})],
)  # fmt: skip
def test_a_key_does_what_its_scope_says(emerald: Server, scope: Scope, allowed: set[str]) -> None:
    emerald.opened()
    weak = Server(emerald.room, room_client(emerald.room, scope), emerald.players, emerald.table)
    answers = {
        "open": weak.open().status_code,
        "get": weak.client.get(weak.url()).status_code,
        **{word: weak.post(word, {}).status_code for word in ("abandon", "reverse", "result", "void")},
    }
    assert {word for word, status in answers.items() if status != 403} == allowed


def test_a_players_client_can_never_settle(emerald: Server) -> None:
    emerald.opened()
    client = client_of(emerald.players[0])
    for word in ("result", "void", "abandon", "reverse"):
        answer = client.post(emerald.url(word), {}, format="json", headers={"Idempotency-Key": "k"})
        assert answer.status_code == 403
    assert client.get(emerald.url()).status_code == 403


def test_what_is_played_here_is_not_reported_from_elsewhere(emerald: Server) -> None:
    stake = seated(terms("5", cap="15"), room=emerald.room)
    live.start(table=stake.table, pace=Pace(move_s=15, reserve_s=120), at=NOON)
    emerald.table = str(stake.table_id)
    for word, body in (("result", {"record": RESIGNED}), ("void", {}), ("abandon", {"xgid": START, "absent": [1]})):
        answer = emerald.post(word, body)
        assert (answer.status_code, answer.json()["code"]) == (409, "played_here")
    assert emerald.told()["played_here"] is True
    assert Stake.objects.get().state == Stake.State.HELD


def test_a_body_of_10_mb_and_one_of_7(emerald: Server) -> None:
    emerald.opened()
    assert emerald.post("result", {"record": "x" * 10_000_000}).status_code == 413
    assert emerald.post("void", {"record": "x" * 2_000_000}).status_code == 413
    answer = emerald.post("result", {"record": RESIGNED + " " * 7_000_000})
    assert answer.status_code in (200, 422)
