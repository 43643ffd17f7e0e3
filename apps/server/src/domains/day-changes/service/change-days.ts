import { addDaysToDate } from '@lessonbook/contract/dates';
import { GOOGLE_MEET } from '@lessonbook/contract/detect-online-place';
import type {
  DayChange,
  DayChangeInput,
  DayChangePreview,
  DayChangePreviewInput,
} from '@lessonbook/contract/move-online-or-cancel-days';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import {
  cancelDays,
  type DaySession,
  expectedSeatsOf,
  findOnlineOptions,
  findSessionsToChange,
  moveSessionsOnline,
  type OnlinePlace,
  ownOnlinePlace,
} from '../../lessons/service/move-days-online-or-cancel.ts';
import { getSessionRowsByIds } from '../../lessons/service/read.ts';
import {
  dryRun,
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import {
  planBulkNotices,
  sendBulkNotices,
} from '../../messages/service/outbound/bulk-change-notices.ts';
import {
  type ChangedSessionRecord,
  currentDayChanges,
  type DayChangeRecord,
  dayChangeById,
  insertChangedSessions,
  insertDayChange,
  latestLink,
  updateDayChange,
} from '../queries/day-changes.ts';

const NOTICE_KIND = { online: 'online', cancel: 'cancelled' } as const;

type Days = Pick<
  DayChangeInput,
  'action' | 'fromDate' | 'toDate' | 'extendsId' | 'usesGoogleMeet' | 'link'
>;

export async function listDayChanges(context: Context, tutorId: string): Promise<DayChange[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    return (await currentDayChanges(tx, tutorId, today).execute()).map(toDayChange);
  });
}

const toDayChange = ({ id, action, fromDate, toDate, sessionCount }: DayChangeRecord) => ({
  id,
  action,
  fromDate,
  toDate,
  sessionCount,
});

/** Makes the change and rolls it back, so that the messages are exactly those that families would get. */
export const previewDayChange = (
  context: Context,
  tutorId: string,
  input: DayChangePreviewInput,
): Promise<DayChangePreview> =>
  dryRun(context, tutorId, async (schedule) => {
    const { tx } = schedule;
    const extended = await findExtended(schedule, input);
    const { sessions, unchanged } = await findSessionsToChange(schedule, input, input.action);
    const kept = new Set(input.keptSessionIds);
    const chosen = sessions.filter(({ id }) => !kept.has(id));
    const rows = await getSessionRowsByIds(
      tx,
      tutorId,
      sessions.map(({ id }) => id),
    );
    const { offersGoogleMeet, ...options } = await findOnlineOptions(tx, tutorId);
    const latest = await latestLink(tx, tutorId).executeTakeFirst();
    const suggestedLink = latest?.link ?? options.suggestedLink;
    const place = {
      usesGoogleMeet: input.usesGoogleMeet ?? offersGoogleMeet,
      link: input.link ?? suggestedLink,
    };
    await applyAction(schedule, { ...input, ...place }, chosen, extended);
    return {
      sessions: rows,
      unchanged,
      notices: await planBulkNotices(context, tx, tutorId, {
        kind: NOTICE_KIND[input.action],
        seats: expectedSeatsOf(chosen),
        note: input.note,
      }),
      needsLink:
        input.action === 'online' &&
        extended === null &&
        chosen.some((session) => ownOnlinePlace(session) === null),
      offersGoogleMeet,
      suggestedLink,
    };
  });

/** The link of the change being extended, or 'Online' until the tutor has entered one. */
function toOnlinePlace(input: Days, extended: DayChangeRecord | null): OnlinePlace {
  const { usesGoogleMeet, link } = extended ?? input;
  return { place: usesGoogleMeet ? GOOGLE_MEET : link || 'Online', usesGoogleMeet };
}

/** Changes the chosen lessons and notifies each family once. */
export async function changeDays(
  context: Context,
  tutorId: string,
  input: DayChangeInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<DayChange & { emailed: number; toSend: number; notSent: number }> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, () =>
      changeDaysInTransaction(schedule, input),
    ),
  );
}

