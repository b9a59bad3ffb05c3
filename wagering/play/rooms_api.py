"""Games played elsewhere: what a room's own server may ask, each word with a key that has the scope for it."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import services as games
from games.access.authentication import RoomServer
from games.access.models import Scope
from games.access.permissions import IsRoomServer
from games.models import Room, Table
from games.rules.ids import BadXgid
from games.rules.terms import CubeNeeded, MoneyPlayOnly
from ledger.book import InsufficientFunds
from ledger.money import InvalidAmount
from wagering.commission.rules import CurrencyNotInTariff
from wagering.commission.selectors import RoomHasNoTariff
from wagering.play import rooms_dice, rooms_selectors, tasks
from wagering.play import rooms_services as services
from wagering.play.rooms_serializers import (
    RECORD_MAX,
    RoomAbandonedSerializer,
    RoomOpeningSerializer,
    RoomResultSerializer,
    RoomReversalSerializer,
    RoomTableSerializer,
)
from wagering.play.rooms_services import Options, Said
from wagering.protection.refusals import Protected
from wagering.rest.hints import hint
from wagering.settlement import services as settlement
from wagering.settlement.models import Adjudication
from wagering.stakes import rules as terms
from wagering.stakes import services as stakes
from wagering.stakes.consent import RoomNotLetIn

SLUG: Final = OpenApiParameter("slug", str, OpenApiParameter.PATH, description="Short name of the key's own room.")
TABLE: Final = OpenApiParameter("table", UUID, OpenApiParameter.PATH, description="The table's id, as it was answered.")

ANN, BOB = "7f1c3a52-6c0e-4f5e-9d2b-0a4f8f6d3c11", "2b9c1d7e-4a63-4a0e-8a35-5f4f0c1e9b02"
OPENING: Final = {
    "reference": "4711",
    "players": [ANN, BOB],
    "match_length": 0,
    "stake": {"amount": "5.00", "currency": "USD"},
    "cap": {"amount": "30.00", "currency": "USD"},
}
HELD: Final[dict[str, Any]] = {
    "id": "0a6f2d3c-52a5-5c2b-9f0d-7b1f3f0f9a10",
    "room": "emerald",
    "zone": "professionals",
    "played_here": False,
    "players": [{"side": 1, "player": ANN, "name": "ann"}, {"side": 2, "player": BOB, "name": "bob"}],
    "match_length": 0,
    "stake": {"amount": "5.00", "currency": "USD"},
    "cap": {"amount": "30.00", "currency": "USD"},
    "held": {"amount": "30.00", "currency": "USD"},
    "abandonment": "split",
    "crawford": True,
    "jacoby": False,
    "beavers": False,
    "automatic_doubles": 0,
    "cube": True,
    "tariff": "gammonempire 1",
    "opened_at": "2026-11-30T10:00:00Z",
    "sat_down_at": "2026-11-30T10:00:00Z",
    "state": "held",
    "reversed": False,
    "games": [],
    "settlement": None,
}
PAID: Final[dict[str, Any]] = HELD | {
    "state": "settled",
    "games": [
        {"game": 1, "winner": 1, "win": "gammon", "cube": 1, "points": 2, "ending": "borne_off", "plays": 61}
    ],
    "settlement": {
        "status": "settled",
        "ending": "borne_off",
        "winner": 1,
        "lost": {"amount": "10.00", "currency": "USD"},
        "commission": {"amount": "0.98", "currency": "USD"},
        "charge": {"tariff": "gammonempire", "version": 1, "tier": "up to and with 20", "rate": "0.049", "trace": []},
        "adjudication": None,
        "sides": [
            {
                "side": side,
                "held": {"amount": "30.00", "currency": "USD"},
                "back": {"amount": back, "currency": "USD"},
                "net": {"amount": net, "currency": "USD"},
                "rating_before": "1500.00",
                "rating_after": after,
            }
            for side, back, net, after in ((1, "39.02", "9.02", "1510.00"), (2, "20.00", "-10.00", "1490.00"))
        ],
    },
}  # fmt: skip
RECORD: Final = (
    " 0 point match\n\n Game 1\n ann : 0                        bob : 0\n"
    "  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)  Doubles => 2                Drops\n      Wins 1 point\n"
)
DICE: Final = {"format": "backgammon-room/dice/1", "events": []}


def _example(document: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample("the table", value=document, response_only=True)


class OfARoom(APIView):
    """Whoever asks is a room's server, and what it asks about is that room's, or is not found."""

    permission_classes = (IsRoomServer,)
    throttle_scope = "rooms"

    def own_room(self, slug: str) -> Room:
        server = self.request.user
        assert isinstance(server, RoomServer)
        rooms_selectors.check_own(room=server.room, slug=slug)
        return server.room

    def own_table(self, slug: str, table: UUID) -> Table:
        return rooms_selectors.table_of(room=self.own_room(slug), slug=slug, table=table)


class RoomTables(OfARoom):
    """Opening."""

    scope = Scope.TABLES
    idempotency_key_required = True
    refusals = {
        "post": (
            *(services.NoSuchPlayer, RoomNotLetIn, MoneyPlayOnly, CubeNeeded, games.OpenedOtherwise),
            *(terms.StakeNotPositive, terms.CapMissing, terms.CapBelowStake, terms.CapForSeries),
            *(terms.InvalidTerms, stakes.ExposureTooLarge, stakes.SatDownOtherwise, stakes.StakeClosed),
            *(RoomHasNoTariff, CurrencyNotInTariff, InvalidAmount, Protected, InsufficientFunds),
        )
    }

    @extend_schema(
        operation_id="open_room_table",
        tags=["Room servers"],
        summary="Open a table for two players",
        description=(
            "Both players' largest loss is set aside, or nobody's and there is no table (S-4). Real money is staked "
            "only for players who let the room in (`POST /v1/seamless/sessions`); what is held stays held when they "
            "end that. Terms are final from then on (S-1): who would play for more opens another table. The room's "
            "own `reference` makes it happen once. Scope `tables`."
        ),
        parameters=[SLUG],
        request=RoomOpeningSerializer,
        responses={201: RoomTableSerializer},
        examples=[
            OpenApiExample("a single game", value=OPENING, request_only=True),
            OpenApiExample("opened", value=HELD, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        room = self.own_room(slug)
        asked = RoomOpeningSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        stake, cap = said["stake"], said.get("cap")
        if cap is not None and cap.currency != stake.currency:
            raise serializers.ValidationError({"cap": ["Is in another currency than the stake."]})
        one, two = said["players"]
        seated = services.open_table(
            room=room,
            reference=said["reference"],
            players=(one, two),
            terms=terms.Terms(
                currency=stake.currency,
                stake=stake.amount,
                match_length=said["match_length"],
                cap=cap.amount if cap else None,
                abandonment=terms.Abandonment(said["abandonment"]),
                cube=said["cube"],
            ),
            played=Options(
                crawford=said["crawford"],
                jacoby=said["jacoby"],
                beavers=said["beavers"],
                automatic_doubles=said["automatic_doubles"],
            ),
            at=timezone.now(),
        )
        return _told(seated.table, status.HTTP_201_CREATED)


class RoomTable(OfARoom):
    """Looking."""

    scope = Scope.TABLES

    @extend_schema(
        operation_id="get_room_table",
        tags=["Room servers"],
        summary="See a table of the room, and how it was paid",
        description="Terms, what is held, what was played, what was paid with every step of it. Scope `tables`.",
        parameters=[SLUG, TABLE],
        responses={200: RoomTableSerializer},
        examples=[_example(PAID)],
    )
    def get(self, request: Request, slug: str, table: UUID) -> Response:
        return _told(self.own_table(slug, table))


class RoomResult(OfARoom):
    """What came of it."""

    scope = Scope.RESULTS
    idempotency_key_required = True
    body_max = RECORD_MAX
    refusals = {
        "post": (
            *(services.RecordTooLong, services.PlayedHere, services.LeftUnfinished),
            *(services.RecordOfOthers, services.ResultDoesNotFollow),
            *(rooms_dice.TranscriptMalformed, rooms_dice.DiceNotProved, rooms_dice.DiceDiffer),
            *(games.RecordRefused, games.RecordDiffers, games.RecordUnfinished, games.ReportedOtherwise),
            *(settlement.SettledOtherwise, settlement.SettlementReversed, stakes.StakeClosed),
        )
    }

    @extend_schema(
        operation_id="report_room_result",
        tags=["Room servers"],
        summary="Report what was played, and have it paid",
        description=(
            "The whole record is replayed under the table's rules. It is refused where a play is not legal, a result "
            "does not follow, the players are others, or the dice prove other throws. Else both escrows are emptied by "
            "what it comes to, at once. Up to 8 MiB. Scope `results`."
        ),
        parameters=[SLUG, TABLE],
        request=RoomResultSerializer,
        responses={200: RoomTableSerializer},
        examples=[
            OpenApiExample("a record", value={"record": RECORD, "winner": ANN, "points": 1}, request_only=True),
            OpenApiExample("a record with its dice", value={"record": RECORD, "dice": DICE}, request_only=True),
            _example(PAID),
        ],
    )
    def post(self, request: Request, slug: str, table: UUID) -> Response:
        found = self.own_table(slug, table)
        asked = RoomResultSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        services.report(
            table=found,
            text=said["record"],
            dice=said.get("dice"),
            said=Said(winner=said.get("winner"), points=said.get("points")),
            at=timezone.now(),
        )
        return _told(found)


class RoomVoid(OfARoom):
    """It does not count."""

    scope = Scope.RESULTS
    idempotency_key_required = True
    refusals = {
        "post": (
            *(services.PlayedHere, services.LeftUnfinished, settlement.SettledOtherwise),
            *(settlement.SettlementReversed, stakes.StakeClosed),
        )
    }

    @extend_schema(
        operation_id="void_room_table",
        tags=["Room servers"],
        summary="Void a contest",
        description="Both stakes go back, without commission and without rating (A-8). Scope `results`.",
        parameters=[SLUG, TABLE],
        request=None,
        responses={200: RoomTableSerializer},
        examples=[_example(HELD)],
    )
    def post(self, request: Request, slug: str, table: UUID) -> Response:
        found = self.own_table(slug, table)
        services.void(table=found, at=timezone.now())
        return _told(found)


class RoomAbandoned(OfARoom):
    """Somebody left."""

    scope = Scope.RESULTS
    idempotency_key_required = True
    refusals = {"post": (services.PlayedHere, services.PositionDiffers, BadXgid, stakes.StakeClosed)}

    @extend_schema(
        operation_id="abandon_room_table",
        tags=["Room servers"],
        summary="Report that a contest was left",
        description=(
            "The table's terms say what follows (A-9). A split waits for the analysis of the position, so `settlement` "
            "may say `waiting`: ask for the table again. Scope `results`."
        ),
        parameters=[SLUG, TABLE],
        request=RoomAbandonedSerializer,
        responses={200: RoomTableSerializer},
        examples=[
            OpenApiExample(
                "a position",
                value={"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:6", "absent": [2]},
                request_only=True,
            ),
            _example(HELD),
        ],
    )
    def post(self, request: Request, slug: str, table: UUID) -> Response:
        found = self.own_table(slug, table)
        asked = RoomAbandonedSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = services.abandon(table=found, **asked.validated_data, at=timezone.now())
        if isinstance(said, Adjudication):
            hint(tasks.adjudicate, str(said.pk))
        return _told(found)


class RoomReversal(OfARoom):
    """It was paid wrongly."""

    scope = Scope.REVERSE
    idempotency_key_required = True
    refusals = {"post": (services.NotSettled, services.SplitTakesTwo, InsufficientFunds)}

    @extend_schema(
        operation_id="reverse_room_table",
        tags=["Room servers"],
        summary="Undo what was paid",
        description=(
            "The payment is mirrored in the book and the money waits in escrow again, for what two operators rule. "
            "Refused if the winner has spent it. Scope `reverse`, which only the operator's own servers have."
        ),
        parameters=[SLUG, TABLE],
        request=RoomReversalSerializer,
        responses={200: RoomTableSerializer},
        examples=[
            OpenApiExample("a reason", value={"reason": "the record was another table's"}, request_only=True),
            _example(PAID | {"reversed": True}),
        ],
    )
    def post(self, request: Request, slug: str, table: UUID) -> Response:
        found = self.own_table(slug, table)
        asked = RoomReversalSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        services.reverse(table=found, reason=asked.validated_data["reason"], at=timezone.now())
        return _told(found)


def _told(table: Table, code: int = status.HTTP_200_OK) -> Response:
    return Response(RoomTableSerializer(rooms_selectors.told(table)).data, status=code)
