"""What the seamless wallet refuses. Each is answered by the protocol's own word for it, ``status``."""

from typing import ClassVar
from uuid import UUID


class Refused(ValueError):
    """The wallet said no; nothing was done, and the same message may come again."""

    status: ClassVar[str] = "RS_ERROR_UNKNOWN"


class TokenUnknown(Refused):
    """The token is none of this room's, or was ended, or is another player's than the message says."""

    status = "RS_ERROR_INVALID_TOKEN"

    def __init__(self) -> None:
        super().__init__("token: it is none that a player gave this room")


class TokenExpired(Refused):
    """The player's token has expired: the player opens a new session. A win, rollback or refund needs none."""

    status = "RS_ERROR_TOKEN_EXPIRED"

    def __init__(self) -> None:
        super().__init__("token: it has expired")


class PlayerDisabled(Refused):
    """The player may not play: the login is shut, or an operator's."""

    status = "RS_ERROR_USER_DISABLED"

    def __init__(self) -> None:
        super().__init__("user: this player may not play")


class BeyondLimit(Refused):
    """The bet would pass a limit that protects the player."""

    status = "RS_ERROR_BET_LIMIT_EXCEEDED"

    def __init__(self) -> None:
        super().__init__("amount: it would pass a limit of this player")


class WrongCurrency(Refused):
    """The session, the bet or the round is in another currency."""

    status = "RS_ERROR_WRONG_CURRENCY"

    def __init__(self, *, named: str, agreed: str) -> None:
        super().__init__(f"currency: {named} is named, it is {agreed}")


class SaidOtherwise(Refused):
    """The transaction_uuid came before, with another content."""

    status = "RS_ERROR_DUPLICATE_TRANSACTION"

    def __init__(self, transaction: UUID) -> None:
        super().__init__(f"transaction_uuid: {transaction} came before, with another content")


class NeverSaid(Refused):
    """The room has no bet, nor what else may be meant, with the reference_transaction_uuid."""

    status = "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"

    def __init__(self, reference: UUID) -> None:
        super().__init__(f"reference_transaction_uuid: {reference} is not known here, or not as that")


class RolledBack(Refused):
    """The bet was rolled back or refunded, perhaps before it came: it holds nothing and wins nothing."""

    status = "RS_ERROR_TRANSACTION_ROLLED_BACK"

    def __init__(self, transaction: UUID) -> None:
        super().__init__(f"transaction_uuid: {transaction} was rolled back")


class RoundClosed(Refused):
    """The round is closed and paid: nothing more is staked, won or given back in it."""

    status = "RS_ERROR_INVALID_GAME"

    def __init__(self, name: str) -> None:
        super().__init__(f"round: {name} is closed")


class OtherRound(Refused):
    """The bet that is referred to was made in another round."""

    status = "RS_ERROR_INVALID_GAME"

    def __init__(self, name: str) -> None:
        super().__init__(f"round: the bet was not made in {name}")


class StillWinning(Refused):
    """A win refers to the bet: it is rolled back before the bet is."""

    status = "RS_ERROR_INVALID_GAME"

    def __init__(self, transaction: UUID) -> None:
        super().__init__(f"reference_transaction_uuid: a win refers to {transaction}; roll that back first")


class RoundHoldsLess(Refused):
    """The wins would be more than what the round's bets have set aside."""

    status = "RS_ERROR_NOT_ENOUGH_MONEY"

    def __init__(self, *, won: object, held: object) -> None:
        super().__init__(f"amount: the round's wins would be {won}, its bets hold {held}")


class CommissionAboveTariff(Refused):
    """What the closing round would leave to the room is more than its tariff takes."""

    status = "RS_ERROR_INVALID_GAME"

    def __init__(self, *, left: object, most: object) -> None:
        super().__init__(f"round_closed: the round would leave {left} to the room, its tariff takes at most {most}")


class RoundTooLarge(Refused):
    """The round would have more bets, or hold more, than a round may."""

    status = "RS_ERROR_BET_LIMIT_EXCEEDED"

    def __init__(self, rule: str) -> None:
        super().__init__(f"amount: {rule}")


class RefundDiffers(Refused):
    """A bet is refunded whole or not at all."""

    status = "RS_ERROR_WRONG_TYPES"

    def __init__(self, *, refunded: object, staked: object) -> None:
        super().__init__(f"amount: {refunded} is to be refunded, {staked} was staked; a bet goes back whole")
