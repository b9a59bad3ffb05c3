"""One game from the first throw to its outcome: who may do what and when, and what follows from it.

A ``Game`` is a value. ``act(game, action)`` returns the game after the action, or raises the refusal that names
what the rules forbid. Dice are thrown elsewhere and come in as part of an action; time is measured elsewhere and
comes in as ``TimeOut``.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import assert_never

from games.rules import cube as cubes
from games.rules import prospects, scoring
from games.rules.actions import (
    AcceptBeaver,
    AcceptResignation,
    Action,
    Beaver,
    Concession,
    DeclineResignation,
    Double,
    OfferResignation,
    OpeningThrow,
    Pass,
    PlayCheckers,
    RefuseBeaver,
    Roll,
    Take,
    TimeOut,
)
from games.rules.board import OPENING, Position
from games.rules.cube import Cube
from games.rules.endings import Ending, Outcome, Win
from games.rules.plays import Play, legal_plays
from games.rules.refusals import RuleBroken
from games.rules.sides import Side, opponent_of
from games.rules.terms import Terms

# --- Where a game stands -------------------------------------------------------------------------------------


class Phase(StrEnum):
    """What the game waits for."""

    OPENING_THROW = "opening_throw"
    TO_ROLL = "to_roll"
    """The side on turn may double, or throws."""
    TO_PLAY = "to_play"
    """The dice lie, and the side on turn can move."""
    DOUBLED = "doubled"
    """The other side takes, passes or beavers."""
    BEAVERED = "beavered"
    """The side on turn, which doubled, accepts the beaver or refuses it."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Game:
    """One game at one moment.

    ``turn`` is the side whose turn it is and ``position`` the board as that side sees it; before the opening throw
    there is no turn and the board is seen by side 1. ``cube`` is the cube as it stands, an offer not included.
    ``concession`` is a resignation waiting for its answer, ``declined`` those refused in this turn. ``plays`` are
    the legal plays of the dice that lie. ``outcome`` stands when the game is over.
    """

    terms: Terms
    phase: Phase = Phase.OPENING_THROW
    turn: Side | None = None
    position: Position = OPENING
    cube: Cube = Cube()
    dice: tuple[int, int] | None = None
    opening_turn: bool = False
    automatic_doubles: int = 0
    concession: Concession | None = None
    declined: frozenset[Concession] = frozenset()
    outcome: Outcome | None = None
    plays: tuple[Play, ...] = field(default=(), compare=False, repr=False)

    @property
    def awaits(self) -> Side | None:
        """The side that has to act next: whoever answers an offer, else the side on turn."""
        if self.turn is None or self.phase is Phase.OVER:
            return None
        answers = self.phase is Phase.DOUBLED or self.concession is not None
        return opponent_of(self.turn) if answers else self.turn

    @property
    def on_the_clock(self) -> Side | None:
        """The side whose time runs. It is the one that has to act, but a side that offers to resign stays on its
        own clock while the other thinks about it (B-19)."""
        return self.turn if self.concession is not None else self.awaits


# --- What is refused -----------------------------------------------------------------------------------------


class GameOver(RuleBroken):
    """The game has ended; nothing more happens in it."""

    rule = "B-8"
    reason = "the game is over"


class NotYourTurn(RuleBroken):
    """The other side has to act."""

    rule = "B-2, B-9"
    reason = "it is not this side's turn"


class NotYoursToAnswer(RuleBroken):
    """The offer waits for the other side."""

    rule = "B-9, B-10, B-19"
    reason = "the offer waits for the other side's answer"


class OpeningFirst(RuleBroken):
    """Nobody is on turn before the opening throw."""

    rule = "B-2"
    reason = "the opening throw comes first"


class AlreadyOpened(RuleBroken):
    """The opening throw has been made."""

    rule = "B-2"
    reason = "the game has been opened"


class DiceLie(RuleBroken):
    """The dice of this turn lie and have to be played."""

    rule = "B-5"
    reason = "the dice have been thrown and have to be played"


class RollFirst(RuleBroken):
    """There is nothing to play before the dice are thrown."""

    rule = "B-3"
    reason = "the dice have not been thrown"


class UnreachablePosition(RuleBroken):
    """The dice do not lead to this board."""

    rule = "B-3 to B-7"
    reason = "no legal play of {detail} leads there"


class AnswerFirst(RuleBroken):
    """A double, a beaver or a resignation waits for its answer."""

    rule = "B-9, B-10, B-19"
    reason = "an offer waits for its answer"


