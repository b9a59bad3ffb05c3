"""A sweep is written once."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION commission_sweep_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'commission_sweep_is_final: sweep % was made; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'commission_sweep_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER commission_sweep_is_final BEFORE UPDATE OR DELETE ON sweeps_commissionsweep
    FOR EACH ROW EXECUTE FUNCTION commission_sweep_is_final();
"""

BACKWARD = """
DROP TRIGGER commission_sweep_is_final ON sweeps_commissionsweep;
DROP FUNCTION commission_sweep_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("sweeps", "0001_commission_sweeps")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
