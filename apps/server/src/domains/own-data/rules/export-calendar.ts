import type { Kind } from './export-kind.ts';

export const CALENDAR_KINDS: readonly Kind[] = [
  {
    table: 'calendar_links',
    columns: ['calendar_id', 'connected_at', 'last_sync_at', 'problem', 'since'],
    leftOut: {
      sealed_token: 'a secret',
      sync_token: "a mark of Google's for where reading ended",
      due_at: 'when our worker looks next',
      leased_until: 'when our worker looks next',
      next_try_at: 'when our worker looks next',
      failures: 'when our worker looks next',
      channel_id: "a channel of Google's, half of a secret",
      channel_resource: "a channel of Google's, half of a secret",
      channel_expires_at: "a channel of Google's",
      filled: 'a note of our worker',
    },
  },
  {
    table: 'calendar_events',
    columns: ['event_id', 'sent_ends_at', 'sent_starts_at', 'session_id'],
    leftOut: {
      etag: "a mark of Google's for a version",
      sent: 'a fingerprint',
      sending: 'a fingerprint',
      forced: 'a note of our worker',
      removed: 'a note of our worker',
      refused: 'a fingerprint',
    },
  },
  {
    table: 'calendar_proposals',
    columns: ['id', 'created_at', 'ends_at', 'kind', 'outcome', 'session_id', 'starts_at'],
  },
  {
    table: 'calendar_feeds',
    columns: ['created_at'],
    leftOut: {
      token: 'whoever has it can read the feed',
    },
  },
];
