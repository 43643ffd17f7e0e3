import * as z from 'zod/mini';
import { durationMinutes } from './dates.ts';
import { defineEndpoints } from './endpoint.ts';
import { currency, date, feeInput, IdParams, id, minorUnits, PageQuery } from './schema-fields.ts';

/** What a rate is for: an hour, or a lesson of any length. */
export const RATE_UNITS = ['hour', 'lesson'] as const;
export type RateUnit = (typeof RATE_UNITS)[number];
/** After an amount: '£40 an hour' */
export const RATE_UNIT_LABELS: Record<RateUnit, string> = { hour: 'an hour', lesson: 'a lesson' };

export const RateInput = z.object({
  studentId: id('Student is required'),
  subjectId: id('Subject is required'),
  /** In major units of the subject's currency. */
  amount: feeInput('Please enter an amount'),
  unit: z.enum(RATE_UNITS, { error: 'Please choose an hour or a lesson' }),
  /** The first date on which the rate applies. */
  validFrom: date('Date is required'),
});
export type RateInput = z.infer<typeof RateInput>;

/** What a student pays for a subject from a date until the next rate. */
export const Rate = z.object({
  id: z.number(),
  studentId: z.number(),
  studentName: z.string(),
  subjectId: z.number(),
  subjectName: z.string(),
  amount: minorUnits,
  currency,
  unit: z.enum(RATE_UNITS),
  validFrom: z.string(),
});
export type Rate = z.infer<typeof Rate>;

const RateChange = z.object({
  /** How many seats now have a different fee. */
  changedSeats: z.number(),
});

type RateTerms = Pick<Rate, 'studentId' | 'subjectId' | 'validFrom'>;

/** The student's rate for the subject on a date: the latest rate that has started by then. */
export const findRateOn = <T extends RateTerms>(
  rates: readonly T[],
  on: { studentId: number; subjectId: number; date: string },
): T | undefined =>
  rates
    .filter(
      ({ studentId, subjectId, validFrom }) =>
        studentId === on.studentId && subjectId === on.subjectId && validFrom <= on.date,
    )
    .reduce<T | undefined>(
      (latest, rate) => (latest && latest.validFrom > rate.validFrom ? latest : rate),
      undefined,
    );

/** The fee of a lesson in minor units. */
export const feeFromRate = (
  rate: { amount: number; unit: string },
  { startTime, endTime }: { startTime: string; endTime: string },
): number =>
  rate.unit === 'hour'
    ? Math.max(1, Math.round((rate.amount * durationMinutes(startTime, endTime)) / 60))
    : rate.amount;

export const rates = defineEndpoints({
  listRates: {
    method: 'GET',
    path: '/api/rates',
    access: 'login',
    summary: 'The rates of students who are not archived, sorted by id',
    query: PageQuery,
    reply: z.array(Rate),
  },
  saveRate: {
    method: 'PUT',
    path: '/api/rates',
    access: 'login',
    summary:
      "Save a student's rate, starting from a given date; a rate with the same start date is replaced",
    body: RateInput,
    reply: RateChange,
  },
  deleteRate: {
    method: 'DELETE',
    path: '/api/rates/:id',
    access: 'login',
    summary: 'Delete a rate; the one before it applies again',
    params: IdParams,
    reply: RateChange,
  },
});
