"""What a room's own server asks about a table, and what it is told."""

from typing import Any, Final

from rest_framework import serializers

from wagering.play.tables.serializers import SIDE, SettlementSerializer
from wagering.rest.money_field import MoneyField
from wagering.stakes.rules import MATCH_LENGTH_MAX, Abandonment

S = serializers.Serializer[Any]
REFERENCE: Final = r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$"
AUTOMATIC_DOUBLES_MAX: Final = 6
"""After six of them the cube is at 64 (B-13)."""
RECORD_MAX: Final = 8 * 2**20


class RoomOpeningSerializer(S):
    reference = serializers.RegexField(
        REFERENCE,
        help_text="What the room calls it: 1 to 64 letters, digits, dots, dashes. The same again, the same table.",
    )
    players = serializers.ListField(
        child=serializers.UUIDField(),
        min_length=2,
        max_length=2,
        help_text="Ids of the two players, side 1 first, as the record will have them.",
    )
    match_length = serializers.IntegerField(
        min_value=0, max_value=MATCH_LENGTH_MAX, help_text="Points that the match goes to; 0 for a single game."
    )
    stake = MoneyField(help_text="Of a single game for a point, of a match for all of it (S-2).")
    cap = MoneyField(required=False, help_text="The most that a single game can cost a side; a match has none (S-1).")
    abandonment = serializers.ChoiceField(
        choices=[policy.value for policy in Abandonment],
        default=Abandonment.SPLIT.value,
        help_text="What becomes of it if a side leaves (A-9).",
    )
    crawford = serializers.BooleanField(default=True, help_text="Whether a match is played with Crawford (B-12).")
    jacoby = serializers.BooleanField(default=False, help_text="Whether a single game is played with Jacoby (B-11).")
    beavers = serializers.BooleanField(default=False, help_text="Whether a single game allows beavers (B-10).")
    automatic_doubles = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=AUTOMATIC_DOUBLES_MAX,
        help_text="How often equal opening throws may turn the cube of a single game (B-13).",
    )
    cube = serializers.BooleanField(
        default=True, help_text="Whether there is a cube; without it a single game costs three stakes at most (S-1)."
    )


class RoomResultSerializer(S):
    record = serializers.CharField(
        max_length=RECORD_MAX,
        trim_whitespace=False,
        help_text="The whole match record (.mat) of the contest. Its players are the table's, by name or id.",
    )
    dice = serializers.DictField(
        required=False,
        help_text="The transcript of the dice, as verify_dice reads it: proved, and held against the record (F).",
    )
    winner = serializers.UUIDField(
        required=False, help_text="Whom the room takes to have won; refused if the record says otherwise."
    )
    points = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=10**6,
        help_text="Cube times value of the last game, as the room counts them; refused if the record says otherwise.",
    )


class RoomAbandonedSerializer(S):
    xgid = serializers.RegexField(
        r"^XGID=",
        max_length=120,
        help_text="The game as it was left, dice and score included; side 1 is the bottom player.",
    )
    absent = serializers.ListField(
        child=serializers.ChoiceField(choices=SIDE),
        min_length=1,
        max_length=2,
        help_text="The sides that left: one, or both (A-8).",
    )

    def validate_absent(self, value: list[int]) -> list[int]:
        if len(set(value)) < len(value):
            raise serializers.ValidationError("Names a side twice.")
        return value


class RoomReversalSerializer(S):
    reason = serializers.CharField(min_length=3, max_length=200, help_text="Why; the book keeps it. Name no person.")


class RoomPlayerSerializer(S):
    side = serializers.IntegerField(help_text="1 or 2.")
    player = serializers.UUIDField(help_text="The player's id.")
    name = serializers.CharField(help_text="The player's name.")


class RoomGameSerializer(S):
    game = serializers.IntegerField(help_text="Its number in the contest, from 1.")
    winner = serializers.IntegerField(help_text="The side that won it.")
    win = serializers.CharField(allow_null=True, help_text="single, gammon, backgammon; null if given up whole.")
    cube = serializers.IntegerField(help_text="What the cube stood at.")
    points = serializers.IntegerField(help_text="Cube times value, Jacoby applied.")
    ending = serializers.CharField(help_text="borne_off, dropped, resigned, timed_out.")
    plays = serializers.IntegerField(help_text="How many plays it took.")


class RoomTableSerializer(S):
    id = serializers.UUIDField(help_text="The table's id here: made of the room's id and the reference (UUID 5).")
    room = serializers.CharField(help_text="Short name of the room.")
    zone = serializers.CharField(help_text="professionals for real money, amateurs for play money.")
    played_here = serializers.BooleanField(help_text="Whether it is played on this service: then nothing is reported.")
    players = RoomPlayerSerializer(many=True, help_text="Who sits where, side 1 first.")
    match_length = serializers.IntegerField(help_text="Points that the match goes to; 0 for a single game.")
    stake = MoneyField(help_text="What it is played for.")
    cap = MoneyField(allow_null=True, help_text="The most that a single game can cost a side; null for a match.")
    held = MoneyField(help_text="What each side has set aside, or had.")
    abandonment = serializers.CharField(help_text="What becomes of it if a side leaves: split, forfeit, void.")
    crawford = serializers.BooleanField(help_text="Crawford.")
    jacoby = serializers.BooleanField(help_text="Jacoby.")
    beavers = serializers.BooleanField(help_text="Beavers.")
    automatic_doubles = serializers.IntegerField(help_text="How many there may be.")
    cube = serializers.BooleanField(help_text="Whether there is a cube.")
    tariff = serializers.CharField(help_text="Name and version of the tariff, which the table keeps.")
    opened_at = serializers.DateTimeField(help_text="When it was opened.")
    sat_down_at = serializers.DateTimeField(help_text="When the stakes were set aside.")
    state = serializers.CharField(help_text="Of the stakes: held, released, settled.")
    reversed = serializers.BooleanField(help_text="Whether what was paid was undone since, and waits in escrow again.")
    games = RoomGameSerializer(many=True, help_text="What was played, as the record replays.")
    settlement = SettlementSerializer(allow_null=True, help_text="What was paid and every step of it; null before.")

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        """What was paid is told as players are told it, in JSON already."""
        told: dict[str, Any] = super().to_representation({**instance, "settlement": None})
        return told | {"settlement": instance["settlement"]}
