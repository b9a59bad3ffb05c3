"""The doors of rooms' servers to the seamless wallet; what they say is on the page of ``wagering.seamless``."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access.authentication import RoomServer
from games.access.models import Scope
from games.access.permissions import IsRoomServer
from games.models import Room
from ledger import money
from ledger.book import InsufficientFunds
from ledger.money import InvalidAmount, UnknownCurrency
from wagering.commission.rules import CurrencyNotInTariff
from wagering.commission.schedule import UnknownTariff
from wagering.commission.selectors import RoomHasNoTariff
from wagering.rest.retries import outermost
from wagering.seamless import refusals, services
from wagering.seamless.serializers import (
    AnswerSerializer,
    BetSerializer,
    RefundSerializer,
    RollbackSerializer,
    TokenedSerializer,
    WinSerializer,
    answered,
)
from wagering.seamless.services import Bet, Undo, Won

WORDS: Final[dict[type[Exception], str]] = {
    refusals.Refused: "",  # its own
    InsufficientFunds: "RS_ERROR_NOT_ENOUGH_MONEY",
    UnknownCurrency: "RS_ERROR_WRONG_CURRENCY",
    CurrencyNotInTariff: "RS_ERROR_WRONG_CURRENCY",
    RoomHasNoTariff: "RS_ERROR_INVALID_PARTNER",
    UnknownTariff: "RS_ERROR_INVALID_PARTNER",
}
"""What is refused in the protocol's words, with HTTP status 200."""

WORDS_OF_STATUS: Final = {
    400: "RS_ERROR_WRONG_SYNTAX",
    401: "RS_ERROR_INVALID_SIGNATURE",
    403: "RS_ERROR_INVALID_PARTNER",
    415: "RS_ERROR_WRONG_SYNTAX",
    422: "RS_ERROR_WRONG_TYPES",
    429: "RS_ERROR_TIMEOUT",
    503: "RS_ERROR_TIMEOUT",
}
"""The word beside what could not be understood, or not be done now."""

TOKEN: Final = "bgs_0pOZkX1mY0h1b2q2i0l0TQ7c3mN8rV5sJ4uW6yA9eKd"
ANN: Final = "7f1c3a52-6c0e-4f5e-9d2b-0a4f8f6d3c11"
BET: Final = {
    "request_uuid": "0b7d3f0e-8f0a-4c53-b0ab-1a1c5a0f9a01",
    "transaction_uuid": "5f0e2c1a-3f7b-4a63-8d84-9c0f7f8e1b02",
    "token": TOKEN,
    "user": ANN,
    "round": "4711",
    "currency": "USD",
    "amount": "10.00",
}
WIN: Final = {
    "request_uuid": "0b7d3f0e-8f0a-4c53-b0ab-1a1c5a0f9a03",
    "transaction_uuid": "5f0e2c1a-3f7b-4a63-8d84-9c0f7f8e1b04",
    "reference_transaction_uuid": BET["transaction_uuid"],
    "user": ANN,
    "round": "4711",
    "currency": "USD",
    "amount": "19.02",
    "round_closed": True,
}
ROLLBACK: Final = {
    "request_uuid": "0b7d3f0e-8f0a-4c53-b0ab-1a1c5a0f9a05",
    "transaction_uuid": "5f0e2c1a-3f7b-4a63-8d84-9c0f7f8e1b06",
    "reference_transaction_uuid": BET["transaction_uuid"],
}


def _done(request: Any, balance: str, **more: str) -> dict[str, Any]:
    told = {"status": "RS_OK", "request_uuid": request["request_uuid"], "user": ANN, **more}
    return told | {"currency": "USD", "balance": balance}


