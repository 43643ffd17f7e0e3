#!/usr/bin/env bash
# Keeps one finished segment of WAL, for a server whose WAL cannot be streamed:
#
#   archive_command = 'BACKUP_DIR=/backup /srv/lessonbook/deploy/backup/archive-wal.sh %p %f'
#
# A segment is handed over when it is full, or after archive_timeout: so much can be lost, where streaming loses a moment.
# Success means that the file is on disk. A file that is there already is never overwritten.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

from="$1" name="$2"
mkdir -p "$ARCHIVE"
kept="$ARCHIVE/$name"

if [ -e "$kept" ]; then
  # After a crash the server hands over again what it had handed over.
  cmp -s "$from" "$kept" && exit 0
  stop "$kept is there with other contents: two servers share one archive"
fi

part=$(mktemp "$ARCHIVE/.part-XXXXXX")
trap 'rm -f "$part"' EXIT
cp "$from" "$part"
sync "$part"
# A hard link fails where mv would overwrite.
ln "$part" "$kept"
sync "$ARCHIVE"
