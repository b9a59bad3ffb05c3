"""A player's wallets: their own, and nobody else's."""

from __future__ import annotations

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from wagering.play.wallet import selectors, services
from wagering.play.wallet.serializers import (
    PlayMoneyGivenSerializer,
    StatementQuerySerializer,
    StatementSerializer,
    TotalsQuerySerializer,
    TotalsSerializer,
    WalletsSerializer,
    told,
    told_entry,
    told_totals,
)
from wagering.play.wallet.totals import totals
from wagering.rest.money_field import Money
from wagering.rest.retries import outermost


def _money(amount: str, currency: str = "USD") -> dict[str, str]:
    return {"amount": amount, "currency": currency}


def _wallet(currency: str, zone: str, available: str, held: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("pending", "bonus", "unclaimed", "owed"), _money("0.00", currency))
    money = {"available": _money(available, currency), "held": _money(held, currency), **nothing}
    return {"currency": currency, "zone": zone, **money}


PLAY_WALLET: Final = _wallet("PLAY", "amateurs", "1000.00", "0.00")
USD_WALLET: Final = _wallet("USD", "professionals", "85.00", "15.00")
ENTRY: Final = {
    "number": 2,
    "event": "stake_held",
    "cause": {"kind": "table", "id": "1a4c081d-9ca4-4299-bdfa-ce829fb39135"},
    "table": "1a4c081d-9ca4-4299-bdfa-ce829fb39135",
    "opponent": {"id": "af7d28ba-ec35-423f-87d9-f5af57877ed2", "name": "bob"},
    "occurred_at": "2026-11-30T10:02:00Z",
    "posted_at": "2026-11-30T10:02:00.104512Z",
    "change": _money("-15.00"),
    "balance": _money("85.00"),
}


class Wallets(APIView):
    """What the player owns."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="wallets",
        tags=["Wallet"],
        summary="See what you own",
        description=(
            "Each currency with what is at hand and what is held at tables. Whoever asks for the first time is given "
            "play money, once."
        ),
        responses={200: WalletsSerializer},
        examples=[OpenApiExample("two", value={"wallets": [PLAY_WALLET, USD_WALLET]}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        player = permissions.player(request)
        outermost(services.welcome)(player=player, at=timezone.now())
        found = {"wallets": [told(wallet) for wallet in selectors.wallets(player=player)]}
        return Response(WalletsSerializer(found).data)


class WalletStatement(APIView):
    """How it came about."""

    permission_classes = (IsPlayer,)
    refusals = {"get": (serializers.ValidationError,)}

    @extend_schema(
        operation_id="wallet_statement",
        tags=["Wallet"],
        summary="See every change of a wallet",
        description=(
            "The entries of one currency's wallet with what caused each, in the order they were written. Each page "
            "opens with the balance before it and closes with the balance after it."
        ),
        parameters=[StatementQuerySerializer],
        responses={200: StatementSerializer},
        examples=[
            OpenApiExample(
                "one entry",
                value={
                    "next": None,
                    "previous": "https://room.example/v1/wallet/statement?currency=USD&limit=1",
                    "opening": _money("100.00"),
                    "results": [ENTRY],
                    "closing": _money("85.00"),
                },
                response_only=True,
            )
        ],
    )
    def get(self, request: Request) -> Response:
        asked = StatementQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        currency, after, limit = (asked.validated_data[name] for name in ("currency", "cursor", "limit"))
        page, entries = selectors.statement(
            player=permissions.player(request), currency=currency, after=after, limit=limit
        )
        found = {
            "next": None if page.cursor is None else _page(request, page.cursor),
            # The entries of a wallet are numbered without gaps.
            "previous": _page(request, max(0, after - limit)) if after else None,
            "opening": Money(page.opening, currency),
            "results": [told_entry(entry, currency) for entry in entries],
            "closing": Money(page.closing, currency),
        }
        return Response(StatementSerializer(found).data)


class WalletTotals(APIView):
    """What it comes to."""

    permission_classes = (IsPlayer,)
    refusals = {"get": (serializers.ValidationError,)}

    @extend_schema(
        operation_id="wallet_totals",
        tags=["Wallet"],
        summary="See what you paid in, won and lost",
        description=(
            "Sums over a period of one currency, counted from the book. What is held at tables and what you have asked "
            "to be paid out is still yours, and neither lost nor paid."
        ),
        parameters=[TotalsQuerySerializer],
        responses={200: TotalsSerializer},
        examples=[
            OpenApiExample(
                "a month",
                value={
                    "paid_in": _money("100.00"),
                    "paid_out": _money("40.00"),
                    "taken_back": _money("0.00"),
                    "won": _money("9.02"),
                    "lost": _money("15.00"),
                    "other": _money("0.00"),
                    "net_deposits": _money("60.00"),
                    "net_deposits_for_life": _money("260.00"),
                },
                response_only=True,
            )
        ],
    )
    def get(self, request: Request) -> Response:
        asked = TotalsQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        player, currency = permissions.player(request), asked.validated_data.pop("currency")
        of_period = totals(player=player, currency=currency, **asked.validated_data)
        found = told_totals(of_period, totals(player=player, currency=currency), currency)
        return Response(TotalsSerializer(found).data)


class PlayMoney(APIView):
    """More of what costs nothing."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (services.EnoughPlayMoney, services.PlayMoneySpent)}

    @extend_schema(
        operation_id="ask_for_play_money",
        tags=["Wallet"],
        summary="Ask for play money",
        description=(
            "Given free of charge to who owns less than 100.00 PLAY, what is held at tables counted in; three times a "
            "day at most, in UTC. It is for the amateurs' tables and never becomes real money."
        ),
        request=None,
        responses={201: PlayMoneyGivenSerializer},
        examples=[
            OpenApiExample(
                "given",
                value={"given": _money("1000.00", "PLAY"), "wallet": PLAY_WALLET},
                response_only=True,
                status_codes=["201"],
            )
        ],
    )
    def post(self, request: Request) -> Response:
        player = permissions.player(request)
        given = services.ask_again(player=player, at=timezone.now())
        wallet = selectors.wallet(player=player, currency=services.PLAY)
        found: dict[str, Any] = {"given": Money(given, services.PLAY), "wallet": told(wallet)}
        return Response(PlayMoneyGivenSerializer(found).data, status=status.HTTP_201_CREATED)


def _page(request: Request, cursor: int) -> str:
    here = request.build_absolute_uri()
    return str(replace_query_param(here, "cursor", cursor) if cursor else remove_query_param(here, "cursor"))
