"""Protection at a glance, reality checks, and logging in, at which exclusions are looked up again."""

from __future__ import annotations

from typing import Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.access import api as access
from games.access import permissions, services
from games.access.permissions import IsPlayer
from games.access.serializers import LogInSerializer
from games.models import Player
from wagering.protection import arrivals, gate, reality
from wagering.protection.exclusion import selectors as exclusion
from wagering.protection.exclusion.api import HALF_A_YEAR
from wagering.protection.identity.selectors import identity_of
from wagering.protection.models import Person
from wagering.protection.serializers import ArrivedSerializer, ProtectionSerializer, RealityCheckSerializer
from wagering.rest.money_field import Money
from wagering.rest.retries import outermost

GLANCE: Final = {
    "exclusion": None,
    "identity": "unverified",
    "source_of_funds_needed": False,
    "may_cancel_payouts": True,
    "reality_check_minutes": 60,
    "session": {
        "began_at": "2026-11-30T10:00:00Z",
        "next_check_at": "2026-11-30T11:00:00Z",
        "net": [{"amount": "-10.00", "currency": "USD"}],
    },
}


class LogIn(access.Tokens):
    """Logging in, as the player who plays here."""

    @extend_schema(
        operation_id="log_in",
        tags=["Access"],
        summary="Log in",
        description=(
            f"{access.LOG_IN} Registers of excluded people are looked up again; whoever is excluded can log in, and "
            "withdraw."
        ),
        request=LogInSerializer,
        responses={201: ArrivedSerializer},
        auth=[],
        examples=[
            access.LOGS_IN,
            *(
                OpenApiExample(
                    name,
                    value={**access.LOGGED_IN, "exclusion": standing},
                    response_only=True,
                    status_codes=["201"],
                )
                for name, standing in (("logged in", None), ("excluded", HALF_A_YEAR))
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = LogInSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        address, at = BaseThrottle().get_ident(request) or "", timezone.now()
        done = services.log_in(**asked.validated_data, address=address, at=at)
        standing = outermost(arrivals.arrived)(player=done.player, at=at)
        told = {"row": done.row, "token": done.token, "player": done.player, "exclusion": standing}
        return Response(ArrivedSerializer(told).data, status=status.HTTP_201_CREATED)


class Protection(APIView):
    """What protects the player, at a glance."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="protection",
        tags=["Protection"],
        summary="See what protects you",
        description=(
            "Whether you are excluded, what is known of you, and the session: at `next_check_at` show its length and "
            "`net`, and say with `POST /v1/protection/reality-check/seen` that it was shown."
        ),
        responses={200: ProtectionSerializer},
        examples=[OpenApiExample("at a glance", value=GLANCE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        return _told(permissions.player(request))


class RealityCheck(APIView):
    """How often it is shown."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="choose_reality_check",
        tags=["Protection"],
        summary="Choose how often you are shown how long you have played, and what it cost",
        description="Holds for all your clients, from now on.",
        request=RealityCheckSerializer,
        responses={200: ProtectionSerializer},
        examples=[
            OpenApiExample("each half hour", value={"minutes": 30}, request_only=True),
            OpenApiExample("chosen", value={**GLANCE, "reality_check_minutes": 30}, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = RealityCheckSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        outermost(reality.choose)(player=permissions.player(request), minutes=asked.validated_data["minutes"])
        return _told(permissions.player(request))


class RealityCheckSeen(APIView):
    """That it was shown."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="see_reality_check",
        tags=["Protection"],
        summary="Say that the reality check was shown",
        description="The next one is due after the interval that the player has chosen.",
        request=None,
        responses={200: ProtectionSerializer},
        examples=[OpenApiExample("seen", value=GLANCE, response_only=True)],
    )
    def post(self, request: Request) -> Response:
        outermost(reality.seen)(player=permissions.player(request), at=timezone.now())
        return _told(permissions.player(request))


def _told(player: Player) -> Response:
    at, identity = timezone.now(), identity_of(player)
    facts, session = gate.facts(player=player, at=at), reality.session(player=player)
    person = Person.objects.filter(pk=player.pk).first() or Person(player=player)
    visit = session and {
        "began_at": session.began_at,
        "next_check_at": session.next_check_at,
        "net": [Money(amount, currency) for currency, amount in session.net.items()],
    }
    told = {
        "exclusion": exclusion.standing(player=player, known=identity, at=at),
        "identity": facts.identity,
        "source_of_funds_needed": facts.locked,
        "may_cancel_payouts": facts.profile.payouts_may_be_cancelled,
        "reality_check_minutes": person.reality_check,
        "session": visit,
    }
    return Response(ProtectionSerializer(told).data)
