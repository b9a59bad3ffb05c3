"""What is said at a table and what is told of it. The state is made by ``games.live``; here it is described, once."""

from typing import Any

from rest_framework import serializers

from games.live.rules.events import Kind
from games.live.rules.stand import Status
from games.live.rules.wishes import KINDS, PLAY_MAX
from games.rules.actions import Concession
from games.rules.game import Phase
from wagering.rest.money_field import MoneyField
from wagering.stakes.rules import Abandonment

S = serializers.Serializer[Any]
SIDE = [1, 2]
CONCESSIONS = [each.value for each in Concession]
VERSION_MAX = 2**31 - 1
DIGITS: dict[str, Any] = {"invalid": "is not 64 lower-case hexadecimal digits"}


def _pair(child: serializers.Field, meaning: str) -> serializers.ListField:  # type: ignore[type-arg]
    return serializers.ListField(child=child, min_length=2, max_length=2, help_text=f"{meaning} [side 1, side 2].")


def _instant(meaning: str, *, null: bool = False) -> serializers.DateTimeField:
    return serializers.DateTimeField(allow_null=null, help_text=meaning)


# --- What is asked ----------------------------------------------------------------------------------------------------


class ActionSerializer(S):
    version = serializers.IntegerField(
        min_value=0,
        max_value=VERSION_MAX,
        help_text="The `version` of the state that you saw when you decided.",
    )
    kind = serializers.ChoiceField(choices=[str(kind) for kind in KINDS], help_text="What you do: one of `actions`.")
    play = serializers.CharField(
        max_length=PLAY_MAX,
        required=False,
        help_text="With `play`: the whole turn in standard notation as you see the board, `8/5 6/5`; one of `plays`.",
    )
    concession = serializers.ChoiceField(
        choices=CONCESSIONS, required=False, help_text="With `resign`: what you give up, one of `resignations`."
    )


class SeedSerializer(S):
    hash = serializers.RegexField(
        "^[0-9a-f]{64}$",
        required=False,
        error_messages=DIGITS,
        help_text="First: SHA-256 of your seed of 32 bytes, lower-case hexadecimal.",
    )
    seed = serializers.RegexField(
        "^[0-9a-f]{64}$",
        required=False,
        error_messages=DIGITS,
        help_text="Then, when both hashes are in: the seed, lower-case hexadecimal.",
    )

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send a hash or a seed, one at a time.")
        return attrs


class HeartbeatSerializer(S):
    connection = serializers.UUIDField(help_text="A name that this client makes up and keeps while it runs.")
    gone = serializers.BooleanField(default=False, help_text="Whether this client says good-bye.")


class HeardSerializer(S):
    returned = serializers.BooleanField(help_text="Whether you had been away, and the game goes on as it was.")


# --- How the table stands ---------------------------------------------------------------------------------------------


class RulesSerializer(S):
    match_length = serializers.IntegerField(help_text="Points that the match goes to; 0 for a single game.")
    crawford = serializers.BooleanField(help_text="Whether the Crawford game is played without a cube (B-12).")
    jacoby = serializers.BooleanField(help_text="Whether gammons count only once the cube was turned (B-11).")
    beavers = serializers.BooleanField(help_text="Whether a double may be beavered (B-10).")
    automatic_doubles = serializers.IntegerField(help_text="How often equal opening dice may turn the cube (B-13).")
    cube = serializers.BooleanField(help_text="Whether there is a doubling cube (B-9).")
    move_s = serializers.IntegerField(help_text="Seconds for each move, before the reserve is touched.")
    reserve_s = serializers.IntegerField(help_text="Seconds of reserve a side has in each game.")
    days_a_move = serializers.IntegerField(allow_null=True, help_text="Days for each move at a turn-based table.")


class SeatSerializer(S):
    side = serializers.ChoiceField(choices=SIDE, help_text="Which side.")
    player = serializers.UUIDField(help_text="The player's id.")
    name = serializers.CharField(help_text="The player's name.")


