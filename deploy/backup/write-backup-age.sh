#!/usr/bin/env bash
# Writes the time of the newest backup into a file that Prometheus' node exporter reads (--collector.textfile.directory).
#
#   BACKUP_DIR=/backup ./write-backup-age.sh /var/lib/prometheus/node-exporter/lessonbook_backup.prom
#   pgbackrest --stanza=lessonbook --output=json info | ./write-backup-age.sh --pgbackrest /…/lessonbook_backup.prom
#
# If there is no backup the file has no value, and the alert DatabaseBackupOld reports it.
set -euo pipefail

if [ "${1:-}" = --pgbackrest ]; then
  file="${2:?Give the file to write}"
  # The end of each backup of each stanza.
  newest=$(grep -oE '"stop":[0-9]+' | cut -d : -f 2 | sort -n | tail -n 1 || true)
else
  file="${1:?Give the file to write}"
  : "${BACKUP_DIR:?Set BACKUP_DIR to the folder for the backups}"
  # The name of a base backup is the time at which it finished: 20261115T020000Z.
  name=$(find "$BACKUP_DIR/base" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z' -printf '%f\n' 2>/dev/null | sort | tail -n 1 || true)
  newest=''
  [ -z "$name" ] || newest=$(date -u -d "${name:0:4}-${name:4:2}-${name:6:2} ${name:9:2}:${name:11:2}:${name:13:2}" +%s)
fi

# Under another name first, because the exporter may read at any time.
unfinished="$file.$$"
trap 'rm -f "$unfinished"' EXIT
{
  echo '# HELP lessonbook_backup_completed_seconds When the newest backup was completed, in seconds since 1970.'
  echo '# TYPE lessonbook_backup_completed_seconds gauge'
  [ -z "$newest" ] || echo "lessonbook_backup_completed_seconds $newest"
} > "$unfinished"
chmod 644 "$unfinished"
mv "$unfinished" "$file"
