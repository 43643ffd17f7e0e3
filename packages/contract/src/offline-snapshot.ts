import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Balance } from './payments.ts';
import { SESSION_STATUSES } from './sessions.ts';
import { SUBJECT_COLORS } from './subjects.ts';

/** Today and the next thirteen days. */
export const OFFLINE_DAYS = 14;

/**
 * All the data that a trusted device stores for offline reading. Replies are stripped to this schema, so nothing else
 * (contacts, notes, titles, places, surnames, ids) is stored.
 * See docs/security/offline-reading.md before adding a field.
 */
export const OfflineSnapshot = z.object({
  /** The tutor's `User.id`. */
  owner: z.string(),
  /** The tutor's `revision` when the snapshot was taken; the browser fetches a new one when it changes. */
  revision: z.number(),
  asOf: z.string(),
  timeZone: z.string(),
  from: z.string(),
  to: z.string(),
  sessions: z.array(
    z.object({
      date: z.string(),
      startTime: z.string(),
      endTime: z.string(),
      firstName: z.string(),
      subject: z.string(),
      color: z.enum(SUBJECT_COLORS),
      status: z.enum(SESSION_STATUSES),
    }),
  ),
  /** Accounts with an outstanding balance or credit, identified by the children's first names. */
  balances: z.array(z.object({ firstNames: z.array(z.string()), amounts: z.array(Balance) })),
});
export type OfflineSnapshot = z.infer<typeof OfflineSnapshot>;

export const offline = defineEndpoints({
  offlineSnapshot: {
    method: 'GET',
    path: '/api/offline-snapshot',
    access: 'login',
    summary: 'Fourteen days of lessons and the balances, with first names only, for offline use',
    reply: OfflineSnapshot,
  },
});