class OutcomeSerializer(S):
    game = serializers.IntegerField(required=False, help_text="Number of the game.")
    winner = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="The side that won; none if void.")
    win = serializers.CharField(allow_null=True, help_text="single, gammon, backgammon; none for a match given up.")
    cube = serializers.IntegerField(help_text="The cube that counted.")
    points = serializers.IntegerField(help_text="Cube times value of the win.")
    ending = serializers.CharField(help_text="borne_off, dropped, resigned, timed_out.")


class BoardSerializer(S):
    points = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=24,
        max_length=24,
        help_text="Checkers on the points from side 1's 1-point to its 24-point: above zero side 1's, below side 2's.",
    )
    bar = _pair(serializers.IntegerField(), "Checkers on the bar:")
    off = _pair(serializers.IntegerField(), "Checkers borne off:")
    pips = _pair(serializers.IntegerField(), "Pips to go:")


class CubeSerializer(S):
    value = serializers.IntegerField(help_text="What it shows; an offer is not in it yet.")
    owner = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Who owns it; null in the centre.")
    limit = serializers.IntegerField(help_text="How far it goes.")


class PendingOfferSerializer(S):
    kind = serializers.ChoiceField(choices=["double", "beaver", "resignation"], help_text="What is offered.")
    by = serializers.ChoiceField(choices=SIDE, help_text="By which side.")
    to = serializers.ChoiceField(choices=SIDE, help_text="Which side has to answer.")
    cube = serializers.IntegerField(allow_null=True, help_text="The cube that is taken with it.")
    concession = serializers.ChoiceField(choices=CONCESSIONS, allow_null=True, help_text="What would be given up.")


class PlaySerializer(S):
    play = serializers.CharField(help_text="The play in standard notation, to be sent as it is.")
    position_id = serializers.CharField(help_text="The Position ID of the state after it, the other side on turn.")


class ClockSerializer(S):
    side = serializers.ChoiceField(choices=SIDE, help_text="Whose clock.")
    running = serializers.BooleanField(help_text="Whether it runs.")
    move_ms = serializers.IntegerField(help_text="Left of the time for this move, milliseconds at `now`.")
    reserve_ms = serializers.IntegerField(help_text="Left of the reserve, milliseconds at `now`.")
    ends_at = _instant("When both are used up, if it runs on.", null=True)


class PresenceSerializer(S):
    side = serializers.ChoiceField(choices=SIDE, help_text="Which side.")
    present = serializers.BooleanField(help_text="Whether it is there.")
    away_since = _instant("Since when it is away.", null=True)
    absence_left_ms = serializers.IntegerField(
        allow_null=True, help_text="Left of its five minutes in this game, milliseconds at `now` (A-1)."
    )
    ends_at = _instant("When the game is abandoned, if it stays away.", null=True)


class DueSerializer(S):
    at = _instant("When it comes.")
    what = serializers.ChoiceField(choices=["time_out", "absence", "nothing_thrown"], help_text="What comes.")
    side = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Through which side.")


class DiceProofSerializer(S):
    commitment = serializers.CharField(help_text="SHA-256 of the server's seed, given before anything else.")
    hashes = _pair(serializers.CharField(allow_null=True), "The sides' hashes of their seeds:")
    seeds = _pair(serializers.CharField(allow_null=True), "The sides' seeds:")
    thrown = serializers.IntegerField(help_text="Counter of the next throw.")
    server_seed = serializers.CharField(allow_null=True, help_text="The server's seed, told when the contest is over.")


class ResultSerializer(S):
    status = serializers.ChoiceField(choices=["over", "abandoned", "voided"], help_text="How the contest ended.")
    winner = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Who won; none if left or void.")
    outcome = OutcomeSerializer(allow_null=True, help_text="Of the game that decided it.")
    absent = serializers.ListField(child=serializers.ChoiceField(choices=SIDE), help_text="The sides that were away.")