class NothingOffered(RuleBroken):
    """There is no such offer to answer."""

    rule = "B-9, B-10, B-19"
    reason = "there is no {detail} to answer"


class DoubleOnOpeningTurn(RuleBroken):
    """The side that opens plays the dice of the opening throw and has no moment to double."""

    rule = "B-9"
    reason = "no double on the opening turn"


class DoubleAfterRoll(RuleBroken):
    """Doubling comes before the throw."""

    rule = "B-9"
    reason = "a double comes before the throw"


class NoCubeToOne(RuleBroken):
    """A 1-point match has no cube."""

    rule = "B-9"
    reason = "no double in a 1-point match"


class NoCubeInCrawfordGame(RuleBroken):
    """The Crawford game has no cube."""

    rule = "B-12"
    reason = "no double in the Crawford game"


class BeaversNotAgreed(RuleBroken):
    """The table plays without beavers."""

    rule = "B-10"
    reason = "beavers have not been agreed"


class NoRaccoon(RuleBroken):
    """A beaver is accepted or refused, never doubled again."""

    rule = "B-10"
    reason = "no raccoon: a beaver is accepted or refused"


class ResignOnYourTurn(RuleBroken):
    """Resignation is offered on one's own turn."""

    rule = "B-19"
    reason = "a resignation is offered on one's own turn"


class AlreadyDeclined(RuleBroken):
    """The same value was declined in this turn."""

    rule = "B-19"
    reason = "the same value was declined in this turn ({detail})"


class NoMatchToResign(RuleBroken):
    """A money game has no match to give up."""

    rule = "B-19"
    reason = "a money game has no match to resign"


class ClockNotRunning(RuleBroken):
    """Only the side whose clock runs can run out of time."""

    rule = "B-15"
    reason = "this side's clock is not running"


# --- The rules in the order of a game ------------------------------------------------------------------------


def new_game(terms: Terms) -> Game:
    """A game before its opening throw."""
    return Game(terms=terms)


def act(game: Game, action: Action) -> Game:
    """The game after ``action``. Raises a RuleBroken that names what is wrong with it, and ImpossibleDice."""
    if game.phase is Phase.OVER:
        raise GameOver
    match action:
        case OpeningThrow():
            return _throw_for_opening(game, action)
        case Roll():
            return _roll(game, action)
        case PlayCheckers():
            return _play(game, action)
        case Double():
            return _double(game, action)
        case Take():
            return _take(game, action)
        case Pass():
            return _pass(game, action)
        case Beaver():
            return _beaver(game, action)
        case AcceptBeaver():
            return _accept_beaver(game, action)
        case RefuseBeaver():
            return _refuse_beaver(game, action)
        case OfferResignation():
            return _offer_resignation(game, action)
        case AcceptResignation():
            return _accept_resignation(game, action)
        case DeclineResignation():
            return _decline_resignation(game, action)
        case TimeOut():
            return _time_out(game, action)
        case _:
            assert_never(action)


# B-2: Opening: each side throws one die; equal dice are thrown again; the higher side moves first and plays both
# dice just thrown.
def _throw_for_opening(game: Game, action: OpeningThrow) -> Game:
    if game.phase is not Phase.OPENING_THROW:
        raise AlreadyOpened
    first, second = action.dice
    if first == second:
        legal_plays(game.position, action.dice)  # for the check of the dice alone
        doubled = cubes.doubled_automatically(
            game.cube,
            so_far=game.automatic_doubles,
            maximum=game.terms.automatic_doubles,
            limit=min(game.terms.cube_limit, cubes.LIMIT),
        )
        return replace(game, cube=doubled, automatic_doubles=game.automatic_doubles + (doubled != game.cube))
    starter: Side = 1 if first > second else 2
    # The board is the same for both sides before the first move.
    return _with_dice(replace(game, turn=starter, opening_turn=True), action.dice)


def _roll(game: Game, action: Roll) -> Game:
    _may_act(game, action.side)
    if game.phase is Phase.TO_PLAY:
        raise DiceLie
    return _with_dice(game, action.dice)


# B-5: If none, the turn passes.
def _with_dice(game: Game, dice: tuple[int, int]) -> Game:
    plays = tuple(legal_plays(game.position, dice))
    if not plays:
        return _turn_passed(game)
    return replace(game, phase=Phase.TO_PLAY, dice=dice, plays=plays)


