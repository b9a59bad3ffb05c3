"""Paying in, and the door through which providers tell what came of it."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from ledger.money import InvalidAmount
from wagering.cashier.deposits import inbox, selectors, services, tasks
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.deposits.serializers import (
    DepositRequestSerializer,
    DepositSerializer,
    MethodsSerializer,
    WebhookTakenSerializer,
    told,
)
from wagering.cashier.methods import selectors as methods
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import NotGenuine, ProviderSilent, Unreadable
from wagering.protection.refusals import CountryRefused, Excluded, IdentityNeeded, LimitReached, SourceOfFundsNeeded
from wagering.rest.hints import hint

PROTECTED: Final = (Excluded, CountryRefused, IdentityNeeded, SourceOfFundsNeeded, LimitReached)


def _money(amount: str) -> dict[str, str]:
    return {"amount": amount, "currency": "EUR"}


CREATED: Final = {
    "id": "0c8f0a4e-5a6e-4f0c-9a6f-0d9f6f1f7b11",
    "state": "created",
    "provider": "sandbox",
    "amount": _money("50.00"),
    "paid": None,
    "refunded": _money("0.00"),
    "pay_at": None,
    "reference": "deposit-0c8f0a4e5a6e4f0c9a6f0d9f6f1f7b11",
    "method": None,
    "reason": "",
    "created_at": "2026-11-30T10:00:00Z",
    "succeeded_at": None,
}
STARTED: Final = {**CREATED, "state": "processing", "pay_at": "https://pay.example/pay_000000000007"}
SUCCEEDED: Final = {
    **STARTED,
    "state": "succeeded",
    "paid": _money("50.00"),
    "method": "8a0b4f0e-9a37-4c59-8f0e-2b8a4f1c5d22",
    "succeeded_at": "2026-11-30T10:02:11.250000Z",
}
METHOD: Final = {
    "id": "8a0b4f0e-9a37-4c59-8f0e-2b8a4f1c5d22",
    "provider": "sandbox",
    "brand": "visa",
    "last4": "4242",
    "can_receive": True,
    "added_at": "2026-11-30T10:02:11.250000Z",
    "used_at": "2026-11-30T10:02:11.250000Z",
}


class Deposits(ListAPIView[Deposit]):
    """A player's deposits, and one more."""

    permission_classes = (IsPlayer,)
    serializer_class = DepositSerializer
    ordering = ("-created_at", "-id")
    idempotency_key_required = True
    refusals = {"post": (InvalidAmount, registry.UnknownProvider, services.CurrencyNotTaken, *PROTECTED)}

    def get_queryset(self) -> QuerySet[Deposit]:
        return selectors.theirs(player=permissions.player(self.request))

    @extend_schema(
        operation_id="list_deposits",
        tags=["Cashier"],
        summary="See what you have paid in",
        description="All your deposits with how each stands, the newest first.",
        examples=[OpenApiExample("one that is in the wallet", value=SUCCEEDED, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        assert page is not None
        return self.get_paginated_response(DepositSerializer([told(deposit) for deposit in page], many=True).data)

    @extend_schema(
        operation_id="make_deposit",
        tags=["Cashier"],
        summary="Ask to pay in",
        description=(
            "Notes the wish, once a key, and asks nobody yet: `POST /v1/deposits/{deposit}/start` comes next and says "
            "where to pay. Of real money only."
        ),
        request=DepositRequestSerializer,
        responses={201: DepositSerializer},
        examples=[
            OpenApiExample(
                "fifty euros",
                value={"amount": _money("50.00"), "return_url": "https://room.example/wallet"},
                request_only=True,
            ),
            OpenApiExample("to be started", value=CREATED, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        said = DepositRequestSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        asked = said.validated_data
        deposit = services.begin(
            player=permissions.player(request),
            amount=asked["amount"].amount,
            currency=asked["amount"].currency,
            provider=asked.get("provider") or registry.first(),
            return_url=asked["return_url"],
            at=timezone.now(),
        )
        return Response(DepositSerializer(told(deposit)).data, status=status.HTTP_201_CREATED)


class OneDeposit(APIView):
    """How one stands."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="deposit",
        tags=["Cashier"],
        summary="See how a deposit stands",
        description="`succeeded` is when it is in the wallet, and not before: until then nothing of it can be staked.",
        responses={200: DepositSerializer},
        examples=[OpenApiExample("in the wallet", value=SUCCEEDED, response_only=True)],
    )
    def get(self, request: Request, deposit: UUID) -> Response:
        return Response(DepositSerializer(told(_theirs(request, deposit))).data)


class StartDeposit(APIView):
    """From the wish to the provider's page."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.NotToBeStarted, ProviderSilent, *PROTECTED)}

    @extend_schema(
        operation_id="start_deposit",
        tags=["Cashier"],
        summary="Begin the payment",
        description=(
            "Asks the provider and says in `pay_at` where you pay: open it. Needs no key: asking again is the same "
            "payment and the same page, so after a 503 or no answer ask again. `failed` if the provider refuses."
        ),
        request=None,
        responses={200: DepositSerializer},
        examples=[OpenApiExample("to be paid", value=STARTED, response_only=True)],
    )
    def post(self, request: Request, deposit: UUID) -> Response:
        started = services.start(deposit=_theirs(request, deposit).pk, at=timezone.now())
        return Response(DepositSerializer(told(started)).data)


class PaymentMethods(APIView):
    """What a player has paid from."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="payment_methods",
        tags=["Cashier"],
        summary="See your payment methods",
        description=(
            "The cards and accounts that you have paid from, by their last digits, and `providers`: through whom you "
            "can pay in. Card numbers are given to the provider alone, and never to us."
        ),
        responses={200: MethodsSerializer},
        examples=[OpenApiExample("a card", value={"methods": [METHOD], "providers": ["sandbox"]}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        found = {
            "methods": methods.theirs(player=permissions.player(request)),
            "providers": [provider.code for provider in registry.enabled()],
        }
        return Response(MethodsSerializer(found).data)


class Webhooks(APIView):
    """What providers tell by themselves."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    throttle_scope = "webhooks"
    passes_unknown = True
    refusals = {"post": (registry.UnknownProvider, NotGenuine, Unreadable)}

    @extend_schema(
        operation_id="webhook",
        tags=["Cashier"],
        summary="Tell an event (payment providers)",
        description=(
            "For payment providers alone. The raw body is verified by the provider's own signature, which may be 5 "
            "minutes old, kept once an event and acknowledged; what follows is done afterwards. Unknown kinds are kept "
            "too."
        ),
        parameters=[OpenApiParameter("provider", str, OpenApiParameter.PATH, description="The provider's name.")],
        request={"application/json": {"type": "object", "description": "As the provider has it."}},
        responses={200: WebhookTakenSerializer},
        examples=[
            OpenApiExample(
                "a payment",
                value={"id": "evt_000000000009", "type": "payment.succeeded", "created": 1796032931, "data": {}},
                request_only=True,
            ),
            OpenApiExample("kept", value={"received": True}, response_only=True),
        ],
    )
    def post(self, request: Request, provider: str) -> Response:
        body = request._request.body
        waiting = inbox.receive(provider=provider, body=body, headers=request.headers, at=timezone.now())
        for event in waiting:
            hint(tasks.handle_event, str(event))
        return Response(WebhookTakenSerializer({"received": True}).data)


def _theirs(request: Request, deposit: UUID) -> Deposit:
    return selectors.theirs(player=permissions.player(request)).get(pk=deposit)
