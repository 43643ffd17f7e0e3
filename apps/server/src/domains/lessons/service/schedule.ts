import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { refusedBy } from '../../../platform/database-errors.ts';
import type { Tx } from '../../../platform/db.ts';
import { together } from '../../../platform/together.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { scheduleChanged } from '../events.ts';
import { deferConstraints } from '../queries/overlaps.ts';

/** The tutor's book, open for writing: the lock is held, the wall clock is known. */
export interface OpenBook {
  readonly context: Context;
  readonly tx: Tx;
  readonly tutorId: string;
  readonly timeZone: string;
  readonly now: Date;
  readonly today: string;
}

/** Every change of the schedule goes through here, one after the other for each tutor. */
export async function changeSchedule<T>(
  context: Context,
  tutorId: string,
  work: (book: OpenBook) => Promise<T>,
): Promise<T> {
  try {
    return await context.db.withTutor(tutorId, async (tx) => {
      const [, book] = await together([deferConstraints(tx), openBook(context, tx, tutorId)]);
      const result = await work(book);
      await context.events.publish(tx, scheduleChanged, { tutorId });
      return result;
    });
  } catch (error) {
    // The lock and the check before it make this unreachable; the database has the last word all the same.
    if (refusedBy(error) !== 'sessions_no_overlap') throw error;
    throw new AppError('overlap', 'That time has just been taken. Please look again.');
  }
}

/** For a subscriber, who works inside the publisher's transaction. */
export async function openBook(context: Context, tx: Tx, tutorId: string): Promise<OpenBook> {
  const timeZone = await timeZoneOf(tx, tutorId);
  const now = context.clock.now();
  return { context, tx, tutorId, timeZone, now, today: dateIn(timeZone, now) };
}

class Rehearsed<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('rehearsed');
    this.result = result;
  }
}

/**
 * Does the very change and takes it back: what the tutor is shown beforehand cannot differ from what will happen.
 */
export async function rehearse<T>(
  context: Context,
  tutorId: string,
  work: (book: OpenBook) => Promise<T>,
): Promise<T> {
  try {
    return await changeSchedule(context, tutorId, async (book) => {
      throw new Rehearsed(await work(book));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
