#!/usr/bin/env bash
# Restores the database at a given time into a new folder, and starts it.
#
#   BACKUP_DIR=/backup ./restore-to.sh latest /var/lib/lessonbook/restored
#   BACKUP_DIR=/backup ./restore-to.sh '2026-11-15 14:30:00Z' /var/lib/lessonbook/restored 5433
#
# The third argument is the port (default 5432). Run it as the account that PostgreSQL runs under. It changes no existing
# files: it refuses a folder that exists, and only reads the backups. Ends when the database accepts connections.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

when="${1:-}" to="${2:-}" port="${3:-5432}"
[ -n "$when" ] && [ -n "$to" ] || fail "usage: restore-to.sh latest|'YYYY-MM-DD HH:MM:SSZ' FOLDER [PORT]"
[[ "$to" == /* ]] || fail "the folder must begin with a slash: $to"
[ ! -e "$to" ] || fail "$to already exists; give a new folder"
zoned='^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$'
[ "$when" = latest ] || [[ "$when" =~ $zoned ]] || fail "give the time with its zone, such as '2026-11-15 14:30:00Z': $when"

# The newest base backup that finished before that time.
limit=99999999T999999Z
if [ "$when" != latest ]; then
  limit=$(date -u -d "$when" +%Y%m%dT%H%M%SZ)
  # When PostgreSQL reads this setting it cannot parse zone names or Z yet.
  target=$(date -u -d "$when" '+%Y-%m-%d %H:%M:%S.%6N+00')
fi
base=
while read -r each; do
  [[ "$(basename "$each")" > "$limit" ]] || base="$each"
done < <(base_backups)
[ -n "$base" ] || fail "no base backup in $BASE was finished by $when"
info "Base backup: $base"

# PostgreSQL would treat a gap in the WAL as its end and silently lose everything after it.
segment_size=$((16 * 1024 * 1024))
sample=$(find "$STREAM" "$ARCHIVE" "$base/pg_wal" -maxdepth 1 -regextype egrep -regex '.*/[0-9A-F]{24}' 2>/dev/null | head -n 1 || true)
[ -z "$sample" ] || segment_size=$(stat -c %s "$sample")
segment_number() { echo $((16#${1:8:8} * (0x100000000 / segment_size) + 16#${1:16:8})); }
expected=$(segment_number "$(first_segment "$base")")
while read -r name; do
  number=$(segment_number "$name")
  [ "$number" -ge "$expected" ] || continue
  [ "$number" -eq "$expected" ] || fail "WAL is missing before $name; restore to a time before the gap instead of '$when'"
  expected=$((expected + 1))
done < <(find "$STREAM" "$ARCHIVE" "$base/pg_wal" -maxdepth 1 -regextype egrep -regex '.*/[0-9A-F]{24}(\.partial)?' -printf '%f\n' 2>/dev/null |
  cut -c 1-24 | sort -k 1.9,1.24 | uniq -s 8)

needed=$(du -sk "$base" | cut -f 1)
free=$(df --output=avail -k "$(dirname "$to")" | tail -n 1)
[ "$free" -gt "$needed" ] || fail "$needed kB are needed in $(dirname "$to"), $free kB are free"

mkdir -m 700 "$to"
cp -a --reflink=auto "$base/." "$to/"
# Verify the copy, because the copy is what will be used.
"$PG_BIN/pg_verifybackup" --quiet "$to" || fail "the copy in $to does not match the backup; use an older base backup: move $base away and try again"
info "Copied and verified: $(du -sh "$to" | cut -f 1)"

# On Debian these files are in /etc and not part of a backup.
[ -f "$to/postgresql.conf" ] || : > "$to/postgresql.conf"
[ -f "$to/pg_hba.conf" ] || printf 'local all all peer\nhost all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n' > "$to/pg_hba.conf"
[ -f "$to/pg_ident.conf" ] || : > "$to/pg_ident.conf"

settings="$to/postgresql.auto.conf"
{
  # Until backups of this copy are set up: it must not write into the archive of the original server, and must not wait
  # for the original's receiver.
  echo "archive_mode = 'off'"
  echo "synchronous_standby_names = ''"
} >> "$settings"
cp "$settings" "$settings.after"
{
  echo "restore_command = 'BACKUP_DIR=\"$BACKUP_DIR\" PG_BIN=\"$PG_BIN\" \"$here/fetch-wal.sh\" %f \"%p\"'"
  # No connections before the restore is complete; also, a copy may allow fewer connections than the original server.
  echo "hot_standby = 'off'"
  echo "recovery_target_action = 'promote'"
  [ "$when" = latest ] || echo "recovery_target_time = '$target'"
} >> "$settings"
touch "$to/recovery.signal"

log="$to.log"
fail_recovery() {
  tail -n 20 "$log" >&2
  ! grep -q 'recovery ended before configured recovery target was reached' "$log" ||
    fail "the backups contain no changes after $when: give an earlier time, or use 'latest'"
  fail "the database could not be restored to '$when'; its log is $log"
}
"$PG_BIN/pg_ctl" --pgdata="$to" --log="$log" --options="-p $port" --timeout=86400 --wait --silent start || fail_recovery
# pg_ctl returns while WAL is still being replayed; wait for "ready" in line 8 of this file.
until [ "$(sed -n '8s/ *$//p' "$to/postmaster.pid" 2>/dev/null)" = ready ]; do
  "$PG_BIN/pg_ctl" --pgdata="$to" status > /dev/null || fail_recovery
  sleep 0.1
done
# The recovery settings must not affect the next start.
mv "$settings.after" "$settings"
grep -h 'last completed transaction was at log time' "$log" | tail -n 1 || true
info "Restored to $when in $to, port $port. Now: npm run invariants; see docs/operating/restore.md."
