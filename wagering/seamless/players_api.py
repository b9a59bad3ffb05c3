"""A player's doors to the seamless wallet: whom to let in, and what became of the rounds."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.authentication import player_token
from games.access.permissions import IsPlayer, stays_in
from games.selectors import NoSuchRoom, room_named
from ledger.money import UnknownCurrency
from wagering.protection.refusals import Excluded, IdentityNeeded, StillOwes
from wagering.rest.retries import outermost
from wagering.seamless import selectors, sessions
from wagering.seamless.api import TOKEN
from wagering.seamless.models import Round
from wagering.seamless.serializers import RoundSerializer, SessionRequestSerializer, SessionSerializer, round_told

TEN: Final = {"amount": "10.00", "currency": "USD"}
LOST: Final = {
    "id": "0d5c8a44-1f6e-4b8b-9a53-6f3c2f1d7e05",
    "room": "emerald",
    "round": "4711",
    "state": "closed",
    "opened_at": "2026-11-30T10:00:00Z",
    "closed_at": "2026-11-30T10:20:00Z",
    "given_back_because": "",
    "staked": TEN,
    "won": {"amount": "0.00", "currency": "USD"},
    "said": [
        {
            "transaction_uuid": "5f0e2c1a-3f7b-4a63-8d84-9c0f7f8e1b02",
            "kind": "bet",
            "amount": TEN,
            "at": "2026-11-30T10:00:00Z",
            "counts": True,
        }
    ],
}


class Sessions(APIView):
    """A player lets a room's server in. Its answer carries a secret, so nothing of it is remembered for repeats."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (NoSuchRoom, UnknownCurrency, Excluded, IdentityNeeded, StillOwes)}

    @extend_schema(
        operation_id="open_seamless_session",
        tags=["Seamless wallet"],
        summary="Let a room stake from your wallet",
        description="In one currency and for eight hours. Give the token to the room's client; end it when in doubt.",
        request=SessionRequestSerializer,
        responses={201: SessionSerializer},
        examples=[
            OpenApiExample("a room", value={"room": "emerald", "currency": "USD"}, request_only=True),
            OpenApiExample(
                "let in",
                value={"token": TOKEN, "room": "emerald", "currency": "USD", "expires_at": "2026-11-30T18:00:00Z"},
                response_only=True,
                status_codes=["201"],
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = SessionRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        player = permissions.player(request)
        room = room_named(asked.validated_data["room"])
        opened = outermost(_opened)(request, player=player, room=room, currency=asked.validated_data["currency"])
        told = {
            "token": opened.token,
            "room": room.slug,
            "currency": opened.session.currency,
            "expires_at": opened.session.expires_at,
        }
        return Response(SessionSerializer(told).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="end_seamless_sessions",
        tags=["Seamless wallet"],
        summary="Let no room stake from your wallet any more",
        description=(
            "Every token that you gave to a room is none any more, as when you log out everywhere or change your "
            "password; one that ends with its client when you log that out. Rounds that were begun are still ended."
        ),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        player = permissions.player(request)
        outermost(sessions.end_all)(player=player, at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Rounds(ListAPIView[Round]):
    """The player's own rounds."""

    permission_classes = (IsPlayer,)
    serializer_class = RoundSerializer
    ordering = ("-opened_at", "id")

    @extend_schema(
        operation_id="my_rounds",
        tags=["Seamless wallet"],
        summary="See what became of your rounds",
        description=(
            "Those at rooms' own servers in which you have staked, the latest first: each with what the room said of "
            "your money. What is won is paid when the round closes. A round that its room does not end is given back "
            "by an operator, who says why."
        ),
        examples=[OpenApiExample("lost", value=LOST, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        player = permissions.player(request)
        page = self.paginate_queryset(selectors.rounds_of(player=player))
        assert page is not None
        told = RoundSerializer([round_told(each, player) for each in page], many=True).data
        return self.get_paginated_response(told)

    def get_queryset(self) -> QuerySet[Round]:
        return Round.objects.none()  # for the description alone


@transaction.atomic
def _opened(request: Request, **asked: Any) -> sessions.Opened:
    stays_in(request)  # or a session would outlive the log-out that comes at the same time
    return sessions.open_session(**asked, client=player_token(request).id, at=timezone.now())