class Words(APIView):
    """One word of the protocol. Its key is the ``transaction_uuid``, so it asks for no Idempotency-Key."""

    permission_classes = (IsRoomServer,)
    scope = Scope.WALLET
    throttle_scope = "seamless"
    asked: ClassVar[type[serializers.Serializer[Any]]]
    request_uuid: UUID

    def read(self, request: Request) -> dict[str, Any]:
        """What was asked. Raises ValidationError."""
        asked = self.asked(data=request.data)
        asked.is_valid(raise_exception=True)
        read: dict[str, Any] = asked.validated_data
        self.request_uuid = read["request_uuid"]
        return read

    @property
    def room(self) -> Room:
        """The room whose server asks; it acts in no other."""
        server = self.request.user
        assert isinstance(server, RoomServer)
        return server.room

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal in the protocol's words, from the one table's answer to it."""
        response = super().handle_exception(exc)
        problem: Any = response.data
        word = next((WORDS[cls] for cls in type(exc).__mro__ if cls in WORDS), None)
        if word is None:
            problem["rs_status"] = WORDS_OF_STATUS.get(response.status_code, "RS_ERROR_UNKNOWN")
            return response
        told = {
            "status": word or getattr(exc, "status", ""),
            "request_uuid": self.request_uuid,
            "code": problem["code"],
            "message": problem["detail"],
        }
        return Response(told)


class Authenticate(Words):
    """Whose the token is."""

    asked = TokenedSerializer

    @extend_schema(
        operation_id="seamless_authenticate",
        tags=["Seamless wallet"],
        summary="Whose a token is",
        description="The player who gave the room the token, and what the wallet holds in the session's currency.",
        request=TokenedSerializer,
        responses={200: AnswerSerializer},
        examples=[
            OpenApiExample("a token", value={"request_uuid": BET["request_uuid"], "token": TOKEN}, request_only=True),
            OpenApiExample("ann's", value=_done(BET, "100.00", nickname="ann"), response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request)
        player, answer = services.authenticate(room=self.room, token=asked["token"], at=timezone.now())
        return Response(answered(answer, request_uuid=asked["request_uuid"], nickname=player.name))


class Balance(Words):
    """What the wallet holds."""

    asked = TokenedSerializer

    @extend_schema(
        operation_id="seamless_balance",
        tags=["Seamless wallet"],
        summary="What a wallet holds",
        description="What the player can dispose of, in the session's currency; what is staked is not in it.",
        request=TokenedSerializer,
        responses={200: AnswerSerializer},
        examples=[
            OpenApiExample("a token", value={"request_uuid": BET["request_uuid"], "token": TOKEN}, request_only=True),
            OpenApiExample("ann's", value=_done(BET, "100.00"), response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request)
        _, answer = services.authenticate(room=self.room, token=asked["token"], at=timezone.now())
        return Response(answered(answer, request_uuid=asked["request_uuid"]))


class Bets(Words):
    """A stake in a round."""

    asked = BetSerializer
    refusals = {"post": (InvalidAmount,)}

    @extend_schema(
        operation_id="seamless_bet",
        tags=["Seamless wallet"],
        summary="Stake in a round",
        description=(
            "The amount goes from the wallet into escrow, for the round. The first bet opens it. A bet whose rollback "
            "came first is refused."
        ),
        request=BetSerializer,
        responses={200: AnswerSerializer},
        examples=[
            OpenApiExample("a bet", value=BET, request_only=True),
            OpenApiExample("staked", value=_done(BET, "90.00"), response_only=True),
            OpenApiExample(
                "refused",
                value={
                    "status": "RS_ERROR_NOT_ENOUGH_MONEY",
                    "request_uuid": BET["request_uuid"],
                    "code": "insufficient_funds",
                    "message": "A player's wallet holds less than the table asks for.",
                },
                response_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request)
        amount = money.parse(asked["amount"], asked["currency"], field="amount")
        if amount == 0:
            raise InvalidAmount(field="amount", value=asked["amount"], rule="is nothing: a bet is above zero")
        said = Bet(
            transaction=asked["transaction_uuid"],
            token=asked["token"],
            user=asked.get("user"),
            round=asked["round"],
            currency=asked["currency"],
            amount=amount,
        )
        answer = outermost(services.bet)(room=self.room, asked=said, at=timezone.now())
        return Response(answered(answer, request_uuid=asked["request_uuid"]))


class Wins(Words):
    """What is due to a bettor."""

    asked = WinSerializer
    refusals = {"post": (InvalidAmount,)}

    @extend_schema(
        operation_id="seamless_win",
        tags=["Seamless wallet"],
        summary="Say what a bettor won, and close the round",
        description=(
            "At most what the round holds. It is paid when the round closes; what is left then is the room's "
            "commission, at most what its tariff takes of the sum that the others lost. Zero is a win too."
        ),
        request=WinSerializer,
        responses={200: AnswerSerializer},
        examples=[
            OpenApiExample("won", value=WIN, request_only=True),
            OpenApiExample("paid", value=_done(WIN, "109.02"), response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request)
        said = Won(
            transaction=asked["transaction_uuid"],
            reference=asked["reference_transaction_uuid"],
            user=asked.get("user"),
            round=asked["round"],
            currency=asked["currency"],
            amount=money.parse(asked["amount"], asked["currency"], field="amount"),
            closes=asked["round_closed"],
        )
        answer = outermost(services.win)(room=self.room, asked=said, at=timezone.now())
        return Response(answered(answer, request_uuid=asked["request_uuid"]))


class Rollbacks(Words):
    """What is taken back."""

    asked = RollbackSerializer

    @extend_schema(
        operation_id="seamless_rollback",
        tags=["Seamless wallet"],
        summary="Take a bet or a win back",
        description=(
            "Until its round closes. One that never came is answered RS_ERROR_TRANSACTION_DOES_NOT_EXIST and "
            "remembered, so that a bet is refused when it comes late."
        ),
        request=RollbackSerializer,
        responses={200: AnswerSerializer},
        examples=[
            OpenApiExample("a rollback", value=ROLLBACK, request_only=True),
            OpenApiExample("taken back", value=_done(ROLLBACK, "100.00"), response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request)
        said = _undo(asked)
        answer = outermost(services.rollback)(room=self.room, asked=said, at=timezone.now())
        if answer.status != services.NEVER_SAID:
            return Response(answered(answer, request_uuid=asked["request_uuid"]))
        told = {"code": "never_said", "message": "It never came; if it is a bet and comes late, it is refused."}
        return Response(answered(answer, request_uuid=asked["request_uuid"], **told))


class Refunds(Words):
    """A bet given back."""

    asked = RefundSerializer
    refusals = {"post": (InvalidAmount,)}

    @extend_schema(
        operation_id="seamless_refund",
        tags=["Seamless wallet"],
        summary="Give a bet back",
        description="A bet that is known, whole, until its round closes.",
        request=RefundSerializer,
        responses={200: AnswerSerializer},
        examples=[
            OpenApiExample("a refund", value=ROLLBACK | {"currency": "USD", "amount": "10.00"}, request_only=True),
            OpenApiExample("given back", value=_done(ROLLBACK, "100.00"), response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request)
        amount = money.parse(asked["amount"], asked["currency"], field="amount")
        said = _undo(asked, currency=asked["currency"], amount=amount)
        answer = outermost(services.refund)(room=self.room, asked=said, at=timezone.now())
        return Response(answered(answer, request_uuid=asked["request_uuid"]))


def _undo(asked: dict[str, Any], *, currency: str | None = None, amount: Decimal | None = None) -> Undo:
    transaction: UUID = asked["transaction_uuid"]
    return Undo(
        transaction=transaction,
        reference=asked["reference_transaction_uuid"],
        closes=asked["round_closed"],
        currency=currency,
        amount=amount,
    )
