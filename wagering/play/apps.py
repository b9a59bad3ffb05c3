from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Tables played here for stakes: agreed in the lobby, played at the door, paid when they end."""

    name = "wagering.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"
