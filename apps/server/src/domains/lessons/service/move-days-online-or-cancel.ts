import { addDaysToDate } from '@lessonbook/contract/dates';
import {
  GOOGLE_MEET,
  isMeetingLink,
  isOnlinePlace,
} from '@lessonbook/contract/detect-online-place';
import {
  type DayAction,
  type DayUnchangedReason,
  MAX_DAY_CHANGE_SESSIONS,
} from '@lessonbook/contract/move-online-or-cancel-days';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { SeatRef } from '../events.ts';
import {
  type DaySession,
  latestMeetingLink,
  sessionsOnDays,
} from '../queries/day-change-sessions.ts';
import { canUseGoogleMeet } from '../queries/google-meet-availability.ts';
import { findLesson, saveLesson } from '../queries/lessons.ts';
import { findSessions, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import {
  deleteTimeOffRow,
  sessionIdsCancelledByTimeOff,
  updateTimeOffDates,
} from '../queries/time-off.ts';
import { filterExpectedSeats } from '../rules/seat-fees-and-rosters.ts';
import { differsFromSeries } from '../rules/session-differs-from-series.ts';
import { cancelDuringTimeOff } from './apply-and-lift-time-off.ts';
import { cancelWithoutFee, restoreSessions } from './cancel-without-fee-and-restore.ts';
import { assertCanUseGoogleMeet } from './guards.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import type { ScheduleTx } from './schedule-transaction.ts';
import { addTimeOff } from './time-off.ts';

/* Moves all lessons on certain days online or cancels them, and undoes either change. */

export type { DaySession } from '../queries/day-change-sessions.ts';
export type { SessionRecord } from '../queries/sessions.ts';

interface Days {
  fromDate: string;
  toDate: string;
}

export interface OnlinePlace {
  place: string | null;
  usesGoogleMeet: boolean;
}

/** The sessions that the action would change, and the number of sessions it would not change, by reason. */
export async function findSessionsToChange(
  { tx, tutorId, now, today }: ScheduleTx,
  days: Days,
  action: DayAction,
): Promise<{
  sessions: DaySession[];
  unchanged: { reason: DayUnchangedReason; count: number }[];
}> {
  if (days.fromDate < today) {
    const message = 'Please choose today or a later day';
    throw new AppError('invalid', message, { fields: { fromDate: message } });
  }
  const limit = MAX_DAY_CHANGE_SESSIONS + 1;
  const all = await sessionsOnDays(tx, tutorId, days, limit);
  if (all.length === limit)
    throw new AppError('invalid', 'There are too many lessons. Please choose fewer days.');
  const reasons = Map.groupBy(all, (session) => getUnchangedReason(session, action, now));
  const sessions = reasons.get(null) ?? [];
  const unchanged = [...reasons].flatMap(([reason, group]) =>
    reason === null ? [] : [{ reason, count: group.length }],
  );
  return { sessions, unchanged };
}

function getUnchangedReason(
  { status, endsAt, place, usesGoogleMeet }: DaySession,
  action: DayAction,
  now: Date,
): DayUnchangedReason | null {
  if (status === 'rescheduled') return 'moved';
  if (status !== 'scheduled') return status;
  if (endsAt <= now) return 'over';
  return action === 'online' && (usesGoogleMeet || isOnlinePlace(place)) ? 'online' : null;
}

/** The seats whose families are notified of a change. Families of cancelled seats need no message. */
export const expectedSeatsOf = (sessions: readonly SessionRecord[]): SeatRef[] =>
  sessions.flatMap(({ id, seats }) =>
    filterExpectedSeats(seats).map(({ studentId }) => ({ sessionId: id, studentId })),
  );

/** The lesson's own online place, for a session that was meant to be an exception in person; null if there is none. */
export function ownOnlinePlace({
  lessonPlace,
  lessonUsesGoogleMeet,
}: DaySession): OnlinePlace | null {
  if (lessonUsesGoogleMeet) return { place: GOOGLE_MEET, usesGoogleMeet: true };
  return isMeetingLink(lessonPlace) ? { place: lessonPlace, usesGoogleMeet: false } : null;
}

/** The online places available for lessons without a link of their own. */
export async function findOnlineOptions(
  tx: Tx,
  tutorId: string,
): Promise<{ offersGoogleMeet: boolean; suggestedLink: string | null }> {
  const [access, latest] = [
    await canUseGoogleMeet(tx, tutorId),
    await latestMeetingLink(tx, tutorId).executeTakeFirst(),
  ];
  return { offersGoogleMeet: access, suggestedLink: latest?.place ?? null };
}

/** Sets the places of sessions. For recurring lessons these are individual edits, which changes to the series do not affect. */
export async function moveSessionsOnline(
  schedule: ScheduleTx,
  sessions: readonly (DaySession & { online: OnlinePlace })[],
): Promise<void> {
  if (sessions.some(({ online }) => online.usesGoogleMeet))
    await assertCanUseGoogleMeet(schedule.tx, schedule.tutorId);
  await writePlaces(
    schedule,
    sessions.map(({ id, lessonId, isRecurring, online }) => ({
      id,
      lessonId,
      isOverride: isRecurring,
      ...online,
    })),
  );
}

interface PlaceChange extends OnlinePlace {
  id: number;
  lessonId: number;
  isOverride: boolean;
}

async function writePlaces(
  { tx, tutorId }: ScheduleTx,
  changes: readonly PlaceChange[],
): Promise<void> {
  const groups = Map.groupBy(changes, ({ place, usesGoogleMeet, isOverride }) =>
    JSON.stringify([place, usesGoogleMeet, isOverride]),
  );
  for (const group of groups.values()) {
    const [{ place, usesGoogleMeet, isOverride }] = group as [PlaceChange];
    await updateSessions(
      tx,
      tutorId,
      group.map(({ id }) => id),
      { place, uses_google_meet: usesGoogleMeet, meet_link: null, is_override: isOverride },
    );
  }
  // A lesson with a single session has the same place as that session.
  for (const { lessonId, place, usesGoogleMeet } of changes) {
    const lesson = await findLesson(tx, tutorId, lessonId);
    if (lesson && !lesson.isRecurring)
      await saveLesson(tx, tutorId, { ...lesson, place, usesGoogleMeet });
  }
}

export interface ChangedPlace extends OnlinePlace {
  sessionId: number;
  previous: OnlinePlace & { isOverride: boolean };
}

/**
 * Restores the places of upcoming sessions that still have the online place. Sessions that followed their series get its
 * current place. Returns the sessions whose place has changed, with their new place.
 */
export async function restorePlaces(
  schedule: ScheduleTx,
  changed: readonly ChangedPlace[],
): Promise<SessionRecord[]> {
  const byId = new Map(changed.map((each) => [each.sessionId, each]));
  const found = await findSessions(schedule.tx, schedule.tutorId, [...byId.keys()]);
  const sessions = found.filter((session) => {
    const set = byId.get(session.id);
    return (
      session.status === 'scheduled' &&
      session.endsAt > schedule.now &&
      session.place === set?.place &&
      session.usesGoogleMeet === set.usesGoogleMeet
    );
  });
  const restored: (SessionRecord & OnlinePlace)[] = [];
  for (const session of sessions) {
    const previous = byId.get(session.id)?.previous;
    if (!previous) continue;
    const lesson = await findLesson(schedule.tx, schedule.tutorId, session.lessonId);
    const followsSeries = lesson?.isRecurring === true && !previous.isOverride;
    const { place, usesGoogleMeet } = followsSeries ? lesson : previous;
    const isOverride = followsSeries ? differsFromSeries(session, lesson) : previous.isOverride;
    restored.push({ ...session, place, usesGoogleMeet, isOverride });
  }
  await writePlaces(schedule, restored);
  return restored.filter(({ id, place, usesGoogleMeet }) => {
    const set = byId.get(id);
    return place !== set?.place || usesGoogleMeet !== set.usesGoogleMeet;
  });
}

/** Cancels the sessions without a fee and records time off, or extends the given time off. Returns the id of the time off. */
export async function cancelDays(
  schedule: ScheduleTx,
  days: Days,
  sessions: readonly SessionRecord[],
  timeOffId: number | null,
): Promise<number> {
  const { tx, tutorId } = schedule;
  if (timeOffId !== null) await updateTimeOffDates(tx, tutorId, timeOffId, days);
  const id =
    timeOffId ??
    (await addTimeOff(schedule, { ...days, startTime: null, endTime: null, reason: null }));
  await cancelWithoutFee(
    schedule,
    sessions.map((session) => session.id),
    id,
  );
  return id;
}

/**
 * Ends the time off yesterday, or deletes it if it starts today or later, and restores the upcoming sessions it cancelled.
 * Sessions covered by other time off stay cancelled. Returns the restored sessions.
 */
export async function restoreCancelledDays(
  schedule: ScheduleTx,
  days: Days,
  timeOffId: number,
): Promise<SessionRecord[]> {
  const { tx, tutorId, now, today } = schedule;
  const cancelledIds = await sessionIdsCancelledByTimeOff(tx, tutorId, timeOffId);
  const found = await findSessions(tx, tutorId, cancelledIds);
  const sessions = found.filter(({ endsAt }) => endsAt > now);
  const ids = sessions.map(({ id }) => id);
  await restoreSessions(schedule, ids);
  if (days.fromDate < today)
    await updateTimeOffDates(tx, tutorId, timeOffId, {
      fromDate: days.fromDate,
      toDate: addDaysToDate(today, -1),
    });
  else await deleteTimeOffRow(tx, tutorId, timeOffId, null);
  const stillCancelled = new Set(await cancelDuringTimeOff(schedule, ids));
  await resolveOverlaps(
    schedule,
    ids.filter((id) => !stillCancelled.has(id)),
    true,
  );
  return sessions.filter(({ id }) => !stillCancelled.has(id));
}
