"""A player's notices."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from wagering.notices import selectors, services
from wagering.notices.models import Notice
from wagering.notices.serializers import (
    NoticeSerializer,
    NoticesQuerySerializer,
    NoticesReadSerializer,
    UnreadSerializer,
)
from wagering.rest.retries import outermost

PAID_IN: Final = {
    "id": "5b6b3b2e-6a4f-4f43-9a55-4d1d2a1f6c01",
    "kind": "deposit_succeeded",
    "data": {"deposit": "0c8f0a4e-5a6e-4f0c-9a6f-0d9f6f1f7b11", "amount": "50.00", "currency": "EUR"},
    "at": "2026-11-30T10:02:11.250000Z",
    "read_at": None,
}


class Notices(ListAPIView[Notice]):
    """What the player was told."""

    permission_classes = (IsPlayer,)
    serializer_class = NoticeSerializer
    ordering = ("-at", "-id")
    refusals = {"get": (serializers.ValidationError,)}

    @extend_schema(
        operation_id="notices",
        tags=["Notices"],
        summary="See what you were told",
        description="What happened to your money and your account while you did something else, the latest first.",
        parameters=[NoticesQuerySerializer],
        examples=[OpenApiExample("a deposit", value=PAID_IN, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Notice]:
        asked = NoticesQuerySerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.theirs(player=permissions.player(self.request), unread=asked.validated_data["unread"])


class NoticesRead(APIView):
    """And what they have seen of it."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="read_notices",
        tags=["Notices"],
        summary="Say what you have read",
        description="Marks notices of yours as read and says how many are not. Once read is read: repeat it at will.",
        request=NoticesReadSerializer,
        responses={200: UnreadSerializer},
        examples=[
            OpenApiExample("one", value={"notices": [PAID_IN["id"]]}, request_only=True),
            OpenApiExample("two are left", value={"unread": 2}, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        said = NoticesReadSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        player = permissions.player(request)
        outermost(services.read)(player=player, notices=said.validated_data["notices"], at=timezone.now())
        return Response(UnreadSerializer({"unread": selectors.unread_number(player=player)}).data)