async function changeDaysInTransaction(schedule: ScheduleTx, input: DayChangeInput) {
  const { context, tx, tutorId, now } = schedule;
  const extended = await findExtended(schedule, input);
  const { sessions } = await findSessionsToChange(schedule, input, input.action);
  const requested = new Set(input.sessionIds);
  const chosen = sessions.filter(({ id }) => requested.has(id));
  // Another window or a family has changed one of the lessons in the meantime.
  if (chosen.length !== requested.size)
    throw new AppError('conflict', 'The lessons on these days have changed. Please check again.');
  if (input.action === 'online') assertPlace(toOnlinePlace(input, extended), chosen);
  const { rows, timeOffId } = await applyAction(schedule, input, chosen, extended);
  const notifies = input.notify || (extended?.notifiesFamilies ?? false);
  const id = extended?.id ?? (await createDayChange(schedule, input, timeOffId));
  if (extended)
    await updateDayChange(tx, tutorId, id, {
      to_date: input.toDate,
      notifies_families: notifies,
      time_off_id: timeOffId,
    });
  const isNotified = input.notify;
  await insertChangedSessions(
    tx,
    tutorId,
    id,
    rows.map((row) => ({ ...row, isNotified })),
  ).execute();
  const sent = input.notify
    ? await sendBulkNotices(context, tx, tutorId, {
        kind: NOTICE_KIND[input.action],
        seats: expectedSeatsOf(chosen),
        note: input.note,
      })
    : { emailed: 0, toSend: 0, notSent: 0 };
  await recordAudit(tx, tutorId, {
    action: 'days_changed',
    at: now,
    metadata: { change: input.action, lessons: chosen.length, from: input.fromDate },
  });
  return { ...toDayChange(await getDayChangeOrThrow(tx, tutorId, id)), ...sent };
}

async function createDayChange(
  { tx, tutorId, now }: ScheduleTx,
  { action, fromDate, toDate, link, usesGoogleMeet, notify }: DayChangeInput,
  timeOffId: number | null,
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'day-change')) as [number];
  const isOnline = action === 'online';
  const change = {
    id,
    action,
    fromDate,
    toDate,
    link: isOnline && !usesGoogleMeet && link ? link : null,
    usesGoogleMeet: isOnline && usesGoogleMeet,
    timeOffId,
    notifiesFamilies: notify,
  };
  await insertDayChange(tx, tutorId, change, now);
  return id;
}

function assertPlace(online: OnlinePlace, sessions: readonly DaySession[]): void {
  const hasPlace = online.usesGoogleMeet || online.place !== 'Online';
  if (hasPlace || sessions.every((session) => ownOnlinePlace(session) !== null)) return;
  const message = 'Please enter the link for the lessons';
  throw new AppError('invalid', message, { fields: { link: message } });
}

export async function getDayChangeOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<DayChangeRecord> {
  const change = await dayChangeById(tx, tutorId, id).executeTakeFirst();
  if (!change) throw new AppError('not_found', "We couldn't find this change.");
  return change;
}

/** The earlier change that these days extend, or null for a new change. */
async function findExtended(
  { tx, tutorId }: ScheduleTx,
  { extendsId, action, fromDate }: Pick<Days, 'extendsId' | 'action' | 'fromDate'>,
): Promise<DayChangeRecord | null> {
  if (!extendsId) return null;
  const change = await getDayChangeOrThrow(tx, tutorId, extendsId);
  const isNext = fromDate === addDaysToDate(change.toDate, 1);
  if (change.undoneAt !== null || change.action !== action || !isNext)
    throw new AppError('conflict', 'This has changed in the meantime. Please check again.');
  return change;
}

type ChangedRow = Omit<ChangedSessionRecord, 'isNotified'>;

/** Returns the rows to store, and the time off of cancelled lessons. */
async function applyAction(
  schedule: ScheduleTx,
  input: Days,
  chosen: readonly DaySession[],
  extended: DayChangeRecord | null,
): Promise<{ rows: ChangedRow[]; timeOffId: number | null }> {
  const toRow = (session: DaySession, set: OnlinePlace): ChangedRow => ({
    sessionId: session.id,
    ...set,
    previousPlace: session.place,
    previousUsesGoogleMeet: session.usesGoogleMeet,
    previousIsOverride: session.isOverride,
  });
  if (input.action === 'cancel') {
    const days = { fromDate: extended?.fromDate ?? input.fromDate, toDate: input.toDate };
    const timeOffId = await cancelDays(schedule, days, chosen, extended?.timeOffId ?? null);
    const rows = chosen.map((session) =>
      toRow(session, { place: session.place, usesGoogleMeet: session.usesGoogleMeet }),
    );
    return { rows, timeOffId };
  }
  const shared = toOnlinePlace(input, extended);
  const moved = chosen.map((session) => ({
    ...session,
    online: ownOnlinePlace(session) ?? shared,
  }));
  await moveSessionsOnline(schedule, moved);
  return { rows: moved.map((session) => toRow(session, session.online)), timeOffId: null };
}
