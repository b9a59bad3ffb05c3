"""Players and what has been played, for everybody to see (B-18); and each player's own tables and biography."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from games.models import Player, Table
from ratings.models import Rating, RatingChange
from ratings.rules import Zone
from wagering.play.models import Profile
from wagering.play.people import examples, selectors, services
from wagering.play.people.serializers import (
    ContestSerializer,
    LadderSerializer,
    MyTableSerializer,
    PersonSerializer,
    ProfileSerializer,
    RatingChangeSerializer,
    ServerSerializer,
    TablesQuerySerializer,
    ZoneQuerySerializer,
    contest,
    my_table,
    person,
)
from wagering.rest.etags import IfMatchMissing, VersionPassed, etag, require_match
from wagering.rest.retries import outermost

COUNTED_FOR_S: Final = 60
"""The server's numbers are counted once a minute a process: they go through everything ever played."""


class Person(APIView):
    """One player, for everybody."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="player",
        tags=["People"],
        summary="See a player",
        description="Name, what they say of themselves, and in both zones their rating and what they have done.",
        responses={200: PersonSerializer},
        examples=[OpenApiExample("ann", value=examples.PERSON, response_only=True)],
    )
    def get(self, request: Request, player: UUID) -> Response:
        return Response(PersonSerializer(person(selectors.player(pk=player))).data)


class Contests(ListAPIView[Table]):
    """What one player has played, for everybody."""

    permission_classes = (AllowAny,)
    serializer_class = ContestSerializer
    ordering = ("-opened_at", "id")

    @extend_schema(
        operation_id="player_games",
        tags=["People"],
        summary="See what a player has played",
        description="Every contest that they sat down to for stakes, the latest first. What was staked is not told.",
        examples=[OpenApiExample("a match", value=examples.CONTEST, response_only=True)],
    )
    def get(self, request: Request, player: UUID) -> Response:
        whose = selectors.player(pk=player)
        page = self.paginate_queryset(selectors.contests_of(player=whose))
        assert page is not None
        told = ContestSerializer([contest(table, whose) for table in page], many=True).data
        return self.get_paginated_response(told)

    def get_queryset(self) -> QuerySet[Table]:
        return Table.objects.none()  # for the description alone


class MyTables(ListAPIView[Table]):
    """The player's own tables."""

    permission_classes = (IsPlayer,)
    serializer_class = MyTableSerializer
    ordering = ("-opened_at", "id")
    refusals = {"get": (serializers.ValidationError,)}

    @extend_schema(
        operation_id="my_tables",
        tags=["People"],
        summary="See your own tables",
        description=(
            "Those that you sit or have sat at, the latest first: `state=open` brings a client that has lost its place "
            "back to the table, and says at which ones it is your turn."
        ),
        parameters=[TablesQuerySerializer],
        examples=[OpenApiExample("it is your turn", value=examples.MY_TABLE, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        asked = TablesQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        state, player = asked.validated_data.get("state"), permissions.player(request)
        found = selectors.tables_of(player=player, going_on=None if state is None else state == "open")
        page = self.paginate_queryset(found)
        assert page is not None
        return self.get_paginated_response(
            MyTableSerializer([my_table(table, player) for table in page], many=True).data
        )

    def get_queryset(self) -> QuerySet[Table]:
        return Table.objects.none()  # for the description alone


class MyProfile(APIView):
    """What the player says of themselves."""

    permission_classes = (IsPlayer,)
    refusals = {"patch": (services.BiographyRefused, IfMatchMissing, VersionPassed)}

    @extend_schema(
        operation_id="my_profile",
        tags=["People"],
        summary="See what you say of yourself",
        description="With the ETag that a change has to name.",
        parameters=[
            OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200], description="Of this text.")
        ],
        responses={200: ProfileSerializer},
        examples=[OpenApiExample("ann", value=examples.PROFILE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        player = permissions.player(request)
        return _profile(player, selectors.profile(player=player))

    @extend_schema(
        operation_id="change_my_profile",
        tags=["People"],
        summary="Say something of yourself",
        description="A short text that everybody sees. `If-Match` carries the ETag of the text that you change.",
        parameters=[
            OpenApiParameter(
                "If-Match", str, OpenApiParameter.HEADER, required=True, description="The ETag that you have read."
            ),
            OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200], description="Of the new text."),
        ],
        request=ProfileSerializer,
        responses={200: ProfileSerializer},
        examples=[OpenApiExample("ann", value=examples.PROFILE)],
    )
    def patch(self, request: Request) -> Response:
        asked = ProfileSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        player = permissions.player(request)
        written = outermost(services.write_biography)(
            player=player,
            text=asked.validated_data["biography"],
            at=timezone.now(),
            check=lambda profile: require_match(request, _mark(player, profile)),
        )
        return _profile(player, written)


class Ladder(ListAPIView[Rating]):
    """Everybody who is rated, the strongest first."""

    permission_classes = (AllowAny,)
    serializer_class = LadderSerializer
    ordering = ("-rating", "player_id")
    refusals = {"get": (serializers.ValidationError,)}

    def get_queryset(self) -> QuerySet[Rating]:
        return selectors.ladder(zone=_zone(self.request))

    @extend_schema(
        operation_id="ratings",
        tags=["People"],
        summary="See who is how strong",
        description="All players that have been rated in a zone, the strongest first.",
        parameters=[ZoneQuerySerializer],
        examples=[OpenApiExample("ann", value=examples.RATED, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class RatingHistory(ListAPIView[RatingChange]):
    """How one player's rating came about."""

    permission_classes = (AllowAny,)
    serializer_class = RatingChangeSerializer
    ordering = ("-at", "-id")
    refusals = {"get": (serializers.ValidationError,)}

    def get_queryset(self) -> QuerySet[RatingChange]:
        whose = selectors.player(pk=self.kwargs["player"])
        return selectors.history(player=whose, zone=_zone(self.request))

    @extend_schema(
        operation_id="rating_history",
        tags=["People"],
        summary="See how a rating came about",
        description="Every rated contest of a player in a zone, the latest first.",
        parameters=[ZoneQuerySerializer],
        examples=[OpenApiExample("a win", value=examples.CHANGE, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class Statistics(APIView):
    """The server's own."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="statistics",
        tags=["People"],
        summary="See how much is played here",
        description="Players, tables, offers and what has been played; counted anew once a minute.",
        responses={200: ServerSerializer},
        examples=[OpenApiExample("a small room", value=examples.SERVER, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        told = cache.get("statistics")
        if told is None:
            told = dict(ServerSerializer(selectors.server(at=timezone.now())).data)
            cache.set("statistics", told, COUNTED_FOR_S)
        return Response(told)


def _zone(request: Request) -> Zone:
    asked = ZoneQuerySerializer(data=request.query_params)
    asked.is_valid(raise_exception=True)
    return Zone(asked.validated_data["zone"])


def _mark(player: Player, profile: Profile | None) -> str:
    return etag("profile", player.pk, 0 if profile is None else profile.version)


def _profile(player: Player, profile: Profile | None) -> Response:
    said = {"biography": "" if profile is None else profile.biography}
    return Response(ProfileSerializer(said).data, headers={"ETag": _mark(player, profile)})