def _turn_passed(game: Game) -> Game:
    assert game.turn is not None
    return replace(
        game,
        phase=Phase.TO_ROLL,
        turn=opponent_of(game.turn),
        position=game.position.swapped(),
        dice=None,
        plays=(),
        opening_turn=False,
        declined=frozenset(),
    )


def _play(game: Game, action: PlayCheckers) -> Game:
    _may_act(game, action.side)
    if game.phase is not Phase.TO_PLAY or game.dice is None:
        raise RollFirst
    if all(play.position != action.position for play in game.plays):
        raise UnreachablePosition(f"{game.dice[0]}{game.dice[1]}")
    played = replace(game, position=action.position)
    if action.position.borne_off < 15:
        return _turn_passed(played)
    return _over(played, winner=action.side, win=scoring.win_of(action.position), ending=Ending.BORNE_OFF)


def _double(game: Game, action: Double) -> Game:
    if game.phase is Phase.BEAVERED and action.side == game.turn:
        raise NoRaccoon
    _may_act(game, action.side)
    if game.opening_turn:
        raise DoubleOnOpeningTurn
    if game.phase is Phase.TO_PLAY:
        raise DoubleAfterRoll
    if game.terms.match_length == 1:
        raise NoCubeToOne
    if game.terms.crawford_game:
        raise NoCubeInCrawfordGame
    cubes.offered(game.cube, by=action.side, limit=game.terms.cube_limit)
    return replace(game, phase=Phase.DOUBLED)


def _take(game: Game, action: Take) -> Game:
    _may_answer(game, action.side, Phase.DOUBLED, "double")
    return replace(game, phase=Phase.TO_ROLL, cube=cubes.taken(game.cube, by=action.side))


# B-9: a pass loses the value shown before the offer.
def _pass(game: Game, action: Pass) -> Game:
    _may_answer(game, action.side, Phase.DOUBLED, "double")
    return _over(game, winner=opponent_of(action.side), win=Win.SINGLE, ending=Ending.DROPPED)


def _beaver(game: Game, action: Beaver) -> Game:
    if game.phase is Phase.BEAVERED:
        raise NoRaccoon
    _may_answer(game, action.side, Phase.DOUBLED, "double")
    if not game.terms.beavers:
        raise BeaversNotAgreed
    cubes.beavered(game.cube, by=action.side, limit=game.terms.cube_limit)
    return replace(game, phase=Phase.BEAVERED)


# B-10: The doubler accepts, or refuses and loses the doubled value.
def _accept_beaver(game: Game, action: AcceptBeaver) -> Game:
    _may_answer(game, action.side, Phase.BEAVERED, "beaver")
    owner = opponent_of(action.side)
    return replace(game, phase=Phase.TO_ROLL, cube=cubes.beavered(game.cube, by=owner, limit=game.terms.cube_limit))


def _refuse_beaver(game: Game, action: RefuseBeaver) -> Game:
    _may_answer(game, action.side, Phase.BEAVERED, "beaver")
    return _beaver_lost(game, loser=action.side, ending=Ending.DROPPED)


def _beaver_lost(game: Game, *, loser: Side, ending: Ending) -> Game:
    winner = opponent_of(loser)
    return _over(replace(game, cube=cubes.taken(game.cube, by=winner)), winner=winner, win=Win.SINGLE, ending=ending)


# B-19: Resignation: on its turn, with no cube offer pending, a side may offer to resign the game for 1, 2 or 3 x
# cube, or the match. Its clock runs on. The other accepts or declines; the same value is not offered twice in a
# turn. Accepted unasked only if no larger loss is possible (Jacoby included).
def _offer_resignation(game: Game, action: OfferResignation) -> Game:
    if game.turn is None:
        raise OpeningFirst
    if game.phase in (Phase.DOUBLED, Phase.BEAVERED) or game.concession is not None:
        raise AnswerFirst
    if action.side != game.turn:
        raise ResignOnYourTurn
    if action.concession is Concession.MATCH and not game.terms.match_length:
        raise NoMatchToResign
    if action.concession in game.declined:
        raise AlreadyDeclined(action.concession)
    offered = replace(game, concession=action.concession)
    if _cost(game, action.concession) >= dearest_loss(game):
        return conceded(offered, side=action.side, concession=action.concession)
    return offered


def _accept_resignation(game: Game, action: AcceptResignation) -> Game:
    resigner, concession = _may_answer_resignation(game, action.side)
    return conceded(game, side=resigner, concession=concession)


def _decline_resignation(game: Game, action: DeclineResignation) -> Game:
    _, concession = _may_answer_resignation(game, action.side)
    return replace(game, concession=None, declined=game.declined | {concession})


