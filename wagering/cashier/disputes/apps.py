from django.apps import AppConfig


class DisputesConfig(AppConfig):
    """Chargebacks, and what players owe."""

    name = "wagering.cashier.disputes"
    default_auto_field = "django.db.models.BigAutoField"
