from django.apps import AppConfig


class SurveillanceConfig(AppConfig):
    """Alerts, and what they are opened by."""

    name = "wagering.surveillance"
    default_auto_field = "django.db.models.BigAutoField"
