#!/usr/bin/env bash
# Receives every change as it is written and puts it on disk at once. Runs for ever; let systemd start it again.
#
#   BACKUP_DIR=/backup PGHOST=db.example PGUSER=lessonbook_backup ./stream-wal.sh
#
# The slot keeps the server from throwing away what was not received yet. A receiver that stays away for long would fill
# the server's disk: set max_slot_wal_keep_size there.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

slot=lessonbook_wal
# By this name the server may be told to wait for us: synchronous_standby_names.
export PGAPPNAME="$slot"

mkdir -p "$STREAM"
"$PG_BIN/pg_receivewal" --slot="$slot" --create-slot --if-not-exists --no-password
exec "$PG_BIN/pg_receivewal" --slot="$slot" --directory="$STREAM" --synchronous --status-interval=1 --no-password
