#!/bin/sh
# Run once by the image of PostgreSQL, when the cluster is new: psql's variables carry the passwords.
set -eu
psql -X -q -v ON_ERROR_STOP=1 -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" \
    -U "$POSTGRES_USER" -d postgres -f /srv/roles.sql
