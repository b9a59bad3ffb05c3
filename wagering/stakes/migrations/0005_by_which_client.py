"""A session knows the token that it was opened by, and ends with it."""

from django.db import migrations, models

FORWARD = """
CREATE OR REPLACE FUNCTION session_ends_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
       AND (NEW.id, NEW.player_id, NEW.room_id, NEW.currency, NEW.digest, NEW.opened_at, NEW.expires_at)
           = (OLD.id, OLD.player_id, OLD.room_id, OLD.currency, OLD.digest, OLD.opened_at, OLD.expires_at)
       AND NEW.client IS NOT DISTINCT FROM OLD.client
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'session_ends_once: session %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'session_ends_once', TABLE = TG_TABLE_NAME;
END
$$;
"""

BACKWARD = FORWARD.replace("       AND NEW.client IS NOT DISTINCT FROM OLD.client\n", "")


class Migration(migrations.Migration):
    dependencies = [("stakes", "0004_sessions")]

    operations = [
        migrations.AddField(
            "session",
            "client",
            models.UUIDField(editable=False, help_text="the player's token that it was opened by", null=True),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