class HappenedSerializer(S):
    sequence = serializers.IntegerField(help_text="Its number at the table.")
    version = serializers.IntegerField(help_text="The state's version after it.")
    game = serializers.IntegerField(help_text="In which game.")
    side = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Who did it; null for the referee.")
    kind = serializers.ChoiceField(choices=[kind.value for kind in Kind], help_text="What happened.")
    at = _instant("When.")
    dice = _pair(serializers.IntegerField(), "Of a throw: the dice; of an opening throw")
    counter = serializers.IntegerField(required=False, help_text="Of a throw: its counter in the proof of the dice.")
    play = serializers.CharField(required=False, help_text="Of a play: in the notation of the side that played.")
    concession = serializers.CharField(required=False, help_text="Of a resignation: what is offered.")
    forced = serializers.BooleanField(required=False, help_text="Of a throw: by the referee, for a side closed out.")
    hash = serializers.CharField(required=False, help_text="Of a hash.")
    seed = serializers.CharField(required=False, help_text="Of a seed.")
    due = serializers.CharField(required=False, help_text="Of an end by time: when it came.")
    since = serializers.CharField(required=False, help_text="Of a silence of the service: since when.")
    absent = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Of an end: the sides that were away."
    )
    pricing = serializers.BooleanField(
        required=False, help_text="Of an end by time: what it costs is told by a `priced` that follows (B-15)."
    )
    win = serializers.CharField(required=False, help_text="Of a price: what was lost: single, gammon, backgammon.")
    record = serializers.DictField(
        required=False,
        allow_null=True,
        help_text="Of a price: all that was asked of an engine and answered; null if none could say.",
    )

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["dice"].required = False
        return fields


class StakesSerializer(S):
    room = serializers.CharField(help_text="The room's short name.")
    stake = MoneyField(help_text="Money a point in a single game; what the whole match costs in a match.")
    cap = MoneyField(allow_null=True, help_text="The most that a single game can cost one side; null in a match.")
    held = MoneyField(help_text="What each side has in escrow: the most it can lose.")
    tariff = serializers.CharField(help_text="The tariff by which the commission is charged.")
    tariff_version = serializers.IntegerField(help_text="The tariff's version, that of the moment both agreed.")
    abandonment = serializers.ChoiceField(
        choices=[policy.value for policy in Abandonment],
        help_text="What becomes of the contest when a side leaves it and does not come back.",
    )


class SettledSideSerializer(S):
    side = serializers.ChoiceField(choices=SIDE, help_text="Which side.")
    held = MoneyField(help_text="What it had in escrow.")
    back = MoneyField(allow_null=True, help_text="What came out of escrow into its wallet.")
    net = MoneyField(allow_null=True, help_text="What the contest brought it; below zero for a loss.")
    rating_before = serializers.CharField(allow_null=True, help_text="Its rating at the start; null if not rated.")
    rating_after = serializers.CharField(allow_null=True, help_text="Its rating since; null if not rated.")


class SettlementSerializer(S):
    status = serializers.ChoiceField(
        choices=["settled", "void", "waiting", "operator", "corrected"],
        help_text=(
            "settled: paid. void: both stakes went back. waiting: an unfinished game is being analysed. operator: an "
            "operator has to decide. corrected: what was paid was reversed, and this was paid instead."
        ),
    )
    ending = serializers.CharField(allow_null=True, help_text="borne_off, dropped, resigned, timed_out, abandoned, …")
    winner = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Who was paid; null if nothing moved.")
    lost = MoneyField(allow_null=True, help_text="What the other side lost, to the cap.")
    commission = MoneyField(allow_null=True, help_text="Both players' commissions, which the winner paid.")
    charge = serializers.DictField(
        allow_null=True, help_text="How the commission came about: tariff, base, tier, rate, and every step in `trace`."
    )
    adjudication = serializers.DictField(
        allow_null=True,
        help_text="Of an unfinished game: all that was asked of an engine and answered, and the arithmetic (A-7).",
    )
    sides = SettledSideSerializer(many=True, help_text="What it meant for each side.")


