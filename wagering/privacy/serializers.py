"""All that is kept of a player, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.access.models import PlayerToken
from wagering.cashier.deposits.serializers import DepositSerializer, MethodSerializer
from wagering.cashier.payouts.serializers import PayoutSerializer
from wagering.notices.serializers import NoticeSerializer
from wagering.play.people.serializers import MyTableSerializer, RatingChangeSerializer
from wagering.play.wallet.serializers import EntrySerializer, WalletSerializer
from wagering.protection.exclusion.serializers import StandingSerializer
from wagering.protection.limits.serializers import SortSerializer
from wagering.protection.models import Identity, Limit
from wagering.rest.money_field import MoneyField
from wagering.seamless.serializers import RoundSerializer


class ClientSerializer(serializers.ModelSerializer[PlayerToken]):
    class Meta:
        model = PlayerToken
        fields = ("label", "created", "expiry")
        extra_kwargs = {
            "created": {"help_text": "When it logged in."},
            "expiry": {"help_text": "Until when it is in."},
        }


class KnownIdentitySerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=Identity.State.choices, help_text="What operators found.")
    name = serializers.CharField(help_text="As you told it.")
    birth_date = serializers.DateField(help_text="As you told it.")
    country = serializers.CharField(help_text="As you told it.")
    address = serializers.CharField(help_text="As you told it.")
    told_at = serializers.DateTimeField(help_text="When.")


class KnownLimitSerializer(SortSerializer):
    by = serializers.ChoiceField(choices=Limit.By.choices, help_text="Whose limit it is.")
    amount = MoneyField(allow_null=True, help_text="At most so much; null for no limit.")


class KnownMethodSerializer(MethodSerializer):
    holder = serializers.CharField(allow_null=True, help_text="Whose account it is, as you told it; null of a card.")
    iban = serializers.CharField(allow_null=True, help_text="The account, as you told it; null of a card.")


class KnownWalletSerializer(WalletSerializer):
    statement = EntrySerializer(many=True, help_text="Every entry of it, the first one first.")


class PersonsDataSerializer(serializers.Serializer[Any]):
    exported_at = serializers.DateTimeField(help_text="When this was gathered.")
    id = serializers.UUIDField(help_text="Your id.")
    name = serializers.CharField(help_text="The name you log in by, as others see it.")
    registered_at = serializers.DateTimeField(help_text="Since when you are here.")
    biography = serializers.CharField(help_text="What you say of yourself.")
    clients = ClientSerializer(many=True, help_text="Clients that are logged in for you.")
    identity = KnownIdentitySerializer(allow_null=True, help_text="Who you told us you are; null if you have not.")
    limits = KnownLimitSerializer(many=True, help_text="Limits that hold for you.")
    exclusions = StandingSerializer(many=True, help_text="Time-outs and exclusions, those that are over too.")
    payment_methods = KnownMethodSerializer(many=True, help_text="What you paid from, or may be paid to.")
    wallets = KnownWalletSerializer(many=True, help_text="What you own, each currency with its statement.")
    deposits = DepositSerializer(many=True, help_text="What you paid in.")
    payouts = PayoutSerializer(many=True, help_text="What you asked to be paid out.")
    tables = MyTableSerializer(many=True, help_text="Tables that you sat at, and how each was settled.")
    rounds = RoundSerializer(many=True, help_text="Rounds at rooms' own servers.")
    ratings = RatingChangeSerializer(many=True, help_text="Every change of your ratings.")
    notices = NoticeSerializer(many=True, help_text="What you were told.")
