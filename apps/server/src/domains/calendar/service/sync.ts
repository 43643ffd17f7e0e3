import type { CalendarProblem } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import {
  CalendarAccessLostError,
  CalendarDeletedError,
  CalendarRateLimitedError,
  CalendarUnavailableError,
  type TutorCalendar,
} from '../../../integrations/calendar-provider.ts';
import { decrypt, encrypt, needsReencryption } from '../../../platform/crypto/encryption.ts';
import { completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { CALENDAR_SYNC_WORK } from '../job-types.ts';
import {
  acquireLease,
  type CalendarConnection,
  type ConnectionChange,
  connectionByTutor,
  holdsLease,
  releaseLease,
  updateConnection,
} from '../queries/connections.ts';
import { deleteAllEvents } from '../queries/events.ts';
import {
  backoffDelay,
  POLL_INTERVAL_MS,
  throttleDelay,
  WATCHED_POLL_INTERVAL_MS,
} from '../rules/throttle-and-backoff.ts';
import { markConnectionLost } from './disconnect.ts';
import { pullChanges } from './pull-changes.ts';
import { pushChanges } from './push-changes.ts';
import { LeaseLostError, SyncRun } from './save-sync-results.ts';
import { scheduleNextSync } from './schedule-sync.ts';
import { getSyncState, hasRejectedEvent, nextConferenceCheck } from './sync-entries.ts';
import { ensureWatchChannel } from './watch-channel.ts';

/** Longer than a run can take, as each request times out after ten seconds. */
const LEASE_MS = 60_000;
/** Tolerated difference between the clocks of two machines. */
const CLOCK_SKEW_MS = 1_500;
const CALENDAR_NAME = 'Lessons';

interface LeasedConnection {
  connection: CalendarConnection & { encryptedToken: string };
  lease: Date;
}

/** Syncs one tutor's calendar if a sync is due: pulls remote changes, then pushes ours. */
export async function syncCalendar(
  context: Context,
  { tutorId }: { tutorId: string },
): Promise<void> {
  const leased = await startRun(context, tutorId);
  if (!leased) return;
  try {
    const calendar = openCalendar(context, tutorId, leased.connection.encryptedToken);
    await runSync(context, tutorId, leased, calendar);
  } catch (error) {
    await handleFailure(context, tutorId, leased, error);
  }
}

async function startRun(context: Context, tutorId: string): Promise<LeasedConnection | null> {
  if (!context.calendars) return null;
  const now = context.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = new Date(now.getTime() + CLOCK_SKEW_MS);
  const connection = await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    if (!(await acquireLease(tx, tutorId, { now, due, lease }))) return null;
    await completeWork(tx, tutorId, CALENDAR_SYNC_WORK, lease);
    return connectionByTutor(tx, tutorId).executeTakeFirstOrThrow();
  });
  if (!connection?.encryptedToken) return null;
  return { connection: { ...connection, encryptedToken: connection.encryptedToken }, lease };
}

/** A missing encryption key may be restored later, so the connection is kept. */
function openCalendar(context: Context, tutorId: string, encryptedToken: string): TutorCalendar {
  if (!context.calendars) throw new Error('No calendar provider configured');
  try {
    return context.calendars.open(decrypt(context.config.encryptionKeys, encryptedToken, tutorId));
  } catch (cause) {
    throw new CalendarUnavailableError('The token cannot be decrypted', { cause });
  }
}

