from django.apps import AppConfig


class BankConfig(AppConfig):
    """The bank account of the players."""

    name = "wagering.cashier.bank"
    default_auto_field = "django.db.models.BigAutoField"
