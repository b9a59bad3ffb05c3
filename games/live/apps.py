from django.apps import AppConfig


class LiveConfig(AppConfig):
    """Tables played here, move by move. Knows no money."""

    name = "games.live"
    label = "live"
    default_auto_field = "django.db.models.BigAutoField"
