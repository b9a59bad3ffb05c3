"""Players, their contests and ratings, and the server's numbers, field by field."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from games.live.models import Live
from games.live.rules.stand import Status
from games.models import Player, Table
from ratings.models import Rating, RatingChange
from ratings.rules import shown
from wagering.play.models import BIOGRAPHY_MAX, Profile
from wagering.play.people import selectors
from wagering.rest.money_field import Money, MoneyField
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure

RESULTS = [(result, result) for result in ("won", "lost", "split", "void")]


def count(meaning: str) -> serializers.IntegerField:
    return serializers.IntegerField(help_text=meaning)


class ZoneQuerySerializer(serializers.Serializer[Any]):
    """The query of what there is once a zone."""

    zone = serializers.ChoiceField(choices=Table.Zone.choices, help_text="Which of the two; they rate apart (R).")


class TablesQuerySerializer(serializers.Serializer[Any]):
    """The query of one's own tables."""

    state = serializers.ChoiceField(
        choices=[("open", "open"), ("over", "over")], required=False, help_text="Only those that go on, or are over."
    )


# --- people -----------------------------------------------------------------------------------------------------------


class PlayerNameSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The player's id.")
    name = serializers.CharField(help_text="The name as others see it.")


class RecordSerializer(serializers.Serializer[Any]):
    zone = serializers.ChoiceField(choices=Table.Zone.choices, help_text="Professionals or amateurs.")
    rating = serializers.CharField(help_text="The rating, to two decimals (R); 1500.00 at the start.")
    experience = count("Points of all matches rated so far.")
    contests = count("Single games and matches played for stakes to their end, void and split ones included.")
    contests_won = count("Of those, how many were won.")
    contests_lost = count("Of those, how many were lost.")
    games = count("Games played in them.")
    games_won = count("Of the games, how many were won.")
    gammons_won = count("Games won by a gammon.")
    backgammons_won = count("Games won by a backgammon.")
    gammons_lost = count("Games lost by a gammon.")
    backgammons_lost = count("Games lost by a backgammon.")


class PersonSerializer(PlayerNameSerializer):
    biography = serializers.CharField(help_text="What they say of themselves; may be empty. Plain text: escape it.")
    zones = RecordSerializer(many=True, help_text="What they have done, zone by zone; machine games do not count.")


class ProfileSerializer(serializers.Serializer[Any]):
    # Its length is the service's to name.
    biography = serializers.CharField(
        allow_blank=True,
        trim_whitespace=False,
        max_length=4 * BIOGRAPHY_MAX,
        help_text=f"What you say of yourself, seen by everybody: {BIOGRAPHY_MAX} characters at most.",
    )


class ContestSerializer(serializers.Serializer[Any]):
    table = serializers.UUIDField(help_text="The table's id.")
    room = serializers.CharField(help_text="Short name of the room.")
    zone = serializers.ChoiceField(choices=Table.Zone.choices, help_text="Professionals or amateurs.")
    opponent = PlayerNameSerializer(help_text="Who sat on the other side.")
    match_length = count("Points that the match goes to; 0 for a single game.")
    opened_at = serializers.DateTimeField(help_text="When they sat down.")
    ended_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid; null while it goes on.")
    result = serializers.ChoiceField(
        choices=RESULTS,
        allow_null=True,
        help_text="What became of it for this player: `split` by analysis (A-3), `void`: stakes back; null: not over.",
    )
    ending = serializers.CharField(
        allow_null=True, help_text="How the deciding game ended: borne_off, dropped, resigned, timed_out, abandoned …"
    )
    games = count("Games that were played to their end.")


class MyTableSerializer(ContestSerializer):
    side = serializers.ChoiceField(choices=[(1, 1), (2, 2)], help_text="Where you sit.")
    status = serializers.ChoiceField(
        choices=[(status.value, status.value) for status in Status],
        allow_null=True,
        help_text="How the table stands that is played here; null for one that is played elsewhere.",
    )
    your_turn = serializers.BooleanField(help_text="Whether it is you who has to do something.")
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When a time runs out if nobody does anything; null where none runs."
    )
    version = serializers.IntegerField(allow_null=True, help_text="The state's version; null if played elsewhere.")
    stake = MoneyField(
        allow_null=True, help_text="A point of a single game, or for the match; null where nothing is staked."
    )
    hold = MoneyField(allow_null=True, help_text="What each side has put into escrow; null where nothing is staked.")
    net = MoneyField(allow_null=True, help_text="What it brought you, or cost (below zero); null while it is not paid.")


