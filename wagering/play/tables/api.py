"""At a table that is played here: how it stands, what its two players do, and what they are told of it."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access.permissions import IsPlayer, player_of
from games.live import selectors as lives
from games.live import services as live
from games.live.rows import NotLive
from games.live.rules import course, seeding
from games.live.rules.wishes import BadAction, wish
from games.live.services import Done
from games.live.stream import WhateverIsAccepted
from games.rules import cube, game, notation
from games.rules.clock import TimeIsUp
from games.rules.refusals import RuleBroken
from games.rules.sides import Side
from wagering.play import tasks
from wagering.play.tables import examples, selectors, services
from wagering.play.tables.serializers import (
    ActionSerializer,
    HeardSerializer,
    HeartbeatSerializer,
    SeedSerializer,
    StateSerializer,
    TranscriptSerializer,
)
from wagering.rest.etags import etag, seen
from wagering.rest.retries import outermost

ASKED: Final = ActionSerializer()
"""Reads what every play asks; one made for each would copy its fields each time, which takes longer than to read."""

STATE: Final = OpenApiExample("a game under way", value=examples.STATE, response_only=True, status_codes=["200"])
PRICING: Final = OpenApiExample(
    "a game lost by the clock, being priced", value=examples.PRICING, response_only=True, status_codes=["200"]
)
SETTLED: Final = OpenApiExample("a gammon, paid", value=examples.SETTLED, response_only=True, status_codes=["200"])


def _refused_by(*rules: ModuleType) -> tuple[type[RuleBroken], ...]:
    """Every refusal that these rules make."""
    return tuple(
        found
        for module in rules
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, RuleBroken) and found.__module__ == module.__name__
    )


class TableState(APIView):
    """How a table stands."""

    permission_classes = (IsPlayer,)
    refusals = {"get": (NotLive,)}

    @extend_schema(
        operation_id="get_table",
        tags=["Play"],
        summary="See how a table stands",
        description=(
            "All that is needed to draw the board, to offer what you may do and to show both clocks, as you may see "
            "it; and once the contest is settled, what it brought each side. With `If-None-Match` it is sent only if "
            "something happened: time runs on without a new version, so count down to `ends_at` yourself."
        ),
        parameters=[
            OpenApiParameter(
                "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of the state that you have."
            ),
            OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200], description="Of this state."),
        ],
        responses={200: StateSerializer, 304: None},
        examples=[STATE, PRICING, SETTLED],
    )
    def get(self, request: Request, table: UUID) -> HttpResponse:
        side, _ = _seat(request, table)
        mark = selectors.mark_of(table=table, viewer=side)
        present = etag(*mark)
        if seen(request, present):
            return HttpResponse(status=304, headers={"ETag": present})
        state = lives.state(table=table, viewer=side, at=timezone.now())
        return Response(_told(table, state), headers={"ETag": present})


class Actions(APIView):
    """What a player does."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {
        "post": (
            *(live.StaleVersion, BadAction, NotLive, live.NothingToClaim, TimeIsUp, course.AbsenceIsOver),
            *(course.SeedsCameTooLate, notation.UnreadablePlay),
            *_refused_by(game, cube, notation),
        )
    }

    @extend_schema(
        operation_id="act",
        tags=["Play"],
        summary="Do something at a table",
        description=(
            "One of the `actions` that the state offers you, thought of at its `version`. The same again at the same "
            "version is the same; what comes too late is refused with the present state. Your time is measured to when "
            "the request came in. If it ends the contest, the stakes are paid with it, and `settlement` says how."
        ),
        request=ActionSerializer,
        responses={200: StateSerializer},
        examples=[
            OpenApiExample("roll", value=examples.ROLL, request_only=True),
            OpenApiExample("play", value=examples.PLAY, request_only=True),
            OpenApiExample("resign", value=examples.RESIGN, request_only=True),
            STATE,
            SETTLED,
        ],
    )
    def post(self, request: Request, table: UUID) -> Response:
        heard_at = timezone.now()
        side, opponent = _seat(request, table)
        version = ASKED.run_validation(request.data)["version"]
        assert isinstance(request.data, dict), "the serializer takes nothing else"
        said = wish({name: value for name, value in request.data.items() if name != "version"})
        done = services.act(table=table, side=side, version=version, wish=said, now=timezone.now, heard_at=heard_at)
        return _done(done, opponent)


class Seeds(APIView):
    """Both sides' parts in the dice."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (NotLive, course.SeedsCameTooLate, *_refused_by(seeding))}

    @extend_schema(
        operation_id="give_seed",
        tags=["Play"],
        summary="Give your part of the dice",
        description=(
            "First the `hash` of 32 random bytes, which binds you to them; when both sides' hashes are in, the bytes "
            "themselves as `seed`. With the second seed the game begins (F). Without your seed nothing is thrown, and "
            "after two minutes the stakes go back."
        ),
        request=SeedSerializer,
        responses={200: StateSerializer},
        examples=[
            OpenApiExample("first the hash", value={"hash": examples.HASH}, request_only=True),
            OpenApiExample("then the seed", value={"seed": "61" * 32}, request_only=True),
            STATE,
        ],
    )
    def post(self, request: Request, table: UUID) -> Response:
        side, opponent = _seat(request, table)
        asked = SeedSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        if "hash" in asked.validated_data:
            digest = asked.validated_data["hash"]
            done = services.commit_seed(table=table, side=side, digest=digest, now=timezone.now)
        else:
            seed = asked.validated_data["seed"]
            done = services.reveal_seed(table=table, side=side, seed=seed, now=timezone.now)
        return _done(done, opponent)


class Leave(APIView):
    """Going before anything was thrown."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (NotLive, services.AlreadyThrown)}

    @extend_schema(
        operation_id="leave_table",
        tags=["Play"],
        summary="Leave before the first throw",
        description=(
            "Nothing was played: both stakes go back, without commission (A-8). Once dice were thrown this is refused; "
            "then a game is resigned, or left as the table's terms say."
        ),
        request=None,
        responses={200: StateSerializer},
        examples=[STATE],
    )
    def post(self, request: Request, table: UUID) -> Response:
        _, opponent = _seat(request, table)
        return _done(services.leave(table=table, now=timezone.now), opponent)


