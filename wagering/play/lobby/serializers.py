"""Offers as clients send and get them, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from rest_framework import serializers

from games.live.rules.pace import Pace
from games.models import Player, Table
from ledger import money
from ratings.rules import FIRST, Standing, shown
from wagering.play.lobby import selectors
from wagering.play.lobby.rules import Agreement, Example, RatingLimits
from wagering.play.models import AgreementRow, CounterProposal, Offer
from wagering.rest.money_field import Money, MoneyField
from wagering.stakes.rules import Abandonment, Terms, exposure

SMALL: Final = 32767
CLOCK_MAX: Final = 10**6
RATING: Final[dict[str, Any]] = {"max_digits": 6, "decimal_places": 2, "min_value": Decimal(0)}


class TermsSerializer(serializers.Serializer[Any]):
    """What is agreed on (S-1), but for room and zone. Its rules are the services' to name, so bounds here are wide."""

    stake = MoneyField(help_text="Of a single game the stake a point; of a match the stake for all of it (S-2).")
    cap = MoneyField(
        required=False,
        allow_null=True,
        help_text=(
            "The most that one side can lose in a single game, which each side puts into escrow; it must be named, and "
            "192 times the stake is the uncapped table, 3 times without a cube. Null or left out for a match."
        ),
    )
    match_length = serializers.IntegerField(
        min_value=0,
        max_value=SMALL,
        default=0,
        help_text="Points that the match goes to, 1 to 25; 0 for a single game.",
    )
    cube = serializers.BooleanField(
        default=True, help_text="Whether there is a doubling cube; without it nobody doubles (S-1, B-9)."
    )
    crawford = serializers.BooleanField(
        default=True, help_text="Whether a match has a Crawford game, which is played without the cube (B-12)."
    )
    jacoby = serializers.BooleanField(
        default=False, help_text="Whether gammons count only once the cube was turned; single games only (B-11)."
    )
    beavers = serializers.BooleanField(
        default=False, help_text="Whether a double may be redoubled at once; single games with a cube only (B-10)."
    )
    automatic_doubles = serializers.IntegerField(
        min_value=0,
        max_value=SMALL,
        default=0,
        help_text="How often equal opening dice may turn the cube, 0 to 6; single games with a cube only (B-13).",
    )
    move_s = serializers.IntegerField(
        min_value=0, max_value=CLOCK_MAX, default=0, help_text="Seconds for each move before the reserve is touched."
    )
    reserve_s = serializers.IntegerField(
        min_value=0, max_value=CLOCK_MAX, default=0, help_text="Seconds of reserve that a side has in each game."
    )
    days_a_move = serializers.IntegerField(
        min_value=1,
        max_value=SMALL,
        allow_null=True,
        default=None,
        help_text="Days for each move at a turn-based table, which has no clock; null at one that has (B-18).",
    )
    abandonment = serializers.ChoiceField(
        choices=[(policy.value, policy.value) for policy in Abandonment],
        default=Abandonment.SPLIT.value,
        help_text=(
            "What becomes of the stakes when a side leaves for good: `split` by what the position is worth (A-3, A-4), "
            "`forfeit` to the side that is there, `void`: stakes back (A-9)."
        ),
    )
    penalty = serializers.DecimalField(
        max_digits=5,
        decimal_places=4,
        min_value=Decimal(0),
        max_value=Decimal(1),
        default=Decimal(0),
        help_text="Share of the stake that the side that left pays the other besides, in a split: 0.1 is 10 % (A-6).",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        stake, cap = attrs["stake"], attrs.get("cap")
        if cap is not None and cap.currency != stake.currency:
            wrong = f"Is not in the currency of the stake, {stake.currency}."
            raise serializers.ValidationError({"cap": {"currency": [wrong]}}, code="wrong_currency")
        return attrs


def agreement_of(asked: Mapping[str, Any]) -> Agreement:
    """What was asked for, for the rules. Raises what ``Terms``, ``Pace`` and ``Agreement`` raise."""
    stake, cap = asked["stake"], asked.get("cap")
    terms = Terms(
        currency=stake.currency,
        stake=stake.amount,
        match_length=asked["match_length"],
        cap=None if cap is None else cap.amount,
        abandonment=Abandonment(asked["abandonment"]),
        penalty=asked["penalty"],
        cube=asked["cube"],
    )
    return Agreement(
        terms=terms,
        pace=Pace(move_s=asked["move_s"], reserve_s=asked["reserve_s"], days=asked["days_a_move"]),
        crawford=asked["crawford"],
        jacoby=asked["jacoby"],
        beavers=asked["beavers"],
        automatic_doubles=asked["automatic_doubles"],
    )


class OfferRequestSerializer(TermsSerializer):
    room = serializers.SlugField(max_length=40, help_text="Short name of the room, which decides the tariff.")
    rating_min = serializers.DecimalField(
        **RATING, allow_null=True, default=None, help_text="Only players rated at least this may take it; null: any."
    )
    rating_max = serializers.DecimalField(
        **RATING, allow_null=True, default=None, help_text="Only players rated at most this may take it; null: any."
    )

    def limits(self) -> RatingLimits:
        """Raises RatingLimitsCrossed."""
        return RatingLimits(self.validated_data["rating_min"], self.validated_data["rating_max"])


class FiltersSerializer(serializers.Serializer[Any]):
    """The query of the list."""

    room = serializers.SlugField(max_length=40, required=False, help_text="Only in this room, by its short name.")
    zone = serializers.ChoiceField(choices=Table.Zone.choices, required=False, help_text="Only in this zone.")
    currency = serializers.ChoiceField(
        choices=[(code, code) for code in sorted(money.CURRENCIES)], required=False, help_text="Only in this currency."
    )
    stake_min = serializers.CharField(
        max_length=20, required=False, help_text="Only stakes of at least this, as text; needs `currency`."
    )
    stake_max = serializers.CharField(
        max_length=20, required=False, help_text="Only stakes of at most this, as text; needs `currency`."
    )
    kind = serializers.ChoiceField(
        choices=[("single", "single"), ("match", "match")],
        required=False,
        help_text="Single games only, or matches only.",
    )
    pace = serializers.ChoiceField(
        choices=[("live", "live"), ("days", "days")], required=False, help_text="By the clock, or by days a move."
    )
    mine = serializers.BooleanField(
        required=False, help_text="Those that you have a part in instead, whatever has become of them, latest first."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for name in ("stake_min", "stake_max"):
            if name not in attrs:
                continue
            if "currency" not in attrs:
                raise serializers.ValidationError({name: ["An amount needs its currency."]}, code="currency_missing")
            try:
                attrs[name] = money.parse(attrs[name], attrs["currency"], field=name)
            except money.InvalidAmount as refusal:
                raise serializers.ValidationError({name: [str(refusal)]}, code="invalid_amount") from None
        return attrs

    def filters(self) -> selectors.Filters:
        return selectors.Filters(**self.validated_data)


# --- what goes out ----------------------------------------------------------------------------------------------------


class RoomNameSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(help_text="Its short name, for addresses.")
    name = serializers.CharField(help_text="Its name, for people.")


class TariffNameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="Name of the tariff.")
    version = serializers.IntegerField(help_text="The version that the table is charged by, whatever comes later.")


class RatedPlayerSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The player's id.")
    name = serializers.CharField(help_text="The name as others see it.")
    rating = serializers.CharField(help_text="The rating in the offer's zone, to two decimals (R).")
    experience = serializers.IntegerField(help_text="Points of all matches rated so far in that zone.")


class TermsTold(TermsSerializer):
    """As they were agreed on or offered: every one of them is there."""

    cap = MoneyField(allow_null=True, help_text="The most that one side can lose in a single game; null for a match.")
    hold = MoneyField(help_text="What each side puts into escrow on sitting down: the cap, or the match's stake (S-4).")


class ExampleSerializer(serializers.Serializer[Any]):
    won = serializers.ChoiceField(
        choices=[(won, won) for won in ("single", "gammon", "most", "match")],
        help_text="How: a plain game or a gammon, with the cube at 1; the most there is to lose; or the match.",
    )
    lost = MoneyField(help_text="What the loser loses.")
    commission = MoneyField(help_text="What the house takes of it: both players' commissions, paid by the winner (C).")
    winner_net = MoneyField(help_text="What the winner is up.")
    loser_net = MoneyField(help_text="What the loser is down, below zero.")


class CounterSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The counter-proposal's id, to answer it by.")
    state = serializers.ChoiceField(
        choices=CounterProposal.State.choices,
        help_text="Whether it waits for an answer (`pending`), and what came of it.",
    )
    player = RatedPlayerSerializer(help_text="Who makes it.")
    terms = TermsTold(help_text="The terms that they would play on.")
    quote = ExampleSerializer(many=True, help_text="Worked examples for these terms.")
    made_at = serializers.DateTimeField(help_text="When it was made.")


class OfferSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The offer's id.")
    state = serializers.ChoiceField(
        choices=Offer.State.choices,
        help_text=(
            "`open`: whoever may can take it. `countered`: a counter-proposal waits for the maker. `agreed`: "
            "`table` is where it is played. `withdrawn`, `expired`: over."
        ),
    )
    room = RoomNameSerializer(help_text="Where it is played.")
    zone = serializers.ChoiceField(
        choices=Table.Zone.choices, help_text="Play money or real money; they never mix (Z)."
    )
    tariff = TariffNameSerializer(help_text="By which the house charges.")
    maker = RatedPlayerSerializer(help_text="Who made it, side 1 of the table.")
    opponent = RatedPlayerSerializer(allow_null=True, help_text="Whom alone it is for, as in a rematch; null: anybody.")
    rematch_of = serializers.UUIDField(allow_null=True, help_text="Table of which it is a rematch, or null.")
    terms = TermsTold(help_text="The terms it was made with.")
    rating_min = serializers.CharField(allow_null=True, help_text="Least rating that may take it, or null.")
    rating_max = serializers.CharField(allow_null=True, help_text="Highest rating that may take it, or null.")
    made_at = serializers.DateTimeField(help_text="When it was made.")
    expires_at = serializers.DateTimeField(help_text="When it ends if nobody agrees.")
    taker = RatedPlayerSerializer(allow_null=True, help_text="Who took it, side 2 of the table; null while nobody has.")
    table = serializers.UUIDField(allow_null=True, help_text="The table that came of it, or null.")


class AgreedSerializer(serializers.Serializer[Any]):
    terms = TermsTold(help_text="The terms of the table: the offer's, or those of the counter-proposal agreed to.")
    quote = ExampleSerializer(many=True, help_text="Worked examples for these terms.")


class OfferDetailSerializer(OfferSerializer):
    quote = ExampleSerializer(
        many=True,
        help_text=(
            "What it would move, by the tariff and by the very rules that settle: worked examples. A match's takes the "
            "ratings of maker and asker into account as they are now; to the maker, before anybody has come, none."
        ),
    )
    counter = CounterSerializer(
        allow_null=True,
        help_text="The counter-proposal, to the maker the latest one, to its author their own; else null.",
    )
    agreed = AgreedSerializer(allow_null=True, help_text="What `table` is played for; null until somebody has agreed.")


Standings = Mapping[tuple[UUID, str], Standing]


def listed(offers: list[Offer]) -> Any:
    """A page of offers, the players' ratings by one query."""
    standings = selectors.standings(players=[pk for offer in offers for pk in _players(offer)])
    return OfferSerializer([_offer(offer, standings) for offer in offers], many=True).data


def detailed(offer: Offer, *, viewer: Player) -> Any:
    """One offer with its quote, and the counter-proposal if ``viewer`` may see one."""
    counter = selectors.counter_of(offer, viewer=viewer)
    players = [*_players(offer), *([counter.player_id] if counter else [])]
    standings = selectors.standings(players=players, zone=offer.zone)
    agreed = selectors.agreed_of(offer)
    told = {
        **_offer(offer, standings),
        "quote": _quote(offer, offer, viewer),
        "agreed": agreed and {"terms": _terms(agreed), "quote": _quote(offer, agreed, viewer)},
        "counter": counter
        and {
            "id": counter.pk,
            "state": counter.state,
            "player": _player(counter.player, offer.zone, standings),
            "terms": _terms(counter),
            "quote": _quote(offer, counter, viewer),
            "made_at": counter.made_at,
        },
    }
    return OfferDetailSerializer(told).data


def _players(offer: Offer) -> list[UUID]:
    return [pk for pk in (offer.maker_id, offer.opponent_id, offer.taker_id) if pk is not None]


def _offer(offer: Offer, standings: Standings) -> dict[str, Any]:
    return {
        "id": offer.pk,
        "state": offer.state,
        "room": offer.room,
        "zone": offer.zone,
        "tariff": offer.tariff,
        "maker": _player(offer.maker, offer.zone, standings),
        "opponent": offer.opponent and _player(offer.opponent, offer.zone, standings),
        "rematch_of": offer.rematch_of_id,
        "terms": _terms(offer),
        "rating_min": offer.rating_min,
        "rating_max": offer.rating_max,
        "made_at": offer.made_at,
        "expires_at": offer.expires_at,
        "taker": offer.taker and _player(offer.taker, offer.zone, standings),
        "table": offer.table_id,
    }


def _player(player: Player, zone: str, standings: Standings) -> dict[str, Any]:
    standing = standings.get((player.pk, zone), FIRST)
    return {
        "id": str(player.pk),
        "name": player.name,
        "rating": shown(standing.rating),
        "experience": standing.experience,
    }


def _terms(row: AgreementRow) -> dict[str, Any]:
    agreed = row.agreement
    terms, pace = agreed.terms, agreed.pace
    return {
        "stake": Money(terms.stake, terms.currency),
        "cap": None if terms.cap is None else Money(terms.cap, terms.currency),
        "match_length": terms.match_length,
        "cube": terms.cube,
        "crawford": agreed.crawford,
        "jacoby": agreed.jacoby,
        "beavers": agreed.beavers,
        "automatic_doubles": agreed.automatic_doubles,
        "move_s": pace.move_s,
        "reserve_s": pace.reserve_s,
        "days_a_move": pace.days,
        "abandonment": terms.abandonment.value,
        "penalty": terms.penalty,
        "hold": Money(exposure(terms), terms.currency),
    }


def _quote(offer: Offer, terms: AgreementRow, viewer: Player) -> list[dict[str, Any]]:
    return [_example(example) for example in selectors.quoted(offer=offer, terms=terms, viewer=viewer)]


def _example(example: Example) -> dict[str, Any]:
    shares = example.shares
    return {
        "won": example.won,
        "lost": Money(shares.lost, shares.currency),
        "commission": Money(shares.commission, shares.currency),
        "winner_net": Money(shares.winner_net, shares.currency),
        "loser_net": Money(shares.loser_net, shares.currency),
    }
