from django.apps import AppConfig


class AccessConfig(AppConfig):
    """Who is asking: players by token, rooms' servers by signature."""

    name = "games.access"
    label = "access"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.access import schema  # noqa: F401 - tells the API's description of the credentials
