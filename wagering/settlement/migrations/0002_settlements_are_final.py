"""A settlement stays as it was written, whoever asks: what was paid wrongly is reversed in the book."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION settlement_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'settlement_is_final: settlement % was paid; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'settlement_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER settlement_is_final BEFORE UPDATE OR DELETE ON settlement_settlement
    FOR EACH ROW EXECUTE FUNCTION settlement_is_final();
"""

BACKWARD = """
DROP TRIGGER settlement_is_final ON settlement_settlement;
DROP FUNCTION settlement_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0001_settlements")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
