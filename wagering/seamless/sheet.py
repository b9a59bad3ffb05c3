"""One round on one sheet: all that was said of it, what each player staked and won, what the room got, the book."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from games.models import Player
from ledger import book
from ledger.book import Posted
from wagering.seamless.models import Message, Round
from wagering.seamless.selectors import standing_of


@dataclass(frozen=True, slots=True)
class Share:
    """One player's part of a round. ``won`` is paid when the round is closed, and only due before."""

    said: tuple[tuple[Message, bool], ...]
    """The messages about the player's money, each with whether it still counts."""
    staked: Decimal
    won: Decimal


def share_of(round: Round, player: Player) -> Share:  # noqa: A002 - what the protocol calls it
    """What the player staked and won in it."""
    messages = list(round.messages.all())
    stands = standing_of(messages)
    counting = {message.pk for message in (*stands.bets, *stands.wins)}
    own = [message for message in messages if message.player_id == player.pk]
    return Share(
        said=tuple((message, message.pk in counting) for message in own),
        staked=sum((bet.amount for bet in stands.bets if bet.player_id == player.pk), Decimal(0)),
        won=sum((win.amount for win in stands.wins if win.player_id == player.pk), Decimal(0)),
    )


def players_of(round: Round) -> list[Player]:  # noqa: A002
    """Who staked in it, by name."""
    found = {message.player for message in round.messages.all() if message.player is not None}
    return sorted(found, key=lambda player: (player.name, player.pk))


def posted_of(round: Round) -> list[Posted]:  # noqa: A002
    """What the book has of it: each bet, each that went back, the payment."""
    bets = [message.pk for message in round.messages.all() if message.kind == Message.Kind.BET]
    keys = [f"wager_held:{bet}" for bet in bets] + [f"wager_released:{bet}" for bet in bets]
    return [posted for key in (*keys, f"round_settled:{round.pk}") if (posted := book.find(key))]


def heading(round: Round) -> str:  # noqa: A002
    """Which round it is, and how it stands."""
    opened = f"opened {round.opened_at:%Y-%m-%d %H:%M}"
    return f"{round} · {round.currency} · tariff {round.tariff} · {opened} · {round.state}"


def as_text(round: Round) -> str:  # noqa: A002
    """The sheet for people to read."""
    return "\n".join(_lines(round))


def _lines(round_: Round) -> Iterator[str]:
    code = round_.currency
    yield heading(round_)
    if round_.given_back_by:
        yield f"  given back by {round_.given_back_by}, since {round_.given_back_because}"
    for player in players_of(round_):
        share = share_of(round_, player)
        yield f"  {player.name:<12} {share.won - share.staked:>+9} {code}   staked {share.staked}, won {share.won}"
        for message, counts in share.said:
            taken_back = "" if counts or message.kind not in ("bet", "win") else "   taken back"
            yield f"    {message.at:%H:%M:%S} {message.kind:<8} {message.amount:>9} {code}{taken_back}"
    if round_.commission is not None:
        yield f"  commission   {round_.commission:>9} {code}"
    for posted in posted_of(round_):
        yield f"  {posted.key}" + ("   reversed since" if posted.reversed else "")
        for line in posted.lines:
            yield f"    {line.side} {line.amount:>9} {line.account}"
