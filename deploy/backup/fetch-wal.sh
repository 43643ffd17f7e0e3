#!/usr/bin/env bash
# The twin of stream-wal.sh and archive-wal.sh: gives a server that is being restored the segment it asks for. Set by
# restore-to.sh as restore_command. Fails where there is none, which is how PostgreSQL knows that it has come to the end.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="$1" to="$2"
# The unfinished one comes last: what is whole is preferred.
for file in "$STREAM/$name" "$ARCHIVE/$name" "$STREAM/$name.partial"; do
  if [ -f "$file" ]; then
    cp "$file" "$to"
    exit 0
  fi
done
exit 1
