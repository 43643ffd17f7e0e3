# Read by the other scripts: strictness, where things are, and how to speak. Needs bash and PostgreSQL's own programs (15 to 18).
#
# BACKUP_DIR   where backups live; best on another machine than the database
# PG_BIN       folder with pg_basebackup and the others; found by itself on Debian
# The database is named as for every PostgreSQL program: PGHOST, PGPORT, PGUSER, and the password in ~/.pgpass.
set -euo pipefail
umask 077

say() { printf '%s\n' "$*"; }
stop() {
  printf 'STOPPED: %s\n' "$*" >&2
  exit 1
}

: "${BACKUP_DIR:?Set BACKUP_DIR to the folder of the backups}"
[[ "$BACKUP_DIR" == /* ]] || stop "BACKUP_DIR must begin with a slash: $BACKUP_DIR"

# Finished base backups, each named after the moment it was finished.
BASE="$BACKUP_DIR/base"
# What stream-wal.sh receives, and what archive-wal.sh is handed.
STREAM="$BACKUP_DIR/wal"
ARCHIVE="$BACKUP_DIR/archive"

if [ -z "${PG_BIN:-}" ]; then
  PG_BIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  [ -n "$PG_BIN" ] || PG_BIN=$(dirname "$(command -v pg_basebackup || echo /nowhere/pg_basebackup)")
fi
[ -x "$PG_BIN/pg_basebackup" ] || stop "no pg_basebackup in $PG_BIN: set PG_BIN to PostgreSQL's folder of programs"

# Oldest first. A backup that is still being made begins with a dot and is not among them.
base_backups() {
  [ -d "$BASE" ] || return 0
  find "$BASE" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*Z' | sort
}

# The first segment of WAL that a base backup needs.
first_segment() {
  sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$1/backup_label"
}
