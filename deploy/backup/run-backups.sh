#!/bin/sh
# Makes a backup now and then once a day: a full one on Sundays, and of what changed on other days. The first is always full.
set -eu
trap 'exit 0' TERM INT
pgbackrest stanza-create
while :; do
  type=incr
  if [ "$(date +%u)" = 7 ]; then type=full; fi
  # A backup that fails must not end the schedule: the next one may succeed.
  pgbackrest check && pgbackrest --type="$type" backup || echo "the backup failed; the next one is in a day" >&2
  sleep 86400 &
  wait $!
done
