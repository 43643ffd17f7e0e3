#!/usr/bin/env bash
# Archives one finished WAL segment, for a server whose WAL cannot be streamed:
#
#   archive_command = 'BACKUP_DIR=/backup /srv/lessonbook/deploy/backup/archive-wal.sh %p %f'
#
# PostgreSQL calls this when a segment is full or after archive_timeout, so a crash can lose more data than with streaming.
# Success means that the file is on disk. An existing file is never overwritten.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

from="$1" name="$2"
mkdir -p "$ARCHIVE"
target="$ARCHIVE/$name"

if [ -e "$target" ]; then
  # After a crash the server archives the same segment again.
  cmp -s "$from" "$target" && exit 0
  fail "$target already exists with different contents: two servers share one archive"
fi

part=$(mktemp "$ARCHIVE/.part-XXXXXX")
trap 'rm -f "$part"' EXIT
cp "$from" "$part"
sync "$part"
# A hard link fails where mv would overwrite.
ln "$part" "$target"
sync "$ARCHIVE"
