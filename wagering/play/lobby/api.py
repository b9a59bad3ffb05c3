"""The lobby: who would play what, for how much; and how two of them come to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import permissions
from games.access.permissions import IsPlayer
from games.rules.clock import ImpossibleClock
from games.rules.terms import CubeNeeded, MoneyPlayOnly
from games.selectors import NoSuchRoom, room_named
from ledger.book import InsufficientFunds
from ledger.money import InvalidAmount
from wagering.commission.rules import CurrencyNotInTariff
from wagering.commission.schedule import UnknownTariff
from wagering.commission.selectors import RoomHasNoTariff
from wagering.play.lobby import examples, rules, seats, selectors, services
from wagering.play.lobby.serializers import (
    FiltersSerializer,
    OfferDetailSerializer,
    OfferRequestSerializer,
    OfferSerializer,
    TermsSerializer,
    agreement_of,
    detailed,
    listed,
)
from wagering.play.models import Offer
from wagering.protection import refusals as protection
from wagering.rest.etags import etag, seen
from wagering.stakes import rules as terms
from wagering.stakes import services as stakes

NOT_AGREEABLE: Final = (
    InvalidAmount,
    terms.InvalidTerms,
    terms.StakeNotPositive,
    terms.PenaltyOutOfRange,
    terms.MatchLengthOutOfRange,
    terms.CapForSeries,
    terms.CapMissing,
    terms.CapBelowStake,
    stakes.ExposureTooLarge,
    rules.TooManyAutomaticDoubles,
    MoneyPlayOnly,
    CubeNeeded,
    ImpossibleClock,
)
"""Terms that nobody can agree on."""

NO_SEAT: Final = (seats.MayNotStake, seats.NotCovered, *protection.NO_SEAT)
"""Why somebody may not sit, told to themselves."""

NO_TARIFF: Final = (RoomHasNoTariff, UnknownTariff, CurrencyNotInTariff)

NOT_TOGETHER: Final = (
    *NO_SEAT,
    InsufficientFunds,
    services.OfferClosed,
    services.OpponentCannotPay,
    services.OpponentMayNotSit,
)
"""Why two do not come to a table."""


class Offers(ListAPIView[Offer]):
    """What is on offer, and one more."""

    permission_classes = (IsPlayer,)
    serializer_class = OfferSerializer
    ordering = ("-made_at", "id")
    idempotency_key_required = True
    refusals = {
        "get": (serializers.ValidationError,),
        "post": (NoSuchRoom, *NOT_AGREEABLE, rules.RatingLimitsCrossed, *NO_TARIFF, *NO_SEAT, services.TooManyOffers),
    }

    def get_queryset(self) -> QuerySet[Offer]:
        asked = FiltersSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.offers(viewer=permissions.player(self.request), filters=asked.filters(), at=timezone.now())

    @extend_schema(
        operation_id="list_offers",
        tags=["Lobby"],
        summary="See what is on offer",
        description=(
            "The open offers that you could take and those you have made, the newest first. With `mine=true` those "
            "that you have a part in instead, whatever has become of them: so a client finds its own again."
        ),
        parameters=[FiltersSerializer],
        examples=[OpenApiExample("a single game", value=examples.LISTED, response_only=True)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        assert page is not None
        return self.get_paginated_response(listed(list(page)))

    @extend_schema(
        operation_id="make_offer",
        tags=["Lobby"],
        summary="Offer a table",
        description=(
            "A table with all its terms (S-1), for whoever takes it. `quote` in the answer says what the house would "
            "charge, by worked examples. Nothing is held until somebody agrees, but your wallet must cover `hold` now. "
            "Play money is given to you by itself if you never had any."
        ),
        request=OfferRequestSerializer,
        responses={201: OfferDetailSerializer},
        examples=[
            OpenApiExample("a single game with a cap", value=examples.ASKED, request_only=True),
            OpenApiExample("a match by days", value=examples.ASKED_MATCH, request_only=True),
            OpenApiExample("offered", value=examples.OPEN, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        asked = OfferRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        made = services.make(
            maker=permissions.player(request),
            room=room_named(asked.validated_data["room"]),
            agreement=agreement_of(asked.validated_data),
            limits=asked.limits(),
            at=timezone.now(),
        )
        return _told(request, made, status=status.HTTP_201_CREATED)


class OneOffer(APIView):
    """One offer."""

    permission_classes = (IsPlayer,)

    @extend_schema(
        operation_id="offer",
        tags=["Lobby"],
        summary="See an offer, with its quote",
        description=(
            "While it stands, whoever may take it sees it; afterwards those who have a part in it. Ask again with "
            "`If-None-Match` to learn whether somebody has come: 304 says that it is as it was."
        ),
        parameters=[
            OpenApiParameter(
                "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of the offer that you have."
            ),
            OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200], description="Of this offer."),
        ],
        responses={200: OfferDetailSerializer, 304: None},
        examples=[OpenApiExample("open", value=examples.OPEN, response_only=True, status_codes=["200"])],
    )
    def get(self, request: Request, offer: UUID) -> Response:
        found = selectors.offer(viewer=permissions.player(request), pk=offer)
        told = detailed(found, viewer=permissions.player(request))
        present = etag(told)
        if seen(request, present):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": present})
        return Response(told, headers={"ETag": present})


class Accept(APIView):
    """Taking an offer."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {
        "post": (*NOT_TOGETHER, services.OwnOffer, services.OfferCountered, services.RatingOutsideLimits),
    }

    @extend_schema(
        operation_id="accept_offer",
        tags=["Lobby"],
        summary="Take an offer and sit down",
        description=(
            "You agree to its terms: both sides' `hold` goes into escrow, both or neither, and `table` in the answer "
            "is where you play. You are side 2. Of several who take it at once one gets it."
        ),
        request=None,
        responses={200: OfferDetailSerializer},
        examples=[OpenApiExample("agreed", value=examples.AGREED, response_only=True)],
    )
    def post(self, request: Request, offer: UUID) -> Response:
        return _told(request, services.accept(offer=offer, player=permissions.player(request), at=timezone.now()))


