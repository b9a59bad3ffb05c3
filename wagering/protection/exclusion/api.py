"""A player's way out, for some hours or for good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from games.models import Player
from wagering.protection.exclusion import selectors, services
from wagering.protection.exclusion.serializers import (
    ExcludedSerializer,
    ExclusionRequestSerializer,
    TimeOutRequestSerializer,
)
from wagering.protection.identity.selectors import identity_of
from wagering.rest.retries import outermost

HALF_A_YEAR: Final = {
    "kind": "exclusion",
    "by": "player",
    "source": "",
    "begins_at": "2026-11-30T10:00:00Z",
    "ends_at": "2027-05-30T10:00:00Z",
    "lifts_at": None,
}
A_DAY: Final = {**HALF_A_YEAR, "kind": "time_out", "ends_at": "2026-12-01T10:00:00Z"}
LIFTING: Final = {**HALF_A_YEAR, "lifts_at": "2027-06-02T10:00:00Z"}


class Exclusion(APIView):
    """Whether the player is out; and out, for months."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.TermRefused,)}

    @extend_schema(
        operation_id="exclusion",
        tags=["Protection"],
        summary="See whether you are excluded",
        description="What keeps you out longest, by whose word and until when.",
        responses={200: ExcludedSerializer},
        examples=[OpenApiExample("a time-out", value={"exclusion": A_DAY}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        return _told(permissions.player(request), timezone.now())

    @extend_schema(
        operation_id="exclude_yourself",
        tags=["Protection"],
        summary="Exclude yourself",
        description=(
            "At once: no deposit, no seat for real or for play money. What is on is played to its end, and you can "
            "withdraw. Nobody lifts it before its term, neither you nor the operator; afterwards you ask to play "
            "again, and a day later you can."
        ),
        request=ExclusionRequestSerializer,
        responses={201: ExcludedSerializer},
        examples=[
            OpenApiExample("half a year", value={"months": 6}, request_only=True),
            OpenApiExample("out", value={"exclusion": HALF_A_YEAR}, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        return _out(request, ExclusionRequestSerializer, services.exclude)


class TimeOut(APIView):
    """Out, for hours."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.TermRefused,)}

    @extend_schema(
        operation_id="take_time_out",
        tags=["Protection"],
        summary="Take a time-out",
        description="At once, as an exclusion; it ends by itself and not before.",
        request=TimeOutRequestSerializer,
        responses={201: ExcludedSerializer},
        examples=[
            OpenApiExample("a day", value={"hours": 24}, request_only=True),
            OpenApiExample("out", value={"exclusion": A_DAY}, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        return _out(request, TimeOutRequestSerializer, services.take_time_out)


class Lift(APIView):
    """In again."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.NotExcluded, services.TermNotOver)}

    @extend_schema(
        operation_id="ask_to_play_again",
        tags=["Protection"],
        summary="Ask to play again after an exclusion",
        description="Once its term is over. It ends a day later, at `lifts_at`; asking again changes nothing.",
        request=None,
        responses={200: ExcludedSerializer},
        examples=[OpenApiExample("a day later", value={"exclusion": LIFTING}, response_only=True)],
    )
    def post(self, request: Request) -> Response:
        player, at = permissions.player(request), timezone.now()
        outermost(services.ask_to_lift)(player=player, at=at)
        return _told(player, at)


def _out(request: Request, reads: type[Serializer[Any]], excludes: Callable[..., object]) -> Response:
    """For as long as is asked, which the service takes by the name that the body has."""
    asked = reads(data=request.data)
    asked.is_valid(raise_exception=True)
    player, at = permissions.player(request), timezone.now()
    outermost(excludes)(player=player, **asked.validated_data, at=at)
    return _told(player, at, status.HTTP_201_CREATED)


def _told(player: Player, at: datetime, code: int = status.HTTP_200_OK) -> Response:
    found = selectors.standing(player=player, known=identity_of(player), at=at)
    return Response(ExcludedSerializer({"exclusion": found}).data, status=code)
