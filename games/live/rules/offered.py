"""What a side may do now, found by asking the rules."""

from datetime import datetime

from games.live.rules.events import Kind
from games.live.rules.stand import Stand, Status, due
from games.live.rules.wishes import CLAIM
from games.rules.actions import Action, Beaver, Concession, Double, OfferResignation
from games.rules.game import Game, Phase, act
from games.rules.plays import Play
from games.rules.refusals import RuleBroken
from games.rules.sides import Side, opponent_of


def actions_of(stand: Stand, side: Side, *, at: datetime) -> list[str]:
    """The kinds of action that ``side`` may ask for at ``at``; while seeds are given, what it still has to give."""
    if stand.status is Status.SEEDS:
        if not stand.hashes[side - 1]:
            return [Kind.SEED_HASH]
        return [Kind.SEED] if all(stand.hashes) and not stand.seeds[side - 1] else []
    if stand.status is not Status.PLAYING:
        return []
    found: list[str] = list(_game_actions(stand.game, side))
    if stand.game.turn == side and resignations_of(stand, side):
        found.append(Kind.RESIGN)
    comes = due(stand)
    if comes is not None and comes.side == opponent_of(side) and at >= comes.at:
        found.append(CLAIM)
    return found


def resignations_of(stand: Stand, side: Side) -> list[Concession]:
    """What ``side`` may offer to resign now: if anything, then all that was not declined in this turn (B-19)."""
    game = stand.game
    if stand.status is not Status.PLAYING or game.turn != side:
        return []
    left = [each for each in Concession if each not in game.declined]
    if not stand.agreed.match_length:
        left.remove(Concession.MATCH)
    return left if left and _may(game, OfferResignation(side, left[0])) else []


def plays_of(stand: Stand, side: Side) -> tuple[Play, ...]:
    """The legal plays of the dice that lie, if they are ``side``'s to play."""
    game = stand.game
    if stand.status is not Status.PLAYING or game.phase is not Phase.TO_PLAY or game.awaits != side:
        return ()
    return game.plays if game.concession is None else ()


def _game_actions(game: Game, side: Side) -> list[Kind]:
    if game.awaits != side:
        return []
    if game.concession is not None:
        return [Kind.ACCEPT_RESIGNATION, Kind.DECLINE_RESIGNATION]
    match game.phase:
        case Phase.TO_ROLL:
            return [Kind.ROLL, Kind.DOUBLE] if _may(game, Double(side)) else [Kind.ROLL]
        case Phase.TO_PLAY:
            return [Kind.PLAY]
        case Phase.DOUBLED:
            answers = [Kind.TAKE, Kind.PASS]
            return [*answers, Kind.BEAVER] if _may(game, Beaver(side)) else answers
        case Phase.BEAVERED:
            return [Kind.ACCEPT_BEAVER, Kind.REFUSE_BEAVER]
        case _:
            return []


def _may(game: Game, action: Action) -> bool:
    try:
        act(game, action)
    except RuleBroken:
        return False
    return True
