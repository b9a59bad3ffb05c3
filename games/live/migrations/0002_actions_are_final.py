"""What happened at a table stays as it was written down, and so does the seed to which the server bound itself."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION action_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'action_is_final: table % has its %; % is refused', OLD.live_id, TG_ARGV[0], TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'action_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER action_is_final BEFORE UPDATE OR DELETE ON live_action
    FOR EACH ROW EXECUTE FUNCTION action_is_final('actions');
CREATE TRIGGER action_is_final BEFORE UPDATE OR DELETE ON live_secret
    FOR EACH ROW EXECUTE FUNCTION action_is_final('seed');
"""

BACKWARD = """
DROP TRIGGER action_is_final ON live_secret;
DROP TRIGGER action_is_final ON live_action;
DROP FUNCTION action_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("live", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
