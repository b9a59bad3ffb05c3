"""The messages of the seamless wallet, and its answers. Members that are not named here are passed over."""

from typing import Any, Final

from rest_framework import serializers

from games.models import Player
from ledger import money
from wagering.rest.money_field import Money, MoneyField
from wagering.seamless.models import NAME_MAX, Round
from wagering.seamless.services import Answer
from wagering.seamless.sheet import share_of

AMOUNT: Final = "In the currency's major unit, as text: plain digits and a point, never a number."


class TextField(serializers.CharField):
    """Text in JSON, as it stands; a number is none."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class RequestSerializer(serializers.Serializer[Any]):
    request_uuid = serializers.UUIDField(help_text="Id of this request; the answer repeats it.")


class TokenedSerializer(RequestSerializer):
    token = TextField(max_length=200, help_text="The token that the player gave the room.")


class AboutSerializer(RequestSerializer):
    transaction_uuid = serializers.UUIDField(help_text="Makes the message happen once in the room.")
    user = serializers.UUIDField(required=False, help_text="The player's id, as `authenticate` told it.")
    round = TextField(max_length=NAME_MAX, help_text="What the room calls the round: one game, or one match.")


class BetSerializer(AboutSerializer):
    token = TextField(max_length=200, help_text="The token that the player gave the room; it must be in force.")
    currency = TextField(max_length=4, help_text="ISO 4217 or PLAY: the session's, and the round's.")
    amount = TextField(max_length=20, help_text=f"What is staked, above zero. {AMOUNT}")


class WinSerializer(AboutSerializer):
    token = TextField(max_length=200, required=False, help_text="Passed over: a game ends when it ends.")
    reference_transaction_uuid = serializers.UUIDField(help_text="The transaction_uuid of the winner's bet.")
    currency = TextField(max_length=4, help_text="The round's.")
    amount = TextField(max_length=20, help_text=f"What is due to the bettor, the stake included; may be zero. {AMOUNT}")
    round_closed = serializers.BooleanField(
        default=False, help_text="Whether the round ends here: then all that is due in it is paid."
    )


class RollbackSerializer(RequestSerializer):
    transaction_uuid = serializers.UUIDField(help_text="Makes the message happen once in the room.")
    reference_transaction_uuid = serializers.UUIDField(help_text="The transaction_uuid of what is taken back.")
    token = TextField(max_length=200, required=False, help_text="Passed over: what failed is taken back at any time.")
    round_closed = serializers.BooleanField(default=False, help_text="Whether the round ends here, as in a win.")


class RefundSerializer(RollbackSerializer):
    currency = TextField(max_length=4, help_text="The round's.")
    amount = TextField(max_length=20, help_text=f"What was staked, all of it. {AMOUNT}")


class AnswerSerializer(serializers.Serializer[Any]):
    status = serializers.CharField(help_text="The protocol's word: RS_OK, or RS_ERROR_… for what was refused.")
    request_uuid = serializers.UUIDField(help_text="That of the request.")
    user = serializers.UUIDField(required=False, help_text="Whose wallet it is about.")
    nickname = serializers.CharField(required=False, help_text="The player's name; `authenticate` tells it.")
    currency = serializers.CharField(required=False, help_text="Of the balance.")
    balance = serializers.CharField(
        required=False, help_text=f"What the wallet held just after the message was done. {AMOUNT}"
    )
    code = serializers.CharField(required=False, help_text="Which refusal it was, in this service's own words.")
    message = serializers.CharField(required=False, help_text="The refusal for a person.")


class SessionRequestSerializer(serializers.Serializer[Any]):
    room = serializers.SlugField(max_length=40, help_text="Short name of the room that is let in.")
    currency = serializers.CharField(max_length=4, help_text="ISO 4217 or PLAY: the only one that it may stake.")


class SessionSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="What to give to the room. It is told only now.")
    room = serializers.CharField(help_text="Short name of the room.")
    currency = serializers.CharField(help_text="The only one in which it may stake.")
    expires_at = serializers.DateTimeField(help_text="Until then it may stake; what was begun ends later too.")


class SaidSerializer(serializers.Serializer[Any]):
    transaction_uuid = serializers.UUIDField(source="transaction", help_text="Under which the room said it.")
    kind = serializers.CharField(help_text="`bet`, `win`, `rollback` or `refund`.")
    amount = MoneyField(help_text="How much it is about.")
    at = serializers.DateTimeField(help_text="When it came.")
    counts = serializers.BooleanField(help_text="Whether it is a bet or a win that was not taken back.")


class RoundSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The round's id here; the statement names it when it is paid.")
    room = serializers.CharField(help_text="Short name of the room.")
    round = serializers.CharField(help_text="What the room calls the round.")
    state = serializers.CharField(help_text="`open`, `closed`, or `given back` by an operator.")
    opened_at = serializers.DateTimeField(help_text="When its first bet came.")
    closed_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid, or given back.")
    given_back_because = serializers.CharField(help_text="The operator's reason; empty where there is none.")
    staked = MoneyField(help_text="What you have staked in it.")
    won = MoneyField(help_text="What you are paid when it closes, the stake included.")
    said = SaidSerializer(many=True, help_text="What the room said of your money, in its order.")


def round_told(round_: Round, player: Player) -> dict[str, Any]:
    """A round as that player sees it: of the others' money there is nothing."""
    share, code = share_of(round_, player), round_.currency
    said = [
        {
            "transaction": message.transaction,
            "kind": message.kind,
            "amount": Money(message.amount, code),
            "at": message.at,
            "counts": counts,
        }
        for message, counts in share.said
    ]
    about = {name: getattr(round_, name) for name in ("id", "state", "opened_at", "closed_at", "given_back_because")}
    money_told = {"staked": Money(share.staked, code), "won": Money(share.won, code)}
    return about | money_told | {"room": round_.room.slug, "round": round_.name, "said": said}


def answered(answer: Answer, *, request_uuid: Any, **more: str) -> dict[str, Any]:
    """The answer as JSON; what is not known is left out."""
    told: dict[str, Any] = {"status": answer.status, "request_uuid": request_uuid}
    if answer.user is not None and answer.currency is not None and answer.balance is not None:
        unit = money.currency(answer.currency).minor_unit
        told |= {"user": answer.user, "currency": answer.currency, "balance": str(answer.balance.quantize(unit))}
    return told | more
