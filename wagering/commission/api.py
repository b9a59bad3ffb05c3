"""What the house would take, before anybody sits down."""

from decimal import Decimal
from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ledger.money import InvalidAmount
from ratings.rules import Standing
from wagering.commission import rules, schedule, selectors
from wagering.commission.rules import Charge, CurrencyNotInTariff
from wagering.rest.money_field import Money, MoneyField

MATCH_LENGTH_MAX: Final = 25

EXAMPLE: Final = {
    "tariff": "gammonempire",
    "match_length": 0,
    "amount": {"amount": "10.00", "currency": "USD"},
}


class StandingSerializer(serializers.Serializer[Standing]):
    rating = serializers.DecimalField(
        max_digits=8, decimal_places=3, min_value=Decimal(0), help_text="The rating (R), as text: 1500.000 at first."
    )
    experience = serializers.IntegerField(
        min_value=0,
        max_value=10**6,
        default=0,
        help_text="Points of all matches played so far.",
    )


class QuoteRequestSerializer(serializers.Serializer[Any]):
    tariff = serializers.CharField(max_length=40, help_text="Name of a published tariff.")
    match_length = serializers.IntegerField(
        min_value=0, max_value=MATCH_LENGTH_MAX, help_text="Points that the match goes to; 0 for a single game."
    )
    amount = MoneyField(
        help_text="Of a single game what was won: stake times cube times value, to the cap. Of a match its stake."
    )
    standings = StandingSerializer(
        many=True,
        required=False,
        min_length=2,  # type: ignore[call-arg]  # of the list, which the stubs do not know
        max_length=2,
        help_text="Both players' standings at the start, in either order; only a match is charged by them.",
    )


class StepSerializer(serializers.Serializer[Any]):
    step = serializers.CharField(help_text="Which step it is.")
    rule = serializers.CharField(help_text="Id of the rule that it follows.")
    cause = serializers.CharField(help_text="What made it so, for a program.")
    figure = serializers.CharField(help_text="What the step came to, as text.")
    sentence = serializers.CharField(help_text="The step for a person.")


class QuoteSerializer(serializers.Serializer[Any]):
    tariff = serializers.CharField(help_text="Name of the tariff.")
    version = serializers.IntegerField(help_text="Its version in force now: a table keeps the one it is made with.")
    base = MoneyField(help_text="What the commission is a share of.")
    tier = serializers.CharField(help_text="The bracket that the base is in.")
    rate = serializers.CharField(help_text="A player's rate before the ratings change anything: 0.049 is 4.9 %.")
    exact = serializers.CharField(help_text="Both players' commissions before the one rounding, as text.")
    commission = MoneyField(help_text="What the winner pays for both, rounded once, half-even.")
    net = MoneyField(help_text="What the winner is up: the base less the commission.")
    trace = StepSerializer(many=True, help_text="Each step of it, from the tariff to the rounding.")


class Quotes(APIView):
    """Nothing is kept of a quote: it is a POST only because it asks with a body."""

    permission_classes = (AllowAny,)
    refusals = {"post": (schedule.UnknownTariff, CurrencyNotInTariff, InvalidAmount)}

    @extend_schema(
        operation_id="quote",
        tags=["Rooms"],
        summary="What the house would take",
        description=(
            "The commission on one finished contest, by the very rules that settle it, each step told. Nothing is "
            "kept. Without `standings` a match gets the published rate, before any adjustment by ratings."
        ),
        request=QuoteRequestSerializer,
        responses={200: QuoteSerializer},
        examples=[
            OpenApiExample("a single game", value=EXAMPLE, request_only=True),
            OpenApiExample(
                "a single game's",
                value={
                    "tariff": "gammonempire",
                    "version": 1,
                    "base": {"amount": "10.00", "currency": "USD"},
                    "tier": "up to and with 20",
                    "rate": "0.049",
                    "exact": "0.9800",
                    "commission": {"amount": "0.98", "currency": "USD"},
                    "net": {"amount": "9.02", "currency": "USD"},
                    "trace": [
                        {
                            "step": "rounded",
                            "rule": "C",
                            "cause": "half-even",
                            "figure": "0.98",
                            "sentence": "Rounded once, half-even, to 0.01: 0.98 USD.",
                        }
                    ],
                },
                response_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = QuoteRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        version = selectors.tariff_at(name=asked.validated_data["tariff"], at=timezone.now())
        tariff = selectors.tariff_of(version)
        amount: Money = asked.validated_data["amount"]
        if points := asked.validated_data["match_length"]:
            charge = rules.charge_series(
                tariff=tariff,
                currency=amount.currency,
                stake=amount.amount,
                points=points,
                standings=_standings(asked.validated_data),
            )
        else:
            charge = rules.charge_single(tariff=tariff, currency=amount.currency, won=amount.amount)
        return Response(QuoteSerializer(_told(charge)).data)


def _standings(asked: dict[str, Any]) -> tuple[Standing, Standing] | None:
    if "standings" not in asked:
        return None
    one, other = (Standing(**standing) for standing in asked["standings"])
    return one, other


def _told(charge: Charge) -> dict[str, Any]:
    net = charge.base - charge.commission
    return charge.as_dict() | {
        "base": Money(charge.base, charge.currency),
        "commission": Money(charge.commission, charge.currency),
        "net": Money(net, charge.currency),
    }
