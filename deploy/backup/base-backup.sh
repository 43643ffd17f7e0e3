#!/usr/bin/env bash
# Takes a base backup of the running server and verifies it before giving it its final name.
#
#   BACKUP_DIR=/backup PGHOST=db.example PGUSER=lessonbook_backup ./base-backup.sh
#
# It includes the WAL written during the backup, so it can be restored without other files. To restore to a later time,
# stream-wal.sh must have been running since before the backup.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir -p "$BASE"
unfinished="$BASE/.unfinished-$$"
trap 'rm -rf "$unfinished"' EXIT

"$PG_BIN/pg_basebackup" --pgdata="$unfinished" --format=plain --wal-method=stream --checkpoint=fast \
  --manifest-checksums=CRC32C --label=lessonbook --no-password
"$PG_BIN/pg_verifybackup" --quiet "$unfinished"

# The name is the time at which the backup finished, which is the earliest time it can be restored to.
finished="$BASE/$(date -u +%Y%m%dT%H%M%SZ)"
[ ! -e "$finished" ] || fail "$finished already exists"
mv --no-target-directory "$unfinished" "$finished"
sync "$BASE"
info "Base backup: $finished ($(du -sh "$finished" | cut -f 1)), verified"
