"""Who a player is."""

from __future__ import annotations

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from games.models import Player
from wagering.protection.identity import selectors, services
from wagering.protection.identity.rules import NameUnclear, Told
from wagering.protection.identity.serializers import IdentitySerializer, ToldSerializer
from wagering.protection.models import Identity
from wagering.protection.refusals import CountryRefused
from wagering.rest.retries import outermost

TOLD: Final = {
    "name": "Ann Example",
    "birth_date": "1990-05-17",
    "country": "CH",
    "address": "1 Backgammon Row, 3000 Bern",
}
PENDING: Final = {"state": "pending", "needed_before": ["payout"], **TOLD, "told_at": "2026-11-30T10:00:00Z"}


class MyIdentity(APIView):
    """What the player has told, and what came of it."""

    permission_classes = (IsPlayer,)
    throttle_scope = {"post": "identity"}
    refusals = {"post": (NameUnclear, services.BornInTheFuture, services.TooYoung, CountryRefused)}

    @extend_schema(
        operation_id="identity",
        tags=["Protection"],
        summary="See your identity and its state",
        description="What you told, whether an operator has verified it, and what waits for that.",
        responses={200: IdentitySerializer},
        examples=[OpenApiExample("told", value=PENDING, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        return _told(permissions.player(request))

    @extend_schema(
        operation_id="tell_identity",
        tags=["Protection"],
        summary="Tell who you are",
        description=(
            "It is kept under a key of your own, and an operator verifies it. Telling something else later puts it "
            "back to `pending`. Registers of excluded people are looked up each time: whoever tells the name of one is "
            "excluded, and it can be told only a few times a day. A name is refused whose letters are of more than one "
            "script, or in which there are signs that are not seen."
        ),
        request=ToldSerializer,
        responses={200: IdentitySerializer},
        examples=[
            OpenApiExample("ann", value=TOLD, request_only=True),
            OpenApiExample("told", value=PENDING, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = ToldSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        player = permissions.player(request)
        outermost(services.tell)(player=player, told=Told(**asked.validated_data), at=timezone.now())
        return _told(player)


def _told(player: Player) -> Response:
    identity = selectors.identity_of(player)
    country = identity.country if identity else None
    nothing: dict[str, Any] = {"name": None, "birth_date": None, "address": None}
    told = {
        "state": identity.state if identity else Identity.State.UNVERIFIED,
        "needed_before": sorted(selectors.profile_of(identity).identity_before),
        **(selectors.opened(identity, player=player) if identity else nothing),
        "country": country,
        "told_at": identity.told_at if identity else None,
    }
    return Response(IdentitySerializer(told).data)
