"""How often an engine was asked about a game, which it may not survive, and when last."""

from django.db import migrations, models

# As it was, but for the two columns below: they change until there is a record.
FORWARD = """
CREATE OR REPLACE FUNCTION adjudication_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    judged public.settlement_adjudication;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state <> 'settled' THEN
        judged := OLD;
        judged.state := NEW.state;
        judged.reason := NEW.reason;
        IF OLD.analysed_at IS NULL THEN
            judged.record := NEW.record;
            judged.analysed_at := NEW.analysed_at;
            judged.attempts := NEW.attempts;  -- from here
            judged.asked_at := NEW.asked_at;  -- from here
        END IF;
        IF judged *= NEW AND (OLD.state <> 'analysed' OR NEW.state IN ('analysed', 'settled')) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'adjudication_is_final: stake % was left and is %; % is refused', OLD.stake_id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'adjudication_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""

BACKWARD = "\n".join(line for line in FORWARD.splitlines() if not line.endswith("-- from here"))


class Migration(migrations.Migration):
    dependencies = [("settlement", "0004_adjudications_and_rulings_are_final")]

    operations = [
        migrations.AddField("adjudication", "attempts", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("adjudication", "asked_at", models.DateTimeField(blank=True, null=True)),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
