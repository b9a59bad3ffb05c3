"""A player's way in: register, log in, see and end one's tokens, change the password."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.access import hashing, lockout, names, permissions, services
from games.access.authentication import player_token
from games.access.models import PlayerToken
from games.access.permissions import IsPlayer
from games.access.serializers import (
    LoggedInSerializer,
    LogInSerializer,
    MeSerializer,
    PasswordChangeSerializer,
    PlayerSerializer,
    RegistrationSerializer,
    TokenSerializer,
)
from games.models import User

ANN = {"id": "7f1c3a52-6c0e-4f5e-9d2b-0a4f8f6d3c11", "name": "ann"}
PHONE = {
    "id": "2b9c1d7e-4a63-4a0e-8a35-5f4f0c1e9b02",
    "label": "ann's phone",
    "created_at": "2026-11-30T10:00:00Z",
    "expires_at": "2026-12-30T10:00:00Z",
}
LOGGED_IN = {
    "id": PHONE["id"],
    "label": PHONE["label"],
    "expires_at": PHONE["expires_at"],
    "token": "bgr_" + "0123456789abcdef" * 4,
    "player": ANN,
}
LOG_IN = (
    "Gives a token for one client. Each client has its own, and the player can end each by itself. It lasts 30 days; a "
    f"player has at most {services.TOKENS_MAX}, one more ends the oldest. Who fails too often waits until `retry_at`, "
    "longer each time. It is never said whether a name exists."
)
LOGS_IN = OpenApiExample(
    "ann's phone",
    value={"name": "ann", "password": "five-checkers-home", "label": "ann's phone"},
    request_only=True,
)


class Players(APIView):
    """Registering."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "registration"
    refusals = {"post": (names.NameRefused, services.NameTaken, services.PasswordRefused, hashing.TooManyPasswords)}

    @extend_schema(
        operation_id="register",
        tags=["Access"],
        summary="Register as a player",
        description="A name and a password, nothing else about the person. Logging in is `POST /v1/tokens`.",
        request=RegistrationSerializer,
        responses={201: PlayerSerializer},
        examples=[
            OpenApiExample("ann", value={"name": "ann", "password": "five-checkers-home"}, request_only=True),
            OpenApiExample("registered", value=ANN, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = RegistrationSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        player = services.register(**asked.validated_data, at=timezone.now())
        return Response(PlayerSerializer(player).data, status=status.HTTP_201_CREATED)


class Tokens(ListAPIView[PlayerToken]):
    """Logging in, and all clients that are."""

    serializer_class = TokenSerializer
    ordering = ("-created", "id")
    throttle_scope = {"post": "log_in"}
    refusals = {
        "post": (lockout.TooManyFailures, services.LogInRefused, services.StaffMayNotPlay, hashing.TooManyPasswords)
    }

    def get_authenticators(self) -> list[Any]:
        # Whoever logs in again over a token that has expired must not be refused for it.
        return [] if self.request is not None and self.request.method == "POST" else super().get_authenticators()

    def get_permissions(self) -> list[Any]:
        return [AllowAny()] if self.request.method == "POST" else [IsPlayer()]

    def get_queryset(self) -> QuerySet[PlayerToken]:
        tokens: QuerySet[PlayerToken] = PlayerToken.objects.filter(user=_user(self.request), expiry__gt=timezone.now())
        return tokens

    @extend_schema(
        operation_id="list_tokens",
        tags=["Access"],
        summary="See which of your clients are logged in",
        description="The tokens that have neither expired nor been revoked, newest first; not their secrets.",
        examples=[OpenApiExample("a phone", value=PHONE | {"is_current": True}, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="log_in",
        tags=["Access"],
        summary="Log in",
        description=LOG_IN,
        request=LogInSerializer,
        responses={201: LoggedInSerializer},
        auth=[],
        examples=[
            LOGS_IN,
            OpenApiExample("logged in", value=LOGGED_IN, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = LogInSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        done = services.log_in(**asked.validated_data, address=_address(request), at=timezone.now())
        return Response(LoggedInSerializer(done).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="revoke_all_tokens",
        tags=["Access"],
        summary="Log out everywhere",
        description=(
            "Ends all your tokens, the one that this request came with too, and every session that you gave to a room. "
            "Games that are on stay on, and their clocks run."
        ),
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        services.revoke_all(user=_user(request), at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Token(APIView):
    """One client of the player."""

    permission_classes = (IsPlayer,)
    refusals = {"delete": (services.TokenUnknown,)}

    @extend_schema(
        operation_id="revoke_token",
        tags=["Access"],
        summary="Log out one client",
        description=(
            "From its next request on the client is out. Its streams end within seconds, and every session that it "
            "gave to a room ends at once. A game that is on stays on, and its clock runs."
        ),
        responses={204: None},
    )
    def delete(self, request: Request, token: UUID) -> Response:
        services.revoke(user=_user(request), token=token, at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Me(APIView):
    """Who is asking."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="me",
        tags=["Access"],
        summary="See who you are",
        description="The player whose token this request came with.",
        responses={200: MeSerializer},
        examples=[
            OpenApiExample("ann", value=ANN | {"registered_at": "2026-11-30T10:00:00Z"}, response_only=True),
        ],
    )
    def get(self, request: Request) -> Response:
        return Response(MeSerializer(permissions.player(request)).data)


class Password(APIView):
    """The player's password."""

    permission_classes = (IsPlayer,)
    throttle_scope = "password"
    refusals = {
        "post": (lockout.TooManyFailures, services.PasswordWrong, services.PasswordRefused, hashing.TooManyPasswords)
    }

    @extend_schema(
        operation_id="change_password",
        tags=["Access"],
        summary="Change your password",
        description=(
            "Ends all your tokens but the one that this request came with, and every session that you gave to a room. "
            "A wrong current password counts as a failure to log in."
        ),
        request=PasswordChangeSerializer,
        responses={204: None},
        examples=[
            OpenApiExample(
                "another",
                value={"current_password": "five-checkers-home", "new_password": "two-on-the-ace-point"},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = PasswordChangeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        services.change_password(
            user=_user(request),
            token=player_token(request),
            current=asked.validated_data["current_password"],
            new=asked.validated_data["new_password"],
            address=_address(request),
            at=timezone.now(),
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _user(request: Request) -> User:
    user = permissions.player(request).user
    assert user is not None
    return user


def _address(request: Request) -> str:
    """Where the client is, as far as the proxies in front of us are known (NUM_PROXIES)."""
    return BaseThrottle().get_ident(request) or ""
