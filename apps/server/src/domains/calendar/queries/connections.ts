import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export const connectionByTutor = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('calendar_connections')
    .where('tutor_id', '=', tutorId)
    .select([
      'encrypted_token as encryptedToken',
      'calendar_id as calendarId',
      'synced_from as syncedFrom',
      'connected_at as connectedAt',
      'sync_token as syncToken',
      'initial_sync_done as initialSyncDone',
      'last_sync_at as lastSyncAt',
      'failure_reason as failureReason',
      'failures',
      'next_try_at as nextTryAt',
      'channel_id as channelId',
      'channel_resource as channelResource',
      'channel_expires_at as channelExpiresAt',
      'allows_google_meet as allowsGoogleMeet',
    ]);

export type CalendarConnection = RowOf<ReturnType<typeof connectionByTutor>>;

export type ConnectionChange = Partial<{
  encrypted_token: string | null;
  calendar_id: string | null;
  sync_token: string | null;
  initial_sync_done: boolean;
  last_sync_at: Date;
  failure_reason: string | null;
  failures: number;
  next_try_at: Date | null;
  due_at: Date | null;
  leased_until: Date | null;
  channel_id: string | null;
  channel_resource: string | null;
  channel_expires_at: Date | null;
  allows_google_meet: boolean | null;
}>;

export async function updateConnection(
  tx: Tx,
  tutorId: string,
  change: ConnectionChange,
): Promise<void> {
  await tx
    .updateTable('calendar_connections')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .execute();
}

/** Column values that clear the token, sync position, schedule and watch channel. */
export const DISCONNECTED_STATE = {
  encrypted_token: null,
  sync_token: null,
  failures: 0,
  next_try_at: null,
  due_at: null,
  leased_until: null,
  channel_id: null,
  channel_resource: null,
  channel_expires_at: null,
} satisfies ConnectionChange;

/** Inserts the connection, or updates it on reconnecting. The id of an earlier calendar is kept. */
export async function saveConnection(
  tx: Tx,
  tutorId: string,
  encryptedToken: string,
  now: Date,
): Promise<void> {
  const columns = {
    // Clears the sync token, so that the next sync lists all events.
    ...DISCONNECTED_STATE,
    encrypted_token: encryptedToken,
    connected_at: now,
    initial_sync_done: false,
    failure_reason: null,
    // The tutor may have chosen another account.
    allows_google_meet: null,
  };
  await tx
    .insertInto('calendar_connections')
    .values({ tutor_id: tutorId, synced_from: now, ...columns })
    .onConflict((conflict) => conflict.column('tutor_id').doUpdateSet(columns))
    .execute();
}

/**
 * Returns the new due time, or `null` if a sync is already due by then or no calendar is connected. Locks the row of a
 * connected calendar in any case, so that a sync that is already due starts after this transaction and sees its changes.
 */
export async function markSyncDue(tx: Tx, tutorId: string, at: Date): Promise<Date | null> {
  const connection = await tx
    .selectFrom('calendar_connections')
    .where('tutor_id', '=', tutorId)
    .where('encrypted_token', 'is not', null)
    .select(['due_at as dueAt', 'next_try_at as nextTryAt'])
    .forUpdate()
    .executeTakeFirst();
  if (!connection) return null;
  const { dueAt, nextTryAt } = connection;
  const earliest = nextTryAt !== null && nextTryAt > at ? nextTryAt : at;
  if (dueAt !== null && dueAt <= earliest) return null;
  await updateConnection(tx, tutorId, { due_at: earliest });
  return earliest;
}

/** Leases the connection if it is due and not already leased. If the worker dies, it is due again when the lease expires. */
export async function acquireLease(
  tx: Tx,
  tutorId: string,
  times: { now: Date; due: Date; lease: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('calendar_connections')
    .set({ leased_until: times.lease, due_at: times.lease })
    .where('tutor_id', '=', tutorId)
    .where('encrypted_token', 'is not', null)
    .where('due_at', '<=', times.due)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', times.now)]))
    .returning('tutor_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Checks that the lease is still valid, and locks the row until the transaction ends. */
export async function holdsLease(
  tx: Tx,
  tutorId: string,
  { lease, encryptedToken }: { lease: Date; encryptedToken: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('calendar_connections')
    .where('tutor_id', '=', tutorId)
    .where('leased_until', '=', lease)
    .where('encrypted_token', '=', encryptedToken)
    .select('tutor_id')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Releases the lease. The next sync is due at `next`, or earlier if one was requested in the meantime, but not before
 * `notBefore`. Returns the due time.
 */
export async function releaseLease(
  tx: Tx,
  tutorId: string,
  {
    lease,
    next,
    notBefore,
    encryptedToken,
  }: { lease: Date; next: Date; notBefore: Date; encryptedToken: string },
): Promise<Date | null> {
  const row = await tx
    .updateTable('calendar_connections')
    .set({
      leased_until: null,
      due_at: sql<Date>`case when due_at < ${lease}::timestamptz
        then greatest(due_at, ${notBefore}::timestamptz) else ${next}::timestamptz end`,
    })
    .where('tutor_id', '=', tutorId)
    .where('leased_until', '=', lease)
    // After reconnecting, the new connection has its own schedule.
    .where('encrypted_token', '=', encryptedToken)
    .returning('due_at as dueAt')
    .executeTakeFirst();
  return row?.dueAt ?? null;
}

/** More tabs than a tutor opens; without a limit, a script could fill the table. */
const MAX_OAUTH_STATES = 5;

/** Also deletes expired states and, if there are too many, the oldest. */
export async function insertOAuthState(
  tx: Tx,
  tutorId: string,
  oauthState: { stateHash: Buffer; loginHash: Buffer; expiresAt: Date; now: Date },
): Promise<void> {
  const { stateHash, loginHash, expiresAt, now } = oauthState;
  const kept = tx
    .selectFrom('calendar_oauth_states')
    .where('tutor_id', '=', tutorId)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(MAX_OAUTH_STATES - 1)
    .select('state_hash');
  await tx
    .deleteFrom('calendar_oauth_states')
    .where('tutor_id', '=', tutorId)
    .where('state_hash', 'not in', kept)
    .execute();
  await tx
    .insertInto('calendar_oauth_states')
    .values({
      tutor_id: tutorId,
      state_hash: stateHash,
      login_hash: loginHash,
      expires_at: expiresAt,
    })
    .execute();
}

/** A state can be used once, before it expires, and only by the login that started the flow. */
export async function consumeOAuthState(
  tx: Tx,
  tutorId: string,
  oauthState: { stateHash: Buffer; loginHash: Buffer; now: Date },
): Promise<boolean> {
  const used = await tx
    .deleteFrom('calendar_oauth_states')
    .where('tutor_id', '=', tutorId)
    .where('state_hash', '=', oauthState.stateHash)
    .where('login_hash', '=', oauthState.loginHash)
    .where('expires_at', '>', oauthState.now)
    .returning('tutor_id')
    .executeTakeFirst();
  return used !== undefined;
}
