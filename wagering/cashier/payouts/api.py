"""Getting paid: to an account of one's own, or back to a card."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access.permissions import IsPlayer, player_of
from games.models import Player
from ledger.book import InsufficientFunds
from ledger.money import InvalidAmount
from wagering.cashier.bank.rules.iban import BadIban
from wagering.cashier.bank.rules.names import BadHolder
from wagering.cashier.deposits.serializers import MethodSerializer
from wagering.cashier.payouts import accounts, selectors, services, tasks
from wagering.cashier.payouts.accounts import OursToPayFrom
from wagering.cashier.payouts.models import Payout
from wagering.cashier.payouts.serializers import (
    BankAccountRequestSerializer,
    PayoutRequestSerializer,
    PayoutSerializer,
    told,
)
from wagering.protection.refusals import PayoutStands, StillOwes
from wagering.rest.hints import hint
from wagering.rest.retries import outermost

HELD: Final[dict[str, Any]] = {
    "id": "5f0c1c1e-6f0b-4a5e-8a55-3d7d1f2b9c10",
    "state": "held",
    "amount": {"amount": "48.00", "currency": "EUR"},
    "method": "c2b7b8b5-7d5e-4a52-9a43-1d6f0e9b7a31",
    "last4": "4300",
    "waits_for": [],
    "reason": "",
    "asked_at": "2026-11-30T10:00:00Z",
    "approved_at": None,
    "ended_at": None,
}
PAID: Final = {
    **HELD,
    "state": "paid",
    "approved_at": "2026-11-30T10:00:02Z",
    "ended_at": "2026-11-30T15:20:00Z",
}
ACCOUNT: Final = {
    "id": "c2b7b8b5-7d5e-4a52-9a43-1d6f0e9b7a31",
    "provider": "bank",
    "brand": "account in NL",
    "last4": "4300",
    "can_receive": True,
    "added_at": "2026-11-29T18:00:00Z",
    "used_at": None,
}


class Payouts(ListAPIView[Payout]):
    """A player's payouts, and one more."""

    permission_classes = (IsPlayer,)
    serializer_class = PayoutSerializer
    ordering = ("-asked_at", "-id")
    idempotency_key_required = True
    refusals = {
        "post": (
            *(InvalidAmount, InsufficientFunds, services.CannotReceive, services.CurrencyNotPaidOut),
            *(services.NotYetWithdrawable, StillOwes, NotFound),
        )
    }

    def get_queryset(self) -> QuerySet[Payout]:
        return selectors.theirs(player=_player(self.request))

    @extend_schema(
        operation_id="list_payouts",
        tags=["Cashier"],
        summary="See what you have had paid out",
        description="All your payouts with how each stands, the newest first.",
        examples=[OpenApiExample("one that was paid", value=PAID, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        assert page is not None
        return self.get_paginated_response(PayoutSerializer([told(payout) for payout in page], many=True).data)

    @extend_schema(
        operation_id="ask_for_payout",
        tags=["Cashier"],
        summary="Ask to be paid out",
        description=(
            "The amount leaves what you can stake at once, and is held until it is paid, or comes back (P-2). It is "
            "looked at, approved, and goes out with the next batch; what you paid in by card goes back to it first. "
            "An exclusion keeps no payout; what you owe after a chargeback does, until what comes in has paid it."
        ),
        request=PayoutRequestSerializer,
        responses={201: PayoutSerializer},
        examples=[
            OpenApiExample(
                "to an account",
                value={"amount": HELD["amount"], "method": HELD["method"]},
                request_only=True,
            ),
            OpenApiExample("held", value=HELD, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        said = PayoutRequestSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        asked = said.validated_data
        payout = services.ask(
            player=_player(request),
            method=asked["method"],
            amount=asked["amount"].amount,
            currency=asked["amount"].currency,
            at=timezone.now(),
        )
        hint(tasks.screen_payout, str(payout.pk))
        return Response(PayoutSerializer(told(payout)).data, status=status.HTTP_201_CREATED)


class OnePayout(APIView):
    """How one stands."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="payout",
        tags=["Cashier"],
        summary="See how a payout stands",
        description="`paid` is when it has left our bank, or the provider; until then its amount is held.",
        responses={200: PayoutSerializer},
        examples=[OpenApiExample("paid", value=PAID, response_only=True)],
    )
    def get(self, request: Request, payout: UUID) -> Response:
        return Response(PayoutSerializer(told(_theirs(request, payout))).data)


class CancelPayout(APIView):
    """Not after all."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (services.NotToBeCancelled, PayoutStands)}

    @extend_schema(
        operation_id="cancel_payout",
        tags=["Cashier"],
        summary="Take a payout back",
        description="As long as it is not approved, and where you live allows it; its amount is in the wallet again.",
        request=None,
        responses={200: PayoutSerializer},
        examples=[
            OpenApiExample(
                "taken back",
                value={**HELD, "state": "cancelled", "ended_at": "2026-11-30T10:00:01Z"},
                response_only=True,
            )
        ],
    )
    def post(self, request: Request, payout: UUID) -> Response:
        cancelled = services.cancel(payout=_theirs(request, payout).pk, at=timezone.now())
        return Response(PayoutSerializer(told(cancelled)).data)


class BankAccounts(APIView):
    """Where a player can be paid to."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (BadIban, OursToPayFrom, BadHolder)}

    @extend_schema(
        operation_id="add_bank_account",
        tags=["Cashier"],
        summary="Add a bank account to be paid to",
        description=(
            "It becomes one of your payment methods; the same account again is the same method. Number and holder are "
            "kept sealed, and only the last four digits are ever shown. An account in somebody else's name is looked "
            "at by an operator before anything goes there."
        ),
        request=BankAccountRequestSerializer,
        responses={201: MethodSerializer},
        examples=[
            OpenApiExample(
                "an account", value={"iban": "NL91 ABNA 0417 1643 00", "holder": "Ann Miller"}, request_only=True
            ),
            OpenApiExample("a payment method", value=ACCOUNT, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        said = BankAccountRequestSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        method = outermost(accounts.add)(
            player=_player(request),
            iban=said.validated_data["iban"],
            holder=said.validated_data["holder"],
            at=timezone.now(),
        )
        return Response(MethodSerializer(method).data, status=status.HTTP_201_CREATED)


def _theirs(request: Request, payout: UUID) -> Payout:
    return selectors.theirs(player=_player(request)).get(pk=payout)


def _player(request: Request) -> Player:
    player = player_of(request)
    assert player is not None  # IsPlayer stands before
    return player
