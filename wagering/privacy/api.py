"""A player's own data."""

from __future__ import annotations

from typing import Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from wagering.privacy import export
from wagering.privacy.serializers import PersonsDataSerializer

NEW: Final = {
    "exported_at": "2026-11-30T10:05:00Z",
    "id": "3a3c9b52-8d59-4a54-8d66-2a3d8d4dd9a1",
    "name": "ann",
    "registered_at": "2026-11-30T10:00:00Z",
    "biography": "",
    "clients": [
        {"label": "phone", "created": "2026-11-30T10:00:05Z", "expiry": "2026-12-30T10:00:05Z"},
    ],
    "identity": None,
    **{
        part: []
        for part in (
            *("limits", "exclusions", "payment_methods", "wallets", "deposits", "payouts", "tables", "rounds"),
            *("ratings", "notices"),
        )
    },
}


class MyData(APIView):
    """All of it."""

    permission_classes = (IsPlayer,)
    throttle_scope = "my_data"

    @extend_schema(
        operation_id="my_data",
        tags=["Access"],
        summary="Take all that is kept of you",
        description=(
            "In one document, with what is sealed opened: who you are, where you pay from, what you own with every "
            "entry, what you played and what you were told. A few times an hour."
        ),
        responses={200: PersonsDataSerializer},
        examples=[OpenApiExample("who has just come", value=NEW, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        player = permissions.player(request)
        return Response(PersonsDataSerializer(export.everything(player=player, at=timezone.now())).data)
