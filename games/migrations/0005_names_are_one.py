"""Names that look alike are one, whoever bears them. Of those that were here already the first keeps the key."""

from typing import Any

from django.db import migrations, models

from games.access import names


def give_keys(apps: Any, schema_editor: Any) -> None:
    players = apps.get_model("games", "Player").objects.using(schema_editor.connection.alias)
    taken: set[str] = set()
    # Whoever logs in by a name has it.
    for player in players.order_by(models.F("user").asc(nulls_last=True), "id").only("id", "name"):
        key = names.key(player.name)
        player.key = f"{key} {player.pk}" if key in taken else key
        taken.add(player.key)
        player.save(update_fields=["key"])


class Migration(migrations.Migration):
    dependencies = [("games", "0004_cube")]

    operations = [
        migrations.AddField("player", "key", models.TextField(editable=False, default="")),
        migrations.RunPython(give_keys, migrations.RunPython.noop),
        migrations.AlterField(
            "player",
            "key",
            models.TextField(editable=False, help_text="what all names that look alike have in common"),
        ),
        migrations.AddConstraint("player", models.UniqueConstraint(name="player_has_a_name_alone", fields=("key",))),
        migrations.AddConstraint(
            "player", models.CheckConstraint(name="player_has_a_key", condition=~models.Q(key=""))
        ),
    ]
