#!/usr/bin/env bash
# Takes a base backup of the whole server while it works, and checks every byte of it before it counts.
#
#   BACKUP_DIR=/backup PGHOST=db.example PGUSER=lessonbook_backup ./base-backup.sh
#
# It holds the WAL of the time in which it was made, so it can be restored by itself. To come further than that moment,
# stream-wal.sh must be running, and have been started before.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir -p "$BASE"
unfinished="$BASE/.unfinished-$$"
trap 'rm -rf "$unfinished"' EXIT

"$PG_BIN/pg_basebackup" --pgdata="$unfinished" --format=plain --wal-method=stream --checkpoint=fast \
  --manifest-checksums=CRC32C --label=lessonbook --no-password
"$PG_BIN/pg_verifybackup" --quiet "$unfinished"

# The name is when it was finished: it is good for every moment after that, and for none before.
finished="$BASE/$(date -u +%Y%m%dT%H%M%SZ)"
[ ! -e "$finished" ] || stop "$finished is there already"
mv --no-target-directory "$unfinished" "$finished"
sync "$BASE"
say "Base backup: $finished ($(du -sh "$finished" | cut -f 1)), verified"
