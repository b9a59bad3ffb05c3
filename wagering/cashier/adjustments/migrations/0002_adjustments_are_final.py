"""An adjustment is asked for once and confirmed once."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION adjustment_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    done public.adjustments_adjustment;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.done_at IS NULL THEN
        done := OLD;
        done.done_at := NEW.done_at;
        done.confirmed_by_id := NEW.confirmed_by_id;
        IF done *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'adjustment_is_final: adjustment %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'adjustment_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER adjustment_is_final BEFORE UPDATE OR DELETE ON adjustments_adjustment
    FOR EACH ROW EXECUTE FUNCTION adjustment_is_final();
"""

BACKWARD = """
DROP TRIGGER adjustment_is_final ON adjustments_adjustment;
DROP FUNCTION adjustment_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("adjustments", "0001_adjustments")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
