"""What anybody may ask: the rooms there are."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import Room


class RoomSerializer(serializers.ModelSerializer[Room]):
    class Meta:
        model = Room
        fields = ("id", "slug", "name")
        extra_kwargs = {
            "id": {"help_text": "The room's id."},
            "slug": {"help_text": "Its short name, for addresses."},
            "name": {"help_text": "Its name, for people."},
        }


class Rooms(generics.ListAPIView[Room]):
    """The rooms, by their short names."""

    queryset = Room.objects.all()
    serializer_class = RoomSerializer
    permission_classes = (AllowAny,)
    ordering = ("slug",)

    @extend_schema(
        operation_id="list_rooms",
        tags=["Rooms"],
        summary="The rooms there are",
        description="One brand of the operator each, with a tariff of its own. In the order of their short names.",
        examples=[
            OpenApiExample(
                "a room",
                value={"id": "7d9c0a52-7f0f-4f0e-9a39-64a3fd3ab6d1", "slug": "emerald", "name": "Emerald"},
                response_only=True,
            )
        ],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)
