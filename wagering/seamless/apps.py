from django.apps import AppConfig


class SeamlessConfig(AppConfig):
    """The seamless wallet of game aggregators."""

    name = "wagering.seamless"
    default_auto_field = "django.db.models.BigAutoField"
