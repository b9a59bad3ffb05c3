from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """How strong a player is."""

    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
