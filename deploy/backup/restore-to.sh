#!/usr/bin/env bash
# Brings the database back as it was, in a new folder, and starts it.
#
#   BACKUP_DIR=/backup ./restore-to.sh latest /var/lib/lessonbook/restored
#   BACKUP_DIR=/backup ./restore-to.sh '2026-11-15 14:30:00Z' /var/lib/lessonbook/restored 5433
#
# The third word is the port (5432 if left out). Run it as the account that PostgreSQL runs under. Nothing that is there is
# touched: it refuses a folder that exists, and only reads the backups. Ends when the database takes connections.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

when="${1:-}" to="${2:-}" port="${3:-5432}"
[ -n "$when" ] && [ -n "$to" ] || stop "say when and where: restore-to.sh latest|'YYYY-MM-DD HH:MM:SSZ' FOLDER [PORT]"
[[ "$to" == /* ]] || stop "the folder must begin with a slash: $to"
[ ! -e "$to" ] || stop "$to is there already; give a folder that is not"
zoned='^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$'
[ "$when" = latest ] || [[ "$when" =~ $zoned ]] || stop "write the time with its zone, such as '2026-11-15 14:30:00Z': $when"

# The newest base backup that was finished before that moment.
limit=99999999T999999Z
if [ "$when" != latest ]; then
  limit=$(date -u -d "$when" +%Y%m%dT%H%M%SZ)
  # PostgreSQL does not know names of zones yet, nor Z, when it reads this setting.
  target=$(date -u -d "$when" '+%Y-%m-%d %H:%M:%S.%6N+00')
fi
base=
while read -r each; do
  [[ "$(basename "$each")" > "$limit" ]] || base="$each"
done < <(base_backups)
[ -n "$base" ] || stop "no base backup in $BASE was finished by $when"
say "Base backup: $base"

# A hole in the WAL would look like its end to PostgreSQL, and everything after it would be missing without a word.
segment_size=$((16 * 1024 * 1024))
sample=$(find "$STREAM" "$ARCHIVE" "$base/pg_wal" -maxdepth 1 -regextype egrep -regex '.*/[0-9A-F]{24}' 2>/dev/null | head -n 1 || true)
[ -z "$sample" ] || segment_size=$(stat -c %s "$sample")
number_of() { echo $((16#${1:8:8} * (0x100000000 / segment_size) + 16#${1:16:8})); }
expected=$(number_of "$(first_segment "$base")")
while read -r name; do
  number=$(number_of "$name")
  [ "$number" -ge "$expected" ] || continue
  [ "$number" -eq "$expected" ] || stop "WAL is missing before $name; restore to a time before the hole instead of '$when'"
  expected=$((expected + 1))
done < <(find "$STREAM" "$ARCHIVE" "$base/pg_wal" -maxdepth 1 -regextype egrep -regex '.*/[0-9A-F]{24}(\.partial)?' -printf '%f\n' 2>/dev/null |
  cut -c 1-24 | sort -k 1.9,1.24 | uniq -s 8)

needed=$(du -sk "$base" | cut -f 1)
free=$(df --output=avail -k "$(dirname "$to")" | tail -n 1)
[ "$free" -gt "$needed" ] || stop "$needed kB are needed in $(dirname "$to"), $free kB are free"

mkdir -m 700 "$to"
cp -a --reflink=auto "$base/." "$to/"
# The copy is what will be used, so the copy is what is checked.
"$PG_BIN/pg_verifybackup" --quiet "$to" || stop "the copy in $to is not what was backed up; take an older base backup: move $base away and try again"
say "Copied and verified: $(du -sh "$to" | cut -f 1)"

# On Debian these live in /etc and are no part of a backup.
[ -f "$to/postgresql.conf" ] || : > "$to/postgresql.conf"
[ -f "$to/pg_hba.conf" ] || printf 'local all all peer\nhost all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n' > "$to/pg_hba.conf"
[ -f "$to/pg_ident.conf" ] || : > "$to/pg_ident.conf"

settings="$to/postgresql.auto.conf"
{
  # Until backups of this copy are set up: it must not write into the archive of the server that it is a copy of, and
  # must not wait for a receiver that knows nothing of it.
  echo "archive_mode = 'off'"
  echo "synchronous_standby_names = ''"
} >> "$settings"
cp "$settings" "$settings.after"
{
  echo "restore_command = 'BACKUP_DIR=\"$BACKUP_DIR\" PG_BIN=\"$PG_BIN\" \"$here/fetch-wal.sh\" %f \"%p\"'"
  # Nobody may look before it is done; and a copy may have fewer connections than the server it was made from.
  echo "hot_standby = 'off'"
  echo "recovery_target_action = 'promote'"
  [ "$when" = latest ] || echo "recovery_target_time = '$target'"
} >> "$settings"
touch "$to/recovery.signal"

log="$to.log"
gave_up() {
  tail -n 20 "$log" >&2
  ! grep -q 'recovery ended before configured recovery target was reached' "$log" ||
    stop "the backups hold no change after $when: give an earlier time, or use 'latest'"
  stop "the database could not come back to '$when'; its log is $log"
}
"$PG_BIN/pg_ctl" --pgdata="$to" --log="$log" --options="-p $port" --timeout=86400 --wait --silent start || gave_up
# pg_ctl is content when WAL is being read; we are not before it has been read. Line 8 of this file says which.
until [ "$(sed -n '8s/ *$//p' "$to/postmaster.pid" 2>/dev/null)" = ready ]; do
  "$PG_BIN/pg_ctl" --pgdata="$to" status > /dev/null || gave_up
  sleep 0.1
done
# What was needed for coming back must not be in the way of the next start.
mv "$settings.after" "$settings"
grep -h 'last completed transaction was at log time' "$log" | tail -n 1 || true
say "Restored to $when in $to, port $port. Now: npm run invariants; see docs/operating/restore.md."
