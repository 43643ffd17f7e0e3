import type { ExportTable } from './export-table.ts';

export const CALENDAR_TABLES: readonly ExportTable[] = [
  {
    table: 'calendar_connections',
    columns: ['calendar_id', 'connected_at', 'failure_reason', 'last_sync_at', 'synced_from'],
    excluded: {
      encrypted_token: 'a secret',
      sync_token: "a mark of Google's for where reading ended",
      due_at: 'when our worker looks next',
      leased_until: 'when our worker looks next',
      next_try_at: 'when our worker looks next',
      failures: 'when our worker looks next',
      channel_id: "a channel of Google's, half of a secret",
      channel_resource: "a channel of Google's, half of a secret",
      channel_expires_at: "a channel of Google's",
      initial_sync_done: 'a note of our worker',
    },
  },
  {
    table: 'calendar_events',
    columns: ['event_id', 'session_id', 'synced_ends_at', 'synced_starts_at'],
    excluded: {
      etag: "a mark of Google's for a version",
      synced_hash: 'a fingerprint',
      pending_hash: 'a fingerprint',
      overwrite_remote: 'a note of our worker',
      removed: 'a note of our worker',
      rejected_hash: 'a fingerprint',
    },
  },
  {
    table: 'external_changes',
    columns: ['id', 'created_at', 'ends_at', 'kind', 'outcome', 'session_id', 'starts_at'],
  },
  {
    table: 'calendar_feeds',
    columns: ['created_at'],
    excluded: {
      token: 'whoever has it can read the feed',
    },
  },
];