class LadderSerializer(serializers.ModelSerializer[Rating]):
    player = PlayerNameSerializer(help_text="Who stands there.")
    rating = serializers.SerializerMethodField(help_text="The rating, to two decimals (R).")

    class Meta:
        model = Rating
        fields = ("player", "rating", "experience")
        extra_kwargs = {"experience": {"help_text": "Points of all matches rated so far."}}

    def get_rating(self, row: Rating) -> str:
        return shown(row.rating)


class RatingChangeSerializer(serializers.ModelSerializer[RatingChange]):
    table = serializers.UUIDField(source="contest", help_text="The table where it was played.")
    before = serializers.SerializerMethodField(help_text="The rating before it, to two decimals.")
    after = serializers.SerializerMethodField(help_text="The rating after it, to two decimals.")

    class Meta:
        model = RatingChange
        fields = ("table", "at", "won", "length", "before", "after", "experience_after")
        extra_kwargs = {
            "at": {"help_text": "When it was rated."},
            "won": {"help_text": "Whether the player won."},
            "length": {"help_text": "Length of the match; a single game counts as 1."},
            "experience_after": {"help_text": "Points of all matches rated until then, this one included."},
        }

    def get_before(self, row: RatingChange) -> str:
        return shown(row.rating_before)

    def get_after(self, row: RatingChange) -> str:
        return shown(row.rating_after)


class ServerRecordSerializer(serializers.Serializer[Any]):
    zone = serializers.ChoiceField(choices=Table.Zone.choices, help_text="Professionals or amateurs.")
    contests = count("Single games and matches that somebody has won, for stakes.")
    contests_of_a_day = count("Of those, how many ended within the last 24 hours.")
    games = count("Games played in them.")
    gammons = count("Games that ended in a gammon.")
    backgammons = count("Games that ended in a backgammon.")


class ServerSerializer(serializers.Serializer[Any]):
    players = count("Players that have registered.")
    tables_now = count("Tables at which is played now, those against the machine too.")
    offers_now = count("Open offers that anybody may take.")
    zones = ServerRecordSerializer(many=True, help_text="What has been played, zone by zone.")


# --- from rows --------------------------------------------------------------------------------------------------------


def person(player: Player) -> dict[str, Any]:
    """A player's page, for its serializer."""
    said: Profile | None = getattr(player, "profile", None)
    return {
        "id": player.pk,
        "name": player.name,
        "biography": "" if said is None else said.biography,
        "zones": [_record(record) for record in selectors.records(player=player)],
    }


def contest(table: Table, player: Player) -> dict[str, Any]:
    """A contest as everybody may see it: nothing of its money."""
    side = selectors.side_of(table, player)
    settled = getattr(getattr(table, "stake", None), "settlement", None)
    return {
        "table": table.pk,
        "room": table.room.slug,
        "zone": table.zone,
        "opponent": table.seats[2 - side],
        "match_length": table.match_length,
        "opened_at": table.opened_at,
        "ended_at": settled.settled_at if settled else None,
        "result": selectors.result_of(table, side=side),
        "ending": settled.ending if settled else None,
        "games": table.games_count or 0,  # type: ignore[attr-defined]  # annotated by the selector
    }


def my_table(table: Table, player: Player) -> dict[str, Any]:
    """A table as its own player sees it."""
    side = selectors.side_of(table, player)
    live: Live | None = getattr(table, "live", None)
    stake: Stake | None = getattr(table, "stake", None)
    return {
        **contest(table, player),
        "side": side,
        "status": live and live.status,
        "your_turn": live is not None and live.to_act == side,
        "due_at": live and live.due_at,
        "version": live and live.version,
        "stake": stake and Money(stake.stake, stake.currency),
        "hold": stake and Money(exposure(stake.terms), stake.currency),
        "net": stake and _net(stake, side),
    }


def _net(stake: Stake, side: int) -> Money | None:
    settled = getattr(stake, "settlement", None)
    if settled is None:
        return None
    back = settled.back_1 if side == 1 else settled.back_2
    return Money(back - exposure(stake.terms), stake.currency)


def _record(record: selectors.Record) -> dict[str, Any]:
    told = asdict(record)
    standing = told.pop("standing")
    return {**told, "rating": shown(standing["rating"]), "experience": standing["experience"]}
