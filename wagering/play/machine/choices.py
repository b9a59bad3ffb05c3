"""What a side does that the machine plays, of all that the state offers it."""

import random
from datetime import datetime
from typing import Final

from games.analysis import strategy
from games.analysis.strategy import Strength
from games.live.rules.document import match_state
from games.live.rules.events import Kind
from games.live.rules.offered import actions_of
from games.live.rules.stand import Stand
from games.live.rules.wishes import Wish
from games.rules.actions import Concession
from games.rules.sides import Side

_FACTORS: Final = {Concession.SINGLE: 1, Concession.GAMMON: 2, Concession.BACKGAMMON: 3}


def choice(stand: Stand, *, side: Side, strength: Strength, chance: random.Random, at: datetime) -> Wish:
    """What ``side``, which has to act, does at ``strength``; its errors are drawn from ``chance``."""
    game, state = stand.game, match_state(stand)
    assert state is not None, "before the opening throw nobody has to act"
    offered = actions_of(stand, side, at=at)
    if game.concession is not None:
        factor = _FACTORS.get(game.concession)
        content = factor is None or strategy.accepts_resignation(game.position, state, factor=factor)
        return Wish(Kind.ACCEPT_RESIGNATION if content else Kind.DECLINE_RESIGNATION)
    if Kind.PLAY in offered:
        return Wish(Kind.PLAY, play=str(strategy.choose_play(game.plays, state, strength, chance)))
    if Kind.TAKE in offered:
        if Kind.BEAVER in offered and strategy.beavers(game.position, state):
            return Wish(Kind.BEAVER)
        return Wish(Kind.TAKE if strategy.takes(game.position, state, strength, chance) else Kind.PASS)
    if Kind.ACCEPT_BEAVER in offered:
        return Wish(Kind.ACCEPT_BEAVER)
    if Kind.DOUBLE in offered and strategy.doubles(game.position, state, strength, chance):
        return Wish(Kind.DOUBLE)
    return Wish(Kind.ROLL)
