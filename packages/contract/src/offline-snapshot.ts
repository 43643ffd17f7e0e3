import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Balance } from './payments.ts';
import { SESSION_STATUSES } from './sessions.ts';
import { SUBJECT_COLORS } from './subjects.ts';

/** Today and the thirteen days after it. */
export const OFFLINE_DAYS = 14;

/**
 * All that a device keeps for reading without a network, where the tutor calls it their own. Replies are cut to this shape,
 * so whatever is not named here (contacts, notes, titles, places, surnames, ids) never reaches the device by this way.
 * See docs/security/offline-reading.md before adding a field.
 */
export const OfflineSnapshot = z.object({
  /** Whose it is: the random id of the signed-in tutor. */
  owner: z.string(),
  /** The tutor's `revision` at the time, so that a browser knows when to ask again. */
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
  /** Accounts with something open, by the first names of the children. */
  balances: z.array(z.object({ firstNames: z.array(z.string()), open: z.array(Balance) })),
});
export type OfflineSnapshot = z.infer<typeof OfflineSnapshot>;

export const offline = defineEndpoints({
  offlineSnapshot: {
    method: 'GET',
    path: '/api/offline-book',
    access: 'login',
    summary:
      'Fourteen days of lessons and the balances, with first names only, to keep on a device',
    reply: OfflineSnapshot,
  },
});