async function runSync(
  context: Context,
  tutorId: string,
  leased: LeasedConnection,
  calendar: TutorCalendar,
): Promise<void> {
  const { connection } = leased;
  const { calendarId, isNew } = await ensureCalendar(context, tutorId, leased, calendar);
  const state = await context.db.tutorSnapshot(tutorId, (tx) =>
    getSyncState(context, tx, tutorId, connection.syncedFrom),
  );
  const held = { lease: leased.lease, encryptedToken: connection.encryptedToken };
  const run = new SyncRun(context, tutorId, { calendar, calendarId, state, held });
  await pullChanges(run, isNew ? null : connection.syncToken);
  const isComplete = await pushChanges(run);
  const isWatched = await ensureWatchChannel(run, connection);
  const now = context.clock.now();
  const delayMs = throttleDelay(run.requests, run.elapsedMs);
  const pollMs = isWatched ? WATCHED_POLL_INTERVAL_MS : POLL_INTERVAL_MS;
  const checkMs =
    (nextConferenceCheck(state)?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime();
  const waitMs = isComplete ? Math.max(delayMs, Math.min(pollMs, checkMs)) : delayMs;
  const next = new Date(now.getTime() + waitMs);
  await finishRun(context, tutorId, leased, next, {
    ...reencryptIfNeeded(context, tutorId, connection.encryptedToken),
    last_sync_at: now,
    initial_sync_done: connection.initialSyncDone || isComplete,
    failure_reason: hasRejectedEvent(state) ? 'refused' : null,
    failures: 0,
    // Google also notifies us of our own changes, which must not trigger a sync before the delay is over.
    next_try_at: delayMs > 0 ? new Date(now.getTime() + delayMs) : null,
  });
}

/** Returns our calendar, or creates one on first use or if the old one is no longer accessible. */
async function ensureCalendar(
  context: Context,
  tutorId: string,
  { connection, lease }: LeasedConnection,
  calendar: TutorCalendar,
): Promise<{ calendarId: string; isNew: boolean }> {
  // No sync token means that the tutor has just connected, possibly with a different Google account.
  if (connection.calendarId !== null && connection.syncToken !== null) {
    return { calendarId: connection.calendarId, isNew: false };
  }
  const existing =
    connection.calendarId === null ? null : await calendar.find(connection.calendarId);
  const timeZone = await context.db.tutorSnapshot(tutorId, (tx) => getTimeZone(tx, tutorId));
  const { calendarId, allowsConferences } =
    existing ?? (await calendar.create(CALENDAR_NAME, timeZone));
  const { encryptedToken } = connection;
  const change = {
    calendar_id: calendarId,
    sync_token: null,
    allows_google_meet: allowsConferences,
  };
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    if (!(await holdsLease(tx, tutorId, { lease, encryptedToken }))) throw new LeaseLostError();
    await updateConnection(tx, tutorId, change);
    if (!existing) await deleteAllEvents(tx, tutorId);
  });
  return { calendarId, isNew: !existing };
}

/** Re-encrypts the token if its key is being rotated out. */
function reencryptIfNeeded(context: Context, tutorId: string, encrypted: string): ConnectionChange {
  const keys = context.config.encryptionKeys;
  if (!needsReencryption(keys, encrypted)) return {};
  return { encrypted_token: encrypt(keys, decrypt(keys, encrypted, tutorId), tutorId) };
}

async function finishRun(
  context: Context,
  tutorId: string,
  { lease, connection }: LeasedConnection,
  next: Date,
  change: ConnectionChange,
): Promise<void> {
  const { encryptedToken } = connection;
  // If the run outlived its lease, syncs requested since the lease expired were not scheduled, so run again soon.
  const now = context.clock.now();
  const notBefore = change.next_try_at ?? now;
  const nextDue = now >= lease ? notBefore : next;
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    const due = await releaseLease(tx, tutorId, {
      lease,
      next: nextDue,
      notBefore,
      encryptedToken,
    });
    if (!due) return;
    await updateConnection(tx, tutorId, change);
    await scheduleNextSync(context, tx, tutorId, due);
  });
}

async function handleFailure(
  context: Context,
  tutorId: string,
  leased: LeasedConnection,
  error: unknown,
): Promise<void> {
  const { connection } = leased;
  if (error instanceof LeaseLostError) return;
  context.log.warn({ err: error }, 'calendar sync failed');
  if (error instanceof CalendarAccessLostError) {
    return markConnectionLost(context, tutorId, connection, 'access_lost');
  }
  if (error instanceof CalendarDeletedError) {
    return markConnectionLost(context, tutorId, connection, 'calendar_deleted');
  }
  const isBusy = error instanceof CalendarRateLimitedError;
  const isTemporary = isBusy || error instanceof CalendarUnavailableError;
  const problem: CalendarProblem = isBusy ? 'busy' : isTemporary ? 'unreachable' : 'refused';
  const backoffMs = backoffDelay(connection.failures, isBusy);
  const next = new Date(context.clock.now().getTime() + backoffMs);
  const change = { failure_reason: problem, failures: connection.failures + 1, next_try_at: next };
  await finishRun(context, tutorId, leased, next, change);
  // Probably a bug in our code, so let the job fail visibly.
  if (!isTemporary) throw error;
}
