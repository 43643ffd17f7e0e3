#!/usr/bin/env bash
# Archives one finished WAL segment, for a server whose WAL cannot be streamed:
#
#   archive_command = 'BACKUP_DIR=/backup /srv/lessonbook/deploy/backup/archive-wal.sh %p %f'
#
# PostgreSQL calls this when a segment is full or after archive_timeout: so much can be lost, more than with streaming.
# Success means that the file is on disk. An existing file is never overwritten.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

from="$1" name="$2"
mkdir -p "$ARCHIVE"
kept="$ARCHIVE/$name"

if [ -e "$kept" ]; then
  # After a crash the server archives the same segment again.
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
