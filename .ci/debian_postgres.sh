# Sourced by .ci/run: Debian's own PostgreSQL on a free port, with the roles of production and passwords.
# Sets DATABASE_URL, DATABASE_OWNER_URL and DATABASE_SUPERUSER_URL.

debian_bin=$(dirname "$(ls -d /usr/lib/postgresql/*/bin/initdb | sort -V | head -n 1)")
debian_as=()
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
    debian_as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi

debian_tool() { (cd / && "${debian_as[@]}" "$debian_bin/$1" -D "$debian_folder/data" "${@:2}"); }

start_debian_postgres() {
    debian_folder=$1
    local port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    mkdir -p "$debian_folder"
    printf 'super' >"$debian_folder/password"
    [ "$(id -u)" != 0 ] || chown -R nobody "$debian_folder"
    debian_tool initdb -U postgres -A scram-sha-256 --pwfile "$debian_folder/password" --locale=C -E UTF8 --no-sync >/dev/null
    debian_tool pg_ctl start -w -s -l "$debian_folder/log" -o \
        "-c listen_addresses=127.0.0.1 -p $port -c unix_socket_directories= -c fsync=off -c timezone=UTC"

    export DATABASE_SUPERUSER_URL=postgresql://postgres:super@127.0.0.1:$port/postgres
    export DATABASE_OWNER_URL=postgresql://book_owner:owner@127.0.0.1:$port/backgammon
    export DATABASE_URL=postgresql://app:service@127.0.0.1:$port/backgammon
    export SECRET_KEY=only-for-tests
    "$debian_bin/psql" -X -q -v ON_ERROR_STOP=1 -v owner_password=owner -v app_password=service \
        -d "$DATABASE_SUPERUSER_URL" -f docker/postgres/roles.sql
    "$debian_bin/psql" -X -A -t -d "$DATABASE_URL" -c "SELECT 'PostgreSQL ' || current_setting('server_version')"
}

stop_debian_postgres() { debian_tool pg_ctl stop -s -m fast; }
