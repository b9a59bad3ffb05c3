"""What was found stays found: an alert is judged once, and nothing else of it changes."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION alert_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state = 'open' AND NEW.state <> 'open'
        AND (NEW.id, NEW.kind, NEW.loser_id, NEW.winner_id, NEW.currency, NEW.score, NEW.evidence, NEW.opened_at)
            IS NOT DISTINCT FROM
            (OLD.id, OLD.kind, OLD.loser_id, OLD.winner_id, OLD.currency, OLD.score, OLD.evidence, OLD.opened_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'alert_is_final: alert % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'alert_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER alert_is_final BEFORE UPDATE OR DELETE ON surveillance_alert
    FOR EACH ROW EXECUTE FUNCTION alert_is_final();
"""

BACKWARD = """
DROP TRIGGER alert_is_final ON surveillance_alert;
DROP FUNCTION alert_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("surveillance", "0001_alerts")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
