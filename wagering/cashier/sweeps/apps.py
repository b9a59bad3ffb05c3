from django.apps import AppConfig


class SweepsConfig(AppConfig):
    """Commission swept to the operator."""

    name = "wagering.cashier.sweeps"
    default_auto_field = "django.db.models.BigAutoField"
