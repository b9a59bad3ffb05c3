from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    """Money out."""

    name = "wagering.cashier.payouts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from wagering.cashier.payouts import metrics

        metrics.register()
