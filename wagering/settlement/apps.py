from django.apps import AppConfig


class SettlementConfig(AppConfig):
    """Who gets what when a contest ends."""

    name = "wagering.settlement"
    default_auto_field = "django.db.models.BigAutoField"
