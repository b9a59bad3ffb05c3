"""How a player pays in by bank transfer."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from ledger import money
from wagering.cashier.bank import references
from wagering.cashier.bank.rules.references import shown
from wagering.rest.retries import outermost

EXAMPLE: Final = {
    "currency": "EUR",
    "reference": "RF74000000000001",
    "shown": "RF74 0000 0000 0001",
    "iban": "DE47100000000000004711",
    "bic": "",
    "holder": "Backgammon Room Players",
}


class TransferReferenceSerializer(serializers.Serializer[Any]):
    currency = serializers.CharField(help_text="What the account is kept in.")
    reference = serializers.CharField(help_text="Yours in this currency, for good: write it on each transfer.")
    shown = serializers.CharField(help_text="The same in groups of four, as people read it.")
    iban = serializers.CharField(help_text="The account to transfer to.")
    bic = serializers.CharField(allow_blank=True, help_text="Its bank; empty if that is not needed.")
    holder = serializers.CharField(help_text="Whose account it is.")


class TransferReference(APIView):
    """Where to transfer, and what to write on it."""

    permission_classes = (IsPlayer,)
    refusals = {"get": (references.NoTransfers, money.UnknownCurrency)}

    @extend_schema(
        operation_id="transfer_reference",
        tags=["Cashier"],
        summary="See how to pay in by bank transfer",
        description=(
            "The account to transfer to, and your reference. What comes with it is in your wallet when the bank's "
            "statement has been read, once; what comes without it waits until somebody has found out whose it is, and "
            "so does what your limits do not let in, or what comes from an account in another name than was verified."
        ),
        parameters=[OpenApiParameter("currency", str, required=True, description="What you will transfer: `EUR`.")],
        responses={200: TransferReferenceSerializer},
        examples=[OpenApiExample("in euros", value=EXAMPLE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        player = permissions.player(request)
        currency = money.currency(request.query_params.get("currency", "")).code
        reference = outermost(references.of)(player=player, currency=currency, at=timezone.now())
        told = {
            "currency": currency,
            "reference": reference,
            "shown": shown(reference),
            "iban": settings.BANK_IBAN,
            "bic": settings.BANK_BIC,
            "holder": settings.BANK_HOLDER,
        }
        return Response(TransferReferenceSerializer(told).data)
