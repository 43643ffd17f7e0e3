import { type Currency, toMinor } from '@lessonbook/contract/money';
import type { Rate, RateInput, RateUnit } from '@lessonbook/contract/rates';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getCurrentStudentOrThrow } from '../../students/service/students.ts';
import { getSubjectOrThrow } from '../../subjects/service.ts';
import {
  type AutomaticSeat,
  automaticSeatsOfSessions,
  automaticSeatsOfStudents,
  updateSeatFees,
} from '../queries/automatic-seat-fees.ts';
import {
  deleteRate,
  type NewRate,
  rateById,
  ratesOfStudents,
  ratesPage,
  upsertRates,
} from '../queries/rates.ts';
import { resolveAutomaticFee } from '../rules/seat-fees-and-rosters.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

export async function listRates(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Rate[]> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [ratesPage(tx, tutorId, page)]);
  return rows.map((row) => ({
    ...row,
    currency: row.currency as Currency,
    unit: row.unit as RateUnit,
  }));
}

/** A rate is in the currency of the subject's default fee. */
export async function saveRate(
  context: Context,
  tutorId: string,
  { amount, ...input }: RateInput,
): Promise<{ changedSeats: number }> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    await getCurrentStudentOrThrow(schedule.tx, tutorId, input.studentId, schedule.today);
    const { currency } = await getSubjectOrThrow(schedule.tx, tutorId, input.subjectId);
    const changedSeats = await writeRates(schedule, [
      { ...input, amount: toMinor(amount), currency },
    ]);
    return { changedSeats };
  });
}

/** Saves rates and updates the fees of the seats that follow them. Returns the number of changed seats. */
export async function writeRates(
  schedule: ScheduleTx,
  rates: readonly Omit<NewRate, 'id'>[],
): Promise<number> {
  if (rates.length === 0) return 0;
  const { tx, tutorId, now } = schedule;
  const ids = await nextIdsForKind(tx, tutorId, 'rate', rates.length);
  const newRates = rates.map((rate, index) => ({ ...rate, id: ids[index] as number }));
  await upsertRates(tx, tutorId, newRates, now);
  return repriceStudents(
    schedule,
    rates.map(({ studentId }) => studentId),
  );
}

export async function removeRate(
  context: Context,
  tutorId: string,
  id: number,
): Promise<{ changedSeats: number }> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const rate = await rateById(schedule.tx, tutorId, id).executeTakeFirst();
    if (!rate) throw new AppError('not_found', "We couldn't find that rate.");
    await deleteRate(schedule.tx, tutorId, id);
    return { changedSeats: await repriceStudents(schedule, [rate.studentId]) };
  });
}

async function repriceStudents(
  schedule: ScheduleTx,
  studentIds: readonly number[],
): Promise<number> {
  const { tx, tutorId } = schedule;
  return repriceSeats(schedule, await automaticSeatsOfStudents(tx, tutorId, studentIds).execute());
}

/**
 * Called after the date, times, subject or students of sessions have changed, or when a charge no longer fixes their
 * fee.
 */
export async function repriceSessions(
  schedule: Pick<ScheduleTx, 'tx' | 'tutorId'>,
  sessionIds: readonly number[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  const { tx, tutorId } = schedule;
  await repriceSeats(schedule, await automaticSeatsOfSessions(tx, tutorId, sessionIds).execute());
}

async function repriceSeats(
  { tx, tutorId }: Pick<ScheduleTx, 'tx' | 'tutorId'>,
  seats: readonly AutomaticSeat[],
): Promise<number> {
  if (seats.length === 0) return 0;
  const studentIds = [...new Set(seats.map(({ studentId }) => studentId))];
  const rates = await ratesOfStudents(tx, tutorId, studentIds).execute();
  const changed = seats.flatMap((seat) => {
    const price = resolveAutomaticFee(rates, seat, {
      fee: seat.defaultFee,
      currency: seat.currency,
    });
    const isSame = price.fee === seat.fee && price.feeSource === seat.feeSource;
    return isSame ? [] : [{ sessionId: seat.sessionId, studentId: seat.studentId, ...price }];
  });
  await updateSeatFees(tx, tutorId, changed);
  return changed.length;
}