class StateSerializer(S):
    table = serializers.UUIDField(help_text="The table's id, which is the game's too.")
    version = serializers.IntegerField(help_text="Counts what was done to the game; an action names it.")
    sequence = serializers.IntegerField(help_text="Of the last thing that happened, presence and seeds included.")
    rules = RulesSerializer(help_text="What was agreed.")
    sides = SeatSerializer(many=True, help_text="Who sits where, side 1 first.")
    status = serializers.ChoiceField(
        choices=[each.value for each in Status],
        help_text=(
            "What the contest is at. pricing: a game of a match was lost by the clock, and an analysis says in a few "
            "seconds what that costs; nobody acts, no clock runs, and then the match goes on (B-15)."
        ),
    )
    viewer = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="The side that this is told to: you.")
    game = serializers.IntegerField(help_text="Number of the game that is played, from 1.")
    score = _pair(serializers.IntegerField(), "Points of the match, finished games only:")
    crawford_game = serializers.BooleanField(help_text="Whether this is the Crawford game.")
    games = OutcomeSerializer(many=True, help_text="The finished games.")
    phase = serializers.ChoiceField(
        choices=["seeds", *(each.value for each in Phase)], help_text="What the game waits for."
    )
    turn = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Whose turn it is.")
    to_act = serializers.ChoiceField(choices=SIDE, allow_null=True, help_text="Who has to do something now.")
    board = BoardSerializer(help_text="The board, always from side 1's home.")
    position_id = serializers.CharField(help_text="GNU Backgammon's Position ID, as the side on turn sees the board.")
    match_id = serializers.CharField(allow_null=True, help_text="GNU Backgammon's Match ID, where it can say it.")
    xgid = serializers.CharField(allow_null=True, help_text="The XGID, where it can say it.")
    cube = CubeSerializer(help_text="The cube as it stands.")
    dice = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="The dice that lie and have to be played."
    )
    offer = PendingOfferSerializer(allow_null=True, help_text="What waits for an answer.")
    actions = serializers.ListField(child=serializers.CharField(), help_text="What you may do now.")
    resignations = serializers.ListField(
        child=serializers.ChoiceField(choices=CONCESSIONS), help_text="What you may offer to resign now (B-19)."
    )
    plays = PlaySerializer(many=True, help_text="Every legal play of your dice.")
    clocks = ClockSerializer(many=True, help_text="Both clocks (B-15).")
    presence = PresenceSerializer(many=True, help_text="Both sides' presence (A-1).")
    due = DueSerializer(allow_null=True, help_text="What comes next if nobody does anything.")
    dice_proof = DiceProofSerializer(help_text="How the dice are proved (F).")
    result = ResultSerializer(allow_null=True, help_text="How the contest ended; null while it goes on.")
    now = _instant("The server's time that all of this is told at.")
    last = HappenedSerializer(many=True, help_text="What happened last, the newest at the end.")
    stakes = StakesSerializer(
        allow_null=True, help_text="What it is played for; null against the machine, where nothing is staked."
    )
    settlement = SettlementSerializer(
        allow_null=True, help_text="What became of the stakes; null while it goes on, and where there are none."
    )


class ThrowEventSerializer(S):
    event = serializers.CharField(help_text="commitment, client_hash, client_seed, throw, server_seed.")
    hash = serializers.CharField(required=False, help_text="Of a commitment or a hash: SHA-256 of the seed.")
    seed = serializers.CharField(required=False, help_text="Of a seed: its 32 bytes.")
    side = serializers.ChoiceField(choices=SIDE, required=False, help_text="Of a client's: whose.")
    counter = serializers.IntegerField(required=False, help_text="Of a throw: what was mixed in.")
    kind = serializers.CharField(required=False, help_text="Of a throw: opening or roll.")
    dice = serializers.ListField(child=serializers.IntegerField(), required=False, help_text="Of a throw: as thrown.")


class TranscriptSerializer(S):
    format = serializers.CharField(help_text="What kind of transcript it is; verify_dice reads it as it is.")
    events = ThrowEventSerializer(many=True, help_text="Everything about the dice, in its order.")