class Withdraw(APIView):
    """Taking one's own offer back."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (services.NotTheMaker, services.OfferClosed)}

    @extend_schema(
        operation_id="withdraw_offer",
        tags=["Lobby"],
        summary="Take your offer back",
        description="Before anybody has agreed; a counter-proposal that waits is over with it. Again: the same answer.",
        request=None,
        responses={200: OfferDetailSerializer},
        examples=[OpenApiExample("withdrawn", value={**examples.OPEN, "state": "withdrawn"}, response_only=True)],
    )
    def post(self, request: Request, offer: UUID) -> Response:
        return _told(request, services.withdraw(offer=offer, player=permissions.player(request), at=timezone.now()))


class Counters(APIView):
    """Proposing other terms."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {
        "post": (
            *NOT_AGREEABLE,
            *NO_SEAT,
            rules.OtherCurrency,
            rules.NothingChanged,
            services.OwnOffer,
            services.OfferClosed,
            services.OfferCountered,
            services.RatingOutsideLimits,
            services.CounteredBefore,
            services.TooManyCounters,
        ),
    }

    @extend_schema(
        operation_id="counter_offer",
        tags=["Lobby"],
        summary="Propose other terms",
        description=(
            "Once an offer: all the terms as you would have them (take `terms` of the offer and change them), in the "
            "offer's currency. Until the maker has answered or you have taken it back, nobody else can agree on the "
            "offer. `counter.id` names it."
        ),
        request=TermsSerializer,
        responses={201: OfferDetailSerializer},
        examples=[
            OpenApiExample(
                "a lower cap",
                value={**examples.ASKED_TERMS, "cap": examples.usd("10.00")},
                request_only=True,
            ),
            OpenApiExample("countered", value=examples.COUNTERED, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request, offer: UUID) -> Response:
        asked = TermsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        countered = services.counter(
            offer=offer,
            player=permissions.player(request),
            agreement=agreement_of(asked.validated_data),
            at=timezone.now(),
        )
        return _told(request, countered, status=status.HTTP_201_CREATED)


class AcceptCounter(APIView):
    """The maker agrees."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (*NOT_TOGETHER, services.NotTheMaker, services.CounterClosed)}

    @extend_schema(
        operation_id="accept_counter",
        tags=["Lobby"],
        summary="Agree to a counter-proposal and sit down",
        description="The maker's word: both sit down under the terms proposed, and `table` is where you play.",
        request=None,
        responses={200: OfferDetailSerializer},
        examples=[
            OpenApiExample(
                "agreed",
                value={
                    **examples.AGREED,
                    "counter": {**examples.COUNTERED["counter"], "state": "accepted"},
                    "agreed": {name: examples.COUNTERED["counter"][name] for name in ("terms", "quote")},
                },
                response_only=True,
            )
        ],
    )
    def post(self, request: Request, offer: UUID, counter: UUID) -> Response:
        return _answered(request, services.accept_counter, offer=offer, counter=counter)


class DeclineCounter(APIView):
    """The maker does not agree."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (services.NotTheMaker, services.CounterClosed)}

    @extend_schema(
        operation_id="decline_counter",
        tags=["Lobby"],
        summary="Decline a counter-proposal",
        description="The maker's word: the offer stands again as it was made, for anybody whom it is for.",
        request=None,
        responses={200: OfferDetailSerializer},
        examples=[
            OpenApiExample(
                "open again",
                value={
                    **examples.OPEN,
                    "counter": {**examples.COUNTERED["counter"], "state": "declined"},
                },
                response_only=True,
            )
        ],
    )
    def post(self, request: Request, offer: UUID, counter: UUID) -> Response:
        return _answered(request, services.decline_counter, offer=offer, counter=counter)


class WithdrawCounter(APIView):
    """Its author takes it back."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {"post": (services.CounterClosed,)}

    @extend_schema(
        operation_id="withdraw_counter",
        tags=["Lobby"],
        summary="Take your counter-proposal back",
        description="The offer stands again as it was made. You may still take it as it is, but not counter it again.",
        request=None,
        responses={200: OfferDetailSerializer},
        examples=[
            OpenApiExample(
                "open again",
                value={
                    **examples.OPEN,
                    "counter": {**examples.COUNTERED["counter"], "state": "withdrawn"},
                },
                response_only=True,
            )
        ],
    )
    def post(self, request: Request, offer: UUID, counter: UUID) -> Response:
        return _answered(request, services.withdraw_counter, offer=offer, counter=counter)


class Rematch(APIView):
    """The same again."""

    permission_classes = (IsPlayer,)
    idempotency_key_required = True
    refusals = {
        "post": (
            *NOT_TOGETHER,
            *NO_TARIFF,
            services.NotFinished,
            services.OfferCountered,
        )
    }

    @extend_schema(
        operation_id="rematch",
        tags=["Lobby"],
        summary="Ask for a rematch",
        description=(
            "At a table of yours that is over: offers the other player the same terms, at today's tariff, for ten "
            "minutes. If they have asked for it already, you both sit down at once and `table` is where you play. "
            "A table has one rematch: asked for again, it is the same."
        ),
        request=None,
        responses={200: OfferDetailSerializer},
        examples=[OpenApiExample("offered", value=examples.REMATCH, response_only=True)],
    )
    def post(self, request: Request, table: UUID) -> Response:
        return _told(request, services.rematch(table=table, player=permissions.player(request), at=timezone.now()))


def _answered(request: Request, answer: Callable[..., Offer], *, offer: UUID, counter: UUID) -> Response:
    """A counter-proposal is accepted, declined or taken back, by whoever asks."""
    done = answer(offer=offer, counter=counter, player=permissions.player(request), at=timezone.now())
    return _told(request, done)


def _told(request: Request, offer: Offer, *, status: int = status.HTTP_200_OK) -> Response:
    """The offer as it is now, to whoever asks."""
    viewer = permissions.player(request)
    return Response(detailed(selectors.offer(viewer=viewer, pk=offer.pk), viewer=viewer), status=status)
