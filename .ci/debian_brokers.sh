# Sourced by .ci/run: Debian's own Redis and RabbitMQ on free ports, in a folder of ours. Sets REDIS_URL and RABBITMQ_URL.

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start_debian_redis() {
    brokers_folder=$1
    mkdir -p "$brokers_folder"
    local port
    port=$(free_port)
    redis-server --bind 127.0.0.1 --port "$port" --dir "$brokers_folder" --appendonly yes --save '' \
        --maxmemory-policy noeviction --daemonize yes --pidfile "$brokers_folder/redis.pid" --logfile redis.log
    export REDIS_URL=redis://127.0.0.1:$port/0
    local tries
    for tries in $(seq 50); do # the daemon may listen a moment later
        redis-cli -u "$REDIS_URL" ping >/dev/null 2>&1 && break
        sleep 0.1
    done
    redis-cli -u "$REDIS_URL" info server | grep -o 'redis_version:[0-9.]*'
}

# A node of its own name and folders, so that one which Debian may run is left alone.
rabbitmq() {
    local as=()
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid=rabbitmq --regid=rabbitmq --clear-groups)
    (
        cd "$brokers_folder/rabbitmq"
        env HOME="$PWD" RABBITMQ_NODENAME="ci-$rabbitmq_port@localhost" RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 \
            RABBITMQ_NODE_PORT="$rabbitmq_port" RABBITMQ_DIST_PORT="$((rabbitmq_port + 1))" ERL_EPMD_ADDRESS=127.0.0.1 \
            RABBITMQ_MNESIA_BASE="$PWD/data" RABBITMQ_LOG_BASE="$PWD/log" RABBITMQ_PID_FILE="$PWD/pid" \
            RABBITMQ_ENABLED_PLUGINS_FILE="$PWD/plugins" RABBITMQ_CONF_ENV_FILE="$PWD/none" \
            "${as[@]}" "/usr/lib/rabbitmq/bin/$1" "${@:2}"
    )
}

start_debian_rabbitmq() {
    brokers_folder=$1
    mkdir -p "$brokers_folder/rabbitmq"
    [ "$(id -u)" != 0 ] || chown -R rabbitmq "$brokers_folder/rabbitmq"
    rabbitmq_port=$(free_port)
    rabbitmq rabbitmq-server -detached >"$brokers_folder/rabbitmq.out" 2>&1
    local tries
    for tries in $(seq 60); do
        rabbitmq rabbitmqctl -q await_startup >/dev/null 2>&1 && break
        sleep 1
    done
    export RABBITMQ_URL=amqp://guest:guest@127.0.0.1:$rabbitmq_port//
    echo "RabbitMQ $(rabbitmq rabbitmqctl -q version 2>/dev/null)"
}

stop_debian_brokers() {
    [ ! -e "$brokers_folder/redis.pid" ] || kill "$(cat "$brokers_folder/redis.pid")"
    rabbitmq rabbitmqctl -q stop >/dev/null 2>&1 || true
}
