#!/bin/sh
# Copies the database of PRIMARY_URL at the first start, then follows it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_isready -q -d "$PRIMARY_URL"; do sleep 1; done
  # The primary keeps the log that the standby has not received.
  psql -q -d "$PRIMARY_URL" -c "select pg_create_physical_replication_slot('standby')
    where not exists (select from pg_replication_slots where slot_name = 'standby')" > /dev/null
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  pg_basebackup -d "$PRIMARY_URL" -D "$PGDATA" --checkpoint=fast --wal-method=stream --slot=standby --write-recovery-conf
fi
exec postgres "$@"
