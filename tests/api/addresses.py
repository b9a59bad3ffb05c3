"""Addresses for tests of the manners: small views that do one thing each, in the place of the real ones."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from django.db import OperationalError, connection
from django.urls import include, path, re_path
from rest_framework import generics, serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Room, User
from ledger import book, money, postings
from ledger.vouchers import Hold
from tests.factories import NOON, PROVIDER
from wagering.config.http import pages
from wagering.rest.money_field import MoneyField
from wagering.rest.retries import outermost


class ByName(BaseAuthentication):
    """Believes what ``X-Player`` says."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        name = request.headers.get("X-Player")
        return (User.objects.get(username=name), None) if name else None

    def authenticate_header(self, request: Request) -> str:
        return "X-Player"


class Cut(BaseAuthentication):
    """The database went away while it was asked who this is."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        raise OperationalError("connection to server at 10.1.2.3 failed")


class Deposit(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    money = MoneyField()
    takes_s = serializers.FloatField(default=0)
    patience_ms = serializers.IntegerField(default=5000)


class Deposits(APIView):
    """Each request is a deposit of its own, unless its key makes it the same."""

    authentication_classes = (ByName,)
    permission_classes = (IsAuthenticated,)
    idempotency_key_required = True
    runs = 0

    def post(self, request: Request, player: UUID | None = None) -> Response:
        Deposits.runs += 1
        asked = Deposit(data=request.data)
        asked.is_valid(raise_exception=True)
        amount = asked.validated_data["money"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [str(asked.validated_data["patience_ms"])])
        time.sleep(asked.validated_data["takes_s"])
        deposit = uuid4()
        book.post(
            postings.deposit_confirmed(
                deposit=deposit,
                player=asked.validated_data["player"],
                provider=PROVIDER,
                amount=amount.amount,
                currency=amount.currency,
                at=NOON,
            )
        )
        return Response(
            {"deposit": deposit, "money": amount.as_json()}, status=201, headers={"Location": f"/v1/deposits/{deposit}"}
        )

    def get(self, request: Request) -> Response:
        return Response({"runs": self.runs})


class Anybodys(Deposits):
    """Marked, and open to anybody: a mistake."""

    permission_classes = (AllowAny,)  # type: ignore[assignment]


class Stakes(Deposits):
    """Five dollars set aside, if they are there."""

    def post(self, request: Request, player: UUID | None = None) -> Response:
        hold = Hold(uuid4(), UUID(dict(request.data)["player"]), "USD", Decimal("5.00"))
        book.hold(postings.stake_held(stake=uuid4(), holds=[hold], at=NOON))
        return Response({})


class Refusing(Deposits):
    """Posts, and then answers with a refusal that it does not raise."""

    def post(self, request: Request, player: UUID | None = None) -> Response:
        super().post(request)
        return Response({"code": "no"}, status=409)


class Open(APIView):
    permission_classes = (AllowAny,)
    authentication_classes = ()


class Echo(Open):
    def post(self, request: Request) -> Response:
        return Response({"length": len(str(request.data))})


class Records(Echo):
    body_max = 8 * 2**20


class Crash(Open):
    def get(self, request: Request) -> Response:
        raise ZeroDivisionError("ann@example.com has the password hunter2")


class NoDatabase(APIView):
    authentication_classes = (Cut,)
    permission_classes = (AllowAny,)

    def get(self, request: Request) -> Response:
        return Response({})


class Busy(Open):
    def get(self, request: Request) -> Response:
        from wagering.rest.retries import TryAgain

        raise TryAgain("4 runs were ended by PostgreSQL, the last by lock_not_available")


class Refusal(Open):
    """Raises what the amount in the address makes ``money`` raise."""

    def get(self, request: Request, amount: str) -> Response:
        return Response({"amount": str(outermost(money.parse)(amount, "USD", field="stake"))})


class Slow(Open):
    throttle_scope = "slow"

    def get(self, request: Request) -> Response:
        return Response({})


class NewRoom(serializers.ModelSerializer[Room]):
    class Meta:
        model = Room
        fields = ("slug",)


class Rooms(Open, generics.ListAPIView[Room]):
    queryset = Room.objects.all()
    serializer_class = NewRoom
    ordering = ("slug",)


class Lookup(Open):
    def get(self, request: Request, slug: str) -> Response:
        return Response({"id": str(Room.objects.get(slug=slug).pk)})


v1 = [
    path("deposits", Deposits.as_view()),
    path("players/<uuid:player>/deposits", Deposits.as_view()),
    path("stakes", Stakes.as_view()),
    path("anybodys", Anybodys.as_view()),
    path("refusing", Refusing.as_view()),
    path("echo", Echo.as_view()),
    path("records", Records.as_view()),
    path("crash", Crash.as_view()),
    path("busy", Busy.as_view()),
    path("no-database", NoDatabase.as_view()),
    path("slow", Slow.as_view()),
    path("rooms", Rooms.as_view()),
    path("rooms/<slug>", Lookup.as_view()),
    path("amounts/<amount>", Refusal.as_view()),
    re_path("", pages.Nowhere.as_view()),
]

urlpatterns = [path("v1/", include(v1))]

handler400 = "wagering.config.http.pages.bad_request"
handler403 = "wagering.config.http.pages.not_allowed"
handler404 = "wagering.config.http.pages.not_found"
handler500 = "wagering.config.http.pages.went_wrong"
