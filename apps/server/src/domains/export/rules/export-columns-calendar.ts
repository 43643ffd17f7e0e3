import type { ExportTable } from './export-table-type.ts';

export const CALENDAR_TABLES: readonly ExportTable[] = [
  {
    table: 'calendar_connections',
    columns: [
      'allows_google_meet',
      'calendar_id',
      'connected_at',
      'failure_reason',
      'last_sync_at',
      'synced_from',
    ],
    excluded: {
      encrypted_token: 'a secret',
      sync_token: "Google's cursor for incremental sync",
      due_at: 'sync scheduling',
      leased_until: 'sync scheduling',
      next_try_at: 'sync scheduling',
      failures: 'sync scheduling',
      channel_id: 'watch channel, part of a secret',
      channel_resource: 'watch channel, part of a secret',
      channel_expires_at: 'watch channel',
      initial_sync_done: 'sync state',
    },
  },
  {
    table: 'calendar_events',
    columns: ['event_id', 'session_id', 'synced_ends_at', 'synced_starts_at'],
    excluded: {
      etag: "Google's version of the event",
      synced_hash: 'a content hash',
      pending_hash: 'a content hash',
      overwrite_remote: 'sync state',
      removed: 'sync state',
      rejected_hash: 'a content hash',
      conference_status: 'sync state; the link is in sessions',
      conference_number: 'sync state',
      conference_checks: 'sync scheduling',
      conference_check_at: 'sync scheduling',
    },
  },
  {
    table: 'external_changes',
    columns: ['id', 'created_at', 'ends_at', 'kind', 'outcome', 'session_id', 'starts_at'],
  },
];
