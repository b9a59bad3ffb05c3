from django.apps import AppConfig


class GamesConfig(AppConfig):
    """What happened at the table. Knows no money."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
