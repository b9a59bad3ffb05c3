"""Where an endpoint is stays: what is sent to operators is led nowhere else by an edit."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION endpoint_stays_where_it_is() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'endpoint_stays_where_it_is: endpoint %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'endpoint_stays_where_it_is', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER endpoint_stays_where_it_is BEFORE UPDATE ON notices_endpoint
    FOR EACH ROW WHEN (OLD.url IS DISTINCT FROM NEW.url) EXECUTE FUNCTION endpoint_stays_where_it_is();
"""

BACKWARD = """
DROP TRIGGER endpoint_stays_where_it_is ON notices_endpoint;
DROP FUNCTION endpoint_stays_where_it_is();
"""


class Migration(migrations.Migration):
    dependencies = [("notices", "0002_notices_are_final")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
