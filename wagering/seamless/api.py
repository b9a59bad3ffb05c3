"""The doors of rooms' servers to the seamless wallet; what they say is on the page of ``wagering.seamless``."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
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
from wagering.seamless.services import Answer, Bet, Undo, Won

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


NEVER_CAME: Final = {"code": "never_said", "message": "It never came; if it is a bet and comes late, it is refused."}


class Word(APIView):
    """One word of the protocol. Its key is the ``transaction_uuid``, so it asks for no Idempotency-Key."""

    permission_classes = (IsRoomServer,)
    scope = Scope.WALLET
    throttle_scope = "seamless"
    passes_unknown = True  # aggregators add members of their own
    asked: ClassVar[type[serializers.Serializer[Any]]]
    request_uuid: UUID

    def post(self, request: Request) -> Response:
        asked = self.asked(data=request.data)
        asked.is_valid(raise_exception=True)
        self.request_uuid = asked.validated_data["request_uuid"]
        assert isinstance(request.user, RoomServer)
        answer, more = self.answer(request.user.room, asked.validated_data, timezone.now())
        return Response(answered(answer, request_uuid=self.request_uuid, **more))

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        """What the word does in the asking server's room, which acts in no other; and what is told besides."""
        raise NotImplementedError

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


def _described(word: str, *, asked: dict[str, Any], balance: str, nickname: str = "", **more: Any) -> Any:
    """The description of a word: what is asked, and RS_OK to it."""
    done = {"status": "RS_OK", "request_uuid": asked["request_uuid"], "user": ANN, "currency": "USD"}
    done |= {"nickname": nickname} if nickname else {}
    examples = [
        OpenApiExample("asked", value=asked, request_only=True),
        OpenApiExample("done", value=done | {"balance": balance}, response_only=True),
        *more.pop("examples", ()),
    ]

    def described(view: type[Word]) -> type[Word]:
        operation = extend_schema(
            operation_id=f"seamless_{word}",
            tags=["Seamless wallet"],
            request=view.asked,
            responses={200: AnswerSerializer},
            examples=examples,
            **more,
        )
        return extend_schema_view(post=operation)(view)

    return described


@_described(
    "authenticate",
    summary="Whose a token is",
    description="The player who gave the room the token, and what the wallet holds in the session's currency.",
    asked={"request_uuid": BET["request_uuid"], "token": TOKEN},
    balance="100.00",
    nickname="ann",
)
class Authenticate(Word):
    """Whose the token is."""

    asked = TokenedSerializer

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        player, answer = services.authenticate(room=room, token=asked["token"], at=at)
        return answer, {"nickname": player.name}


@_described(
    "balance",
    summary="What a wallet holds",
    description="What the player can dispose of, in the session's currency; what is staked is not in it.",
    asked={"request_uuid": BET["request_uuid"], "token": TOKEN},
    balance="100.00",
)
class Balance(Word):
    """What the wallet holds."""

    asked = TokenedSerializer

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        _, answer = services.authenticate(room=room, token=asked["token"], at=at)
        return answer, {}


@_described(
    "bet",
    summary="Stake in a round",
    description=(
        "The amount goes from the wallet into escrow, for the round. The first bet opens it. A bet whose rollback "
        "came first is refused."
    ),
    asked=BET,
    balance="90.00",
    examples=[
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
class Bets(Word):
    """A stake in a round."""

    asked = BetSerializer
    refusals = {"post": (InvalidAmount,)}

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        amount = _amount(asked)
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
        return outermost(services.bet)(room=room, asked=said, at=at), {}


@_described(
    "win",
    summary="Say what a bettor won, and close the round",
    description=(
        "At most what the round holds. It is paid when the round closes; what is left then is the room's "
        "commission, at most what its tariff takes of the sum that the others lost. Zero is a win too."
    ),
    asked=WIN,
    balance="109.02",
)
class Wins(Word):
    """What is due to a bettor."""

    asked = WinSerializer
    refusals = {"post": (InvalidAmount,)}

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        said = Won(
            transaction=asked["transaction_uuid"],
            reference=asked["reference_transaction_uuid"],
            user=asked.get("user"),
            round=asked["round"],
            currency=asked["currency"],
            amount=_amount(asked),
            closes=asked["round_closed"],
        )
        return outermost(services.win)(room=room, asked=said, at=at), {}


@_described(
    "rollback",
    summary="Take a bet or a win back",
    description=(
        "Until its round closes. One that never came is answered RS_ERROR_TRANSACTION_DOES_NOT_EXIST and "
        "remembered, so that a bet is refused when it comes late."
    ),
    asked=ROLLBACK,
    balance="100.00",
)
class Rollbacks(Word):
    """What is taken back."""

    asked = RollbackSerializer

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        answer = outermost(services.rollback)(room=room, asked=_undo(asked), at=at)
        return answer, NEVER_CAME if answer.status == services.NEVER_SAID else {}


@_described(
    "refund",
    summary="Give a bet back",
    description="A bet that is known, whole, until its round closes.",
    asked=ROLLBACK | {"currency": "USD", "amount": "10.00"},
    balance="100.00",
)
class Refunds(Word):
    """A bet given back."""

    asked = RefundSerializer
    refusals = {"post": (InvalidAmount,)}

    def answer(self, room: Room, asked: dict[str, Any], at: datetime) -> tuple[Answer, dict[str, str]]:
        return outermost(services.refund)(room=room, asked=_undo(asked, amount=_amount(asked)), at=at), {}


def _undo(asked: dict[str, Any], *, amount: Decimal | None = None) -> Undo:
    return Undo(
        transaction=asked["transaction_uuid"],
        reference=asked["reference_transaction_uuid"],
        closes=asked["round_closed"],
        currency=asked.get("currency"),
        amount=amount,
    )


def _amount(asked: dict[str, Any]) -> Decimal:
    return money.parse(asked["amount"], asked["currency"], field="amount")