class Heartbeat(APIView):
    """Being there, for clients without a stream."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (NotLive,)}

    @extend_schema(
        operation_id="heartbeat",
        tags=["Play"],
        summary="Say that you are there",
        description=(
            "For clients that hold no stream: at least every ten seconds, by a name that the client keeps. Half a "
            "minute without it, and you are away: your clock stands still, and your five minutes run (A-1)."
        ),
        request=HeartbeatSerializer,
        responses={200: HeardSerializer},
        examples=[
            OpenApiExample(
                "still here", value={"connection": "0d3ab2d4-9a0f-4a68-8b0e-d2f4c3a0e6b1"}, request_only=True
            ),
            OpenApiExample("heard", value={"returned": False}, response_only=True, status_codes=["200"]),
        ],
    )
    def post(self, request: Request, table: UUID) -> Response:
        heard_at = timezone.now()
        side, _ = _seat(request, table)
        asked = HeartbeatSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        connection: UUID = asked.validated_data["connection"]
        if asked.validated_data["gone"]:
            outermost(live.went)(table=table, side=side, connection=connection, now=timezone.now)
            return Response({"returned": False})
        returned = outermost(live.came)(
            table=table, side=side, connection=connection, now=timezone.now, heard_at=heard_at
        )
        return Response({"returned": returned})


class Dice(APIView):
    """The proof of the dice."""

    permission_classes = (IsPlayer,)
    refusals = {"get": (NotLive,)}

    @extend_schema(
        operation_id="get_dice",
        tags=["Play"],
        summary="Have the dice proved",
        description=(
            "Every commitment, seed and throw in its order, as the command verify_dice reads it. The server's seed is "
            "in it once the contest is over; until then nobody can know the next throw (F)."
        ),
        responses={200: TranscriptSerializer},
        examples=[OpenApiExample("a contest under way", value=examples.TRANSCRIPT, response_only=True)],
    )
    def get(self, request: Request, game: UUID) -> Response:
        _seat(request, game)
        return Response(lives.dice(table=game))


class PlainText(JSONRenderer):
    """For the description of what is given here; a refusal is a problem in JSON all the same."""

    media_type = "text/plain"
    format = "mat"


class GameRecord(APIView):
    """The record of the play."""

    permission_classes = (IsPlayer,)
    renderer_classes = (PlainText,)
    content_negotiation_class = WhateverIsAccepted
    throttle_scope = "records"
    refusals = {"get": (NotLive,)}

    @extend_schema(
        operation_id="get_record",
        tags=["Play"],
        summary="Get the record of the play",
        description=(
            "What has been played so far as a match record (.mat), which other programs read. With `positions=1` "
            "remarks below it give the Position ID after each thing that happened: game, what, side on turn, ID. With "
            "`If-None-Match` it is sent only if something happened."
        ),
        parameters=[
            OpenApiParameter(
                "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of the record that you have."
            ),
            OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200], description="Of this record."),
            OpenApiParameter(
                "positions", {"type": "string", "enum": ["0", "1"]}, description="1 for Position IDs, 0 for none."
            ),
        ],
        responses={(200, "text/plain"): {"type": "string", "description": "The record."}, 304: None},
        examples=[
            OpenApiExample(
                "a record", value=examples.RECORD, response_only=True, status_codes=["200"], media_type="text/plain"
            )
        ],
    )
    def get(self, request: Request, game: UUID) -> HttpResponse:
        side, _ = _seat(request, game)
        positions = request.query_params.get("positions") == "1"
        present = etag("record", positions, *selectors.mark_of(table=game, viewer=side))
        if seen(request, present):
            return HttpResponse(status=304, headers={"ETag": present})  # before anything is replayed
        text = selectors.record_of(table=game, positions=positions)
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers={"ETag": present})


# --- Who asks, and what is told ---------------------------------------------------------------------------------------


def _seat(request: Request, table: UUID) -> tuple[Side, UUID]:
    """The side of whoever asks, and the player on the other. Raises Table.DoesNotExist for who sits elsewhere."""
    player = player_of(request)
    assert player is not None, "the view lets only players in"
    return selectors.seat_of(table=table, player=player)


def _done(done: Done, opponent: UUID) -> Response:
    tasks.hint_what_follows(done, opponent=opponent)
    return Response(_told(done.table, done.state))


def _told(table: UUID, state: dict[str, Any]) -> dict[str, Any]:
    is_final = state["result"] is not None
    settlement = selectors.settlement_of(table=table) if is_final else None
    return {**state, "stakes": selectors.stakes_of(table=table), "settlement": settlement}