def conceded(game: Game, *, side: Side, concession: Concession) -> Game:
    """The game after ``side``'s resignation was accepted.

    ``act`` comes here by the order of B-19. Other rooms let a side resign at any time, and their records do not
    tell who was asked: only a replay of such a record calls this directly.
    """
    if concession is Concession.MATCH:
        if not game.terms.match_length:
            raise NoMatchToResign
        winner = opponent_of(side)
        needed = game.terms.needs[winner - 1]
        outcome = Outcome(winner=winner, win=None, cube=game.cube.value, points=needed, ending=Ending.RESIGNED)
        return replace(game, phase=Phase.OVER, outcome=outcome, concession=None, plays=())
    return _over(game, winner=opponent_of(side), win=Win(concession), ending=Ending.RESIGNED)


def dearest_loss(game: Game) -> int:
    """Points the side on turn can still lose at the cube as it stands, Jacoby included; in a match no more than
    the other side needs (B-11, B-14). A later double changes nothing: it can always be passed.
    """
    assert game.turn is not None
    return _clipped(game, opponent_of(game.turn), _points(game, prospects.at_most(game.position)))


def loss_is_open(game: Game) -> bool:
    """Whether an analysis may make a loss on time dearer (B-15): the side on the clock has no offer pending against it
    and can still lose more than is certain; in a match, more that counts (B-14).
    """
    if game.turn is None or game.phase not in (Phase.TO_ROLL, Phase.TO_PLAY):
        return False
    certain = _points(game, prospects.at_least(game.position, to_move=True))
    return _clipped(game, opponent_of(game.turn), certain) < dearest_loss(game)


def _cost(game: Game, concession: Concession) -> int:
    assert game.turn is not None
    winner = opponent_of(game.turn)
    if concession is Concession.MATCH:
        return game.terms.needs[winner - 1]
    return _clipped(game, winner, _points(game, Win(concession)))


# B-15: at zero the game is lost. An offer pending against the loser is a pass. Without analysis: stake x cube, or
# what the position already makes certain.
def _time_out(game: Game, action: TimeOut) -> Game:
    if game.turn is None:
        raise OpeningFirst
    if action.side != game.on_the_clock:
        raise ClockNotRunning
    winner = opponent_of(action.side)
    if game.phase is Phase.DOUBLED:
        return _over(game, winner=winner, win=Win.SINGLE, ending=Ending.TIMED_OUT)
    if game.phase is Phase.BEAVERED:
        return _beaver_lost(game, loser=action.side, ending=Ending.TIMED_OUT)
    certain = prospects.at_least(game.position, to_move=True)
    win = max(certain, action.win, key=lambda each: each.factor)
    return _over(game, winner=winner, win=win, ending=Ending.TIMED_OUT)


def _over(game: Game, *, winner: Side, win: Win, ending: Ending) -> Game:
    outcome = Outcome(winner=winner, win=win, cube=game.cube.value, points=_points(game, win), ending=ending)
    return replace(game, phase=Phase.OVER, outcome=outcome, concession=None, plays=())


def _points(game: Game, win: Win) -> int:
    return scoring.points_won(win=win, cube=game.cube.value, cube_turned=game.cube.turned, jacoby=game.terms.jacoby)


def _clipped(game: Game, winner: Side, points: int) -> int:
    return min(points, game.terms.needs[winner - 1]) if game.terms.match_length else points


def _may_act(game: Game, side: Side) -> None:
    """Nothing, if ``side`` is on turn and no offer waits. Raises OpeningFirst, AnswerFirst, NotYourTurn."""
    if game.turn is None:
        raise OpeningFirst
    if game.phase in (Phase.DOUBLED, Phase.BEAVERED) or game.concession is not None:
        raise AnswerFirst
    if side != game.turn:
        raise NotYourTurn


def _may_answer(game: Game, side: Side, phase: Phase, what: str) -> None:
    """Nothing, if the offer of ``phase`` waits for ``side``. Raises NothingOffered, NotYoursToAnswer."""
    if game.phase is not phase:
        raise NothingOffered(what)
    if side != game.awaits:
        raise NotYoursToAnswer


def _may_answer_resignation(game: Game, side: Side) -> tuple[Side, Concession]:
    if game.concession is None or game.turn is None:
        raise NothingOffered("resignation")
    if side != game.awaits:
        raise NotYoursToAnswer
    return game.turn, game.concession
