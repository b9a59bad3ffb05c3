"""A player's limits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from games.models import Player
from ledger.money import UnknownCurrency
from wagering.protection.limits import selectors, services
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Said, Sort
from wagering.protection.limits.serializers import LimitRequestSerializer, LimitsSerializer, SortSerializer
from wagering.protection.models import Limit
from wagering.rest.money_field import Money
from wagering.rest.retries import outermost

USD_50: Final = {"amount": "50.00", "currency": "USD"}
DAY: Final = {"kind": "deposit", "window": "24h", "currency": "USD"}
FIFTY: Final = {
    **DAY,
    "binding": USD_50,
    "own": USD_50,
    "operators": None,
    "left": {"amount": "30.00", "currency": "USD"},
    "pending": None,
}
HUNDRED: Final = {
    **FIFTY,
    "pending": {
        "amount": {"amount": "100.00", "currency": "USD"},
        "asked_at": "2026-11-30T10:00:00Z",
        "confirm_from": "2026-12-01T10:00:00Z",
    },
}


class Limits(APIView):
    """What the player may deposit, lose and stake."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.NoLimitOfPlayMoney,)}

    @extend_schema(
        operation_id="limits",
        tags=["Protection"],
        summary="See your limits",
        description="Yours and the operator's, what is left of each now, and the increases that wait.",
        responses={200: LimitsSerializer},
        examples=[OpenApiExample("one", value={"limits": [FIFTY]}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        return _told(permissions.player(request), timezone.now())

    @extend_schema(
        operation_id="set_limit",
        tags=["Protection"],
        summary="Set a limit",
        description=(
            "A first limit, and a lower one, hold at once. A higher one waits: confirm it once 24 hours are over, and "
            "only then it holds. Whatever waited before is withdrawn; to keep the limit, set it to what it is."
        ),
        request=LimitRequestSerializer,
        responses={200: LimitsSerializer},
        examples=[
            OpenApiExample(
                "fifty a day", value={"kind": "deposit", "window": "24h", "amount": USD_50}, request_only=True
            ),
            OpenApiExample("an increase that waits", value={"limits": [HUNDRED]}, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = LimitRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        amount: Money = asked.validated_data["amount"]
        sort = _sort(asked.validated_data | {"currency": amount.currency})
        player, at = permissions.player(request), timezone.now()
        outermost(services.set_limit)(player=player, sort=sort, amount=amount.amount, at=at)
        return _told(player, at)


class Removal(APIView):
    """No limit any more."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.NoLimitOfPlayMoney, UnknownCurrency)}

    @extend_schema(
        operation_id="remove_limit",
        tags=["Protection"],
        summary="Ask for the removal of a limit",
        description="As an increase: it waits for 24 hours and for your confirmation. The operator's limit stays.",
        request=SortSerializer,
        responses={200: LimitsSerializer},
        examples=[
            OpenApiExample("of the day", value=DAY, request_only=True),
            OpenApiExample(
                "waits",
                value={"limits": [{**HUNDRED, "pending": {**HUNDRED["pending"], "amount": None}}]},  # type: ignore[dict-item]
                response_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        player, sort, at = permissions.player(request), _asked(request), timezone.now()
        outermost(services.set_limit)(player=player, sort=sort, amount=None, at=at)
        return _told(player, at)


class Confirmation(APIView):
    """The second word."""

    permission_classes = (IsPlayer,)
    refusals = {"post": (services.NothingPending, services.ConfirmedTooEarly)}

    @extend_schema(
        operation_id="confirm_limit",
        tags=["Protection"],
        summary="Confirm the increase of a limit, or its removal",
        description="From `confirm_from` on, a day after you asked for it. From now on it holds.",
        request=SortSerializer,
        responses={200: LimitsSerializer},
        examples=[
            OpenApiExample("of the day", value=DAY, request_only=True),
            OpenApiExample("holds", value={"limits": [FIFTY]}, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        player, sort, at = permissions.player(request), _asked(request), timezone.now()
        outermost(services.confirm)(player=player, sort=sort, at=at)
        return _told(player, at)


def _asked(request: Request) -> Sort:
    asked = SortSerializer(data=request.data)
    asked.is_valid(raise_exception=True)
    return _sort(asked.validated_data)


def _sort(asked: dict[str, Any]) -> Sort:
    return Sort(Kind(asked["kind"]), Window(asked["window"]), asked["currency"])


def _told(player: Player, at: datetime) -> Response:
    said = selectors.said(player=player)
    binding, left = selectors.lowest(said), _left(player, said, at)
    rows = []
    for sort in dict.fromkeys(each.sort for each in said):
        words = {each.by: each for each in said if each.sort == sort}
        own, operators = words.get(Limit.By.PLAYER), words.get(Limit.By.OPERATOR)
        pending = own.pending if own else None
        rows.append(
            {
                "kind": sort.kind.value,
                "window": sort.window.value,
                "currency": sort.currency,
                "binding": _money(binding.get(sort), sort),
                "own": _money(own.amount if own else None, sort),
                "operators": _money(operators.amount if operators else None, sort),
                "left": _money(left.get(sort), sort),
                "pending": pending
                and {
                    "amount": _money(pending.amount, sort),
                    "asked_at": pending.asked_at,
                    "confirm_from": pending.due_at,
                },
            }
        )
    return Response(LimitsSerializer({"limits": rows}).data)


def _left(player: Player, said: Iterable[Said], at: datetime) -> dict[Sort, Decimal]:
    found: dict[Sort, Decimal] = {}
    for currency in {each.sort.currency for each in said}:
        bounds = selectors.bounds(player=player, currency=currency, kinds=Kind, pending=Decimal(0), at=at)
        found |= {Sort(bound.kind, bound.window, currency): bound.left(at=at) for bound in bounds}
    return found


def _money(amount: Decimal | None, sort: Sort) -> Money | None:
    return None if amount is None else Money(amount, sort.currency)
