"""Notices, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from wagering.notices.kinds import KINDS
from wagering.notices.models import Notice

AT_ONCE = 200


class NoticeSerializer(serializers.Serializer[Notice]):
    id = serializers.UUIDField(help_text="The notice's id.")
    kind = serializers.CharField(
        help_text="What happened. "
        + " ".join(f"`{name}`: {kind.text}" for name, kind in KINDS.items() if kind.for_players)
    )
    data = serializers.DictField(  # type: ignore[assignment]  # a field, and no longer there once the class is made
        child=serializers.CharField(),
        help_text="What it is about, all of it text: ids, an `amount` and its `currency`, the last four of an account.",
    )
    at = serializers.DateTimeField(help_text="When it happened.")
    read_at = serializers.DateTimeField(allow_null=True, help_text="When you read it; null if you have not.")


class NoticesQuerySerializer(serializers.Serializer[Any]):
    unread = serializers.BooleanField(default=False, help_text="`true` leaves out what you have read.")


class NoticesReadSerializer(serializers.Serializer[Any]):
    notices = serializers.ListField(
        child=serializers.UUIDField(),
        min_length=1,
        max_length=AT_ONCE,
        help_text=f"Ids of what you have read, {AT_ONCE} at most; what is not yours is passed over.",
    )


class UnreadSerializer(serializers.Serializer[Any]):
    unread = serializers.IntegerField(help_text="How many you have not read.")
