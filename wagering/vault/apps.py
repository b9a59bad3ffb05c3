from django.apps import AppConfig


class VaultConfig(AppConfig):
    """What is known of people, under a key for each."""

    name = "wagering.vault"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from wagering.vault import checks  # noqa: F401 - registers the check
