"""The state document: all that a client needs to draw a table, to offer what may be done and to show both clocks.

Points are numbered from side 1's home: ``points[0]`` is side 1's 1-point and side 2's 24-point, above zero for side
1's checkers and below for side 2's. Plays are written as the side that moves sees the board. Position IDs are of the
board as the side on turn sees it. Durations are whole milliseconds, rounded down; times are RFC 3339 in UTC.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from games.live.rules.events import utc
from games.live.rules.offered import actions_of, plays_of, resignations_of
from games.live.rules.pace import ABSENCE_MAX
from games.live.rules.snapshot import outcome_to_json
from games.live.rules.stand import Stand, Status, away_for, due, spent
from games.rules.board import Position
from games.rules.clock import ZERO
from games.rules.endings import Ending
from games.rules.game import Game, Phase
from games.rules.ids import BadId, MatchState, Offer, write_match_id, write_position_id, write_xgid
from games.rules.sides import SIDES, Side, opponent_of

_STAGES: Final = {Ending.BORNE_OFF: "over", Ending.DROPPED: "dropped", Ending.RESIGNED: "resigned"}
_MILLISECOND: Final = timedelta(milliseconds=1)


def document(stand: Stand, *, viewer: Side | None, at: datetime) -> dict[str, Any]:
    """How the contest stands at ``at``, as ``viewer`` may see it: one side, or None for whoever looks on."""
    game = stand.game
    comes = due(stand)
    actions = [] if viewer is None else [str(kind) for kind in actions_of(stand, viewer, at=at)]
    resignations = resignations_of(stand, viewer) if viewer is not None and "resign" in actions else []
    return {
        "status": stand.status.value,
        "viewer": viewer,
        "game": stand.number,
        "score": list(stand.series.score),
        "crawford_game": game.terms.crawford_game,
        "games": [{"game": n, **outcome_to_json(outcome)} for n, outcome in enumerate(stand.games, start=1)],
        "phase": "seeds" if stand.status is Status.SEEDS else game.phase.value,
        "turn": game.turn,
        "to_act": stand.to_act,
        "board": _board(game),
        "position_id": write_position_id(game.position),
        "match_id": _match_id(stand),
        "xgid": _xgid(stand),
        "cube": {"value": game.cube.value, "owner": game.cube.owner, "limit": game.terms.cube_limit},
        "dice": None if game.dice is None or game.phase is not Phase.TO_PLAY else list(game.dice),
        "offer": _offer(game),
        "actions": actions,
        "resignations": [each.value for each in resignations],
        "plays": [] if viewer is None else _plays(stand, viewer),
        "clocks": [_clock(stand, side, at=at) for side in SIDES],
        "presence": [_presence(stand, side, at=at) for side in SIDES],
        "due": None if comes is None else {"at": utc(comes.at), "what": comes.lapse.value, "side": comes.side},
        "dice_proof": {
            "commitment": stand.commitment,
            "hashes": [digest or None for digest in stand.hashes],
            "seeds": [seed or None for seed in stand.seeds],
            "thrown": stand.thrown,
            "server_seed": stand.server_seed or None,
        },
        "result": _result(stand),
        "now": utc(at),
    }


def _board(game: Game) -> dict[str, Any]:
    position: Position = game.position if game.turn in (1, None) else game.position.swapped()
    return {
        "points": list(position.points[1:25]),
        "bar": [position.bar, position.opponent_bar],
        "off": [position.borne_off, position.opponent_borne_off],
        "pips": [position.pips, position.opponent_pips],
    }


def match_state(stand: Stand) -> MatchState | None:
    """All that stands beside the board, as the side on turn sees it; None before the opening throw."""
    game = stand.game
    if game.turn is None:
        return None
    turn, other = game.turn, opponent_of(game.turn)
    owner: Literal[1, 0, -1] = 0 if game.cube.owner is None else 1 if game.cube.owner == turn else -1
    offer: Offer | None = None
    if game.phase in (Phase.DOUBLED, Phase.BEAVERED):
        offer = "double" if game.phase is Phase.DOUBLED else "beaver"
    length = stand.series.length
    before = [length - needs if length else 0 for needs in game.terms.needs]
    return MatchState(
        turn=1 if turn == 1 else -1,
        cube=game.cube.value,
        cube_owner=owner,
        dice=game.dice if game.phase is Phase.TO_PLAY else None,
        offer=offer,
        match_length=length,
        score=before[turn - 1],
        opponent_score=before[other - 1],
        crawford=game.terms.crawford_game,
        jacoby=game.terms.jacoby,
        beavers=game.terms.beavers,
        cube_limit=game.terms.cube_limit,
        resigning=0 if game.concession is None else {"single": 1, "gammon": 2}.get(game.concession, 3),
        stage="playing" if game.outcome is None else _STAGES.get(game.outcome.ending, "over"),
    )


def _match_id(stand: Stand) -> str | None:
    """GNU Backgammon's, None before the opening throw and for a beaver, which it cannot say."""
    state = match_state(stand)
    if state is None:
        return None
    try:
        return write_match_id(state)
    except BadId:
        return None


