#!/usr/bin/env bash
# Receives WAL as it is written and syncs it to disk immediately. Runs continuously; let systemd restart it.
#
#   BACKUP_DIR=/backup PGHOST=db.example PGUSER=lessonbook_backup ./stream-wal.sh
#
# The slot makes the server keep WAL that was not received yet. A receiver that is down for long would fill the server's
# disk: set max_slot_wal_keep_size there.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

slot=lessonbook_wal
# The name for synchronous_standby_names, if the server should wait for this receiver.
export PGAPPNAME="$slot"

mkdir -p "$STREAM"
"$PG_BIN/pg_receivewal" --slot="$slot" --create-slot --if-not-exists --no-password
exec "$PG_BIN/pg_receivewal" --slot="$slot" --directory="$STREAM" --synchronous --status-interval=1 --no-password
