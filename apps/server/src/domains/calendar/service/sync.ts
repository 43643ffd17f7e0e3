import type { CalendarProblem } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import {
  CalendarAccessLost,
  CalendarBusy,
  CalendarDeleted,
  CalendarUnavailable,
  type TutorCalendar,
} from '../../../integrations/calendar.ts';
import { settleAgenda } from '../../../platform/agenda.ts';
import { needsResealing, seal, unseal } from '../../../platform/sealing.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { forgetAllEvents } from '../queries/events.ts';
import {
  type CalendarLink,
  endLease,
  type LinkChange,
  linkOf,
  takeLease,
  updateLink,
} from '../queries/links.ts';
import { POLL_MS, POLL_WATCHED_MS, restAfter, waitAfter } from '../rules/patience.ts';
import { hasRefused, readBook } from './book.ts';
import { loseCalendar } from './lose.ts';
import { CALENDAR, planNext } from './plan.ts';
import { push } from './push.ts';
import { readBack } from './read-back.ts';
import { TurnLost, Visit } from './visit.ts';
import { keepWatch } from './watch.ts';

/** Longer than a turn can take: its requests each give up after ten seconds. */
const LEASE_MS = 60_000;
/** Clocks of two machines differ a little. */
const SLACK_MS = 1_500;
const NAME = 'Lessons';

interface Turn {
  link: CalendarLink & { sealedToken: string };
  lease: Date;
}

/** One turn at one tutor's calendar, if it is due: hears what was done there, then sends what differs. */
export async function syncCalendar(
  context: Context,
  { tutorId }: { tutorId: string },
): Promise<void> {
  const turn = await begin(context, tutorId);
  if (!turn) return;
  try {
    const calendar = openCalendar(context, tutorId, turn.link.sealedToken);
    await work(context, tutorId, turn, calendar);
  } catch (error) {
    await giveUp(context, tutorId, turn, error);
  }
}

async function begin(context: Context, tutorId: string): Promise<Turn | null> {
  if (!context.calendars) return null;
  const now = context.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = new Date(now.getTime() + SLACK_MS);
  const link = await context.db.besideTutor(tutorId, async (tx) => {
    if (!(await takeLease(tx, tutorId, { now, due, lease }))) return null;
    await settleAgenda(tx, tutorId, CALENDAR, lease);
    return linkOf(tx, tutorId).executeTakeFirstOrThrow();
  });
  if (!link?.sealedToken) return null;
  return { link: { ...link, sealedToken: link.sealedToken }, lease };
}

/** A key that is missing may be put back: the connection is not given up for it. */
function openCalendar(context: Context, tutorId: string, sealedToken: string): TutorCalendar {
  if (!context.calendars) throw new Error('There is no calendar provider');
  try {
    return context.calendars.open(unseal(context.config.sealingKeys, sealedToken, tutorId));
  } catch (cause) {
    throw new CalendarUnavailable('What lets us in cannot be unsealed', { cause });
  }
}

async function work(
  context: Context,
  tutorId: string,
  turn: Turn,
  calendar: TutorCalendar,
): Promise<void> {
  const { link } = turn;
  const { calendarId, isNew } = await ensureCalendar(context, tutorId, link, calendar);
  const book = await readBook(context, tutorId, link.since);
  const held = { lease: turn.lease, sealedToken: link.sealedToken };
  const visit = new Visit(context, tutorId, { calendar, calendarId, book, held });
  await readBack(visit, isNew ? null : link.syncToken);
  const done = await push(visit);
  const watched = await keepWatch(visit, link);
  const now = context.clock.now();
  const rest = restAfter(visit.requests, visit.tookMs);
  const poll = watched ? POLL_WATCHED_MS : POLL_MS;
  const next = new Date(now.getTime() + (done ? poll : rest));
  await end(context, tutorId, turn, next, {
    ...resealed(context, tutorId, link.sealedToken),
    last_sync_at: now,
    initial_sync_done: link.filled || done,
    failure_reason: hasRefused(book) ? 'refused' : null,
    failures: 0,
    // Google tells us of our own changes too: not even that hurries us.
    next_try_at: rest > 0 ? new Date(now.getTime() + rest) : null,
  });
}

/** The calendar we made, or a new one: for the first time, or when the old one is not within reach any more. */
async function ensureCalendar(
  context: Context,
  tutorId: string,
  link: CalendarLink,
  calendar: TutorCalendar,
): Promise<{ calendarId: string; isNew: boolean }> {
  // After connecting nothing was read yet: it may be another account than the last time.
  if (link.calendarId !== null && link.syncToken !== null) {
    return { calendarId: link.calendarId, isNew: false };
  }
  if (link.calendarId !== null && (await calendar.exists(link.calendarId))) {
    return { calendarId: link.calendarId, isNew: false };
  }
  const timeZone = await context.db.lookAtTutor(tutorId, (tx) => timeZoneOf(tx, tutorId));
  const calendarId = await calendar.create(NAME, timeZone);
  await context.db.besideTutor(tutorId, async (tx) => {
    await updateLink(tx, tutorId, { calendar_id: calendarId, sync_token: null });
    await forgetAllEvents(tx, tutorId);
  });
  return { calendarId, isNew: true };
}

/** A key that is on its way out has sealed it: the new one seals it again. */
function resealed(context: Context, tutorId: string, sealed: string): LinkChange {
  const keys = context.config.sealingKeys;
  if (!needsResealing(keys, sealed)) return {};
  return { encrypted_token: seal(keys, unseal(keys, sealed, tutorId), tutorId) };
}

async function end(
  context: Context,
  tutorId: string,
  { lease, link }: Turn,
  next: Date,
  change: LinkChange,
): Promise<void> {
  const { sealedToken } = link;
  // Longer than its lease: what was wished since was taken for planned.
  const now = context.clock.now();
  const rested = change.next_try_at ?? now;
  const soonest = now >= lease ? rested : next;
  await context.db.besideTutor(tutorId, async (tx) => {
    const due = await endLease(tx, tutorId, { lease, next: soonest, rested, sealedToken });
    if (!due) return;
    await updateLink(tx, tutorId, change);
    await planNext(context, tx, tutorId, due);
  });
}

/** It did not work now, or will not any more. */
async function giveUp(
  context: Context,
  tutorId: string,
  turn: Turn,
  error: unknown,
): Promise<void> {
  const { link } = turn;
  if (error instanceof TurnLost) return;
  context.log.warn({ err: error }, 'a calendar could not be brought in step');
  if (error instanceof CalendarAccessLost) {
    return loseCalendar(context, tutorId, link, 'access_lost');
  }
  if (error instanceof CalendarDeleted) {
    return loseCalendar(context, tutorId, link, 'calendar_deleted');
  }
  const busy = error instanceof CalendarBusy;
  const passing = busy || error instanceof CalendarUnavailable;
  const problem: CalendarProblem = busy ? 'busy' : passing ? 'unreachable' : 'refused';
  const wait = waitAfter(link.failures, busy);
  const next = new Date(context.clock.now().getTime() + wait);
  const change = { failure_reason: problem, failures: link.failures + 1, next_try_at: next };
  await end(context, tutorId, turn, next, change);
  // A fault of our own is to be seen as one.
  if (!passing) throw error;
}
