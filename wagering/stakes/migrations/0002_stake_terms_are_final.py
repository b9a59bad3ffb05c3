"""What two players agreed to stays as it was when they sat down; only a held stake is closed, once."""

from django.db import migrations

# Compared by their image (*=): an amount of more decimals is another amount to the rules.
FORWARD = """
CREATE FUNCTION stake_terms_are_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    closed public.stakes_stake;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state = 'held' AND NEW.state IN ('released', 'settled') THEN
        closed := OLD;
        closed.state := NEW.state;
        IF closed *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'stake_terms_are_final: stake % was agreed at sit-down and is %; % is refused',
            OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'stake_terms_are_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER stake_terms_are_final BEFORE UPDATE OR DELETE ON stakes_stake
    FOR EACH ROW EXECUTE FUNCTION stake_terms_are_final();
"""

BACKWARD = """
DROP TRIGGER stake_terms_are_final ON stakes_stake;
DROP FUNCTION stake_terms_are_final();
"""


class Migration(migrations.Migration):
    dependencies = [("stakes", "0001_stakes")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
