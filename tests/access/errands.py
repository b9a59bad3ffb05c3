"""Addresses for tests only: what a room's server, a player, either, and nobody may ask."""

from typing import Any
from uuid import UUID

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access.authentication import RoomServer
from games.access.models import Scope
from games.access.permissions import IsPlayer, IsRoomServer
from games.access.selectors import one_of_theirs, theirs
from games.models import Table
from wagering.config.urls import handler400, handler403, handler404, handler500
from wagering.config.urls import urlpatterns as all_urls


class Errand(APIView):
    permission_classes: tuple[Any, ...] = (IsRoomServer,)
    scope: Scope | None = Scope.RESULTS
    body_max = 4 * 2**20

    def get(self, request: Request, table: UUID | None = None) -> Response:
        rows = Table.objects.all()
        parts: dict[str, Any] = {"players": ("player_1", "player_2"), "room": "room"}
        if table is not None:
            return Response({"id": one_of_theirs(rows, request, pk=table, **parts).pk})
        return Response({"ids": [row.pk for row in theirs(rows, request, **parts)]})

    def post(self, request: Request) -> Response:
        room = request.user.room.slug if isinstance(request.user, RoomServer) else None
        return Response({"room": room, "read": request.data})


class Wallet(Errand):
    scope = Scope.WALLET


class Scopeless(Errand):
    scope = None


class Either(Errand):
    permission_classes = (IsPlayer | IsRoomServer,)


class Unsaid(APIView):
    """Says nothing about who may ask."""

    def get(self, request: Request) -> Response:
        raise AssertionError("reached")


urlpatterns = [
    path("v1/errands", Errand.as_view()),
    path("v1/errands/wallet", Wallet.as_view()),
    path("v1/errands/scopeless", Scopeless.as_view()),
    path("v1/errands/unsaid", Unsaid.as_view()),
    path("v1/errands/either", Either.as_view()),
    path("v1/errands/either/<uuid:table>", Either.as_view()),
    path("v1/errands/<uuid:table>", Errand.as_view()),
    *all_urls,
]

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
