-- Who may do what. Run once a cluster by a superuser, with psql; running it again changes nothing.
--
--   book_owner    owns the database and migrates it; no superuser. CREATEDB, so that the bench can make its own.
--   app           the service. Reads the book and calls its functions; owns nothing, creates nothing.
--   book_writer   nobody logs in as it: it owns the book's functions, which alone may write the book.
--
-- In production give the passwords:  psql -v owner_password=... -v app_password=... -f roles.sql
-- What a single database grants is in wagering/config/postgres/database.sql, which migrate applies.

SET client_min_messages = warning;

SELECT format('CREATE ROLE %I', role)
FROM unnest(ARRAY['book_owner', 'app', 'book_writer']) AS role
WHERE role NOT IN (SELECT rolname FROM pg_catalog.pg_roles)
\gexec

ALTER ROLE book_owner LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE book_writer NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;

\if :{?owner_password}
ALTER ROLE book_owner PASSWORD :'owner_password';
\endif
\if :{?app_password}
ALTER ROLE app PASSWORD :'app_password';
\endif

-- The owner hands functions over to the writer, for which he must be a member of it.
GRANT book_writer TO book_owner;

-- A request that waits longer than this is answered "try again", not left hanging on a lock.
ALTER ROLE app SET lock_timeout = '5s';
ALTER ROLE app SET statement_timeout = '30s';
ALTER ROLE app SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE app SET default_transaction_isolation = 'read committed';

SELECT 'CREATE DATABASE backgammon OWNER book_owner TEMPLATE template0 ENCODING ''UTF8'' LC_COLLATE ''C'' LC_CTYPE ''C'''
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_database WHERE datname = 'backgammon')
\gexec
