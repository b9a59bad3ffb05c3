"""A published tariff version stays as it was published, whoever asks.

The checksum is the database's own, over the text as stored. The trigger refuses and never writes.
"""

from django.db import migrations

FORWARD = """
ALTER TABLE commission_tariffversion ADD CONSTRAINT tariff_version_matches_its_sha256
    CHECK (sha256 = encode(sha256(convert_to(text, 'UTF8')), 'hex'));

CREATE FUNCTION tariff_version_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'tariff_version_is_final: % % was published; % is refused', OLD.name, OLD.version, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'tariff_version_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER tariff_version_is_final BEFORE UPDATE OR DELETE ON commission_tariffversion
    FOR EACH ROW EXECUTE FUNCTION tariff_version_is_final();
"""

BACKWARD = """
DROP TRIGGER tariff_version_is_final ON commission_tariffversion;
DROP FUNCTION tariff_version_is_final();
ALTER TABLE commission_tariffversion DROP CONSTRAINT tariff_version_matches_its_sha256;
"""


class Migration(migrations.Migration):
    dependencies = [("commission", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
