import type { CalendarProblem } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import {
  CalendarAccessLost,
  CalendarBusy,
  CalendarDeleted,
  CalendarUnavailable,
  type TutorCalendar,
} from '../../../integrations/calendar-provider.ts';
import { decrypt, encrypt, needsReencryption } from '../../../platform/crypto/encryption.ts';
import { completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { getTimeZone } from '../../accounts/service/profile/profile.ts';
import {
  acquireLease,
  type CalendarConnection,
  type ConnectionChange,
  connectionOf,
  releaseLease,
  updateConnection,
} from '../queries/connections.ts';
import { deleteAllEvents } from '../queries/events.ts';
import {
  backoffDelay,
  POLL_MS,
  POLL_WATCHED_MS,
  throttleDelay,
} from '../rules/throttle-and-backoff.ts';
import { markConnectionLost } from './disconnect.ts';
import { pullChanges } from './pull-changes.ts';
import { pushChanges } from './push-changes.ts';
import { CALENDAR_SYNC_WORK, scheduleNextSync } from './schedule-sync.ts';
import { LeaseLost, SyncRun } from './sync-run.ts';
import { hasRejected, readSyncState } from './sync-state.ts';
import { ensureWatchChannel } from './watch-channel.ts';

/** Longer than a turn can take: its requests each give up after ten seconds. */
const LEASE_MS = 60_000;
/** Clocks of two machines differ a little. */
const CLOCK_SKEW_MS = 1_500;
const CALENDAR_NAME = 'Lessons';

interface LeasedConnection {
  connection: CalendarConnection & { sealedToken: string };
  lease: Date;
}

/** One turn at one tutor's calendar, if it is due: hears what was done there, then sends what differs. */
export async function syncCalendar(
  context: Context,
  { tutorId }: { tutorId: string },
): Promise<void> {
  const leased = await startRun(context, tutorId);
  if (!leased) return;
  try {
    const calendar = openCalendar(context, tutorId, leased.connection.sealedToken);
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
    return connectionOf(tx, tutorId).executeTakeFirstOrThrow();
  });
  if (!connection?.sealedToken) return null;
  return { connection: { ...connection, sealedToken: connection.sealedToken }, lease };
}

/** A key that is missing may be put back: the connection is not given up for it. */
function openCalendar(context: Context, tutorId: string, sealedToken: string): TutorCalendar {
  if (!context.calendars) throw new Error('There is no calendar provider');
  try {
    return context.calendars.open(decrypt(context.config.sealingKeys, sealedToken, tutorId));
  } catch (cause) {
    throw new CalendarUnavailable('What lets us in cannot be unsealed', { cause });
  }
}

async function runSync(
  context: Context,
  tutorId: string,
  leased: LeasedConnection,
  calendar: TutorCalendar,
): Promise<void> {
  const { connection } = leased;
  const { calendarId, isNew } = await ensureCalendar(context, tutorId, connection, calendar);
  const state = await readSyncState(context, tutorId, connection.since);
  const held = { lease: leased.lease, sealedToken: connection.sealedToken };
  const run = new SyncRun(context, tutorId, { calendar, calendarId, book: state, held });
  await pullChanges(run, isNew ? null : connection.syncToken);
  const done = await pushChanges(run);
  const watched = await ensureWatchChannel(run, connection);
  const now = context.clock.now();
  const rest = throttleDelay(run.requests, run.elapsedMs);
  const poll = watched ? POLL_WATCHED_MS : POLL_MS;
  const next = new Date(now.getTime() + (done ? poll : rest));
  await finishRun(context, tutorId, leased, next, {
    ...reencrypted(context, tutorId, connection.sealedToken),
    last_sync_at: now,
    initial_sync_done: connection.filled || done,
    failure_reason: hasRejected(state) ? 'refused' : null,
    failures: 0,
    // Google tells us of our own changes too: not even that hurries us.
    next_try_at: rest > 0 ? new Date(now.getTime() + rest) : null,
  });
}

/** The calendar we made, or a new one: for the first time, or when the old one is not within reach any more. */
async function ensureCalendar(
  context: Context,
  tutorId: string,
  connection: CalendarConnection,
  calendar: TutorCalendar,
): Promise<{ calendarId: string; isNew: boolean }> {
  // After connecting nothing was read yet: it may be another account than the last time.
  if (connection.calendarId !== null && connection.syncToken !== null) {
    return { calendarId: connection.calendarId, isNew: false };
  }
  if (connection.calendarId !== null && (await calendar.exists(connection.calendarId))) {
    return { calendarId: connection.calendarId, isNew: false };
  }
  const timeZone = await context.db.tutorSnapshot(tutorId, (tx) => getTimeZone(tx, tutorId));
  const calendarId = await calendar.create(CALENDAR_NAME, timeZone);
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await updateConnection(tx, tutorId, { calendar_id: calendarId, sync_token: null });
    await deleteAllEvents(tx, tutorId);
  });
  return { calendarId, isNew: true };
}

/** A key that is on its way out has sealed it: the new one seals it again. */
function reencrypted(context: Context, tutorId: string, encrypted: string): ConnectionChange {
  const keys = context.config.sealingKeys;
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
  const { sealedToken } = connection;
  // Longer than its lease: what was wished since was taken for planned.
  const now = context.clock.now();
  const rested = change.next_try_at ?? now;
  const soonest = now >= lease ? rested : next;
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    const due = await releaseLease(tx, tutorId, { lease, next: soonest, rested, sealedToken });
    if (!due) return;
    await updateConnection(tx, tutorId, change);
    await scheduleNextSync(context, tx, tutorId, due);
  });
}

/** It did not work now, or will not any more. */
async function handleFailure(
  context: Context,
  tutorId: string,
  leased: LeasedConnection,
  error: unknown,
): Promise<void> {
  const { connection } = leased;
  if (error instanceof LeaseLost) return;
  context.log.warn({ err: error }, 'a calendar could not be brought in step');
  if (error instanceof CalendarAccessLost) {
    return markConnectionLost(context, tutorId, connection, 'access_lost');
  }
  if (error instanceof CalendarDeleted) {
    return markConnectionLost(context, tutorId, connection, 'calendar_deleted');
  }
  const busy = error instanceof CalendarBusy;
  const passing = busy || error instanceof CalendarUnavailable;
  const problem: CalendarProblem = busy ? 'busy' : passing ? 'unreachable' : 'refused';
  const wait = backoffDelay(connection.failures, busy);
  const next = new Date(context.clock.now().getTime() + wait);
  const change = { failure_reason: problem, failures: connection.failures + 1, next_try_at: next };
  await finishRun(context, tutorId, leased, next, change);
  // A fault of our own is to be seen as one.
  if (!passing) throw error;
}
