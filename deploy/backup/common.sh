# Sourced by the other scripts: shell options, paths and output functions. Needs bash and PostgreSQL's programs (15 to 18).
#
# BACKUP_DIR   folder for the backups, preferably on a different machine from the database
# PG_BIN       folder of pg_basebackup and the other programs; detected on Debian
# The connection is configured as for any PostgreSQL program: PGHOST, PGPORT, PGUSER, and the password in ~/.pgpass.
set -euo pipefail
umask 077

info() { printf '%s\n' "$*"; }
fail() {
  printf 'ERROR: %s\n' "$*" >&2
  exit 1
}

: "${BACKUP_DIR:?Set BACKUP_DIR to the folder for the backups}"
[[ "$BACKUP_DIR" == /* ]] || fail "BACKUP_DIR must begin with a slash: $BACKUP_DIR"

# Finished base backups, each named after the time at which it finished.
BASE="$BACKUP_DIR/base"
# WAL from stream-wal.sh and from archive-wal.sh.
STREAM="$BACKUP_DIR/wal"
ARCHIVE="$BACKUP_DIR/archive"

if [ -z "${PG_BIN:-}" ]; then
  PG_BIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  [ -n "$PG_BIN" ] || PG_BIN=$(dirname "$(command -v pg_basebackup || echo /nowhere/pg_basebackup)")
fi
[ -x "$PG_BIN/pg_basebackup" ] || fail "no pg_basebackup in $PG_BIN: set PG_BIN to the folder of PostgreSQL's programs"

# Oldest first. An unfinished backup has a name with a leading dot and is not listed.
base_backups() {
  [ -d "$BASE" ] || return 0
  find "$BASE" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*Z' | sort
}

# The first WAL segment that a base backup needs.
first_segment() {
  sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$1/backup_label"
}
