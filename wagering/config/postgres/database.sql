-- What one database grants. Applied by its owner at every migrate; running it again changes nothing.

SELECT pg_catalog.set_config('client_min_messages', 'warning', true);

DO $$
BEGIN
    EXECUTE pg_catalog.format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, app', pg_catalog.current_database());
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC, app;
GRANT USAGE ON SCHEMA public TO app, book_writer;

-- Tables of games, ratings and wagering are the service's to write; ledger/sql takes its own away again.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO app;
