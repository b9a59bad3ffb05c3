"""What was said stays: a word is only ever confirmed, withdrawn, lifted or ended, once, by what is added to its row."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION protection_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    was     jsonb;
    becomes jsonb;
    added   text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        was := to_jsonb(OLD);
        becomes := to_jsonb(NEW);
        FOREACH added IN ARRAY coalesce(TG_ARGV, '{}') LOOP
            IF was -> added IN ('null', '""') THEN
                was := was - added;
                becomes := becomes - added;
            END IF;
        END LOOP;
        IF was = becomes THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '%_is_final: it was said; % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_TABLE_NAME || '_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER limit_is_final BEFORE UPDATE OR DELETE ON protection_limit
    FOR EACH ROW EXECUTE FUNCTION protection_is_final('confirmed_at', 'withdrawn_at');
CREATE TRIGGER exclusion_is_final BEFORE UPDATE OR DELETE ON protection_exclusion
    FOR EACH ROW EXECUTE FUNCTION protection_is_final('lift_asked_at', 'lifts_at');
CREATE TRIGGER review_is_final BEFORE UPDATE OR DELETE ON protection_review
    FOR EACH ROW EXECUTE FUNCTION protection_is_final();
CREATE TRIGGER funds_lock_is_final BEFORE UPDATE OR DELETE ON protection_fundslock
    FOR EACH ROW EXECUTE FUNCTION protection_is_final('lifted_at', 'lifted_by_id', 'lifted_reason');
CREATE TRIGGER absence_is_final BEFORE UPDATE OR DELETE ON protection_absence
    FOR EACH ROW EXECUTE FUNCTION protection_is_final('amount', 'unclaimed_at', 'ended_at');
"""

BACKWARD = """
DROP TRIGGER limit_is_final ON protection_limit;
DROP TRIGGER exclusion_is_final ON protection_exclusion;
DROP TRIGGER review_is_final ON protection_review;
DROP TRIGGER funds_lock_is_final ON protection_fundslock;
DROP TRIGGER absence_is_final ON protection_absence;
DROP FUNCTION protection_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("protection", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
