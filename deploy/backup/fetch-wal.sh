#!/usr/bin/env bash
# The counterpart of stream-wal.sh and archive-wal.sh: copies the requested segment for a server that is being restored. Set
# by restore-to.sh as restore_command. Fails if there is no such segment, which PostgreSQL treats as the end of the WAL.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="$1" to="$2"
# A complete segment is preferred to a partial one.
for file in "$STREAM/$name" "$ARCHIVE/$name" "$STREAM/$name.partial"; do
  if [ -f "$file" ]; then
    cp "$file" "$to"
    exit 0
  fi
done
exit 1
