import type { Overlap } from '@lessonbook/contract/errors';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { dateIn } from '@lessonbook/contract/time';
import type { TimeOff, TimeOffInput } from '@lessonbook/contract/time-off';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import { asSessionRow, scheduledInside } from '../queries/session-rows.ts';
import { findSessions } from '../queries/sessions.ts';
import {
  insertTimeOff,
  removeTimeOff,
  sessionsOfTimeOff,
  timeOffBetween,
  timeOffFrom,
} from '../queries/time-off.ts';
import { covers } from '../rules/time-off.ts';
import { cancelFree } from './delete-lesson.ts';
import { settleOverlaps } from './overlaps.ts';
import { restore } from './reopen.ts';
import { changeSchedule, type OpenBook } from './schedule.ts';

export async function listTimeOff(context: Context, tutorId: string): Promise<TimeOff[]> {
  const timeZone = await readTimeZone(context, tutorId);
  const today = dateIn(timeZone, context.clock.now());
  const [rows] = await context.db.readTutor(tutorId, (tx) => [timeOffFrom(tx, tutorId, today)]);
  return rows.map((row) => ({ ...row, cancelled: row.cancelled ?? 0 }));
}

/** What would be called off: the tutor ticks which. */
export async function previewTimeOff(
  context: Context,
  tutorId: string,
  input: TimeOffInput,
): Promise<SessionRow[]> {
  const range = rangeOf(input);
  const [rows] = await context.db.readTutor(tutorId, (tx) => [scheduledInside(tx, tutorId, range)]);
  return rows.map(asSessionRow);
}

/** Half-term in one act: the ticked sessions inside are cancelled by the tutor, free; series made later skip it. */
export async function createTimeOff(
  context: Context,
  tutorId: string,
  input: TimeOffInput,
  repeat: Repeatable | null,
): Promise<TimeOff> {
  return changeSchedule(context, tutorId, (book) =>
    once(book.tx, tutorId, repeat, book.now, async () => {
      const range = rangeOf(input);
      const inside = await scheduledInside(book.tx, tutorId, range).execute();
      const wanted = new Set(input.cancelSessionIds);
      const ids = inside.map((row) => row.id).filter((id) => wanted.has(id));
      if (ids.length !== wanted.size) {
        throw new AppError('conflict', 'The sessions inside have changed. Please look again.');
      }
      const [id] = (await takeIds(book.tx, tutorId, 'time-off')) as [number];
      const off = { id, ...range, reason: input.reason || null };
      await insertTimeOff(book.tx, tutorId, off, book.now);
      await cancelFree(book, ids, id);
      return { ...off, cancelled: ids.length };
    }),
  );
}

function rangeOf(input: TimeOffInput) {
  const { fromDate, toDate } = input;
  const [startTime, endTime] = [input.startTime || null, input.endTime || null];
  if ((startTime === null) !== (endTime === null)) {
    const message = 'Please give both times, or neither';
    throw new AppError('invalid', message, {
      fields: { [startTime ? 'endTime' : 'startTime']: message },
    });
  }
  if (startTime !== null && endTime !== null && endTime <= startTime) {
    const message = 'End time must be after start time';
    throw new AppError('invalid', message, { fields: { endTime: message } });
  }
  return { fromDate, toDate, startTime, endTime };
}

/** Sessions that a changed series would put into time off are called off by it, as those of a new one are. */
export async function skipTimeOff(book: OpenBook, ids: readonly number[]): Promise<number[]> {
  const sessions = await findSessions(book.tx, book.tutorId, ids);
  const dates = sessions.map((session) => session.date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const away = await timeOffBetween(book.tx, book.tutorId, first, last);
  const skipped: number[] = [];
  for (const off of away) {
    const inside = sessions.filter((session) => covers(off, session)).map((session) => session.id);
    const fresh = inside.filter((id) => !skipped.includes(id));
    await cancelFree(book, fresh, off.id);
    skipped.push(...fresh);
  }
  return skipped;
}

/** Restoring never asks twice: what overlaps by now is accepted, and said; what other time off covers stays off. */
export async function deleteTimeOff(
  context: Context,
  tutorId: string,
  id: number,
  bringBack: boolean,
): Promise<{ restored: number; sessionIds: number[]; overlaps: Overlap[] }> {
  return changeSchedule(context, tutorId, async (book) => {
    const ids = bringBack ? await sessionsOfTimeOff(book.tx, tutorId, id) : [];
    if (!(await removeTimeOff(book.tx, tutorId, id))) {
      throw new AppError('not_found', 'That time off is not in your book.');
    }
    await restore(book, ids);
    const skipped = await skipTimeOff(book, ids);
    const back = ids.filter((one) => !skipped.includes(one));
    const overlaps = await settleOverlaps(book, back, true);
    return { restored: back.length, sessionIds: back, overlaps };
  });
}
