"""What a player's client sends and gets, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.access.authentication import player_token
from games.access.models import PlayerToken
from games.access.names import LENGTH_MAX, LENGTH_MIN
from games.access.services import PASSWORD_LENGTH_MAX
from games.models import Player

NAME = (
    f"The name as others see it and as one logs in: {LENGTH_MIN} to {LENGTH_MAX} characters, Latin letters, digits and "
    "single - _ . between them, a letter first. Names that look alike (case, accents, 0 and o, 1 and l) are one name."
)


class Password(serializers.CharField):
    """Text that never comes back, and whose spaces are part of it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            write_only=True,
            trim_whitespace=False,
            max_length=PASSWORD_LENGTH_MAX,
            style={"input_type": "password"},
            **options,
        )


class PlayerSerializer(serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ("id", "name")
        extra_kwargs = {
            "id": {"help_text": "The player's id, the same for good."},
            "name": {"help_text": "The name as others at the table see it.", "read_only": True},
        }


class RegistrationSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text=NAME, max_length=60)
    password = Password(help_text="At least 8 characters, not among the common ones, not only digits, unlike the name.")


class LogInSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The name that was registered, or one that looks like it.", max_length=60)
    password = Password(help_text="The player's password.")
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What the player calls this client, to tell its token from the others.", max_length=60
    )


class TokenSerializer(serializers.ModelSerializer[PlayerToken]):
    created_at = serializers.DateTimeField(source="created", help_text="When it was given.", read_only=True)
    expires_at = serializers.DateTimeField(
        source="expiry", help_text="When it lets nobody in any more.", read_only=True
    )
    is_current = serializers.SerializerMethodField(help_text="Whether this very request came with it.")

    class Meta:
        model = PlayerToken
        fields = ("id", "label", "created_at", "expires_at", "is_current")
        extra_kwargs = {
            "id": {"help_text": "The token's id, to revoke it by; it lets nobody in.", "read_only": True},
            "label": {"help_text": "What the player calls the client.", "read_only": True},
        }

    def get_is_current(self, token: PlayerToken) -> bool:
        return bool(token.pk == player_token(self.context["request"]).pk)


class LoggedInSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="row.id", help_text="The token's id, to revoke it by; it lets nobody in.")
    label = serializers.CharField(  # type: ignore[assignment]
        source="row.label", help_text="What the player calls the client."
    )
    expires_at = serializers.DateTimeField(source="row.expiry", help_text="When the token ends by itself.")
    token = serializers.CharField(help_text="Send it as `Authorization: Bearer <token>`. Shown only now.")
    player = PlayerSerializer(help_text="Who has logged in.")


class PasswordChangeSerializer(serializers.Serializer[Any]):
    current_password = Password(help_text="The password until now.")
    new_password = Password(help_text="At least 8 characters, not among the common ones, not only digits.")


class MeSerializer(PlayerSerializer):
    registered_at = serializers.DateTimeField(
        source="user.date_joined", help_text="When the player registered.", read_only=True
    )

    class Meta(PlayerSerializer.Meta):
        fields = ("id", "name", "registered_at")  # type: ignore[assignment]
