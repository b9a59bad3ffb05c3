from django.apps import AppConfig


class ProtectionConfig(AppConfig):
    """Limits, exclusions, identity, money laundering, players who are long away."""

    name = "wagering.protection"
    default_auto_field = "django.db.models.BigAutoField"
