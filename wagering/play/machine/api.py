"""A table against the machine, free (B-17)."""

from __future__ import annotations

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from games.analysis.strategy import STRENGTHS
from games.live.rules.pace import Pace
from games.live.selectors import state
from games.rules.clock import ImpossibleClock
from games.rules.series import LENGTH_MAX
from games.rules.terms import CubeNeeded, MoneyPlayOnly
from games.selectors import NoSuchRoom, room_named
from wagering.play.machine import services
from wagering.play.tables import examples
from wagering.play.tables.serializers import StateSerializer
from wagering.protection.refusals import Excluded

ASKED: Final = {"room": "emerald", "strength": "club", "match_length": 3}


class MachineTableSerializer(serializers.Serializer[Any]):
    room = serializers.SlugField(max_length=40, help_text="Short name of the room.")
    strength = serializers.ChoiceField(choices=list(STRENGTHS), help_text="How well it plays, the weakest first.")
    match_length = serializers.IntegerField(
        min_value=0, max_value=LENGTH_MAX, default=0, help_text="Points that the match goes to; 0 for a single game."
    )
    crawford = serializers.BooleanField(default=True, help_text="Whether the Crawford game has no cube (B-12).")
    jacoby = serializers.BooleanField(
        default=False, help_text="Single game: gammons count only once the cube was turned (B-11)."
    )
    beavers = serializers.BooleanField(default=False, help_text="Single game: a double may be beavered (B-10).")
    cube = serializers.BooleanField(default=True, help_text="Whether there is a doubling cube (S-1).")
    move_s = serializers.IntegerField(
        min_value=5, max_value=600, default=60, help_text="Seconds for each move, before the reserve is touched."
    )
    reserve_s = serializers.IntegerField(
        min_value=0, max_value=3600, default=600, help_text="Seconds of reserve a side has in each game."
    )


class MachineTables(APIView):
    """Opened at once: the machine always accepts."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {
        "post": (
            NoSuchRoom,
            services.TooManyMachineTables,
            MoneyPlayOnly,
            CubeNeeded,
            ImpossibleClock,
            Excluded,
        ),
    }

    @extend_schema(
        operation_id="open_machine_table",
        tags=["Play"],
        summary="Play against the machine",
        description=(
            "A table at which the machine sits as side 2, at once. Nothing is staked and nothing is rated (B-17). It "
            "plays as anyone does: give your seed, act, follow the stream."
        ),
        request=MachineTableSerializer,
        responses={201: StateSerializer},
        examples=[
            OpenApiExample("a match", value=ASKED, request_only=True),
            OpenApiExample("a table", value=examples.STATE, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = MachineTableSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        player = permissions.player(request)
        at = timezone.now()
        done = services.open_table(
            room=room_named(said["room"]),
            player=player,
            strength=STRENGTHS[said["strength"]],
            match_length=said["match_length"],
            crawford=said["crawford"],
            jacoby=said["jacoby"],
            beavers=said["beavers"],
            cube=said["cube"],
            pace=Pace(move_s=said["move_s"], reserve_s=said["reserve_s"]),
            at=at,
        )
        seen = state(table=done.table, viewer=1, at=at)
        return Response({**seen, "settlement": None}, status=status.HTTP_201_CREATED)