def _xgid(stand: Stand) -> str | None:
    """None before the opening throw, after the end, and for a resignation, which it cannot say."""
    state = match_state(stand)
    if state is None:
        return None
    try:
        return write_xgid(stand.game.position, state)
    except BadId:
        return None


def _offer(game: Game) -> dict[str, Any] | None:
    """The offer that waits for its answer; ``cube`` is the value that is taken with it."""
    if game.turn is None:
        return None
    if game.concession is not None:
        return {
            "kind": "resignation",
            "by": game.turn,
            "to": opponent_of(game.turn),
            "cube": None,
            "concession": game.concession.value,
        }
    if game.phase is Phase.DOUBLED:
        by, to, factor = game.turn, opponent_of(game.turn), 2
    elif game.phase is Phase.BEAVERED:
        by, to, factor = opponent_of(game.turn), game.turn, 4
    else:
        return None
    kind = "double" if factor == 2 else "beaver"
    return {"kind": kind, "by": by, "to": to, "cube": game.cube.value * factor, "concession": None}


def _plays(stand: Stand, side: Side) -> list[dict[str, str]]:
    """Each play with the Position ID that the state has after it."""
    return [
        {"play": str(play), "position_id": write_position_id(play.position.swapped())} for play in plays_of(stand, side)
    ]


def _clock(stand: Stand, side: Side, *, at: datetime) -> dict[str, Any]:
    """What ``side`` has left: of its move, of its reserve. ``ends_at`` is None while its clock stands."""
    move, reserve = stand.clock.move, stand.clock.reserve[side - 1]
    ends_at: datetime | None = None
    running = False
    if stand.status in (Status.PLAYING, Status.PRICING) and stand.game.on_the_clock == side:
        used = spent(stand, at=at)
        running = stand.since is not None
        if stand.since is not None:
            ends_at = stand.since + move + reserve - stand.thought
        reserve = max(ZERO, reserve - max(ZERO, used - move))
        move = max(ZERO, move - used)
    return {
        "side": side,
        "running": running,
        "move_ms": move // _MILLISECOND,
        "reserve_ms": reserve // _MILLISECOND,
        "ends_at": None if ends_at is None else utc(ends_at),
    }


def _presence(stand: Stand, side: Side, *, at: datetime) -> dict[str, Any]:
    """Whether ``side`` is there, and what it has left of its five minutes in this game (A-1)."""
    since = stand.away_since[side - 1]
    left = max(ZERO, ABSENCE_MAX - away_for(stand, side, at=at))
    ends_at = since + ABSENCE_MAX - stand.away_used[side - 1] if since and stand.status.has_time else None
    return {
        "side": side,
        "present": since is None,
        "away_since": None if since is None else utc(since),
        "absence_left_ms": left // _MILLISECOND if stand.pace.is_live else None,
        "ends_at": None if ends_at is None else utc(ends_at),
    }


def _result(stand: Stand) -> dict[str, Any] | None:
    """What came of the contest. ``winner`` is None where it was abandoned or voided."""
    if not stand.status.is_final:
        return None
    absent: Sequence[Side] = stand.absent
    winner = None if stand.outcome is None else stand.outcome.winner
    outcome = None if stand.outcome is None else outcome_to_json(stand.outcome)
    return {"status": stand.status.value, "winner": winner, "outcome": outcome, "absent": list(absent)}
