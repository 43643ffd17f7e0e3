#!/usr/bin/env bash
# Keeps the newest base backups and the WAL they need; removes the rest.
#
#   BACKUP_DIR=/backup ./prune.sh 7
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

keep="${1:-}"
[[ "$keep" =~ ^[1-9][0-9]*$ ]] || fail "give the number of base backups to keep, at least one: prune.sh 7"

mapfile -t all < <(base_backups)
[ "${#all[@]}" -gt 0 ] || fail "there is no base backup in $BASE; nothing is removed"

surplus=$((${#all[@]} - keep))
for ((index = 0; index < surplus; index++)); do
  # Rename first: a partly removed backup must never be restored.
  mv "${all[index]}" "$BASE/.removed-$(basename "${all[index]}")"
done
rm -rf "$BASE"/.removed-*

oldest="${all[surplus > 0 ? surplus : 0]}"
segment=$(first_segment "$oldest")
[ -n "$segment" ] || fail "$oldest does not record which WAL it needs; no WAL is removed"
for folder in "$STREAM" "$ARCHIVE"; do
  [ ! -d "$folder" ] || "$PG_BIN/pg_archivecleanup" "$folder" "$segment"
done
info "Kept: base backups from $(basename "$oldest") on, and WAL from $segment on"
